// Lets samples count nothing whose value is not within bounds. They are not taken out: every other
// sample keeps its batch, whatever is filtered.
#include "hearth/data/ops/filter.h"

#include <algorithm>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"

namespace hearth::sample_ops {

namespace {

class Filter : public SampleOp {
 public:
  using Options = FilterOptions;
  explicit Filter(Options options) : options_(std::move(options)) {}

  std::vector<std::string> reads() const override { return {options_.key}; }
  std::vector<std::string> writes() const override { return {options_.key}; }
  bool is_in_place() const override { return true; }
  bool is_random() const override { return false; }

  std::vector<Spec> infer(const std::vector<Spec>& inputs) const override {
    if (!options_.least && !options_.most && options_.only.empty() && options_.without.empty())
      throw GraphError("filter: needs to know what to keep. Give least, most, only or without.");
    const Spec& spec = inputs.at(0);
    const bool is_number = spec.shape.empty() && is_read(spec.dtype);
    if (!is_number && spec.shape.size() != 1)
      throw GraphError("filter: key " + quote(options_.key) +
                       " must hold one number for a sample, or a row of values whose length "
                       "counts, but is " +
                       spec.text() + ".");
    return {spec};
  }

  void run(Random&, std::span<const View> inputs, std::span<const Cell>) const override {
    if (!is_kept(number_of(inputs[0]))) throw FilteredSample();
  }

 private:
  static bool is_read(DType dtype) { return dtype != DType::kFloat16 && dtype != DType::kBFloat16; }

  // Of a row of values, their count.
  static double number_of(const View& value) {
    if (!value.shape.empty()) return static_cast<double>(value.shape[0]);
    switch (value.spec->dtype) {
      case DType::kInt32:
        return value.as<int32_t>()[0];
      case DType::kInt64:
        return static_cast<double>(value.as<int64_t>()[0]);
      case DType::kFloat32:
        return static_cast<double>(value.as<float>()[0]);
      case DType::kFloat64:
        return value.as<double>()[0];
      default:
        return static_cast<double>(value.as<uint8_t>()[0]);
    }
  }

  // What is no number is within no bounds.
  [[nodiscard]] bool is_kept(double number) const {
    const auto is_in = [&](const std::vector<double>& numbers) {
      return std::find(numbers.begin(), numbers.end(), number) != numbers.end();
    };
    if (options_.least && !(number >= *options_.least)) return false;
    if (options_.most && !(number <= *options_.most)) return false;
    return (options_.only.empty() || is_in(options_.only)) && !is_in(options_.without);
  }

  Options options_;
};

}  // namespace

const Schema<FilterOptions>& FilterOptions::schema() {
  using O = FilterOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::key, "key",
                 "Key of one number, such as a class; or of a row of values, whose length counts.",
                 not_empty())
          .field(&O::least, "least", "The least number that is kept; none by default.")
          .field(&O::most, "most", "The largest number that is kept; none by default.")
          .field(&O::only, "only", "Numbers that are kept; all by default.")
          .field(&O::without, "without", "Numbers that are not kept.");
  return schema;
}

Choice<SampleOp> filter(FilterOptions options) { return choose<SampleOp>("filter", options); }

void register_filter(Registry<SampleOp>& registry) {
  registry.add<Filter>("filter",
                       "Lets samples count nothing whose number is not within bounds; batches stay "
                       "as they are otherwise.");
}

}  // namespace hearth::sample_ops
