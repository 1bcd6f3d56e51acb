// Who is told, while a backward pass runs, that a parameter has all of its gradient.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <ATen/core/Tensor.h>

namespace torch::autograd {
struct Node;
}

namespace hearth {

// While it lives; parameters that the graph does not reach have none. Calls found(i) on the thread
// of the backward pass, which must not throw.
class GradientHooks {
 public:
  GradientHooks(std::span<const at::Tensor> parameters, const std::function<void(size_t)>& found);
  ~GradientHooks();
  GradientHooks(const GradientHooks&) = delete;
  GradientHooks& operator=(const GradientHooks&) = delete;

 private:
  std::vector<std::pair<std::shared_ptr<torch::autograd::Node>, uintptr_t>> hooks_;
};

}  // namespace hearth
