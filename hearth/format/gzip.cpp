// Gzip on zlib's inflate and deflate.
#include "hearth/format/gzip.h"

#include <zlib.h>

#include <algorithm>
#include <limits>

#include "hearth/base/error.h"
#include "hearth/base/files.h"
#include "hearth/base/text.h"

namespace hearth {

namespace {

constexpr int kGzipWindow = 15 + 16;  // zlib: largest window, gzip header and trailer only

[[noreturn]] void throw_gzip_error(const std::string& what, uint64_t byte,
                                   const std::string& reason) {
  throw DataError(what + ": byte " + std::to_string(byte) + ": " + reason);
}

// Unpacks members of a gzip text piece by piece.
class GzipReader {
 public:
  GzipReader(std::string_view bytes, const std::string& what) : bytes_(bytes), what_(what) {
    if (inflateInit2(&stream_, kGzipWindow) != Z_OK)
      throw InternalError("zlib could not start; is there memory left?");
  }
  GzipReader(const GzipReader&) = delete;
  GzipReader& operator=(const GzipReader&) = delete;
  ~GzipReader() { inflateEnd(&stream_); }

  // Appends up to `count` bytes to `out`; false when nothing more comes from these bytes.
  bool read(std::string& out, size_t count) {
    const size_t before = out.size();
    out.resize(before + count);
    stream_.next_out = reinterpret_cast<Bytef*>(out.data() + before);
    stream_.avail_out = static_cast<uInt>(count);
    while (stream_.avail_out > 0 && step()) {
    }
    out.resize(before + (count - stream_.avail_out));
    return stream_.avail_out == 0;
  }

  void check_end() const {
    if (!is_at_member_end_)
      throw_gzip_error(what_, used_,
                       "the gzip data ends too early; it is truncated, get it again.");
  }

 private:
  bool step() {
    if (is_at_member_end_ && !start_next_member()) return false;
    const size_t offered =
        std::min<size_t>(bytes_.size() - used_, std::numeric_limits<uInt>::max());
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes_.data() + used_));
    stream_.avail_in = static_cast<uInt>(offered);
    const int result = inflate(&stream_, Z_NO_FLUSH);
    used_ += offered - stream_.avail_in;
    is_at_member_end_ = result == Z_STREAM_END;
    if (result == Z_BUF_ERROR) return false;
    if (result == Z_MEM_ERROR) throw std::bad_alloc();
    if (result != Z_OK && result != Z_STREAM_END)
      throw_gzip_error(what_, used_,
                       std::string("damaged gzip data: ") +
                           (stream_.msg ? stream_.msg : "it needs a dictionary") + ".");
    return true;
  }

  bool start_next_member() {
    if (used_ == bytes_.size()) return false;
    if (!is_gzip(bytes_.substr(used_)))
      throw_gzip_error(
          what_, used_,
          std::to_string(bytes_.size() - used_) + " bytes that are not gzip follow the gzip data.");
    inflateReset(&stream_);
    is_at_member_end_ = false;
    return true;
  }

  std::string_view bytes_;
  const std::string& what_;
  z_stream stream_{};
  size_t used_ = 0;
  bool is_at_member_end_ = false;
};

void check_is_gzip(std::string_view bytes, const std::string& what) {
  if (!is_gzip(bytes)) throw_gzip_error(what, 0, "not gzip: it does not start with 1f 8b.");
}

}  // namespace

bool is_gzip(std::string_view bytes) { return bytes.starts_with("\x1f\x8b"); }

std::string gunzip(std::string_view bytes, const std::string& what, uint64_t limit_bytes) {
  check_is_gzip(bytes, what);
  GzipReader reader(bytes, what);
  std::string out;
  // Pieces grow with the output, from a size that suits the input.
  size_t piece = std::clamp<size_t>(bytes.size() * 4, 1 << 12, 1 << 20);
  // One byte above the limit is asked for, to tell "just fits" from "too much".
  while (out.size() <= limit_bytes) {
    const uint64_t room = limit_bytes - out.size();
    if (!reader.read(out, room < piece ? static_cast<size_t>(room) + 1 : piece)) break;
    piece = std::max(piece, std::min<size_t>(out.size(), 1 << 26));
  }
  if (out.size() > limit_bytes) {
    throw DataError(what + ": unpacks to more than the limit of " + human_bytes(limit_bytes) +
                    ". Is it the right file?");
  }
  reader.check_end();
  return out;
}

std::string gunzip_start(std::string_view bytes, const std::string& what, size_t count) {
  check_is_gzip(bytes, what);
  std::string out;
  GzipReader reader(bytes, what);
  // Short of bytes, and not at the end of what was packed: the rest is missing.
  if (!reader.read(out, count)) reader.check_end();
  return out;
}

std::string gzip(std::string_view bytes) {
  z_stream stream{};
  constexpr int kMemoryLevel = 8;
  if (bytes.size() > std::numeric_limits<uInt>::max() ||
      deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, kGzipWindow, kMemoryLevel,
                   Z_DEFAULT_STRATEGY) != Z_OK)
    throw InternalError("gzip: cannot pack " + human_bytes(bytes.size()) + " at once.");
  std::string out(deflateBound(&stream, bytes.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const int result = deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  if (result != Z_STREAM_END) throw InternalError("gzip: zlib did not finish.");
  return out;
}

std::string read_maybe_gzip(const std::filesystem::path& path, uint64_t limit_bytes) {
  return read_maybe_gzip(open_to_read(path), path, limit_bytes);
}

std::string read_maybe_gzip(const FileHandle& file, const std::filesystem::path& path,
                            uint64_t limit_bytes) {
  std::string content = read_file(file, path, limit_bytes);
  return is_gzip(content) ? gunzip(content, path.string(), limit_bytes) : content;
}

}  // namespace hearth
