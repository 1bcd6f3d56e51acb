// A user's program, whole: trains the digits for one epoch.
#include <hearth/hearth.h>

using namespace hearth;

int main() {
  Estimator estimator({
      .name = "consumer",
      .data = {.train = sources::digits({.split = "train"}),
               .eval = sources::digits({.split = "test"}),
               .batch_size = 64,
               .ops = {sample_ops::normalize()}},
      .model = layers::lenet(),
      .loss = network_ops::cross_entropy(),
      .optimizer = optimizers::adamw({.lr = 0.003}),
      .metrics = {metrics::accuracy()},
      .train = {.epochs = 1},
  });
  estimator.fit();
}
