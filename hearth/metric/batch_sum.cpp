// A sum of one number per batch, kept where the batches are.
#include "hearth/metric/batch_sum.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include <c10/core/ScalarType.h>

namespace hearth {

template <class Number>
void BatchSum<Number>::add(const at::Tensor& number, Number factor) {
  if (number.is_cpu()) {
    *this = BatchSum(total() + number.item<Number>() * factor);
    return;
  }
  const at::Tensor addend = number.to(c10::CppTypeToScalarType<Number>::value).mul(factor);
  device_ = device_.defined() ? device_.add(addend) : addend.add(host_);
}

template <class Number>
Number BatchSum<Number>::total() const {
  return device_.defined() ? device_.item<Number>() : host_;
}

// Infinity and NaN, which a diverging loss becomes, go as text.
template <class Number>
Json BatchSum<Number>::state() const {
  const Number sum = total();
  return std::isfinite(static_cast<double>(sum)) ? Json(sum) : Json(std::to_string(sum));
}

template <class Number>
void BatchSum<Number>::restore(const Json& state) {
  *this = BatchSum(state.is_string() ? static_cast<Number>(std::stod(state.get<std::string>()))
                                     : state.get<Number>());
}

template class BatchSum<double>;
template class BatchSum<int64_t>;

}  // namespace hearth
