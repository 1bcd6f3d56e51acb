// Every default written out.
#include <gtest/gtest.h>

#include "hearth/config/sample_catalog_test.h"
#include "hearth/config/validate.h"
#include "hearth/config/yaml.h"

namespace hearth {
namespace {

Node full(const std::string& yaml) {
  const Catalog& catalog = sample::catalog();
  return with_defaults(parse_yaml(yaml, "a.yaml"), catalog.experiment, catalog);
}

TEST(WithDefaults, FillsEverythingInTheOrderOfTheSchema) {
  EXPECT_EQ(to_yaml(full("train: {epochs: 2}\nname: x")),
            "name: x\n"
            "data:\n"
            "  batch_size: 32\n"
            "  ops: []\n"
            "  classes: []\n"
            "optimizer: null\n"
            "train:\n"
            "  epochs: 2\n"
            "  clip: null\n"
            "  traces:\n"
            "    - progress: {}\n"
            "sizes: {}\n"
            "stop: 1ep\n"
            "modes: [train, eval, test, infer]\n");
}

TEST(WithDefaults, FillsComponentsAndWritesTheirLongForm) {
  EXPECT_EQ(to_yaml_line(*full("optimizer: sgd").find("optimizer")),
            "{sgd: {lr: 0.1, momentum: 0, nesterov: false}}");
  EXPECT_EQ(to_yaml_line(*full("optimizer: {adamw: {lr: cosine}}").find("optimizer")),
            "{adamw: {lr: {cosine: {peak: 0.1, warmup: 0st}}, betas: [0.9, 0.999], weight_decay: "
            "0.01}}");
}

TEST(WithDefaults, KeepsSharedFieldsOnlyWhereGiven) {
  EXPECT_EQ(
      to_yaml_line(*full("data: {ops: {random_shift: {when: train}}}").find("data")->find("ops")),
      "[{random_shift: {key: image, pixels: 1, when: train}}]");
}

TEST(WithDefaults, LeavesOutWhatIsRequired) { EXPECT_EQ(full("{}").find("name"), nullptr); }

TEST(WithDefaults, PassesValidationAndChangesNothingTheSecondTime) {
  const Catalog& catalog = sample::catalog();
  const Node once = full("{name: x, optimizer: sgd, data: {ops: flip}, sizes: {a: 2}}");
  throw_faults(validate(once, catalog.experiment, catalog));
  EXPECT_EQ(with_defaults(once, catalog.experiment, catalog), once);
}

TEST(WithDefaults, MarksDefaultsWithTheMapThatLeftThemOut) {
  const Node config = full("name: x\noptimizer: {sgd: {momentum: 0.5}}");
  const Node& sgd = *config.find("optimizer")->find("sgd");
  EXPECT_EQ(sgd.find("lr")->mark().text(), "a.yaml:2:18");
  EXPECT_EQ(sgd.find("momentum")->mark().text(), "a.yaml:2:29");
}

}  // namespace
}  // namespace hearth
