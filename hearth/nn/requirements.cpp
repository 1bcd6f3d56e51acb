// What layers ask of their input and surroundings.
#include "hearth/nn/requirements.h"

#include "hearth/base/error.h"

namespace hearth {

void throw_input_error(const BuildContext& context, const std::string& layer,
                       const std::string& needs, const Spec& input, const std::string& advice) {
  throw GraphError(context.path + " " + layer + ": needs " + needs + ", but the input is " +
                   input.text() + ". " + advice);
}

void require_float32(const BuildContext& context, const std::string& layer, const Spec& input) {
  if (input.dtype == DType::kFloat32 && !input.is_per_batch) return;
  throw_input_error(context, layer, "float32 values for each sample", input,
                    "Turn the key into float32 in data.ops, for instance with normalize.");
}

void require_image(const BuildContext& context, const std::string& layer, const Spec& input) {
  if (input.shape.size() != 3) {
    throw_input_error(context, layer, "an image [C, H, W]", input,
                      "Put it before flatten, or give the model a key that holds images.");
  }
  require_float32(context, layer, input);
}

void require_sequence(const BuildContext& context, const std::string& layer, const Spec& input) {
  if (input.shape.size() != 2) {
    throw_input_error(context, layer, "a sequence [T, D]", input,
                      "Put it after an embedding, or give the model a key that holds sequences.");
  }
  require_float32(context, layer, input);
}

void require_tokens(const BuildContext& context, const std::string& layer, const Spec& input) {
  if (input.dtype == DType::kInt64 && input.shape.size() == 1 && !input.is_per_batch) return;
  throw_input_error(context, layer, "tokens, int64 [T]", input,
                    "Give the model a key that holds tokens, for instance `input: tokens`.");
}

int64_t require_vocabulary(const BuildContext& context, const std::string& layer,
                           const std::string& option, const Spec& input,
                           std::optional<int64_t> value) {
  if (value) return *value;
  if (input.classes > 0) return input.classes;
  throw GraphError(context.path + " " + layer + ": the number of different tokens is not known, " +
                   "the data does not say it. Set the option " + option + ".");
}

int64_t require_classes(const BuildContext& context, const std::string& layer,
                        const std::string& option, std::optional<int64_t> value) {
  if (value) return *value;
  if (context.classes > 0) return context.classes;
  throw GraphError(context.path + " " + layer + ": the number of classes is not known, the data " +
                   "names none. Set the option " + option + ".");
}

int64_t window_places(const BuildContext& context, const std::string& layer, const Spec& input,
                      int64_t size, int64_t kernel, int64_t stride) {
  if (size >= kernel) return (size - kernel) / stride + 1;
  throw_input_error(context, layer,
                    "at least " + std::to_string(kernel) + " points along a side, padding included",
                    input, "Use a smaller kernel, more padding, or fewer layers that shrink it.");
}

}  // namespace hearth
