// Layers of an experiment's models, by path or pattern.
#include "hearth/train/model_layers.h"

#include <algorithm>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/nn/layer.h"

namespace hearth {

std::vector<Layer*> layers_matching(const ModelSet& models, const std::string& pattern) {
  std::vector<Layer*> found;
  for (const auto& model : models.all()) {
    if (!model->is_built()) continue;
    const bool is_named = pattern.starts_with(model->name() + ".");
    const std::string below = is_named ? pattern.substr(model->name().size() + 1) : pattern;
    for (Layer* layer : model->layer().matching(below)) found.push_back(layer);
  }
  return found;
}

void require_layers(const std::string& who, const std::vector<std::string>& patterns,
                    const ModelSet& models) {
  const auto is_built = [](const auto& model) { return model->is_built(); };
  if (!std::all_of(models.all().begin(), models.all().end(), is_built)) return;
  for (const std::string& pattern : patterns) {
    if (!layers_matching(models, pattern).empty()) continue;
    std::vector<std::string> known;
    for (const auto& model : models.all())
      for (const std::string& path : model->layer().tree().paths_below()) known.push_back(path);
    throw GraphError(who + " listens to " + quote(pattern) + ", but no layer is called so." +
                     did_you_mean(pattern, known) + " `hearth summary` lists them.");
  }
}

}  // namespace hearth
