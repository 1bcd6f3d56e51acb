// An op that changes gradients where they lie, between `backward` and `step`. For people who write
// one.
#pragma once

#include <string>
#include <vector>

#include "hearth/config/schema.h"
#include "hearth/network/mover.h"
#include "hearth/network/network_op.h"

namespace hearth {

// Its key: read, and written again.
class GradientOp : public NetworkOp {
 public:
  [[nodiscard]] std::vector<std::string> reads() const override { return {key_}; }
  [[nodiscard]] std::vector<std::string> writes() const override { return {key_}; }
  [[nodiscard]] bool takes_gradients() const override { return true; }
  [[nodiscard]] bool looks_at_parameters() const override { return false; }
  [[nodiscard]] Modes modes() const override { return Mode::kTrain; }
  [[nodiscard]] Sharing sharing() const override { return Sharing::kOnce; }
  void bind(ModelSet& models) override;
  // GraphError when the key holds something else.
  [[nodiscard]] std::vector<Spec> infer(const std::vector<Spec>& inputs) override;
  void run(StepContext& context, std::span<const at::Tensor> inputs,
           std::span<at::Tensor> outputs) override;

 protected:
  explicit GradientOp(std::string key) : key_(std::move(key)) {}
  // In place, under no-grad; gradients of parameters that learn in this step, of all models.
  virtual void change(const StepContext& context, const std::vector<at::Tensor>& gradients) = 0;

 private:
  std::string key_;
  Mover mover_;
};

// GraphError when the key does not stand for gradients.
void check_gradients(const KeySpec& key);

// The options `in` and `out` that every gradient op has.
template <class O>
[[nodiscard]] Schema<O> gradient_schema() {
  return Schema<O>()
      .field(&O::in, "in", "Key of the gradients, which a backward writes.", not_empty())
      .field(&O::out, "out",
             "The same key, or nothing: gradients are changed where they lie, and keep their key.")
      .check("out must be the key in `in`: gradients are changed where they lie.",
             [](const O& options) { return options.out.empty() || options.out == options.in; });
}

}  // namespace hearth
