// What layers ask of their input and surroundings, with errors that name the layer and the way out.
#pragma once

#include <optional>
#include <string>

#include "hearth/nn/layer.h"

namespace hearth {

// GraphError: "net.0 conv2d: needs an image [C, H, W], but the input is float32 [B, 64]. <advice>"
[[noreturn]] void throw_input_error(const BuildContext& context, const std::string& layer,
                                    const std::string& needs, const Spec& input,
                                    const std::string& advice);

// One float32 value or more per sample.
void require_float32(const BuildContext& context, const std::string& layer, const Spec& input);
// The spec of as many float32 values, for layers that change values alone; GraphError when the
// input has others.
[[nodiscard]] Spec float_values_like(const BuildContext& context, const std::string& layer,
                                     const Spec& input);
// The layer that one is put around; GraphError when its option is left out.
[[nodiscard]] Choice<Layer> wrapped_layer(const BuildContext& context, const std::string& layer,
                                          const std::optional<Choice<Layer>>& given);
// float32 [C, H, W].
void require_image(const BuildContext& context, const std::string& layer, const Spec& input);
// float32 [T, D].
void require_sequence(const BuildContext& context, const std::string& layer, const Spec& input);
// One further input, which says for each place of the sequence [T, D] whether something is there:
// [T].
void require_mask(const BuildContext& context, const std::string& layer, const Spec& sequence,
                  std::span<const Spec> further);
// int64 [T].
void require_tokens(const BuildContext& context, const std::string& layer, const Spec& input);
// How many different tokens there are: the option's number, or that of the input's classes;
// GraphError when neither is known.
[[nodiscard]] int64_t require_vocabulary(const BuildContext& context, const std::string& layer,
                                         const std::string& option, const Spec& input,
                                         std::optional<int64_t> value);
// How a layer's options say how many scores come out.
struct WantedClasses {
  std::string layer;
  std::string option;
  std::optional<int64_t> value;
  std::optional<std::string> classes_of = {};  // the target whose classes they are
};
// The option's number, that of the named target, or that of the data when it has one only;
// GraphError with the way out when none is known.
[[nodiscard]] int64_t require_classes(const BuildContext& context, const WantedClasses& wanted);
// Places a window of `kernel` takes along `size` points; GraphError when it does not fit once.
[[nodiscard]] int64_t window_places(const BuildContext& context, const std::string& layer,
                                    const Spec& input, int64_t size, int64_t kernel,
                                    int64_t stride);

}  // namespace hearth
