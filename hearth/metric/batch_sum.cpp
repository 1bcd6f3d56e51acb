// Sums over batches, kept where the batches are.
#include "hearth/metric/batch_sum.h"

#include <ATen/ops/ones_like.h>
#include <ATen/ops/scalar_tensor.h>
#include <ATen/ops/zeros.h>
#include <c10/core/ScalarType.h>

#include "hearth/base/error.h"

namespace hearth {
namespace {

template <class Number>
constexpr at::ScalarType kSumType = c10::CppTypeToScalarType<Number>::value;

}  // namespace

template <class Number>
void BatchSum<Number>::add(const at::Tensor& number, Number factor) {
  if (number.is_cpu()) {
    *this = BatchSum(total() + number.item<Number>() * factor);
    return;
  }
  const at::Tensor addend = number.to(kSumType<Number>).mul(factor);
  device_ = device_.defined() ? device_.add(addend) : addend.add(host_);
}

template <class Number>
void BatchSum<Number>::scale(Number factor) {
  if (device_.defined()) device_ = device_.mul(factor);
  host_ *= factor;
}

template <class Number>
Number BatchSum<Number>::total() const {
  return device_.defined() ? device_.item<Number>() : host_;
}

template <class Number>
void BatchSum<Number>::save(State& state, const std::string& name) const {
  state.tensors.emplace_back(name, at::scalar_tensor(total(), kSumType<Number>));
}

template <class Number>
void BatchSum<Number>::restore(const State& state, const std::string& name) {
  const at::Tensor& saved = state.tensor(name);
  if (saved.numel() != 1 || saved.scalar_type() != kSumType<Number>)
    throw DataError("the metric's sum '" + name + "' is not one number of its kind.");
  *this = BatchSum(saved.item<Number>());
}

template class BatchSum<double>;
template class BatchSum<int64_t>;

// Whole numbers have the same sum in any order, so that scattering is exact on every device.
void BatchCounts::count(const at::Tensor& indices) {
  if (!counts_.defined() || counts_.device() != indices.device()) {
    const at::Tensor before = counts_;
    counts_ = at::zeros({places_}, indices.options());
    if (before.defined()) counts_.add_(before.to(counts_.device()));
  }
  counts_.scatter_add_(0, indices, at::ones_like(indices));
}

void BatchCounts::add(const BatchCounts& other) {
  if (!other.counts_.defined()) return;
  const at::Tensor sum = total().add(other.total());
  counts_ = sum;
}

at::Tensor BatchCounts::total() const {
  return counts_.defined() ? counts_.to(at::kCPU) : at::zeros({places_}, at::kLong);
}

void BatchCounts::save(State& state, const std::string& name) const {
  state.tensors.emplace_back(name, total());
}

void BatchCounts::restore(const State& state, const std::string& name) {
  const at::Tensor& saved = state.tensor(name);
  if (saved.scalar_type() != at::kLong || saved.dim() != 1 ||
      (places_ > 0 && saved.size(0) != places_))
    throw DataError("the metric's counts '" + name + "' are of other classes than this run's.");
  places_ = saved.size(0);
  counts_ = saved.numel() > 0 ? saved.clone() : at::Tensor();
}

}  // namespace hearth
