// Texts with a number each, found by what they begin with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace hearth {

class PieceTree {
 public:
  using Entry = std::pair<std::string_view, int32_t>;  // a text that differs from the others

  PieceTree() = default;
  explicit PieceTree(std::vector<Entry> entries);
  // Calls visit(bytes, number) for every text of the tree that `text` begins with, short ones
  // first.
  template <class Visit>
  void for_each_prefix(std::string_view text, const Visit& visit) const;
  // The bytes of the longest one; 0 without any.
  [[nodiscard]] size_t longest_prefix(std::string_view text) const;

 private:
  struct Branch {
    int32_t number = -1;  // of the text that ends here
    uint32_t first = 0;   // of its children, which lie side by side in the order of their bytes
    uint16_t count = 0;
    unsigned char byte = 0;
  };
  [[nodiscard]] const Branch* child(const Branch& branch, unsigned char byte) const;

  std::vector<Branch> branches_;
};

template <class Visit>
void PieceTree::for_each_prefix(std::string_view text, const Visit& visit) const {
  if (branches_.empty()) return;
  const Branch* branch = branches_.data();
  for (size_t i = 0; i < text.size(); ++i) {
    branch = child(*branch, static_cast<unsigned char>(text[i]));
    if (branch == nullptr) return;
    if (branch->number >= 0) visit(i + 1, branch->number);
  }
}

}  // namespace hearth
