// Who works on what: chunks of batches are handed out strictly in order, within an open window.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

namespace hearth {

// A part of a batch. Batches are numbered through all epochs.
struct Ticket {
  int64_t batch = 0;
  int chunk = 0;
};

// All waiting is here. No lock is held while a ticket is being worked on.
class Tickets {
 public:
  // `window` batches may be open at once; each is worked on in `chunks` parts.
  Tickets(int window, int chunks, int active);

  // The next batches may be worked on. Their numbers follow that of the batch opened before.
  void open(int64_t batches = 1);
  // The earliest part that nobody has taken, if one is open.
  [[nodiscard]] std::optional<Ticket> try_claim();
  // Waits for one; nothing after `stop`. Workers whose number is not below that of the active ones
  // wait on.
  [[nodiscard]] std::optional<Ticket> claim(int worker = 0);
  void set_active(int workers);
  void finish(const Ticket& ticket);
  [[nodiscard]] bool is_done(int64_t batch) const;
  void wait_until_done(int64_t batch);

  // Takes back what nobody has claimed and waits for what is being worked on.
  void drain();
  // After `drain`: the batch opened next has this number.
  void restart(int64_t first_batch);
  // Those who wait in `claim` leave.
  void stop();

 private:
  [[nodiscard]] std::optional<Ticket> claim_locked();
  [[nodiscard]] int& unfinished(int64_t batch) {
    return unfinished_[static_cast<size_t>(batch) % unfinished_.size()];
  }

  mutable std::mutex mutex_;
  std::condition_variable work_opened_;
  std::condition_variable work_finished_;
  std::condition_variable workers_changed_;
  std::vector<int> unfinished_;  // parts still to finish, by batch number modulo the window
  int chunks_;
  int64_t opened_ = 0;  // batches below this number are open
  Ticket next_;
  int running_ = 0;
  int active_;
  bool is_stopped_ = false;
};

}  // namespace hearth
