// One value of a source, and files of text, for the tests of sources.
#pragma once

#include <gtest/gtest.h>

#include <unistd.h>
#include <atomic>
#include <string>
#include <vector>

#include "hearth/base/files.h"
#include "hearth/data/source.h"

namespace hearth::testing_data {

// A file that is gone with the test.
struct TextFile {
  explicit TextFile(const std::string& content, const std::string& ending = ".csv") {
    static std::atomic<int> count = 0;
    path = testing::TempDir() + "table-" + std::to_string(getpid()) + "-" +
           std::to_string(count++) + ending;
    write_file_durably(path, content);
  }
  TextFile(const TextFile&) = delete;
  TextFile& operator=(const TextFile&) = delete;
  ~TextFile() { fs::remove(path); }
  std::string path;
};

// Reads sample `index`, nothing but `key`, and hands the view of it to `use`.
template <class Use>
auto with_value(const Source& source, const std::string& key, int64_t index, const Use& use) {
  const std::vector<KeySpec> keys = source.keys();
  std::vector<Cell> cells(keys.size());
  RaggedMemory memory;
  RaggedValue ragged(memory);
  std::vector<std::byte> bytes;
  size_t wanted = keys.size();
  for (size_t k = 0; k < keys.size(); ++k) {
    if (keys[k].key != key) continue;
    wanted = k;
    if (!keys[k].spec.is_ragged()) bytes.resize(static_cast<size_t>(keys[k].spec.bytes()));
    cells[k] =
        keys[k].spec.is_ragged() ? Cell(ragged, keys[k].spec) : Cell(bytes.data(), keys[k].spec);
  }
  EXPECT_LT(wanted, keys.size()) << "no key " << key;
  source.read(index, cells);
  return use(cells.at(wanted).view());
}

inline std::vector<float> floats_of(const Source& source, const std::string& key, int64_t index) {
  return with_value(source, key, index, [](const View& view) {
    return std::vector<float>(view.as<float>().begin(), view.as<float>().end());
  });
}

inline int64_t number_of(const Source& source, const std::string& key, int64_t index) {
  return with_value(source, key, index, [](const View& view) { return view.as<int64_t>()[0]; });
}

inline std::string text_of(const Source& source, const std::string& key, int64_t index) {
  return with_value(source, key, index, [](const View& view) {
    return std::string(reinterpret_cast<const char*>(view.data), view.elements());
  });
}

}  // namespace hearth::testing_data
