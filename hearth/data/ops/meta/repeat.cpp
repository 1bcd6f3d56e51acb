// Ops that run several times for each sample.
#include "hearth/data/ops/meta/repeat.h"

#include "hearth/config/registry.h"
#include "hearth/data/list_op.h"

namespace hearth::sample_ops {

namespace {

class Repeat {
 public:
  using Options = RepeatOptions;
  static constexpr const char* kName = "repeat";
  static constexpr bool kKeepsSpecs = true;
  static constexpr bool kDrawsNothing = true;
  Repeat(const Options& options, size_t ops) : all_(all_ops(ops, options.times)) {}

  [[nodiscard]] std::span<const size_t> draw(Random&, DrawnOps&) const { return all_; }

 private:
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
  registry.add<ListOp<Repeat>>("repeat", "Runs ops several times.");
}

}  // namespace hearth::sample_ops
