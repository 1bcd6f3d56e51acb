// The network as a named graph: what is not needed does not run, feeds stand in, errors name the
// op.
#include "hearth/network/network.h"

#include <ATen/ops/ones.h>
#include <gtest/gtest.h>

#include "hearth/base/error.h"
#include "hearth/config/registry.h"

namespace hearth {
namespace {

int counted_runs = 0;

struct CountedOptions {
  std::string in = "a";
  std::string out = "b";
  bool fails = false;
  static const Schema<CountedOptions>& schema() {
    static const auto fields =
        Schema<CountedOptions>()
            .field(&CountedOptions::in, "in", "Key to read.")
            .field(&CountedOptions::out, "out", "Key to write.")
            .field(&CountedOptions::fails, "fails", "Whether LibTorch throws.");
    return fields;
  }
};

// Adds one, and counts how often it did.
class CountedOp : public NetworkOp {
 public:
  using Options = CountedOptions;
  explicit CountedOp(CountedOptions options) : options_(std::move(options)) {}
  [[nodiscard]] std::vector<std::string> reads() const override { return {options_.in}; }
  [[nodiscard]] std::vector<std::string> writes() const override { return {options_.out}; }
  [[nodiscard]] std::vector<Spec> infer(const std::vector<Spec>& inputs) override { return inputs; }
  void run(StepContext&, std::span<const at::Tensor> inputs,
           std::span<at::Tensor> outputs) override {
    ++counted_runs;
    outputs[0] = options_.fails ? inputs[0].reshape({1000}) : inputs[0].add(1);
  }

 private:
  Options options_;
};

Network counted_network(const std::vector<CountedOptions>& ops) {
  registry<NetworkOp>().add<CountedOp>("counted", "Adds one and counts.");
  std::vector<Choice<NetworkOp>> choices;
  for (const CountedOptions& options : ops)
    choices.push_back(choose<NetworkOp>("counted", options));
  counted_runs = 0;
  return {{}, choices, 0, at::kCPU};
}

TEST(Network, AnOpWhoseOutputNobodyNeedsDoesNotRun) {
  Network network = counted_network(
      {{.in = "a", .out = "b"}, {.in = "a", .out = "unused"}, {.in = "b", .out = "c"}});
  const Tensors results = network.run({{"a", at::ones({2, 3})}}, {"c"});
  EXPECT_EQ(counted_runs, 2);
  EXPECT_EQ(results.size(), 1u);
  EXPECT_EQ(results.at("c").sum().item().toDouble(), 18);
}

TEST(Network, AFeedStandsInForTheOpThatWouldMakeIt) {
  Network network = counted_network({{.in = "a", .out = "b"}, {.in = "b", .out = "c"}});
  const Tensors results = network.run({{"b", at::ones({2})}}, {"c"});
  EXPECT_EQ(counted_runs, 1);
  EXPECT_EQ(results.at("c").sum().item().toDouble(), 4);
}

TEST(Network, NamesOpAndShapesWhenLibTorchThrows) {
  Network network = counted_network({{.in = "a", .out = "b", .fails = true}});
  try {
    (void)network.run({{"a", at::ones({2, 3})}}, {"b"});
    FAIL();
  } catch (const GraphError& error) {
    EXPECT_EQ(std::string(error.what()).rfind("network[0] counted failed on float32 [2, 3]: ", 0),
              0u)
        << error.what();
  }
}

}  // namespace
}  // namespace hearth
