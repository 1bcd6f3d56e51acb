// A plugin as a user writes it: one trace of their own, registered when the library is loaded.
#include "hearth/config/registry.h"
#include "hearth/train/trace.h"

namespace {

struct HaltOptions {
  int64_t epoch = 1;
  static const hearth::Schema<HaltOptions>& schema() {
    static const auto fields = hearth::Schema<HaltOptions>().field(
        &HaltOptions::epoch, "epoch", "Epochs after which training ends.", hearth::at_least(1));
    return fields;
  }
};

class Halt : public hearth::Trace {
 public:
  using Options = HaltOptions;
  explicit Halt(HaltOptions options) : options_(options) {}
  void hear(const hearth::Happening&, hearth::RunControl& run) override {
    if (run.moment().epoch + 1 >= options_.epoch) run.request_stop("the plugin said so.");
  }

 private:
  Options options_;
};

}  // namespace

extern "C" void hearth_register() {
  hearth::registry<hearth::Trace>().add<Halt>("halt", "Ends training after some epochs.");
}
