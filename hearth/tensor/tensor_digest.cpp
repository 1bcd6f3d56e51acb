// Digests of tensors and states.
#include "hearth/tensor/tensor_digest.h"

#include "hearth/base/fast_digest.h"
#include "hearth/tensor/convert.h"

namespace hearth {
namespace {

void add_tensor(FastDigest& digest, const at::Tensor& tensor) {
  digest.add(describe(tensor));
  const at::Tensor host = tensor.detach().to(at::kCPU).contiguous();
  digest.add({static_cast<const std::byte*>(host.data_ptr()), host.nbytes()});
}

}  // namespace

std::string fast_digest_of(const at::Tensor& tensor) {
  FastDigest digest;
  add_tensor(digest, tensor);
  return digest.hex();
}

std::string fast_digest_of(const State& state,
                           const std::function<bool(const std::string&)>& wants) {
  FastDigest digest;
  for (const auto& [name, tensor] : state.tensors) {
    if (wants && !wants(name)) continue;
    digest.add(name);
    add_tensor(digest, tensor);
  }
  return digest.hex();
}

}  // namespace hearth
