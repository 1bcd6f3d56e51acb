// An op that takes the gradient of a loss by a model's parameters and moves them, as `update` does.
// For people who write one.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "hearth/network/mover.h"
#include "hearth/network/network_op.h"

namespace hearth {

inline constexpr const char* kClipNormHelp =
    "Largest norm of all gradients together: larger ones are scaled down to it; 0 for any.";

class LossUpdate : public NetworkOp {
 public:
  [[nodiscard]] std::vector<std::string> reads() const override { return {wanted_.loss}; }
  [[nodiscard]] std::vector<std::string> writes() const override { return {}; }
  [[nodiscard]] bool has_effect() const override { return true; }
  [[nodiscard]] bool looks_at_parameters() const override { return false; }
  [[nodiscard]] Modes modes() const override { return Mode::kTrain; }
  [[nodiscard]] std::vector<std::string> model_names() const override { return {wanted_.model}; }
  void bind(ModelSet& models) override;
  // GraphError for a loss that is no number of a batch, and for a model that cannot learn.
  [[nodiscard]] std::vector<Spec> infer(const std::vector<Spec>& inputs) override;

 protected:
  struct Wanted {
    std::string op;  // who wants it, such as "update"
    std::string model;
    std::string loss;
    std::string optimizer = "";  // empty: all of the model's
  };
  explicit LossUpdate(Wanted wanted) : wanted_(std::move(wanted)) {}
  [[nodiscard]] const std::string& loss_key() const { return wanted_.loss; }
  [[nodiscard]] Mover& mover() { return mover_; }
  [[nodiscard]] const Mover& mover() const { return mover_; }
  // One step by the gradients that are there, with those of the same op in replicas, all of which
  // are dropped then.
  void take_step(StepContext& context, double clip_norm, std::span<Mover* const> others = {});

 private:
  Wanted wanted_;
  Mover mover_;
};

}  // namespace hearth
