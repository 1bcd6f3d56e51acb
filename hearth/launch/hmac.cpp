// HMAC-SHA256 on the digests of base.
#include "hearth/launch/hmac.h"

#include <sys/random.h>

#include <array>
#include <vector>

#include "hearth/base/digest.h"
#include "hearth/base/error.h"

namespace hearth {
namespace {

constexpr size_t kBlock = 64;
constexpr char kInner = 0x36;
constexpr char kOuter = 0x5c;

std::string bytes_of(std::string_view text) {
  Sha256 digest;
  digest.add(text);
  const std::array<std::byte, 32> bytes = digest.finish();
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string mixed(std::string key, char with) {
  for (char& letter : key) letter = static_cast<char>(letter ^ with);
  return key;
}

}  // namespace

std::string hmac_sha256(std::string_view secret, std::string_view text) {
  std::string key(secret.size() > kBlock ? bytes_of(secret) : std::string(secret));
  key.resize(kBlock, '\0');
  const std::string inner = bytes_of(mixed(key, kInner) + std::string(text));
  return sha256_hex(mixed(key, kOuter) + inner);
}

bool is_same_proof(std::string_view one, std::string_view other) {
  if (one.size() != other.size()) return false;
  unsigned difference = 0;
  for (size_t i = 0; i < one.size(); ++i)
    difference |= static_cast<unsigned char>(one[i]) ^ static_cast<unsigned char>(other[i]);
  return difference == 0;
}

std::string random_hex(size_t bytes) {
  std::vector<unsigned char> values(bytes);
  if (::getrandom(values.data(), bytes, 0) != static_cast<ssize_t>(bytes))
    throw DataError("The system gives no random bytes.");
  std::string text;
  for (const unsigned char value : values) {
    text += "0123456789abcdef"[value >> 4];
    text += "0123456789abcdef"[value & 15];
  }
  return text;
}

}  // namespace hearth
