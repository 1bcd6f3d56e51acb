// Rows with names of columns, as a stranger has them, for a model that was trained on a table.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "hearth/core/spec.h"
#include "hearth/train/raw_sample.h"

namespace hearth {

// Whether all of the keys come from columns of a table.
[[nodiscard]] bool is_table(const std::vector<KeySpec>& keys);

// A row by its columns' names, each as text, "" for what is missing. A date stands for its parts:
// "built" fills "built.year". Columns that no key has are not looked at. DataError names the row
// and the column.
[[nodiscard]] RawSample table_sample(const std::string& name,
                                     const std::map<std::string, std::string>& row,
                                     const std::vector<KeySpec>& keys);

// Rows of a CSV file with a header, or of a JSON file: an object, or a list of them.
[[nodiscard]] std::vector<RawSample> table_samples(const std::filesystem::path& file,
                                                   const std::vector<KeySpec>& keys);
// The same of a text: {"rooms": 3, "city": "Bern"}.
[[nodiscard]] std::vector<RawSample> table_samples_of_json(const std::string& text,
                                                           const std::string& name,
                                                           const std::vector<KeySpec>& keys);

}  // namespace hearth
