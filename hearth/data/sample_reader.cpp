// Some keys of any sample of a source.
#include "hearth/data/sample_reader.h"

#include <algorithm>

#include "hearth/base/cores.h"
#include "hearth/base/crew.h"

namespace hearth {

namespace {
constexpr int64_t kFewSamples = 4096;  // for which no threads are started
}

SampleReader::SampleReader(const Source& source, const std::vector<size_t>& places)
    : source_(source),
      keys_(source.keys()),
      places_(places),
      cells_(keys_.size()),
      rows_(places.size()) {
  for (size_t i = 0; i < places.size(); ++i) {
    const Spec& spec = keys_[places[i]].spec;
    if (spec.is_ragged()) {
      cells_[places[i]] = Cell(ragged_.emplace_back(memory_), spec);
    } else {
      rows_[i].resize(static_cast<size_t>(std::max<int64_t>(spec.bytes(), 1)));
      cells_[places[i]] = Cell(rows_[i].data(), spec);
    }
  }
}

std::span<const View> SampleReader::read(int64_t sample) {
  source_.read(sample, cells_);
  views_.clear();
  for (const size_t place : places_) views_.push_back(cells_[place].view());
  return views_;
}

void for_each_stretch(int64_t count, const std::function<void(int64_t begin, int64_t end)>& work) {
  Crew crew(count < kFewSamples ? 1 : available_cores());
  const int64_t members = crew.size();
  crew.run(crew.size(), [&](int member) {
    work(count / members * member + std::min<int64_t>(member, count % members),
         count / members * (member + 1) + std::min<int64_t>(member + 1, count % members));
  });
}

}  // namespace hearth
