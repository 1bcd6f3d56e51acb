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

// Whole numbers have the same sum in any order, so that scattering is exact on every device; and so
// have doubles that came as floats of similar sizes.
void BatchCounts::count(const at::Tensor& indices, const at::Tensor& weights) {
  if (!counts_.defined() || counts_.device() != indices.device()) {
    const at::Tensor before = counts_;
    counts_ = at::zeros({places_}, indices.options().dtype(type_));
    if (before.defined()) counts_.add_(before.to(counts_.device()));
  }
  counts_.scatter_add_(0, indices,
                       weights.defined() ? weights : at::ones_like(indices, counts_.options()));
}

int64_t* BatchCounts::places_on_host() {
  if (!counts_.defined() || !counts_.is_cpu()) counts_ = on_host();
  return counts_.data_ptr<int64_t>();
}

void BatchCounts::add(const BatchCounts& other) {
  if (!other.counts_.defined()) return;
  const at::Tensor sum = on_host().add(other.on_host());
  counts_ = sum;
}

at::Tensor BatchCounts::on_host() const {
  return counts_.defined() ? counts_.to(at::kCPU) : at::zeros({places_}, type_);
}

std::vector<double> BatchCounts::totals() const {
  const at::Tensor counts = on_host().to(at::kDouble);
  const auto* first = counts.data_ptr<double>();
  return {first, first + counts.numel()};
}

void BatchCounts::save(State& state, const std::string& name) const {
  state.tensors.emplace_back(name, on_host());
}

void BatchCounts::restore(const State& state, const std::string& name) {
  const at::Tensor& saved = state.tensor(name);
  if (saved.scalar_type() != type_ || saved.dim() != 1 || (places_ > 0 && saved.size(0) != places_))
    throw DataError("the metric's counts '" + name + "' are of other classes than this run's.");
  places_ = saved.size(0);
  counts_ = saved.numel() > 0 ? saved.clone() : at::Tensor();
}

}  // namespace hearth
