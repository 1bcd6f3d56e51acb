// Pascal VOC: an XML file for each image gives its file and its boxes: `image`, `boxes`, `labels`.
#include "hearth/data/sources/voc.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "hearth/base/error.h"
#include "hearth/base/files.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/data/boxes_by_image.h"
#include "hearth/data/image_files.h"
#include "hearth/data/sample_file.h"
#include "hearth/format/xml.h"

namespace hearth::sources {

namespace {

constexpr uint64_t kAnnotationLimitBytes = 16 << 20;

struct VocObject {
  std::string name;
  Box box;
};

// One annotation file, with what is wrong named by its line.
class VocFile {
 public:
  VocFile(const fs::path& path, bool with_difficult)
      : path_(path), root_(parse_xml(read_file(path, kAnnotationLimitBytes), path.string())) {
    image = text_of(root_, "filename");
    for (const XmlElement& element : root_.children) {
      if (element.name != "object") continue;
      const XmlElement* difficult = element.child("difficult");
      if (!with_difficult && difficult != nullptr && difficult->text == "1") continue;
      objects.push_back({text_of(element, "name"), box_of(element)});
    }
  }

  std::string image;
  std::vector<VocObject> objects;

 private:
  [[noreturn]] void fail(const XmlElement& element, const std::string& what) const {
    throw DataError(path_.string() + ":" + std::to_string(element.line) + ": " + what);
  }
  [[nodiscard]] const XmlElement& part(const XmlElement& element, const std::string& name) const {
    const XmlElement* found = element.child(name);
    if (found == nullptr) fail(element, "<" + element.name + "> has no <" + name + ">.");
    return *found;
  }
  [[nodiscard]] std::string text_of(const XmlElement& element, const std::string& name) const {
    const XmlElement& found = part(element, name);
    if (found.text.empty()) fail(found, "<" + name + "> is empty.");
    return found.text;
  }
  [[nodiscard]] float side(const XmlElement& box, const std::string& name) const {
    const XmlElement& found = part(box, name);
    const auto number = read_number(found.text);
    if (!number || std::abs(*number) > 1e6)
      fail(found, "<" + name + "> must be a number of points, but is " + quote(found.text) + ".");
    return static_cast<float>(*number);
  }
  // VOC counts points from 1, and the last one belongs to the box.
  [[nodiscard]] Box box_of(const XmlElement& object) const {
    const XmlElement& found = part(object, "bndbox");
    const Box box = {side(found, "xmin") - 1, side(found, "ymin") - 1, side(found, "xmax"),
                     side(found, "ymax")};
    if (box[0] >= box[2] || box[1] >= box[3]) fail(found, "the box ends before it begins.");
    return box;
  }

  fs::path path_;
  XmlElement root_;
};

class Voc : public Source {
 public:
  using Options = VocOptions;
  explicit Voc(Options options) : options_(std::move(options)), files_(options_.images) {}

  void open() override {
    require_folder(options_.images, "the folder of images");
    require_folder(options_.annotations, "the folder of annotations");
    std::vector<VocFile> annotations;
    for (const fs::path& path : annotation_files())
      annotations.emplace_back(path, options_.difficult);
    if (annotations.empty()) throw DataError(options_.annotations + ": holds no XML files.");
    find_classes(annotations);
    for (const VocFile& annotation : annotations) {
      files_.add(annotation.image);
      boxes_.begin_image();
      for (const VocObject& object : annotation.objects)
        if (const auto at = std::find(names_.begin(), names_.end(), object.name);
            at != names_.end())
          boxes_.add(object.box, at - names_.begin());
    }
  }

  std::vector<KeySpec> keys() const override {
    return {{"image", encoded_image_spec()},
            {"boxes", boxes_spec()},
            {"labels", box_classes_spec(names_)}};
  }
  int64_t size() const override { return files_.size(); }
  void read(int64_t index, std::span<const Cell> cells) const override {
    if (cells[0].is_wanted()) files_.read(index, cells[0]);
    boxes_.read(index, cells[1], cells[2]);
  }
  uint64_t resident_bytes() const override {
    return files_.resident_bytes() + boxes_.resident_bytes();
  }
  std::string fingerprint() const override {
    return "voc:" + files_.digest() + ":" + boxes_.digest();
  }
  std::string describe(int64_t index) const override { return std::string(files_.name(index)); }

 private:
  [[nodiscard]] std::vector<fs::path> annotation_files() const {
    std::vector<fs::path> paths;
    if (options_.list.empty()) {
      for (const fs::path& path : list_folder(options_.annotations))
        if (path.extension() == ".xml") paths.push_back(path);
      return paths;
    }
    for (const std::string& line : split(read_file(options_.list), '\n'))
      if (const auto name = trim(line); !name.empty())
        paths.push_back(fs::path(options_.annotations) / (std::string(name) + ".xml"));
    return paths;
  }

  void find_classes(const std::vector<VocFile>& annotations) {
    std::set<std::string> found;
    for (const VocFile& annotation : annotations)
      for (const VocObject& object : annotation.objects) found.insert(object.name);
    names_ = options_.classes;
    if (names_.empty()) names_.assign(found.begin(), found.end());
    if (names_.empty())
      throw DataError(options_.annotations +
                      ": no file has an <object>, so that there is no class.");
  }

  Options options_;
  ImageFiles files_;
  BoxesByImage boxes_;
  std::vector<std::string> names_;
};

}  // namespace

const Schema<VocOptions>& VocOptions::schema() {
  using O = VocOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::images, "images", "The folder of the images that <filename> names.", is_path(),
                 required(), not_empty())
          .field(&O::annotations, "annotations", "The folder of the XML files, one for each image.",
                 is_path(), required(), not_empty())
          .field(&O::list, "list",
                 "A file with the names of annotations, one a line and without .xml, such as "
                 "ImageSets/Main/train.txt; all of them when left out.",
                 is_path())
          .field(&O::classes, "classes",
                 "The classes in the order of their numbers; boxes of others are left out. All "
                 "that occur, by name, when left out: name them, so that training and evaluation "
                 "agree.")
          .field(&O::difficult, "difficult", "Whether boxes marked as difficult are there.");
  return schema;
}

Choice<Source> voc(const VocOptions& options) { return choose<Source>("voc", options); }

void register_voc(Registry<Source>& registry) {
  registry.add<Voc>("voc", "Images with boxes, in the XML files of Pascal VOC.");
}

}  // namespace hearth::sources
