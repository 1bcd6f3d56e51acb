// The mean of their squares.
#include "metrics/open_size.h"

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/metric/batch_mean.h"
#include "hearth/metric/metric.h"

namespace hearth::metrics {
namespace {

class OpenSize : public Metric {
 public:
  using Options = OpenSizeOptions;
  explicit OpenSize(Options options) : options_(std::move(options)) {}

  std::vector<std::string> reads() const override { return {options_.in}; }
  std::string name() const override { return options_.out; }
  bool is_better_when_higher() const override { return true; }
  void check(const std::vector<Spec>& inputs) override {
    if (inputs.at(0).dtype == DType::kFloat32) return;
    throw GraphError("key " + quote(options_.in) + " must be float32, but is " + inputs[0].text() +
                     ".");
  }

  void reset() override { mean_ = {}; }
  // On whatever device the batch is: only `measured` brings a number to the host.
  void update(std::span<const at::Tensor> inputs, const Moment&) override {
    mean_.add(inputs[0].square().sum(), inputs[0].numel());
  }
  // Two halves merged equal the whole.
  void merge(const Metric& other) override {
    mean_.add(dynamic_cast<const OpenSize&>(other).mean_);
  }
  // One number; `Measured` holds several and a table too. Not a number when nothing was gathered.
  Measured measured() const override { return mean_.value(); }

  State state() const override { return mean_.state(); }
  void restore(const State& state) override { mean_.restore(state); }

 private:
  Options options_;
  BatchMean mean_;
};

}  // namespace

const Schema<OpenSizeOptions>& OpenSizeOptions::schema() {
  using O = OpenSizeOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::in, "in", "The key to read; float32.", not_empty())
          .field(&O::out, "out", "Name the value is reported under.", not_empty());
  return schema;
}

Choice<Metric> open_size(OpenSizeOptions options) { return choose<Metric>("open_size", options); }

void register_open_size(Registry<Metric>& registry) {
  registry.add<OpenSize>("open_size", "The mean of squares.");
}

}  // namespace hearth::metrics
