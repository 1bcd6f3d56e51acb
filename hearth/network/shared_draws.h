// LibTorch's generator, from which nothing may draw that replicas share.
#pragma once

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Context.h>

#include "hearth/base/error.h"

namespace hearth {

[[nodiscard]] inline at::CPUGeneratorImpl& shared_generator() {
  return *at::check_generator<at::CPUGeneratorImpl>(at::globalContext().defaultGenerator(at::kCPU));
}

// Whether random numbers were drawn from LibTorch's generator while it lived.
class SharedDraws {
 public:
  SharedDraws() : before_(shared_generator().engine().data()) {}
  [[nodiscard]] bool happened() const {
    const at::mt19937_data_pod now = shared_generator().engine().data();
    return now.next_ != before_.next_ || now.left_ != before_.left_ || now.state_ != before_.state_;
  }
  // GraphError if they were.
  void refuse() const {
    if (!happened()) return;
    throw GraphError(
        "replicas: a layer or an op drew from LibTorch's generator, which all replicas share, so "
        "that results would differ from run to run. Let it draw from random_generator() of "
        "hearth/kernels/random_stream.h, or use replicas: 1.");
  }

 private:
  at::mt19937_data_pod before_;
};

}  // namespace hearth
