// Changes of a description: what edits and the option `activation` are made of.
#pragma once

#include <cstddef>
#include <string>

#include "hearth/nn/description.h"

namespace hearth {

// Who read `from` reads `to`; the node at `except` stays as it is.
void rewire(Description& description, const std::string& from, const std::string& to,
            size_t except);
// Puts a layer after the node at `index`: who read what that one gives reads what the layer gives.
// GraphError when the node gives several values.
void insert_after(Description& description, size_t index, const std::string& name,
                  const Choice<Layer>& layer);

// Makes a node of its own of every `activation` that is no option of the layer itself, after the
// layer and called "<name>_activation".
void put_activations(Description& description);
// Whether the layer has an `activation` that only a description can take.
[[nodiscard]] bool has_shared_activation(const Choice<Layer>& layer);

}  // namespace hearth
