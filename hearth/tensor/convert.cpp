// Between Hearth's specs and LibTorch's tensors.
#include "hearth/tensor/convert.h"

#include <c10/util/Exception.h>

#include <array>

#include "hearth/base/error.h"
#include "hearth/base/text.h"

namespace hearth {
namespace {

constexpr std::array<std::pair<DType, at::ScalarType>, 8> kScalarTypes = {{
    {DType::kBool, at::kBool},
    {DType::kUint8, at::kByte},
    {DType::kInt32, at::kInt},
    {DType::kInt64, at::kLong},
    {DType::kFloat16, at::kHalf},
    {DType::kBFloat16, at::kBFloat16},
    {DType::kFloat32, at::kFloat},
    {DType::kFloat64, at::kDouble},
}};

}  // namespace

at::ScalarType scalar_type(DType dtype) {
  for (const auto& [ours, theirs] : kScalarTypes) {
    if (ours == dtype) return theirs;
  }
  throw InternalError("scalar_type: unknown dtype " + std::to_string(static_cast<int>(dtype)));
}

DType dtype_of(const at::Tensor& tensor) {
  for (const auto& [ours, theirs] : kScalarTypes) {
    if (theirs == tensor.scalar_type()) return ours;
  }
  std::vector<std::string> known;
  for (const auto& [ours, theirs] : kScalarTypes) known.emplace_back(name(ours));
  throw GraphError(std::string("A tensor has the dtype ") + c10::toString(tensor.scalar_type()) +
                   ", which Hearth does not know. Convert it to one of: " + join(known, ", ") +
                   ".");
}

Spec spec_of(const at::Tensor& batch) {
  Spec spec;
  spec.dtype = dtype_of(batch);
  spec.is_per_batch = batch.dim() == 0;
  if (!spec.is_per_batch) spec.shape = batch.sizes().slice(1).vec();
  return spec;
}

std::string describe(const at::Tensor& tensor) {
  if (!tensor.defined()) return "an undefined tensor";
  std::vector<std::string> sizes;
  for (const int64_t size : tensor.sizes()) sizes.push_back(std::to_string(size));
  return std::string(name(dtype_of(tensor))) + " [" + join(sizes, ", ") + "]";
}

std::string what_libtorch_threw() {
  std::string text;
  try {
    throw;
  } catch (const Error&) {
    throw;
  } catch (const c10::Error& error) {
    text = error.what_without_backtrace();
  } catch (const std::exception& error) {
    text = error.what();
  }
  return text.substr(0, text.find('\n'));
}

}  // namespace hearth
