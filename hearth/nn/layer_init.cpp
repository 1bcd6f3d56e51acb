// First values that a config chooses.
#include "hearth/nn/layer_init.h"

#include <ATen/ops/empty.h>
#include <c10/core/GradMode.h>

#include <algorithm>

#include "hearth/base/error.h"
#include "hearth/base/pattern.h"
#include "hearth/base/text.h"
#include "hearth/config/place.h"
#include "hearth/config/registry.h"
#include "hearth/nn/init.h"
#include "hearth/nn/initializer.h"

namespace hearth {
namespace {

// Always made on the CPU, so that every device starts from the same values.
void fill_parameter(const Initializer& initializer, const at::Tensor& parameter,
                    const BuildContext& context, const std::string& path) {
  at::Tensor values = at::empty(parameter.sizes(), at::kFloat);
  initializer.fill(values, init_generator(context, path));
  parameter.copy_(values);
}

// One entry of an `init`.
class InitRule {
 public:
  InitRule(const Layer& layer, const Node::Entry& entry)
      : layer_(layer),
        pattern_(entry.key),
        choice_(TypeOf<Choice<Initializer>>::read(entry.value)),
        initializer_(registry<Initializer>().make(choice_)) {}

  void apply(const BuildContext& context) const {
    bool fills = false;
    std::string reason;
    for (const auto& [name, parameter] : layer_.parameters()) {
      if (!matches_within(pattern_, name)) continue;
      const std::string misfit = initializer_->misfit(parameter.sizes());
      if (reason.empty()) reason = misfit;
      if (!misfit.empty()) continue;
      fill_parameter(*initializer_, parameter, context, below_model(context, name));
      fills = true;
    }
    if (!fills) throw_unmet(reason);
  }

 private:
  // The parameter's path from the model on: its stream of random numbers is that of its first
  // values without `init`.
  [[nodiscard]] std::string below_model(const BuildContext& context,
                                        const std::string& name) const {
    const std::string& path = layer_.path();
    return path == context.path ? name : path.substr(context.path.size() + 1) + "." + name;
  }

  [[noreturn]] void throw_unmet(const std::string& reason) const {
    std::vector<std::string> names;
    for (const auto& [name, parameter] : layer_.handles()) names.push_back(name);
    if (reason.empty())
      throw GraphError("init: no parameter of " + quote(layer_.path()) + " is called " +
                       quote(pattern_) + "." + did_you_mean(pattern_, names));
    throw GraphError("init: " + quote(choice_.name()) + " does not fit " + quote(pattern_) +
                     " of " + quote(layer_.path()) + ": " + reason +
                     ". Use another, such as normal or zeros.");
  }

  const Layer& layer_;
  std::string pattern_;
  Choice<Initializer> choice_;
  std::unique_ptr<Initializer> initializer_;
};

}  // namespace

void apply_initializers(Layer& layer, const BuildContext& context) {
  const c10::AutoGradMode no_grad(false);
  if (const Node* init = layer.choice().options().find("init"); init != nullptr && init->is_map())
    for (const Node::Entry& entry : init->entries())
      at_place(entry.mark, [&] { InitRule(layer, entry).apply(context); });
  for (const auto& [name, child] : layer.children()) apply_initializers(*child, context);
}

}  // namespace hearth
