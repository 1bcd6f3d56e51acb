// Tells traces what they asked for. The trainer says what happens in one line for each occasion;
// one that nobody hears costs a look at an empty list.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "hearth/config/node.h"
#include "hearth/data/host_batch.h"
#include "hearth/network/replicas.h"
#include "hearth/network/step_watch.h"
#include "hearth/train/data_set.h"
#include "hearth/train/listeners.h"
#include "hearth/train/trace.h"

namespace hearth {

// A trace of an experiment, as messages name it.
struct NamedTrace {
  std::string label;  // "train.traces[0] best_model"
  Mark mark;
  std::unique_ptr<Trace> trace;
};

// What surrounds an occasion.
struct Scene {
  const Listeners* listeners = nullptr;  // of the plan in force
  DataSet set = Mode::kTrain;
  const Source* source = nullptr;
  Moment moment = {};
  int64_t step = 0;  // as in Happening
  const HostBatch* batch = nullptr;
  const std::vector<at::Tensor>* values = nullptr;  // of the plan
  const Plan* plan = nullptr;
  // Of the batch, those that the values are of, once the network has run; null or empty: all.
  const std::vector<RowRange>* kept_rows = nullptr;

  // Of the rows that the values have.
  [[nodiscard]] std::vector<int64_t> samples() const;
};

class TraceBoard : private StepWatch {
 public:
  TraceBoard(std::vector<NamedTrace> traces, RunControl& run);
  TraceBoard(const TraceBoard&) = delete;
  TraceBoard& operator=(const TraceBoard&) = delete;

  // An error of a trace gets its name, and goes on.
  void tell(Occasion occasion, const Scene& scene) {
    const std::vector<Listener>& listeners = scene.listeners->of(occasion);
    if (!listeners.empty()) tell_due(listeners, happening_at(occasion, scene), scene);
  }
  // Of the whole run, whatever plan is in force.
  void tell_run(Occasion occasion, Scene scene);
  // What a trace throws then is only a notice, so that the first error is the one that is told.
  void tell_exception(const std::string& error, Scene scene);
  // For a batch that the network is about to run; null when nobody hears of its middle. The scene
  // must live as long as the batch runs.
  [[nodiscard]] StepWatch* watch(const Scene& scene);

  // The step that what is told now belongs to, or `done` outside of a telling.
  [[nodiscard]] int64_t step_now(int64_t done) const { return now_ ? now_->step : done; }
  // Whether what is told now belongs to an evaluation.
  [[nodiscard]] bool is_in_evaluation() const { return now_ && now_->mode != Mode::kTrain; }

  // How traces may refuse batches.
  [[nodiscard]] bool may_undo(Undo undo) const;

  [[nodiscard]] Json state() const;
  void restore(const Json& states);
  // As <number of the trace>/<name>.
  [[nodiscard]] State tensors() const;
  void restore_tensors(const State& state);

 private:
  [[nodiscard]] bool wants_gradients() const override {
    return has_due(Occasion::kBackward, *watched_);
  }
  void on_loss(const std::vector<at::Tensor>& values) override;
  void on_gradients(const std::string& model, std::span<const NamedTensor> gradients) override;
  [[nodiscard]] Happening happening_at(Occasion occasion, const Scene& scene);
  void tell_due(const std::vector<Listener>& listeners, Happening happening, const Scene& scene);
  void tell_one(const Listener& listener, Happening& happening);
  [[nodiscard]] bool has_due(Occasion occasion, const Scene& scene) const;

  std::vector<NamedTrace> traces_;
  RunControl& run_;
  std::vector<int64_t> kept_samples_;  // of the batch that is told of
  Listeners of_run_;
  const Scene* watched_ = nullptr;
  const Happening* now_ = nullptr;
  std::vector<at::Tensor> inputs_;  // of one listener; kept for its memory
  std::vector<const Spec*> specs_;
};

}  // namespace hearth
