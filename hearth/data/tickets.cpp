// Handing out and taking back parts of batches under one mutex.
#include "hearth/data/tickets.h"

namespace hearth {

Tickets::Tickets(int window, int chunks, int active)
    : unfinished_(static_cast<size_t>(window)), chunks_(chunks), active_(active) {}

void Tickets::open(int64_t batches) {
  if (batches == 0) return;
  {
    const std::lock_guard lock(mutex_);
    for (int64_t i = 0; i < batches; ++i) unfinished(opened_++) = chunks_;
  }
  work_opened_.notify_all();
}

std::optional<Ticket> Tickets::claim_locked() {
  if (next_.batch >= opened_) return std::nullopt;
  const Ticket ticket = next_;
  if (++next_.chunk == chunks_) next_ = {.batch = next_.batch + 1, .chunk = 0};
  ++running_;
  return ticket;
}

std::optional<Ticket> Tickets::try_claim() {
  const std::lock_guard lock(mutex_);
  return claim_locked();
}

// Those who are not active are not woken for every batch.
std::optional<Ticket> Tickets::claim(int worker) {
  std::unique_lock lock(mutex_);
  const auto is_active = [&] { return is_stopped_ || worker < active_; };
  while (true) {
    workers_changed_.wait(lock, is_active);
    work_opened_.wait(lock, [&] { return is_stopped_ || !is_active() || next_.batch < opened_; });
    if (is_stopped_) return std::nullopt;
    if (is_active()) return claim_locked();
  }
}

void Tickets::set_active(int workers) {
  {
    const std::lock_guard lock(mutex_);
    active_ = workers;
  }
  workers_changed_.notify_all();
  work_opened_.notify_all();
}

void Tickets::finish(const Ticket& ticket) {
  bool is_worth_telling = false;
  {
    const std::lock_guard lock(mutex_);
    --running_;
    is_worth_telling = --unfinished(ticket.batch) == 0 || running_ == 0;
  }
  if (is_worth_telling) work_finished_.notify_all();
}

bool Tickets::is_done(int64_t batch) const {
  const std::lock_guard lock(mutex_);
  return unfinished_[static_cast<size_t>(batch) % unfinished_.size()] == 0;
}

void Tickets::wait_until_done(int64_t batch) {
  std::unique_lock lock(mutex_);
  work_finished_.wait(lock, [&] { return unfinished(batch) == 0; });
}

void Tickets::drain() {
  std::unique_lock lock(mutex_);
  next_ = {.batch = opened_, .chunk = 0};
  work_finished_.wait(lock, [this] { return running_ == 0; });
}

void Tickets::restart(int64_t first_batch) {
  const std::lock_guard lock(mutex_);
  opened_ = first_batch;
  next_ = {.batch = first_batch, .chunk = 0};
}

void Tickets::stop() {
  {
    const std::lock_guard lock(mutex_);
    is_stopped_ = true;
  }
  workers_changed_.notify_all();
  work_opened_.notify_all();
}

}  // namespace hearth
