// What `hearth launch` finds out about an elastic run before it starts ranks.
#include "cli/elastic_arguments.h"

#include <algorithm>
#include <filesystem>

#include "cli/catalog_file.h"
#include "cli/experiment_arguments.h"
#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/yaml.h"

namespace hearth::cli {
namespace {

constexpr const char* kResume = "--resume";
// Of `hearth train`: those that a word follows, and those that a number may follow.
constexpr const char* kWithWord[] = {"--limit", "--overfit-batches", "--chrome-trace"};
constexpr const char* kWithNumber[] = {"--fast-dev-run", "--profile"};

std::optional<ElasticOptions> read(const Node& config) {
  const Node* elastic = config.find("elastic");
  if (elastic == nullptr || elastic->is_null()) return std::nullopt;
  return ElasticOptions::schema().read(*elastic);
}

// The last file that has it; what plugins add to a config is the engine's to know.
std::optional<ElasticOptions> read_plainly(const ExperimentArguments& arguments) {
  std::optional<ElasticOptions> found;
  for (const std::string& file : arguments.files)
    if (const auto here = read(load_yaml(file))) found = here;
  return found;
}

bool belongs_to(const std::string& flag, const std::string& word) {
  const auto is_among = [&](const auto& flags) {
    return std::find(std::begin(flags), std::end(flags), flag) != std::end(flags);
  };
  return is_among(kWithWord) || (is_among(kWithNumber) && read_integer(word).has_value());
}

// Files and overrides, without flags and what belongs to them.
std::vector<std::string> named_in(const std::vector<std::string>& words) {
  std::vector<std::string> named;
  for (size_t i = 1; i < words.size(); ++i) {
    if (!words[i].starts_with('-'))
      named.push_back(words[i]);
    else if (i + 1 < words.size() && belongs_to(words[i], words[i + 1]))
      ++i;
  }
  return named;
}

}  // namespace

ElasticOptions elastic_in(const std::string& limits) {
  const std::vector<std::string> ends = split(limits, ':');
  const auto least = read_integer(ends.front());
  const auto most = read_integer(ends.back());
  if (ends.size() != 2 || !least || !most || *least < 1 || *most < *least || *most > 100'000)
    throw ConfigError("--elastic: must be MIN:MAX, such as 2:4, but is " + quote(limits) + ".");
  ElasticOptions options;
  options.min = *least;
  options.max = *most;
  return options;
}

bool resumes(const std::vector<std::string>& words) {
  return std::find(words.begin(), words.end(), kResume) != words.end();
}

std::optional<ElasticOptions> elastic_of(const std::vector<std::string>& words) {
  if (words.front() != "train") return std::nullopt;
  const auto resume = std::find(words.begin(), words.end(), kResume);
  if (resume != words.end()) {
    const std::filesystem::path config =
        resume + 1 == words.end() ? "" : std::filesystem::path(*(resume + 1)) / "config.yaml";
    std::error_code fault;
    return std::filesystem::exists(config, fault) ? read(load_yaml(config.string())) : std::nullopt;
  }
  ExperimentArguments arguments;
  for (const std::string& word : named_in(words))
    (is_override(word) ? arguments.overrides : arguments.files).push_back(word);
  // What is wrong with the words, the ranks say.
  if (arguments.files.empty()) return std::nullopt;
  if (names_plugins(arguments)) return read_plainly(arguments);
  return read(load(arguments, load_catalog()).effective);
}

}  // namespace hearth::cli
