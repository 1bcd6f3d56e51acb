// More epochs when the config has too few.
#include "techniques/open_at_least.h"

#include "hearth/base/text.h"
#include "hearth/config/registry.h"

namespace hearth::techniques {
namespace {

class OpenAtLeast : public Technique {
 public:
  using Options = OpenAtLeastOptions;
  explicit OpenAtLeast(Options options) : options_(options) {}

  Node apply(const Node& config) const override {
    Node changed = config;
    if (changed.find("train") == nullptr) changed.set("train", Node::map());
    Node& train = *changed.find("train");
    const Node* epochs = train.find("epochs");
    if (epochs == nullptr || read_integer(epochs->text()).value_or(1) < options_.epochs)
      train.set("epochs", Node::scalar(std::to_string(options_.epochs)));
    return changed;
  }

 private:
  Options options_;
};

}  // namespace

const Schema<OpenAtLeastOptions>& OpenAtLeastOptions::schema() {
  using O = OpenAtLeastOptions;
  static const auto schema =
      Schema<O>().field(&O::epochs, "epochs", "The fewest epochs to train.", at_least(1));
  return schema;
}

Choice<Technique> open_at_least(OpenAtLeastOptions options) {
  return choose<Technique>("open_at_least", options);
}

void register_open_at_least(Registry<Technique>& registry) {
  registry.add<OpenAtLeast>("open_at_least", "Trains for some epochs at least.");
}

}  // namespace hearth::techniques
