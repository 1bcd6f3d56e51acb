// A sum that all shards of a batch make together while they compute.
#include "hearth/kernels/normalization/shared_sum.h"

#include <torch/csrc/autograd/custom_function.h>

#include <utility>

#include "hearth/base/error.h"

namespace hearth {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

thread_local SharedSum* place_of_thread = nullptr;

struct SharedSumFunction : torch::autograd::Function<SharedSumFunction> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& own, SharedSum* place) {
    const int64_t number = place->next();
    context->saved_data["number"] = number;
    return place->of(number, own).clone();  // each shard's graph has an output of its own
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    return {shared_gradients(context->saved_data["number"].toInt(), gradients[0]).clone(), {}};
  }
};

}  // namespace

SharedSumScope::SharedSumScope(SharedSum& place)
    : before_(std::exchange(place_of_thread, &place)) {}

SharedSumScope::~SharedSumScope() { place_of_thread = before_; }

SharedSum* shared_sum() { return place_of_thread; }

// Autograd computes in the thread that asks for gradients, which is the shard's.
at::Tensor shared_gradients(int64_t number, const at::Tensor& own) {
  if (place_of_thread == nullptr)
    throw InternalError("gradients of a shard's batch norm are asked for outside its step.");
  return place_of_thread->of(-number, own);
}

at::Tensor summed_over_shards(SharedSum& place, const at::Tensor& own) {
  return SharedSumFunction::apply(own, &place);
}

}  // namespace hearth
