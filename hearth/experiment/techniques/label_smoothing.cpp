// Gives a cross_entropy its `label_smoothing`.
#include "hearth/experiment/techniques/label_smoothing.h"

#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/experiment/class_losses.h"
#include "hearth/experiment/rewrite.h"

namespace hearth::techniques {
namespace {

// C++ writes the default out: 0 is none.
bool is_smooth(const Node& loss) {
  return has_value(loss, "label_smoothing") &&
         read_number(loss.find("label_smoothing")->text()) != 0.0;
}

class LabelSmoothing : public Technique {
 public:
  using Options = LabelSmoothingOptions;
  explicit LabelSmoothing(Options options) : options_(std::move(options)) {}

  Node apply(const Node& config) const override {
    Node changed = config;
    const ListedComponent loss = class_loss_of(changed, options_.loss);
    if (is_smooth(*loss.options))
      throw ConfigError(loss.label + " smooths labels already, by " +
                        loss.options->find("label_smoothing")->describe() +
                        "; say it in one place.");
    loss.options->set("label_smoothing", Node::scalar(shortest_number(options_.amount)));
    return changed;
  }

 private:
  Options options_;
};

}  // namespace

const Schema<LabelSmoothingOptions>& LabelSmoothingOptions::schema() {
  using O = LabelSmoothingOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::amount, "amount", "Share of certainty spread over all classes.", above(0),
                 at_most(1))
          .field(&O::loss, "loss", "Key of the cross_entropy to change. Left out: of the only one.",
                 not_empty());
  return schema;
}

Choice<Technique> label_smoothing(LabelSmoothingOptions options) {
  return choose<Technique>("label_smoothing", options);
}

void register_label_smoothing(Registry<Technique>& registry) {
  registry.add<LabelSmoothing>("label_smoothing", "Trains towards labels that are less certain.");
}

}  // namespace hearth::techniques
