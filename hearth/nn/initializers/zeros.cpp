// Nothing but zeros.
#include "hearth/nn/initializers/zeros.h"

#include "hearth/config/registry.h"
#include "hearth/nn/initializer.h"

namespace hearth::initializers {
namespace {

class Zeros : public Initializer {
 public:
  using Options = ZerosOptions;
  explicit Zeros(const Options&) {}
  void fill(at::Tensor& values, const at::Generator&) const override { values.zero_(); }
};

}  // namespace

const Schema<ZerosOptions>& ZerosOptions::schema() {
  static const auto fields = Schema<ZerosOptions>();
  return fields;
}

Choice<Initializer> zeros(ZerosOptions options) { return choose<Initializer>("zeros", options); }

void register_zeros(Registry<Initializer>& initializers) {
  initializers.add<Zeros>("zeros", "Zeros.");
}

}  // namespace hearth::initializers
