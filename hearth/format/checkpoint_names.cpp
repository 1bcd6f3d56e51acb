// How the checkpoints of a run are called.
#include "hearth/format/checkpoint_names.h"

#include <algorithm>
#include <cstdio>

#include "hearth/base/error.h"
#include "hearth/base/text.h"

namespace hearth {
namespace {

constexpr std::string_view kStepPrefix = "step-";

bool is_checkpoint_file(const fs::path& path) {
  return path.extension() == kCheckpointEnding && !path.filename().string().starts_with('.');
}

bool is_of_step(const fs::path& path) { return path.filename().string().starts_with(kStepPrefix); }

std::vector<fs::path> files_of(const fs::path& folder, bool are_of_steps) {
  std::vector<fs::path> paths = list_folder(folder);
  std::erase_if(paths, [&](const fs::path& path) {
    return !is_checkpoint_file(path) || is_of_step(path) != are_of_steps;
  });
  return paths;
}

// What may stand behind the colon, nothing for "last".
struct CheckpointWord {
  fs::path run;
  std::string name;
};

CheckpointWord split_word(const std::string& word) {
  const size_t colon = word.rfind(':');
  if (fs::is_directory(word) || colon == word.npos) return {word, ""};
  const std::string name = word.substr(colon + 1);
  return {word.substr(0, colon), name == "last" ? "" : name};
}

[[noreturn]] void throw_no_such(const std::string& name, const fs::path& folder) {
  std::vector<std::string> known = {"last"};
  for (const auto& paths : {step_checkpoints(folder), named_checkpoints(folder)})
    for (const fs::path& path : paths) known.push_back(path.stem());
  throw DataError("there is no checkpoint '" + name + "' in " + folder.string() + "." +
                  did_you_mean(name, known));
}

}  // namespace

std::string step_checkpoint_name(int64_t step) {
  char digits[32];
  std::snprintf(digits, sizeof(digits), "%08lld", static_cast<long long>(step));
  return std::string(kStepPrefix) + digits;
}

std::optional<int64_t> step_in_name(const fs::path& path) {
  if (!is_of_step(path)) return std::nullopt;
  return read_integer(path.stem().string().substr(kStepPrefix.size()));
}

// By length first: step numbers may outgrow their eight digits.
std::vector<fs::path> step_checkpoints(const fs::path& folder) {
  std::vector<fs::path> paths = files_of(folder, true);
  std::sort(paths.begin(), paths.end(), [](const fs::path& left, const fs::path& right) {
    return std::pair(left.string().size(), left) > std::pair(right.string().size(), right);
  });
  return paths;
}

std::vector<fs::path> named_checkpoints(const fs::path& folder) { return files_of(folder, false); }

fs::path checkpoint_called(const std::string& word) {
  if (fs::is_regular_file(word)) return word;
  const auto [run, name] = split_word(word);
  const fs::path folder = run / "checkpoints";
  if (!fs::is_directory(folder))
    throw DataError(word + " is neither a checkpoint's file nor a run's folder with checkpoints. " +
                    "Name one, such as runs/digits-1 or runs/digits-1:best.");
  if (name.empty()) {
    const std::vector<fs::path> all = step_checkpoints(folder);
    if (all.empty())
      throw DataError(run.string() + " has no checkpoint of a step yet. Train it first.");
    return all.front();
  }
  const auto step = read_integer(name);
  const fs::path path = folder / ((step ? step_checkpoint_name(*step) : name) + kCheckpointEnding);
  if (name.find('/') != name.npos || !is_there(path)) throw_no_such(name, folder);
  return path;
}

}  // namespace hearth
