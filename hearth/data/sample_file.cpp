// Files that hold a sample each.
#include "hearth/data/sample_file.h"

#include <cstdint>
#include <span>

#include "hearth/base/error.h"
#include "hearth/base/files.h"
#include "hearth/base/text.h"
#include "hearth/data/content_digest.h"

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

SampleFilesDigest::SampleFilesDigest(size_t files) : most_bytes_(looked_at_of_each(files)) {}

void SampleFilesDigest::add_file(const fs::path& path) {
  const FileHandle file = open_to_read(path);
  add_content(
      digest_, file_size(file, path), most_bytes_,
      [&](uint64_t offset, std::span<std::byte> into) { read_at(file, offset, into, path); });
}

}  // namespace hearth
