// Gives a model its `average`.
#include "hearth/experiment/techniques/average.h"

#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/experiment/rewrite.h"

namespace hearth::techniques {
namespace {

// Those that change while training.
std::vector<std::string> trained_models(const Node& models) {
  std::vector<std::string> names;
  for (const Node::Entry& entry : models.entries())
    if (has_value(entry.value, "optimizer")) names.push_back(entry.key);
  return names;
}

class Average : public Technique {
 public:
  using Options = AverageOptions;
  explicit Average(Options options) : options_(std::move(options)) {}

  Node apply(const Node& config) const override {
    Node changed = config;
    Node* models = changed.find("models");
    const std::string name = name_in(models == nullptr ? Node::map() : *models);
    Node& model = *models->find(name);
    if (has_value(model, "average"))
      throw ConfigError("model " + quote(name) + " has an average already, of decay " +
                        model.find("average")->describe() + "; say it in one place.");
    model.set("average", Node::scalar(shortest_number(options_.decay)));
    return changed;
  }

 private:
  [[nodiscard]] std::string name_in(const Node& models) const {
    const std::vector<std::string> names = trained_models(models);
    if (names.empty())
      throw ConfigError("does not apply: no model has an optimizer to move what is averaged.");
    if (!options_.model && names.size() == 1) return names.front();
    if (!options_.model)
      throw ConfigError("does not know which model to take: " + quoted_names(names) +
                        " are trained. Name one with `model`.");
    for (const std::string& name : names)
      if (name == *options_.model) return name;
    const bool is_there = models.find(*options_.model) != nullptr;
    throw ConfigError("does not apply: " + (is_there
                                                ? "model " + quote(*options_.model) +
                                                      " has no optimizer to move what is averaged."
                                                : "there is no model " + quote(*options_.model) +
                                                      "." + did_you_mean(*options_.model, names)));
  }

  Options options_;
};

}  // namespace

const Schema<AverageOptions>& AverageOptions::schema() {
  using O = AverageOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::decay, "decay",
                 "Share of the average that a step keeps. Evaluation, prediction and export use "
                 "the averages.",
                 at_least(0), below(1))
          .field(&O::model, "model", "Which model. Left out: the only one that is trained.",
                 not_empty());
  return schema;
}

Choice<Technique> average(AverageOptions options) { return choose<Technique>("average", options); }

void register_average(Registry<Technique>& registry) {
  registry.add<Average>("average", "Evaluates with an exponential average of the weights.");
}

}  // namespace hearth::techniques
