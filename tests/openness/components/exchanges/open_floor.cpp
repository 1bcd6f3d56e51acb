// Values that are almost nothing become nothing before they are sent.
#include "exchanges/open_floor.h"

#include "hearth/config/registry.h"
#include "hearth/network/exchange.h"

namespace hearth::exchanges {
namespace {

class OpenFloor : public Exchange {
 public:
  using Options = OpenFloorOptions;
  explicit OpenFloor(Options options) : options_(options) {}

  // A piece of this rank's gradients to each rank.
  [[nodiscard]] Pending send(Parcel& parcel, Post& post) override {
    parcel.row.masked_fill_(parcel.row.abs().lt(options_.smallest), 0);
    return post.to_each(parcel.row);
  }
  // Everybody's for us are here: their sum goes to all.
  [[nodiscard]] Pending go_on(Parcel& parcel, at::Tensor received, Post& post) override {
    post.own_piece(parcel.row).copy_(post.sum(received));
    return post.complete(parcel.row);
  }
  // The row is complete already.
  void arrive(Parcel&, const at::Tensor&, const Post&) override {}

 private:
  Options options_;
};

}  // namespace

const Schema<OpenFloorOptions>& OpenFloorOptions::schema() {
  using O = OpenFloorOptions;
  static const auto schema = Schema<O>().field(
      &O::smallest, "smallest", "Smaller values are not worth sending.", at_least(0));
  return schema;
}

Choice<Exchange> open_floor(OpenFloorOptions options) {
  return choose<Exchange>("open_floor", options);
}

void register_open_floor(Registry<Exchange>& registry) {
  registry.add<OpenFloor>("open_floor", "Leaves out what is too small to matter.");
}

}  // namespace hearth::exchanges
