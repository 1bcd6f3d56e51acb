// Puts a `weight_penalty` before a model's update, which then goes down the loss with it, and logs
// the penalty.
#include "hearth/experiment/techniques/regularize.h"

#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/experiment/penalties.h"
#include "hearth/experiment/rewrite.h"

namespace hearth::techniques {
namespace {

constexpr double kUsualSquares = 1e-4;

bool has_other_price(const RegularizeOptions& options) {
  return options.l1 > 0 || options.orthogonal > 0;
}

class Regularize : public Technique {
 public:
  using Options = RegularizeOptions;
  explicit Regularize(Options options) : options_(std::move(options)) {}

  Node apply(const Node& config) const override {
    Node changed = config;
    add_penalty(changed, {options_.name, options_.model, prices()});
    return changed;
  }

 private:
  [[nodiscard]] std::vector<std::pair<std::string, Node>> prices() const {
    std::vector<std::pair<std::string, Node>> options = {{"match", text_list(options_.match)}};
    const auto add = [&](const char* name, double price) {
      if (price > 0) options.emplace_back(name, Node::scalar(shortest_number(price)));
    };
    add("l1", options_.l1);
    add("l2", options_.l2.value_or(has_other_price(options_) ? 0 : kUsualSquares));
    add("orthogonal", options_.orthogonal);
    if (options_.vectors) options.emplace_back("vectors", Node::scalar("true"));
    return options;
  }

  Options options_;
};

}  // namespace

const Schema<RegularizeOptions>& RegularizeOptions::schema() {
  using O = RegularizeOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::match, "match",
                 "Paths of layers or parameters below the model, or patterns such as features.*.",
                 not_empty())
          .field(&O::l1, "l1", "Price of the sum of sizes.", at_least(0))
          .field(&O::l2, "l2",
                 "Price of the sum of squares. Left out: 0.0001, where nothing else has a price.",
                 at_least(0))
          .field(&O::orthogonal, "orthogonal",
                 "Price of how far rows of a weight are from right angles and length 1.",
                 at_least(0))
          .field(&O::vectors, "vectors", "Also biases and other parameters of one dimension.")
          .field(&O::name, "name", "What the penalty is called in the log.", not_empty())
          .field(&O::model, "model", "Which model. Left out: the only one that is moved.",
                 not_empty())
          .check("needs a price: l1, l2 or orthogonal above 0.", [](const O& options) {
            return has_other_price(options) || options.l2.value_or(kUsualSquares) > 0;
          });
  return schema;
}

Choice<Technique> regularize(RegularizeOptions options) {
  return choose<Technique>("regularize", options);
}

void register_regularize(Registry<Technique>& registry) {
  registry.add<Regularize>("regularize",
                           "Adds a price on weights to the loss of a model, and logs it.");
}

}  // namespace hearth::techniques
