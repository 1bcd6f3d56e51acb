// CIFAR-10 from its binary files.
#pragma once

#include <string>

#include "hearth/config/choice.h"
#include "hearth/data/source.h"

namespace hearth::sources {

struct Cifar10Options {
  std::string folder = {};  // must be given
  std::string split = "train";
  static const Schema<Cifar10Options>& schema();
};

[[nodiscard]] Choice<Source> cifar10(Cifar10Options options = {});

}  // namespace hearth::sources
