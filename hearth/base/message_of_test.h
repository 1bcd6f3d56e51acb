// For tests: what an action says when it fails.
#pragma once

#include <functional>
#include <string>

namespace hearth {

template <class Problem>
std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Problem& error) {
    return error.what();
  }
  return "no fault";
}

}  // namespace hearth
