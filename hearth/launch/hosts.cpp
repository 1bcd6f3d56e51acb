// Lists of hosts as Slurm writes them.
#include "hearth/launch/hosts.h"

#include "hearth/base/error.h"
#include "hearth/base/text.h"

namespace hearth {
namespace {

constexpr size_t kMostHosts = 100'000;

[[noreturn]] void refuse(std::string_view list) {
  throw DataError(quote(list.substr(0, 200)) + " is no list of hosts, such as node[1-4,7],login.");
}

// At commas outside brackets.
std::vector<std::string> entries_of(std::string_view list) {
  std::vector<std::string> entries(1);
  int depth = 0;
  for (const char letter : list) {
    depth += (letter == '[' ? 1 : 0) - (letter == ']' ? 1 : 0);
    if (depth < 0 || depth > 1) refuse(list);
    if (letter == ',' && depth == 0)
      entries.emplace_back();
    else
      entries.back() += letter;
  }
  if (depth != 0) refuse(list);
  return entries;
}

// "08-10" keeps its zeros.
std::vector<std::string> numbers_in(const std::string& range, std::string_view list) {
  const std::vector<std::string> ends = split(range, '-');
  const std::optional<int64_t> first = read_integer(ends.front());
  const std::optional<int64_t> last = read_integer(ends.back());
  if (ends.size() > 2 || !first || !last || *first < 0 || *last < *first ||
      static_cast<size_t>(*last - *first) >= kMostHosts)
    refuse(list);
  std::vector<std::string> numbers;
  for (int64_t number = *first; number <= *last; ++number) {
    std::string text = std::to_string(number);
    if (text.size() < ends.front().size()) text.insert(0, ends.front().size() - text.size(), '0');
    numbers.push_back(std::move(text));
  }
  return numbers;
}

// An entry may have several brackets: rack[1-2]node[1-8].
std::vector<std::string> names_in(const std::string& entry, std::string_view list) {
  const size_t open = entry.find('[');
  if (open == std::string::npos) return {entry};
  const size_t close = entry.find(']', open);
  std::vector<std::string> names;
  const std::vector<std::string> rest = names_in(entry.substr(close + 1), list);
  for (const std::string& range : split(entry.substr(open + 1, close - open - 1), ','))
    for (const std::string& number : numbers_in(range, list))
      for (const std::string& end : rest) {
        names.push_back(entry.substr(0, open) + number + end);
        if (names.size() > kMostHosts) refuse(list);
      }
  return names;
}

}  // namespace

std::vector<std::string> hosts_in(std::string_view list) {
  std::vector<std::string> hosts;
  for (const std::string& entry : entries_of(list))
    for (std::string& name : names_in(entry, list)) {
      if (name.empty() || hosts.size() >= kMostHosts) refuse(list);
      hosts.push_back(std::move(name));
    }
  return hosts;
}

std::vector<int> tasks_in(std::string_view list) {
  std::vector<int> tasks;
  for (const std::string& entry : split(list, ',')) {
    const size_t open = entry.find("(x");
    const bool repeats = open != std::string::npos && entry.back() == ')';
    const std::optional<int64_t> count =
        read_integer(entry.substr(0, repeats ? open : entry.size()));
    const std::optional<int64_t> times =
        repeats ? read_integer(entry.substr(open + 2, entry.size() - open - 3)) : 1;
    if (!count || !times || *count < 0 || *times < 1 || *count > 1'000'000 ||
        tasks.size() + static_cast<size_t>(*times) > kMostHosts)
      throw DataError(quote(list.substr(0, 200)) +
                      " is no list of tasks by host, such as 2(x3),1.");
    tasks.insert(tasks.end(), static_cast<size_t>(*times), static_cast<int>(*count));
  }
  return tasks;
}

}  // namespace hearth
