// How much of this process's cores other programs use.
#include "hearth/base/other_programs.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <fstream>
#include <sstream>
#include <utility>

#include "hearth/base/cores.h"
#include "hearth/base/text.h"

namespace hearth {
namespace {

// The system counts in hundredths of a second for every core.
constexpr auto kLeastTellable = std::chrono::milliseconds(80);

double own_cpu_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

std::string stat_text() {
  std::ostringstream text;
  text << std::ifstream("/proc/stat").rdbuf();
  return text.str();
}

// user, nice, system, idle, iowait, irq, softirq
double busy_ticks(std::istringstream& counts) {
  constexpr std::array<bool, 7> kIsBusy = {true, true, true, false, false, true, true};
  double sum = 0;
  for (const bool is_busy : kIsBusy) {
    double ticks = 0;
    counts >> ticks;
    if (is_busy) sum += ticks;
  }
  return sum;
}

}  // namespace

std::optional<double> busy_seconds_in_stat(std::string_view text, const std::vector<int>& cores) {
  size_t found = 0;
  double ticks = 0;
  for (const std::string& line : split(text, '\n')) {
    std::istringstream words(line);
    std::string name;
    words >> name;
    if (!name.starts_with("cpu")) continue;
    const auto core = read_integer(std::string_view(name).substr(3));  // the first line is of all
    if (!core || std::find(cores.begin(), cores.end(), *core) == cores.end()) continue;
    ticks += busy_ticks(words);
    if (!words) return std::nullopt;
    ++found;
  }
  if (found == 0 || found != cores.size()) return std::nullopt;
  return ticks / static_cast<double>(sysconf(_SC_CLK_TCK));
}

OtherPrograms::OtherPrograms() : last_(now()) {}

OtherPrograms::Moment OtherPrograms::now() {
  return {std::chrono::steady_clock::now(), busy_seconds_in_stat(stat_text(), usable_cores()),
          own_cpu_seconds()};
}

std::optional<double> OtherPrograms::cores_used() {
  if (std::chrono::steady_clock::now() - last_.time < kLeastTellable) return std::nullopt;
  const Moment before = std::exchange(last_, now());
  if (!before.busy_seconds || !last_.busy_seconds) return std::nullopt;
  const double others = (*last_.busy_seconds - *before.busy_seconds) -  //
                        (last_.own_seconds - before.own_seconds);
  return std::max(0.0, others / std::chrono::duration<double>(last_.time - before.time).count());
}

}  // namespace hearth
