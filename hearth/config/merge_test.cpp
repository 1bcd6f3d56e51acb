// Configs over configs, and overrides.
#include "hearth/config/merge.h"

#include <gtest/gtest.h>

#include "hearth/base/error.h"
#include "hearth/config/sample_catalog_test.h"
#include "hearth/config/validate.h"
#include "hearth/config/yaml.h"

namespace hearth {
namespace {

std::string merged(const std::string& base, const std::string& over) {
  const Catalog& catalog = sample::catalog();
  return to_yaml_line(merge(parse_yaml(base, "base.yaml"), parse_yaml(over, "over.yaml"),
                            catalog.experiment, catalog));
}

std::string overridden(const std::string& config, const std::string& text) {
  const Catalog& catalog = sample::catalog();
  try {
    return to_yaml_line(
        apply_override(parse_yaml(config, "a.yaml"), text, catalog.experiment, catalog));
  } catch (const ConfigError& error) {
    return error.what();
  }
}

TEST(Merge, MapsMergeListsAndScalarsReplace) {
  EXPECT_EQ(merged("{name: a, data: {batch_size: 1, classes: [a, b]}, sizes: {x: 1}}",
                   "{data: {classes: [c]}, sizes: {y: 2}, stop: 2ep}"),
            "{name: a, data: {batch_size: 1, classes: [c]}, sizes: {x: 1, y: 2}, stop: 2ep}");
}

TEST(Merge, TheSameComponentKeepsItsOptions) {
  EXPECT_EQ(merged("optimizer: {sgd: {lr: 1, momentum: 0.5}}", "optimizer: {sgd: {lr: 2}}"),
            "{optimizer: {sgd: {lr: 2, momentum: 0.5}}}");
  EXPECT_EQ(merged("optimizer: sgd", "optimizer: {sgd: {lr: 2}}"), "{optimizer: {sgd: {lr: 2}}}");
  EXPECT_EQ(merged("optimizer: {sgd: {lr: 2}}", "optimizer: sgd"), "{optimizer: {sgd: {lr: 2}}}");
}

TEST(Merge, AnotherComponentDropsTheOldOnesOptions) {
  EXPECT_EQ(merged("optimizer: {sgd: {lr: 1}}", "optimizer: {adamw: {weight_decay: 0}}"),
            "{optimizer: {adamw: {weight_decay: 0}}}");
  EXPECT_EQ(merged("optimizer: {sgd: {lr: 1}}", "optimizer: adamw"), "{optimizer: adamw}");
}

TEST(Merge, SchedulesMergeLikeComponents) {
  EXPECT_EQ(merged("optimizer: {sgd: {lr: {cosine: {peak: 1}}}}",
                   "optimizer: {sgd: {lr: {cosine: {warmup: 5st}}}}"),
            "{optimizer: {sgd: {lr: {cosine: {peak: 1, warmup: 5st}}}}}");
  EXPECT_EQ(merged("optimizer: {sgd: {lr: {cosine: {peak: 1}}}}", "optimizer: {sgd: {lr: 3}}"),
            "{optimizer: {sgd: {lr: 3}}}");
  EXPECT_EQ(merged("optimizer: {sgd: {lr: 3}}", "optimizer: {sgd: {lr: cosine}}"),
            "{optimizer: {sgd: {lr: cosine}}}");
}

TEST(Merge, NullResets) {
  EXPECT_EQ(merged("{train: {clip: 1}, optimizer: sgd}", "{train: {clip: null}, optimizer: null}"),
            "{train: {clip: null}, optimizer: null}");
}

TEST(Merge, KeepsMarksAndUnknownKeysForValidation) {
  const Catalog& catalog = sample::catalog();
  const Node node =
      merge(parse_yaml("name: x\ntrain: {epochs: 0}", "base.yaml"),
            parse_yaml("train:\n  clop: 1", "over.yaml"), catalog.experiment, catalog);
  const auto faults = validate(node, catalog.experiment, catalog);
  ASSERT_EQ(faults.size(), 2U);
  EXPECT_EQ(faults[0].text(), "base.yaml:2:17: train.epochs: must be at least 1, but is 0.");
  EXPECT_EQ(faults[1].text(),
            "over.yaml:2:3: train: there is no option 'clop'. Did you mean 'clip'?");
}

struct Vector {
  std::string config;
  std::string override_text;
  std::string result;
};

TEST(Override, SetsAValueAtAPath) {
  const std::string traces = "train: {traces: [{early_stopping: {patience: 9}}, progress]}";
  const std::vector<Vector> vectors = {
      {"{}", "train.epochs=3", "{train: {epochs: 3}}"},
      {"train: {epochs: 1}", "train.epochs=3", "{train: {epochs: 3}}"},
      {"train:", "train.epochs=3", "{train: {epochs: 3}}"},
      {"{}", " train.epochs = 3 ", "{train: {epochs: 3}}"},
      {"{}", "name=null", "{name: null}"},
      {"{}", "name=", "{name: null}"},
      {"{}", "name='null'", "{name: 'null'}"},
      {"{}", "name=a=b", "{name: a=b}"},
      {"{}", "name=*.png", "{name: '*.png'}"},
      {"{}", "modes=!infer", "{modes: '!infer'}"},
      {"{}", "data.classes=[a, 'b']", "{data: {classes: [a, b]}}"},
      {"data: {classes: [x]}", "data.classes=[]", "{data: {classes: []}}"},
      {"{}", "sizes={a: 1}", "{sizes: {a: 1}}"},
      {"sizes: {b: 2}", "sizes.a=1", "{sizes: {b: 2, a: 1}}"},
      {"train: {epochs: 5}", "train={clip: 1}", "{train: {epochs: 5, clip: 1}}"},
      {"{}", "optimizer=sgd", "{optimizer: sgd}"},
      {"optimizer: {adamw: {lr: 1}}", "optimizer=sgd", "{optimizer: sgd}"},
      {"optimizer: {adamw: {lr: 1}}", "optimizer=adamw", "{optimizer: {adamw: {lr: 1}}}"},
      {"optimizer: {sgd: {lr: 1}}", "optimizer.adamw.lr=3e-4", "{optimizer: {adamw: {lr: 3e-4}}}"},
      {"optimizer: {sgd: {lr: 1, momentum: 0.5}}", "optimizer.sgd.lr=2",
       "{optimizer: {sgd: {lr: 2, momentum: 0.5}}}"},
      {"optimizer: sgd", "optimizer.sgd.lr=2", "{optimizer: {sgd: {lr: 2}}}"},
      {"{}", "optimizer.sgd={lr: 2}", "{optimizer: {sgd: {lr: 2}}}"},
      {"optimizer: {sgd: {lr: 1}}", "optimizer.sgd.lr.cosine.peak=2",
       "{optimizer: {sgd: {lr: {cosine: {peak: 2}}}}}"},
      {traces, "train.traces[0].early_stopping.patience=2",
       "{train: {traces: [{early_stopping: {patience: 2}}, progress]}}"},
      {traces, "train.traces[-1]={save: {folder: a}}",
       "{train: {traces: [{early_stopping: {patience: 9}}, {save: {folder: a}}]}}"},
      {traces, "train.traces[1].early_stopping.patience=2",
       "{train: {traces: [{early_stopping: {patience: 9}}, {early_stopping: {patience: 2}}]}}"},
      {"train: {traces: progress}", "train.traces+={early_stopping: {}}",
       "{train: {traces: [progress, {early_stopping: {}}]}}"},
      {"train: {traces: {save: {folder: a}}}", "train.traces[0].save.folder=b",
       "{train: {traces: [{save: {folder: b}}]}}"},
      {"train: {traces: []}", "train.traces+=[progress, early_stopping]",
       "{train: {traces: [progress, early_stopping]}}"},
      {"{}", "train.traces+=early_stopping", "{train: {traces: [{progress: {}}, early_stopping]}}"},
      {"{}", "data.ops+=flip: {when: train}", "{data: {ops: [{flip: {when: train}}]}}"},
      {"data: {ops: [flip]}", "data.ops[0].flip.when=train",
       "{data: {ops: [{flip: {when: train}}]}}"},
  };
  for (const Vector& vector : vectors)
    EXPECT_EQ(overridden(vector.config, vector.override_text), vector.result)
        << vector.config << " with " << vector.override_text;
}

TEST(Override, RefusesWhatItCannotFollow) {
  const std::string form = "expected path=value, such as train.epochs=10.";
  const std::vector<Vector> vectors = {
      {"{}", "trian.epochs=3", "there is no option 'trian'. Did you mean 'train'?"},
      {"{}", "train.epochz=3", "there is no option 'train.epochz'. Did you mean 'train.epochs'?"},
      {"{}", "epochs=3", "there is no option 'epochs'. Did you mean 'train.epochs'?"},
      {"{}", "lr=3", "there is no option 'lr'. Did you mean 'optimizer.<name>.lr'?"},
      {"{}", "train.zzz=3", "there is no option 'train.zzz'. Known: epochs, clip, traces."},
      {"{}", "train.epochs", form},
      {"{}", "=3", form},
      {"{}", "train..epochs=3", form},
      {"{}", ".train=3", form},
      {"{}", "[0]=3", form},
      {"{}", "train.traces[x]=3", "expected an index such as [0] or [-1], but got '[x]'."},
      {"{}", "train.traces[0=3", "expected an index such as [0] or [-1], but got '[0'."},
      {"{}", "train.traces[]=3", "expected an index such as [0] or [-1], but got '[]'."},
      {"train: {traces: [progress, progress]}", "train.traces[2]=save",
       "'train.traces' has 2 items, so there is no [2]."},
      {"train: {traces: progress}", "train.traces[-2]=save",
       "'train.traces' has 1 item, so there is no [-2]."},
      {"{}", "train[0]=3", "'train' is not a list."},
      {"{}", "train.epochs+=3", "'train.epochs' is not a list, so nothing can be added."},
      {"{}", "train.epochs.x=3", "'train.epochs' is of type integer and has nothing inside."},
      {"{}", "train.traces.save.folder=x",
       "'train.traces' is a list; choose an item, such as train.traces[0]."},
      {"{}", "optimizer.adamx.lr=1",
       "'optimizer' takes a component of kind optimizer, and none is called 'adamx'. Did you mean "
       "'adamw'?"},
      {"optimizer: {adamw: {}}", "optimizer.lr=1",
       "'optimizer' takes a component of kind optimizer, and none is called 'lr'. Did you mean "
       "'optimizer.adamw.lr'?"},
      {"{}", "optimizer.adamw.momentum=1",
       "there is no option 'optimizer.adamw.momentum'. Known: lr, betas, weight_decay."},
  };
  for (const Vector& vector : vectors)
    EXPECT_EQ(overridden(vector.config, vector.override_text),
              "override '" + vector.override_text + "': " + vector.result);
}

TEST(Override, NamesItselfWhenItsValueIsNotYaml) {
  EXPECT_EQ(
      overridden("{}", "data.classes=[a"),
      "override 'data.classes=[a':2:1: not valid YAML: did not find expected ',' or ']' (while "
      "parsing a flow sequence from line 1).");
}

TEST(Override, NamesItselfInLaterFaults) {
  const Catalog& catalog = sample::catalog();
  const Node node = apply_override(parse_yaml("name: x", "a.yaml"), "train={epochs: x, clop: 1}",
                                   catalog.experiment, catalog);
  const auto faults = validate(node, catalog.experiment, catalog);
  ASSERT_EQ(faults.size(), 2U);
  EXPECT_EQ(
      faults[0].text(),
      "command line 'train={epochs: x, clop: 1}': train.epochs: expected integer, but got 'x'.");
  EXPECT_EQ(faults[1].text(),
            "command line 'train={epochs: x, clop: 1}': train: there is no option 'clop'. Did you "
            "mean 'clip'?");
}

TEST(Override, LeavesTheGivenConfigAlone) {
  const Catalog& catalog = sample::catalog();
  const Node config = parse_yaml("train: {epochs: 1}", "a.yaml");
  (void)apply_override(config, "train.epochs=3", catalog.experiment, catalog);
  EXPECT_EQ(to_yaml_line(config), "{train: {epochs: 1}}");
}

}  // namespace
}  // namespace hearth
