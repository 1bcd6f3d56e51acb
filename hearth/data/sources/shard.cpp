// One of several equal parts of a source: every n-th sample, or the n-th stretch.
#include "hearth/data/sources/shard.h"

#include <algorithm>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/data/source_list.h"

namespace hearth::sources {

namespace {

class ShardOfSource : public Source {
 public:
  using Options = ShardOptions;
  explicit ShardOfSource(Options options) : options_(std::move(options)) {}

  // Sizes differ by at most one; the first shards have the one more.
  void open() override {
    source_ = open_choice(*options_.of);
    const int64_t each = source_->size() / options_.count;
    const int64_t longer = source_->size() % options_.count;
    size_ = each + (options_.index < longer ? 1 : 0);
    step_ = options_.take == "every" ? options_.count : 1;
    first_ = options_.take == "every" ? options_.index
                                      : options_.index * each + std::min(options_.index, longer);
    if (size_ == 0)
      throw DataError("shard: the " + human_count(static_cast<uint64_t>(source_->size())) +
                      " samples of " + quote(options_.of->name()) + " do not reach shard " +
                      std::to_string(options_.index) + " of " + std::to_string(options_.count) +
                      ". Use fewer shards.");
  }

  std::vector<KeySpec> keys() const override { return source_->keys(); }
  int64_t size() const override { return size_; }
  void read(int64_t index, std::span<const Cell> cells) const override {
    source_->read(first_ + index * step_, cells);
  }
  uint64_t resident_bytes() const override { return source_->resident_bytes(); }
  std::string fingerprint() const override {
    return "shard:" + std::to_string(first_) + ":" + std::to_string(step_) + ":" +
           std::to_string(size_) + ":" + source_->fingerprint();
  }
  std::string describe(int64_t index) const override {
    return source_->describe(first_ + index * step_);
  }

 private:
  Options options_;
  std::unique_ptr<Source> source_;
  int64_t first_ = 0;
  int64_t step_ = 1;
  int64_t size_ = 0;
};

}  // namespace

const Schema<ShardOptions>& ShardOptions::schema() {
  using O = ShardOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::of, "of", "The source.", required())
          .field(&O::index, "index", "Which shard: 0 is the first.", at_least(0))
          .field(&O::count, "count", "How many shards there are.", at_least(1))
          .field(&O::take, "take", "Every n-th sample, or a stretch of neighbours.",
                 one_of({"every", "stretch"}))
          .check("'index' must be below 'count'.",
                 [](const O& options) { return options.index < options.count; });
  return schema;
}

Choice<Source> shard(const ShardOptions& options) { return choose<Source>("shard", options); }

void register_shard(Registry<Source>& registry) {
  registry.add<ShardOfSource>("shard", "One of several equal parts of a source.");
}

}  // namespace hearth::sources
