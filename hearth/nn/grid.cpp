// Channels of values on a grid.
#include "hearth/nn/grid.h"

#include "hearth/nn/requirements.h"

namespace hearth {

std::string grid_text(size_t dimensions) {
  if (dimensions == 1) return "[C, L]";
  return dimensions == 2 ? "[C, H, W]" : "[C, D, H, W]";
}

void require_grid(const BuildContext& context, const std::string& layer, const Spec& input,
                  size_t dimensions) {
  if (dimensions == 2) return require_image(context, layer, input);
  if (input.shape.size() != dimensions + 1) {
    throw_input_error(context, layer,
                      (dimensions == 1 ? "channels along a line " : "channels of a volume ") +
                          grid_text(dimensions),
                      input,
                      dimensions == 1
                          ? "A sequence [T, D] becomes [D, T] with permute: {dims: [1, 0]}."
                          : "Put it before flatten, or give the model a key that holds volumes.");
  }
  require_float32(context, layer, input);
}

void require_channels(const BuildContext& context, const std::string& layer, const Spec& input,
                      size_t least) {
  if (input.shape.size() < least + 1) {
    throw_input_error(context, layer, least == 0 ? "channels [C]" : "channels of points [C, ...]",
                      input, "Put it before flatten.");
  }
  require_float32(context, layer, input);
}

std::string name_by_dimensions(const std::string& name, size_t dimensions) {
  return name + std::to_string(dimensions) + "d";
}

}  // namespace hearth
