// An op whose work is a C++ function.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/data/sample_op.h"

namespace hearth::sample_ops {

struct CustomOptions {
  std::string name = "identity";
  std::vector<std::string> reads = {"image"};
  std::vector<std::string> writes = {"image"};
  static const Schema<CustomOptions>& schema();
};

// What SampleOp::run and SampleOp::infer do; without `infer`, it writes what it reads.
struct CustomFunction {
  std::function<void(Random&, std::span<const View>, std::span<const Cell>)> run = {};
  std::function<std::vector<Spec>(const std::vector<Spec>&)> infer = {};
};

// Keeps the function under the options' name for the rest of the program; another of that name
// replaces it. Without a function, the op with the one that was given before.
[[nodiscard]] Choice<SampleOp> custom(const CustomOptions& options = {},
                                      CustomFunction function = {});

}  // namespace hearth::sample_ops
