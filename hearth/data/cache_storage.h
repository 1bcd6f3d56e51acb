// Where cached records lie: in memory, or in a file that this process made and holds open.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace hearth {

// Where each sample's record begins, how long it is, and the checksum of its bytes.
struct CacheIndex {
  static constexpr int64_t kNowhere = -1;
  std::vector<int64_t> offsets = {};
  std::vector<int64_t> sizes = {};
  std::vector<uint32_t> checksums = {};

  CacheIndex() = default;
  explicit CacheIndex(int64_t samples)
      : offsets(static_cast<size_t>(samples), kNowhere),
        sizes(static_cast<size_t>(samples)),
        checksums(static_cast<size_t>(samples)) {}
};

class CacheStorage {
 public:
  virtual ~CacheStorage() = default;
  // False when the storage refuses, such as a full disk. Called from many threads, each for bytes
  // of its own.
  virtual bool write(int64_t offset, std::span<const std::byte> bytes) = 0;
  // What was written; valid as long as the storage.
  [[nodiscard]] virtual const std::byte* at(int64_t offset) const = 0;
  // Records that an earlier process left; they are trusted once their checksum fits.
  [[nodiscard]] virtual CacheIndex found() { return {}; }
  // Nothing will be written.
  [[nodiscard]] virtual bool is_complete() const { return false; }
  // Keeps what `index` names beyond this process; `is_complete` says that all is there.
  virtual void keep(const CacheIndex& index, bool is_complete) {
    (void)index;
    (void)is_complete;
  }
};

// Address space of so many bytes, of which only what is written takes memory.
[[nodiscard]] std::unique_ptr<CacheStorage> memory_storage(int64_t capacity);

struct CacheFileRequest {
  std::filesystem::path folder;
  std::string key;       // names the file: another key, another file
  std::string identity;  // what the records are; one of another identity is not read
  int64_t samples = 0;
  int64_t capacity = 0;
};
// `<key>.samples` once it is complete, with `<key>.index` beside it; until then `<key>.part`, which
// the next process goes on with when it was closed in order, and starts anew otherwise. Null when
// another process writes it. DataError when the folder cannot be used.
[[nodiscard]] std::unique_ptr<CacheStorage> file_storage(const CacheFileRequest& request);

}  // namespace hearth
