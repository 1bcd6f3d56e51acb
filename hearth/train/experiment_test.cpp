// Experiments put together piece by piece.
#include "hearth/train/experiment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hearth/base/error.h"
#include "hearth/base/message_of_test.h"
#include "hearth/data/sources/synthetic.h"
#include "hearth/network/network.h"
#include "hearth/nn/architectures/mlp.h"
#include "hearth/optim/optimizers/sgd.h"

namespace hearth {
namespace {

TEST(Experiment, SaysAllThatIsMissingAtOnce) {
  EXPECT_EQ(message_of<ConfigError>([] { (void)Experiment("empty").apply(); }),
            "the experiment 'empty' still needs:\n"
            "  data to train on: add_train_data(sources::...)\n"
            "  a model: add_model(layers::...)\n"
            "  an optimizer: add_optimizer(optimizers::...)");
  Experiment half("half");
  half.add_optimizer(optimizers::sgd(), "nett");
  EXPECT_THAT(message_of<ConfigError>([&] { (void)half.apply(); }),
              testing::HasSubstr("what the model 'nett' is made of"));
  EXPECT_THAT(message_of<ConfigError>([&] { half.update_model("net", [](ModelOptions&) {}); }),
              testing::HasSubstr("'nett'"));
}

TEST(Experiment, EndsInTheBitsOfTheStructOfOptions) {
  const auto data = sources::synthetic({.size = 24, .shape = {1, 4, 4}, .classes = 3});
  ExperimentOptions options;
  options.name = "pieces";
  options.data.train = data;
  options.data.batch_size = 8;
  options.model = layers::mlp({.hidden = {4}});
  options.optimizer = optimizers::sgd({.lr = 0.2});
  options.train.epochs = 2;
  Estimator whole(options, {.keeps_run = false});
  (void)whole.fit();
  Experiment pieces("pieces");
  pieces.add_optimizer(optimizers::sgd({.lr = 0.1}))
      .add_model(layers::mlp({.hidden = {4}}))
      .update_model("net", [](ModelOptions& net) { net.optimizer = optimizers::sgd({.lr = 0.2}); })
      .update([](ExperimentOptions& all) { all.data.batch_size = 8; })
      .update("train.epochs=2")
      .add_train_data(data);
  Estimator put_together = pieces.apply({.keeps_run = false});
  (void)put_together.fit();
  EXPECT_EQ(put_together.state_digest(), whole.state_digest());
}

TEST(Experiment, KeepsWhatIsSaidOfTheWholeAndLosesNothingOfAModel) {
  Experiment pieces("kept");
  pieces.add_train_data(sources::synthetic({.size = 8, .shape = {1, 4, 4}, .classes = 3}))
      .add_model(layers::mlp({.hidden = {4}}))
      .update([](ExperimentOptions& all) {
        all.optimizer = optimizers::sgd({.lr = 0.1});
        all.average = 0.5;
        all.groups = {{.match = {"hidden1*"}, .frozen = true}};
      });
  Estimator estimator = pieces.apply({.keeps_run = false});
  Model& model = estimator.network().models().find("net");
  EXPECT_TRUE(model.is_averaged());
  const auto hidden = [&] { return model.layer().handles().front().second.clone(); };
  const at::Tensor before = hidden();
  (void)estimator.fit();
  EXPECT_TRUE(hidden().equal(before));
  pieces.update_model("net", [](ModelOptions& net) {
    net.optimizers = {{"slow", optimizers::sgd({.lr = 0.01})}};
  });
  EXPECT_THAT(message_of<ConfigError>([&] { (void)pieces.apply(); }),
              testing::HasSubstr("ops that say what moves the model 'net'"));
}

}  // namespace
}  // namespace hearth
