// Batches of P identities with K samples each, for losses that compare samples. Identities come
// equally often; each goes through its samples before one comes again.
#include "hearth/data/orders/pk.h"

#include "hearth/base/error.h"
#include "hearth/config/registry.h"
#include "hearth/core/random.h"
#include "hearth/data/class_members.h"
#include "hearth/data/keyed_seed.h"

namespace hearth::orders {

namespace {

using Identities = std::shared_ptr<const std::vector<std::vector<int64_t>>>;

class PkEpoch : public EpochOrder {
 public:
  PkEpoch(const OrderRequest& request, Identities identities, int64_t instances)
      : request_(request),
        identities_(std::move(identities)),
        instances_(instances),
        in_batch_(request.batch_size / instances),
        batches_in_round_(static_cast<int64_t>(identities_->size()) / in_batch_) {}

  [[nodiscard]] int64_t batches() const override {
    return std::max<int64_t>(request_.samples / request_.batch_size, 1);
  }
  [[nodiscard]] int64_t rows(int64_t) const override { return request_.batch_size; }

  // A round goes through the identities in another order; those that do not fill a batch are left
  // out of it, so that none comes twice in a batch.
  [[nodiscard]] int64_t sample(int64_t batch, int64_t row) const override {
    const int64_t round = batch / batches_in_round_;
    const auto place =
        static_cast<uint64_t>((batch % batches_in_round_) * in_batch_ + row / instances_);
    const Permutation order(identities_->size(), seed_of_piece("pk round", round), 0);
    const uint64_t identity = order.at(place);
    const std::vector<int64_t>& members = (*identities_)[identity];
    const auto turn = static_cast<uint64_t>(round * instances_ + row % instances_);
    const Permutation shuffled(members.size(),
                               seed_of_piece("pk identity", static_cast<int64_t>(identity)), 0);
    return members[shuffled.at(turn % members.size())];
  }

 private:
  [[nodiscard]] uint64_t seed_of_piece(std::string_view purpose, int64_t piece) const {
    return seed_of({request_.seed, static_cast<uint64_t>(request_.epoch), purpose,
                    static_cast<uint64_t>(piece)});
  }

  OrderRequest request_;
  Identities identities_;
  int64_t instances_;
  int64_t in_batch_;  // identities
  int64_t batches_in_round_;
};

class Pk : public Order {
 public:
  using Options = PkOptions;
  explicit Pk(Options options) : options_(std::move(options)) {}

  void open(const Source& source) override {
    const GroupColumn column = group_column(source, {"order pk", options_.key});
    auto identities = group_members(column.group_of, column.groups);
    std::erase_if(identities, [&](const std::vector<int64_t>& members) {
      return static_cast<int64_t>(members.size()) < options_.least;
    });
    identities_ = std::make_shared<const std::vector<std::vector<int64_t>>>(std::move(identities));
  }

  [[nodiscard]] std::unique_ptr<const EpochOrder> epoch(
      const OrderRequest& request) const override {
    check_batch(request.batch_size);
    return std::make_unique<PkEpoch>(request, identities_, options_.instances);
  }

 private:
  void check_batch(int64_t batch_size) const {
    const std::string batch = "order pk: a batch of " + std::to_string(batch_size);
    if (batch_size % options_.instances != 0)
      throw DataError(batch + " cannot hold " + std::to_string(options_.instances) +
                      " instances of each identity. Make batch_size a multiple of instances.");
    const int64_t needed = batch_size / options_.instances;
    if (needed > static_cast<int64_t>(identities_->size()))
      throw DataError(batch + " with " + std::to_string(options_.instances) +
                      " instances of each identity needs " + std::to_string(needed) +
                      " identities, but there are " + std::to_string(identities_->size()) +
                      (options_.least > 1
                           ? " with at least " + std::to_string(options_.least) + " samples"
                           : "") +
                      ". Lower batch_size, or raise instances.");
  }

  Options options_;
  Identities identities_;
};

}  // namespace

const Schema<PkOptions>& PkOptions::schema() {
  using O = PkOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::key, "key", "The key that says whose sample it is: a class, person or thing.",
                 not_empty())
          .field(&O::instances, "instances",
                 "K, samples of each identity in a batch; P is batch_size divided by it. Of an "
                 "identity with fewer, samples come twice.",
                 at_least(1))
          .field(&O::least, "least", "Identities with fewer samples are left out.", at_least(1));
  return schema;
}

Choice<Order> pk(PkOptions options) { return choose<Order>("pk", options); }

void register_pk(Registry<Order>& registry) {
  registry.add<Pk>("pk", "Batches of P identities with K samples each, for metric learning.");
}

}  // namespace hearth::orders
