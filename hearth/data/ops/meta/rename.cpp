// A key under another name. The old name stays for whoever reads it; without readers nothing is
// copied.
#include "hearth/data/ops/meta/rename.h"

#include "hearth/config/registry.h"

namespace hearth::sample_ops {

namespace {

class Rename : public SampleOp {
 public:
  using Options = RenameOptions;
  explicit Rename(Options options) : options_(std::move(options)) {}

  std::vector<std::string> reads() const override { return {options_.key}; }
  std::vector<std::string> writes() const override { return {options_.to}; }
  std::vector<Spec> infer(const std::vector<Spec>& inputs) const override { return inputs; }
  bool is_in_place() const override { return true; }
  void run(Random&, std::span<const View>, std::span<const Cell>) const override {}

 private:
  Options options_;
};

}  // namespace

const Schema<RenameOptions>& RenameOptions::schema() {
  using O = RenameOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::key, "key", "The key as it is called before.", required(), not_empty())
          .field(&O::to, "to", "Its name from here on.", required(), not_empty())
          .check("'key' and 'to' must differ.",
                 [](const O& options) { return options.key != options.to; });
  return schema;
}

Choice<SampleOp> rename(const RenameOptions& options) {
  return choose<SampleOp>("rename", options);
}

void register_rename(Registry<SampleOp>& registry) {
  registry.add<Rename>("rename", "Gives a key another name.");
}

}  // namespace hearth::sample_ops
