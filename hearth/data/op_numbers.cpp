// Numbers of ops, by name and keys.
#include "hearth/data/op_numbers.h"

#include "hearth/base/text.h"
#include "hearth/core/random.h"

namespace hearth {

uint16_t OpNumbers::next(const std::string& name, const std::vector<std::string>& writes) {
  std::string identity = name + " " + join(writes, ",");
  if (const int count = alike_[identity]++; count > 0) identity += " " + std::to_string(count);
  uint16_t number = op_number(identity);
  while (!taken_.insert(number).second)
    number = static_cast<uint16_t>((number + 1) % kFirstReservedOp);
  return number;
}

}  // namespace hearth
