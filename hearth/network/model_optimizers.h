// The optimizers of one model, and the groups of its parameters.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hearth/experiment/options.h"
#include "hearth/optim/optimizer.h"

namespace hearth {

class ModelOptimizers {
 public:
  struct Named {
    std::string name;  // empty for the model's `optimizer`
    Choice<Optimizer> choice;
    std::unique_ptr<Optimizer> optimizer;
  };
  ModelOptimizers(std::string model, const ModelOptions& options);
  // Before `attach`: this process, of so many, moves and remembers a share of all values.
  struct Sharer {
    int rank = 0;
    int ranks = 1;
  };
  void share_among(const Sharer& sharer) { sharer_ = sharer; }
  // Gives every parameter to the one that moves it; tensors with several names count once, by the
  // first. GraphError for a group that matches nothing, with the nearest path, and for an optimizer
  // that has nothing to move.
  void attach(const std::vector<NamedTensor>& parameters, Kernels kernels,
              std::optional<double> average);
  [[nodiscard]] const std::vector<Named>& all() const { return all_; }
  // Of that name, or all for an empty one; ConfigError with the nearest name.
  [[nodiscard]] std::vector<Optimizer*> find(const std::string& name) const;

  // Whether one of them learns averages by itself, and whether one depends on parameters' shapes.
  [[nodiscard]] bool have_own_averages() const;
  [[nodiscard]] bool need_shapes() const;

  // Before a batch: whose groups are frozen then gets no gradients.
  void follow_groups(const Moment& moment);
  // Learning rates are multiplied by it from here on, beside what they were before.
  void scale_rates(double factor);
  // By "net", "net/<optimizer>" and "net/<group>", for groups with a factor that are in force.
  [[nodiscard]] std::vector<std::pair<std::string, double>> learning_rates(
      const Moment& moment) const;

  // As optimizer/<...>, others as optimizers/<name>/<...>.
  [[nodiscard]] State state() const;
  void restore(const State& state);
  // With shares, as Optimizer says.
  [[nodiscard]] State common_state() const;
  [[nodiscard]] State whole_state(const std::vector<State>& of_ranks) const;
  [[nodiscard]] int64_t shared_bytes() const;
  // What all of them will remember, as Optimizer says.
  [[nodiscard]] int64_t expected_bytes() const;
  // What would be remembered, for who shares it out: by <optimizer>/<parameter>.
  [[nodiscard]] std::vector<SharedParameter> shared_parameters() const;
  // Averages that a saved state has, by parameter.
  [[nodiscard]] std::vector<NamedTensor> saved_averages(const State& state) const;

 private:
  void check_groups(const std::vector<NamedTensor>& parameters) const;
  void check_hidden(const std::vector<NamedTensor>& parameters, size_t group) const;
  // By its place in `all_`.
  [[nodiscard]] size_t owner(const std::string& parameter) const;
  void set_groups(Named& named) const;
  void check_sharing() const;
  void share_out_values();
  [[nodiscard]] std::shared_ptr<const Optimizer> with_decay(const Named& named, const Node& decay,
                                                            const std::string& who) const;

  std::string model_;
  std::vector<ParameterGroup> groups_;
  bool decays_all_;
  std::optional<Sharer> sharer_;
  std::vector<Named> all_;
};

}  // namespace hearth
