// What a trace may see of a run, and ask of it.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <ATen/core/Tensor.h>

#include "hearth/config/time.h"
#include "hearth/core/run_log.h"
#include "hearth/tensor/state.h"
#include "hearth/train/run_progress.h"

namespace hearth {

class Layer;

// Written as CSV, the columns' names first.
struct RunTable {
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
};

// What becomes of a batch that is not to be learned from: it moves nothing; or the network also
// goes back to the last checkpoint but what came after it is not seen again.
enum class Undo : uint8_t { kSkip, kRollBack };
// What kept the training from its steps, in seconds since the process began to train.
struct LostTime {
  double waiting = 0;  // for data
  double saving = 0;   // until a checkpoint was copied, or was on disk
};

// What is recorded and saved must follow from config and data alone, not from clocks or chance: a
// resumed run cuts the log back to its checkpoint and does what came after it again.
class RunControl {
 public:
  virtual ~RunControl() = default;
  [[nodiscard]] virtual const Moment& moment() const = 0;
  // The newest value of each metric by mode and name: "eval/accuracy".
  [[nodiscard]] virtual const std::map<std::string, double>& metrics() const = 0;
  // All that will ever be measured, by such names.
  [[nodiscard]] virtual std::vector<std::string> metric_names() const { return {}; }
  [[nodiscard]] virtual bool is_better_when_higher(const std::string& metric) const = 0;
  [[nodiscard]] virtual double seconds() const = 0;  // since training began or was resumed
  [[nodiscard]] virtual int64_t total_epochs() const = 0;
  // Share of that time in which the training waited for data.
  [[nodiscard]] virtual double data_wait_share() const { return 0; }
  // Whether a loss, a metric or a parameter of this epoch was no finite number, and the training
  // goes on with a warning: what is measured then, such as the accuracy of such scores, is no best.
  [[nodiscard]] virtual bool is_diverging() const { return false; }
  [[nodiscard]] virtual LostTime lost_time() const { return {}; }
  // Of the step that was done last, by "net", "net/<optimizer>" and "net/<group>".
  [[nodiscard]] virtual std::vector<std::pair<std::string, double>> learning_rates() const {
    return {};
  }

  // Training ends after this epoch; the reason is logged and shown.
  virtual void request_stop(const std::string& reason) = 0;
  // Training ends after this batch and is saved, to be resumed there; the reason is shown.
  virtual void request_pause(const std::string& reason) { (void)reason; }
  // All eval sets are measured before the next batch, unless this is an epoch's last, after which
  // they are anyway.
  virtual void request_evaluation() = 0;
  // From the next step on, the learning rates of the model's optimizers, of all models for an empty
  // name, are multiplied by this, whatever their schedules say. It is part of every checkpoint.
  virtual void scale_learning_rate(const std::string& model, double factor) {
    (void)model;
    (void)factor;
  }
  // While the loss of a training batch is told (Occasion::kLoss): it is not to be learned from.
  // Only for a trace whose `undoes` says so.
  virtual void refuse_batch(Undo undo, const std::string& reason) {
    (void)undo;
    (void)reason;
  }
  // Saves a checkpoint under a name of its own, such as "best": a copy, written in the background,
  // before any checkpoint of a step that comes after it. One that fails is tried again; until it is
  // safe, checkpoints of steps hold it, so that a trace's state may take it for saved.
  virtual void save(const std::string& name) = 0;
  // Removes one that the trace saved before; nothing happens when it is not there.
  virtual void remove_saved(const std::string& name) { (void)name; }

  // One line of the run log. Its kind says whose it is, such as "gradient_watch"; step and epoch
  // are filled in. Nothing happens where no run is kept.
  virtual void record(Event event) = 0;
  // The same for what is the process's own, such as rates and memory: a line of the history, which
  // a resume does not cut.
  virtual void record_of_process(Event event) { (void)event; }
  // A file in the run folder, tables/<name>/step-<N>.csv or images/<name>/step-<N>.png, which an
  // event of the log names; written in the background. The path within the run folder.
  virtual std::string save_table(const std::string& name, RunTable table) = 0;
  // Bytes, or numbers from 0 for black to 1 for white: [height, width] or [channels, height, width]
  // with 1, 3 or 4 channels.
  virtual std::string save_image(const std::string& name, const at::Tensor& image) = 0;
  // Any other file, files/<name>/step-<N><ending>; `content` is asked for in the background, and
  // must hold what it needs. One with times in it is `of_process`: the history names it, not the
  // log.
  virtual std::string save_file(const std::string& name, const std::string& ending,
                                std::function<std::string()> content, bool of_process = false) {
    (void)name, (void)ending, (void)content, (void)of_process;
    return "";
  }
  // The weights of all models, those that are averaged as averages, with config and specs:
  // weights/<name>/step-<N>.safetensors.
  virtual std::string save_weights(const std::string& name) {
    (void)name;
    return "";
  }
  // Rows at the end of tables/<name>.csv, which has `bytes` by now; with 0 it is begun, with the
  // columns' names. How many bytes it then has: the trace remembers them, so that a resume cuts off
  // what came after its checkpoint.
  [[nodiscard]] virtual uint64_t append_table(const std::string& name, RunTable table,
                                              uint64_t bytes) {
    (void)name, (void)table;
    return bytes;
  }
  // Removes a file by the path that one of these gave, after all that were asked for before.
  virtual void remove_file(const std::string& path) { (void)path; }

  // The layers of the models whose paths, the model's name first, fit a pattern such as
  // `net.features.*`; none where no network runs. Hooks on them are the trace's to remove.
  [[nodiscard]] virtual std::vector<Layer*> layers(const std::string& pattern) {
    (void)pattern;
    return {};
  }
  // The parameters by "net/0.weight", to look at: as they lie in memory, so that the order of their
  // values may be another than their shape says. Weights that are packed stay so.
  [[nodiscard]] virtual std::vector<NamedTensor> parameters() { return {}; }
  // Models and optimizers, in memory of their own; and back to that, at the end of an epoch.
  [[nodiscard]] virtual State models_state() { return {}; }
  virtual void restore_models(const State& state) { (void)state; }
  // Before an evaluation, or at the end of an epoch: the model's statistics of batch norms become
  // those of its weights as they are, or their averages, over so many batches of the training data,
  // 0 for all of an epoch's. False when it was interrupted, and nothing has changed.
  virtual bool renew_statistics(const std::string& model, int64_t batches) {
    (void)model, (void)batches;
    return true;
  }
  // A value that is no finite number, such as "the key 'logits'": what becomes of the training is
  // as `train.on_nan` says. It may throw.
  virtual void report_not_finite(const std::string& what, double value) { (void)what, (void)value; }

  // Of the step that was just done, by the bits: {"losses": {"loss": "..."}, "parameters": "...",
  // "state": "..."}, the last with all that optimizers keep. Reads every parameter; empty where no
  // network runs.
  [[nodiscard]] virtual Json digests() { return Json::object(); }

  virtual void show(const Progress& progress) = 0;
  // A line for whoever started the training.
  virtual void notice(const std::string& text) const = 0;
};

}  // namespace hearth
