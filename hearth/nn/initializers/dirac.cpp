// A convolution that gives what it gets.
#include "hearth/nn/initializers/dirac.h"

#include <algorithm>

#include "hearth/config/registry.h"
#include "hearth/nn/initializer.h"

namespace hearth::initializers {
namespace {

class Dirac : public Initializer {
 public:
  using Options = DiracOptions;
  explicit Dirac(Options options) : options_(std::move(options)) {}
  [[nodiscard]] std::string misfit(at::IntArrayRef shape) const override {
    if (shape.size() < 3 || shape.size() > 5) return "it fills weights of convolutions";
    return shape[0] % options_.groups == 0 ? "" : "its outputs cannot be split into the groups";
  }
  void fill(at::Tensor& values, const at::Generator&) const override {
    values.zero_();
    const int64_t outputs = values.size(0) / options_.groups;
    const int64_t shared = std::min(outputs, values.size(1));
    for (int64_t group = 0; group < options_.groups; ++group)
      for (int64_t channel = 0; channel < shared; ++channel) {
        at::Tensor window = values[group * outputs + channel][channel];
        while (window.dim() > 0) window = window[window.size(0) / 2];
        window.fill_(1);
      }
  }

 private:
  Options options_;
};

}  // namespace

const Schema<DiracOptions>& DiracOptions::schema() {
  using O = DiracOptions;
  static const auto fields = Schema<O>().field(
      &O::groups, "groups", "Groups of channels that each give what they get.", at_least(1));
  return fields;
}

Choice<Initializer> dirac(DiracOptions options) { return choose<Initializer>("dirac", options); }

void register_dirac(Registry<Initializer>& initializers) {
  initializers.add<Dirac>(
      "dirac", "A convolution that gives what it gets, as many channels as both sides have.");
}

}  // namespace hearth::initializers
