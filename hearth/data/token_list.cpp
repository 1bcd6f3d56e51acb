// Tokens of one, two or four bytes.
#include "hearth/data/token_list.h"

#include <cstring>

namespace hearth {

namespace {

template <class T>
void widen_tokens(const uint8_t* from, std::span<int64_t> to) {
  for (size_t i = 0; i < to.size(); ++i) {
    T token = 0;
    std::memcpy(&token, from + i * sizeof(T), sizeof(T));
    to[i] = static_cast<int64_t>(token);
  }
}

}  // namespace

TokenList::TokenList(size_t vocabulary)
    : width_(vocabulary <= 1U << 8    ? 1
             : vocabulary <= 1U << 16 ? 2
                                      : 4) {}

// The lowest bytes come first, as on every machine that Hearth runs on.
void TokenList::add(int32_t token) {
  for (size_t i = 0; i < width_; ++i)
    bytes_.push_back(static_cast<uint8_t>(static_cast<uint32_t>(token) >> 8 * i));
}

void TokenList::copy(int64_t first, std::span<int64_t> to) const {
  const uint8_t* from = bytes_.data() + static_cast<size_t>(first) * width_;
  if (width_ == 1) return widen_tokens<uint8_t>(from, to);
  if (width_ == 2) return widen_tokens<uint16_t>(from, to);
  widen_tokens<uint32_t>(from, to);
}

}  // namespace hearth
