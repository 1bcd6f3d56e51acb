// An op on one batch, on the device: a model call, a loss, an update. For people who write one.
// With replicas, each has an op of its own, which sees its part of the batch; random numbers come
// from `random_generator()` of hearth/kernels/random_stream.h.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "hearth/config/mode.h"
#include "hearth/config/time.h"
#include "hearth/core/spec.h"
#include "hearth/tensor/state.h"

namespace hearth {

class Crew;
class ModelSet;
class StepWatch;

// What a step knows of its surroundings.
struct StepContext {
  Mode mode = Mode::kTrain;
  Moment moment;
  bool is_last_update = true;  // no later update of this step needs the autograd graph
  bool has_updated = false;    // set by an update op that moved parameters
  StepWatch* watch = nullptr;  // who is told of losses and gradients; null for nobody
  // With replicas: who works together, and the share of the batch's samples that this one has.
  Crew* crew = nullptr;
  double share = 1;
};

class NetworkOp {
 public:
  virtual ~NetworkOp() = default;
  [[nodiscard]] virtual std::vector<std::string> reads() const = 0;
  [[nodiscard]] virtual std::vector<std::string> writes() const = 0;
  // Wanted for what it does, not for what it writes.
  [[nodiscard]] virtual bool has_effect() const { return false; }
  // Whether it may read or change the parameters of a model other than by calling the model. As
  // long as one op of the training plan may, models keep their weights in the ordinary order in
  // memory, which costs convolutions some speed.
  [[nodiscard]] virtual bool looks_at_parameters() const { return true; }
  // Modes it makes sense in, unless the config says otherwise.
  [[nodiscard]] virtual Modes modes() const { return Modes::all(); }
  // Looks up the models it names; ConfigError with the nearest name.
  virtual void bind(ModelSet& models) { (void)models; }
  // Specs of what it writes; GraphError says what does not fit. A model call builds its model here.
  [[nodiscard]] virtual std::vector<Spec> infer(const std::vector<Spec>& inputs) = 0;
  // Before each step, with what the step's plan knows of its inputs: a model may be called with
  // several shapes.
  virtual void use_specs(std::span<const Spec> inputs) { (void)inputs; }
  virtual void run(StepContext& context, std::span<const at::Tensor> inputs,
                   std::span<at::Tensor> outputs) = 0;

  // The model that it calls, or moves; nothing for an op that does neither.
  [[nodiscard]] virtual std::string model_name() const { return ""; }
  // For an update: how many batches one step takes. 0 for every other op.
  [[nodiscard]] virtual int64_t batches_per_step() const { return 0; }
  // For an update: whether replicas can share it. Then, with a crew in the context, `run` finds the
  // gradients of its share of the batch's loss, in a thread of its own, and `join` makes one step
  // of what this op and the same op in `others` found.
  [[nodiscard]] virtual bool can_join() const { return false; }
  virtual void join(StepContext& context, std::span<const std::shared_ptr<NetworkOp>> others) {
    (void)context;
    (void)others;
  }

  [[nodiscard]] virtual State state() const { return {}; }
  virtual void restore(const State& state) { (void)state; }
};

}  // namespace hearth
