// An op on one batch, on the device: a model call, a loss, an update. For people who write one.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "hearth/config/mode.h"
#include "hearth/config/time.h"
#include "hearth/core/spec.h"
#include "hearth/tensor/state.h"

namespace hearth {

class ModelSet;

// What a step knows of its surroundings.
struct StepContext {
  Mode mode = Mode::kTrain;
  Moment moment;
  bool is_last_update = true;  // no later update of this step needs the autograd graph
  bool has_updated = false;    // set by an update op that moved parameters
};

class NetworkOp {
 public:
  virtual ~NetworkOp() = default;
  [[nodiscard]] virtual std::vector<std::string> reads() const = 0;
  [[nodiscard]] virtual std::vector<std::string> writes() const = 0;
  // Wanted for what it does, not for what it writes.
  [[nodiscard]] virtual bool has_effect() const { return false; }
  // Modes it makes sense in, unless the config says otherwise.
  [[nodiscard]] virtual Modes modes() const { return Modes::all(); }
  // Looks up the models it names; ConfigError with the nearest name.
  virtual void bind(ModelSet& models) { (void)models; }
  // Specs of what it writes; GraphError says what does not fit. A model call builds its model here.
  [[nodiscard]] virtual std::vector<Spec> infer(const std::vector<Spec>& inputs) = 0;
  virtual void run(StepContext& context, std::span<const at::Tensor> inputs,
                   std::span<at::Tensor> outputs) = 0;

  // For an update: how many batches one step takes. 0 for every other op.
  [[nodiscard]] virtual int64_t batches_per_step() const { return 0; }

  [[nodiscard]] virtual State state() const { return {}; }
  virtual void restore(const State& state) { (void)state; }
};

}  // namespace hearth
