// Some keys of any sample of a source, for those who look at all samples before the first batch.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <span>
#include <vector>

#include "hearth/data/source.h"

namespace hearth {

// Memory for one sample, filled again for each. One thread uses it.
class SampleReader {
 public:
  // `places`: which of source.keys().
  SampleReader(const Source& source, const std::vector<size_t>& places);
  // The specs of the views point into it.
  SampleReader(const SampleReader&) = delete;
  SampleReader& operator=(const SampleReader&) = delete;

  // A value for each place; they stay until the next read.
  [[nodiscard]] std::span<const View> read(int64_t sample);

 private:
  const Source& source_;
  std::vector<KeySpec> keys_;
  std::vector<size_t> places_;
  std::vector<Cell> cells_;
  RaggedMemory memory_;
  std::deque<RaggedValue> ragged_;
  std::vector<std::vector<std::byte>> rows_;
  std::vector<View> views_;
};

// Calls work(begin, end) for stretches that make up [0, count): on all cores when there are many.
// What the first stretch that failed threw is thrown.
void for_each_stretch(int64_t count, const std::function<void(int64_t begin, int64_t end)>& work);

}  // namespace hearth
