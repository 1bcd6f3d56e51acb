// Puts a model beside another one that is its mean over the last part of the training, and is
// evaluated, predicted with and exported in its place. Izmailov et al., Averaging Weights Leads to
// Wider Optima and Better Generalization.
#include "hearth/experiment/techniques/swa.h"

#include <algorithm>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/experiment/rewrite.h"
#include "hearth/experiment/updates.h"

namespace hearth::techniques {
namespace {

// What of a model is about how it learns: the mean only follows.
constexpr const char* kLearning[] = {"optimizer", "optimizers", "average", "groups", "weights"};

class Swa : public Technique {
 public:
  using Options = SwaOptions;
  explicit Swa(Options options) : options_(std::move(options)) {}

  Node apply(const Node& config) const override {
    Node changed = config;
    const ListedUpdate update = update_of(changed, options_.model);
    const std::string mean = update.model + "_mean";
    add_model(changed, update.model, mean);
    std::vector<Node>& ops = component_list(changed, "network").items();
    ops.insert(ops.begin() + static_cast<std::ptrdiff_t>(update.index) + 1,
               {copying(update.model, mean), averaging(update.model, mean)});
    share_calls(changed, update.model, mean);
    if (options_.recalibrate)
      component_list(changed, "train.traces").items().push_back(recalibrating(mean));
    return changed;
  }

 private:
  static void add_model(Node& config, const std::string& model, const std::string& mean) {
    Node& models = *config.find("models");
    if (models.find(mean) != nullptr)
      throw ConfigError("does not apply: there is a model " + quote(mean) + " already.");
    Node copy = *models.find(model);
    if (has_value(copy, "average"))
      throw ConfigError("does not apply: the model " + quote(model) +
                        " has an average already; evaluate one or the other.");
    for (const char* option : kLearning) copy.erase(option);
    copy.set("trainable", Node::scalar("false"));
    models.set(mean, std::move(copy));
  }

  // Until then it is the model itself, so that what is evaluated is never something untrained.
  [[nodiscard]] Node copying(const std::string& model, const std::string& mean) const {
    return component("follow", {{"model", Node::scalar(mean)},
                                {"of", Node::scalar(model)},
                                {"decay", Node::scalar("0")},
                                {"until", Node::scalar(options_.from.text())}});
  }
  [[nodiscard]] Node averaging(const std::string& model, const std::string& mean) const {
    std::vector<std::pair<std::string, Node>> options = {
        {"model", Node::scalar(mean)},
        {"of", Node::scalar(model)},
        {"mean", Node::scalar("true")},
        {"from", Node::scalar(options_.from.text())}};
    if (options_.every) options.emplace_back("every", Node::scalar(options_.every->text()));
    return component("follow", options);
  }
  [[nodiscard]] Node recalibrating(const std::string& mean) const {
    return component("recalibrate",
                     {{"model", Node::scalar(mean)}, {"from", Node::scalar(options_.from.text())}});
  }

  // The model's own calls stay for training, with one of the mean behind each for the rest.
  static void share_calls(Node& config, const std::string& model, const std::string& mean) {
    std::vector<Node>& ops = component_list(config, "network").items();
    std::vector<Node> shared;
    for (Node& op : ops) {
      Node* call = op.find("call");
      if (call == nullptr || text_or(*call, "model", "net") != model) {
        shared.push_back(std::move(op));
        continue;
      }
      if (has_value(*call, "when"))
        throw ConfigError("does not apply: a call of the model " + quote(model) +
                          " has a `when` of its own. Write the mean's calls out: a model that "
                          "`follow` makes the mean, and the trace recalibrate.");
      Node other = op;
      call->set("when", Node::scalar("train"));
      other.find("call")->set("model", Node::scalar(mean));
      other.find("call")->set("when", text_list({"eval", "test", "infer"}));
      shared.push_back(std::move(op));
      shared.push_back(std::move(other));
    }
    ops = std::move(shared);
  }

  Options options_;
};

}  // namespace

const Schema<SwaOptions>& SwaOptions::schema() {
  using O = SwaOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::from, "from", "When the mean begins; until then it is the model itself.")
          .field(&O::every, "every", "How often weights go into the mean. Left out: every step.")
          .field(&O::recalibrate, "recalibrate",
                 "Measure statistics of batch norms for the mean before each evaluation, by a pass "
                 "over the training data.")
          .field(&O::model, "model", "Which model. Left out: the only one that is moved.",
                 not_empty());
  return schema;
}

Choice<Technique> swa(SwaOptions options) { return choose<Technique>("swa", options); }

void register_swa(Registry<Technique>& registry) {
  registry.add<Swa>("swa", "Evaluates with the mean of the weights over the end of the training.");
}

}  // namespace hearth::techniques
