// Lines, read in parts of a mebibyte.
#include "hearth/data/line_reader.h"

#include <algorithm>
#include <string>

#include "hearth/base/error.h"
#include "hearth/base/long_work.h"

namespace hearth {

void for_each_line(const SeekableFile& file, const std::function<void(const FileLine&)>& visit) {
  constexpr uint64_t kPartBytes = 1 << 20;
  constexpr uint64_t kLineLimitBytes = 256ULL << 20;
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  LongWork work("reading " + file.path().filename().string());
  std::string held;  // from the beginning of a line on
  uint64_t begin = 0;
  uint64_t number = 0;
  const auto give = [&](size_t from, size_t to) {
    if (begin + from == 0 && std::string_view(held).starts_with(kByteOrderMark))
      from = kByteOrderMark.size();
    std::string_view text = std::string_view(held).substr(from, to - from);
    if (text.ends_with('\r')) text.remove_suffix(1);
    visit({text, begin + from, ++number});
  };
  for (uint64_t at = 0; at < file.bytes();) {
    const auto part = static_cast<size_t>(std::min(kPartBytes, file.bytes() - at));
    const size_t searched = held.size();
    held.resize(searched + part);
    file.read(at, std::as_writable_bytes(std::span(held)).subspan(searched));
    at += part;
    work.tell(at, file.bytes());
    size_t from = 0;
    for (size_t end = held.find('\n', searched); end != std::string::npos;
         end = held.find('\n', from)) {
      give(from, end);
      from = end + 1;
    }
    held.erase(0, from);
    begin += from;
    if (held.size() > kLineLimitBytes)
      throw DataError(file.path().string() + ":" + std::to_string(number + 1) +
                      ": the line is longer than 256 MiB.");
  }
  if (!held.empty()) give(0, held.size());
}

}  // namespace hearth
