// What the trainer adds to a bare LibTorch loop: LeNet, batch 128 of 28x28, everything on.
//
// Both run in this process and take turns: a trace stops Hearth's training every few steps to let
// the bare loop do as many. The ratio is the median over turns, so that a noisy neighbour hits
// both.
#include <hearth/config/registry.h>
#include <hearth/hearth.h>
#include <hearth/train/trace.h>
#include <malloc.h>
#include <torch/torch.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <vector>

namespace {

constexpr int64_t kBatch = 128;
constexpr int64_t kStepsPerTurn = 12;
constexpr int64_t kTurns = 25;
constexpr double kLimit = 1.02;

// The loop a C++ team writes by hand.
struct BareLeNet : torch::nn::Module {
  torch::nn::Conv2d conv1{nullptr}, conv2{nullptr};
  torch::nn::Linear fc1{nullptr}, fc2{nullptr};
  BareLeNet() {
    conv1 = register_module("conv1", torch::nn::Conv2d(1, 20, 5));
    conv2 = register_module("conv2", torch::nn::Conv2d(20, 50, 5));
    fc1 = register_module("fc1", torch::nn::Linear(800, 500));
    fc2 = register_module("fc2", torch::nn::Linear(500, 10));
  }
  torch::Tensor forward(torch::Tensor x) {
    // Pooling first, as Hearth's lenet does: the same numbers for less work.
    x = torch::relu(torch::max_pool2d(conv1(x), 2));
    x = torch::relu(torch::max_pool2d(conv2(x), 2));
    return fc2(torch::relu(fc1(x.flatten(1))));
  }
};

class BareLoop {
 public:
  BareLoop()
      : images_(torch::randn({kBatch, 1, 28, 28})),
        labels_(torch::randint(10, {kBatch}, torch::kLong)),
        optimizer_(model_.parameters(), torch::optim::SGDOptions(1e-7).momentum(0.9)) {}
  void step() {
    optimizer_.zero_grad();
    torch::cross_entropy_loss(model_.forward(images_), labels_).backward();
    optimizer_.step();
  }

 private:
  BareLeNet model_;
  torch::Tensor images_, labels_;
  torch::optim::SGD optimizer_;
};

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::vector<double> ratios, hearth_ms, bare_ms;

struct TakeTurnsOptions {
  int64_t steps = kStepsPerTurn;
  static const hearth::Schema<TakeTurnsOptions>& schema() {
    static const auto fields = hearth::Schema<TakeTurnsOptions>().field(&TakeTurnsOptions::steps,
                                                                        "steps", "Steps a turn.");
    return fields;
  }
};

class TakeTurns : public hearth::Trace {
 public:
  using Options = TakeTurnsOptions;
  explicit TakeTurns(TakeTurnsOptions options) : options_(options) {}
  void on_begin(hearth::RunControl&) override { turn_began_ = now(); }
  void on_step(hearth::RunControl& run) override {
    if (run.moment().step % options_.steps != 0) return;
    const auto steps = static_cast<double>(options_.steps);
    const double hearth_time = (now() - turn_began_) / steps;
    const double bare_began = now();
    for (int64_t i = 0; i < options_.steps; ++i) bare_.step();
    const double bare_time = (now() - bare_began) / steps;
    // The first turn warms both up.
    if (is_warm_) {
      hearth_ms.push_back(hearth_time * 1e3);
      bare_ms.push_back(bare_time * 1e3);
      ratios.push_back(hearth_time / bare_time);
    }
    is_warm_ = true;
    turn_began_ = now();
  }

 private:
  Options options_;
  BareLoop bare_;
  bool is_warm_ = false;
  double turn_began_ = 0;
};

// Otherwise the C library gives large blocks back to the system and asks for them again, a million
// page faults a run: which of the two loops pays for them is chance, and worth more than what is
// measured.
void keep_memory() {
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

}  // namespace

int main() {
  using namespace hearth;
  keep_memory();
  registry<Trace>().add<TakeTurns>("take_turns", "Lets a bare LibTorch loop run in between.");
  const auto folder = std::filesystem::temp_directory_path() / "hearth-bench-overhead";
  const int64_t steps = kStepsPerTurn * (kTurns + 1);
  Estimator estimator(
      {.name = "overhead",
       .kernels = "plain",  // the bare loop's: what is measured is the trainer
       .folder = folder.string(),
       .data = {.train = synthetic({.size = kBatch * steps, .shape = {1, 28, 28}, .classes = 10}),
                .batch_size = kBatch,
                .ops = {normalize({.key = "image", .mean = {0.1}, .std = {0.9}})}},
       .model = lenet(),
       .loss = cross_entropy(),
       .optimizer = sgd({.lr = 1e-7, .momentum = 0.9}),
       .metrics = {accuracy()},
       .train = {.epochs = 1,
                 .traces = {progress({.seconds = 0.1}), {"take_turns", Node::map()}},
                 .checkpoint = {.every = hearth::steps(100)}}},
      {.on_progress = [](const Progress&) {}});
  (void)estimator.fit();
  std::filesystem::remove_all(folder);
  const double ratio = median(ratios);
  std::vector<double> sorted = ratios;
  std::sort(sorted.begin(), sorted.end());
  std::printf(
      "LeNet, batch 128, 1x28x28, %d threads: Hearth %.2f ms, bare LibTorch %.2f ms a step "
      "(medians of %zu turns)\n",
      at::get_num_threads(), median(hearth_ms), median(bare_ms), ratios.size());
  std::printf("ratio: median %.4f, middle half %.4f to %.4f\n", ratio, sorted[sorted.size() / 4],
              sorted[sorted.size() * 3 / 4]);
  std::printf("bar overhead_lenet %.4f %.2f %s\n", ratio, kLimit, ratio <= kLimit ? "ok" : "short");
}
