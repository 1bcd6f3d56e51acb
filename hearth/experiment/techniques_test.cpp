// Techniques in a config: order, places of faults, and why one does not apply.
#include <gtest/gtest.h>

#include "hearth/base/error.h"
#include "hearth/base/message_of_test.h"
#include "hearth/config/place.h"
#include "hearth/config/yaml.h"
#include "hearth/experiment/expand.h"

namespace hearth {
namespace {

Node expanded(const std::string& techniques, const std::string& more = "") {
  return expand(with_option_paths(parse_yaml(
      "data: {train: digits}\nmodel: lenet\nloss: cross_entropy\noptimizer: adamw\ntechniques: " +
          techniques + "\n" + more,
      "mine.yaml")));
}

std::string refusal(const std::string& techniques, const std::string& more = "") {
  return message_of<ConfigError>([&] { (void)expanded(techniques, more); });
}

TEST(Techniques, AreAppliedToTheShorthandWrittenOut) {
  const Node full = expanded("[label_smoothing, {mixup: {alpha: 0.3}}, {average: {decay: 0.9}}]");
  EXPECT_EQ(full.find("techniques"), nullptr);
  EXPECT_EQ(to_yaml_line(full.find("network")->items()[1]),
            "{cross_entropy: {in: [logits, label], label_smoothing: 0.1}}");
  EXPECT_EQ(to_yaml_line(*full.find("data")->find("batch_ops")),
            "[{mixup: {key: image, label: label, alpha: 0.3, when: train}}]");
  EXPECT_EQ(full.find("models")->find("net")->find("average")->text(), "0.9");
}

TEST(Techniques, MayBeOneWithoutAList) {
  EXPECT_EQ(expanded("average").find("models")->find("net")->find("average")->text(), "0.999");
}

TEST(Techniques, MakeNodesWithThePlaceOfTheirLine) {
  const Node full = expanded("[{average: {decay: 0.9}}, label_smoothing]");
  const Node* average = full.find("models")->find("net")->find("average");
  EXPECT_EQ(average->mark().prefix(), "mine.yaml:5:15: techniques[0].average: ");
  const Node* loss = full.find("network")->items()[1].find("cross_entropy");
  EXPECT_EQ(loss->find("label_smoothing")->mark().prefix(),
            "mine.yaml:5:39: techniques[1].label_smoothing: ");
  EXPECT_EQ(loss->mark().line, 3);
}

TEST(Techniques, SayAtTheirLineWhyTheyDoNotApply) {
  EXPECT_EQ(refusal("[average, average]"),
            "mine.yaml:5:23: techniques[1].average: model 'net' has an average already, of decay "
            "'0.999'; say it in one place.");
  EXPECT_EQ(refusal("[mixup, mixup]"),
            "mine.yaml:5:21: techniques[1].mixup: does not apply: samples are blended already, by "
            "data.batch_ops[0] mixup.");
  EXPECT_EQ(refusal("[{label_smoothing: {loss: los}}]"),
            "mine.yaml:5:39: techniques[0].label_smoothing.loss: does not apply: no cross_entropy "
            "writes the key 'los', but 'loss'. Did you mean 'loss'?");
  EXPECT_EQ(refusal("[{average: {model: other}}]"),
            "mine.yaml:5:32: techniques[0].average.model: does not apply: there is no model "
            "'other'. Known: net.");
}

TEST(Techniques, AskWhichOneIsMeant) {
  const auto said = [](const std::string& network, const std::string& technique) {
    return message_of<ConfigError>([&] {
      (void)expand(
          parse_yaml("{models: {a: {build: mlp, optimizer: sgd}, b: {build: mlp, "
                     "optimizer: sgd}}, network: " +
                         network + ", techniques: " + technique + "}",
                     "mine.yaml"));
    });
  };
  EXPECT_NE(said("[cross_entropy, {cross_entropy: {out: other}}]", "label_smoothing")
                .find("the network has 2 cross_entropy, 'loss' and 'other'. Name one with `loss`."),
            std::string::npos);
  EXPECT_NE(said("[triplet_loss]", "label_smoothing").find("the network has no cross_entropy"),
            std::string::npos);
  EXPECT_NE(said("[call]", "average").find("'a' and 'b' are trained. Name one with `model`."),
            std::string::npos);
  EXPECT_NE(said("[call, {call: {in: other}}, cross_entropy]", "mixup")
                .find("the models read 'image' and 'other'. Name one with `key`."),
            std::string::npos);
}

}  // namespace
}  // namespace hearth
