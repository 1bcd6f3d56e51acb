// Items are taken as they come; which image an annotation is of is looked up at the end.
#include "hearth/data/coco_file.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>
#include <utility>

#include <nlohmann/json.hpp>

#include "hearth/base/error.h"
#include "hearth/base/files.h"
#include "hearth/base/text.h"
#include "hearth/format/json.h"
#include "hearth/format/region.h"

namespace hearth {

namespace {

constexpr JsonLimits kCocoLimits = {.bytes = 4ULL << 30, .depth = 16, .values = 2'000'000'000};
constexpr int64_t kMostSide = 65'500;
constexpr int64_t kMostKeypoints = 1000;

struct CocoAnnotation {
  int64_t id = 0;
  size_t number = 0;  // in the file
  int64_t image = 0;
  int64_t category = 0;
  Box box{};
  CocoShape shape;
  std::vector<float> keypoints;
};

class CocoReader {
 public:
  CocoReader(const std::filesystem::path& path, const CocoWants& wants)
      : name_(path.string()), wants_(wants) {
    visit_json(
        read_file(path, kCocoLimits.bytes), name_,
        [&](const std::string& key, nlohmann::json& item) {
          if (key == "images") add_image(item);
          if (key == "categories") add_category(item);
          if (key == "annotations") add_annotation(item);
        },
        kCocoLimits);
  }

  CocoFile finish() {
    if (file_.images.empty()) throw DataError(name_ + ": has no \"images\".");
    if (categories_.empty()) throw DataError(name_ + ": has no \"categories\".");
    for (auto& [id, name] : categories_) file_.classes.push_back(name);
    sort_by_image();
    auto next = annotations_.begin();
    for (size_t image = 0; image < file_.images.size(); ++image) {
      file_.boxes.begin_image();
      for (; next != annotations_.end() && next->image == static_cast<int64_t>(image); ++next)
        add_box(*next);
    }
    return std::move(file_);
  }

 private:
  [[noreturn]] void fail(const std::string& item, const std::string& what) const {
    throw DataError(name_ + ": " + item + ": " + what);
  }
  static std::string item_name(const std::string& kind, const nlohmann::json& item) {
    const bool has_id = item.is_object() && item.contains("id");
    return kind + " " + (has_id ? item["id"].dump() : std::string("without an id"));
  }
  [[nodiscard]] int64_t whole(const nlohmann::json& item, const char* key,
                              const std::string& name) const {
    if (!item.is_object() || !item.contains(key) || !item[key].is_number_integer())
      fail(name, "\"" + std::string(key) + "\" must be a whole number.");
    return item[key].get<int64_t>();
  }
  [[nodiscard]] std::string text(const nlohmann::json& item, const char* key,
                                 const std::string& name) const {
    if (!item.contains(key) || !item[key].is_string() ||
        item[key].get_ref<const std::string&>().empty())
      fail(name, "\"" + std::string(key) + "\" must be text.");
    return item[key].get<std::string>();
  }
  [[nodiscard]] std::vector<float> numbers(const nlohmann::json& list, const char* key,
                                           const std::string& name) const {
    std::vector<float> values;
    if (!list.is_array()) fail(name, "\"" + std::string(key) + "\" must be a list of numbers.");
    for (const nlohmann::json& value : list) {
      if (!value.is_number() || !(std::abs(value.get<double>()) < 1e7))
        fail(name, "\"" + std::string(key) + "\" must hold numbers of points.");
      values.push_back(value.get<float>());
    }
    return values;
  }

  void add_image(const nlohmann::json& item) {
    const std::string name = item_name("image", item);
    CocoFile::Image image{.id = whole(item, "id", name),
                          .file = text(item, "file_name", name),
                          .height = whole(item, "height", name),
                          .width = whole(item, "width", name)};
    if (image.height < 1 || image.width < 1 || image.height > kMostSide || image.width > kMostSide)
      fail(name, "\"height\" and \"width\" must be from 1 to " + std::to_string(kMostSide) + ".");
    if (!image_of_.emplace(image.id, static_cast<int64_t>(file_.images.size())).second)
      fail(name, "another image has the same id.");
    file_.images.push_back(std::move(image));
  }

  void add_category(const nlohmann::json& item) {
    const std::string name = item_name("category", item);
    if (!categories_.emplace(whole(item, "id", name), text(item, "name", name)).second)
      fail(name, "another category has the same id.");
    if (item.contains("keypoints") && item["keypoints"].is_array())
      file_.keypoints_of_box =
          std::max(file_.keypoints_of_box, static_cast<int64_t>(item["keypoints"].size()));
    if (file_.keypoints_of_box > kMostKeypoints)
      fail(name, "has more than " + std::to_string(kMostKeypoints) + " keypoints.");
  }

  void add_annotation(const nlohmann::json& item) {
    const std::string name = item_name("annotation", item);
    CocoAnnotation annotation{.id = whole(item, "id", name),
                              .number = annotations_.size(),
                              .image = whole(item, "image_id", name),
                              .category = whole(item, "category_id", name),
                              .box = {},
                              .shape = {},
                              .keypoints = {}};
    if (!wants_.crowds && item.contains("iscrowd") && item["iscrowd"] == 1) return;
    const auto box = numbers(item.contains("bbox") ? item["bbox"] : nlohmann::json(), "bbox", name);
    if (box.size() != 4) fail(name, "\"bbox\" must be [left, top, width, height].");
    if (box[2] <= 0 || box[3] <= 0) return;
    annotation.box = {box[0], box[1], box[0] + box[2], box[1] + box[3]};
    if (wants_.shapes && item.contains("segmentation"))
      annotation.shape = shape_of(item["segmentation"], name);
    if (wants_.keypoints && item.contains("keypoints"))
      annotation.keypoints = numbers(item["keypoints"], "keypoints", name);
    annotations_.push_back(std::move(annotation));
  }

  [[nodiscard]] CocoShape shape_of(const nlohmann::json& item, const std::string& name) const {
    CocoShape shape;
    if (item.is_array()) {
      for (const nlohmann::json& polygon : item)
        shape.polygons.push_back(numbers(polygon, "segmentation", name));
      return shape;
    }
    if (!item.is_object() || !item.contains("counts"))
      fail(name, "\"segmentation\" must be polygons or run lengths.");
    const nlohmann::json& counts = item["counts"];
    if (counts.is_string()) {
      shape.run_lengths = unpack_run_lengths(counts.get<std::string>(), name_ + ": " + name);
      return shape;
    }
    if (!counts.is_array()) fail(name, "\"counts\" must be run lengths.");
    for (const nlohmann::json& count : counts) {
      if (!count.is_number_unsigned() || count.get<uint64_t>() > UINT32_MAX)
        fail(name, "\"counts\" must hold whole numbers of points.");
      shape.run_lengths.push_back(count.get<uint32_t>());
    }
    return shape;
  }

  // Ids of images become their numbers; annotations of an image stay in their order.
  void sort_by_image() {
    for (CocoAnnotation& annotation : annotations_) {
      const auto image = image_of_.find(annotation.image);
      if (image == image_of_.end())
        fail("annotation " + std::to_string(annotation.id),
             "there is no image " + std::to_string(annotation.image) + ".");
      annotation.image = image->second;
    }
    std::sort(annotations_.begin(), annotations_.end(),
              [](const CocoAnnotation& left, const CocoAnnotation& right) {
                return std::pair(left.image, left.number) < std::pair(right.image, right.number);
              });
  }

  void add_box(CocoAnnotation& annotation) {
    const std::string name = "annotation " + std::to_string(annotation.id);
    const auto category = categories_.find(annotation.category);
    if (category == categories_.end())
      fail(name, "there is no category " + std::to_string(annotation.category) + ".");
    file_.boxes.add(annotation.box, std::distance(categories_.begin(), category));
    if (wants_.shapes) file_.shapes.push_back(std::move(annotation.shape));
    if (!wants_.keypoints) return;
    const auto count = static_cast<size_t>(3 * file_.keypoints_of_box);
    if (!annotation.keypoints.empty() && annotation.keypoints.size() != count)
      fail(name, "\"keypoints\" must be " + std::to_string(file_.keypoints_of_box) +
                     " times x, y and whether it is visible.");
    annotation.keypoints.resize(count);  // one without any has none visible
    file_.keypoints.insert(file_.keypoints.end(), annotation.keypoints.begin(),
                           annotation.keypoints.end());
  }

  std::string name_;
  CocoWants wants_;
  CocoFile file_;
  std::unordered_map<int64_t, int64_t> image_of_;
  std::map<int64_t, std::string> categories_;
  std::vector<CocoAnnotation> annotations_;
};

}  // namespace

uint64_t CocoFile::resident_bytes() const {
  uint64_t bytes = images.capacity() * sizeof(Image) + boxes.resident_bytes() +
                   shapes.capacity() * sizeof(CocoShape) + keypoints.capacity() * sizeof(float);
  for (const Image& image : images) bytes += image.file.capacity();
  for (const CocoShape& shape : shapes) {
    bytes += shape.run_lengths.capacity() * sizeof(uint32_t) +
             shape.polygons.capacity() * sizeof(std::vector<float>);
    for (const std::vector<float>& polygon : shape.polygons)
      bytes += polygon.capacity() * sizeof(float);
  }
  return bytes;
}

CocoFile read_coco(const std::filesystem::path& path, const CocoWants& wants) {
  return CocoReader(path, wants).finish();
}

}  // namespace hearth
