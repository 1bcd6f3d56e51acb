// Prints the catalog of all components as JSON; the build keeps it for commands without LibTorch.
#include <iostream>
#include <nlohmann/json.hpp>

#include "hearth/train/live_catalog.h"

int main() {
  std::cout << hearth::live_catalog().to_json().dump() << "\n";
  return std::cout.good() ? 0 : 1;
}
