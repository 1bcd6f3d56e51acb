// What a stranger has, as a source: pictures, texts and rows of numbers, brought into the training
// data's form.
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
  std::string bytes = {};  // in place of values, for keys that hold files as they are
};

// Whether raw files can fill a key: images, encoded images, text and float32 numbers.
[[nodiscard]] bool is_fillable(const Spec& spec);

// Reads files into samples of `key`: a PNG becomes one, every row of a CSV file becomes one.
// DataError names the file and what the key needs.
[[nodiscard]] std::vector<RawInput> read_raw_file(const std::filesystem::path& file,
                                                  const KeySpec& key, bool is_inverted);

// A source of such samples.
[[nodiscard]] std::shared_ptr<const Source> make_raw_source(KeySpec key,
                                                            std::vector<RawInput> inputs);

// Some samples of a source, as a source.
[[nodiscard]] std::shared_ptr<const Source> make_chosen_source(std::shared_ptr<const Source> source,
                                                               std::vector<int64_t> samples);

}  // namespace hearth
