// .tar.gz to files: first the tar, as a draft beside the folder, then its entries.
#include "cli/net/unpack.h"

#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "hearth/base/error.h"
#include "hearth/base/files.h"
#include "hearth/base/text.h"
#include "hearth/format/tar.h"

namespace hearth::cli {
namespace {

constexpr size_t kBlockBytes = 1 << 20;
constexpr uint64_t kMostUnpackedBytes = 256ULL << 30;

// A file that goes when it is no longer needed, however that comes about.
struct Draft {
  fs::path path;
  ~Draft() {
    std::error_code ignored;
    fs::remove(path, ignored);
  }
};

// Not durable by itself: thousands of files are synced together, once.
class PlainFile {
 public:
  explicit PlainFile(const fs::path& path) : path_(path), file_(path, std::ios::binary) {}
  void write(std::span<const std::byte> bytes) {
    file_.write(reinterpret_cast<const char*>(bytes.data()),
                static_cast<std::streamsize>(bytes.size()));
    check();
  }
  void close() {
    file_.close();
    check();
  }

 private:
  void check() {
    if (!file_)
      throw DataError("Cannot write " + quote(path_.string()) + ": " + std::strerror(errno) + ".");
  }
  fs::path path_;
  std::ofstream file_;
};

// zlib's reader of gzip files; `close` tells whether the stream ended where it should.
class GzipStream {
 public:
  explicit GzipStream(const fs::path& path) : path_(path), file_(gzopen(path.c_str(), "rb")) {
    if (file_ == nullptr) throw DataError("Cannot open " + quote(path.string()) + ".");
  }
  GzipStream(const GzipStream&) = delete;
  GzipStream& operator=(const GzipStream&) = delete;
  ~GzipStream() {
    if (file_ != nullptr) gzclose_r(file_);
  }
  [[nodiscard]] std::span<const std::byte> next(std::span<std::byte> block) {
    const int count = gzread(file_, block.data(), static_cast<unsigned>(block.size()));
    if (count < 0) throw DataError(path_.string() + ": is damaged.");
    return block.first(static_cast<size_t>(count));
  }
  void close() {
    const int code = gzclose_r(std::exchange(file_, nullptr));
    if (code != Z_OK) throw DataError(path_.string() + ": is cut short.");
  }

 private:
  fs::path path_;
  gzFile file_;
};

void gunzip_to(const fs::path& archive, const fs::path& tar) {
  GzipStream from(archive);
  PlainFile to(tar);
  std::vector<std::byte> block(kBlockBytes);
  uint64_t all = 0;
  for (auto part = from.next(block); !part.empty(); part = from.next(block)) {
    all += part.size();
    if (all > kMostUnpackedBytes)
      throw DataError(archive.string() + ": unpacks to more than " +
                      human_bytes(kMostUnpackedBytes) + ".");
    to.write(part);
  }
  from.close();
  to.close();
}

// Below the folder, whatever the archive says.
fs::path place_of(const std::string& name, const fs::path& folder, const fs::path& archive) {
  const fs::path relative = fs::path(name).lexically_normal();
  bool is_inside = !relative.empty() && !relative.is_absolute();
  for (const fs::path& part : relative) is_inside = is_inside && part != "..";
  if (!is_inside)
    throw DataError(archive.string() + ": the entry " + quote(name) +
                    " leads out of its folder; nothing of it was kept.");
  return folder / relative;
}

void copy_entry(const FileHandle& tar, const fs::path& tar_path, const TarEntry& entry,
                const fs::path& target) {
  PlainFile to(target);
  std::vector<std::byte> block(std::min<uint64_t>(kBlockBytes, std::max<uint64_t>(entry.bytes, 1)));
  for (uint64_t done = 0; done < entry.bytes; done += block.size()) {
    const auto part = std::span(block).first(std::min<uint64_t>(block.size(), entry.bytes - done));
    read_at(tar, entry.offset + done, part, tar_path);
    to.write(part);
  }
  to.close();
}

void sync_all(const fs::path& folder) {
  const FileHandle handle(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!handle.is_open() || ::syncfs(handle.descriptor()) != 0)
    throw DataError("Cannot sync " + quote(folder.string()) + ": " + std::strerror(errno) + ".");
}

}  // namespace

bool is_archive(const fs::path& file) {
  const std::string name = file.filename().string();
  return name.ends_with(".tar.gz") || name.ends_with(".tgz");
}

void unpack(const fs::path& archive, const fs::path& folder,
            const std::function<void(size_t done, size_t all)>& progress) {
  make_folder(folder);
  const Draft tar{folder.string() + ".tar"};
  gunzip_to(archive, tar.path);
  const FileHandle file = open_to_read(tar.path);
  const auto read = [&](uint64_t offset, std::span<std::byte> into) {
    read_at(file, offset, into, tar.path);
  };
  const auto entries = tar_entries(read, file_size(file, tar.path), archive.string());
  std::set<fs::path> made;
  for (size_t i = 0; i < entries.size(); ++i) {
    const fs::path target = place_of(entries[i].name, folder, archive);
    if (made.insert(target.parent_path()).second) make_folder(target.parent_path());
    copy_entry(file, tar.path, entries[i], target);
    progress(i + 1, entries.size());
  }
  sync_all(folder);
}

}  // namespace hearth::cli
