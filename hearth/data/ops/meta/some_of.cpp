// Some of several ops, drawn for each sample; those that run keep their order.
#include "hearth/data/ops/meta/some_of.h"

#include "hearth/config/registry.h"
#include "hearth/data/list_op.h"

namespace hearth::sample_ops {

namespace {

class SomeOf {
 public:
  using Options = SomeOfOptions;
  static constexpr const char* kName = "some_of";
  static constexpr bool kKeepsSpecs = true;
  SomeOf(const Options& options, size_t ops) : count_(options.count), ops_(ops) {}

  // Each op is taken as likely as ops are still wanted among those that are left.
  [[nodiscard]] std::span<const size_t> draw(Random& random, DrawnOps& room) const {
    auto wanted = static_cast<uint32_t>(random.between(count_.front(), count_.back()));
    size_t taken = 0;
    for (size_t i = 0; i < ops_ && wanted > 0; ++i) {
      if (random.below(static_cast<uint32_t>(ops_ - i)) >= wanted) continue;
      room[taken++] = i;
      --wanted;
    }
    return std::span(room).first(taken);
  }

 private:
  std::vector<int64_t> count_;
  size_t ops_;
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
                 at_least(0), at_most(kMostDrawnOps))
          .check("'count' must hold one number, or two, the smaller one first.",
                 [](const O& options) {
                   return options.count.size() <= 2 &&
                          options.count.front() <= options.count.back();
                 })
          .check("'of' must hold at least as many ops as 'count' takes, and at most 64.",
                 [](const O& options) {
                   return options.of.size() <= kMostDrawnOps &&
                          options.count.back() <= static_cast<int64_t>(options.of.size());
                 });
  return schema;
}

Choice<SampleOp> some_of(const SomeOfOptions& options) {
  return choose<SampleOp>("some_of", options);
}

void register_some_of(Registry<SampleOp>& registry) {
  registry.add<ListOp<SomeOf>>("some_of", "Runs some of several ops, each time others.");
}

}  // namespace hearth::sample_ops
