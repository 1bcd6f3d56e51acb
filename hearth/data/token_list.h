// Many tokens in as few bytes as their vocabulary needs: one, two or four each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace hearth {

class TokenList {
 public:
  TokenList() = default;
  explicit TokenList(size_t vocabulary);
  void add(int32_t token);
  [[nodiscard]] size_t size() const { return bytes_.size() / width_; }
  [[nodiscard]] uint64_t resident_bytes() const { return bytes_.capacity(); }
  // Writes the tokens from `first` on.
  void copy(int64_t first, std::span<int64_t> to) const;

 private:
  size_t width_ = 1;
  std::vector<uint8_t> bytes_;
};

}  // namespace hearth
