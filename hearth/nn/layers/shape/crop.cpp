// A part of an image or a sequence.
#include "hearth/nn/layers/shape/crop.h"

#include "hearth/base/error.h"
#include "hearth/config/registry.h"
#include "hearth/nn/edges.h"
#include "hearth/nn/requirements.h"

namespace hearth::layers {
namespace {

class Crop : public Layer {
 public:
  using Options = CropOptions;
  explicit Crop(CropOptions options) : options_(std::move(options)) {}

 protected:
  std::vector<Spec> prepare(std::span<const Spec> inputs, const BuildContext& context) override {
    const Spec& input = inputs.front();
    require_one_way(inputs, context);
    Spec output;
    output.dtype = input.dtype;
    output.shape = input.shape;
    if (!options_.margins.empty())
      (void)require_edges(context, "crop", input, options_.margins);
    else
      require_sizes(context, input, wanted_sizes(inputs.back().shape, inputs.size() == 2));
    const std::vector<Edges> cuts = cuts_of(input.shape, inputs.back().shape, inputs.size() == 2);
    for (size_t i = 0; i < cuts.size(); ++i) {
      int64_t& length = output.shape[output.shape.size() - 1 - i];
      if (length == kAnyLength) continue;
      length -= cuts[i].before + cuts[i].after;
      if (length < 1)
        throw_input_error(context, "crop", "more points than are cut off", input,
                          "Use smaller margins.");
    }
    return {output};
  }

  void forward(std::span<const at::Tensor> inputs, std::span<at::Tensor> outputs) override {
    const std::vector<Edges> cuts =
        cuts_of(inputs.front().sizes().slice(1).vec(), inputs.back().sizes().slice(1).vec(),
                inputs.size() == 2);
    at::Tensor value = inputs.front();
    for (size_t i = 0; i < cuts.size(); ++i) {
      const int64_t dim = value.dim() - 1 - static_cast<int64_t>(i);
      value = value.narrow(dim, cuts[i].before, value.size(dim) - cuts[i].before - cuts[i].after);
    }
    outputs[0] = value;
  }

 private:
  [[nodiscard]] std::vector<Edges> cuts_of(const std::vector<int64_t>& shape,
                                           const std::vector<int64_t>& model, bool is_other) const {
    if (!options_.margins.empty()) return edges_of(options_.margins, shape.size());
    return middle(shape, wanted_sizes(model, is_other));
  }

  // The lengths of the last dimensions; those of another value leave its channels out.
  [[nodiscard]] std::vector<int64_t> wanted_sizes(const std::vector<int64_t>& model,
                                                  bool is_other) const {
    if (is_other) return {model.begin() + 1, model.end()};
    if (options_.size.size() == 1 && model.size() == 3) return {options_.size[0], options_.size[0]};
    return options_.size;
  }

  // What is cut off around the middle; the half before it is the smaller one.
  [[nodiscard]] static std::vector<Edges> middle(const std::vector<int64_t>& shape,
                                                 const std::vector<int64_t>& sizes) {
    std::vector<Edges> cuts;
    for (size_t i = 0; i < sizes.size(); ++i) {
      const int64_t rest = shape[shape.size() - 1 - i] - sizes[sizes.size() - 1 - i];
      cuts.push_back({rest / 2, rest - rest / 2});
    }
    return cuts;
  }

  void require_one_way(std::span<const Spec> inputs, const BuildContext& context) const {
    const size_t ways = (inputs.size() == 2 ? 1U : 0U) + (options_.size.empty() ? 0U : 1U) +
                        (options_.margins.empty() ? 0U : 1U);
    if (ways == 1 && inputs.size() <= 2 && !inputs.front().is_per_batch) return;
    throw GraphError(context.path +
                     " crop: needs one of `margins`, `size` and a second input whose size it gets, "
                     "but " +
                     std::to_string(ways) + " of them are given.");
  }

  static void require_sizes(const BuildContext& context, const Spec& input,
                            const std::vector<int64_t>& sizes) {
    bool fits = sizes.size() <= input.shape.size();
    for (size_t i = 0; fits && i < sizes.size(); ++i)
      fits = sizes[sizes.size() - 1 - i] <= input.shape[input.shape.size() - 1 - i];
    if (!fits || input.is_ragged())
      throw_input_error(context, "crop", "at least as many points as are left", input,
                        "Use a smaller size, or pad before it.");
  }

  CropOptions options_;
};

}  // namespace

const Schema<CropOptions>& CropOptions::schema() {
  using O = CropOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::margins, "margins",
                 "How many values are cut off: [left, right, top, bottom] for images, [before, "
                 "after] for the last dimension alone, or one number for all sides.",
                 at_least(0))
          .field(&O::size, "size",
                 "Height and width that are left of the middle, or one number for both.",
                 at_least(1));
  return fields;
}

Choice<Layer> crop(CropOptions options) { return choose<Layer>("crop", options); }

void register_crop(Registry<Layer>& layers) {
  layers.add<Crop>("crop",
                   "A part: without margins, the middle in a given size, or in that of a second "
                   "input.");
}

}  // namespace hearth::layers
