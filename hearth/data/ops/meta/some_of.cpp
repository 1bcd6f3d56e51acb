// Some of several ops, drawn for each sample; those that run keep their order.
#include "hearth/data/ops/meta/some_of.h"

#include <array>

#include "hearth/config/registry.h"
#include "hearth/data/op_list.h"

namespace hearth::sample_ops {

namespace {

constexpr size_t kMostOpsOfSome = 64;

class SomeOf : public SampleOp {
 public:
  using Options = SomeOfOptions;
  explicit SomeOf(Options options) : options_(std::move(options)), ops_("some_of", options_.of) {}

  std::vector<std::string> reads() const override { return ops_.reads(); }
  std::vector<std::string> writes() const override { return ops_.writes(); }
  std::vector<Spec> infer(const std::vector<Spec>& inputs) const override {
    return ops_.kept_specs(inputs);
  }

  void run(Random& random, std::span<const View> inputs,
           std::span<const Cell> outputs) const override {
    std::array<size_t, kMostOpsOfSome> numbers{};
    auto wanted =
        static_cast<uint32_t>(random.between(options_.count.front(), options_.count.back()));
    size_t taken = 0;
    // Each op is taken as likely as ops are still wanted among those that are left.
    for (size_t i = 0; i < ops_.size() && wanted > 0; ++i) {
      if (random.below(static_cast<uint32_t>(ops_.size() - i)) >= wanted) continue;
      numbers[taken++] = i;
      --wanted;
    }
    ops_.run(std::span(numbers).first(taken), random, inputs, outputs);
  }

 private:
  Options options_;
  OpList ops_;
};

}  // namespace

const Schema<SomeOfOptions>& SomeOfOptions::schema() {
  using O = SomeOfOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::of, "of",
                 "The ops, which keep the size and kind of keys. Those that are taken run in this "
                 "order.",
                 required(), not_empty())
          .field(&O::count, "count", "How many are taken, or the least and the most.", not_empty(),
                 at_least(0), at_most(kMostOpsOfSome))
          .check("'count' must hold one number, or two, the smaller one first.",
                 [](const O& options) {
                   return options.count.size() <= 2 &&
                          options.count.front() <= options.count.back();
                 })
          .check("'of' must hold at least as many ops as 'count' takes, and at most 64.",
                 [](const O& options) {
                   return options.of.size() <= kMostOpsOfSome &&
                          options.count.back() <= static_cast<int64_t>(options.of.size());
                 });
  return schema;
}

Choice<SampleOp> some_of(const SomeOfOptions& options) {
  return choose<SampleOp>("some_of", options);
}

void register_some_of(Registry<SampleOp>& registry) {
  registry.add<SomeOf>("some_of", "Runs some of several ops, each time others.");
}

}  // namespace hearth::sample_ops
