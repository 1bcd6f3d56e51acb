// CIFAR-100 from its binary files.
#pragma once

#include <string>

#include "hearth/config/choice.h"
#include "hearth/data/source.h"

namespace hearth::sources {

struct Cifar100Options {
  std::string folder = {};  // must be given
  std::string split = "train";
  static const Schema<Cifar100Options>& schema();
};

[[nodiscard]] Choice<Source> cifar100(Cifar100Options options = {});

}  // namespace hearth::sources
