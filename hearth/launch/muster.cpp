// Signs of life of hosts, and rounds, as files.
#include "hearth/launch/muster.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "hearth/base/files.h"
#include "hearth/base/text.h"
#include "hearth/launch/cluster_error.h"

namespace hearth {
namespace {

constexpr std::chrono::milliseconds kLook{100};
constexpr const char* kRoundPrefix = "round-";
constexpr std::array kStateWords = {"waits", "runs", "done"};
constexpr size_t kStateLetters = 5;
constexpr size_t kRoundDigits = 6;
constexpr size_t kCountDigits = 16;

std::string padded(int64_t number, size_t digits) {
  const std::string text = std::to_string(number);
  return std::string(digits - std::min(digits, text.size()), '0') + text;
}

// All signs have the same length, so that one is overwritten as a whole.
std::string sign_text(int64_t count, std::string state) {
  state.resize(kStateLetters, ' ');
  return padded(count, kCountDigits) + " " + state + "\n";
}

// In place: a file that was renamed may stay hidden from other hosts for a while.
void overwrite(const std::filesystem::path& path, const std::string& text) {
  const FileHandle file(::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644));
  if (!file.is_open() || ::pwrite(file.descriptor(), text.data(), text.size(), 0) < 0)
    throw DataError(path.string() + " cannot be written: " + std::strerror(errno) + ".");
}

std::string hosts_text(const std::vector<int>& hosts) {
  std::vector<std::string> words;
  for (const int host : hosts) words.push_back(std::to_string(host));
  return join(words, " ");
}

// Nothing for a file that is not there or is being written.
std::optional<std::string> text_of(const std::filesystem::path& path) {
  try {
    return read_file(path);
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace

Muster::Muster(MusterOptions options) : options_(std::move(options)) {
  std::filesystem::create_directories(options_.folder);
  round_.number = newest_round().value_or(Round{}).number;
  beat();
  thread_ = std::thread([this] { run(); });
}

Muster::~Muster() {
  {
    const std::lock_guard lock(mutex_);
    stops_ = true;
  }
  changed_.notify_all();
  thread_.join();
  // That the run ended well, others may still want to know.
  std::error_code fault;
  if (state_ != State::kDone) std::filesystem::remove(sign_file(options_.host), fault);
}

std::optional<Round> Muster::await_round() {
  set_state(State::kWaits);
  const Clock::time_point since = Clock::now();
  Clock::time_point say_at = since + options_.first_call;
  while (true) {
    const std::optional<Round> newest = newest_round();
    if (newest && newest->number > round_.number) {
      const bool is_in = std::find(newest->hosts.begin(), newest->hosts.end(), options_.host) !=
                         newest->hosts.end();
      const std::lock_guard lock(mutex_);
      round_ = *newest;
      if (is_in) {
        has_begun_ = true;
        state_ = State::kRuns;
        return round_;
      }
    }
    if (!hosts_in(State::kDone).empty()) return std::nullopt;
    call_round(since);
    if (Clock::now() > say_at) {
      complain(since);
      say_at = Clock::now() + options_.first_call;
    }
    std::this_thread::sleep_for(kLook);
  }
}

std::vector<int> Muster::newcomers() const {
  std::vector<int> hosts;
  if (round_.hosts.empty() || round_.hosts.front() != options_.host) return hosts;
  for (const int host : hosts_in(State::kWaits))
    if (std::find(round_.hosts.begin(), round_.hosts.end(), host) == round_.hosts.end())
      hosts.push_back(host);
  return hosts;
}

std::vector<int> Muster::lost_hosts() const {
  const std::lock_guard lock(mutex_);
  std::vector<int> hosts;
  for (const int host : round_.hosts) {
    const auto heard = heard_.find(host);
    if (heard != heard_.end() && heard->second.state != State::kDone &&
        Clock::now() - heard->second.at > 2 * options_.silence)
      hosts.push_back(host);
  }
  return hosts;
}

void Muster::finish() {
  const bool is_awaited = !hosts_in(State::kWaits).empty();
  set_state(State::kDone);
  // A host that waits to be taken in should see it grow.
  if (is_awaited) std::this_thread::sleep_for(3 * options_.beat);
  std::error_code fault;
  for (const std::filesystem::path& file : list_folder(options_.folder))
    if (file.filename().string().starts_with(kRoundPrefix)) std::filesystem::remove(file, fault);
}

void Muster::run() {
  std::unique_lock lock(mutex_);
  while (!changed_.wait_for(lock, options_.beat, [this] { return stops_; })) {
    lock.unlock();
    try {
      beat();
    } catch (const Error&) {  // a full or absent disk: silence, if it lasts
    }
    lock.lock();
  }
}

void Muster::beat() {
  {
    const std::lock_guard lock(mutex_);
    overwrite(sign_file(options_.host),
              sign_text(++count_, kStateWords.at(static_cast<size_t>(state_))));
  }
  for (int host = 0; host < options_.hosts; ++host)
    if (host != options_.host) listen(host);
}

void Muster::listen(int host) {
  const std::optional<std::string> text = text_of(sign_file(host));
  if (!text) return;
  const std::vector<std::string> words = split(std::string(trim(*text)), ' ');
  const std::optional<int64_t> count = read_integer(words.front());
  const auto state = std::find(kStateWords.begin(), kStateWords.end(), words.back());
  if (!count || words.size() != 2 || state == kStateWords.end()) return;
  const std::lock_guard lock(mutex_);
  Heard& heard = heard_[host];
  if (*count == heard.count) return;
  // The first may be what an earlier launch left.
  heard.is_alive = heard.count >= 0;
  heard.count = *count;
  heard.state = static_cast<State>(state - kStateWords.begin());
  heard.at = Clock::now();
}

void Muster::set_state(State state) {
  {
    const std::lock_guard lock(mutex_);
    state_ = state;
  }
  beat();
}

bool Muster::is_there(int host, Clock::time_point now) const {
  const auto found = heard_.find(host);
  return found != heard_.end() && found->second.is_alive &&
         now - found->second.at < options_.silence;
}

// Other hosts that are there.
std::vector<int> Muster::hosts_in(State state) const {
  const std::lock_guard lock(mutex_);
  std::vector<int> hosts;
  for (const auto& [host, heard] : heard_)
    if (heard.state == state && is_there(host, Clock::now())) hosts.push_back(host);
  return hosts;
}

std::optional<Round> Muster::newest_round() const {
  Round newest;
  for (const std::filesystem::path& file : list_folder(options_.folder)) {
    const std::string name = file.filename().string();
    if (!name.starts_with(kRoundPrefix)) continue;
    const std::optional<int64_t> number = read_integer(name.substr(std::strlen(kRoundPrefix)));
    if (number && *number > newest.number) newest.number = *number;
  }
  if (newest.number == 0) return std::nullopt;
  for (const std::string& word :
       split(std::string(trim(text_of(round_file(newest.number)).value_or(""))), ' '))
    if (const std::optional<int64_t> host = read_integer(word))
      newest.hosts.push_back(static_cast<int>(*host));
  return newest;
}

// The lowest of those that are there calls it, when none of them runs any more.
void Muster::call_round(Clock::time_point since) const {
  if (!hosts_in(State::kRuns).empty()) return;
  std::vector<int> hosts = hosts_in(State::kWaits);
  if (!hosts.empty() && hosts.front() < options_.host) return;
  hosts.insert(hosts.begin(), options_.host);
  const auto count = static_cast<int>(hosts.size());
  const auto call = has_begun_ ? options_.last_call : options_.first_call;
  if (count < options_.least || (count < options_.hosts && Clock::now() - since < call)) return;
  const std::filesystem::path draft = options_.folder / ("call-" + std::to_string(options_.host));
  overwrite(draft, hosts_text(hosts) + "\n");
  // Of two that call at once, one is heard.
  (void)::link(draft.c_str(), round_file(round_.number + 1).c_str());
  (void)::unlink(draft.c_str());
}

void Muster::complain(Clock::time_point since) {
  std::vector<int> missing;
  for (int host = 0; host < options_.hosts; ++host) {
    const std::lock_guard lock(mutex_);
    if (host != options_.host && !is_there(host, Clock::now())) missing.push_back(host);
  }
  const int there = options_.hosts - static_cast<int>(missing.size());
  if (there >= options_.least) return;
  const std::string text = (missing.size() == 1 ? "host " : "hosts ") + hosts_text(missing) +
                           " of " + std::to_string(options_.hosts) + " did not come, and " +
                           std::to_string(options_.least) + " are needed";
  if (Clock::now() - since > options_.patience)
    throw ClusterError(text + ".\n  Next: start them; all must see " + options_.folder.string() +
                       ".");
  if (options_.say) options_.say(text + "; waiting");
}

std::filesystem::path Muster::sign_file(int host) const {
  return options_.folder / ("host-" + std::to_string(host));
}

std::filesystem::path Muster::round_file(int64_t number) const {
  return options_.folder / (kRoundPrefix + padded(number, kRoundDigits));
}

}  // namespace hearth
