// Says in one line how my_component works.
#include "my_component.h"

#include "hearth/config/registry.h"
#include "hearth/network/exchange.h"

namespace hearth::exchanges {
namespace {

class MyComponent : public Exchange {
 public:
  using Options = MyComponentOptions;
  explicit MyComponent(Options options) : options_(options) {}

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

const Schema<MyComponentOptions>& MyComponentOptions::schema() {
  using O = MyComponentOptions;
  // YAML, help, docs, checks and defaults all come from this list.
  static const auto schema = Schema<O>().field(
      &O::smallest, "smallest", "Smaller values are not worth sending.", at_least(0));
  return schema;
}

Choice<Exchange> my_component(MyComponentOptions options) {
  // C++ writes this where YAML writes the name with its options.
  return choose<Exchange>("my_component", options);
}

void register_my_component(Registry<Exchange>& registry) {
  // The second text is its line in `hearth list`.
  registry.add<MyComponent>("my_component", "Says in one line what it does.");
}

}  // namespace hearth::exchanges
