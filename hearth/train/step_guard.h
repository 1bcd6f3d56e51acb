// Stands before everything that moves: looks at losses and gradients, and lets nothing happen when
// they are no finite numbers, or when somebody asked for that.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hearth/core/graph.h"
#include "hearth/network/step_watch.h"
#include "hearth/train/run_control.h"

namespace hearth {

// Thrown through the network: the batch moves nothing. No std::exception, as it is no error.
struct BatchRefused {
  enum class Stage : uint8_t { kLoss, kGradients, kMoved };  // what was done by then
  Stage stage = Stage::kLoss;
  std::string what;               // "the loss 'loss'"
  std::optional<double> value;    // that is no finite number; nothing when somebody asked for it
  std::optional<Undo> undo = {};  // what was asked for; nothing: what train.on_nan says
};

class StepGuard : public StepWatch {
 public:
  struct Batch {
    const Plan* plan = nullptr;
    const std::vector<int>* losses = nullptr;  // values of the plan that updates read
    bool looks_at_losses = true;
    bool looks_at_gradients = false;
    StepWatch* next = nullptr;  // who is told of what is fine; null for nobody
  };
  // For a batch that is about to run; what `batch` points to must live as long.
  StepWatch* before(Batch batch) {
    batch_ = batch;
    asked_.reset();
    has_seen_losses_ = false;
    return this;
  }
  // Whether all losses of the batch were there when it looked, and finite: nobody needs to again.
  [[nodiscard]] bool has_seen_losses() const { return has_seen_losses_; }
  // While the loss of the batch is told: it is to move nothing.
  void refuse(Undo undo, std::string reason) { asked_ = {{}, std::move(reason), {}, undo}; }

  void on_loss(const std::vector<at::Tensor>& values) override;
  [[nodiscard]] bool wants_gradients() const override {
    return batch_.looks_at_gradients || (batch_.next != nullptr && batch_.next->wants_gradients());
  }
  void on_gradients(const std::string& model, std::span<const NamedTensor> gradients) override;

 private:
  Batch batch_;
  std::optional<BatchRefused> asked_;
  bool has_seen_losses_ = false;
};

// The first of these values of a plan that is one number for the batch, and no finite one.
[[nodiscard]] std::optional<BatchRefused> unusable_loss(const Plan& plan,
                                                        const std::vector<int>& losses,
                                                        const std::vector<at::Tensor>& values);

}  // namespace hearth
