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
#include "hearth/network/loss_count.h"
#include "hearth/tensor/state.h"

namespace hearth {

class Crew;
class Layer;
class ModelSet;
class RankExchange;
struct ArrivedGradients;
struct FoundGradients;
struct ModelOptions;

// Runs a part of the step again: the ops before this one that its inputs come from, with the
// parameters that models have now and the random numbers they had the first time. The values of the
// step, and the buffers of models, stay as they are.
class Rerun {
 public:
  virtual ~Rerun() = default;
  // What the op's inputs become.
  [[nodiscard]] virtual std::vector<at::Tensor> operator()() = 0;
};
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
  RankExchange* ranks = nullptr;  // where other processes have shards of the batch too
  Rerun* rerun = nullptr;         // for an op that `reruns`
  // Rows of the batch that are samples, which come first; those after them fill up and count
  // nothing. Negative: all. An op whose outputs are all of one value for the batch, such as a loss,
  // is given the samples alone.
  int64_t real_rows = -1;
  // Samples of the batch over those of a full one: how much it counts in a step of several batches;
  // and what one sample counts.
  double weight = 1;
  double sample_weight = 1;
  // Where a step is made of several losses, of batches or replicas, what those are the mean of, by
  // the plan's values; null elsewhere. For the op that runs: of the first of its inputs that has
  // one, and of what it makes, which is the same unless the op, such as a loss, says other.
  std::vector<LossCount>* loss_counts = nullptr;
  LossCount input_count = {};
  LossCount output_count = {};
};

// How replicas share an op while training.
enum class Sharing : uint8_t {
  kParts,   // each runs it on its part of the batch
  kJoined,  // each runs it, in a thread of its own, and `join` makes one of what all of them found
  kOnce,    // it runs once, with what was joined before
  kNever    // they cannot
};

// A model that an op brings along, for parameters of its own: called by the op, moved by an update
// that names it, and saved as any other.
struct OwnModel {
  std::string name;
  std::shared_ptr<const ModelOptions> options;  // its `build` is not asked
  std::unique_ptr<Layer> layer;
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
  // Before the first op of a training step that it is a part of: who comes after an update sees no
  // longer where it started. With replicas the first one's is asked.
  virtual void begin_step() {}
  // In mode infer several threads may run it at once: what it keeps in members then is wrong.
  virtual void run(StepContext& context, std::span<const at::Tensor> inputs,
                   std::span<at::Tensor> outputs) = 0;

  // Models that it calls, finds gradients of, or moves; nothing for an op that does none of these.
  [[nodiscard]] virtual std::vector<std::string> model_names() const { return {}; }
  // Models of its own; asked once, before `bind` finds them among the others.
  [[nodiscard]] virtual std::vector<OwnModel> own_models() const;
  // For an op that makes steps: how many batches one takes. 0 for every other op.
  [[nodiscard]] virtual int64_t batches_per_step() const { return 0; }
  // Keys it reads and finds gradients of; what makes steps has losses only, unless it says other.
  [[nodiscard]] virtual std::vector<std::string> losses() const {
    return batches_per_step() > 0 ? reads() : std::vector<std::string>();
  }
  // Whether gradients flow from what it writes to what it reads.
  [[nodiscard]] virtual bool passes_gradients() const { return true; }
  // Whether it may read keys that stand for gradients (gradient_keys.h).
  [[nodiscard]] virtual bool takes_gradients() const { return false; }
  // Whether it uses the context's `rerun`.
  [[nodiscard]] virtual bool reruns() const { return false; }

  // For kJoined: with a crew in the context, `run` finds something of its share of the batch, such
  // as the gradients of its share of the loss, and `join` makes one of what this op and the same op
  // in `others` found, and those of other ranks. A batch of few samples leaves some without any:
  // those did not run.
  [[nodiscard]] virtual Sharing sharing() const {
    return batches_per_step() > 0 ? Sharing::kNever : Sharing::kParts;
  }
  using Others = std::span<const std::shared_ptr<NetworkOp>>;
  virtual void join(StepContext& context, Others others) {
    (void)context;
    (void)others;
  }
  // Before any of them runs: this op and the first `running` - 1 of the others will, or none.
  virtual void begin_join(StepContext& context, Others others, size_t running) {
    (void)context;
    (void)others;
    (void)running;
  }

  // For an op that can make a step of what came from some shards only: what this op and `others`
  // found, taken out of them; and a step by what came of it.
  [[nodiscard]] virtual bool gathers() const { return false; }
  [[nodiscard]] virtual FoundGradients take_found(Others others);
  virtual void step_by(StepContext& context, Others others, const ArrivedGradients& arrived);

  // For an op that makes steps of several batches: one of them was left out, so that neither the op
  // nor, with replicas, the `others` did run, and the batch counts nothing. It may be the last of
  // its step.
  virtual void leave_out(StepContext& context, Others others) {
    (void)context;
    (void)others;
  }

  [[nodiscard]] virtual State state() const { return {}; }
  virtual void restore(const State& state) { (void)state; }
  // Of what it has in progress, that which is its shard's alone: with replicas each one's is kept.
  [[nodiscard]] virtual State shard_state() const { return state(); }
  virtual void restore_shard(const State& state) { restore(state); }
};

}  // namespace hearth
