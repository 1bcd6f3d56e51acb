// Listing asks the folder for the kind of each entry, and no file for anything.
#include "hearth/data/image_files.h"

#include <algorithm>

#include "hearth/base/error.h"
#include "hearth/base/files.h"
#include "hearth/base/long_work.h"
#include "hearth/base/text.h"
#include "hearth/data/sample_file.h"
#include "hearth/format/picture.h"

namespace hearth {

namespace {

class PictureLister {
 public:
  explicit PictureLister(const fs::path& root)
      : root_(root), work_("listing the pictures of " + root.filename().string()) {}

  std::vector<std::string> list() {
    add_folder(root_, "");
    std::sort(names_.begin(), names_.end());
    return std::move(names_);
  }

 private:
  void add_folder(const fs::path& folder, const std::string& prefix) {
    std::error_code problem;
    fs::directory_iterator entries(folder, problem);
    if (problem)
      throw DataError("Cannot read the folder " + quote(folder.string()) + ": " +
                      problem.message() + ".");
    for (; entries != fs::directory_iterator(); entries.increment(problem)) {
      const std::string name = entries->path().filename().string();
      if (name.starts_with('.')) continue;
      if (entries->is_directory(problem)) {
        if (entries->is_symlink(problem)) check_link(folder, *entries);
        add_folder(entries->path(), prefix + name + "/");
      } else if (has_picture_name(name)) {
        names_.push_back(prefix + name);
        work_.tell(names_.size());
      }
    }
    if (problem)
      throw DataError("Cannot read the folder " + quote(folder.string()) + ": " +
                      problem.message() + ".");
  }

  static void check_link(const fs::path& folder, const fs::path& link) {
    const fs::path target = fs::canonical(link);
    const fs::path around = fs::canonical(folder);
    const auto [end, unused] =
        std::mismatch(target.begin(), target.end(), around.begin(), around.end());
    if (end == target.end())
      throw DataError("The link " + quote(link.string()) +
                      " leads to a folder around it, so that there is no end of files. Remove it.");
  }

  fs::path root_;
  std::vector<std::string> names_;
  LongWork work_;
};

}  // namespace

void ImageFiles::add(std::string_view name) {
  names_ += name;
  ends_.push_back(names_.size());
}

std::string_view ImageFiles::name(int64_t index) const {
  const auto at = static_cast<size_t>(index);
  const size_t begin = at == 0 ? 0 : ends_[at - 1];
  return std::string_view(names_).substr(begin, ends_[at] - begin);
}

void ImageFiles::read(int64_t index, const Cell& cell) const {
  read_sample_file(path(index), cell);
}

std::string ImageFiles::digest() const {
  SampleFilesDigest digest(ends_.size());
  for (int64_t i = 0; i < size(); ++i) {
    digest.add(std::string(name(i)) + ":");
    digest.add_file(path(i));
  }
  return digest.finish();
}

std::vector<std::string> list_pictures(const fs::path& folder) {
  return PictureLister(folder).list();
}

Spec encoded_image_spec() {
  Spec image{.dtype = DType::kUint8, .shape = {kAnyLength}};
  image.role = Role::kEncodedImage;
  return image;
}

Spec class_spec(const std::vector<std::string>& names) {
  Spec label{.dtype = DType::kInt64, .classes = static_cast<int64_t>(names.size())};
  label.class_names = names;
  label.role = Role::kClass;
  return label;
}

}  // namespace hearth
