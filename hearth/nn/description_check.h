// What can be wrong with a description before any layer of it is built.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "hearth/core/graph.h"
#include "hearth/core/spec.h"
#include "hearth/nn/description.h"

namespace hearth {

// GraphError with a line for each, at the place of the first.
[[noreturn]] void throw_faults(const std::vector<PlanFault>& faults);

// GraphError with every fault, each at its node's place: names given twice, layers that are used
// but not there, cycles, nodes that nobody needs. `path` is that of the described layer, `mark` its
// place.
void check_description(const Description& description, const std::string& path, const Mark& mark);

// GraphError that says what the layer takes, or what the node gives.
void check_input_count(const Description& description, std::span<const Spec> inputs,
                       const std::string& path);
void check_output_count(const LayerNode& node, const std::vector<Spec>& outputs,
                        const std::string& path);

}  // namespace hearth
