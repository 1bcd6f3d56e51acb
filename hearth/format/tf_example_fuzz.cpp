// Fuzzes tf.Example, and with it protobuf's wire format.
#include <vector>

#include "hearth/base/error.h"
#include "hearth/format/tf_example.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using hearth::TfFeature;
  try {
    hearth::for_each_feature({reinterpret_cast<const char*>(data), size}, "fuzz",
                             [](std::string_view, const TfFeature& feature) {
                               std::vector<float> floats(static_cast<size_t>(feature.count));
                               std::vector<int64_t> integers(floats.size());
                               if (feature.kind == TfFeature::Kind::kFloats)
                                 copy_floats(feature, floats, "fuzz");
                               if (feature.kind == TfFeature::Kind::kIntegers)
                                 copy_integers(feature, integers, "fuzz");
                               if (feature.kind == TfFeature::Kind::kBytes)
                                 (void)only_bytes(feature, "fuzz");
                             });
  } catch (const hearth::DataError&) {
  }
  return 0;
}
