// The same training as digits.yaml, in the same words, to the same bits.
#include <hearth/hearth.h>

#include <cstdio>

int main() {
  using namespace hearth;
  Estimator estimator(
      {.name = "digits",
       .data = {.train = digits({.split = "train"}),
                .eval = digits({.split = "test"}),
                .batch_size = 64,
                .ops = {normalize({.key = "image", .mean = {0.30}, .std = {0.37}}),
                        random_shift({.key = "image", .pixels = 1}).when(Mode::kTrain)}},
       .model = lenet(),
       .loss = cross_entropy(),
       .optimizer = adamw({.lr = cosine({.peak = 0.003, .warmup = steps(50)})}),
       .metrics = {accuracy()},
       .train = {.epochs = 40, .traces = {best_model({.monitor = "eval/accuracy"}), progress()}}},
      {.on_progress = console_progress()});

  const Report report = estimator.fit();
  std::printf("accuracy %.4f\nweights  %s\nrun      %s\n", report.metrics.at("eval/accuracy"),
              estimator.weights_digest().c_str(), report.run_folder.c_str());
}
