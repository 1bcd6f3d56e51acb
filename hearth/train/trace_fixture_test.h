// For tests: a trace that notes what it is told, and does what the test says.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "hearth/config/registry.h"
#include "hearth/data/sources/synthetic.h"
#include "hearth/experiment/options.h"
#include "hearth/network/ops/cross_entropy.h"
#include "hearth/nn/layers/composition/sequential.h"
#include "hearth/nn/layers/linear.h"
#include "hearth/nn/layers/shape/flatten.h"
#include "hearth/optim/optimizers/sgd.h"
#include "hearth/train/trace.h"

namespace hearth {

// What all ears of the test that runs are to hear, and have heard.
struct Heard {
  std::vector<Interest> interests = {};
  std::vector<std::string> keys = {};
  std::vector<std::string> notes = {};
  std::function<void(const Happening&, RunControl&)> act = {};
};
inline Heard& heard() {
  static Heard now;
  return now;
}

struct EarOptions {
  static const Schema<EarOptions>& schema() {
    static const Schema<EarOptions> fields;
    return fields;
  }
};

class Ear : public Trace {
 public:
  using Options = EarOptions;
  explicit Ear(const EarOptions&) {}
  [[nodiscard]] std::vector<std::string> reads() const override { return heard().keys; }
  [[nodiscard]] std::vector<Interest> interests() const override { return heard().interests; }
  void hear(const Happening& happening, RunControl& run) override {
    heard().notes.push_back(happening.set + " " + std::to_string(happening.step) + " " +
                            std::string(name(happening.occasion)));
    if (heard().act) heard().act(happening, run);
  }
};

inline Choice<Trace> ear(Heard wanted) {
  registry<Trace>().add<Ear>("ear", "Notes what it is told.");
  heard() = std::move(wanted);
  return choose<Trace>("ear", EarOptions());
}

// Two steps of eight samples per epoch, and an evaluation of one batch.
inline ExperimentOptions heard_experiment(Heard wanted) {
  ExperimentOptions options;
  options.name = "heard";
  options.data.train = sources::synthetic({.size = 16, .shape = {1, 2, 2}, .classes = 3});
  options.data.eval = sources::synthetic({.size = 8, .shape = {1, 2, 2}, .classes = 3, .seed = 1});
  options.data.batch_size = 8;
  options.model = layers::sequential({{layers::flatten(), layers::linear()}});
  options.loss = network_ops::cross_entropy();
  options.optimizer = optimizers::sgd({.lr = 0.1});
  options.train.epochs = 2;
  options.train.traces = {ear(std::move(wanted))};
  return options;
}

}  // namespace hearth
