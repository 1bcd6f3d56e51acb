// Cleaned data as a description: a config that names the samples that are left, and where they came
// from.
#pragma once

#include <filesystem>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "hearth/data/cleaner.h"

namespace hearth {

// For `cleaned.yaml`: that file, `cleaned.train.indices` for each set, and
// `cleaned.provenance.json`. Each is whole or not there; the config comes last. The same data gives
// the same bytes. The answer is the provenance.
nlohmann::json write_cleaned(const Cleaned& cleaned, const std::filesystem::path& file);

// What each step did, for people.
[[nodiscard]] std::string cleaned_text(const Cleaned& cleaned);

}  // namespace hearth
