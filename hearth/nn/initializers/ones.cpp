// Nothing but ones.
#include "hearth/nn/initializers/ones.h"

#include "hearth/config/registry.h"
#include "hearth/nn/initializer.h"

namespace hearth::initializers {
namespace {

class Ones : public Initializer {
 public:
  using Options = OnesOptions;
  explicit Ones(const Options&) {}
  void fill(at::Tensor& values, const at::Generator&) const override { values.fill_(1); }
};

}  // namespace

const Schema<OnesOptions>& OnesOptions::schema() {
  static const auto fields = Schema<OnesOptions>();
  return fields;
}

Choice<Initializer> ones(OnesOptions options) { return choose<Initializer>("ones", options); }

void register_ones(Registry<Initializer>& initializers) { initializers.add<Ones>("ones", "Ones."); }

}  // namespace hearth::initializers
