// Classes as they occur in records, numbered once all are known.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace hearth {

// Whole numbers from 0 on are their own classes; anything else is numbered in the order of the
// names, all together.
class ClassCollector {
 public:
  // A number that `numbers` turns into the class.
  uint64_t add(std::string_view text);

  struct Classes {
    std::vector<std::string> names;  // empty when the classes are numbers
    int64_t count = 0;
    std::vector<uint64_t> numbers;  // by what `add` gave
  };
  [[nodiscard]] Classes finish() const;

 private:
  [[nodiscard]] bool are_numbers() const;
  std::map<std::string, uint64_t, std::less<>> found_;
};

}  // namespace hearth
