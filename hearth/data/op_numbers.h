// Numbers of ops, part of the identity of their random numbers.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace hearth {

// A number comes from an op's name and keys, not from its position, so that adding another op
// leaves the draws of the rest as they are. Ops alike are told apart by counting.
class OpNumbers {
 public:
  [[nodiscard]] uint16_t next(const std::string& name, const std::vector<std::string>& writes);

 private:
  std::map<std::string, int> alike_;
  std::set<uint16_t> taken_;
};

}  // namespace hearth
