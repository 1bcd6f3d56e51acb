// Records are read one by one where they lie; nothing is kept in memory.
#include "hearth/data/cifar_files.h"

#include <algorithm>
#include <array>

#include "hearth/base/digest.h"
#include "hearth/base/error.h"

namespace hearth {

namespace {

constexpr int64_t kCifarSide = 32;
constexpr int64_t kCifarPlane = kCifarSide * kCifarSide;
constexpr int64_t kCifarImage = 3 * kCifarPlane;
constexpr int64_t kMostLabels = 2;

}  // namespace

Spec cifar_image_spec() {
  Spec image{.dtype = DType::kUint8, .shape = {kCifarSide, kCifarSide, 3}};
  image.role = Role::kImage;
  image.image_range = {0.0, 255.0};
  return image;
}

int64_t CifarFiles::record_bytes() const { return labels_ + kCifarImage; }

void CifarFiles::open(const fs::path& folder, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    const fs::path path = folder / name;
    OpenedFile file;
    file.open(path);
    const auto bytes = static_cast<int64_t>(file.stamp.bytes);
    if (bytes == 0 || bytes % record_bytes() != 0)
      throw DataError(path.string() + ": has " + std::to_string(bytes) +
                      " bytes, which is no whole number of records of " +
                      std::to_string(record_bytes()) +
                      ". Is it of the binary version, and complete?");
    const int64_t begin = size();
    files_.push_back({std::move(file), begin, begin + bytes / record_bytes()});
  }
}

const CifarFiles::File& CifarFiles::file_of(int64_t index) const {
  return *std::find_if(files_.begin(), files_.end(),
                       [&](const File& file) { return index < file.end; });
}

void CifarFiles::read(int64_t index, std::span<const int64_t> classes,
                      std::span<const Cell> cells) const {
  std::array<uint8_t, kMostLabels + kCifarImage> record;
  const File& in = file_of(index);
  const auto bytes = static_cast<size_t>(record_bytes());
  read_at(in.file.file, static_cast<uint64_t>(index - in.begin) * bytes,
          std::as_writable_bytes(std::span(record).first(bytes)), in.file.path);
  for (size_t k = 0; k < classes.size(); ++k) {
    if (record[k] >= classes[k])
      throw DataError(describe(index) + ": has the class " + std::to_string(record[k]) +
                      ", but there are " + std::to_string(classes[k]) + ".");
    if (cells[k + 1].is_wanted()) cells[k + 1].set(int64_t{record[k]});
  }
  if (!cells[0].is_wanted()) return;
  const uint8_t* red = record.data() + labels_;
  uint8_t* to = cells[0].as<uint8_t>().data();
  for (int64_t i = 0; i < kCifarPlane; ++i, to += 3) {
    to[0] = red[i];
    to[1] = red[i + kCifarPlane];
    to[2] = red[i + 2 * kCifarPlane];
  }
}

std::string CifarFiles::describe(int64_t index) const {
  const File& in = file_of(index);
  return in.file.path.filename().string() + "[" + std::to_string(index - in.begin) + "]";
}

std::string CifarFiles::digest() const {
  Sha256 digest;
  for (const File& each : files_) each.file.add_to(digest);
  return "sha256:" + digest.finish_hex();
}

}  // namespace hearth
