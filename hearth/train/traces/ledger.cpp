// Digests of losses and parameters in the run log. Two runs whose entries are equal had the same
// bits there; `hearth recreate` and `hearth bisect` read them.
#include "hearth/train/traces/ledger.h"

#include <nlohmann/json.hpp>

#include "hearth/config/registry.h"
#include "hearth/train/trace.h"

namespace hearth::traces {
namespace {

class Ledger : public Trace {
 public:
  using Options = LedgerOptions;
  explicit Ledger(Options options) : options_(options) {}

  [[nodiscard]] std::vector<Interest> interests() const override {
    return {{.on = Occasion::kStep, .every = options_.interval}};
  }

  void hear(const Happening& happening, RunControl& run) override {
    (void)happening;
    Event event;
    event.kind = "ledger";
    event.details = run.digests();
    run.record(std::move(event));
  }

 private:
  Options options_;
};

}  // namespace

const Schema<LedgerOptions>& LedgerOptions::schema() {
  using O = LedgerOptions;
  static const auto schema = Schema<O>().field(
      &O::interval, "interval",
      "How often, in steps: 100st, 1ep. Each entry reads every parameter once.", above(0));
  return schema;
}

Choice<Trace> ledger(LedgerOptions options) { return choose<Trace>("ledger", options); }

void register_ledger(Registry<Trace>& registry) {
  registry.add<Ledger>("ledger",
                       "Logs digests of losses, parameters and optimizer, which prove that two "
                       "runs have the same bits.");
}

}  // namespace hearth::traces
