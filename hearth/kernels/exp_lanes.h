// e to the power of floats, within two units in the last place, for vectors of any width. Only for
// files that are compiled for one kind of processor: everything here is theirs alone.
#pragma once

namespace hearth {
namespace {

// Minus infinity and anything below -87 give 0; above 88 the result stays finite. What is not a
// number stays none: minimum and maximum give their second operand then.
template <class Lanes>
[[gnu::always_inline]] inline typename Lanes::Vector exp_lanes(typename Lanes::Vector x) {
  using Vector = typename Lanes::Vector;
  const auto too_small = Lanes::is_less(x, Lanes::all(-87.0F));
  const Vector bounded = Lanes::larger(Lanes::all(-87.0F), Lanes::smaller(Lanes::all(88.0F), x));
  // x = n log(2) + r; log(2) in two parts, so that r keeps its digits.
  const Vector n = Lanes::nearest_whole(Lanes::multiply(bounded, Lanes::all(1.44269504F)));
  const Vector most = Lanes::multiply_subtract(n, Lanes::all(0.693145752F), bounded);
  const Vector r = Lanes::multiply_subtract(n, Lanes::all(1.42860677e-6F), most);
  Vector series = Lanes::all(1.0F / 5040);
  constexpr float kFactors[] = {1.0F / 720, 1.0F / 120, 1.0F / 24, 1.0F / 6, 0.5F, 1.0F, 1.0F};
  for (const float factor : kFactors) series = Lanes::multiply_add(series, r, Lanes::all(factor));
  return Lanes::choose(too_small, Lanes::all(0), Lanes::multiply(series, Lanes::power_of_two(n)));
}

}  // namespace
}  // namespace hearth
