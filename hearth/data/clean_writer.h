// Cleaned data as a description: a config that names the samples that are left, and where they came
// from.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "hearth/config/node.h"
#include "hearth/data/cleaner.h"

namespace hearth {

// ConfigError when it is not the name of a YAML file.
void check_cleaned_name(const std::filesystem::path& file);

// For `cleaned.yaml`: that file, `cleaned.train.indices` for each set, and
// `cleaned.provenance.json`. Each is whole or not there; the config comes last. The same data gives
// the same bytes. The answer is the provenance.
nlohmann::json write_cleaned(const Cleaned& cleaned, const std::filesystem::path& file);

// The provenance that every `selection` of a config names, however deep it lies, by its file: to
// `provenance.json` in the run's folder, if there is any. A file that cannot be read is told.
void keep_clean_records(const Node& config, const std::filesystem::path& run,
                        const std::function<void(const std::string&)>& tell);

// What each step did, for people.
[[nodiscard]] std::string cleaned_text(const Cleaned& cleaned);

}  // namespace hearth
