// Keys that stand for gradients.
#include "hearth/network/gradient_keys.h"

#include <algorithm>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/network/model.h"

namespace hearth {
namespace {

bool has_model(const GradientKey& key, const Model* model) {
  return std::find(key.models.begin(), key.models.end(), model) != key.models.end();
}

[[noreturn]] void throw_updated(const Model& model) {
  throw ConfigError("an `update` moves the model " + quote(model.name()) +
                    ", and a `backward` writes its gradients as a key. Use one of both: update "
                    "alone, or backward and step.");
}

}  // namespace

const GradientKey& GradientKeys::claim(const std::string& key, const std::vector<Model*>& models) {
  const GradientKey* own = nullptr;
  for (const auto& known : keys_) {
    if (known->name == key) own = known.get();
    for (const Model* model : models)
      if (known->name != key && has_model(*known, model))
        throw ConfigError("the gradients of the model " + quote(model->name()) + " have the key " +
                          quote(known->name) + " already. Write " + quote(known->name) +
                          " again, after a step has used it; or add to it, with `in`.");
  }
  for (const Model* model : models)
    if (updated_.contains(model)) throw_updated(*model);
  if (own == nullptr) return *keys_.emplace_back(new GradientKey{key, models});
  if (own->models == models) return *own;
  throw ConfigError("the key " + quote(key) +
                    " stands for gradients of other models already. Name the same models, or "
                    "another key.");
}

void GradientKeys::claim_for_update(const Model& model) {
  for (const auto& known : keys_)
    if (has_model(*known, &model)) throw_updated(model);
  updated_.insert(&model);
}

const GradientKey& GradientKeys::find(const std::string& key) const {
  std::vector<std::string> names;
  for (const auto& known : keys_) {
    if (known->name == key) return *known;
    names.push_back(known->name);
  }
  throw ConfigError("no backward before it writes gradients as " + quote(key) +
                    ". Put `backward: {model: ..., loss: ..., out: " + key + "}` before it." +
                    did_you_mean(key, names));
}

}  // namespace hearth
