// For tests: what metrics and traces are tried with.
#pragma once

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/ones.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "hearth/train/run_fixture.h"
#include "tests/conformance/component_cases.h"

namespace hearth {

// Numbers that differ from batch to batch, in the form of a key.
inline at::Tensor values_of(const Spec& spec, int64_t seed) {
  if (spec.is_per_batch) return at::ones({}) * (0.5 + static_cast<double>(seed));
  std::vector<int64_t> sizes = spec.shape;
  sizes.insert(sizes.begin(), FakeRun::kRows);
  const int64_t count = c10::multiply_integers(sizes);
  if (spec.dtype == DType::kInt64)
    return (at::arange(count) + seed).remainder(std::max<int64_t>(spec.classes, 1)).reshape(sizes);
  return (at::arange(count) * (seed + 3)).remainder(7).to(at::kFloat).reshape(sizes);
}

// A run with the keys that a trace reads, some of which are no numbers now and then.
inline FakeRun fake_run(const Trace& trace, const KeysCase& tried) {
  return FakeRun(
      trace.monitors(),
      [tried](const std::string& key, int64_t step) {
        at::Tensor values = values_of(tried.spec(key), step);
        const auto found = tried.keys.find(key);
        if (found != tried.keys.end() && found->second.not_finite)
          values[step % FakeRun::kRows].fill_(std::numeric_limits<double>::quiet_NaN());
        return values;
      },
      [tried](const std::string& key) { return tried.spec(key); });
}

}  // namespace hearth
