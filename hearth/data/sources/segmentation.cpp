// Image and mask folders matched by name: `image` as the file has it, and `mask`, a class number
// for each point.
#include "hearth/data/sources/segmentation.h"

#include <map>

#include "hearth/base/error.h"
#include "hearth/base/files.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/data/image_files.h"
#include "hearth/data/sample_file.h"
#include "hearth/format/picture.h"
#include "hearth/format/png.h"

namespace hearth::sources {

namespace {

constexpr int64_t kIgnored = -100;  // what losses and metrics leave out

std::string without_ending(const std::string& name) {
  return fs::path(name).replace_extension().string();
}

class Segmentation : public Source {
 public:
  using Options = SegmentationOptions;
  explicit Segmentation(Options options)
      : options_(std::move(options)), images_(options_.images), masks_(options_.masks) {}

  void open() override {
    require_folder(options_.images, "the folder of images");
    require_folder(options_.masks, "the folder of masks");
    std::map<std::string, std::string> masks;
    for (const std::string& name : list_pictures(options_.masks))
      if (name.ends_with(".png") || name.ends_with(".PNG")) masks[without_ending(name)] = name;
    for (const std::string& name : list_pictures(options_.images)) {
      const auto mask = masks.find(without_ending(name));
      if (mask == masks.end())
        throw DataError((fs::path(options_.images) / name).string() + ": has no mask; expected " +
                        (fs::path(options_.masks) / without_ending(name)).string() + ".png.");
      images_.add(name);
      masks_.add(mask->second);
    }
    if (images_.size() == 0)
      throw DataError(options_.images + ": holds no images; expected " +
                      std::string(kPictureFormats) + " files.");
  }

  std::vector<KeySpec> keys() const override {
    Spec mask = class_spec(options_.class_names);
    mask.shape = {kAnyLength, kAnyLength};
    mask.classes = options_.classes;
    mask.role = Role::kMask;
    return {{"image", encoded_image_spec()}, {"mask", mask}};
  }

  int64_t size() const override { return images_.size(); }

  void read(int64_t index, std::span<const Cell> cells) const override {
    if (cells[0].is_wanted()) images_.read(index, cells[0]);
    if (cells[1].is_wanted()) read_mask(index, cells[1]);
  }

  uint64_t resident_bytes() const override {
    return images_.resident_bytes() + masks_.resident_bytes();
  }
  std::string fingerprint() const override {
    return "segmentation:" + images_.digest() + ":" + masks_.digest();
  }
  std::string describe(int64_t index) const override { return std::string(images_.name(index)); }

 private:
  void read_mask(int64_t index, const Cell& cell) const {
    const fs::path path = masks_.path(index);
    thread_local std::string bytes;
    thread_local std::vector<uint8_t> numbers;
    int64_t width = 0;
    read_sample_file(path, bytes);
    decode_png_numbers_into(bytes, path.string(), [&](int64_t rows, int64_t columns) {
      width = columns;
      numbers.resize(static_cast<size_t>(rows * columns));
      return numbers.data();
    });
    const auto height = static_cast<int64_t>(numbers.size()) / width;
    int64_t* to = cell.take({height, width}).as<int64_t>().data();
    for (size_t i = 0; i < numbers.size(); ++i) {
      to[i] = options_.ignore == numbers[i] ? kIgnored : numbers[i];
      if (to[i] >= options_.classes) refuse(path, numbers[i], static_cast<int64_t>(i), width);
    }
  }

  [[noreturn]] void refuse(const fs::path& path, int64_t value, int64_t at, int64_t width) const {
    throw DataError(path.string() + ": has the class " + std::to_string(value) + " at x " +
                    std::to_string(at % width) + ", y " + std::to_string(at / width) +
                    ", but there are " + std::to_string(options_.classes) +
                    " classes, from 0. Set 'classes', or 'ignore' for a value that is none.");
  }

  Options options_;
  ImageFiles images_;
  ImageFiles masks_;
};

}  // namespace

const Schema<SegmentationOptions>& SegmentationOptions::schema() {
  using O = SegmentationOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::images, "images", "A folder of images, or of folders of them.", is_path(),
                 required(), not_empty())
          .field(&O::masks, "masks",
                 "A folder of PNG files of gray or of a palette, named as the images; their values "
                 "are class numbers.",
                 is_path(), required(), not_empty())
          .field(&O::classes, "classes", "How many classes there are; values are below it.",
                 at_least(1), at_most(256))
          .field(&O::class_names, "class_names", "A name for each class; may be left out.")
          .field(&O::ignore, "ignore",
                 "A value for points that count for nothing, such as borders; null for none.",
                 at_least(0), at_most(255))
          .check("'class_names' must name every one of the classes, or none.",
                 [](const O& options) {
                   return options.class_names.empty() ||
                          static_cast<int64_t>(options.class_names.size()) == options.classes;
                 });
  return schema;
}

Choice<Source> segmentation(const SegmentationOptions& options) {
  return choose<Source>("segmentation", options);
}

void register_segmentation(Registry<Source>& registry) {
  registry.add<Segmentation>("segmentation",
                             "A folder of images and one of masks, matched by name.");
}

}  // namespace hearth::sources
