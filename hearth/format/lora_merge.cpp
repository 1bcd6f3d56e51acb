// Parts that were learned beside a model, brought back to its weights.
#include "hearth/format/lora_merge.h"

#include <cstring>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/format/array_names.h"
#include "hearth/format/weight_statistics.h"

namespace hearth {

namespace {

bool is_lora_part(const std::string& name) {
  return name.ends_with("lora_a") || name.ends_with("lora_b") || name.ends_with("lora_scale");
}

struct LoraParts {
  const WeightEntry* down = nullptr;   // [rank, in]
  const WeightEntry* up = nullptr;     // [out, rank]
  const WeightEntry* scale = nullptr;  // []
};

// Of a weight; nothing for one without.
LoraParts parts_of(const WeightEntry& weight, const WeightFile& file) {
  if (!weight.name.ends_with("weight")) return {};
  const std::string start = weight.name.substr(0, weight.name.size() - 6);
  return {file.find(start + "lora_a"), file.find(start + "lora_b"),
          file.find(start + "lora_scale")};
}

void check_parts(const LoraParts& parts, const WeightEntry& weight, const WeightFile& file) {
  const auto fail = [&](const std::string& reason) {
    throw DataError(file.path().string() + ": the low-rank parts of " + quote(weight.name) + " " +
                    reason);
  };
  if (parts.up == nullptr || parts.scale == nullptr)
    fail("lack lora_b or lora_scale; take them from the run again.");
  if (weight.shape.size() != 2 || parts.down->shape.size() != 2 || parts.up->shape.size() != 2 ||
      parts.down->shape[1] != weight.shape[1] || parts.up->shape[0] != weight.shape[0] ||
      parts.up->shape[1] != parts.down->shape[0] || parts.scale->count() != 1)
    fail("have shapes that do not fit it: " + text_of(weight) + ", lora_a " + text_of(*parts.down) +
         ", lora_b " + text_of(*parts.up) + ".");
  if (weight.type != ArrayType::kFloat32)
    fail("are added to float32 only, and it is " + name_of(weight.type) +
         ". Convert the file with --dtype float32 first.");
}

std::vector<std::byte> sum_of(const WeightFile& base, const WeightEntry& weight,
                              const WeightFile& file, const LoraParts& parts) {
  std::vector<double> sum = numbers_of(base, weight);
  const std::vector<double> down = numbers_of(file, *parts.down);
  const std::vector<double> up = numbers_of(file, *parts.up);
  const double scale = numbers_of(file, *parts.scale).front();
  const auto in = static_cast<size_t>(weight.shape[1]);
  const auto rank = static_cast<size_t>(parts.down->shape[0]);
  std::vector<std::byte> bytes(sum.size() * sizeof(float));
  for (size_t row = 0; row < static_cast<size_t>(weight.shape[0]); ++row) {
    for (size_t middle = 0; middle < rank; ++middle) {
      const double factor = scale * up[row * rank + middle];
      for (size_t column = 0; column < in; ++column)
        sum[row * in + column] += factor * down[middle * in + column];
    }
    for (size_t column = 0; column < in; ++column) {
      const auto value = static_cast<float>(sum[row * in + column]);
      std::memcpy(bytes.data() + (row * in + column) * sizeof(float), &value, sizeof(float));
    }
  }
  return bytes;
}

}  // namespace

MergedWeights merged_weights(const WeightFile& base, const WeightFile& parts) {
  MergedWeights merged;
  const auto keep = [&](const WeightFile& file, const WeightEntry& entry) {
    merged.rooms.emplace_back();
    const auto bytes = file.bytes(entry, merged.rooms.back());
    merged.tensors.push_back({entry.name, entry.type, entry.shape, bytes});
  };
  for (const WeightEntry& entry : base.entries()) {
    if (is_lora_part(entry.name)) continue;
    const LoraParts own = parts_of(entry, parts);
    if (own.down == nullptr) {
      keep(base, entry);
      continue;
    }
    check_parts(own, entry, parts);
    merged.rooms.push_back(sum_of(base, entry, parts, own));
    merged.tensors.push_back({entry.name, entry.type, entry.shape, merged.rooms.back()});
    merged.merged.push_back(entry.name);
  }
  size_t found = 0;
  for (const WeightEntry& entry : parts.entries()) {
    if (entry.name.ends_with("lora_a")) ++found;
    if (is_lora_part(entry.name) || base.find(entry.name) != nullptr) continue;
    keep(parts, entry);
    merged.joined.push_back(entry.name);
  }
  if (found == 0 && merged.joined.empty())
    throw DataError(parts.path().string() + ": has no low-rank parts (lora_a)" +
                    (base.path() == parts.path()
                         ? ". Parts of another kind, such as adapters, are joined with the file "
                           "that --base names."
                         : ", and nothing that " + base.path().string() + " lacks."));
  if (merged.merged.size() != found)
    throw DataError(parts.path().string() + ": has low-rank parts for " + std::to_string(found) +
                    " weights, but " + base.path().string() + " has " +
                    std::to_string(merged.merged.size()) +
                    " of these. Name the file they were "
                    "learned beside.");
  return merged;
}

}  // namespace hearth
