// The operator behind `item()`, which LibTorch leaves out on its `meta` device.
#include "tests/conformance/invented_reads.h"

#include <ATen/core/Tensor.h>
#include <torch/library.h>

#include <optional>
#include <random>

namespace hearth {
namespace {

struct Invented {
  std::minstd_rand numbers = {};
  int64_t count = 0;
};

std::optional<Invented>& invented() {
  static thread_local std::optional<Invented> now;
  return now;
}

// From -1 to 1, never 0.
at::Scalar invented_number(const at::Tensor&) {
  TORCH_CHECK_NOT_IMPLEMENTED(invented(), "a tensor on the meta device has no value to read");
  ++invented()->count;
  const double share = static_cast<double>(invented()->numbers()) / std::minstd_rand::max();
  return share < 0.5 ? share - 1 : share;
}

TORCH_LIBRARY_IMPL(aten, Meta, reads) { reads.impl("_local_scalar_dense", invented_number); }

}  // namespace

InventedReads::InventedReads() { invented().emplace(); }
InventedReads::~InventedReads() { invented().reset(); }
int64_t InventedReads::count() { return invented()->count; }

}  // namespace hearth
