// What layers ask of their input and surroundings.
#include "hearth/nn/requirements.h"

#include "hearth/base/error.h"
#include "hearth/base/text.h"

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

Spec float_values_like(const BuildContext& context, const std::string& layer, const Spec& input) {
  require_float32(context, layer, input);
  Spec output;
  output.shape = input.shape;
  return output;
}

Choice<Layer> wrapped_layer(const BuildContext& context, const std::string& layer,
                            const std::optional<Choice<Layer>>& given) {
  if (given) return *given;
  throw GraphError(context.path + " " + layer +
                   ": needs `layer`, what it is put around. The technique of its name, or an edit "
                   "`wrap`, says it.");
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

void require_mask(const BuildContext& context, const std::string& layer, const Spec& sequence,
                  std::span<const Spec> further) {
  const Spec& mask = further.front();
  if (further.size() == 1 && !mask.is_per_batch && mask.shape.size() == 1 &&
      mask.shape[0] == sequence.shape[0])
    return;
  throw GraphError(context.path + " " + layer + ": takes a sequence and at most a mask for its " +
                   std::to_string(sequence.shape[0]) + " places, [T], but the second input is " +
                   mask.text() + (further.size() > 1 ? " and there are more" : "") +
                   ". Name the key that says where the sequence has something.");
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

int64_t require_classes(const BuildContext& context, const WantedClasses& wanted) {
  if (wanted.value) return *wanted.value;
  const std::string label = context.path + " " + wanted.layer + ": ";
  std::vector<std::string> names;
  std::vector<std::string> counted;
  for (const auto& [name, classes] : context.targets) {
    names.push_back(name);
    counted.push_back(name + " (" + std::to_string(classes) + ")");
  }
  if (wanted.classes_of) {
    const auto found = context.targets.find(*wanted.classes_of);
    if (found != context.targets.end()) return found->second;
    throw GraphError(label + "classes_of names " + quote(*wanted.classes_of) +
                     ", but the data has no such key with classes." +
                     did_you_mean(*wanted.classes_of, names));
  }
  if (context.classes > 0) return context.classes;
  if (counted.size() > 1)
    throw GraphError(
        label + "the data's targets have different numbers of classes: " + join(counted, ", ") +
        ". Say which one it predicts, classes_of: " + names.front() + ", or set the option " +
        wanted.option + ".");
  throw GraphError(label +
                   "the number of classes is not known, the data names none. Set the option " +
                   wanted.option + ".");
}

int64_t window_places(const BuildContext& context, const std::string& layer, const Spec& input,
                      int64_t size, int64_t kernel, int64_t stride) {
  if (size >= kernel) return (size - kernel) / stride + 1;
  throw_input_error(context, layer,
                    "at least " + std::to_string(kernel) + " points along a side, padding included",
                    input, "Use a smaller kernel, more padding, or fewer layers that shrink it.");
}

}  // namespace hearth
