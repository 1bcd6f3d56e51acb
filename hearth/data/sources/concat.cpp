// Several sources one after another.
#include "hearth/data/sources/concat.h"

#include <algorithm>

#include "hearth/config/registry.h"
#include "hearth/data/sharded.h"
#include "hearth/data/source_list.h"

namespace hearth::sources {

namespace {

class Concat : public Source, public Sharded {
 public:
  using Options = ConcatOptions;
  explicit Concat(Options options) : options_(std::move(options)) {}

  void open() override {
    sources_.open(options_.of, "concat");
    ends_.clear();
    for (size_t i = 0; i < sources_.count(); ++i)
      ends_.push_back((ends_.empty() ? 0 : ends_.back()) + sources_[i].size());
  }
  std::vector<KeySpec> keys() const override { return sources_.keys(); }
  int64_t size() const override { return ends_.empty() ? 0 : ends_.back(); }
  // With those of its sources.
  std::vector<int64_t> shard_ends() const override {
    std::vector<int64_t> ends;
    for (size_t i = 0; i < sources_.count(); ++i) {
      const int64_t begin = i == 0 ? 0 : ends_[i - 1];
      if (const auto* several = dynamic_cast<const Sharded*>(&sources_[i]))
        for (const int64_t end : several->shard_ends()) ends.push_back(begin + end);
      if (ends.empty() || ends.back() != ends_[i]) ends.push_back(ends_[i]);
    }
    return ends;
  }
  void read(int64_t index, std::span<const Cell> cells) const override {
    const auto [source, sample] = place_of(index);
    sources_[source].read(sample, cells);
  }
  uint64_t resident_bytes() const override { return sources_.resident_bytes(); }
  std::string fingerprint() const override { return "concat:" + sources_.fingerprint(); }
  std::string describe(int64_t index) const override {
    const auto [source, sample] = place_of(index);
    return sources_[source].describe(sample);
  }

 private:
  [[nodiscard]] std::pair<size_t, int64_t> place_of(int64_t index) const {
    const auto found = std::upper_bound(ends_.begin(), ends_.end(), index);
    const int64_t before = found == ends_.begin() ? 0 : *(found - 1);
    return {static_cast<size_t>(found - ends_.begin()), index - before};
  }

  Options options_;
  SourceList sources_;
  std::vector<int64_t> ends_;
};

}  // namespace

const Schema<ConcatOptions>& ConcatOptions::schema() {
  using O = ConcatOptions;
  static const auto schema = Schema<O>().field(
      &O::of, "of", "The sources, which yield the same keys.", required(), not_empty());
  return schema;
}

Choice<Source> concat(const ConcatOptions& options) { return choose<Source>("concat", options); }

void register_concat(Registry<Source>& registry) {
  registry.add<Concat>("concat", "Several sources one after another.");
}

}  // namespace hearth::sources
