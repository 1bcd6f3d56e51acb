// Text and bytes within HTML, SVG and XML.
#include "hearth/format/markup.h"

#include <cstdint>

namespace hearth {

std::string for_markup(std::string_view text) {
  std::string safe;
  for (const char letter : text) {
    if (letter == '<')
      safe += "&lt;";
    else if (letter == '>')
      safe += "&gt;";
    else if (letter == '&')
      safe += "&amp;";
    else if (letter == '"')
      safe += "&quot;";
    else if (letter == '\'')
      safe += "&#39;";
    else
      safe += letter;
  }
  return safe;
}

std::string base64(std::string_view bytes) {
  constexpr const char* kLetters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (size_t i = 0; i < bytes.size(); i += 3) {
    uint32_t word = 0;
    for (size_t k = 0; k < 3; ++k)
      word = word << 8U | (i + k < bytes.size() ? static_cast<uint8_t>(bytes[i + k]) : 0U);
    for (size_t k = 0; k < 4; ++k)
      text += i + k <= bytes.size() ? kLetters[word >> (18 - 6 * k) & 63U] : '=';
  }
  return text;
}

}  // namespace hearth
