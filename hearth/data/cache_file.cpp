// Cached records in a file: written at their places, read where the system has mapped them.
#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <optional>

#include "hearth/base/error.h"
#include "hearth/base/files.h"
#include "hearth/data/cache_storage.h"
#include "hearth/format/safetensors.h"
#include "hearth/format/safetensors_writer.h"

namespace hearth {

namespace {

std::optional<CacheIndex> read_cache_index(const fs::path& path, const CacheFileRequest& request) {
  if (!is_there(path)) return std::nullopt;
  try {
    const SafetensorsFile file(path);
    file.verify_digest();
    const auto identity = file.metadata().find("identity");
    if (identity == file.metadata().end() || identity->second != request.identity)
      return std::nullopt;
    CacheIndex index(request.samples);
    file.read("offsets", std::as_writable_bytes(std::span(index.offsets)));
    file.read("sizes", std::as_writable_bytes(std::span(index.sizes)));
    file.read("checksums", std::as_writable_bytes(std::span(index.checksums)));
    return index;
  } catch (const Error&) {  // damaged: as if it were not there
    return std::nullopt;
  }
}

class FileStorage : public CacheStorage {
 public:
  FileStorage(const CacheFileRequest& request, FileHandle file, bool is_complete, CacheIndex index)
      : request_(request),
        file_(std::move(file)),
        is_complete_(is_complete),
        found_(std::move(index)),
        bytes_(static_cast<size_t>(request.capacity)),
        start_(::mmap(nullptr, bytes_, PROT_READ, MAP_SHARED, file_.descriptor(), 0)) {
    if (start_ == MAP_FAILED)
      throw DataError("data.cache: " + name("part").string() + " cannot be mapped.");
  }
  FileStorage(const FileStorage&) = delete;
  FileStorage& operator=(const FileStorage&) = delete;
  ~FileStorage() override { ::munmap(start_, bytes_); }

  // By a call and not through the map: a full disk is then an answer, not a signal.
  bool write(int64_t offset, std::span<const std::byte> bytes) override {
    while (!bytes.empty()) {
      const ssize_t written = ::pwrite(file_.descriptor(), bytes.data(), bytes.size(), offset);
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) return false;
      offset += written;
      bytes = bytes.subspan(static_cast<size_t>(written));
    }
    return true;
  }
  [[nodiscard]] const std::byte* at(int64_t offset) const override {
    return static_cast<const std::byte*>(start_) + offset;
  }
  [[nodiscard]] CacheIndex found() override { return std::move(found_); }
  [[nodiscard]] bool is_complete() const override { return is_complete_; }

  // The records first, then the index that names them, then the name that says all is there.
  void keep(const CacheIndex& index, bool is_complete) override {
    if (is_complete_ || ::fsync(file_.descriptor()) != 0) return;
    const auto samples = static_cast<int64_t>(index.offsets.size());
    write_safetensors(name(is_complete ? "index" : "part.index"),
                      {{"offsets", "I64", {samples}, std::as_bytes(std::span(index.offsets))},
                       {"sizes", "I64", {samples}, std::as_bytes(std::span(index.sizes))},
                       {"checksums", "U32", {samples}, std::as_bytes(std::span(index.checksums))}},
                      {.metadata = {{"identity", request_.identity}}});
    if (!is_complete) return;
    fs::rename(name("part"), name("samples"));
    sync_folder(request_.folder);
    std::error_code ignored;
    fs::remove(name("part.index"), ignored);
    is_complete_ = true;
  }

 private:
  [[nodiscard]] fs::path name(const std::string& ending) const {
    return request_.folder / (request_.key + "." + ending);
  }

  CacheFileRequest request_;
  FileHandle file_;
  bool is_complete_;
  CacheIndex found_;
  size_t bytes_;
  void* start_;
};

// What an index names beyond the file's end is not there: reading it would end the process.
void forget_beyond(CacheIndex& index, const FileHandle& file, const fs::path& path) {
  const auto bytes = static_cast<int64_t>(file_size(file, path));
  for (size_t i = 0; i < index.offsets.size(); ++i) {
    int64_t end = 0;
    const bool is_there = index.offsets[i] >= 0 && index.sizes[i] >= 0 &&
                          !__builtin_add_overflow(index.offsets[i], index.sizes[i], &end) &&
                          end <= bytes;
    if (!is_there) index.offsets[i] = CacheIndex::kNowhere;
  }
}

// Whoever held the lock before may have given the file its final name.
bool has_still_this_name(const FileHandle& file, const fs::path& path) {
  struct stat opened {};
  struct stat named {};
  return ::fstat(file.descriptor(), &opened) == 0 && ::stat(path.c_str(), &named) == 0 &&
         opened.st_ino == named.st_ino && opened.st_dev == named.st_dev;
}

std::unique_ptr<CacheStorage> finished_file(const CacheFileRequest& request) {
  const fs::path path = request.folder / (request.key + ".samples");
  auto index = read_cache_index(request.folder / (request.key + ".index"), request);
  if (!index || !is_there(path)) return nullptr;
  FileHandle file = open_to_read(path);
  forget_beyond(*index, file, path);
  return std::make_unique<FileStorage>(request, std::move(file), true, std::move(*index));
}

}  // namespace

std::unique_ptr<CacheStorage> file_storage(const CacheFileRequest& request) {
  make_folder(request.folder);
  if (auto finished = finished_file(request)) return finished;
  const fs::path path = request.folder / (request.key + ".part");
  FileHandle file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  if (!file.is_open())
    throw DataError("data.cache: " + path.string() + " cannot be made: " +
                    std::generic_category().message(errno) + ". Name another data.cache_folder.");
  if (::flock(file.descriptor(), LOCK_EX | LOCK_NB) != 0) return nullptr;
  if (!has_still_this_name(file, path)) return finished_file(request);
  auto index = read_cache_index(request.folder / (request.key + ".part.index"), request);
  if (!index && ::ftruncate(file.descriptor(), 0) != 0)
    throw DataError("data.cache: " + path.string() + " cannot be emptied.");
  if (index) forget_beyond(*index, file, path);
  return std::make_unique<FileStorage>(request, std::move(file), false,
                                       index ? std::move(*index) : CacheIndex());
}

}  // namespace hearth
