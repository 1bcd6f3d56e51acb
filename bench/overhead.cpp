// What the trainer adds to a bare LibTorch loop: progress, log, trackers, accuracy and a checkpoint
// every 100 steps; with everything, six metrics and six traces. Steps of half a millisecond and of
// thirty: batches are doubled until a machine needs two thirds of that. The short ones compute on
// one core, as small networks do best; beside that, without a bar, on all cores, where every
// microsecond that a checkpoint or the log needs in the background is taken from the step.
//
// Both run in this process, with the memory as the library sets it up, and take turns: a trace
// stops Hearth's training every so many steps to let the bare loop do as many. The ratio is that of
// the whole times, checkpoints and all, over every turn but the first. A checkpoint is due in the
// middle of a turn, so that the bare loop does not pay for what is written in the background.
#include <hearth/config/registry.h>
#include <hearth/hearth.h>
#include <hearth/train/trace.h>
#include <torch/torch.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <thread>
#include <vector>

namespace {

constexpr int64_t kCheckpointEvery = 100;
// The bare loop finds its batches made, but, as every training, not in the processor's caches.
constexpr int kBareBatches = 64;

// The loops a C++ team writes by hand.
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

struct BareMlp : torch::nn::Module {
  torch::nn::Linear fc1{nullptr}, fc2{nullptr}, fc3{nullptr};
  BareMlp() {
    fc1 = register_module("fc1", torch::nn::Linear(64, 384));
    fc2 = register_module("fc2", torch::nn::Linear(384, 384));
    fc3 = register_module("fc3", torch::nn::Linear(384, 10));
  }
  torch::Tensor forward(const torch::Tensor& x) {
    return fc3(torch::relu(fc2(torch::relu(fc1(x.flatten(1))))));
  }
};

template <class Model>
class BareLoop {
 public:
  explicit BareLoop(at::IntArrayRef images)
      : labels_(torch::randint(10, {images[0]}, torch::kLong)),
        optimizer_(model_.parameters(), torch::optim::SGDOptions(1e-7).momentum(0.9)) {
    for (int i = 0; i < kBareBatches; ++i) batches_.push_back(torch::randn(images));
  }
  void step() {
    const torch::Tensor& images = batches_[next_++ % batches_.size()];
    optimizer_.zero_grad();
    torch::cross_entropy_loss(model_.forward(images), labels_).backward();
    optimizer_.step();
  }

 private:
  Model model_;
  std::vector<torch::Tensor> batches_;
  size_t next_ = 0;
  torch::Tensor labels_;
  torch::optim::SGD optimizer_;
};

template <class Model>
std::function<void()> bare_step(at::IntArrayRef images) {
  const auto loop = std::make_shared<BareLoop<Model>>(images);
  return [loop] { loop->step(); };
}

// One network, as both sides have it.
struct Case {
  std::string name;
  hearth::Choice<hearth::Layer> model;
  std::vector<int64_t> images;  // the batch first
  double milliseconds;          // a step is to take about so long
  int64_t steps_a_turn;
  int64_t turns;
  std::optional<int64_t> threads;  // all cores when left out
  std::optional<double> limit;     // the bar; left out: a number to know
  std::function<std::function<void()>(at::IntArrayRef)> bare_of;
  bool has_everything = false;  // six metrics and six traces
};

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Of the case that runs: what the trace, made from its name, works for.
struct Turns {
  const Case* now = nullptr;
  std::function<void()> bare_step;
  std::vector<double> hearth, bare;  // seconds of each
} turns;

struct TakeTurnsOptions {
  static const hearth::Schema<TakeTurnsOptions>& schema() {
    static const auto fields = hearth::Schema<TakeTurnsOptions>();
    return fields;
  }
};

class TakeTurns : public hearth::Trace {
 public:
  using Options = TakeTurnsOptions;
  explicit TakeTurns(TakeTurnsOptions) {}
  std::vector<hearth::Interest> interests() const override {
    return {{hearth::Occasion::kRunBegin}, {hearth::Occasion::kStep}};
  }
  void hear(const hearth::Happening& happening, hearth::RunControl& run) override {
    if (happening.occasion == hearth::Occasion::kStep) return take_turn(run);
    began_ = now();
  }

 private:
  void take_turn(const hearth::RunControl& run) {
    const int64_t steps = turns.now->steps_a_turn;
    if (run.moment().step % steps != steps / 2) return;
    const torch::AutoGradMode gradients(true);  // traces are told without
    const double bare_began = now();
    for (int64_t i = 0; i < steps; ++i) turns.bare_step();
    const double end = now();
    turns.hearth.push_back(bare_began - began_);
    turns.bare.push_back(end - bare_began);
    began_ = now();
  }

  double began_ = 0;
};

double sum(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

// The first turn is half a one, and warms both up.
void report(const Case& measured) {
  turns.hearth.erase(turns.hearth.begin());
  turns.bare.erase(turns.bare.begin());
  const double ratio = sum(turns.hearth) / sum(turns.bare);
  std::vector<double> ratios;
  for (size_t i = 0; i < turns.bare.size(); ++i) ratios.push_back(turns.hearth[i] / turns.bare[i]);
  std::sort(ratios.begin(), ratios.end());
  const double to_ms = 1e3 / static_cast<double>(turns.bare.size()) /  //
                       static_cast<double>(measured.steps_a_turn);
  std::printf(
      "%s, batch %lld, %d threads: Hearth %.3f ms, bare LibTorch %.3f ms a step (means of %zu "
      "turns of %lld steps); turns: middle half %.4f to %.4f\n",
      measured.name.c_str(), static_cast<long long>(measured.images[0]), at::get_num_threads(),
      sum(turns.hearth) * to_ms, sum(turns.bare) * to_ms, turns.bare.size(),
      static_cast<long long>(measured.steps_a_turn), ratios[ratios.size() / 4],
      ratios[ratios.size() * 3 / 4]);
  if (measured.limit) {
    std::printf("bar overhead_%s %.4f %.2f %s\n", measured.name.c_str(), ratio, *measured.limit,
                ratio <= *measured.limit ? "ok" : "short");
  } else {
    std::printf("overhead_%s %.4f\n", measured.name.c_str(), ratio);
  }
}

std::vector<hearth::Choice<hearth::Metric>> metrics_of(const Case& measured) {
  using namespace hearth::metrics;
  if (!measured.has_everything) return {accuracy()};
  return {accuracy(), top_k(), balanced_accuracy(), f1(), log_loss(), mcc()};
}

std::vector<hearth::Choice<hearth::Trace>> traces_of(const Case& measured) {
  using namespace hearth::traces;
  const hearth::Choice<hearth::Trace> turn{"take_turns", hearth::Node::map()};
  if (!measured.has_everything) return {progress({.seconds = 0.1}), turn};
  return {progress({.seconds = 0.1}),
          lr_monitor(),
          throughput(),
          gradient_watch(),
          weight_watch(),
          best_model({.monitor = "train/accuracy"}),
          turn};
}

// The median of some steps.
double milliseconds_of(const std::function<void()>& step) {
  std::vector<double> times;
  for (int i = 0; i < 25; ++i) {
    const double began = now();
    step();
    times.push_back(1e3 * (now() - began));
  }
  std::nth_element(times.begin(), times.begin() + 12, times.end());
  return times[12];
}

void lengthen(Case& measured) {
  at::set_num_threads(
      static_cast<int>(measured.threads.value_or(std::thread::hardware_concurrency())));
  while (milliseconds_of(measured.bare_of(measured.images)) < measured.milliseconds * 2 / 3)
    measured.images[0] *= 2;
}

void measure(Case measured) {
  using namespace hearth;
  lengthen(measured);
  turns = {&measured, measured.bare_of(measured.images), {}, {}};
  const auto folder = std::filesystem::temp_directory_path() / "hearth-bench-overhead";
  const int64_t batch = measured.images[0];
  const int64_t steps = measured.steps_a_turn * (measured.turns + 1);
  Estimator estimator(
      {.name = "overhead",
       .threads = measured.threads,
       .kernels = "plain",  // the bare loop's: what is measured is the trainer
       .folder = folder.string(),
       .data = {.train = sources::synthetic(
                    {.size = batch * steps,
                     .shape = {measured.images.begin() + 1, measured.images.end()},
                     .classes = 10}),
                .batch_size = batch,
                .ops = {sample_ops::normalize({.key = "image", .mean = {0.1}, .std = {0.9}})}},
       .model = measured.model,
       .loss = network_ops::cross_entropy(),
       .optimizer = optimizers::sgd({.lr = 1e-7, .momentum = 0.9}),
       .metrics = metrics_of(measured),
       .train = {.epochs = 1,
                 .traces = traces_of(measured),
                 .trackers = {trackers::tensorboard(), trackers::csv()},
                 .checkpoint = {.every = hearth::steps(kCheckpointEvery)}}},
      {.on_progress = [](const Progress&) {}});
  (void)estimator.fit();
  std::filesystem::remove_all(folder);
  report(measured);
}

}  // namespace

// All, or only what is named.
int main(int count, char** words) {
  hearth::registry<hearth::Trace>().add<TakeTurns>("take_turns",
                                                   "Lets a bare LibTorch loop run in between.");
  const auto mlp = hearth::layers::mlp({.hidden = {384, 384}});
  const auto lenet = hearth::layers::lenet();
  const std::vector<int64_t> small = {16, 1, 8, 8};
  const std::vector<int64_t> large = {128, 1, 28, 28};
  const auto bare_mlp = bare_step<BareMlp>;
  const auto bare_lenet = bare_step<BareLeNet>;
  const std::vector<Case> cases = {
      {"mlp", mlp, small, 0.5, 100, 100, 1, 1.02, bare_mlp},
      {"mlp_on_all_cores", mlp, small, 0.5, 100, 100, {}, {}, bare_mlp},
      {"lenet", lenet, large, 30, 10, 200, {}, 1.01, bare_lenet},
      {"everything_mlp", mlp, small, 0.5, 100, 100, 1, 1.02, bare_mlp, true},
      {"everything_lenet", lenet, large, 30, 10, 200, {}, 1.01, bare_lenet, true}};
  for (const Case& measured : cases)
    if (count < 2 || measured.name == words[1]) measure(measured);
}
