// The pair of IDX files behind the sources `digits` and `idx`.
#include "hearth/data/idx_pair.h"

#include <algorithm>
#include <span>
#include <utility>

#include "hearth/base/digest.h"
#include "hearth/base/error.h"
#include "hearth/base/files.h"
#include "hearth/format/idx.h"

namespace hearth {

namespace {

IdxHeader idx_header_of_rank(const fs::path& path, size_t rank, const std::string& expected) {
  IdxHeader header = read_idx_header(path);
  if (header.type != IdxType::kUint8 || header.dimensions.size() != rank)
    throw DataError(path.string() + ": expected " + expected + ", but it has " +
                    std::to_string(header.dimensions.size()) + " dimensions of " +
                    std::to_string(size_of(header.type)) + "-byte numbers.");
  return header;
}

void add_file_to_digest(Sha256& digest, const fs::path& path) {
  const FileHandle file = open_to_read(path);
  const uint64_t bytes = file_size(file, path);
  std::vector<std::byte> block(1 << 16);
  for (uint64_t offset = 0; offset < bytes; offset += block.size()) {
    const auto part = std::span(block).first(std::min<uint64_t>(block.size(), bytes - offset));
    read_at(file, offset, part, path);
    digest.add(part);
  }
}

}  // namespace

void IdxPair::open(fs::path images, fs::path labels) {
  const IdxHeader pictures =
      idx_header_of_rank(images, 3, "images: bytes of [count, height, width]");
  count_ = pictures.dimensions[0];
  height_ = pictures.dimensions[1];
  width_ = pictures.dimensions[2];
  images_.path = std::move(images);
  labels_.path = std::move(labels);
  if (labels_.path.empty()) return;
  const IdxHeader numbers = idx_header_of_rank(labels_.path, 1, "labels: bytes of [count]");
  if (numbers.dimensions[0] != count_)
    throw DataError(labels_.path.string() + ": has " + std::to_string(numbers.dimensions[0]) +
                    " labels, but " + images_.path.string() + " has " + std::to_string(count_) +
                    " images.");
}

// Not std::call_once: a load that throws must be possible to try again.
const std::byte* IdxPair::Content::load(uint64_t expected_bytes) const {
  if (is_loaded.load(std::memory_order_acquire)) return bytes.data();
  const std::lock_guard lock(mutex);
  if (is_loaded.load(std::memory_order_relaxed)) return bytes.data();
  IdxFile file = load_idx(path);
  if (file.data.size() != expected_bytes)
    throw DataError(path.string() + ": changed since it was opened.");
  bytes = std::move(file.data);
  is_loaded.store(true, std::memory_order_release);
  return bytes.data();
}

void IdxPair::read_image(int64_t index, float scale, float* to) const {
  const int64_t pixels = height_ * width_;
  const std::byte* from = images_.load(static_cast<uint64_t>(count_ * pixels)) + index * pixels;
  for (int64_t i = 0; i < pixels; ++i)
    to[i] = static_cast<float>(std::to_integer<uint8_t>(from[i])) * scale;
}

int64_t IdxPair::label(int64_t index, int64_t classes) const {
  const auto label = std::to_integer<int64_t>(labels_.load(static_cast<uint64_t>(count_))[index]);
  if (label >= classes)
    throw DataError("label " + std::to_string(label) + ", but there are " +
                    std::to_string(classes) + " classes. Set 'classes' to what the data has.");
  return label;
}

std::string IdxPair::fingerprint() const {
  Sha256 digest;
  add_file_to_digest(digest, images_.path);
  if (!labels_.path.empty()) add_file_to_digest(digest, labels_.path);
  return "sha256:" + digest.finish_hex();
}

std::string IdxPair::describe(int64_t index) const {
  return images_.path.filename().string() + "[" + std::to_string(index) + "]";
}

}  // namespace hearth
