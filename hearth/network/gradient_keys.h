// Keys that stand for gradients. The gradients themselves lie with the parameters of the models; a
// key says whose they are, and orders the ops that write, change and use them.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

namespace hearth {

class Model;

struct GradientKey {
  std::string name;
  std::vector<Model*> models;
};

class GradientKeys {
 public:
  // For a backward. ConfigError when the gradients of one of the models have another key, or the
  // key belongs to other models: there is one place for a model's gradients.
  const GradientKey& claim(const std::string& key, const std::vector<Model*>& models);
  // For an op that makes steps of gradients that it finds by itself.
  void claim_for_update(const Model& model);
  // For whoever reads the key; ConfigError with the nearest one.
  [[nodiscard]] const GradientKey& find(const std::string& key) const;

 private:
  std::vector<std::unique_ptr<GradientKey>> keys_;
  std::set<const Model*> updated_;
};

}  // namespace hearth
