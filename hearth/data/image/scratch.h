// Memory that a thread keeps from one image to the next: it grows to the largest one and stays.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace hearth {

// Meant to be `thread_local`. What it gave before is lost when it is asked again.
template <class T>
class Scratch {
 public:
  [[nodiscard]] std::span<T> take(size_t count) {
    if (memory_.size() < count) memory_.resize(count);
    return {memory_.data(), count};
  }

 private:
  std::vector<T> memory_;
};

}  // namespace hearth
