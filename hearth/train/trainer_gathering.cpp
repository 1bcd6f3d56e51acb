// Steps that are made of what came first: what of it is put on record, and when ranks meet.
#include <nlohmann/json.hpp>

#include "hearth/cluster/group.h"
#include "hearth/network/step_gathering.h"
#include "hearth/train/trainer.h"

namespace hearth {

StepGathering* Trainer::gathering() const { return experiment_.network().gathering(); }

void Trainer::begin_gathering() {
  has_gathered_ = false;
  if (gathering() != nullptr) gathering()->count_from_here();
}

// Who is behind has made all steps then.
void Trainer::finish_gathering() {
  if (gathering() == nullptr) return;
  gathering()->finish();
  if (ranks_.is_first() && !gathering()->is_replayed())
    left_out_.set_late_at_end(gathering()->late());
}

// Every step of a run with spare processes, whatever `log_every` says: it cannot be made again
// without.
void Trainer::count_gathered() {
  if (gathering() == nullptr || !gathering()->has_step()) return;
  const GatheredStep& step = gathering()->step();
  has_gathered_ = true;
  const SyncReplicasOptions& options = *experiment_.options().sync_replicas;
  left_out_.add(step, static_cast<size_t>(options.total));
  if (!options.has_backups()) return;
  const auto missed = static_cast<double>(left_out_.missed_by_all());
  metrics_["step/left_out"] = metrics_["train/left_out"] = missed;
  if (keeper_)
    keeper_->log(
        {"gathered",
         position_.step,
         position_.epoch,
         0,
         {},
         {{"slots", step.slots}, {"ranks", step.ranks}, {"dropped", left_out_.dropped()}}});
}

void Trainer::add_left_out(Event& event) const {
  if (gathering() == nullptr) return;
  for (size_t rank = 0; rank < left_out_.missed().size(); ++rank)
    event.values.emplace_back("left_out/rank_" + std::to_string(rank), left_out_.missed()[rank]);
}

void Trainer::tell_left_out() const {
  if (gathering() != nullptr && !left_out_.missed().empty())
    notice("sync_replicas: " + left_out_.text() + ".");
}

void Trainer::meet() {
  if (ranks_.is_alone()) return;
  const bool is_asked = callbacks_.interrupt != nullptr && callbacks_.interrupt->load();
  experiment_.group()->doing("step " + std::to_string(position_.step + 1));
  const RankNews own{is_asked, watch_.seconds(), keeper_ && keeper_->is_saving()};
  if (gathering() != nullptr) gathering()->tell(own);
  // A slow rank must not be waited for here: what it would say came with the last step.
  now_ = std::exchange(has_gathered_, false) ? gathering()->step().news : ranks_.agree(own);
}

}  // namespace hearth
