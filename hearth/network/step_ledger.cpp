// Which ranks a step is made of.
#include "hearth/network/step_ledger.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "hearth/tensor/tree_sum.h"

namespace hearth {
namespace {

constexpr std::chrono::milliseconds kLook{50};

size_t sums_in(const TensorPacket& found) { return found.values.at("sums").get<size_t>(); }

}  // namespace

template <class Condition>
void StepLedger::wait(Lock& lock, const Condition& is_met) {
  while (true) {
    if (error_) std::rethrow_exception(error_);
    if (is_met()) return;
    if (options_.check) options_.check();
    changed_.wait_for(lock, kLook);
  }
}

StepLedger::Answer StepLedger::ask(Ask ask) {
  Lock lock(mutex_);
  hear(ask);
  const Clock::duration spent = take(ask);
  if (ask.round == open_) wait(lock, [&] { return ask.round < open_ || !is_full(); });
  if (ask.round == open_) {
    if (slots_.empty()) {
      slots_.resize(static_cast<size_t>(options_.slots));
      live_ = ask.live;
      const auto record = records_.find(ask.step);
      record_ = record == records_.end() ? nullptr : &record->second;
    }
    std::optional<int64_t> slot = free_slot(ask.rank);
    if (!slot && spent > Clock::duration(0)) {
      const auto until = Clock::now() + spent;
      wait(lock, [&] { return ask.round < open_ || Clock::now() >= until; });
    }
    if (!slot && ask.round == open_) slot = lacking_slot();
    if (slot) {
      slots_[static_cast<size_t>(*slot)].taker = ask.rank;
      slots_[static_cast<size_t>(*slot)].since = Clock::now();
      return {slot, {}};
    }
  }
  wait(lock, [&] { return ask.round < open_; });
  return {{}, made_.at(ask.round)};
}

void StepLedger::hear(const Ask& ask) {
  if (error_) std::rethrow_exception(error_);
  Rank& rank = ranks_[static_cast<size_t>(ask.rank)];
  rank.news = ask.news;
  rank.round = ask.round;
  forget_made();
}

// How long it took to find.
StepLedger::Clock::duration StepLedger::take(Ask& ask) {
  if (!ask.slot) return {};
  if (ask.round < open_) {
    if (ask.round >= counted_from_) ++ranks_[static_cast<size_t>(ask.rank)].late;
    return {};
  }
  Piece& slot = slots_[static_cast<size_t>(*ask.slot)];
  slot.found = std::move(ask.found);
  const Clock::duration spent = Clock::now() - slot.since;
  const auto found = std::count_if(slots_.begin(), slots_.end(),
                                   [](const Piece& one) { return one.found.has_value(); });
  if (found >= wanted_count()) close();
  return spent;
}

bool StepLedger::is_wanted(int64_t slot) const {
  if (record_ == nullptr) return slot < live_;
  return std::find(record_->slots.begin(), record_->slots.end(), slot) != record_->slots.end();
}

int64_t StepLedger::wanted_count() const {
  return record_ == nullptr ? std::min(options_.aggregate, live_)
                            : static_cast<int64_t>(record_->slots.size());
}

bool StepLedger::is_free(int64_t slot) const {
  return is_wanted(slot) && !slots_[static_cast<size_t>(slot)].taker;
}

bool StepLedger::is_lacking() const {
  return std::count_if(slots_.begin(), slots_.end(),
                       [](const Piece& slot) { return slot.taker.has_value(); }) < wanted_count();
}

// A rank's own, or one that is nobody's, if the step would lack it: who computes one that is not
// needed is late for the next step.
std::optional<int64_t> StepLedger::free_slot(int64_t rank) const {
  if (rank < options_.slots && is_free(rank)) return rank;
  for (int64_t slot = options_.ranks; slot < options_.slots && is_lacking(); ++slot)
    if (is_free(slot)) return slot;
  return std::nullopt;
}

// Another's own, which it has not begun.
std::optional<int64_t> StepLedger::lacking_slot() const {
  for (int64_t slot = 0; slot < options_.slots && is_lacking(); ++slot)
    if (is_free(slot)) return slot;
  return std::nullopt;
}

void StepLedger::close() {
  at::Tensor bytes = made_step().bytes();
  kept_bytes_ += bytes.numel();
  made_.emplace(open_, std::move(bytes));
  ++open_;
  slots_.clear();
  changed_.notify_all();
}

TensorPacket StepLedger::made_step() const {
  TensorPacket step;
  Json& values = step.values = {{"slots", Json::array()}, {"ranks", Json::array()}};
  std::vector<const TensorPacket*> found;
  for (size_t slot = 0; slot < slots_.size(); ++slot) {
    if (!slots_[slot].found) continue;
    found.push_back(&*slots_[slot].found);
    values["slots"].push_back(slot);
    values["ranks"].push_back(*slots_[slot].taker);
    values["parts"].push_back(found.back()->values);
    values["tensors"].push_back(found.back()->tensors.size() - sums_in(*found.back()));
  }
  const size_t sums = sums_in(*found.front());
  std::vector<at::Tensor> leaves(slots_.size());
  for (size_t i = 0; i < sums; ++i) {
    for (size_t slot = 0; slot < slots_.size(); ++slot)
      leaves[slot] = slots_[slot].found ? slots_[slot].found->tensors.at(i) : at::Tensor();
    step.tensors.push_back(tree_sum(leaves));
  }
  for (const TensorPacket* packet : found)
    step.tensors.insert(step.tensors.end(), packet->tensors.begin() + static_cast<ptrdiff_t>(sums),
                        packet->tensors.end());
  for (const Rank& rank : ranks_) values["late"].push_back(rank.late);
  values["news"] = merged_news();
  if (record_ != nullptr && !record_->ranks.empty()) values["ranks"] = record_->ranks;
  if (record_ != nullptr && !record_->late.empty()) values["late"] = record_->late;
  return step;
}

Json StepLedger::merged_news() const {
  RankNews all;
  for (const auto& [round, late, news] : ranks_) {
    all.is_interrupted = all.is_interrupted || news.is_interrupted;
    all.seconds = std::max(all.seconds, news.seconds);
    all.is_saving = all.is_saving || news.is_saving;
  }
  return {all.is_interrupted, all.seconds, all.is_saving};
}

void StepLedger::forget_made() {
  const auto last = std::min_element(
      ranks_.begin(), ranks_.end(),
      [](const Rank& left, const Rank& right) { return left.round < right.round; });
  while (!made_.empty() && made_.begin()->first < last->round) {
    kept_bytes_ -= made_.begin()->second.numel();
    made_.erase(made_.begin());
  }
  changed_.notify_all();
}

void StepLedger::fail(std::exception_ptr error) {
  const std::scoped_lock lock(mutex_);
  if (!error_) error_ = std::move(error);
  changed_.notify_all();
}

void StepLedger::replay(Records records) {
  const std::scoped_lock lock(mutex_);
  records_ = std::move(records);
}

void StepLedger::count_from(int64_t round) {
  const std::scoped_lock lock(mutex_);
  counted_from_ = round;
  for (Rank& rank : ranks_) rank.late = 0;
}

std::vector<int64_t> StepLedger::late() {
  const std::scoped_lock lock(mutex_);
  std::vector<int64_t> late;
  for (const Rank& rank : ranks_) late.push_back(rank.late);
  return late;
}

GatheredStep GatheredStep::of(TensorPacket packet) {
  GatheredStep step;
  step.slots = packet.values.at("slots").get<std::vector<int64_t>>();
  step.ranks = packet.values.at("ranks").get<std::vector<int64_t>>();
  step.late = packet.values.at("late").get<std::vector<int64_t>>();
  const Json& news = packet.values.at("news");
  step.news = {news.at(0).get<bool>(), news.at(1).get<double>(), news.at(2).get<bool>()};
  const Json& parts = packet.values.at("parts");
  auto next = packet.tensors.begin() + parts.at(0).at("sums").get<ptrdiff_t>();
  step.sums.assign(packet.tensors.begin(), next);
  for (size_t i = 0; i < parts.size(); ++i) {
    const auto count = packet.values.at("tensors").at(i).get<ptrdiff_t>();
    step.parts.push_back({{next, next + count}, parts.at(i)});
    next += count;
  }
  return step;
}

}  // namespace hearth
