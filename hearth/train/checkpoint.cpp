// Checkpoints: one valid safetensors file each, durable before it counts, verified before it is
// used.
#include "hearth/train/checkpoint.h"

#include <ATen/ops/empty.h>

#include <algorithm>
#include <cstdio>

#include "hearth/base/digest.h"
#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/format/json.h"
#include "hearth/format/safetensors.h"
#include "hearth/format/safetensors_writer.h"
#include "hearth/tensor/convert.h"

namespace hearth {
namespace {

constexpr const char* kKindKey = "hearth.kind";
constexpr const char* kValuesKey = "hearth.state";
constexpr const char* kExtension = ".safetensors";

struct DTypeName {
  DType dtype;
  const char* name;
};
constexpr DTypeName kDTypeNames[] = {{DType::kBool, "BOOL"},   {DType::kUint8, "U8"},
                                     {DType::kInt32, "I32"},   {DType::kInt64, "I64"},
                                     {DType::kFloat16, "F16"}, {DType::kBFloat16, "BF16"},
                                     {DType::kFloat32, "F32"}, {DType::kFloat64, "F64"}};

std::string safetensors_name(DType dtype) {
  for (const DTypeName& known : kDTypeNames)
    if (known.dtype == dtype) return known.name;
  throw InternalError("safetensors has no name for " + std::string(name(dtype)) + ".");
}

DType dtype_named(const std::string& text, const std::string& tensor) {
  for (const DTypeName& known : kDTypeNames)
    if (known.name == text) return known.dtype;
  throw DataError("tensor '" + tensor + "' has dtype " + text + ", which Hearth does not read.");
}

// On the host, dense, without gradients: bytes that can be written as they lie.
at::Tensor host_tensor(const at::Tensor& tensor) {
  return tensor.detach().to(at::kCPU).contiguous();
}

std::span<const std::byte> bytes_of(const at::Tensor& tensor) {
  return {static_cast<const std::byte*>(tensor.data_ptr()), tensor.nbytes()};
}

at::Tensor read_tensor(const SafetensorsFile& file, const TensorEntry& entry) {
  const DType dtype = dtype_named(entry.dtype, entry.name);
  at::Tensor tensor = at::empty(entry.shape, at::TensorOptions().dtype(scalar_type(dtype)));
  file.read(entry.name, {static_cast<std::byte*>(tensor.data_ptr()), tensor.nbytes()});
  return tensor;
}

}  // namespace

void write_state(const fs::path& path, const State& state, const std::string& kind) {
  std::vector<at::Tensor> hosts;
  std::vector<TensorView> views;
  for (const auto& [name, tensor] : state.tensors) {
    hosts.push_back(host_tensor(tensor));
    views.push_back({name, safetensors_name(dtype_of(hosts.back())), hosts.back().sizes().vec(),
                     bytes_of(hosts.back())});
  }
  write_safetensors(path, std::move(views),
                    {.metadata = {{kKindKey, kind}, {kValuesKey, state.values.dump()}}});
}

State read_state(const fs::path& path, const std::string& kind) {
  const SafetensorsFile file(path);
  file.verify_digest();
  const auto found = file.metadata().find(kKindKey);
  if (found == file.metadata().end() || found->second != kind)
    throw DataError(
        path.string() + " is not a Hearth " + kind + " but " +
        (found == file.metadata().end() ? "another program's file" : "a " + found->second) + ".");
  State state;
  state.values = parse_json(file.metadata().at(kValuesKey), path.string());
  for (const TensorEntry& entry : file.entries())
    state.tensors.emplace_back(entry.name, read_tensor(file, entry));
  return state;
}

CheckpointFolder::CheckpointFolder(fs::path folder) : folder_(std::move(folder)) {}

fs::path CheckpointFolder::path_of(const std::string& name) const {
  return folder_ / (name + kExtension);
}

void CheckpointFolder::save(const State& state, int64_t step, int64_t keep) {
  char name[32];
  std::snprintf(name, sizeof(name), "step-%08lld", static_cast<long long>(step));
  make_folder(folder_);
  write_state(path_of(name), state, kCheckpointKind);
  const std::vector<fs::path> all = by_step();
  for (size_t i = static_cast<size_t>(keep); i < all.size(); ++i) fs::remove(all[i]);
}

void CheckpointFolder::save_named(const State& state, const std::string& name) {
  make_folder(folder_);
  write_state(path_of(name), state, kCheckpointKind);
}

std::vector<fs::path> CheckpointFolder::by_step() const {
  std::vector<fs::path> paths;
  if (!fs::exists(folder_)) return paths;
  for (const auto& entry : fs::directory_iterator(folder_)) {
    const std::string name = entry.path().filename();
    if (name.starts_with("step-") && name.ends_with(kExtension)) paths.push_back(entry.path());
  }
  // By length first: step numbers may outgrow their eight digits.
  std::sort(paths.begin(), paths.end(), [](const fs::path& left, const fs::path& right) {
    return std::pair(left.string().size(), left) > std::pair(right.string().size(), right);
  });
  return paths;
}

std::optional<CheckpointFolder::Found> CheckpointFolder::newest() const {
  std::vector<std::string> skipped;
  for (const fs::path& path : by_step()) {
    try {
      return Found{read_state(path, kCheckpointKind), path, std::move(skipped)};
    } catch (const DataError& error) {
      skipped.push_back(error.what());
    }
  }
  if (!skipped.empty())
    throw DataError("no checkpoint in " + folder_.string() + " can be used:\n" +
                    join(skipped, "\n"));
  return std::nullopt;
}

bool CheckpointFolder::has(const std::string& name) const { return fs::exists(path_of(name)); }

State CheckpointFolder::named(const std::string& name) const {
  if (has(name)) return read_state(path_of(name), kCheckpointKind);
  std::vector<std::string> known;
  if (fs::exists(folder_))
    for (const auto& entry : fs::directory_iterator(folder_))
      if (entry.path().extension() == kExtension) known.push_back(entry.path().stem());
  std::sort(known.begin(), known.end());
  throw DataError("there is no checkpoint '" + name + "' in " + folder_.string() + "." +
                  did_you_mean(name, known));
}

std::string digest_of(const State& state) {
  std::vector<NamedTensor> sorted = state.tensors;
  std::sort(sorted.begin(), sorted.end(), [](const NamedTensor& left, const NamedTensor& right) {
    return left.first < right.first;
  });
  Sha256 digest;
  for (const auto& [name, tensor] : sorted) {
    const at::Tensor host = host_tensor(tensor);
    digest.add(name + " " + describe(host) + "\n");
    digest.add(bytes_of(host));
  }
  return digest.finish_hex();
}

}  // namespace hearth
