// Weights beside a model's layer: the same as `weights` of the config, by a file and by overrides.
#include <gtest/gtest.h>

#include "hearth/base/error.h"
#include "hearth/config/yaml.h"
#include "hearth/experiment/load.h"
#include "hearth/train/live_catalog.h"

namespace hearth {
namespace {

const std::string kFile = std::string(HEARTH_SOURCE_DIR) + "/tests/corpus/pt/state_dict.pt";
const std::string kOther = std::string(HEARTH_SOURCE_DIR) + "/tests/corpus/pt/list.pt";

// The file that the one model begins with, and whether names must fit.
std::string begun_with(const std::string& model, const std::vector<std::string>& overrides) {
  const Node config = parse_yaml(
      "data: {train: digits}\nloss: cross_entropy\noptimizer: adamw\nmodel: " + model, "mine.yaml");
  const LoadedExperiment loaded = load_experiment(config, overrides, live_catalog());
  const Node& weights = *loaded.effective.find("models")->find("net")->find("weights");
  return weights.find("file")->text() + " " + weights.find("strict")->text();
}

TEST(WeightsBesideALayer, AreOverriddenByThePathTheyHaveInTheFile) {
  const std::string model = "{mlp: {}, weights: {file: " + kFile + "}}";
  EXPECT_EQ(begun_with(model, {}), kFile + " true");
  EXPECT_EQ(begun_with(model, {"model.weights.strict=false"}), kFile + " false");
  EXPECT_EQ(begun_with(model, {"model.weights.file=" + kOther}), kOther + " true");
  EXPECT_EQ(begun_with("mlp", {"model.weights={file: " + kFile + "}"}), kFile + " true");
}

TEST(WeightsBesideALayer, ComeWithAModelThatAnOverrideChooses) {
  const std::string chosen = "model={lenet: {}, weights: {file: " + kOther + "}}";
  EXPECT_EQ(begun_with("mlp", {chosen}), kOther + " true");
  EXPECT_EQ(begun_with("{mlp: {}, weights: {file: " + kFile + "}}", {chosen}), kOther + " true");
}

TEST(WeightsBesideALayer, AreRefusedInAFileThatHasOthersToo) {
  EXPECT_THROW(
      (void)begun_with("{mlp: {}, weights: {file: " + kFile + "}}\nweights: {file: " + kOther + "}",
                       {}),
      ConfigError);
}

}  // namespace
}  // namespace hearth
