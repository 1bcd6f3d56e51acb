// First values of a model from a file of weights.
#include "hearth/train/load_weights.h"

#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>
#include <c10/core/GradMode.h>

#include <algorithm>
#include <cstring>

#include "hearth/base/error.h"
#include "hearth/base/files.h"
#include "hearth/base/text.h"
#include "hearth/config/place.h"
#include "hearth/format/array_names.h"
#include "hearth/format/weight_statistics.h"
#include "hearth/network/model.h"
#include "hearth/train/weight_matches.h"

namespace hearth {
namespace {

at::ScalarType torch_type(ArrayType type, const std::string& name) {
  switch (type) {
    case ArrayType::kBool:
      return at::kBool;
    case ArrayType::kUint8:
      return at::kByte;
    case ArrayType::kInt8:
      return at::kChar;
    case ArrayType::kInt16:
      return at::kShort;
    case ArrayType::kInt32:
      return at::kInt;
    case ArrayType::kInt64:
      return at::kLong;
    case ArrayType::kFloat16:
      return at::kHalf;
    case ArrayType::kBFloat16:
      return at::kBFloat16;
    case ArrayType::kFloat32:
      return at::kFloat;
    case ArrayType::kFloat64:
      return at::kDouble;
    default:
      throw DataError("tensor " + quote(name) + " is " + name_of(type) +
                      ", which LibTorch does not have.");
  }
}

at::Tensor tensor_of(const WeightFile& file, const WeightEntry& entry) {
  at::Tensor tensor = at::empty(entry.shape, torch_type(entry.type, entry.name));
  std::vector<std::byte> room;
  const auto bytes = file.bytes(entry, room);
  if (!bytes.empty()) std::memcpy(tensor.data_ptr(), bytes.data(), bytes.size());
  return tensor;
}

// Of [out, channels, ...]: for as many channels as the model has.
at::Tensor for_channels(const at::Tensor& weight, int64_t channels, const std::string& how) {
  const auto known = static_cast<double>(weight.size(1));
  const auto wanted = static_cast<double>(channels);
  std::vector<at::Tensor> parts;
  const at::Tensor sum = weight.to(at::kDouble).sum(1, true).div(wanted);
  for (int64_t i = 0; i < channels; ++i)
    parts.push_back(
        how == "sum" ? sum
                     : weight.to(at::kDouble).narrow(1, i % weight.size(1), 1).mul(known / wanted));
  return at::cat(parts, 1);
}

void add_listed(std::string& text, const std::string& what, const std::vector<std::string>& names) {
  constexpr size_t kMost = 6;
  if (names.empty()) return;
  const size_t shown = std::min(names.size(), kMost);
  text +=
      "; " + what + ": " + join({names.begin(), names.begin() + static_cast<long>(shown)}, ", ");
  if (shown < names.size()) text += " and " + std::to_string(names.size() - shown) + " more";
}

}  // namespace

std::string WeightReport::text() const {
  std::string text = file + ": " + std::to_string(loaded) + " of " + std::to_string(wanted) +
                     " tensors of the model";
  add_listed(text, "fresh", fresh);
  add_listed(text, "adapted", adapted);
  add_listed(text, "missing", missing);
  add_listed(text, "not in the model", unexpected);
  add_listed(text, "of another shape", misshaped);
  add_listed(text, "converted", converted);
  return text;
}

WeightReport check_weights(const Layer& layer, const WeightsOptions& options) {
  const WeightFile file(options.file);
  return WeightMatches(layer, file, options).report();
}

WeightReport load_weights(Layer& layer, const WeightsOptions& options) {
  const WeightFile file(options.file);
  if (!options.digest.empty() && !fs::is_directory(options.file) && file.digest() != options.digest)
    throw ConfigError(options.file + " is not the file that `digest` says: its SHA-256 is " +
                      file.digest() + ". Leave digest out to use it all the same.");
  const WeightMatches matches(layer, file, options);
  const c10::AutoGradMode no_gradients(false);
  for (const WeightMatch& match : matches.all()) {
    at::Tensor value = tensor_of(file, *match.entry);
    if (match.channels > 0) value = for_channels(value, match.channels, options.channels);
    match.tensor.detach().copy_(value);
  }
  return matches.report();
}

WeightReport load_weights(Model& model, const WeightsOptions& options) {
  return load_weights(model.layer(), options);
}

std::vector<std::string> load_wanted_weights(const std::map<std::string, ModelOptions>& wanted,
                                             const Node& config, ModelSet& models) {
  std::vector<std::string> lines;
  for (const auto& [name, model] : wanted) {
    if (!model.weights) continue;
    Model& built = models.find(name);
    if (!built.is_built()) continue;
    const WeightReport report =
        at_place(mark_at(config, "models." + name + ".weights"),
                 [&, weights = *model.weights] { return load_weights(built, weights); });
    lines.push_back("weights of " + quote(built.name()) + ": " + report.text() + ".");
  }
  return lines;
}

}  // namespace hearth
