// SHA-256 through libcrypto's EVP interface, which picks the processor's own instructions.
#include "hearth/base/digest.h"

#include <openssl/evp.h>

#include "hearth/base/error.h"

namespace hearth {

struct Sha256::Context {
  EVP_MD_CTX* state = EVP_MD_CTX_new();
  Context() = default;
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  ~Context() { EVP_MD_CTX_free(state); }
};

namespace {

void check_digest_call(int result) {
  if (result != 1)
    throw InternalError("SHA-256 of libcrypto failed; is the library installed whole?");
}

}  // namespace

Sha256::Sha256() : context_(std::make_unique<Context>()) {
  check_digest_call(EVP_DigestInit_ex(context_->state, EVP_sha256(), nullptr));
}

Sha256::~Sha256() = default;

void Sha256::add(std::span<const std::byte> bytes) {
  if (!context_) throw InternalError("Sha256: add() after finish().");
  check_digest_call(EVP_DigestUpdate(context_->state, bytes.data(), bytes.size()));
}

void Sha256::add(std::string_view text) { add(std::as_bytes(std::span(text))); }

std::array<std::byte, 32> Sha256::finish() {
  if (!context_) throw InternalError("Sha256: finish() called twice.");
  std::array<std::byte, 32> digest{};
  unsigned int size = 0;
  check_digest_call(
      EVP_DigestFinal_ex(context_->state, reinterpret_cast<unsigned char*>(digest.data()), &size));
  context_.reset();
  return digest;
}

std::string Sha256::finish_hex() {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const std::byte value : finish()) {
    text += kDigits[std::to_integer<size_t>(value >> 4)];
    text += kDigits[std::to_integer<size_t>(value & std::byte{15})];
  }
  return text;
}

std::string sha256_hex(std::string_view bytes) {
  Sha256 digest;
  digest.add(bytes);
  return digest.finish_hex();
}

}  // namespace hearth
