// Keys that are gone from here on. What nobody reads is not made anyway: this is for what is
// packed, shown or handed to a program, and to be sure.
#include "hearth/data/ops/meta/drop.h"

#include "hearth/config/registry.h"

namespace hearth::sample_ops {

namespace {

class Drop : public SampleOp {
 public:
  using Options = DropOptions;
  explicit Drop(Options options) : options_(std::move(options)) {}

  [[nodiscard]] bool is_random() const override { return false; }
  std::vector<std::string> reads() const override { return {}; }
  std::vector<std::string> writes() const override { return {}; }
  std::vector<std::string> drops() const override { return options_.keys; }
  std::vector<Spec> infer(const std::vector<Spec>&) const override { return {}; }
  void run(Random&, std::span<const View>, std::span<const Cell>) const override {}

 private:
  Options options_;
};

}  // namespace

const Schema<DropOptions>& DropOptions::schema() {
  using O = DropOptions;
  static const auto schema = Schema<O>().field(
      &O::keys, "keys", "The keys that nobody after this op finds.", required(), not_empty());
  return schema;
}

Choice<SampleOp> drop(const DropOptions& options) { return choose<SampleOp>("drop", options); }

void register_drop(Registry<SampleOp>& registry) {
  registry.add<Drop>("drop", "Leaves keys out from here on: of what is packed, above all.");
}

}  // namespace hearth::sample_ops
