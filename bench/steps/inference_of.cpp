// One forward pass of a known network that has learnt, timed: inference_of NETWORK BATCH THREADS
// fast|plain [SECONDS]. Prints one line of JSON; bench/inference.py runs it beside Python's torch.
#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <hearth/kernels/memory/memory_cache.h>
#include <hearth/network/network.h>
#include <hearth/tensor/convert.h>
#include <hearth/train/machine.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>

#include "bench/steps/subjects.h"

namespace {

using namespace hearth;

class Inference {
 public:
  Inference(const bench::Subject& subject, int64_t batch, Kernels kernels)
      : network_({{"net", {.build = bench::choice_of<Layer>(subject.model)}}},
                 {network_ops::call({.model = "net", .in = {"input"}, .out = {"scores"}})}, 1,
                 at::kCPU, kernels) {
    at::manual_seed(0);
    std::vector<int64_t> shape = subject.input;
    shape[0] = batch;
    input_ = bench::drawn_input(subject, shape);
    Moment moment;
    moment.length = {1, 1, 1};
    const std::vector<GraphNode> all = network_.nodes(moment, Mode::kInfer);
    CompileRequest request{.mode = Mode::kInfer, .fetches = {"scores"}};
    request.feeds = {{"input", spec_of(input_)}};
    plan_ = compile(all, request);
    ops_ = network_.bind(plan_, all);
    context_.moment = moment;
    context_.mode = Mode::kInfer;
  }

  void run() {
    std::vector<at::Tensor> values(plan_.values.size());
    for (size_t index = 0; index < values.size(); ++index)
      if (plan_.values[index].key == "input") values[index] = input_;
    network_.run(ops_, context_, values);
  }

  int64_t parameters() { return network_.models().find("net").parameter_count(); }

 private:
  Network network_;
  Plan plan_;
  std::vector<BoundOp> ops_;
  StepContext context_;
  at::Tensor input_;
};

nlohmann::json timed_inference(const bench::Subject& subject, int64_t batch, bool is_fast,
                               double seconds) {
  if (is_fast) install_memory_cache();
  Inference inference(subject, batch, is_fast ? Kernels::kFast : Kernels::kPlain);
  const auto run = [&inference] { inference.run(); };
  bench::timed(run, 500, 3);
  const std::vector<double> times = bench::timed(run, seconds * 1e3, 5);
  return {{"median", times[times.size() / 2]},
          {"least", times.front()},
          {"runs", times.size()},
          {"parameters", inference.parameters()},
          {"blas", blas_facts().path}};
}

}  // namespace

int main(int count, char** words) {
  if (count < 5) {
    std::fprintf(stderr, "inference_of NETWORK BATCH THREADS fast|plain [SECONDS]\n");
    return 2;
  }
  at::set_num_threads(std::atoi(words[3]));
  const nlohmann::json line =
      timed_inference(bench::find_subject(words[1]), std::atoi(words[2]),
                      std::strcmp(words[4], "fast") == 0, count > 5 ? std::atof(words[5]) : 2);
  std::printf("%s\n", line.dump().c_str());
  return 0;
}
