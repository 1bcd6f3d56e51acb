// Says in one line how my_component works.
#include "my_component.h"

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/metric/batch_mean.h"
#include "hearth/metric/metric.h"

namespace hearth::metrics {
namespace {

class MyComponent : public Metric {
 public:
  using Options = MyComponentOptions;
  explicit MyComponent(Options options) : options_(std::move(options)) {}

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
    mean_.add(inputs[0].sum(), inputs[0].numel());
  }
  // Two halves merged equal the whole.
  void merge(const Metric& other) override {
    const auto& same = dynamic_cast<const MyComponent&>(other);
    mean_.add(same.mean_);
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

const Schema<MyComponentOptions>& MyComponentOptions::schema() {
  using O = MyComponentOptions;
  // YAML, help, docs, checks and defaults all come from this list.
  static const auto schema =
      Schema<O>()
          .field(&O::in, "in", "The key to read; float32.", not_empty())
          .field(&O::out, "out", "Name the value is reported under.", not_empty());
  return schema;
}

Choice<Metric> my_component(MyComponentOptions options) {
  // C++ writes this where YAML writes the name with its options.
  return choose<Metric>("my_component", options);
}

void register_my_component(Registry<Metric>& registry) {
  // The second text is its line in `hearth list`.
  registry.add<MyComponent>("my_component", "Says in one line what it does.");
}

}  // namespace hearth::metrics
