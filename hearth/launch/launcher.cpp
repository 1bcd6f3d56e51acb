// Ranks started again when they fail.
#include "hearth/launch/launcher.h"

#include <algorithm>
#include <filesystem>

#include "hearth/base/files.h"
#include "hearth/base/text.h"
#include "hearth/launch/membership.h"

namespace hearth {
namespace {

namespace fs = std::filesystem;
constexpr int kConfigCode = 2;  // starting again would not help
constexpr int kResumableCode = 75;
// Flags without a word after them that mean the same for a resumed run.
constexpr const char* kKeptFlags[] = {
    "--json", "-q", "--quiet", "--allow-commands", "--detect-anomaly", "--accept-changes"};

std::string run_in(const std::string& file) {
  std::error_code fault;
  return fs::exists(file, fault) ? read_file(file) : "";
}

// Its name; empty when there is none.
std::string newest_checkpoint(const std::string& run) {
  std::string newest;
  std::error_code fault;
  for (const fs::directory_entry& entry : fs::directory_iterator(run + "/checkpoints", fault))
    if (const std::string name = entry.path().filename().string(); name.starts_with("step-"))
      newest = std::max(newest, name);
  return newest;
}

// How often in a row attempts failed without bringing the run any further.
class Failures {
 public:
  int add(const std::string& run) {
    const std::string checkpoint = run.empty() ? "" : newest_checkpoint(run);
    if (checkpoint != checkpoint_) count_ = 0;
    checkpoint_ = checkpoint;
    return ++count_;
  }

 private:
  std::string checkpoint_;
  int count_ = 0;
};

// Saved and ended to begin again with other ranks: here, or at the wish of another host.
bool is_new_round(const LaunchEnd& end, const Membership& membership) {
  return !end.was_asked && end.exit_code == kResumableCode &&
         (end.is_reforming || membership.may_be_ended_by_others());
}

bool is_worth_it(const LaunchEnd& end) {
  return end.exit_code != 0 && end.exit_code != kConfigCode && end.exit_code != kResumableCode &&
         !end.was_asked;
}

void remove_empty_logs(const std::string& folder) {
  std::error_code fault;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, fault))
    if (entry.file_size(fault) == 0 || entry.path().filename() == "run") fs::remove(entry, fault);
  fs::remove(folder, fault);  // stays when a log is in it
  fs::remove(fs::path(folder).parent_path(), fault);
}

std::unique_ptr<Membership> membership_of(const LaunchOptions& options,
                                          const RestartOptions& restart) {
  if (!restart.elastic) return same_ranks(options);
  if (options.hosts == 1) return ranks_that_are_left(options, *restart.elastic);
  return hosts_that_are_there(options, *restart.elastic, restart.hosts);
}

void say_again(const LaunchOptions& options, const RestartOptions& restart, int failed,
               const std::string& run) {
  options.say("starting again with " + std::to_string(options.hosts * options.ranks) + " ranks" +
              (run.empty() ? "" : ", from the last checkpoint of " + run) + "; failure " +
              std::to_string(failed) + " of at most " + std::to_string(restart.restarts) +
              " without a new checkpoint");
}

}  // namespace

std::vector<std::string> resuming_words(const std::vector<std::string>& words,
                                        const std::string& run) {
  if (run.empty() || words.size() < 2 || words[1] != "train") return words;
  std::vector<std::string> resuming = {words[0], "train", "--resume", run};
  for (const std::string& word : words)
    if (std::find(std::begin(kKeptFlags), std::end(kKeptFlags), word) != std::end(kKeptFlags))
      resuming.push_back(word);
  return resuming;
}

int launch_ranks(LaunchOptions options, const RestartOptions& restart) {
  const std::vector<std::string> words = options.words;
  const std::unique_ptr<Membership> membership = membership_of(options, restart);
  options.reason_to_reform = [&] { return membership->reason_to_reform(); };
  options.run_file = options.logs + "/run";
  std::error_code fault;
  // Of an earlier launch. Hosts that come back go on with the run that is there.
  if (options.host_index == 0 && !membership->may_be_ended_by_others())
    fs::remove(options.run_file, fault);
  Failures failures;
  int failed = 0;
  while (membership->settle(options)) {
    const std::string run = run_in(options.run_file);
    options.words = resuming_words(words, run);
    if (failed > 0) say_again(options, restart, failed, run);
    const LaunchEnd end = run_ranks(options);
    membership->heed(end);
    const bool is_new = is_new_round(end, *membership);
    failed = is_new ? 0 : failures.add(run_in(options.run_file));
    if (is_new) continue;
    if (!is_worth_it(end) || failed > restart.restarts) {
      if (end.exit_code == 0) remove_empty_logs(options.logs);
      return end.exit_code;
    }
  }
  options.say("the run has ended on the other hosts");
  return 0;
}

}  // namespace hearth
