// The ranks of this host from their start to the end of the last one.
#include "hearth/launch/supervisor.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <thread>

#include "hearth/base/cores.h"
#include "hearth/base/files.h"
#include "hearth/base/text.h"
#include "hearth/launch/core_shares.h"
#include "hearth/launch/rank_process.h"

namespace hearth {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kLookAtRanks{20};
// Until the ranks have named who is gone by themselves; until they have obeyed SIGTERM.
constexpr std::chrono::seconds kUntilNamed{20};
constexpr std::chrono::seconds kUntilForced{4};
constexpr std::chrono::seconds kLookForReasons{1};
constexpr int kGaveUpCode = 5;  // ClusterError's: another rank is the reason
constexpr int kSavedCode = 75;  // another host's launcher, or a signal to one rank, asked for it
constexpr size_t kShownLines = 15;
constexpr int kHandedOn[] = {SIGINT, SIGTERM, SIGUSR1, SIGHUP};

std::atomic<int> last_signal{0};
std::atomic<int> signals{0};

void on_launch_signal(int signal) {
  last_signal = signal;
  ++signals;
}

// For as long as ranks run.
class HandOnSignals {
 public:
  HandOnSignals() {
    signals = 0;
    for (const int signal : kHandedOn) before_.push_back(std::signal(signal, on_launch_signal));
  }
  ~HandOnSignals() {
    for (size_t i = 0; i < before_.size(); ++i) std::signal(kHandedOn[i], before_[i]);
  }
  HandOnSignals(const HandOnSignals&) = delete;
  HandOnSignals& operator=(const HandOnSignals&) = delete;

 private:
  std::vector<void (*)(int)> before_;
};

std::string last_lines(const std::string& path) {
  std::error_code fault;
  if (!std::filesystem::exists(path, fault)) return "";
  const std::string text = read_file(path);
  if (trim(text).empty()) return "";
  std::vector<std::string> lines = split(trim(text), '\n');
  if (lines.size() > kShownLines)
    lines.erase(lines.begin(), lines.end() - static_cast<std::ptrdiff_t>(kShownLines));
  return "  " + join(lines, "\n  ");
}

class Ranks {
 public:
  explicit Ranks(const LaunchOptions& options) : options_(options) {
    const auto shares = core_shares(usable_cores(), options.ranks);
    for (int local = 0; local < options.ranks; ++local)
      processes_.emplace_back(command_of(local, shares[static_cast<size_t>(local)]));
  }

  LaunchEnd run() {
    while (!look()) {
      hand_on_signals();
      end_survivors();
      reform();
      std::this_thread::sleep_for(kLookAtRanks);
    }
    return end();
  }

 private:
  [[nodiscard]] int rank_of(int local) const {
    return options_.host_index * options_.ranks + local;
  }
  [[nodiscard]] std::string log_of(int local) const {
    const int rank = rank_of(local);
    return rank == 0 ? "" : options_.logs + "/rank-" + std::to_string(rank) + ".log";
  }

  [[nodiscard]] RankCommand command_of(int local, const std::vector<int>& cores) const {
    const auto number = [](auto value) { return std::to_string(value); };
    RankCommand command;
    command.words = options_.words;
    command.log = log_of(local);
    if (options_.pins) command.cores = cores;
    command.variables = {{"HEARTH_RANK", number(rank_of(local))},
                         {"HEARTH_RANKS", number(options_.hosts * options_.ranks)},
                         {"HEARTH_LOCAL_RANK", number(local)},
                         {"HEARTH_LOCAL_RANKS", number(options_.ranks)},
                         {"HEARTH_STORE", options_.store},
                         {"HEARTH_ATTEMPT", options_.attempt},
                         {"HEARTH_SECRET", options_.secret},
                         {"HEARTH_RUN_FILE", options_.run_file}};
    if (!options_.pins && !cores.empty() && ::getenv("OMP_NUM_THREADS") == nullptr)
      command.variables["OMP_NUM_THREADS"] = number(cores.size());
    return command;
  }

  // Whether all have ended.
  bool look() {
    bool is_over = true;
    for (size_t local = 0; local < processes_.size(); ++local) {
      const bool was_over = processes_[local].exit_code().has_value();
      const std::optional<int> code = processes_[local].look();
      if (!code) is_over = false;
      if (code && !was_over && *code != 0) fail(static_cast<int>(local), *code);
    }
    return is_over;
  }

  void fail(int local, int code) {
    if (!failed_at_) first_code_ = code;
    if (!failed_at_) failed_at_ = Clock::now();
    if (code == kGaveUpCode && !named_at_) {
      named_at_ = Clock::now();
      named_by_ = local;
    }
    if (code == kGaveUpCode || code == kSavedCode || was_asked_ || asked_at_ || end_.is_reforming)
      return;
    ++end_.lost;
    if (end_.exit_code == 0) end_.exit_code = code;
    options_.say(failed_text(local, code));
  }

  [[nodiscard]] std::string failed_text(int local, int code) const {
    const std::string lines = log_of(local).empty() ? "" : last_lines(log_of(local));
    return "rank " + std::to_string(rank_of(local)) + " " + end_text(code) +
           (lines.empty() ? "" : ". The end of " + log_of(local) + ":\n" + lines);
  }

  // The reason, where rank 0, whose words are the user's, has said nothing: it may be the one that
  // is stopped, or be another host's.
  [[nodiscard]] std::string reason_text() const {
    const bool is_told = rank_of(0) == 0 && processes_.front().exit_code().has_value();
    if (is_told || !named_at_ || log_of(named_by_).empty()) return "";
    return "; " + failed_text(named_by_, kGaveUpCode);
  }

  void hand_on_signals() {
    for (; handed_on_ < signals; ++handed_on_) {
      was_asked_ = true;
      for (const RankProcess& process : processes_) process.send(last_signal);
    }
  }

  void end_survivors() {
    if (!failed_at_ || was_asked_) return;
    const Clock::time_point now = Clock::now();
    if (!asked_at_ &&
        (now - *failed_at_ > kUntilNamed || (named_at_ && now - *named_at_ > options_.grace))) {
      asked_at_ = now;
      options_.say("ranks that are left are ended" + reason_text());
      for (const RankProcess& process : processes_) process.send(SIGTERM);
    }
    if (asked_at_ && now - *asked_at_ > kUntilForced)
      for (const RankProcess& process : processes_) process.send(SIGKILL);
  }

  void reform() {
    if (end_.is_reforming || failed_at_ || was_asked_ || !options_.reason_to_reform) return;
    const Clock::time_point now = Clock::now();
    if (now - looked_for_reasons_ < kLookForReasons) return;
    looked_for_reasons_ = now;
    const std::string reason = options_.reason_to_reform();
    if (reason.empty()) return;
    end_.is_reforming = true;
    options_.say(reason + ": the ranks save and end, to begin again with others");
    processes_.front().send(SIGTERM);  // one tells the others
  }

  LaunchEnd end() {
    end_.was_asked = was_asked_;
    // Nobody's own error: a rank was stopped or cannot be reached, or is another host's.
    if (end_.exit_code == 0) end_.exit_code = first_code_;
    if (was_asked_ && processes_.front().exit_code().value_or(0) != 0)
      end_.exit_code = *processes_.front().exit_code();
    return end_;
  }

  const LaunchOptions& options_;
  std::vector<RankProcess> processes_;
  std::optional<Clock::time_point> failed_at_;
  std::optional<Clock::time_point> named_at_;
  std::optional<Clock::time_point> asked_at_;
  Clock::time_point looked_for_reasons_ = Clock::now();
  int named_by_ = 0;  // the first that gave up
  int first_code_ = 0;
  int handed_on_ = 0;
  bool was_asked_ = false;
  LaunchEnd end_;
};

}  // namespace

LaunchEnd run_ranks(const LaunchOptions& options) {
  std::filesystem::create_directories(options.logs);
  const HandOnSignals hand_on;
  return Ranks(options).run();
}

}  // namespace hearth
