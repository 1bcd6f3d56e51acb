// One training step of a known network, timed: step_of NETWORK THREADS fast|plain|bfloat16 [SECONDS
// [REPLICAS]]; `bfloat16` is `fast` in that precision. `step_of peak THREADS` measures what the
// machine could do at most. Prints one line of JSON; bench/steps.py and bench/precision.py run it
// beside Python's torch. Started as ranks by a launcher's variables, each takes its part of the
// batch; bench/ranks.py does that.
#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <hearth/cluster/group.h>
#include <hearth/cluster/join.h>
#include <hearth/config/registry.h>
#include <hearth/kernels/memory/memory_cache.h>
#include <hearth/kernels/peak/peak.h>
#include <hearth/network/network.h>
#include <hearth/tensor/convert.h>
#include <hearth/train/machine.h>
#include <sys/resource.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>

#include "bench/steps/subjects.h"

namespace {

using namespace hearth;

using bench::Subject;

// Multiply-adds of the first layer that counts any.
double first_work(const Layer& layer) {
  if (layer.work() > 0) return layer.work();
  for (const auto& [name, child] : layer.children())
    if (const double work = first_work(*child); work > 0) return work;
  return 0;
}

class Step {
 public:
  Step(const Subject& subject, Kernels kernels, const Sharding& sharding)
      : is_text_(subject.words > 0),
        network_({{"net",
                   {.build = bench::choice_of<Layer>(subject.model),
                    .optimizer = bench::choice_of<Optimizer>(subject.optimizer)}}},
                 {network_ops::call({.model = "net", .in = {"input"}, .out = {"scores"}}),
                  network_ops::cross_entropy({.in = {"scores", "target"}, .out = "loss"}),
                  network_ops::update({.model = "net", .loss = "loss"})},
                 1, at::kCPU, kernels, sharding) {
    at::manual_seed(0);
    input_ = bench::drawn_input(subject, subject.input);
    target_ = at::randint(subject.classes, subject.target, at::kLong);
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

Kernels named_kernels(const char* name) {
  if (std::strcmp(name, "bfloat16") == 0) return Kernels::kFast.in(Precision::kBfloat16);
  return std::strcmp(name, "fast") == 0 ? Kernels::kFast : Kernels::kPlain;
}

// Ranks make as many steps as the first says, by the time of a few.
std::vector<double> timed_together(Group& group, const std::function<void()>& run,
                                   double milliseconds) {
  const std::vector<double> few = bench::timed(run, 0, 10);
  const std::string steps = group.broadcast(
      "how many steps", std::to_string(static_cast<int>(milliseconds / few[few.size() / 2]) + 4));
  return bench::timed(run, 0, static_cast<size_t>(std::stoi(steps)));
}

Sharding sharding_of(const std::shared_ptr<Group>& group, int64_t replicas) {
  if (group->size() == 1) return {replicas, replicas};
  return {group->size(), 1, group};
}

nlohmann::json timed_network(const Subject& subject, Kernels kernels, double seconds,
                             int64_t replicas) {
  if (kernels.is_fast) install_memory_cache();
  const std::shared_ptr<Group> group = own_group();
  Step step(subject, kernels, sharding_of(group, replicas));
  const double loss = step.run();
  const auto run = [&step] { (void)step.run(); };
  const auto timed = [&](double milliseconds, size_t least) {
    return group->size() > 1 ? timed_together(*group, run, milliseconds)
                             : bench::timed(run, milliseconds, least);
  };
  timed(700, 2);
  const std::vector<double> times = timed(seconds * 1e3, 4);
  group->leave();
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
                 "step_of NETWORK THREADS fast|plain|bfloat16 [SECONDS [REPLICAS]]\n"
                 "step_of peak THREADS\n");
    return 2;
  }
  at::set_num_threads(std::atoi(words[2]));
  const nlohmann::json line =
      is_peak ? nlohmann::json{{"gigaflops", measured_peak_gigaflops()}}
              : timed_network(bench::find_subject(words[1]), named_kernels(words[3]),
                              count > 4 ? std::atof(words[4]) : 2.5,
                              count > 5 ? std::atoi(words[5]) : 1);
  std::printf("%s\n", line.dump().c_str());
  return 0;
}
