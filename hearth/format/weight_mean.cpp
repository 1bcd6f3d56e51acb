// The mean of the same tensors in several files.
#include "hearth/format/weight_mean.h"

#include <cstring>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/format/array_names.h"
#include "hearth/format/weight_statistics.h"

namespace hearth {
namespace {

const WeightEntry& same_tensor(const WeightFile& file, const WeightEntry& wanted,
                               const WeightFile& last) {
  const WeightEntry* found = file.find(wanted.name);
  if (found == nullptr)
    throw DataError(file.path().string() + " has no tensor " + quote(wanted.name) + ", but " +
                    last.path().string() + " has. Average checkpoints of one run.");
  if (found->shape != wanted.shape || found->type != wanted.type)
    throw DataError("the tensor " + quote(wanted.name) + " is " + text_of(*found) + " in " +
                    file.path().string() + " but " + text_of(wanted) + " in " +
                    last.path().string() + ".");
  return *found;
}

template <class Number>
std::vector<std::byte> divided(const std::vector<double>& sums, size_t count) {
  std::vector<std::byte> bytes(sums.size() * sizeof(Number));
  for (size_t i = 0; i < sums.size(); ++i) {
    const auto mean = static_cast<Number>(sums[i] / static_cast<double>(count));
    std::memcpy(bytes.data() + i * sizeof(Number), &mean, sizeof(Number));
  }
  return bytes;
}

std::vector<std::byte> mean_bytes(const std::vector<WeightFile>& files, const WeightEntry& entry) {
  std::vector<double> sums(entry.count());
  for (const WeightFile& file : files) {
    const std::vector<double> numbers = numbers_of(file, same_tensor(file, entry, files.back()));
    for (size_t i = 0; i < sums.size(); ++i) sums[i] += numbers[i];
  }
  if (entry.type == ArrayType::kFloat64) return divided<double>(sums, files.size());
  if (entry.type == ArrayType::kFloat32) return divided<float>(sums, files.size());
  throw DataError("the tensor " + quote(entry.name) + " is " + name_of(entry.type) +
                  "; means are made of float32 and float64 only. Convert the files with `hearth "
                  "weights convert --dtype float32` first.");
}

}  // namespace

WeightMean weight_mean(const std::vector<WeightFile>& files,
                       const std::function<bool(std::string_view)>& wants) {
  WeightMean mean;
  const WeightFile& last = files.back();
  for (const WeightEntry& entry : last.entries()) {
    mean.rooms.emplace_back();
    std::vector<std::byte>& room = mean.rooms.back();
    if (!is_real(entry.type) || !wants(entry.name)) {
      mean.tensors.push_back({entry.name, entry.type, entry.shape, last.bytes(entry, room)});
      continue;
    }
    room = mean_bytes(files, entry);
    ++mean.averaged;
    mean.tensors.push_back({entry.name, entry.type, entry.shape, room});
  }
  return mean;
}

}  // namespace hearth
