// The two halves that autoencoders have in common.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hearth/core/spec.h"
#include "hearth/nn/build_context.h"
#include "hearth/nn/description.h"

namespace hearth {

// Options of every autoencoder, by the names they have in every options struct.
struct AutoencoderParts {
  std::vector<int64_t> channels;
  std::vector<int64_t> hidden;

  // Adds them to a field list.
  template <class Options>
  [[nodiscard]] static Schema<Options> fields() {
    return Schema<Options>()
        .field(&Options::channels, "channels",
               "Channels of convolutions that each halve the image's sides; the decoder has the "
               "same in reverse. An empty list for none.",
               at_least(1))
        .field(&Options::hidden, "hidden",
               "Sizes of linear layers between the convolutions and the code; an empty list for "
               "none.",
               at_least(1))
        .field(&Options::code, "code", "Numbers that a sample becomes.", at_least(1));
  }
};

// Images or rows of numbers to features [F]. GraphError when sides cannot be halved that often.
[[nodiscard]] Choice<Layer> encoder_of(const std::string& layer, const AutoencoderParts& parts,
                                       const Spec& input, const BuildContext& context);
// A code back to the shape of the input, without a last activation.
[[nodiscard]] Choice<Layer> decoder_of(const AutoencoderParts& parts, const Spec& input);

}  // namespace hearth
