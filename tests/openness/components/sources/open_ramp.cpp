// Every value of a picture is its place times its class.
#include "sources/open_ramp.h"

#include "hearth/config/registry.h"

namespace hearth::sources {
namespace {

class OpenRamp : public Source {
 public:
  using Options = OpenRampOptions;
  explicit OpenRamp(Options options) : options_(options) {}

  std::vector<KeySpec> keys() const override {
    return {{"image", {.shape = {1, kSide, kSide}}},
            {"label", {.dtype = DType::kInt64, .classes = kClasses, .role = Role::kClass}}};
  }
  int64_t size() const override { return options_.size; }

  // A cell is not wanted when nobody needs its key. Many threads call this at once.
  void read(int64_t index, std::span<const Cell> cells) const override {
    const int64_t label = index % kClasses;
    if (cells[0].is_wanted())
      for (int64_t i = 0; float& value : cells[0].as<float>())
        value = static_cast<float>(label * i++) / 16;
    if (cells[1].is_wanted()) cells[1].set(label);
  }

  std::string fingerprint() const override {
    // Must change when the data changes.
    return "open_ramp:" + std::to_string(options_.size);
  }
  std::string describe(int64_t index) const override {
    // How an error message names this sample.
    return "open_ramp[" + std::to_string(index) + "]";
  }

 private:
  static constexpr int64_t kClasses = 3;
  static constexpr int64_t kSide = 4;
  Options options_;
};

}  // namespace

const Schema<OpenRampOptions>& OpenRampOptions::schema() {
  using O = OpenRampOptions;
  static const auto schema =
      Schema<O>().field(&O::size, "size", "How many samples there are.", at_least(1));
  return schema;
}

Choice<Source> open_ramp(OpenRampOptions options) { return choose<Source>("open_ramp", options); }

void register_open_ramp(Registry<Source>& registry) {
  registry.add<OpenRamp>("open_ramp", "Ramps of three slopes.");
}

}  // namespace hearth::sources
