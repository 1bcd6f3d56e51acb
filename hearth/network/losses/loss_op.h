// The base of losses. One is a struct without members: `Options`, `check` of the inputs' specs, and
// `losses`, a function of tensors that gives a loss for each element or each sample. Weights, masks
// and the reduction to one number are done here. For people who write a loss.
#pragma once

#include <concepts>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "hearth/config/registry.h"
#include "hearth/kernels/kernels.h"
#include "hearth/network/network_op.h"
#include "hearth/schedule/timed.h"

namespace hearth {

// What `check` says of the losses of one sample.
struct LossShape {
  std::vector<int64_t> losses = {};  // empty: one loss for each sample
  // Of one sample's mask, for losses that leave hidden places out by themselves.
  std::vector<int64_t> mask = {};
};

// What `losses` gives.
struct LossValues {
  at::Tensor losses;       // [B, ...]
  at::Tensor counts = {};  // how much each counts in the mean; undefined: one
};

// What `losses` is given.
struct LossInputs {
  std::span<const at::Tensor> values;  // of the keys, in order
  // What counts, as booleans; undefined: all. Only for losses that hide by themselves what does
  // not, because samples or places matter to each other; for others it is done afterwards.
  at::Tensor mask = {};
  Kernels kernels = Kernels::kFast;
  [[nodiscard]] const at::Tensor& operator[](size_t index) const { return values[index]; }
};

// Options of all losses, by the names they have in every options struct.
struct LossKeys {
  std::vector<std::string> in;
  std::string out;
  std::string weight;
  std::string mask;
  std::string reduction;
};

// One number of the losses: sum(w l) / sum(w c), or 0 where nothing counts; without asking the
// device for either.
struct ReducedLoss {
  at::Tensor loss;
  at::Tensor counts = {};  // w c, as many as losses; undefined: one for each
};
[[nodiscard]] ReducedLoss reduced(const LossValues& found, const at::Tensor& weight,
                                  const at::Tensor& mask, const std::string& reduction);

// All that does not depend on the type of the options.
class LossBase : public NetworkOp {
 public:
  explicit LossBase(LossKeys keys) : keys_(std::move(keys)) {}

  [[nodiscard]] std::vector<std::string> reads() const override;
  [[nodiscard]] std::vector<std::string> writes() const override { return {keys_.out}; }
  [[nodiscard]] bool looks_at_parameters() const override { return false; }
  void bind(ModelSet& models) override;
  [[nodiscard]] std::vector<Spec> infer(const std::vector<Spec>& inputs) override;
  void run(StepContext& context, std::span<const at::Tensor> inputs,
           std::span<at::Tensor> outputs) override;

 protected:
  [[nodiscard]] virtual bool hides_by_itself() const = 0;
  [[nodiscard]] virtual LossShape check(std::span<const KeySpec> inputs) = 0;
  [[nodiscard]] virtual LossValues losses_of(const StepContext& context, LossInputs inputs) = 0;
  // The mean where all counts the same, by a faster way; undefined when there is none.
  [[nodiscard]] virtual at::Tensor fast_mean(const StepContext& context, LossInputs inputs) = 0;
  // Which losses are in that mean; undefined: all.
  [[nodiscard]] virtual at::Tensor fast_counts(const StepContext& context, LossInputs inputs) = 0;
  [[nodiscard]] size_t input_count() const { return keys_.in.size(); }

 private:
  LossKeys keys_;
  Kernels kernels_ = Kernels::kFast;
};

// `Loss` has `using Options`, `static LossShape check(const Options&, std::span<const KeySpec>)`
// and `static LossValues losses(const Options&, const LossInputs&)`; where it needs them,
// `static bool hides_by_itself(const Options&)`, `static std::vector<std::string> keys(const
// Options&)` when it reads more than `in`, and `static at::Tensor mean(const Options&, const
// LossInputs&)` with `static at::Tensor counts(const Options&, const LossInputs&)`, which says what
// is in that mean.
template <class Loss>
class LossOp : public LossBase {
 public:
  using Options = typename Loss::Options;
  using TimedOptions = Timed<Options>;
  explicit LossOp(TimedOptions options)
      : LossBase(keys_of(options.fixed())), timed_(std::move(options)) {}

 protected:
  [[nodiscard]] const Options& options() const { return timed_.fixed(); }
  [[nodiscard]] bool hides_by_itself() const override {
    if constexpr (requires { &Loss::hides_by_itself; })
      return Loss::hides_by_itself(timed_.fixed());
    else
      return false;
  }
  [[nodiscard]] LossShape check(std::span<const KeySpec> inputs) override {
    if constexpr (requires { &Loss::check; })
      return Loss::check(timed_.fixed(), inputs);
    else
      return {};
  }
  [[nodiscard]] LossValues losses_of(const StepContext& context, LossInputs inputs) override {
    return Loss::losses(timed_.at(context.moment), inputs);
  }
  [[nodiscard]] at::Tensor fast_mean(const StepContext& context, LossInputs inputs) override {
    if constexpr (requires { &Loss::mean; })
      return Loss::mean(timed_.at(context.moment), inputs);
    else
      return {};
  }
  [[nodiscard]] at::Tensor fast_counts(const StepContext& context, LossInputs inputs) override {
    if constexpr (requires { &Loss::mean; })
      return Loss::counts(timed_.at(context.moment), inputs);
    else
      return {};
  }

 private:
  static LossKeys keys_of(const Options& options) {
    std::vector<std::string> in = options.in;
    if constexpr (requires { &Loss::keys; }) in = Loss::keys(options);
    return {std::move(in), options.out, options.weight, options.mask, options.reduction};
  }

  TimedOptions timed_;
};

// Adds the options that every loss has at its end.
template <class Options>
[[nodiscard]] Schema<Options> weighed(Schema<Options> schema) {
  schema
      .field(&Options::weight, "weight",
             "Key of numbers by which losses are multiplied: one for each sample, or for each "
             "place. The mean is then the weighted one. Left out: all count the same.")
      .field(&Options::mask, "mask",
             "Key that says what counts: one value for each sample, or for each place, such as the "
             "`mask` of pad_longest. Left out: all.")
      .field(&Options::reduction, "reduction",
             "What becomes of the losses of a batch: their `mean`, their `sum`, or `none`: all of "
             "them, which no update takes.",
             one_of({"mean", "sum", "none"}));
  return schema;
}

}  // namespace hearth
