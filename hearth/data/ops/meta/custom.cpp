// An op whose work is a C++ function, which the program that runs it has given.
#include "hearth/data/ops/meta/custom.h"

#include <cstring>
#include <map>
#include <mutex>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"

namespace hearth::sample_ops {

namespace {

void copy_inputs(Random&, std::span<const View> inputs, std::span<const Cell> outputs) {
  for (size_t k = 0; k < outputs.size(); ++k) {
    const View copy = outputs[k].take(inputs[k].shape);
    const size_t bytes = inputs[k].elements() * static_cast<size_t>(size_of(inputs[k].spec->dtype));
    if (bytes > 0) std::memcpy(copy.data, inputs[k].data, bytes);
  }
}

// The functions of this program by name, like components in their registry.
class CustomFunctions {
 public:
  void add(const std::string& name, CustomFunction function) {
    const std::lock_guard lock(mutex_);
    functions_.insert_or_assign(name, std::move(function));
  }
  [[nodiscard]] CustomFunction find(const std::string& name) {
    const std::lock_guard lock(mutex_);
    if (const auto found = functions_.find(name); found != functions_.end()) return found->second;
    std::vector<std::string> known;
    for (const auto& [each, function] : functions_) known.push_back(each);
    throw ConfigError("custom: this program has no function " + quote(name) + ", only " +
                      join(known, ", ") +
                      ". Functions are given in C++, by sample_ops::custom; for a config, write an "
                      "op as a plugin: hearth new sample_op.");
  }

 private:
  std::mutex mutex_;
  std::map<std::string, CustomFunction> functions_ = {{"identity", {.run = copy_inputs}}};
};

CustomFunctions& custom_functions() {
  static CustomFunctions functions;
  return functions;
}

class Custom : public SampleOp {
 public:
  using Options = CustomOptions;
  explicit Custom(Options options)
      : options_(std::move(options)), function_(custom_functions().find(options_.name)) {}

  std::vector<std::string> reads() const override { return options_.reads; }
  std::vector<std::string> writes() const override { return options_.writes; }

  std::vector<Spec> infer(const std::vector<Spec>& inputs) const override {
    const std::vector<Spec> specs = function_.infer ? function_.infer(inputs) : inputs;
    if (specs.size() == options_.writes.size()) return specs;
    throw GraphError(
        "custom: function " + quote(options_.name) + " gives " + std::to_string(specs.size()) +
        " specs, but writes " + std::to_string(options_.writes.size()) +
        " keys: " + join(options_.writes, ", ") + ". Give it an infer with a spec for each.");
  }

  void run(Random& random, std::span<const View> inputs,
           std::span<const Cell> outputs) const override {
    function_.run(random, inputs, outputs);
  }

 private:
  Options options_;
  CustomFunction function_;
};

}  // namespace

const Schema<CustomOptions>& CustomOptions::schema() {
  using O = CustomOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::name, "name",
                 "The function's name, under which a C++ program gave it; `identity`, which "
                 "copies, is always there.",
                 not_empty())
          .field(&O::reads, "reads", "The keys it reads.", not_empty())
          .field(&O::writes, "writes", "The keys it writes.", not_empty());
  return schema;
}

Choice<SampleOp> custom(const CustomOptions& options, CustomFunction function) {
  if (function.run) custom_functions().add(options.name, std::move(function));
  return choose<SampleOp>("custom", options);
}

void register_custom(Registry<SampleOp>& registry) {
  registry.add<Custom>("custom", "Runs a function of the C++ program.");
}

}  // namespace hearth::sample_ops
