// What ops have in common that change the values of an image where they lie: one key, of the same
// spec before and after, and a probability. Masks, boxes and points are not theirs.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "hearth/config/schema.h"
#include "hearth/data/sample_op.h"

namespace hearth {

// What an op asks of the image and of its random numbers.
struct PixelNeeds {
  bool takes_floats = false;     // float32 too, not only bytes
  bool takes_any_white = false;  // bytes whose white is another value than 255 too
  bool takes_any_colors = true;  // other than 1 or 3 channels too
  bool draws_nothing = false;    // changes equal images alike, whatever their random numbers
};

// GraphError that says what `key` is and what it should be.
void check_pixels(const Spec& spec, const std::string& op, const std::string& key,
                  const PixelNeeds& needs);
// GraphError unless there is one value, or one for each channel, each of them fit for the dtype.
void check_fill(const std::vector<double>& fill, const Spec& spec, const std::string& op,
                const std::string& key);

// The output, holding the input's values.
[[nodiscard]] View changed_in_place(const View& input, const Cell& output);

// An op is a class of this with `change`, in some forty lines. Its options have `key` and
// `probability`; if they have a `fill`, it is checked against the image.
template <class OptionsOfOp>
class PixelOp : public SampleOp {
 public:
  using Options = OptionsOfOp;

  std::vector<std::string> reads() const final { return {options_.key}; }
  std::vector<std::string> writes() const final { return {options_.key}; }
  bool is_in_place() const final { return true; }
  bool is_random() const final {
    return !needs_.draws_nothing || (options_.probability > 0 && options_.probability < 1);
  }

  std::vector<Spec> infer(const std::vector<Spec>& inputs) const final {
    check_pixels(inputs.at(0), name_, options_.key, needs_);
    if constexpr (requires { options_.fill; })
      check_fill(options_.fill, inputs[0], name_, options_.key);
    return {inputs[0]};
  }

  void run(Random& random, std::span<const View> inputs,
           std::span<const Cell> outputs) const final {
    const View image = changed_in_place(inputs[0], outputs[0]);
    if (options_.probability >= 1 || random.uniform() < options_.probability) change(random, image);
  }

 protected:
  PixelOp(std::string name, Options options, PixelNeeds needs = {})
      : options_(std::move(options)), name_(std::move(name)), needs_(needs) {}

  virtual void change(Random& random, const View& image) const = 0;

  Options options_;

 private:
  std::string name_;
  PixelNeeds needs_;
};

// The fields that all of them have, first in the list.
template <class O>
[[nodiscard]] Schema<O> pixel_schema(std::string key_help = "The image of bytes to change.") {
  return Schema<O>()
      .field(&O::key, "key", std::move(key_help), not_empty())
      .field(&O::probability, "probability", "The share of samples that are changed.", at_least(0),
             at_most(1));
}

// The same for augmentation policies, which fill what comes into view of one or three channels.
template <class O>
[[nodiscard]] Schema<O> policy_schema() {
  return pixel_schema<O>()
      .field(&O::fill, "fill",
             "What comes into view when pixels move: one number, or one for each channel.",
             not_empty(), at_least(0), at_most(255))
      .check("'fill' must hold one number, or three.",
             [](const O& options) { return options.fill.size() == 1 || options.fill.size() == 3; });
}

}  // namespace hearth
