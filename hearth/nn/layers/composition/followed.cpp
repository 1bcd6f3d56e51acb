// A layer with another one behind it: what an edit inserts where no description has the layer.
#include "hearth/nn/layers/composition/followed.h"

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/place.h"
#include "hearth/config/registry.h"
#include "hearth/nn/requirements.h"

namespace hearth::layers {
namespace {

class Followed : public Layer {
 public:
  using Options = FollowedOptions;
  explicit Followed(FollowedOptions options) : options_(std::move(options)) {}

 protected:
  Spec prepare(const Spec& input, const BuildContext& context) override {
    inner_ = add_child("", wrapped_layer(context, "followed", options_.layer), input, context);
    if (context.is_first())
      at_place(options_.by.options().mark(), [&] { require_new_name(context); });
    after_ = add_child(options_.called, options_.by, inner_->output_spec(), context);
    return after_->output_spec();
  }

  at::Tensor forward(const at::Tensor& input) override { return (*after_)((*inner_)(input)); }
  at::Tensor forward(const at::Tensor& input, const Tail& tail) override {
    return (*after_)((*inner_)(input), tail);
  }

 private:
  // Both lie at one path.
  void require_new_name(const BuildContext& context) const {
    const std::string start =
        context.path + ": a layer behind it is called " + quote(options_.called) + ", but ";
    if (options_.called.find('.') != std::string::npos)
      throw GraphError(start + "dots part the names of a path. Give it another name.");
    if (inner_->find(options_.called) != nullptr)
      throw GraphError(start + "so is one below it. Give it another name.");
  }

  FollowedOptions options_;
  Layer* inner_ = nullptr;
  Layer* after_ = nullptr;
};

}  // namespace

const Schema<FollowedOptions>& FollowedOptions::schema() {
  using O = FollowedOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::layer, "layer",
                 "The layer that comes first, whose parameters keep their names; the edit "
                 "`insert_after` gives it.")
          .field(&O::by, "by", "The layer that takes what that one gives.", required())
          .field(&O::called, "called", "The name of that layer, below this one.", not_empty());
  return fields;
}

Choice<Layer> followed(FollowedOptions options) { return choose<Layer>("followed", options); }

void register_followed(Registry<Layer>& layers) {
  layers.add<Followed>("followed",
                       "A layer with another one behind it, under its own name: what the edit "
                       "insert_after makes of a layer that another one holds as a part of itself.");
}

}  // namespace hearth::layers
