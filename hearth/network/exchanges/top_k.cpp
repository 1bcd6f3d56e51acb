// Every rank sends the largest values of its gradients, with their places, to all others; the rest
// waits for later steps (Lin et al., Deep Gradient Compression, without its momentum). Small
// gradients are sent whole.
#include "hearth/network/exchanges/top_k.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/topk.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <cmath>

#include "hearth/config/registry.h"
#include "hearth/network/exchange.h"
#include "hearth/network/leftovers.h"

namespace hearth::exchanges {
namespace {

constexpr int64_t kAlignment = 8;  // of every dtype
constexpr int64_t kPlaceBytes = 4;

int64_t aligned(int64_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; }

// What is sent of a parcel, one part after the other: places of values, and values. Of one rank, or
// a row for each.
class Message {
 public:
  Message(const at::Tensor& bytes, int64_t places, at::ScalarType dtype)
      : places_(bytes.narrow(-1, 0, places * kPlaceBytes).view(at::kInt)),
        values_(bytes
                    .narrow(-1, aligned(places * kPlaceBytes),
                            bytes.size(-1) - aligned(places * kPlaceBytes))
                    .view(dtype)) {}

  [[nodiscard]] at::Tensor next_places(int64_t count) { return next(places_, place_, count); }
  [[nodiscard]] at::Tensor next_values(int64_t count) { return next(values_, value_, count); }

 private:
  static at::Tensor next(const at::Tensor& all, int64_t& begin, int64_t count) {
    begin += count;
    return all.narrow(-1, begin - count, count);
  }

  at::Tensor places_, values_;
  int64_t place_ = 0;
  int64_t value_ = 0;
};

class TopK : public Exchange {
 public:
  using Options = TopKOptions;
  explicit TopK(Options options) : options_(options) {}

  [[nodiscard]] int64_t exact_steps() const override { return options_.exact_steps; }

  [[nodiscard]] Pending send(Parcel& parcel, Post& post) override {
    const Counts counts = counts_of(parcel);
    parcel.sent = at::zeros({counts.bytes}, at::kByte);
    Message message(parcel.sent, counts.places, parcel.row.scalar_type());
    for (const Parcel::Part& part : parcel.parts) {
      if (is_whole(part))
        message.next_values(part.parameter.numel()).copy_(parcel.ordinary(part));
      else
        send_largest(parcel, part, message);
    }
    return post.to_all(parcel.sent);
  }
  // All is here.
  [[nodiscard]] Pending go_on(Parcel&, at::Tensor received, Post&) override {
    return Pending(std::move(received));
  }
  void arrive(Parcel& parcel, const at::Tensor& received, const Post& post) override {
    Message all(received.view({post.ranks(), -1}), counts_of(parcel).places,
                parcel.row.scalar_type());
    for (const Parcel::Part& part : parcel.parts)
      parcel.put(part, is_whole(part) ? post.sum(all.next_values(part.parameter.numel()))
                                      : sum_of_largest(part, all));
  }

  [[nodiscard]] bool has_state() const override { return true; }
  [[nodiscard]] State state() const override { return left_.state(); }
  void restore(const State& state) override { left_.restore(state); }

 private:
  struct Counts {
    int64_t places = 0;
    int64_t bytes = 0;
  };

  [[nodiscard]] int64_t count_of(const Parcel::Part& part) const {
    const auto all = static_cast<double>(part.parameter.numel());
    return std::max<int64_t>(static_cast<int64_t>(std::ceil(options_.share * all)), 1);
  }
  // A value with its place takes as much as two.
  [[nodiscard]] bool is_whole(const Parcel::Part& part) const {
    const int64_t all = part.parameter.numel();
    return all < options_.whole_below || 2 * count_of(part) >= all;
  }
  [[nodiscard]] Counts counts_of(const Parcel& parcel) const {
    int64_t places = 0;
    int64_t values = 0;
    for (const Parcel::Part& part : parcel.parts) {
      values += is_whole(part) ? part.parameter.numel() : count_of(part);
      if (!is_whole(part)) places += count_of(part);
    }
    const auto value_bytes = static_cast<int64_t>(parcel.row.element_size());
    return {places, aligned(places * kPlaceBytes) + aligned(values * value_bytes)};
  }

  void send_largest(const Parcel& parcel, const Parcel::Part& part, Message& message) {
    const int64_t count = count_of(part);
    at::Tensor values = left_.with(parcel, part);
    const at::Tensor places = std::get<1>(at::topk(values.abs(), count, 0, true, false));
    message.next_places(count).copy_(places);
    message.next_values(count).copy_(values.index_select(0, places));
    left_.keep(part, values.index_fill_(0, places, 0));
  }

  // In the order of ranks.
  [[nodiscard]] at::Tensor sum_of_largest(const Parcel::Part& part, Message& all) const {
    const at::Tensor places = all.next_places(count_of(part)).to(at::kLong);
    const at::Tensor values = all.next_values(count_of(part));
    at::Tensor sum = at::zeros({part.parameter.numel()}, values.options());
    for (int64_t rank = 0; rank < values.size(0); ++rank)
      sum.index_add_(0, places.select(0, rank), values.select(0, rank));
    return sum;
  }

  Options options_;
  Leftovers left_;
};

}  // namespace

const Schema<TopKOptions>& TopKOptions::schema() {
  using O = TopKOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::share, "share", "Share of the values of a gradient that are sent in a step.",
                 above(0), at_most(1))
          .field(&O::whole_below, "whole_below", "Gradients of fewer values are sent whole.",
                 at_least(0))
          .field(&O::exact_steps, "exact_steps",
                 "Steps at the beginning in which gradients travel as they are.", at_least(0));
  return fields;
}

Choice<Exchange> top_k(TopKOptions options) { return choose<Exchange>("top_k", options); }

void register_top_k(Registry<Exchange>& exchanges) {
  exchanges.add<TopK>("top_k",
                      "The largest values of every gradient; the others wait for later steps.");
}

}  // namespace hearth::exchanges
