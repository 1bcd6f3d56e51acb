// Sums and products as C++ writes them.
#include "hearth/schedule/schedules/product.h"
#include "hearth/schedule/schedules/sum.h"

namespace hearth {
namespace {

// a + b + c is one sum of three.
std::vector<Scheduled> parts_of(const Scheduled& left, const Scheduled& right,
                                const std::string& combination) {
  std::vector<Scheduled> parts = {left};
  if (left.schedule().name() == combination)
    parts = TypeOf<std::vector<Scheduled>>::read(*left.schedule().options().find("of"));
  parts.push_back(right);
  return parts;
}

}  // namespace

Choice<Schedule> operator+(const Scheduled& left, const Scheduled& right) {
  return schedules::sum({.of = parts_of(left, right, "sum")});
}

Choice<Schedule> operator*(const Scheduled& left, const Scheduled& right) {
  return schedules::product({.of = parts_of(left, right, "product")});
}

}  // namespace hearth
