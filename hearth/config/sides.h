// Numbers for each side in YAML: `3` or `[1, 7]`; padding also `same`.
#pragma once

#include <string>
#include <vector>

#include "hearth/base/sides.h"
#include "hearth/config/schema.h"

namespace hearth {

template <size_t Count>
struct TypeOf<Sides<Count>> {
  static Type type() {
    if (Count == 1) return TypeOf<int64_t>::type();
    Type type = TypeOf<std::vector<int64_t>>::type();
    type.may_stand_alone = true;
    return type;
  }
  static Sides<Count> read(const Node& node) {
    const std::vector<int64_t> numbers = TypeOf<std::vector<int64_t>>::read(node);
    if (numbers.size() == 1) return numbers.front();
    if (numbers.size() != Count)
      throw_at(node, "expected one number, or " + std::to_string(Count) + ", but got " +
                         std::to_string(numbers.size()) + ".");
    Sides<Count> sides = 0;
    for (size_t i = 0; i < Count; ++i) sides[i] = numbers[i];
    return sides;
  }
  static Node write(const Sides<Count>& sides) {
    if (sides.are_equal()) return TypeOf<int64_t>::write(sides[0]);
    return TypeOf<std::vector<int64_t>>::write({sides.lengths().begin(), sides.lengths().end()});
  }
};

template <size_t Count>
struct TypeOf<Padding<Count>> {
  static constexpr const char* kSame = "same";
  static Type type() {
    Type type = TypeOf<Sides<Count>>::type();
    type.values = {kSame};
    return type;
  }
  static Padding<Count> read(const Node& node) {
    if (node.is_scalar() && node.text() == kSame) return kSamePadding;
    return TypeOf<Sides<Count>>::read(node);
  }
  static Node write(const Padding<Count>& padding) {
    return padding.is_same() ? Node::scalar(kSame) : TypeOf<Sides<Count>>::write(padding.sides());
  }
};

}  // namespace hearth
