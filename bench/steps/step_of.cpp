// One training step of a known network, timed: step_of NETWORK THREADS fast|plain [SECONDS
// [REPLICAS]] `step_of peak THREADS` measures what the machine could do at most. Prints one line of
// JSON; bench/steps.py runs it beside Python's torch.
#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>
#include <hearth/config/registry.h>
#include <hearth/config/yaml.h>
#include <hearth/hearth.h>
#include <hearth/kernels/memory/memory_cache.h>
#include <hearth/kernels/peak/peak.h>
#include <hearth/network/network.h>
#include <hearth/tensor/convert.h>
#include <hearth/train/machine.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace {

using namespace hearth;

// A tiny learning rate: at a usual one a fixed batch is learnt by heart, and numbers near zero slow
// the processor down.
struct Subject {
  std::string name;
  std::string model;
  std::string optimizer;
  std::vector<int64_t> input;
  int64_t classes;
};

const std::vector<Subject>& subjects() {
  static const std::vector<Subject> all = {
      {"mlp", "mlp: {hidden: [128], classes: 10}", "adam: {lr: 1.0e-7}", {64, 784}, 10},
      {"lenet", "lenet: {classes: 10}", "sgd: {lr: 1.0e-7, momentum: 0.9}", {128, 1, 28, 28}, 10},
      {"resnet20",
       "resnet: {depth: 20, classes: 10}",
       "sgd: {lr: 1.0e-7, momentum: 0.9, weight_decay: 1.0e-4}",
       {128, 3, 32, 32},
       10},
      {"resnet18",
       "resnet: {depth: 18, classes: 200}",
       "sgd: {lr: 1.0e-7, momentum: 0.9, weight_decay: 1.0e-4}",
       {32, 3, 64, 64},
       200},
      {"gpt",
       "gpt: {layers: 4, width: 128, heads: 4, vocabulary: 65}",
       "adamw: {lr: 1.0e-7}",
       {16, 128},
       65}};
  return all;
}

const Subject& find_subject(const std::string& name) {
  for (const Subject& subject : subjects())
    if (subject.name == name) return subject;
  throw std::runtime_error("no network " + name);
}

// Multiply-adds of the first layer that counts any.
double first_work(const Layer& layer) {
  if (layer.work() > 0) return layer.work();
  for (const auto& [name, child] : layer.children())
    if (const double work = first_work(*child); work > 0) return work;
  return 0;
}

template <class Base>
Choice<Base> choice_of(const std::string& text) {
  const Node node = parse_yaml(text, "bench");
  return {node.entries().front().key, node.entries().front().value};
}

class Step {
 public:
  Step(const Subject& subject, Kernels kernels, int64_t replicas)
      : is_text_(subject.name == "gpt"),
        network_({{"net",
                   {.build = choice_of<Layer>(subject.model),
                    .optimizer = choice_of<Optimizer>(subject.optimizer)}}},
                 {network_ops::call({.model = "net", .in = {"input"}, .out = {"scores"}}),
                  network_ops::cross_entropy({.in = {"scores", "target"}, .out = "loss"}),
                  network_ops::update({.model = "net", .loss = "loss"})},
                 1, at::kCPU, kernels, replicas) {
    at::manual_seed(0);
    input_ = is_text_ ? at::randint(subject.classes, subject.input, at::kLong)
                      : at::randn(subject.input);
    target_ = is_text_ ? at::randint(subject.classes, subject.input, at::kLong)
                       : at::randint(subject.classes, {subject.input[0]}, at::kLong);
    Moment moment;
    moment.length = {1, 1, 1};
    const std::vector<GraphNode> all = network_.nodes(moment);
    CompileRequest request{.mode = Mode::kTrain, .fetches = {"loss"}};
    request.feeds = {{"input", spec_of(input_)}, {"target", spec_of(target_)}};
    plan_ = compile(all, request);
    ops_ = network_.bind(plan_, all);
    context_.moment = moment;
  }

  double run() {
    std::vector<at::Tensor> values(plan_.values.size());
    for (size_t index = 0; index < values.size(); ++index) {
      if (plan_.values[index].key == "input") values[index] = input_;
      if (plan_.values[index].key == "target") values[index] = target_;
    }
    network_.run(ops_, context_, values);
    return values[static_cast<size_t>(plan_.fetches[0])].item<double>();
  }

  int64_t parameters() { return network_.models().find("net").parameter_count(); }
  // Forward, gradients of the inputs and gradients of the weights are as much work each; nobody
  // wants the gradient of a picture. A multiply-add counts as two operations.
  double gigaflop() {
    const Layer& layer = network_.models().find("net").layer();
    const double inner = 3 * layer.total_work() - (is_text_ ? 0 : first_work(layer));
    return 2e-9 * static_cast<double>(input_.size(0)) * inner;
  }

 private:
  bool is_text_;
  Network network_;
  Plan plan_;
  std::vector<BoundOp> ops_;
  StepContext context_;
  at::Tensor input_, target_;
};

double now_ms() {
  return std::chrono::duration<double, std::milli>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

std::vector<double> timed(Step& step, double milliseconds, size_t least) {
  std::vector<double> times;
  const double began = now_ms();
  while (now_ms() - began < milliseconds || times.size() < least) {
    const double start = now_ms();
    (void)step.run();
    times.push_back(now_ms() - start);
  }
  return times;
}

nlohmann::json timed_network(const Subject& subject, bool is_fast, double seconds,
                             int64_t replicas) {
  if (is_fast) install_memory_cache();
  Step step(subject, is_fast ? Kernels::kFast : Kernels::kPlain, replicas);
  const double loss = step.run();
  timed(step, 700, 2);
  std::vector<double> times = timed(step, seconds * 1e3, 4);
  std::sort(times.begin(), times.end());
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return {{"median", times[times.size() / 2]},
          {"least", times.front()},
          {"steps", times.size()},
          {"loss", loss},
          {"parameters", step.parameters()},
          {"blas", blas_facts().path},
          {"gigaflop", step.gigaflop()},
          {"memory_mb", usage.ru_maxrss / 1024}};
}

}  // namespace

int main(int count, char** words) {
  const bool is_peak = count == 3 && std::strcmp(words[1], "peak") == 0;
  if (count < 4 && !is_peak) {
    std::fprintf(stderr,
                 "step_of NETWORK THREADS fast|plain [SECONDS [REPLICAS]]\nstep_of peak THREADS\n");
    return 2;
  }
  at::set_num_threads(std::atoi(words[2]));
  const nlohmann::json line =
      is_peak ? nlohmann::json{{"gigaflops", measured_peak_gigaflops()}}
              : timed_network(find_subject(words[1]), std::strcmp(words[3], "fast") == 0,
                              count > 4 ? std::atof(words[4]) : 2.5,
                              count > 5 ? std::atoi(words[5]) : 1);
  std::printf("%s\n", line.dump().c_str());
  return 0;
}
