// Image files in a folder for each class: `image` as the file has it, and `label`.
#include "hearth/data/sources/image_folder.h"

#include <algorithm>
#include <set>

#include "hearth/base/error.h"
#include "hearth/base/files.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/data/image_files.h"
#include "hearth/data/sample_file.h"
#include "hearth/format/picture.h"

namespace hearth::sources {

namespace {

class ImageFolder : public Source {
 public:
  using Options = ImageFolderOptions;
  explicit ImageFolder(Options options) : options_(std::move(options)), files_(options_.folder) {}

  void open() override {
    require_folder(options_.folder, "the folder");
    find_classes();
    for (size_t label = 0; label < names_.size(); ++label)
      for (const std::string& name : list_pictures(fs::path(options_.folder) / names_[label])) {
        files_.add(names_[label] + "/" + name);
        labels_.push_back(static_cast<int32_t>(label));
      }
    if (labels_.empty())
      throw DataError(options_.folder +
                      ": holds no images. Expected a folder for each class, with " +
                      std::string(kPictureFormats) + " files in it or in folders below it.");
  }

  std::vector<KeySpec> keys() const override {
    return {{"image", encoded_image_spec()}, {"label", class_spec(names_)}};
  }

  int64_t size() const override { return files_.size(); }

  void read(int64_t index, std::span<const Cell> cells) const override {
    if (cells[0].is_wanted()) files_.read(index, cells[0]);
    if (cells[1].is_wanted()) cells[1].set(int64_t{labels_[static_cast<size_t>(index)]});
  }

  uint64_t resident_bytes() const override {
    return files_.resident_bytes() + labels_.capacity() * sizeof(int32_t);
  }
  std::string fingerprint() const override { return "image_folder:" + files_.digest(); }
  std::string describe(int64_t index) const override { return std::string(files_.name(index)); }

 private:
  void find_classes() {
    std::vector<std::string> folders;
    for (const fs::path& folder : list_folder(options_.folder))
      if (const std::string name = folder.filename().string();
          !name.starts_with('.') && fs::is_directory(folder))
        folders.push_back(name);
    names_ = options_.classes.empty() ? folders : options_.classes;
    for (const std::string& name : names_)
      if (std::find(folders.begin(), folders.end(), name) == folders.end())
        throw DataError(options_.folder + ": has no folder for the class " + quote(name) + "." +
                        did_you_mean(name, folders));
  }

  Options options_;
  std::vector<std::string> names_;
  ImageFiles files_;
  std::vector<int32_t> labels_;
};

}  // namespace

const Schema<ImageFolderOptions>& ImageFolderOptions::schema() {
  using O = ImageFolderOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::folder, "folder",
                 "A folder with a folder for each class, named after it, that holds PNG, JPEG, "
                 "WebP or BMP files, or folders of them.",
                 is_path(), required(), not_empty())
          .field(&O::classes, "classes",
                 "The folders that are classes, in the order of their numbers; all of them, by "
                 "name, when it is left out.")
          .check("'classes' names a folder twice.", [](const O& options) {
            return std::set(options.classes.begin(), options.classes.end()).size() ==
                   options.classes.size();
          });
  return schema;
}

Choice<Source> image_folder(ImageFolderOptions options) {
  return choose<Source>("image_folder", options);
}

void register_image_folder(Registry<Source>& registry) {
  registry.add<ImageFolder>("image_folder",
                            "PNG, JPEG, WebP and BMP files in a folder for each class.");
}

}  // namespace hearth::sources
