// Facts of this machine and program that the last bits of a result may depend on.
#pragma once

#include <string>
#include <vector>

#include "hearth/core/spec.h"

namespace hearth {

// Versions, instruction sets, threads, BLAS, plugins; flat, name to text or number.
[[nodiscard]] Json machine_facts();
// With how many processes trained a run: the bits of an exchange may depend on that too.
[[nodiscard]] Json machine_facts(int processes);
// "threads: 2 then, 4 now", one a difference.
[[nodiscard]] std::vector<std::string> machine_differences(const Json& before, const Json& now);

// The file LibTorch's BLAS was loaded from, and whether it is one of the fast ones.
struct BlasFacts {
  std::string path;
  bool is_fast = false;
};
[[nodiscard]] BlasFacts blas_facts();

}  // namespace hearth
