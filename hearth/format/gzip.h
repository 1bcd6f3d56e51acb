// Gzip, within limits.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "hearth/base/files.h"

namespace hearth {

[[nodiscard]] bool is_gzip(std::string_view bytes);

// All members unpacked; DataError for damage, truncation, foreign bytes after the end, and for more
// than `limit_bytes` of output.
[[nodiscard]] std::string gunzip(std::string_view bytes, const std::string& what,
                                 uint64_t limit_bytes);
// The first `count` bytes of output, or fewer when `bytes` gives no more: it may be a file's
// beginning.
[[nodiscard]] std::string gunzip_start(std::string_view bytes, const std::string& what,
                                       size_t count);
// One member without name and time, so that equal bytes pack equally.
[[nodiscard]] std::string gzip(std::string_view bytes);

// The file's content, unpacked when it is gzip; the limit holds for both forms.
[[nodiscard]] std::string read_maybe_gzip(const std::filesystem::path& path, uint64_t limit_bytes);
[[nodiscard]] std::string read_maybe_gzip(const FileHandle& file, const std::filesystem::path& path,
                                          uint64_t limit_bytes);

}  // namespace hearth
