// Passes over values, for vectors of any width. Only for files that are compiled for one kind of
// processor: everything here is theirs alone.
#pragma once

#include "hearth/kernels/activation/activation_passes.h"
#include "hearth/kernels/activation/formulas_lanes.h"

namespace hearth {
namespace {

// `Unit` has the Lanes' arithmetic and `for_each_group`, which gives what loads and stores.
template <class Unit, class Formula>
void pass_values(const float* input, float* output, int64_t count) {
  Unit::for_each_group(count, [&](int64_t i, const auto& lanes) {
    lanes.store(output + i, Formula::template value<typename Unit::Lanes>(lanes.load(input + i)));
  });
}

template <class Unit, class Formula>
void pass_gradient(const float* input, const float* gradient, float* result, int64_t count) {
  using Lanes = typename Unit::Lanes;
  Unit::for_each_group(count, [&](int64_t i, const auto& lanes) {
    const auto slope = Formula::template slope<Lanes>(lanes.load(input + i));
    lanes.store(result + i, Lanes::multiply(lanes.load(gradient + i), slope));
  });
}

template <class Unit, class Formula>
void pass_both(const float* input, float* output, float* slopes, int64_t count) {
  Unit::for_each_group(count, [&](int64_t i, const auto& lanes) {
    const auto both = Formula::template both<typename Unit::Lanes>(lanes.load(input + i));
    lanes.store(output + i, both.value);
    lanes.store(slopes + i, both.slope);
  });
}

template <class Unit>
void pass_slopes(const float* slopes, const float* gradient, float* result, int64_t count) {
  Unit::for_each_group(count, [&](int64_t i, const auto& lanes) {
    lanes.store(result + i,
                Unit::Lanes::multiply(lanes.load(gradient + i), lanes.load(slopes + i)));
  });
}

template <class Unit>
ActivationPasses passes_of() {
  return {{pass_values<Unit, SiluFormula>, pass_gradient<Unit, SiluFormula>},
          {pass_values<Unit, HardswishFormula>, pass_gradient<Unit, HardswishFormula>},
          {pass_values<Unit, HardsigmoidFormula>, pass_gradient<Unit, HardsigmoidFormula>},
          {pass_values<Unit, Relu6Formula>, pass_gradient<Unit, Relu6Formula>},
          {pass_values<Unit, GeluFormula>, pass_both<Unit, GeluFormula>, pass_slopes<Unit>}};
}

}  // namespace
}  // namespace hearth
