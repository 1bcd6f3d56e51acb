// Class numbers as vectors with a 1 at the place of the class.
#include "hearth/data/ops/table/one_hot.h"

#include <algorithm>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"

namespace hearth::sample_ops {

namespace {

class OneHot : public SampleOp {
 public:
  using Options = OneHotOptions;
  explicit OneHot(Options options) : options_(std::move(options)) {}

  std::vector<std::string> reads() const override { return options_.keys; }
  bool is_random() const override { return false; }
  std::vector<std::string> writes() const override { return options_.keys; }

  std::vector<Spec> infer(const std::vector<Spec>& inputs) const override {
    std::vector<Spec> made;
    for (size_t k = 0; k < inputs.size(); ++k) made.push_back(spec_of(inputs[k], options_.keys[k]));
    return made;
  }

  void run(Random&, std::span<const View> inputs, std::span<const Cell> outputs) const override {
    for (size_t k = 0; k < inputs.size(); ++k) {
      const auto numbers = inputs[k].as<int64_t>();
      const auto places = outputs[k].as<float>();
      const int64_t classes = inputs[k].spec->classes;
      std::fill(places.begin(), places.end(), 0.0F);
      for (size_t i = 0; i < numbers.size(); ++i) {
        if (numbers[i] < 0 || numbers[i] >= classes)
          throw DataError("key " + quote(options_.keys[k]) + " is class " +
                          std::to_string(numbers[i]) + ", but there are " +
                          std::to_string(classes) + ".");
        places[i * static_cast<size_t>(classes) + static_cast<size_t>(numbers[i])] = 1;
      }
    }
  }

 private:
  // A label stays one: a share for each class.
  [[nodiscard]] static Spec spec_of(const Spec& in, const std::string& key) {
    if (in.dtype != DType::kInt64 || in.classes < 1 || in.is_ragged())
      throw GraphError("one_hot: key " + quote(key) +
                       " must hold class numbers, int64 of a known number of classes, but is " +
                       in.text() + ".");
    Spec spec{.dtype = DType::kFloat32, .shape = in.shape};
    spec.shape.push_back(in.classes);
    if (in.role == Role::kClass) {
      spec.role = Role::kClass;
      spec.classes = in.classes;
      spec.class_names = in.class_names;
    } else if (in.shape.empty()) {
      for (const std::string& name : in.class_names) spec.columns.push_back(key + "=" + name);
    }
    return spec;
  }

  Options options_;
};

}  // namespace

const Schema<OneHotOptions>& OneHotOptions::schema() {
  using O = OneHotOptions;
  static const auto schema = Schema<O>().field(
      &O::keys, "keys",
      "Keys of class numbers or categories; each becomes float32 with a place for each class.",
      not_empty());
  return schema;
}

Choice<SampleOp> one_hot(const OneHotOptions& options) {
  return choose<SampleOp>("one_hot", options);
}

void register_one_hot(Registry<SampleOp>& registry) {
  registry.add<OneHot>("one_hot", "Class numbers as vectors with a 1 at the place of the class.");
}

}  // namespace hearth::sample_ops
