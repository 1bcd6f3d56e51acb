// The first samples of a source, for trials.
#include "hearth/data/sources/first.h"

#include <algorithm>

#include "hearth/config/registry.h"
#include "hearth/data/source_list.h"

namespace hearth::sources {
namespace {

class First : public Source {
 public:
  using Options = FirstOptions;
  explicit First(Options options) : options_(std::move(options)) {}

  void open() override { source_ = open_choice(*options_.of); }
  std::vector<KeySpec> keys() const override { return source_->keys(); }
  int64_t size() const override { return std::min(options_.count, source_->size()); }
  void read(int64_t index, std::span<const Cell> cells) const override {
    source_->read(index, cells);
  }
  uint64_t resident_bytes() const override { return source_->resident_bytes(); }
  std::string fingerprint() const override {
    return "first:" + std::to_string(size()) + ":" + source_->fingerprint();
  }
  std::string describe(int64_t index) const override { return source_->describe(index); }

 private:
  Options options_;
  std::unique_ptr<Source> source_;
};

}  // namespace

const Schema<FirstOptions>& FirstOptions::schema() {
  using O = FirstOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::of, "of", "The source.", required())
          .field(&O::count, "count", "How many samples; all of a source that has fewer.",
                 at_least(1));
  return schema;
}

Choice<Source> first(const FirstOptions& options) { return choose<Source>("first", options); }

void register_first(Registry<Source>& registry) {
  registry.add<First>("first", "The first samples of a source.");
}

}  // namespace hearth::sources
