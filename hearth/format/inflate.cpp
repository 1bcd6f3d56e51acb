// Deflate's bytes, unpacked to a size that is known.
#include "hearth/format/inflate.h"

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <new>

namespace hearth {

bool inflate_exactly(std::string_view packed, std::span<std::byte> into, bool is_zlib) {
  z_stream stream{};
  if (inflateInit2(&stream, is_zlib ? MAX_WBITS : -MAX_WBITS) != Z_OK) throw std::bad_alloc();
  size_t read = 0;
  size_t written = 0;
  int result = Z_OK;
  std::byte beyond{};  // one byte more shows that there is more
  while (result == Z_OK) {
    const size_t most = std::numeric_limits<uInt>::max();
    const size_t offered = std::min(packed.size() - read, most);
    const size_t room = std::min(into.size() - written, most);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data() + read));
    stream.avail_in = static_cast<uInt>(offered);
    stream.next_out = reinterpret_cast<Bytef*>(room > 0 ? into.data() + written : &beyond);
    stream.avail_out = static_cast<uInt>(room > 0 ? room : 1);
    result = inflate(&stream, Z_NO_FLUSH);
    read += offered - stream.avail_in;
    if (room == 0 && stream.avail_out == 0) break;
    if (room > 0) written += room - stream.avail_out;
  }
  inflateEnd(&stream);
  if (result == Z_MEM_ERROR) throw std::bad_alloc();
  return result == Z_STREAM_END && written == into.size();
}

}  // namespace hearth
