// Bromley et al., Signature Verification using a Siamese Time Delay Neural Network: one network for
// several inputs, which share its weights.
#include "hearth/nn/architectures/siamese.h"

#include "hearth/config/registry.h"
#include "hearth/nn/layer.h"
#include "hearth/nn/layers/composition/use.h"

namespace hearth::layers {
namespace {

class Siamese : public Layer {
 public:
  using Options = SiameseOptions;
  explicit Siamese(SiameseOptions options) : options_(std::move(options)) {}

 protected:
  Description describe(std::span<const Spec> inputs, const BuildContext&) override {
    std::vector<std::string> taken;
    std::vector<std::string> given;
    std::vector<Choice<Layer>> nodes;
    for (size_t i = 0; i < inputs.size(); ++i) {
      const std::string number = std::to_string(i);
      taken.push_back("input" + number);
      given.push_back("point" + number);
      nodes.push_back(i == 0 ? wired(*options_.tower, {taken[i]}, {given[i]}, "tower")
                             : wired(use({"tower"}), {taken[i]}, {given[i]}, "tower" + number));
    }
    return described(taken, nodes, given);
  }

 private:
  SiameseOptions options_;
};

}  // namespace

const Schema<SiameseOptions>& SiameseOptions::schema() {
  using O = SiameseOptions;
  static const auto fields = Schema<O>().field(
      &O::tower, "tower", "The network that every input goes through.", required());
  return fields;
}

Choice<Layer> siamese(SiameseOptions options) { return choose<Layer>("siamese", options); }

void register_siamese(Registry<Layer>& layers) {
  layers.add<Siamese>("siamese",
                      "One network for several inputs of one shape: as many values come out as go "
                      "in. triplet_loss and contrastive_loss compare them.");
}

}  // namespace hearth::layers
