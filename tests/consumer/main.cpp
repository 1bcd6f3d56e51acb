// A user's program, whole: trains the digits for one epoch.
#include <hearth/hearth.h>

using namespace hearth;

int main() {
  Estimator estimator({
      .name = "consumer",
      .data = {.train = digits({.split = "train"}),
               .eval = digits({.split = "test"}),
               .batch_size = 64},
      .model = lenet(),
      .loss = cross_entropy(),
      .optimizer = adamw({.lr = 0.003}),
      .metrics = {accuracy()},
      .train = {.epochs = 1},
  });
  estimator.fit();
}
