// The pair of IDX files behind the sources `digits` and `idx`.
#include "hearth/data/idx_pair.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

#include "hearth/base/digest.h"
#include "hearth/base/error.h"
#include "hearth/base/files.h"
#include "hearth/format/idx.h"

namespace hearth {

namespace {

IdxHeader idx_header_of_rank(const FileHandle& file, const fs::path& path, size_t rank,
                             const std::string& expected) {
  IdxHeader header = read_idx_header(file, path);
  if (header.type != IdxType::kUint8 || header.dimensions.size() != rank)
    throw DataError(path.string() + ": expected " + expected + ", but it has " +
                    std::to_string(header.dimensions.size()) + " dimensions of " +
                    std::to_string(size_of(header.type)) + "-byte numbers.");
  return header;
}

}  // namespace

void IdxPair::open(fs::path images, fs::path labels, int64_t classes) {
  images_.open(std::move(images));
  const IdxHeader pictures =
      idx_header_of_rank(images_.file, images_.path, 3, "images: bytes of [count, height, width]");
  count_ = pictures.dimensions[0];
  height_ = pictures.dimensions[1];
  width_ = pictures.dimensions[2];
  if (count_ < 1 || height_ < 1 || width_ < 1)
    throw DataError(images_.path.string() + ": has " + std::to_string(count_) + " images of " +
                    std::to_string(height_) + "x" + std::to_string(width_) +
                    " pixels; there is nothing to train on.");
  if (labels.empty()) return;
  labels_.open(std::move(labels));
  const IdxHeader numbers =
      idx_header_of_rank(labels_.file, labels_.path, 1, "labels: bytes of [count]");
  if (numbers.dimensions[0] != count_)
    throw DataError(labels_.path.string() + ": has " + std::to_string(numbers.dimensions[0]) +
                    " labels, but " + images_.path.string() + " has " + std::to_string(count_) +
                    " images.");
  check_labels(classes);
}

// Cheap, one byte per sample, and what is found here is found before anything runs.
void IdxPair::check_labels(int64_t classes) const {
  for (int64_t index = 0; index < count_; ++index) (void)label(index, classes);
}

// Not std::call_once: a load that throws must be possible to try again.
const std::byte* IdxPair::Content::load() const {
  if (is_loaded.load(std::memory_order_acquire)) return bytes.data();
  const std::lock_guard lock(mutex);
  if (is_loaded.load(std::memory_order_relaxed)) return bytes.data();
  IdxFile loaded = load_idx(file, path);
  check_unchanged();
  bytes = std::move(loaded.data);
  is_loaded.store(true, std::memory_order_release);
  return bytes.data();
}

void IdxPair::read_image(int64_t index, std::span<uint8_t> to) const {
  const int64_t pixels = height_ * width_;
  std::memcpy(to.data(), images_.load() + index * pixels, to.size());
}

int64_t IdxPair::label(int64_t index, int64_t classes) const {
  const auto label = std::to_integer<int64_t>(labels_.load()[index]);
  if (label >= classes)
    throw DataError(labels_.path.string() + ": label " + std::to_string(index) + " is " +
                    std::to_string(label) + ", but there are " + std::to_string(classes) +
                    " classes. Set 'classes' to what the data has.");
  return label;
}

std::string IdxPair::fingerprint() const {
  Sha256 digest;
  for (const Content* content : {&images_, &labels_})
    if (content->file.is_open()) content->add_to(digest);
  return "sha256:" + digest.finish_hex();
}

std::string IdxPair::describe(int64_t index) const {
  return images_.path.filename().string() + "[" + std::to_string(index) + "]";
}

}  // namespace hearth
