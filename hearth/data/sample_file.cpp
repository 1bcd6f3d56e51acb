// Files that hold a sample each.
#include "hearth/data/sample_file.h"

#include <algorithm>
#include <cstdint>
#include <span>

#include "hearth/base/error.h"
#include "hearth/base/files.h"
#include "hearth/base/text.h"

namespace hearth {

namespace {

constexpr uint64_t kSampleFileLimitBytes = 1ULL << 30;

// `room` gives memory for so many bytes.
template <class Room>
void read_whole(const fs::path& path, const Room& room) {
  const FileHandle file = open_to_read(path);
  const uint64_t bytes = file_size(file, path);
  if (bytes > kSampleFileLimitBytes)
    throw DataError(path.string() + ": has " + human_bytes(bytes) +
                    ", more than the file of a sample may have (" +
                    human_bytes(kSampleFileLimitBytes) + ").");
  read_at(file, 0, {room(bytes), static_cast<size_t>(bytes)}, path);
}

}  // namespace

void require_folder(const fs::path& folder, const std::string& what) {
  if (fs::is_directory(folder)) return;
  throw DataError("Cannot open " + what + " " + quote(folder.string()) + ": " +
                  (is_there(folder) ? "it is a file." : "there is none."));
}

void read_sample_file(const fs::path& path, const Cell& cell) {
  read_whole(path, [&](uint64_t bytes) { return cell.take({static_cast<int64_t>(bytes)}).data; });
}

void read_sample_file(const fs::path& path, std::string& bytes) {
  read_whole(path, [&](uint64_t count) {
    bytes.resize(static_cast<size_t>(count));
    return reinterpret_cast<std::byte*>(bytes.data());
  });
}

void SampleFilesDigest::add_beginning(const fs::path& path) {
  constexpr uint64_t kBeginningBytes = 4096;
  const FileHandle file = open_to_read(path);
  const uint64_t bytes = file_size(file, path);
  std::string beginning(std::min(bytes, kBeginningBytes), '\0');
  read_at(file, 0, std::as_writable_bytes(std::span(beginning)), path);
  digest_.add(std::to_string(bytes) + "\n" + beginning);
}

}  // namespace hearth
