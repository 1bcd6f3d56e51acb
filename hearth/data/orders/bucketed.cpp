// Batches of samples that are about equally long. The samples are sorted by length once, 8 bytes
// each; an epoch shuffles within windows of that row, cuts it into batches and shuffles these. No
// epoch has a table: every answer is computed.
#include "hearth/data/orders/bucketed.h"

#include "hearth/config/registry.h"
#include "hearth/core/random.h"
#include "hearth/data/column.h"
#include "hearth/data/keyed_seed.h"
#include "hearth/data/sorted_samples.h"

namespace hearth::orders {

namespace {

using SortedSamples = std::shared_ptr<const std::vector<int64_t>>;

class BucketedEpoch : public EpochOrder {
 public:
  BucketedEpoch(const OrderRequest& request, SortedSamples sorted, int64_t window)
      : request_(request),
        sorted_(std::move(sorted)),
        window_(std::max<int64_t>(std::min(window * request.batch_size, request.samples), 1)),
        full_(request.samples / request.batch_size),
        rest_(request.samples % request.batch_size),
        batch_order_(static_cast<uint64_t>(full_), seed_of_piece("bucketed batches", 0), 0) {
    Random random({.seed = request.seed,
                   .epoch = static_cast<uint32_t>(request.epoch),
                   .op = op_number("order bucketed")});
    phase_ = random.between(0, window_ - 1);
    rest_at_ = random.between(0, full_);
  }

  [[nodiscard]] int64_t batches() const override { return cut().batches(); }
  [[nodiscard]] int64_t rows(int64_t batch) const override { return cut().rows(batch); }
  [[nodiscard]] int64_t sample(int64_t batch, int64_t row) const override {
    const int64_t position = first_of(batch) + row;
    const int64_t number = (position + window_ - phase_) / window_;
    const int64_t begin = std::max<int64_t>(phase_ + (number - 1) * window_, 0);
    const int64_t end = std::min(phase_ + number * window_, request_.samples);
    const Permutation shuffled(static_cast<uint64_t>(end - begin),
                               seed_of_piece("bucketed window", static_cast<uint64_t>(number)), 0);
    return (*sorted_)[static_cast<size_t>(begin) +
                      shuffled.at(static_cast<uint64_t>(position - begin))];
  }

 private:
  [[nodiscard]] BatchCut cut() const {
    return {request_.samples, request_.batch_size, request_.drop_last};
  }

  // Where the batch starts in the sorted row. The batch that is not full is the last one, but lies
  // anywhere in that row: what drop_last drops is not always the longest.
  [[nodiscard]] int64_t first_of(int64_t batch) const {
    if (batch == full_) return rest_at_ * request_.batch_size;
    const auto place = static_cast<int64_t>(batch_order_.at(static_cast<uint64_t>(batch)));
    return place * request_.batch_size + (place >= rest_at_ ? rest_ : 0);
  }

  [[nodiscard]] uint64_t seed_of_piece(std::string_view purpose, uint64_t piece) const {
    return seed_of({request_.seed, static_cast<uint64_t>(request_.epoch), purpose, piece});
  }

  OrderRequest request_;
  SortedSamples sorted_;
  int64_t window_;
  int64_t full_;  // batches that are
  int64_t rest_;  // samples that do not fill one
  Permutation batch_order_;
  int64_t phase_ = 0;    // the end of the first window, so that windows differ from epoch to epoch
  int64_t rest_at_ = 0;  // before which batch of the sorted row they lie
};

class Bucketed : public Order {
 public:
  using Options = BucketedOptions;
  explicit Bucketed(Options options) : options_(std::move(options)) {}

  void open(const Source& source) override {
    sorted_ = std::make_shared<const std::vector<int64_t>>(
        sorted_samples(length_column(source, {"order bucketed", options_.key})));
  }
  [[nodiscard]] std::unique_ptr<const EpochOrder> epoch(
      const OrderRequest& request) const override {
    return std::make_unique<BucketedEpoch>(request, sorted_, options_.window);
  }

 private:
  Options options_;
  SortedSamples sorted_;
};

}  // namespace

const Schema<BucketedOptions>& BucketedOptions::schema() {
  using O = BucketedOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::key, "key",
                 "The key whose first length is looked at, or that holds the length itself.",
                 required(), not_empty())
          .field(&O::window, "window",
                 "Samples are shuffled among so many batches of neighbouring length: more is more "
                 "chance, less is less padding.",
                 at_least(1));
  return schema;
}

Choice<Order> bucketed(BucketedOptions options) { return choose<Order>("bucketed", options); }

void register_bucketed(Registry<Order>& registry) {
  registry.add<Bucketed>("bucketed",
                         "Batches of samples that are about equally long, in a shuffled order.");
}

}  // namespace hearth::orders
