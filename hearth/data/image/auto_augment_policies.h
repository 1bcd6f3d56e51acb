// What AutoAugment learned on ImageNet, CIFAR-10 and SVHN (Cubuk et al., 2019): pairs of changes,
// one of which is drawn for each image.
#pragma once

#include <span>
#include <string_view>

#include "hearth/data/image/augment.h"

namespace hearth::pixels {

struct PolicyStep {
  Change change = Change::kIdentity;
  double probability = 0;
  int64_t bin = 0;  // of ten
};

struct PolicyPair {
  PolicyStep first;
  PolicyStep second;
};

// Of "imagenet", "cifar10" or "svhn".
[[nodiscard]] std::span<const PolicyPair> auto_augment_policy(std::string_view name);

}  // namespace hearth::pixels
