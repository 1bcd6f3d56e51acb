// A source several times over, one time after the other.
#include "hearth/data/sources/repeat.h"

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/data/source_list.h"

namespace hearth::sources {

namespace {

class Repeat : public Source {
 public:
  using Options = RepeatOptions;
  explicit Repeat(Options options) : options_(std::move(options)) {}

  void open() override {
    source_ = open_choice(*options_.of);
    if (source_->size() > 0 && !__builtin_mul_overflow(source_->size(), options_.times, &size_))
      return;
    throw DataError("repeat: " + human_count(static_cast<uint64_t>(options_.times)) +
                    " times the " + human_count(static_cast<uint64_t>(source_->size())) +
                    " samples of " + quote(options_.of->name()) +
                    (source_->size() > 0 ? " are more than 64 bits can count. Repeat it less often."
                                         : " are none."));
  }

  std::vector<KeySpec> keys() const override { return source_->keys(); }
  int64_t size() const override { return size_; }
  void read(int64_t index, std::span<const Cell> cells) const override {
    source_->read(index % source_->size(), cells);
  }
  uint64_t resident_bytes() const override { return source_->resident_bytes(); }
  std::string fingerprint() const override {
    return "repeat:" + std::to_string(options_.times) + ":" + source_->fingerprint();
  }
  std::string describe(int64_t index) const override {
    return source_->describe(index % source_->size());
  }

 private:
  Options options_;
  std::unique_ptr<Source> source_;
  int64_t size_ = 0;
};

}  // namespace

const Schema<RepeatOptions>& RepeatOptions::schema() {
  using O = RepeatOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::of, "of", "The source.", required())
          .field(&O::times, "times",
                 "How often each sample comes; random ops draw anew for each time.", at_least(1));
  return schema;
}

Choice<Source> repeat(const RepeatOptions& options) { return choose<Source>("repeat", options); }

void register_repeat(Registry<Source>& registry) {
  registry.add<Repeat>("repeat", "A source several times over, so that an epoch is longer.");
}

}  // namespace hearth::sources
