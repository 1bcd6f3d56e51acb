// Files that are read at any place, and their names by pattern.
#include "hearth/data/seekable_file.h"

#include <algorithm>
#include <cstring>

#include "hearth/base/digest.h"
#include "hearth/base/error.h"
#include "hearth/base/long_work.h"
#include "hearth/base/pattern.h"
#include "hearth/base/text.h"
#include "hearth/data/content_digest.h"
#include "hearth/format/gzip.h"

namespace hearth {

SeekableFile::SeekableFile(std::filesystem::path path)
    : path_(std::move(path)), file_(open_to_read(path_)), bytes_(file_size(file_, path_)) {
  std::string start(std::min<uint64_t>(bytes_, 2), '\0');
  read_at(file_, 0, std::as_writable_bytes(std::span(start)), path_);
  if (!is_gzip(start)) return;
  unpacked_ =
      gunzip(read_file(file_, path_, kUnpackedLimitBytes), path_.string(), kUnpackedLimitBytes);
  is_unpacked_ = true;
  bytes_ = unpacked_.size();
}

void SeekableFile::move_to(OverflowFile& overflow) {
  if (unpacked_.empty()) return;
  mapped_ = overflow.keep(std::as_bytes(std::span(unpacked_)));
  std::string().swap(unpacked_);
}

void SeekableFile::read(uint64_t offset, std::span<std::byte> into) const {
  if (!is_unpacked_) return read_at(file_, offset, into, path_);
  if (offset > bytes_ || into.size() > bytes_ - offset)
    throw DataError(path_.string() + ": ends before byte " + std::to_string(offset + into.size()) +
                    ".");
  const std::span all = mapped_.empty() ? std::as_bytes(std::span(unpacked_)) : mapped_;
  if (!into.empty()) std::memcpy(into.data(), all.data() + offset, into.size());
}

ReadBytes SeekableFile::reader() const {
  return [this](uint64_t offset, std::span<std::byte> into) { read(offset, into); };
}

ReadBytes SeekableFile::telling_reader() const {
  return [this, work = LongWork("reading " + path_.filename().string())](
             uint64_t offset, std::span<std::byte> into) mutable {
    work.tell(offset, bytes_);
    read(offset, into);
  };
}

void SeekableFile::add_to(Sha256& digest) const {
  std::vector<std::byte> block(1 << 16);
  for (uint64_t offset = 0; offset < bytes_; offset += block.size()) {
    const auto part = std::span(block).first(std::min<uint64_t>(block.size(), bytes_ - offset));
    read(offset, part);
    digest.add(part);
  }
}

std::string SeekableFile::fingerprint(uint64_t files) const {
  Sha256 digest;
  add_content(digest, bytes_, looked_at_of_each(files), reader());
  return path_.filename().string() + ":" + std::to_string(bytes_) + ":" + digest.finish_hex();
}

std::vector<std::filesystem::path> matching_files(const std::vector<std::string>& patterns) {
  std::vector<std::filesystem::path> files;
  for (const std::string& pattern : patterns) {
    const std::filesystem::path path(pattern);
    const std::string name = path.filename().string();
    if (name.find_first_of("*?") == std::string::npos) {
      files.push_back(path);
      continue;
    }
    const size_t before = files.size();
    const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
    for (const std::filesystem::path& file : list_folder(folder))
      if (matches(name, file.filename().string())) files.push_back(file);
    if (files.size() == before) throw DataError(pattern + ": no file has a name like this.");
  }
  return files;
}

}  // namespace hearth
