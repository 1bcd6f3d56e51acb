// Several sources, mixed in given shares. Which source a sample comes from is drawn once; of each,
// all samples come before one comes again.
#include "hearth/data/sources/mix.h"

#include <algorithm>
#include <numeric>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/core/random.h"
#include "hearth/data/source_list.h"

namespace hearth::sources {

namespace {

// Every sample has its place in memory, and they are placed one after another.
constexpr int64_t kMostMixedSamples = 100'000'000;

double mix_weights_sum(const MixOptions& options) {
  return std::accumulate(options.weights.begin(), options.weights.end(), 0.0);
}

class Mix : public Source {
 public:
  using Options = MixOptions;
  explicit Mix(Options options) : options_(std::move(options)) {}

  void open() override {
    sources_.open(options_.of, "mix");
    shares_.clear();
    const double sum = mix_weights_sum(options_);
    for (size_t i = 0; i < sources_.count(); ++i)
      shares_.push_back(options_.weights.empty() ? 1.0 / static_cast<double>(sources_.count())
                                                 : options_.weights[i] / sum);
    int64_t samples = 0;
    for (size_t i = 0; i < sources_.count(); ++i) samples += sources_[i].size();
    if (!options_.size && samples > kMostMixedSamples)
      throw DataError("mix: its sources have " + human_count(static_cast<uint64_t>(samples)) +
                      " samples together, but " + human_count(kMostMixedSamples) +
                      " is the most it can mix. Give it a size.");
    place_samples(options_.size.value_or(samples));
  }

  std::vector<KeySpec> keys() const override { return sources_.keys(); }
  int64_t size() const override { return static_cast<int64_t>(places_.size()); }
  void read(int64_t index, std::span<const Cell> cells) const override {
    const Place& place = places_[static_cast<size_t>(index)];
    sources_[place.source].read(shuffled_sample(place), cells);
  }
  uint64_t resident_bytes() const override {
    return sources_.resident_bytes() + places_.capacity() * sizeof(Place);
  }
  std::string fingerprint() const override {
    std::string text = "mix:" + std::to_string(size()) + ":" + std::to_string(options_.seed);
    for (const double share : shares_) text += ":" + std::to_string(share);
    return text + ":" + sources_.fingerprint();
  }
  std::string describe(int64_t index) const override {
    const Place& place = places_[static_cast<size_t>(index)];
    return sources_[place.source].describe(shuffled_sample(place));
  }

 private:
  struct Place {
    uint32_t source = 0;
    uint32_t position = 0;  // how many samples of that source come before
  };

  // Whichever source lags behind its share most is next: shares are exact at every point.
  void place_samples(int64_t samples) {
    std::vector<uint32_t> given(sources_.count());
    places_.clear();
    places_.reserve(static_cast<size_t>(samples));
    for (int64_t i = 0; i < samples; ++i) {
      size_t next = 0;
      double most = -1;
      for (size_t s = 0; s < given.size(); ++s) {
        const double lag = shares_[s] * static_cast<double>(i + 1) - static_cast<double>(given[s]);
        if (shares_[s] > 0 && lag > most) {
          most = lag;
          next = s;
        }
      }
      places_.push_back({static_cast<uint32_t>(next), given[next]++});
    }
  }

  // Each time through a source in another order.
  [[nodiscard]] int64_t shuffled_sample(const Place& place) const {
    const auto size = static_cast<uint64_t>(sources_[place.source].size());
    const Permutation order(size, static_cast<uint64_t>(options_.seed) + place.source,
                            place.position / size);
    return static_cast<int64_t>(order.at(place.position % size));
  }

  Options options_;
  SourceList sources_;
  std::vector<double> shares_;
  std::vector<Place> places_;
};

bool mix_weights_fit(const MixOptions& options) {
  return options.weights.empty() || options.weights.size() == options.of.size();
}

bool mix_weights_count(const MixOptions& options) {
  return options.weights.empty() || mix_weights_sum(options) > 0;
}

}  // namespace

const Schema<MixOptions>& MixOptions::schema() {
  using O = MixOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::of, "of", "The sources, which yield the same keys.", required(), not_empty())
          .field(&O::weights, "weights",
                 "How much of each there is, in any unit; left out: equally much.", at_least(0),
                 at_most(1e9))
          .field(&O::size, "size",
                 "Samples in all; left out: as many as the sources have together.", at_least(1),
                 at_most(static_cast<double>(kMostMixedSamples)))
          .field(&O::seed, "seed", "Another seed takes the samples in another order.", at_least(0),
                 of_64_bits())
          .check("'weights' must hold a number for each source, or none.", mix_weights_fit)
          .check("'weights' must not all be 0.", mix_weights_count);
  return schema;
}

Choice<Source> mix(const MixOptions& options) { return choose<Source>("mix", options); }

void register_mix(Registry<Source>& registry) {
  registry.add<Mix>("mix", "Several sources, mixed in given shares.");
}

}  // namespace hearth::sources
