// Gradients are rounded to bfloat16 before they are sent, added up as they were, and the sums are
// rounded once more. Who adds up a value depends on its company, so that nobody can keep what that
// second rounding takes away.
#include "hearth/network/exchanges/bfloat16.h"

#include "hearth/config/registry.h"
#include "hearth/network/exchange.h"
#include "hearth/network/leftovers.h"

namespace hearth::exchanges {
namespace {

class Bfloat16 : public Exchange {
 public:
  using Options = Bfloat16Options;
  explicit Bfloat16(Options options) : options_(options) {}

  [[nodiscard]] Pending send(Parcel& parcel, Post& post) override {
    if (options_.feedback)
      for (const Parcel::Part& part : parcel.parts) add_left(parcel, part);
    parcel.sent = parcel.row.to(at::kBFloat16);
    return post.to_each(parcel.sent);
  }
  [[nodiscard]] Pending go_on(Parcel& parcel, at::Tensor received, Post& post) override {
    post.own_piece(parcel.sent).copy_(post.sum(received.to(parcel.row.scalar_type())));
    return post.complete(parcel.sent);
  }
  void arrive(Parcel& parcel, const at::Tensor& received, const Post&) override {
    parcel.row.copy_(received);
  }

  [[nodiscard]] bool has_state() const override { return options_.feedback; }
  [[nodiscard]] State state() const override { return left_.state(); }
  void restore(const State& state) override { left_.restore(state); }

 private:
  void add_left(const Parcel& parcel, const Parcel::Part& part) {
    at::Tensor values = left_.with(parcel, part);
    parcel.put(part, values);
    left_.keep(part, values.sub_(values.to(at::kBFloat16)));
  }

  Options options_;
  Leftovers left_;
};

}  // namespace

const Schema<Bfloat16Options>& Bfloat16Options::schema() {
  using O = Bfloat16Options;
  static const auto fields = Schema<O>().field(
      &O::feedback, "feedback",
      "Each process adds what rounding took from its gradients to those of the next step. A run "
      "goes on with as many processes then; false: with any number.");
  return fields;
}

Choice<Exchange> bfloat16(Bfloat16Options options) { return choose<Exchange>("bfloat16", options); }

void register_bfloat16(Registry<Exchange>& exchanges) {
  exchanges.add<Bfloat16>("bfloat16", "Gradients rounded to bfloat16: half of the bytes.");
}

}  // namespace hearth::exchanges
