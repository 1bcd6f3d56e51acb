// Attention within the windows of an image; parameters are named as in torchvision's
// ShiftedWindowAttention and, with cosines, its second version, or as in its MaxViT's
// RelativePositionalMultiHeadAttention.
#include "hearth/nn/layers/attention/window_attention.h"

#include <ATen/ops/cat.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/zeros_like.h>

#include <cmath>
#include <map>

#include "hearth/config/registry.h"
#include "hearth/kernels/product/linear.h"
#include "hearth/nn/image_windows.h"
#include "hearth/nn/init.h"
#include "hearth/nn/layers/activation/relu.h"
#include "hearth/nn/layers/composition/sequential.h"
#include "hearth/nn/layers/linear.h"
#include "hearth/nn/requirements.h"

namespace hearth::layers {
namespace {

constexpr double kTableDeviation = 0.02;
constexpr int64_t kPositionHidden = 512;
constexpr double kMostScale = 100;
constexpr double kFirstScale = 10;
constexpr double kMostBias = 16;
constexpr double kLeastLength = 1e-12;

// Rows of length one, as PyTorch's normalize.
at::Tensor of_length_one(const at::Tensor& rows) {
  return rows.div(rows.norm(2, {-1}, /*keepdim=*/true).clamp_min(kLeastLength));
}

class WindowAttention : public Layer {
 public:
  using Options = WindowAttentionOptions;
  explicit WindowAttention(WindowAttentionOptions options) : options_(std::move(options)) {}

  // Queries by keys and weights by values, within windows; the projections count for themselves.
  [[nodiscard]] double work() const override {
    const auto places = static_cast<double>(options_.window * options_.window);
    const Spec& image = output_spec();
    return 2 * places * static_cast<double>(places_of(image) * image.shape[0]);
  }

 protected:
  Spec prepare(const Spec& input, const BuildContext& context) override {
    require_image(context, "window_attention", input);
    if (input.shape[0] % options_.heads != 0)
      throw_input_error(context, "window_attention",
                        "channels that " + std::to_string(options_.heads) + " heads share evenly",
                        input, "Change heads or the channels.");
    add_positions(context);
    Spec rows;
    rows.shape = {places_of(input), input.shape[0]};
    qkv_ = add_child(is_maxvit() ? "to_qkv" : "qkv", linear({.out_features = 3 * input.shape[0]}),
                     rows, context);
    proj_ = add_child(is_maxvit() ? "merge" : "proj", linear({.out_features = input.shape[0]}),
                      rows, context);
    if (options_.cosine) add_position_network(context);
    Spec output;
    output.shape = input.shape;
    return output;
  }

  at::Tensor forward(const at::Tensor& input) override {
    const ImageWindows windows(input, options_.window, options_.shift,
                               options_.grid ? Windowing::kGrid : Windowing::kNeighbours);
    const at::Tensor rows = windows.cut(input);
    const at::Tensor packed = options_.cosine ? with_keys_unbiased(rows) : (*qkv_)(rows);
    const at::Tensor seen = attended(packed, windows.hidden(input));
    return windows.joined((*proj_)(seen));
  }

 private:
  // Of all windows together, filled up.
  [[nodiscard]] int64_t places_of(const Spec& image) const {
    const auto padded = [&](int64_t side) {
      return (side + options_.window - 1) / options_.window * options_.window;
    };
    return padded(image.shape[1]) * padded(image.shape[2]);
  }

  [[nodiscard]] bool is_maxvit() const { return options_.names == "maxvit"; }

  void add_positions(const BuildContext& context) {
    const int64_t window = options_.window;
    take_room(context, "relative_position_index", {window, window, window, window},
              sizeof(int64_t));
    const int64_t side = 2 * window - 1;
    if (options_.cosine) {
      logit_scale_ = add_parameter(
          "logit_scale",
          filled(context, "logit_scale", {options_.heads, 1, 1}, std::log(kFirstScale)));
      coordinates_ = add_buffer("relative_coords_table", scaled_distances(window));
    } else {
      table_ = add_parameter("relative_position_bias_table",
                             normal(context, "relative_position_bias_table",
                                    {side * side, options_.heads}, kTableDeviation));
    }
    const int64_t places = window * window;
    const at::Tensor numbers = distance_numbers(window);
    index_ = add_buffer("relative_position_index",
                        is_maxvit() ? numbers.view({places, places}) : numbers);
  }

  // Scores of distances, from the distances themselves.
  void add_position_network(const BuildContext& context) {
    Spec distance;
    distance.shape = {2};
    cpb_mlp_ = add_child("cpb_mlp",
                         sequential({{linear({.out_features = kPositionHidden}), relu(),
                                      linear({.out_features = options_.heads, .bias = false})}}),
                         distance, context);
  }

  // [heads, places, places]: what each head thinks of distances.
  [[nodiscard]] at::Tensor position_bias() const {
    const int64_t places = options_.window * options_.window;
    const at::Tensor table = cpb_mlp_ == nullptr ? table_ : (*cpb_mlp_)(coordinates_.flatten(0, 2));
    const at::Tensor bias = table.index_select(0, index_.flatten())
                                .view({places, places, options_.heads})
                                .permute({2, 0, 1});
    return cpb_mlp_ == nullptr ? bias : bias.sigmoid().mul(kMostBias);
  }

  // Keys have no bias when cosines are compared, whatever their layer says. To take it away again
  // would leave its gradient to rounding; where somebody has put a layer around it or listens to
  // it, that is the way that remains. Another layer in its place, or one that
  // is followed by another, is taken as it is: its keys keep their bias.
  [[nodiscard]] at::Tensor with_keys_unbiased(const at::Tensor& rows) const {
    std::map<std::string, at::Tensor> own;
    for (const auto& [name, tensor] : qkv_->handles()) own[name] = tensor;
    const std::string& kind = qkv_->choice().name();
    if (!own.contains("bias") || kind == "followed") return (*qkv_)(rows);
    const at::Tensor& bias = own.at("bias");
    const int64_t width = bias.size(0) / 3;
    const at::Tensor keys = bias.slice(0, width, 2 * width);
    const at::Tensor none = at::zeros_like(keys);
    const auto around = [&](const at::Tensor& middle, const at::Tensor& outer) {
      return at::cat({outer.slice(0, 0, width), middle, outer.slice(0, 2 * width, 3 * width)});
    };
    if (kind != "linear" || qkv_->is_hooked())
      return (*qkv_)(rows).sub(around(keys, at::zeros_like(bias)));
    return linear_product(kernels(), rows, own.at("weight"), around(none, bias));
  }

  [[nodiscard]] at::Tensor scores(const at::Tensor& queries, const at::Tensor& keys) const {
    if (!options_.cosine) {
      const int64_t values = is_maxvit() ? options_.heads * queries.size(3) : queries.size(3);
      const double scale = 1 / std::sqrt(static_cast<double>(values));
      return at::matmul(queries.mul(scale), keys.transpose(-2, -1));
    }
    const at::Tensor cosines =
        at::matmul(of_length_one(queries), of_length_one(keys).transpose(-2, -1));
    return cosines.mul(logit_scale_.clamp_max(std::log(kMostScale)).exp());
  }

  // `packed` is [windows, places, 3 C], `hidden` [windows of an image, 1, places, places] or
  // undefined.
  [[nodiscard]] at::Tensor attended(const at::Tensor& packed, const at::Tensor& hidden) const {
    const int64_t count = packed.size(0);
    const int64_t places = packed.size(1);
    const int64_t width = packed.size(2) / 3;
    const at::Tensor parts = packed.view({count, places, 3, options_.heads, width / options_.heads})
                                 .permute({2, 0, 3, 1, 4});
    at::Tensor weights = scores(parts[0], parts[1]).add(position_bias());
    if (hidden.defined())
      weights =
          weights.view({count / hidden.size(0), hidden.size(0), options_.heads, places, places})
              .add(hidden)
              .view({count, options_.heads, places, places});
    return at::matmul(at::softmax(weights, -1), parts[2])
        .transpose(1, 2)
        .reshape({count, places, width});
  }

  WindowAttentionOptions options_;
  at::Tensor table_;        // undefined with cosines
  at::Tensor logit_scale_;  // undefined without
  at::Tensor coordinates_;  // undefined without
  at::Tensor index_;
  Layer* qkv_ = nullptr;
  Layer* proj_ = nullptr;
  Layer* cpb_mlp_ = nullptr;  // null without cosines
};

}  // namespace

const Schema<WindowAttentionOptions>& WindowAttentionOptions::schema() {
  using O = WindowAttentionOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::heads, "heads", "Parts the channels are split into, each attending alone.",
                 required(), at_least(1))
          .field(&O::window, "window", "Side of a window.", at_least(2))
          .field(&O::shift, "shift",
                 "Points the windows are moved, so that those of one layer overlap several of the "
                 "layer before.",
                 at_least(0))
          .field(&O::cosine, "cosine",
                 "Compare by cosines, and score distances by a small network: the second version.")
          .field(&O::grid, "grid",
                 "Not neighbours, but points that lie evenly over the whole image, as many as a "
                 "window has, see each other.")
          .field(&O::names, "names",
                 "Whose names, in torchvision, the layers inside have. Those of maxvit divide "
                 "scores by the root of all channels in the place of a head's.",
                 one_of({"swin", "maxvit"}))
          .check("shift must be below window.",
                 [](const O& options) { return options.shift < options.window; })
          .check("a grid is not moved: shift says nothing.",
                 [](const O& options) { return !options.grid || options.shift == 0; })
          .check("cosine is a form of swin's.",
                 [](const O& options) { return !options.cosine || options.names == "swin"; });
  return fields;
}

Choice<Layer> window_attention(WindowAttentionOptions options) {
  return choose<Layer>("window_attention", options);
}

void register_window_attention(Registry<Layer>& layers) {
  layers.add<WindowAttention>("window_attention",
                              "Attention among the points of each window of an image [C, H, W], "
                              "with learned scores for their distances.");
}

}  // namespace hearth::layers
