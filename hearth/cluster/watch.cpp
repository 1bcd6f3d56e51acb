// Looks after the ranks by signs of life in the store.
#include "hearth/cluster/watch.h"

#include <cmath>

#include "hearth/base/terminal.h"
#include "hearth/base/text.h"
#include "hearth/cluster/key_store.h"
#include "hearth/launch/cluster_error.h"

namespace hearth {
namespace {

constexpr std::chrono::milliseconds kBeat{500};
// How long the end waits for the others to have read why.
constexpr std::chrono::milliseconds kLinger{3000};

double seconds_since(std::chrono::steady_clock::time_point time) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - time).count();
}

std::string sign_key(int rank) { return "sign/" + std::to_string(rank); }

double seconds_of(std::chrono::milliseconds time) {
  return std::chrono::duration<double>(time).count();
}

}  // namespace

Watch::Watch(std::unique_ptr<KeyStore> store, const RankPlace& place, JoinOptions options,
             std::string who)
    : store_(std::move(store)),
      rank_(place.rank),
      size_(place.size),
      options_(std::move(options)),
      store_text_(place.host + ":" + std::to_string(place.port)),
      heard_(static_cast<size_t>(place.size), Heard{{}, Clock::now()}),
      board_at_(Clock::now()) {
  sign_.who = std::move(who);
  sign_.doing = "starting";
  board_.ranks.resize(static_cast<size_t>(size_));
  thread_ = std::thread([this] { run(); });
}

Watch::~Watch() {
  fail("It ended early.");
  if (thread_.joinable()) thread_.join();
}

void Watch::doing(std::string_view what) {
  const std::lock_guard lock(mutex_);
  if (sign_.state == RankState::kWorks) sign_.doing = what;
}

void Watch::begin_operation(std::string_view what) {
  check();
  const std::lock_guard lock(mutex_);
  ++sign_.operations;
  waits_for_ = what;
}

void Watch::begin_waiting(std::string_view what) {
  const std::lock_guard lock(mutex_);
  ++waiting_;
  waits_for_ = what;
  waits_since_ = Clock::now();
  said_after_ = 0;
}

void Watch::end_waiting() {
  const std::lock_guard lock(mutex_);
  --waiting_;
}

void Watch::on_fault(std::function<void()> callback) {
  const std::lock_guard lock(mutex_);
  on_fault_ = std::move(callback);
}

std::string Watch::fault() const {
  const std::lock_guard lock(mutex_);
  return fault_;
}

void Watch::check() const {
  const std::string found = fault();
  if (!found.empty()) throw ClusterError(found);
}

void Watch::blame(std::string_view what, std::string_view symptom) {
  std::unique_lock lock(mutex_);
  sign_.is_cut = true;
  changed_.wait_for(lock, options_.silence + 4 * kBeat,
                    [this] { return !fault_.empty() || stops_; });
  if (fault_.empty())
    fault_ = "the connection to another rank broke at " + quote(what) + ": " + std::string(symptom);
  throw ClusterError(fault_);
}

void Watch::fail(std::string_view message) noexcept {
  try {
    end(fault().empty() ? RankState::kFailed : RankState::kGaveUp, message);
  } catch (...) {  // the others find it silent then
  }
}

void Watch::leave() { end(RankState::kLeft, ""); }

void Watch::end(RankState state, std::string_view message) {
  std::unique_lock lock(mutex_);
  if (stops_) return;
  sign_.state = state;
  if (state == RankState::kGaveUp) sign_.doing = fault_;
  if (state == RankState::kFailed) sign_.doing = message;
  stops_ = true;
  changed_.notify_all();
  changed_.wait_for(lock, kLinger + options_.silence, [this] { return is_over_; });
}

void Watch::run() {
  const auto is_ending = [this] { return stops_; };
  auto end_by = Clock::time_point::max();
  while (true) {
    beat();
    std::unique_lock lock(mutex_);
    if (stops_ && end_by == Clock::time_point::max()) {
      end_by = Clock::now() + kLinger;
      // What was last said must be written: one more beat.
    } else if (stops_ && (others_know() || Clock::now() > end_by)) {
      break;
    }
    if (stops_)
      changed_.wait_for(lock, kBeat / 10);
    else
      changed_.wait_for(lock, kBeat, is_ending);
  }
  const std::lock_guard lock(mutex_);
  is_over_ = true;
  changed_.notify_all();
}

// Only who keeps the store has to stay until the others have read it.
bool Watch::others_know() const {
  if (rank_ != 0) return true;
  for (size_t rank = 1; rank < heard_.size(); ++rank)
    if (heard_[rank].sign.state == RankState::kWorks &&
        seconds_since(heard_[rank].at) < seconds_of(options_.silence))
      return false;
  return true;
}

void Watch::beat() {
  look_at_clock();
  try {
    const Sign own = own_sign();
    store_->set(sign_key(rank_), to_text(own));
    if (rank_ == 0)
      judge(own);
    else if (own.state == RankState::kWorks)
      read_board();
  } catch (const std::exception& error) {
    lose_store(error.what());
  }
  look_at_own_wait();
}

Sign Watch::own_sign() {
  const std::lock_guard lock(mutex_);
  ++sign_.count;
  Sign sign = sign_;
  sign.waiting = waiting_ > 0 ? seconds_since(waits_since_) : 0;
  if (waiting_ > 0)
    sign.doing += (sign.doing.empty() ? "" : ", ") + ("waits at " + quote(waits_for_));
  return sign;
}

// Nothing here goes by that clock, but times in logs do, and whoever compares them should know.
void Watch::look_at_clock() {
  const double jump = clock_.jump();
  if (jump == 0) return;
  const std::lock_guard lock(mutex_);
  sign_.notice = "its clock jumped " + std::string(jump > 0 ? "ahead" : "back") + " by " +
                 human_seconds(std::abs(jump)) +
                 ", or its host slept; times in logs are by the new one";
}

void Watch::hear(int rank, const Sign& sign) {
  Heard& heard = heard_[static_cast<size_t>(rank)];
  if (sign.notice != heard.sign.notice) {
    const std::string text = rank_text(rank, sign) + ": " + sign.notice;
    options_.say ? options_.say(text) : print_warning(text);
  }
  heard = {sign, Clock::now()};
}

void Watch::judge(const Sign& own) {
  hear(0, own);
  for (int rank = 1; rank < size_; ++rank) {
    const Heard& heard = heard_[static_cast<size_t>(rank)];
    if (heard.sign.state == RankState::kLeft) continue;
    const Sign sign = read_sign(store_->get(sign_key(rank)));
    if (sign.count != heard.sign.count) hear(rank, sign);
  }
  const std::string fault = fault_in(seen(), options_.silence);
  Board board{own.count, fault, seen()};
  {
    const std::lock_guard lock(mutex_);
    if (board.fault.empty()) board.fault = fault_;
    board_ = board;
  }
  store_->set("board", to_text(board));
  if (own.state == RankState::kWorks) find(fault);
}

void Watch::read_board() {
  Board board = read_board_text();
  const std::string fault = board.fault;
  {
    const std::lock_guard lock(mutex_);
    if (board.count != board_.count) board_at_ = Clock::now();
    board_ = std::move(board);
  }
  if (!fault.empty()) return find(fault);
  if (seconds_since(board_at_) <= seconds_of(options_.silence)) return;
  std::vector<Seen> first = {board_.ranks.at(0)};
  first[0].silent = seconds_since(board_at_);
  find(fault_in(first, options_.silence));
}

Board Watch::read_board_text() {
  Board board = hearth::read_board(store_->get("board"));
  if (board.ranks.size() != static_cast<size_t>(size_))
    throw DataError("rank 0's board has " + std::to_string(board.ranks.size()) + " ranks");
  return board;
}

void Watch::lose_store(const std::string& symptom) {
  {
    const std::lock_guard lock(mutex_);
    if (stops_) return;  // it may go when all have left
  }
  const Sign& first = board_.ranks.at(0).sign;
  find((rank_ == 0 ? "the store" : rank_text(0, first) + ", which keeps the store") + " at " +
       store_text_ +
       " is gone or does not answer: it was killed, is stopped, or cannot be reached" +
       (rank_ == 0 || first.doing.empty() ? " (" + symptom + ")"
                                          : "; it was doing: " + first.doing));
}

void Watch::look_at_own_wait() {
  std::unique_lock lock(mutex_);
  if (waiting_ == 0 || stops_) return;
  const double waited = seconds_since(waits_since_);
  if (waited < seconds_of(options_.slow) || waited < 2 * said_after_) return;
  said_after_ = waited;
  std::vector<Seen> ranks = board_.ranks;
  ranks.at(static_cast<size_t>(rank_)).sign.operations = sign_.operations;
  const std::string late = late_ranks(ranks, rank_);
  const std::string what = quote(waits_for_);
  lock.unlock();
  const std::string text = "rank " + std::to_string(rank_) + " has waited for " +
                           human_seconds(waited) + " at " + what +
                           (late.empty() ? "" : " for " + late);
  if (waited > seconds_of(options_.patience)) return find(text + ". That is too long.");
  options_.say ? options_.say(text) : print_warning(text);
}

void Watch::find(const std::string& fault) {
  if (fault.empty()) return;
  std::function<void()> callback;
  {
    const std::lock_guard lock(mutex_);
    if (fault_.empty()) callback = std::exchange(on_fault_, nullptr);
    if (fault_.empty()) fault_ = fault;
    changed_.notify_all();
  }
  if (callback) callback();
}

std::vector<Seen> Watch::seen() const {
  std::vector<Seen> all;
  for (const Heard& heard : heard_) all.push_back({heard.sign, seconds_since(heard.at)});
  return all;
}

}  // namespace hearth
