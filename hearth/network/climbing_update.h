// An update along the gradient of a place nearby where the loss is worse, as `sam` makes it. For
// people who write one.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "hearth/network/loss_update.h"

namespace hearth {

// All that leads to the loss runs twice, with the same random numbers.
class ClimbingUpdate : public LossUpdate {
 public:
  [[nodiscard]] int64_t batches_per_step() const override { return 1; }
  [[nodiscard]] bool reruns() const override { return true; }
  void run(StepContext& context, std::span<const at::Tensor> inputs,
           std::span<at::Tensor> outputs) override;

 protected:
  explicit ClimbingUpdate(Wanted wanted) : LossUpdate(wanted), op_(std::move(wanted.op)) {}
  // How far each parameter goes, under no-grad: `gradients` are those of `parameters`, in their
  // form.
  [[nodiscard]] virtual std::vector<at::Tensor> climbs(const std::vector<at::Tensor>& parameters,
                                                       const std::vector<at::Tensor>& gradients,
                                                       const Moment& moment) const = 0;
  [[nodiscard]] virtual double clip_norm(const Moment& moment) const = 0;

 private:
  // Moves the parameters, gives what they were, and drops the gradients.
  [[nodiscard]] std::vector<at::Tensor> climb(const Moment& moment);
  void return_to(const std::vector<at::Tensor>& before) const;

  std::string op_;
};

inline constexpr const char* kClimbedLossHelp =
    "Key of the loss. All that leads to it runs twice, with the same random numbers; statistics of "
    "batch norms count the first time only.";

}  // namespace hearth
