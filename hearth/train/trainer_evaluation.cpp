// Evaluations that the ranks of a run share.
#include <algorithm>

#include "hearth/train/shared_evaluation.h"
#include "hearth/train/trainer.h"

namespace hearth {
namespace {

bool has_listeners(const Listeners& listeners) {
  const auto hears = [&](Occasion occasion) {
    return has_batch(occasion) && !listeners.of(occasion).empty();
  };
  for (size_t i = 0; i < kOccasions; ++i)
    if (hears(static_cast<Occasion>(i))) return true;
  return false;
}

}  // namespace

bool Trainer::shares_evaluation(const DataSet& set, const CompiledPlan& compiled) const {
  if (ranks_.is_alone() || set.mode == Mode::kTrain) return false;
  // What is replaced, or left out, goes into the log in its order.
  if (experiment_.options().data.on_error != "raise") return false;
  const int64_t batches = experiment_.batches(set, epoch_done_last());
  return batches > 1 && !has_listeners(compiled.listeners) &&
         SharedEvaluation::can_send(compiled, batches, experiment_.source(set)->size());
}

RandomIdentity Trainer::evaluation_draws(int64_t epoch) const {
  return {static_cast<uint64_t>(experiment_.options().seed), static_cast<uint32_t>(epoch), 0,
          op_number("evaluation")};
}

bool Trainer::evaluate_shared(const DataSet& set, const CompiledPlan& compiled, Loader& loader,
                              StepContext& context) {
  const int64_t epoch = epoch_done_last();
  const int64_t batches = experiment_.batches(set, epoch);
  SharedEvaluation shared(*experiment_.group(), batches);
  loader.start(epoch, shared.first(), epoch + 1);
  RandomIdentity draws = evaluation_draws(epoch);
  draws.sample = static_cast<uint64_t>(shared.first());
  for (int64_t round = 0; round < shared.rounds(); ++round) {
    meet();
    if (is_interrupted()) return false;
    if (round >= shared.count()) continue;
    show_pass("evaluating " + set.text(), round * batches / shared.rounds(), batches);
    seed_draws(draws);
    ++draws.sample;
    const HostBatch batch = loader.next();
    runner_.load(compiled, batch);
    runner_.compute(compiled, context);
    shared.keep(runner_.measured_values(compiled));
    runner_.clear();
  }
  shared.replay([&](const std::vector<at::Tensor>& values) {
    BatchRunner::update_metrics(compiled, values, context.moment);
  });
  return true;
}

}  // namespace hearth
