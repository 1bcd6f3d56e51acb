// Precompiled for the parts on LibTorch: tensors, not torch/torch.h.
#pragma once
#include <ATen/core/Tensor.h>
#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>
