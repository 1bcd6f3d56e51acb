// The threads that compute together: how many, and how they get along with other programs.
#include "hearth/kernels/threads/compute_threads.h"

#include <ATen/Parallel.h>
#include <omp.h>

#include <algorithm>
#include <condition_variable>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <vector>

#include "hearth/base/cores.h"
#include "hearth/base/error.h"
#include "hearth/base/fewer_cores.h"
#include "hearth/base/other_programs.h"
#include "hearth/base/text.h"

namespace hearth {
namespace {

// Others may take this much of a core before threads sleep, and no more than this before they spin
// again.
constexpr double kTooBusyToSpin = 0.3;
constexpr double kQuietAgain = 0.15;
constexpr auto kBetweenLooks = std::chrono::milliseconds(250);
// A short run beside others would else have spun for a good part of its time.
constexpr auto kFirstLook = std::chrono::milliseconds(60);
// Then the threads may go where they like until the next look: the system's own balance decides
// anew which cores they keep to.
constexpr int kLooksTogether = 12;

// Returns early when it is told to stop.
void sleep_for(std::chrono::milliseconds time, const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any never;
  std::unique_lock lock(mutex);
  never.wait_for(lock, stop, time, [] { return false; });
}

// libgomp reads how long to spin while it is loaded, too early for a library. But it hardly spins
// while there are more threads in teams than cores: so one more team, which does nothing.
void keep_idle_team(int threads, const std::stop_token& stop) {
  const int size = std::max(2, omp_get_num_procs() - threads + 2);
#pragma omp parallel num_threads(size)
  { (void)omp_get_thread_num(); }
  while (!stop.stop_requested()) sleep_for(std::chrono::hours(1), stop);
}

// The kernel's numbers of the threads that compute for this one, itself first.
std::vector<int> team_of_this_thread() {
  std::vector<int> numbers(static_cast<size_t>(at::get_num_threads()));
#pragma omp parallel num_threads(static_cast <int>(numbers.size()))
  numbers[static_cast<size_t>(omp_get_thread_num())] = thread_number();
  return numbers;
}

// What has been chosen, in force.
class ChoiceInForce {
 public:
  explicit ChoiceInForce(std::vector<int> team) : team_(std::move(team)) {}
  [[nodiscard]] Waiting waiting() const { return choice_.waiting; }
  void set(const ThreadChoice& choice) {
    if (choice == choice_) return;
    choice_ = choice;
    together_.reset();
    if (choice.waiting == Waiting::kSpin) {
      sleeping_.reset();
    } else if (!sleeping_) {
      sleeping_ = std::make_unique<SleepingThreads>(static_cast<int>(team_.size()));
    }
    if (choice.waiting == Waiting::kTogether)
      together_ = std::make_unique<FewerCores>(team_, choice.cores);
  }

 private:
  std::vector<int> team_;
  ThreadChoice choice_;
  std::unique_ptr<SleepingThreads> sleeping_;
  std::unique_ptr<FewerCores> together_;
};

void watch(const std::vector<int>& team, const std::stop_token& stop) {
  const int cores = available_cores();
  const auto threads = static_cast<int>(team.size());
  ChoiceInForce choice(team);
  OtherPrograms others;
  int looks_together = 0;
  for (sleep_for(kFirstLook, stop); !stop.stop_requested(); sleep_for(kBetweenLooks, stop)) {
    const std::optional<double> used = others.cores_used();
    if (!used) continue;
    ThreadChoice better = better_choice(*used, cores, threads, choice.waiting());
    looks_together = better.waiting == Waiting::kTogether ? looks_together + 1 : 0;
    if (looks_together > kLooksTogether) {
      better = {Waiting::kSleep};
      looks_together = 0;
    }
    choice.set(better);
  }
}

}  // namespace

void use_threads(std::optional<int64_t> threads) {
  const int count = threads ? static_cast<int>(*threads) : available_cores();
  if (at::get_num_threads() != count) at::set_num_threads(count);
}

ThreadChoice better_choice(double cores_of_others, int cores, int threads, Waiting before) {
  if (threads < 2) return {};  // nobody to wait for
  const double shared = cores_of_others - std::max(0, cores - threads);
  if (shared <= (before == Waiting::kSpin ? kTooBusyToSpin : kQuietAgain)) return {};
  const double left = std::max(cores - cores_of_others, 0.1);
  const int threads_a_core = static_cast<int>(threads / left);
  if (threads_a_core < 2) return {Waiting::kSleep};
  return {Waiting::kTogether, std::max(1, threads / threads_a_core)};
}

std::optional<ThreadChoice> asked_choice() {
  const char* asked = std::getenv("HEARTH_WAITING");
  const std::string word = asked == nullptr ? "" : asked;
  if (word.empty()) return std::nullopt;
  for (const ThreadChoice choice :
       {ThreadChoice{}, ThreadChoice{Waiting::kSleep}, ThreadChoice{Waiting::kTogether, 1}})
    if (word == name(choice.waiting)) return choice;
  throw ConfigError("HEARTH_WAITING in the environment must be spin, sleep or together, but is " +
                    quote(word) + ". Unset it to let Hearth choose.");
}

std::string name(Waiting waiting) {
  if (waiting == Waiting::kSpin) return "spin";
  return waiting == Waiting::kSleep ? "sleep" : "together";
}

SleepingThreads::SleepingThreads(int threads)
    : keeper_([threads](const std::stop_token& stop) { keep_idle_team(threads, stop); }) {}
SleepingThreads::~SleepingThreads() = default;

ThreadWatch::ThreadWatch() {
  const std::optional<ThreadChoice> asked = asked_choice();
  if (at::get_num_threads() < 2 || asked == ThreadChoice{}) return;
  watcher_ = std::jthread([asked, team = team_of_this_thread()](const std::stop_token& stop) {
    if (!asked) return watch(team, stop);
    ChoiceInForce choice(team);
    choice.set(*asked);
    while (!stop.stop_requested()) sleep_for(std::chrono::hours(1), stop);
  });
}
ThreadWatch::~ThreadWatch() = default;

}  // namespace hearth
