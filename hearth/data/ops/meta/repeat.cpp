// Ops that run several times for each sample.
#include "hearth/data/ops/meta/repeat.h"

#include "hearth/config/registry.h"
#include "hearth/data/op_list.h"

namespace hearth::sample_ops {

namespace {

class Repeat : public SampleOp {
 public:
  using Options = RepeatOptions;
  explicit Repeat(Options options) : options_(std::move(options)), ops_("repeat", options_.of) {
    for (int64_t turn = 0; turn < options_.times; ++turn)
      for (size_t i = 0; i < ops_.size(); ++i) all_.push_back(i);
  }

  std::vector<std::string> reads() const override { return ops_.reads(); }
  std::vector<std::string> writes() const override { return ops_.writes(); }
  std::vector<Spec> infer(const std::vector<Spec>& inputs) const override {
    return ops_.kept_specs(inputs);
  }

  void run(Random& random, std::span<const View> inputs,
           std::span<const Cell> outputs) const override {
    ops_.run(all_, random, inputs, outputs);
  }

 private:
  Options options_;
  OpList ops_;
  std::vector<size_t> all_;
};

}  // namespace

const Schema<RepeatOptions>& RepeatOptions::schema() {
  using O = RepeatOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::of, "of", "The ops, which keep the size and kind of keys.", required(),
                 not_empty())
          .field(&O::times, "times", "How often all of them run, one after another.", at_least(0),
                 at_most(1000));
  return schema;
}

Choice<SampleOp> repeat(const RepeatOptions& options) {
  return choose<SampleOp>("repeat", options);
}

void register_repeat(Registry<SampleOp>& registry) {
  registry.add<Repeat>("repeat", "Runs ops several times.");
}

}  // namespace hearth::sample_ops
