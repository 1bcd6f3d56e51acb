// COCO: `image` as the file has it, `boxes` with `labels`, and, if wanted, `mask`, `keypoints` with
// `visible`.
#include "hearth/data/sources/coco.h"

#include <algorithm>

#include "hearth/base/digest.h"
#include "hearth/base/error.h"
#include "hearth/base/files.h"
#include "hearth/config/registry.h"
#include "hearth/data/coco_file.h"
#include "hearth/data/image_files.h"
#include "hearth/data/sample_file.h"
#include "hearth/format/region.h"

namespace hearth::sources {

namespace {

class Coco : public Source {
 public:
  using Options = CocoOptions;
  explicit Coco(Options options) : options_(std::move(options)), files_(options_.images) {}

  void open() override {
    require_folder(options_.images, "the folder of images");
    const fs::path path = options_.annotations;
    file_ = read_coco(
        path, {.shapes = has_mask(), .keypoints = options_.keypoints, .crowds = options_.crowds});
    for (const CocoFile::Image& image : file_.images) files_.add(image.file);
    if (options_.keypoints && file_.keypoints_of_box == 0)
      throw DataError(path.string() +
                      ": no category names \"keypoints\". Take the file of keypoints, or set "
                      "keypoints: false.");
  }

  std::vector<KeySpec> keys() const override {
    std::vector<KeySpec> keys = {{"image", encoded_image_spec()},
                                 {"boxes", boxes_spec()},
                                 {"labels", box_classes_spec(file_.classes)}};
    if (has_mask()) keys.push_back({"mask", mask_spec()});
    if (!options_.keypoints) return keys;
    Spec points{.dtype = DType::kFloat32, .shape = {kAnyLength, file_.keypoints_of_box, 2}};
    points.role = Role::kPoints;
    keys.push_back({"keypoints", points});
    keys.push_back(
        {"visible", {.dtype = DType::kInt64, .shape = {kAnyLength, file_.keypoints_of_box}}});
    return keys;
  }

  int64_t size() const override { return files_.size(); }

  void read(int64_t index, std::span<const Cell> cells) const override {
    if (cells[0].is_wanted()) files_.read(index, cells[0]);
    file_.boxes.read(index, cells[1], cells[2]);
    if (has_mask() && cells[3].is_wanted()) read_mask(index, cells[3]);
    if (options_.keypoints) read_keypoints(index, cells[cells.size() - 2], cells.back());
  }

  uint64_t resident_bytes() const override {
    return files_.resident_bytes() + file_.resident_bytes();
  }
  std::string fingerprint() const override {
    return "coco:" + sha256_hex(read_file(options_.annotations, 4ULL << 30)) + ":" +
           files_.digest();
  }
  std::string describe(int64_t index) const override { return std::string(files_.name(index)); }

 private:
  [[nodiscard]] bool has_mask() const { return options_.masks != "none"; }

  // Of classes: 0 for the background, and the number of the class and 1 for the others.
  [[nodiscard]] Spec mask_spec() const {
    Spec mask{.dtype = DType::kInt64, .shape = {kAnyLength, kAnyLength}};
    mask.role = Role::kMask;
    if (options_.masks != "classes") return mask;
    mask.classes = static_cast<int64_t>(file_.classes.size()) + 1;
    mask.class_names = {"background"};
    mask.class_names.insert(mask.class_names.end(), file_.classes.begin(), file_.classes.end());
    return mask;
  }

  // Where objects overlap, the last one shows.
  void read_mask(int64_t index, const Cell& cell) const {
    const CocoFile::Image& image = file_.images[static_cast<size_t>(index)];
    const auto mask = cell.take({image.height, image.width}).as<int64_t>();
    std::fill(mask.begin(), mask.end(), 0);
    const size_t first = file_.boxes.begin(index);
    for (size_t box = first; box < file_.boxes.end(index); ++box) {
      const int64_t value = options_.masks == "classes" ? file_.boxes.label(box) + 1
                                                        : static_cast<int64_t>(box - first) + 1;
      const auto fill = [&](int64_t y, int64_t begin, int64_t end) {
        std::fill(mask.begin() + y * image.width + begin, mask.begin() + y * image.width + end,
                  value);
      };
      const CocoShape& shape = file_.shapes[box];
      for (const std::vector<float>& polygon : shape.polygons)
        fill_polygon(polygon, image.height, image.width, fill);
      if (!shape.run_lengths.empty())
        fill_run_lengths(shape.run_lengths, image.height, image.width, fill, image.file);
    }
  }

  void read_keypoints(int64_t index, const Cell& points, const Cell& visible) const {
    const size_t first = file_.boxes.begin(index);
    const auto boxes = static_cast<int64_t>(file_.boxes.end(index) - first);
    const int64_t each = file_.keypoints_of_box;
    const float* from = file_.keypoints.data() + first * static_cast<size_t>(3 * each);
    float* to = points.is_wanted() ? points.take({boxes, each, 2}).as<float>().data() : nullptr;
    int64_t* seen =
        visible.is_wanted() ? visible.take({boxes, each}).as<int64_t>().data() : nullptr;
    for (int64_t i = 0; i < boxes * each; ++i, from += 3) {
      if (to != nullptr) to = std::copy(from, from + 2, to);
      if (seen != nullptr) *seen++ = static_cast<int64_t>(from[2]);
    }
  }

  Options options_;
  ImageFiles files_;
  CocoFile file_;
};

}  // namespace

const Schema<CocoOptions>& CocoOptions::schema() {
  using O = CocoOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::images, "images", "The folder of the images that the annotations name.",
                 is_path(), required(), not_empty())
          .field(&O::annotations, "annotations",
                 "The JSON file of images, categories and annotations, such as "
                 "instances_train2017.json.",
                 is_path(), required(), not_empty())
          .field(&O::masks, "masks",
                 "A mask of the classes of points, with 0 for the background; one of the numbers "
                 "of the boxes, from 1; or none. A point is in a polygon if its middle is.",
                 one_of({"none", "classes", "instances"}))
          .field(&O::keypoints, "keypoints",
                 "Whether the keypoints of each box are there, and whether each is visible: 0 not "
                 "known, 1 hidden, 2 visible.")
          .field(&O::crowds, "crowds", "Whether annotations of many objects at once are there.");
  return schema;
}

Choice<Source> coco(const CocoOptions& options) { return choose<Source>("coco", options); }

void register_coco(Registry<Source>& registry) {
  registry.add<Coco>("coco", "Images with boxes, masks and keypoints, in COCO's JSON.");
}

}  // namespace hearth::sources
