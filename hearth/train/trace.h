// A trace observes training from the host: it is told what it asked for, and may ask for things.
// For people who write one.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "hearth/config/mode.h"
#include "hearth/core/spec.h"
#include "hearth/tensor/state.h"
#include "hearth/train/occasion.h"
#include "hearth/train/run_control.h"

namespace hearth {

class Source;

// What a trace is told. Spans and pointers hold for as long as the call; tensors may be kept.
struct Happening {
  Occasion occasion = Occasion::kEpochEnd;
  Mode mode = Mode::kTrain;
  std::string set = {};  // "train", "eval.noisy"
  Moment moment = {};
  int64_t step = 0;  // the number of the step that it belongs to, from 1; elsewhere: steps done
  // Of a batch: the trace's keys, in the order of `reads`, on the network's device and without a
  // graph behind them; one that is not made yet is undefined. Empty elsewhere.
  std::span<const at::Tensor> values = {};
  std::span<const Spec* const> specs =
      {};  // of the values: classes, names, what black and white are
  // Of a batch: which sample of the source each row is. `source->describe(sample)` names it.
  std::span<const int64_t> samples = {};
  const Source* source = nullptr;  // of the set
  // Of kBackward: the model that is about to move, and the gradients of its parameters by name, of
  // all batches of the step, before they are clipped. As they lie in memory: the order of their
  // values may be another than the parameter's.
  std::string model = {};
  std::span<const NamedTensor> gradients = {};
  std::string error = {};  // of kException
};

class Trace {
 public:
  virtual ~Trace() = default;
  // The keys it looks at: values are made for it as for any op. They are there in the modes in
  // which it hears of batches.
  [[nodiscard]] virtual std::vector<std::string> reads() const { return {}; }
  // GraphError when the keys do not fit.
  virtual void check(const std::vector<Spec>& inputs) const { (void)inputs; }
  // What it wants to be told; what nobody wants costs nothing.
  [[nodiscard]] virtual std::vector<Interest> interests() const { return {{Occasion::kEpochEnd}}; }
  virtual void hear(const Happening& happening, RunControl& run) = 0;

  // Metrics it watches; a name that nothing measures is refused before training.
  [[nodiscard]] virtual std::vector<std::string> monitors() const { return {}; }
  // Models it changes something of; a name that is none is refused before training.
  [[nodiscard]] virtual std::vector<std::string> models() const { return {}; }
  // Layers it listens to, by path or pattern; one that fits none is refused before training.
  [[nodiscard]] virtual std::vector<std::string> layers() const { return {}; }
  // Names of the checkpoints it may save; no two traces have one in common.
  [[nodiscard]] virtual std::vector<std::string> saves() const { return {}; }
  // Files that it writes of such a set, "eval.noisy", below the run's folder, as RunControl names
  // them, with <N> for a step; no two traces have one in common.
  [[nodiscard]] virtual std::vector<std::string> writes(const std::string& set) const {
    (void)set;
    return {};
  }
  // How it may refuse a batch (RunControl::refuse_batch); nothing: it never does.
  [[nodiscard]] virtual std::optional<Undo> undoes() const { return std::nullopt; }
  // What later decisions depend on; survives a kill and a resume.
  [[nodiscard]] virtual Json state() const;
  virtual void restore(const Json& state);
  // The same of what is too much for values; they may be the trace's own, and are copied. Given
  // back after `restore`.
  [[nodiscard]] virtual std::vector<NamedTensor> tensors() const { return {}; }
  virtual void restore_tensors(const State& state) { (void)state; }
};

}  // namespace hearth
