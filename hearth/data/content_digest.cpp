// What of files tells them from others.
#include "hearth/data/content_digest.h"

#include <algorithm>
#include <span>
#include <string>
#include <vector>

namespace hearth {
namespace {

// A second or so, beside the training.
constexpr uint64_t kLookedAtBytes = 256 << 20;
// Of millions of pictures, what a disk reads at once anyway.
constexpr uint64_t kLeastOfEachBytes = 16 << 10;
constexpr uint64_t kSmallBlockBytes = 4 << 10;
constexpr uint64_t kLargeBlockBytes = 64 << 10;

}  // namespace

uint64_t looked_at_of_each(uint64_t files) {
  return std::max(kLookedAtBytes / std::max<uint64_t>(files, 1), kLeastOfEachBytes);
}

void add_content(Sha256& digest, uint64_t bytes, uint64_t most, const ReadBytes& read) {
  digest.add(std::to_string(bytes) + "\n");
  const uint64_t size = most < 16 * kLargeBlockBytes ? kSmallBlockBytes : kLargeBlockBytes;
  const bool is_whole = bytes <= std::max(most, 2 * size);
  const uint64_t blocks = is_whole ? (bytes + size - 1) / size : std::max<uint64_t>(most / size, 2);
  std::vector<std::byte> block(std::min(bytes, size));
  const uint64_t last = bytes - block.size();
  for (uint64_t i = 0; i < blocks; ++i) {
    const uint64_t begin = is_whole ? i * size : i * last / (blocks - 1);
    const auto part = std::span(block).first(std::min<uint64_t>(block.size(), bytes - begin));
    read(begin, part);
    digest.add(part);
  }
}

}  // namespace hearth
