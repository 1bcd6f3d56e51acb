// First values that a config chooses.
#include "hearth/nn/layer_init.h"

#include <c10/core/GradMode.h>

#include "hearth/base/error.h"
#include "hearth/base/pattern.h"
#include "hearth/base/text.h"
#include "hearth/config/place.h"
#include "hearth/config/registry.h"
#include "hearth/nn/init.h"
#include "hearth/nn/initializer.h"

namespace hearth {
namespace {

constexpr const char* kFirstValues = "first_values";

// One entry of an `init`.
class InitRule {
 public:
  InitRule(Layer& model, Layer& layer, const Node::Entry& entry)
      : model_(model),
        layer_(layer),
        pattern_(entry.key),
        choice_(TypeOf<Choice<Initializer>>::read(entry.value)),
        initializer_(registry<Initializer>().make(choice_)) {}

  void apply(const BuildContext& context) const {
    InitScope scope{model_, layer_, {}, [&](const std::string& name) {
                      return init_generator(context, below_model(context, name));
                    }};
    for (const NamedTensor& parameter : layer_.parameters())
      if (matches_within(pattern_, parameter.first)) scope.parameters.push_back(parameter);
    if (scope.parameters.empty()) throw_unknown();
    const std::string misfit = initializer_->fill_all(scope);
    if (!misfit.empty()) throw_misfit(misfit);
  }

 private:
  // The parameter's path from the model on: its stream of random numbers is that of its first
  // values without `init`.
  [[nodiscard]] std::string below_model(const BuildContext& context,
                                        const std::string& name) const {
    const std::string& path = layer_.path();
    return path == context.path ? name : path.substr(context.path.size() + 1) + "." + name;
  }

  [[noreturn]] void throw_unknown() const {
    std::vector<std::string> names;
    for (const auto& [name, parameter] : layer_.handles()) names.push_back(name);
    throw GraphError("init: no parameter of " + quote(layer_.path()) + " is called " +
                     quote(pattern_) + "." + did_you_mean(pattern_, names));
  }

  [[noreturn]] void throw_misfit(const std::string& reason) const {
    throw GraphError("init: " + quote(choice_.name()) + " does not fit " + quote(pattern_) +
                     " of " + quote(layer_.path()) + ": " + reason +
                     ". Use another, such as normal or zeros.");
  }

  Layer& model_;
  Layer& layer_;
  std::string pattern_;
  Choice<Initializer> choice_;
  std::unique_ptr<Initializer> initializer_;
};

void apply_rules(Layer& model, Layer& layer, const char* option, const BuildContext& context) {
  const Node* rules = layer.choice().options().find(option);
  if (rules != nullptr && rules->is_map())
    for (const Node::Entry& entry : rules->entries())
      at_place(entry.mark, [&] { InitRule(model, layer, entry).apply(context); });
  for (const auto& [name, child] : layer.children()) apply_rules(model, *child, option, context);
}

}  // namespace

Choice<Layer> starting_with(const Choice<Layer>& layer, const FirstValues& values) {
  Node rules = Node::map();
  for (const auto& [pattern, initializer] : values) rules.set(pattern, initializer.node());
  return layer.with(kFirstValues, std::move(rules));
}

void apply_initializers(Layer& model, const BuildContext& context) {
  const c10::AutoGradMode no_grad(false);
  apply_rules(model, model, kFirstValues, context);
  apply_rules(model, model, "init", context);
}

}  // namespace hearth
