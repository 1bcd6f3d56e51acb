// Text and bytes within HTML, SVG and XML.
#pragma once

#include <string>
#include <string_view>

namespace hearth {

// What comes from files must not become markup; fits between tags and within quotes.
[[nodiscard]] std::string for_markup(std::string_view text);
[[nodiscard]] std::string base64(std::string_view bytes);

}  // namespace hearth
