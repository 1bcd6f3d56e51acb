// What weights were trained with, kept in the same file as they: the config and the specs of the
// data. A config.yaml or specs.json that does not belong to the weights is noticed by it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hearth/config/differences.h"
#include "hearth/config/node.h"
#include "hearth/core/spec.h"
#include "hearth/tensor/state.h"
#include "hearth/train/run_folder.h"

namespace hearth {

struct RunOrigin {
  Node config;  // as config.yaml has it
  std::vector<KeySpec> specs;

  // As a file of tensors says; nothing when it does not. DataError when it is damaged.
  [[nodiscard]] static std::optional<RunOrigin> of(const State& state);
  // Puts it beside the tensors, where the file's digest covers it.
  void add_to(State& state) const;
  [[nodiscard]] std::string digest() const;
};

[[nodiscard]] std::vector<std::string> origin_differences(const RunOrigin& before,
                                                          const RunOrigin& now);

// What in the folder's files is not as the weights in `saved` were trained with, unless the run's
// history says that Hearth was asked to change it.
[[nodiscard]] std::vector<std::string> unexpected_changes(const RunFolder& folder,
                                                          const State& saved);
// ConfigError with them all, and what to do.
[[noreturn]] void refuse_changes(const RunFolder& folder, const std::vector<std::string>& changes);

}  // namespace hearth
