// What a stranger has, as a source: pictures and rows of numbers, brought into the training data's
// form.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "hearth/data/source.h"

namespace hearth {

struct RawInput {
  std::string name;           // "scan.png", "table.csv row 2"
  std::vector<float> values;  // as many as one sample of the input key has
  std::vector<std::string> notes;
};

// Reads files into samples of `key`: a PNG becomes one, every row of a CSV file becomes one.
// DataError names the file and what the key needs.
[[nodiscard]] std::vector<RawInput> read_raw_file(const std::filesystem::path& file,
                                                  const KeySpec& key, bool is_inverted);

// A source of such samples. Only float32 keys can be filled from raw files.
[[nodiscard]] std::shared_ptr<const Source> make_raw_source(KeySpec key,
                                                            std::vector<RawInput> inputs);

}  // namespace hearth
