// Image files in a folder for each class: `image` as the file has it, and `label`.
#include "hearth/data/sources/image_folder.h"

#include <algorithm>
#include <filesystem>
#include <span>

#include "hearth/base/digest.h"
#include "hearth/base/error.h"
#include "hearth/base/files.h"
#include "hearth/config/registry.h"

namespace hearth::sources {

namespace {

constexpr uint64_t kImageFileLimitBytes = 1ULL << 30;

bool has_image_name(const fs::path& file) {
  std::string ending = file.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char letter) { return std::tolower(letter); });
  return ending == ".png";
}

class ImageFolder : public Source {
 public:
  using Options = ImageFolderOptions;
  explicit ImageFolder(Options options) : options_(std::move(options)) {}

  void open() override {
    if (!fs::is_directory(options_.folder))
      throw DataError("Cannot open the folder '" + options_.folder +
                      "': " + (is_there(options_.folder) ? "it is a file." : "there is none."));
    for (const fs::path& folder : list_folder(options_.folder)) {
      if (!fs::is_directory(folder)) continue;
      const auto label = static_cast<int64_t>(names_.size());
      names_.push_back(folder.filename().string());
      for (const fs::path& file : list_folder(folder))
        if (has_image_name(file)) files_.push_back({file, label});
    }
    if (files_.empty())
      throw DataError(options_.folder +
                      ": holds no images. Expected a folder for each class, with PNG files in it.");
  }

  std::vector<KeySpec> keys() const override {
    Spec image{.dtype = DType::kUint8, .shape = {kAnyLength}};
    image.role = Role::kEncodedImage;
    Spec label{.dtype = DType::kInt64, .classes = static_cast<int64_t>(names_.size())};
    label.class_names = names_;
    label.role = Role::kClass;
    return {{"image", image}, {"label", label}};
  }

  int64_t size() const override { return static_cast<int64_t>(files_.size()); }

  void read(int64_t index, std::span<const Cell> cells) const override {
    const File& file = files_[static_cast<size_t>(index)];
    if (cells[0].is_wanted()) read_image(file.path, cells[0]);
    if (cells[1].is_wanted()) cells[1].set(file.label);
  }

  // Names, sizes, classes and how each file begins: reading all of it would take as long as an
  // epoch, and another picture is compressed to other bytes from its first rows on.
  std::string fingerprint() const override {
    Sha256 digest;
    for (const File& file : files_)
      digest.add(file.path.lexically_relative(options_.folder).string() + ":" +
                 std::to_string(fs::file_size(file.path)) + "\n" + beginning_of(file.path));
    return "image_folder:sha256:" + digest.finish_hex();
  }
  std::string describe(int64_t index) const override {
    return files_[static_cast<size_t>(index)].path.lexically_relative(options_.folder).string();
  }

 private:
  struct File {
    fs::path path;
    int64_t label = 0;
  };

  static std::string beginning_of(const fs::path& path) {
    constexpr uint64_t kLength = 4096;
    const FileHandle file = open_to_read(path);
    std::string bytes(std::min(hearth::file_size(file, path), kLength), '\0');
    read_at(file, 0, std::as_writable_bytes(std::span(bytes)), path);
    return bytes;
  }

  static void read_image(const fs::path& path, const Cell& cell) {
    const FileHandle file = open_to_read(path);
    const uint64_t bytes = file_size(file, path);
    if (bytes > kImageFileLimitBytes)
      throw DataError(path.string() + ": is larger than an image file may be.");
    const View room = cell.take({static_cast<int64_t>(bytes)});
    read_at(file, 0, {room.data, static_cast<size_t>(bytes)}, path);
  }

  Options options_;
  std::vector<std::string> names_;
  std::vector<File> files_;
};

}  // namespace

const Schema<ImageFolderOptions>& ImageFolderOptions::schema() {
  using O = ImageFolderOptions;
  static const auto schema = Schema<O>().field(
      &O::folder, "folder",
      "A folder with a folder for each class, named after it, that holds PNG files.", is_path(),
      required(), not_empty());
  return schema;
}

Choice<Source> image_folder(ImageFolderOptions options) {
  return choose<Source>("image_folder", options);
}

void register_image_folder(Registry<Source>& registry) {
  registry.add<ImageFolder>("image_folder", "PNG files in a folder for each class.");
}

}  // namespace hearth::sources
