// Some threads of this process on a few of its cores, for a while.
#include "hearth/base/fewer_cores.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

#include "hearth/base/text.h"

namespace hearth {
namespace {

// Where the thread last ran: field 39 of its stat, the 37th behind its name, which may hold spaces.
int last_core(int thread) {
  std::ifstream file("/proc/self/task/" + std::to_string(thread) + "/stat");
  std::string text;
  std::getline(file, text);
  const std::vector<std::string> fields = split(text.substr(text.rfind(')') + 1), ' ');
  constexpr size_t kCore = 37;
  return fields.size() > kCore ? static_cast<int>(read_integer(fields[kCore]).value_or(0)) : 0;
}

// `count` of `cores`, from `first` on and around the end.
cpu_set_t some_of(const cpu_set_t& cores, int first, int count) {
  cpu_set_t some;
  CPU_ZERO(&some);
  for (int i = 0; i < CPU_SETSIZE && CPU_COUNT(&some) < count; ++i) {
    const int core = (first + i) % CPU_SETSIZE;
    if (CPU_ISSET(core, &cores)) CPU_SET(core, &some);
  }
  return some;
}

std::vector<int> threads_of_process() {
  std::vector<int> threads;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task", error))
    if (const auto number = read_integer(entry.path().filename().string()))
      threads.push_back(static_cast<int>(*number));
  return threads;
}

bool runs_on(int thread, const cpu_set_t& cores) {
  cpu_set_t its;
  return sched_getaffinity(thread, sizeof(its), &its) == 0 && CPU_EQUAL(&its, &cores) != 0;
}

}  // namespace

FewerCores::FewerCores(const std::vector<int>& threads, int count) {
  if (threads.empty() || sched_getaffinity(threads[0], sizeof(before_), &before_) != 0) return;
  few_ = some_of(before_, last_core(threads[0]), std::max(1, count));
  for (const int thread : threads)
    if (runs_on(thread, before_)) sched_setaffinity(thread, sizeof(few_), &few_);
}

// Those that were started meanwhile have inherited it.
FewerCores::~FewerCores() {
  if (CPU_COUNT(&few_) == 0 || CPU_EQUAL(&few_, &before_) != 0) return;
  for (const int thread : threads_of_process())
    if (runs_on(thread, few_)) sched_setaffinity(thread, sizeof(before_), &before_);
}

int thread_number() { return gettid(); }

}  // namespace hearth
