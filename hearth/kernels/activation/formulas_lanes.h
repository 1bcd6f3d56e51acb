// Expressions of one value, and their slopes, for vectors of any width. What is not a number stays
// none: minimum and maximum give their second operand then. Only for files that are compiled for
// one kind of processor: everything here is theirs alone.
#pragma once

#include <limits>

#include "hearth/kernels/exp_lanes.h"

namespace hearth {
namespace {

template <class Lanes>
inline typename Lanes::Vector between(float least, typename Lanes::Vector x, float most) {
  return Lanes::smaller(Lanes::all(most), Lanes::larger(Lanes::all(least), x));
}

// The value where least < x < most, and zero elsewhere.
template <class Lanes>
inline typename Lanes::Vector value_inside(float least, typename Lanes::Vector x, float most,
                                           float value) {
  const auto is_inside =
      Lanes::both(Lanes::is_less(Lanes::all(least), x), Lanes::is_less(x, Lanes::all(most)));
  return Lanes::choose(is_inside, Lanes::all(value), Lanes::all(0));
}

// 1 + exp(-x); infinite where that is beyond floats.
template <class Lanes>
[[gnu::always_inline]] inline typename Lanes::Vector sigmoid_divisor(typename Lanes::Vector x) {
  const auto negative = Lanes::subtract(Lanes::all(0), x);
  const auto is_beyond = Lanes::is_less(Lanes::all(88.0F), negative);
  const auto infinity = Lanes::all(std::numeric_limits<float>::infinity());
  return Lanes::add(Lanes::all(1), Lanes::choose(is_beyond, infinity, exp_lanes<Lanes>(negative)));
}

struct SiluFormula {
  template <class Lanes>
  static typename Lanes::Vector value(typename Lanes::Vector x) {
    return Lanes::divide(x, sigmoid_divisor<Lanes>(x));
  }
  template <class Lanes>
  static typename Lanes::Vector slope(typename Lanes::Vector x) {
    const auto one = Lanes::all(1);
    const auto sigmoid = Lanes::divide(one, sigmoid_divisor<Lanes>(x));
    return Lanes::multiply(sigmoid, Lanes::multiply_add(x, Lanes::subtract(one, sigmoid), one));
  }
};

struct HardsigmoidFormula {
  template <class Lanes>
  static typename Lanes::Vector value(typename Lanes::Vector x) {
    return Lanes::divide(between<Lanes>(0, Lanes::add(x, Lanes::all(3)), 6), Lanes::all(6));
  }
  template <class Lanes>
  static typename Lanes::Vector slope(typename Lanes::Vector x) {
    return value_inside<Lanes>(-3, x, 3, 1.0F / 6);
  }
};

struct HardswishFormula {
  template <class Lanes>
  static typename Lanes::Vector value(typename Lanes::Vector x) {
    const auto gate = between<Lanes>(0, Lanes::add(x, Lanes::all(3)), 6);
    return Lanes::divide(Lanes::multiply(x, gate), Lanes::all(6));
  }
  template <class Lanes>
  static typename Lanes::Vector slope(typename Lanes::Vector x) {
    const auto inner = Lanes::add(Lanes::divide(x, Lanes::all(3)), Lanes::all(0.5F));
    const auto upper = Lanes::choose(Lanes::is_at_least(x, Lanes::all(3)), Lanes::all(1), inner);
    return Lanes::choose(Lanes::is_less(x, Lanes::all(-3)), Lanes::all(0), upper);
  }
};

struct Relu6Formula {
  template <class Lanes>
  static typename Lanes::Vector value(typename Lanes::Vector x) {
    return between<Lanes>(0, x, 6);
  }
  template <class Lanes>
  static typename Lanes::Vector slope(typename Lanes::Vector x) {
    return value_inside<Lanes>(0, x, 6, 1);
  }
};

// The normal distribution at x: the share below it, and the density there.
template <class Lanes>
struct Normal {
  typename Lanes::Vector below;
  typename Lanes::Vector density;
};

// The error function by Abramowitz and Stegun's 7.1.26, good to 1.5e-7; both parts share one
// exponential.
template <class Lanes>
[[gnu::always_inline]] inline Normal<Lanes> normal_at(typename Lanes::Vector x) {
  const auto one = Lanes::all(1);
  const auto size = Lanes::without_sign(x);
  const auto power = exp_lanes<Lanes>(Lanes::multiply(Lanes::multiply(x, x), Lanes::all(-0.5F)));
  // t = 1 / (1 + p |x| / sqrt(2))
  const auto t =
      Lanes::divide(one, Lanes::multiply_add(size, Lanes::all(0.3275911F * 0.70710678F), one));
  auto series = Lanes::all(1.061405429F);
  constexpr float kFactors[] = {-1.453152027F, 1.421413741F, -0.284496736F, 0.254829592F};
  for (const float factor : kFactors) series = Lanes::multiply_add(series, t, Lanes::all(factor));
  // Half of what lies outside [-|x|, |x|].
  const auto tail =
      Lanes::multiply(Lanes::multiply(Lanes::multiply(series, t), power), Lanes::all(0.5F));
  return {Lanes::choose(Lanes::has_sign(x), tail, Lanes::subtract(one, tail)),
          Lanes::multiply(power, Lanes::all(0.39894228F))};
}

template <class Lanes>
struct ValueAndSlope {
  typename Lanes::Vector value;
  typename Lanes::Vector slope;
};

struct GeluFormula {
  template <class Lanes>
  static typename Lanes::Vector value(typename Lanes::Vector x) {
    return Lanes::multiply(x, normal_at<Lanes>(x).below);
  }
  template <class Lanes>
  static ValueAndSlope<Lanes> both(typename Lanes::Vector x) {
    const Normal<Lanes> normal = normal_at<Lanes>(x);
    return {Lanes::multiply(x, normal.below), Lanes::multiply_add(x, normal.density, normal.below)};
  }
};

}  // namespace
}  // namespace hearth
