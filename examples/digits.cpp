// The same training as digits.yaml, in the same words, to the same bits.
#include <hearth/hearth.h>

#include <cstdio>

int main() {
  using namespace hearth;
  Estimator estimator(
      {.name = "digits",
       .data =
           {.train = sources::digits({.split = "train"}),
            .eval = sources::digits({.split = "test"}),
            .batch_size = 64,
            .ops = {sample_ops::normalize({.key = "image", .mean = {0.30}, .std = {0.37}}),
                    sample_ops::random_shift({.key = "image", .pixels = 1}).when(Mode::kTrain)}},
       .model = layers::lenet(),
       .loss = network_ops::cross_entropy(),
       .optimizer =
           optimizers::adamw({.lr = schedules::cosine({.peak = 0.003, .warmup = steps(50)})}),
       .metrics = {metrics::accuracy()},
       .train = {.epochs = 40,
                 .traces = {traces::best_model({.monitor = "eval/accuracy"}), traces::progress()}}},
      {.on_progress = console_progress()});

  const Report report = estimator.fit();
  std::printf("accuracy %.4f\nweights  %s\nrun      %s\n", report.metrics.at("eval/accuracy"),
              estimator.weights_digest().c_str(), report.run_folder.c_str());
}
