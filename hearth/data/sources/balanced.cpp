// A source whose classes come equally often, or by their weights. All samples of a class come
// before one comes again.
#include "hearth/data/sources/balanced.h"

#include <queue>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/core/random.h"
#include "hearth/data/class_members.h"
#include "hearth/data/source_list.h"

namespace hearth::sources {

namespace {

class Balanced : public Source {
 public:
  using Options = BalancedOptions;
  explicit Balanced(Options options) : options_(std::move(options)) {}

  void open() override {
    source_ = open_choice(*options_.of);
    classes_ = class_members(*source_, {"balanced", options_.key}, options_.weights);
    place_samples();
  }

  std::vector<KeySpec> keys() const override { return source_->keys(); }
  int64_t size() const override { return static_cast<int64_t>(places_.size()); }
  void read(int64_t index, std::span<const Cell> cells) const override {
    source_->read(sample_at(index), cells);
  }
  uint64_t resident_bytes() const override {
    return source_->resident_bytes() + places_.capacity() * sizeof(Place);
  }
  std::string fingerprint() const override {
    std::string text = "balanced:" + options_.key + ":" + std::to_string(size()) + ":" +
                       std::to_string(options_.seed);
    for (const double weight : classes_.weights) text += ":" + shortest_number(weight);
    return text + ":" + source_->fingerprint();
  }
  std::string describe(int64_t index) const override { return source_->describe(sample_at(index)); }

 private:
  struct Place {
    uint32_t label = 0;     // among the classes that come at all
    uint32_t position = 0;  // how many samples of that class come before
  };
  using Due = std::pair<double, uint32_t>;  // when a class comes next, and which

  // A class with weight w comes at the times 0.5 / w, 1.5 / w and so on: counts of equal weights
  // never differ by more than one. Without a size it ends when every sample came once.
  void place_samples() {
    std::priority_queue<Due, std::vector<Due>, std::greater<>> due;
    for (uint32_t label = 0; label < classes_.weights.size(); ++label)
      due.emplace(0.5 / classes_.weights[label], label);
    std::vector<uint32_t> given(classes_.weights.size());
    size_t incomplete = given.size();
    const auto is_done = [&] { return options_.size ? size() >= *options_.size : incomplete == 0; };
    while (!is_done()) {
      const uint32_t label = due.top().second;
      due.pop();
      if (size() >= kMostColumnSamples) throw_too_many();
      places_.push_back({label, given[label]++});
      if (given[label] == classes_.members[label].size()) --incomplete;
      due.emplace((given[label] + 0.5) / classes_.weights[label], label);
    }
  }

  [[noreturn]] static void throw_too_many() {
    throw DataError("balanced: more than " + human_count(kMostColumnSamples) +
                    " samples would be needed for every one to come once. Give it a size.");
  }

  // Each time through a class in another order.
  [[nodiscard]] int64_t sample_at(int64_t index) const {
    const Place& place = places_[static_cast<size_t>(index)];
    const std::vector<int64_t>& members = classes_.members[place.label];
    const Permutation order(members.size(), static_cast<uint64_t>(options_.seed) + place.label,
                            place.position / members.size());
    return members[order.at(place.position % members.size())];
  }

  Options options_;
  std::unique_ptr<Source> source_;
  ClassMembers classes_;
  std::vector<Place> places_;
};

}  // namespace

const Schema<BalancedOptions>& BalancedOptions::schema() {
  using O = BalancedOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::of, "of", "The source.", required())
          .field(&O::key, "key", "The key that holds a sample's class.", not_empty())
          .field(&O::weights, "weights",
                 "How often each class comes, in any unit; left out: all equally often.",
                 at_least(0), at_most(1e9))
          .field(&O::size, "size",
                 "Samples in all; left out: so many that each comes at least once, and those of "
                 "rare classes again.",
                 at_least(1), at_most(static_cast<double>(kMostColumnSamples)))
          .field(&O::seed, "seed", "Another seed takes the samples in another order.", at_least(0),
                 of_64_bits());
  return schema;
}

Choice<Source> balanced(const BalancedOptions& options) {
  return choose<Source>("balanced", options);
}

void register_balanced(Registry<Source>& registry) {
  registry.add<Balanced>("balanced", "A source whose classes come equally often, or by weights.");
}

}  // namespace hearth::sources
