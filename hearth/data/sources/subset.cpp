// A part of a source: a stretch of it, and of that every n-th sample.
#include "hearth/data/sources/subset.h"

#include <cmath>

#include "hearth/base/error.h"
#include "hearth/config/registry.h"
#include "hearth/data/source_list.h"

namespace hearth::sources {

namespace {

class Subset : public Source {
 public:
  using Options = SubsetOptions;
  explicit Subset(Options options) : options_(std::move(options)) {}

  void open() override {
    source_ = open_choice(*options_.of);
    const auto all = static_cast<double>(source_->size());
    first_ = std::llround(options_.from * all) + options_.offset;
    const int64_t end = std::llround(options_.until * all);
    size_ = end > first_ ? (end - first_ + options_.every - 1) / options_.every : 0;
    if (size_ == 0)
      throw DataError("subset: of the " + std::to_string(source_->size()) + " samples of '" +
                      options_.of->name() + "' none is left. Take a larger part of it.");
  }

  std::vector<KeySpec> keys() const override { return source_->keys(); }
  int64_t size() const override { return size_; }
  void read(int64_t index, std::span<const Cell> cells) const override {
    source_->read(place_of(index), cells);
  }
  uint64_t resident_bytes() const override { return source_->resident_bytes(); }
  std::string fingerprint() const override {
    return "subset:" + std::to_string(first_) + ":" + std::to_string(options_.every) + ":" +
           std::to_string(size_) + ":" + source_->fingerprint();
  }
  std::string describe(int64_t index) const override { return source_->describe(place_of(index)); }

 private:
  [[nodiscard]] int64_t place_of(int64_t index) const { return first_ + index * options_.every; }

  Options options_;
  std::unique_ptr<Source> source_;
  int64_t first_ = 0;
  int64_t size_ = 0;
};

}  // namespace

const Schema<SubsetOptions>& SubsetOptions::schema() {
  using O = SubsetOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::of, "of", "The source.", required())
          .field(&O::from, "from", "Where the part starts, as a share of the source.", at_least(0),
                 below(1))
          .field(&O::until, "until", "Where the part ends, as a share of the source.", above(0),
                 at_most(1))
          .field(&O::every, "every", "Takes one sample of so many.", at_least(1))
          .field(&O::offset, "offset", "Which of them: 0 is the first.", at_least(0))
          .check("'from' must lie before 'until'.",
                 [](const O& options) { return options.from < options.until; })
          .check("'offset' must be below 'every'.",
                 [](const O& options) { return options.offset < options.every; });
  return schema;
}

Choice<Source> subset(const SubsetOptions& options) { return choose<Source>("subset", options); }

void register_subset(Registry<Source>& registry) {
  registry.add<Subset>("subset", "A part of a source: a stretch of it, or every n-th sample.");
}

}  // namespace hearth::sources
