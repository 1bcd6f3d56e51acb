// A pair of IDX files as a source: `image` in bytes, and `label` when there is a file of them.
#include "hearth/data/sources/idx.h"

#include <utility>

#include "hearth/config/registry.h"
#include "hearth/data/idx_pair.h"

namespace hearth::sources {

namespace {

class IdxSource : public Source {
 public:
  using Options = IdxOptions;
  explicit IdxSource(Options options) : options_(std::move(options)) {}

  void open() override { files_.open(options_.images, options_.labels, options_.classes); }

  std::vector<KeySpec> keys() const override {
    Spec image{.dtype = DType::kUint8, .shape = {files_.height(), files_.width(), 1}};
    image.role = Role::kImage;
    image.image_range = {0.0, 255.0};
    if (options_.labels.empty()) return {{"image", image}};
    Spec label{.dtype = DType::kInt64, .classes = options_.classes};
    label.class_names = options_.class_names;
    label.role = Role::kClass;
    return {{"image", image}, {"label", label}};
  }

  int64_t size() const override { return files_.size(); }

  void read(int64_t index, std::span<const Cell> cells) const override {
    if (cells[0].is_wanted()) files_.read_image(index, cells[0].as<uint8_t>());
    if (cells.size() > 1 && cells[1].is_wanted())
      cells[1].set(files_.label(index, options_.classes));
  }

  uint64_t resident_bytes() const override { return files_.resident_bytes(); }
  std::string fingerprint() const override { return "idx:" + files_.fingerprint(); }
  std::string describe(int64_t index) const override { return files_.describe(index); }

 private:
  Options options_;
  IdxPair files_;
};

}  // namespace

const Schema<IdxOptions>& IdxOptions::schema() {
  using O = IdxOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::images, "images",
                 "File of images: bytes of [count, height, width]; may be .gz.", is_path(),
                 required(), not_empty())
          .field(&O::labels, "labels", "File of class numbers: bytes of [count]; may be left out.",
                 is_path())
          .field(&O::classes, "classes", "How many classes there are; labels are below it.",
                 at_least(1), at_most(256))
          .field(&O::class_names, "class_names", "A name for each class; may be left out.")
          .check("'class_names' must name every one of the classes, or none.",
                 [](const O& options) {
                   return options.class_names.empty() ||
                          static_cast<int64_t>(options.class_names.size()) == options.classes;
                 });
  return schema;
}

Choice<Source> idx(IdxOptions options) { return choose<Source>("idx", options); }

void register_idx(Registry<Source>& registry) {
  registry.add<IdxSource>("idx", "Images and labels from IDX files, such as MNIST's.");
}

}  // namespace hearth::sources
