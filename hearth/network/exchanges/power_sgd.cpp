// Vogels et al., PowerSGD: the sum of all ranks' matrices M is taken to be P Q, with P of `rank`
// columns. P = M Q' with the last step's Q is made orthonormal, then Q = P' M. What the product
// leaves of a rank's own matrix waits for the next step. What is no matrix, or gains too little, is
// sent whole.
#include "hearth/network/exchanges/power_sgd.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/where.h>

#include <map>
#include <mutex>

#include "hearth/config/registry.h"
#include "hearth/core/random.h"
#include "hearth/kernels/weight/weight_order.h"
#include "hearth/network/exchange.h"
#include "hearth/network/leftovers.h"
#include "hearth/network/thin_product.h"

namespace hearth::exchanges {
namespace {

// What travels of a part: P and Q, or all of it.
struct Share {
  const Parcel::Part* part;
  int64_t rows = 0;  // 0: all of it
  int64_t columns = 0;
  int64_t first = 0;   // where P, or all of it, begins in what is sent
  int64_t second = 0;  // where Q does
  [[nodiscard]] bool is_whole() const { return rows == 0; }
};

struct Shares {
  std::vector<Share> all;
  int64_t first_values = 0;
  int64_t second_values = 0;

  [[nodiscard]] at::Tensor first(const Parcel& parcel) const {
    return parcel.sent.narrow(0, 0, first_values);
  }
  [[nodiscard]] at::Tensor second(const Parcel& parcel) const {
    return parcel.sent.narrow(0, first_values, second_values);
  }
};

// A weight that is packed has six dimensions.
int64_t rows_of(const at::Tensor& parameter) {
  return parameter.dim() == 6 ? ordinary_sizes(parameter)[0] : parameter.size(0);
}

uint64_t number_of(const std::string& name) {
  uint64_t hash = 14695981039346656037U;  // FNV-1a
  for (const char letter : name) hash = (hash ^ static_cast<uint8_t>(letter)) * 1099511628211U;
  return hash >> 16U;
}

class PowerSgd : public Exchange {
 public:
  using Options = PowerSgdOptions;
  explicit PowerSgd(Options options) : options_(options) {}

  [[nodiscard]] int64_t exact_steps() const override { return options_.exact_steps; }

  [[nodiscard]] Pending send(Parcel& parcel, Post& post) override {
    const Shares shares = shares_of(parcel);
    parcel.sent = at::empty({shares.first_values + shares.second_values}, parcel.row.options());
    for (const Share& share : shares.all) {
      const Parcel::Part& part = *share.part;
      if (share.is_whole()) {
        parcel.sent.narrow(0, share.first, part.parameter.numel()).copy_(parcel.ordinary(part));
        continue;
      }
      parcel.put(part, left_.with(parcel, part));
      p_of(parcel, share).copy_(own_matrix(parcel, share).mm(last_q(share).t()));
    }
    return post.to_each(shares.first(parcel));
  }

  // To wait in between holds up parcels that come later anyway.
  [[nodiscard]] Pending go_on(Parcel& parcel, at::Tensor received, Post& post) override {
    const Shares shares = shares_of(parcel);
    const at::Tensor first = shares.first(parcel);
    post.own_piece(first).copy_(post.sum(received));
    (void)post.complete(first).wait();
    for (const Share& share : shares.all)
      if (!share.is_whole()) project(parcel, share);
    const at::Tensor second = shares.second(parcel);
    post.own_piece(second).copy_(post.sum(post.to_each(second).wait()));
    return post.complete(second);
  }

  void arrive(Parcel& parcel, const at::Tensor&, const Post&) override {
    for (const Share& share : shares_of(parcel).all) {
      const Parcel::Part& part = *share.part;
      if (share.is_whole()) {
        parcel.put(part, parcel.sent.narrow(0, share.first, part.parameter.numel()));
        continue;
      }
      const at::Tensor q = q_of(parcel, share);
      parcel.put(part, thin_product(p_of(parcel, share), q).view({-1}));
      keep_q(share, q);
    }
  }

  [[nodiscard]] bool has_state() const override { return true; }
  [[nodiscard]] State state() const override {
    State state;
    state.add("left", left_.state());
    const std::scoped_lock lock(mutex_);
    for (const auto& [name, q] : last_) state.tensors.emplace_back("q/" + name, q);
    return state;
  }
  void restore(const State& state) override {
    left_.restore(state.part("left"));
    const std::scoped_lock lock(mutex_);
    last_.clear();
    for (const auto& [name, q] : state.part("q").tensors) last_[name] = q.clone();
  }

 private:
  [[nodiscard]] bool pays(const at::Tensor& parameter) const {
    if (parameter.scalar_type() != at::kFloat || parameter.dim() < 2 || parameter.numel() == 0)
      return false;
    const int64_t rows = rows_of(parameter);
    const int64_t sent = (rows + parameter.numel() / rows) * options_.rank;
    return static_cast<double>(sent) * options_.gain <= static_cast<double>(parameter.numel());
  }
  [[nodiscard]] Shares shares_of(const Parcel& parcel) const {
    Shares shares;
    for (const Parcel::Part& part : parcel.parts) {
      Share share{&part};
      if (pays(part.parameter)) share.rows = rows_of(part.parameter);
      if (share.rows > 0) share.columns = part.parameter.numel() / share.rows;
      share.first = shares.first_values;
      share.second = shares.second_values;
      shares.first_values += share.is_whole() ? part.parameter.numel() : share.rows * options_.rank;
      shares.second_values += share.columns * options_.rank;
      shares.all.push_back(share);
    }
    for (Share& share : shares.all) share.second += shares.first_values;
    return shares;
  }
  [[nodiscard]] at::Tensor p_of(const Parcel& parcel, const Share& share) const {
    return parcel.sent.narrow(0, share.first, share.rows * options_.rank)
        .view({share.rows, options_.rank});
  }
  [[nodiscard]] at::Tensor q_of(const Parcel& parcel, const Share& share) const {
    return parcel.sent.narrow(0, share.second, share.columns * options_.rank)
        .view({options_.rank, share.columns});
  }
  static at::Tensor own_matrix(const Parcel& parcel, const Share& share) {
    return parcel.ordinary(*share.part).view({share.rows, share.columns});
  }

  // With P of all ranks: our part of Q, and what they leave of our matrix.
  void project(const Parcel& parcel, const Share& share) {
    const at::Tensor p = p_of(parcel, share);
    make_orthonormal(p);
    const at::Tensor own = own_matrix(parcel, share);
    const at::Tensor q = q_of(parcel, share).copy_(p.t().mm(own));
    left_.keep(*share.part, own.sub(p.mm(q)).view({-1}));
  }

  // Its rows are of length 1.
  [[nodiscard]] at::Tensor last_q(const Share& share) {
    const std::scoped_lock lock(mutex_);
    at::Tensor& last = last_[share.part->name];
    if (!last.defined()) last = first_q(share);
    return last;
  }
  // A row that vanished would never come back.
  void keep_q(const Share& share, const at::Tensor& q) {
    const at::Tensor lengths = q.norm(2, 1, true);
    const at::Tensor lives = lengths.isfinite().logical_and_(lengths.gt(0));
    at::Tensor next = q.div(lengths);
    if (!lives.all().item<bool>()) next = at::where(lives, next, first_q(share));
    const std::scoped_lock lock(mutex_);
    last_[share.part->name] = next;
  }
  [[nodiscard]] at::Tensor first_q(const Share& share) const {
    Random random({static_cast<uint64_t>(options_.seed), 0, number_of(share.part->name),
                   op_number("power_sgd")});
    at::Tensor q = at::empty({options_.rank, share.columns});
    auto* values = q.data_ptr<float>();
    for (int64_t i = 0; i < q.numel(); ++i) values[i] = random.normal();
    return q;
  }

  Options options_;
  Leftovers left_;
  mutable std::mutex mutex_;
  std::map<std::string, at::Tensor> last_;  // Q, by the parameters' names
};

}  // namespace

const Schema<PowerSgdOptions>& PowerSgdOptions::schema() {
  using O = PowerSgdOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::rank, "rank",
                 "Columns of the thin matrices: more are nearer to the gradient, and more to send.",
                 at_least(1))
          .field(&O::gain, "gain",
                 "Gradients of which not so many times fewer values would travel are sent whole.",
                 at_least(1))
          .field(&O::exact_steps, "exact_steps",
                 "Steps at the beginning in which gradients travel as they are.", at_least(0))
          .field(&O::seed, "seed", "Of the directions that products begin with.", at_least(0),
                 of_64_bits());
  return fields;
}

Choice<Exchange> power_sgd(PowerSgdOptions options) {
  return choose<Exchange>("power_sgd", options);
}

void register_power_sgd(Registry<Exchange>& exchanges) {
  exchanges.add<PowerSgd>(
      "power_sgd", "Gradients as products of two thin matrices; what is left waits for later.");
}

}  // namespace hearth::exchanges
