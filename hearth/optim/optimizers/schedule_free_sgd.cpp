// Schedule-free descent (Defazio and others, 2024).
#include "hearth/optim/optimizers/schedule_free_sgd.h"

#include "hearth/config/registry.h"
#include "hearth/optim/optimizer_fields.h"
#include "hearth/optim/schedule_free.h"

namespace hearth::optimizers {
namespace {

struct ScheduleFreeSgd : ScheduleFreeKind<ScheduleFreeSgdOptions> {
  static std::vector<OptimizerSlot> slots() { return {"sequence", "average"}; }
  static UpdateRule rule(const Options& now, const OptimizerMemory::Entry& entry, double lr) {
    return update_rule<formulas::ScheduleFreeDescent>({.lr = lr,
                                                       .weight_decay = now.weight_decay,
                                                       .share = weights_with(now, entry, lr).share,
                                                       .beta = now.momentum});
  }
};

}  // namespace

const Schema<ScheduleFreeSgdOptions>& ScheduleFreeSgdOptions::schema() {
  using O = ScheduleFreeSgdOptions;
  static const auto fields =
      schedule_free_schema<O>(kCoupledDecayHelp)
          .field(&O::momentum, "momentum", kScheduleFreeBetaHelp, above(0), below(1));
  return fields;
}

Choice<Optimizer> schedule_free_sgd(ScheduleFreeSgdOptions options) {
  return choose<Optimizer>("schedule_free_sgd", options);
}

void register_schedule_free_sgd(Registry<Optimizer>& optimizers) {
  optimizers.add<RuledOptimizer<ScheduleFreeSgd>>(
      "schedule_free_sgd",
      "Descent that needs no falling learning rate: evaluation uses an average that it learns.");
}

}  // namespace hearth::optimizers
