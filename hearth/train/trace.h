// A trace observes training from the host: it sees moments and metrics, and may ask for things.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "hearth/config/time.h"
#include "hearth/core/spec.h"

namespace hearth {

// How far training is, for whoever shows it to a person.
struct Progress {
  Moment moment;
  int64_t total_epochs = 0;
  double steps_per_second = 0;
  double samples_per_second = 0;
  double seconds_left = 0;
  bool is_epoch_end = false;
  std::map<std::string, double> metrics;  // "train/loss", "eval/accuracy"
};

// What a trace may see and ask for.
class RunControl {
 public:
  virtual ~RunControl() = default;
  [[nodiscard]] virtual const Moment& moment() const = 0;
  // The newest value of each metric by mode and name: "eval/accuracy".
  [[nodiscard]] virtual const std::map<std::string, double>& metrics() const = 0;
  [[nodiscard]] virtual bool is_better_when_higher(const std::string& metric) const = 0;
  [[nodiscard]] virtual double seconds() const = 0;  // since training began or was resumed
  [[nodiscard]] virtual int64_t total_epochs() const = 0;
  // Training ends after this epoch; the reason is logged and shown.
  virtual void request_stop(const std::string& reason) = 0;
  // Saves a checkpoint under a name of its own, such as "best", durable before training goes on.
  // One that fails is tried again later; traces hear of both (`on_save_failed`, `on_save_made_up`).
  virtual void save(const std::string& name) = 0;
  virtual void show(const Progress& progress) = 0;
  // A line for whoever started the training.
  virtual void notice(const std::string& text) const = 0;
};

class Trace {
 public:
  virtual ~Trace() = default;
  // Metrics it watches; a name that nothing measures is refused before training.
  [[nodiscard]] virtual std::vector<std::string> monitors() const { return {}; }
  // Names of the checkpoints it may save; no two traces have one in common.
  [[nodiscard]] virtual std::vector<std::string> saves() const { return {}; }
  virtual void on_begin(RunControl& run) { (void)run; }
  virtual void on_step(RunControl& run) { (void)run; }
  // After evaluation, when all of the epoch's metrics are known.
  virtual void on_epoch(RunControl& run) { (void)run; }
  virtual void on_end(RunControl& run) { (void)run; }
  // A checkpoint that some trace asked for could not be written; later, that it was after all.
  virtual void on_save_failed(const std::string& name) { (void)name; }
  virtual void on_save_made_up(const std::string& name) { (void)name; }
  // What later decisions depend on; survives a kill and a resume.
  [[nodiscard]] virtual Json state() const;
  virtual void restore(const Json& state);
};

}  // namespace hearth
