// What a trace may see of a run, and ask of it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "hearth/config/time.h"
#include "hearth/core/run_log.h"
#include "hearth/train/run_progress.h"

namespace hearth {

class Layer;

// Written as CSV, the columns' names first.
struct RunTable {
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
};

// What is recorded and saved must follow from config and data alone, not from clocks or chance: a
// resumed run cuts the log back to its checkpoint and does what came after it again.
class RunControl {
 public:
  virtual ~RunControl() = default;
  [[nodiscard]] virtual const Moment& moment() const = 0;
  // The newest value of each metric by mode and name: "eval/accuracy".
  [[nodiscard]] virtual const std::map<std::string, double>& metrics() const = 0;
  [[nodiscard]] virtual bool is_better_when_higher(const std::string& metric) const = 0;
  [[nodiscard]] virtual double seconds() const = 0;  // since training began or was resumed
  [[nodiscard]] virtual int64_t total_epochs() const = 0;
  // Whether a loss, a metric or a parameter of this epoch was no finite number, and the training
  // goes on with a warning: what is measured then, such as the accuracy of such scores, is no best.
  [[nodiscard]] virtual bool is_diverging() const { return false; }

  // Training ends after this epoch; the reason is logged and shown.
  virtual void request_stop(const std::string& reason) = 0;
  // All eval sets are measured before the next batch, unless this is an epoch's last, after which
  // they are anyway.
  virtual void request_evaluation() = 0;
  // Saves a checkpoint under a name of its own, such as "best", durable before training goes on.
  // One that fails is tried again later; traces hear of both (`on_save_failed`, `on_save_made_up`).
  virtual void save(const std::string& name) = 0;

  // One line of the run log. Its kind says whose it is, such as "gradient_watch"; step and epoch
  // are filled in. Nothing happens where no run is kept.
  virtual void record(Event event) = 0;
  // A file in the run folder, tables/<name>/step-<N>.csv or images/<name>/step-<N>.png, which an
  // event of the log names; written in the background. The path within the run folder.
  virtual std::string save_table(const std::string& name, RunTable table) = 0;
  // Bytes, or numbers from 0 for black to 1 for white: [height, width] or [channels, height, width]
  // with 1, 3 or 4 channels.
  virtual std::string save_image(const std::string& name, const at::Tensor& image) = 0;

  // The layers of the models whose paths, the model's name first, fit a pattern such as
  // `net.features.*`; none where no network runs. Hooks on them are the trace's to remove.
  [[nodiscard]] virtual std::vector<Layer*> layers(const std::string& pattern) {
    (void)pattern;
    return {};
  }

  virtual void show(const Progress& progress) = 0;
  // A line for whoever started the training.
  virtual void notice(const std::string& text) const = 0;
};

}  // namespace hearth
