// What a run's data were when they were opened.
#include "hearth/train/data_fingerprints.h"

#include <nlohmann/json.hpp>

namespace hearth {
namespace {

constexpr const char* kUnknownFingerprint = "unknown: ";

std::string fingerprint_of(const Source& source) {
  try {
    return source.fingerprint();
  } catch (const std::exception& error) {
    return kUnknownFingerprint + std::string(error.what());
  }
}

}  // namespace

DataFingerprints::DataFingerprints(std::map<std::string, std::shared_ptr<Source>> sources)
    : values_(std::async(std::launch::async, [sources = std::move(sources)] {
                Json values = Json::object();
                for (const auto& [set, source] : sources) values[set] = fingerprint_of(*source);
                return values;
              }).share()) {}

// What only one of them has is a change of the config, which is named elsewhere.
std::vector<std::string> data_differences(const Json& before, const Json& now) {
  std::vector<std::string> differences;
  for (const auto& [mode, value] : now.items()) {
    const auto text = value.get<std::string>();
    if (text.starts_with(kUnknownFingerprint))
      differences.push_back("whether the " + mode + " data are those of the checkpoint is " + text);
    else if (before.contains(mode) && before.at(mode) != value)
      differences.push_back("the " + mode +
                            " data are not those of the checkpoint; results will differ.");
  }
  return differences;
}

}  // namespace hearth
