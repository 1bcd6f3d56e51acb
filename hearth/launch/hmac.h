// Proof that one knows a secret, without telling it.
#pragma once

#include <string>
#include <string_view>

namespace hearth {

// HMAC-SHA256 (RFC 2104), in hexadecimal digits.
[[nodiscard]] std::string hmac_sha256(std::string_view secret, std::string_view text);
// Takes the same time wherever two texts of one length differ.
[[nodiscard]] bool is_same_proof(std::string_view one, std::string_view other);
// Random bytes of the system's, in hexadecimal digits: two for each byte.
[[nodiscard]] std::string random_hex(size_t bytes);

}  // namespace hearth
