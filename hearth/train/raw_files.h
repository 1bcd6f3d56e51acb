// Files that a stranger has, as raw samples of one key.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "hearth/core/spec.h"
#include "hearth/train/raw_sample.h"

namespace hearth {

// A picture or a WAV is one sample, read when it is predicted; every row of a CSV file is one; for
// keys of text, every line that is not empty. DataError names the file and what the key needs: a
// table with a row that cannot be used is refused as a whole.
[[nodiscard]] std::vector<RawSample> samples_of_file(const std::filesystem::path& file,
                                                     const KeySpec& key, bool is_inverted);

// The row of a table that has a single one.
[[nodiscard]] RawNumbers only_row(const std::string& text, const std::string& file,
                                  const KeySpec& key);

// "has 3 numbers, but the model's input 'image' is ... and needs 64."
[[nodiscard]] std::string wrong_count_text(size_t count, const KeySpec& key);

}  // namespace hearth
