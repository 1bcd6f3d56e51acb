// Checkpoints: one valid safetensors file each, durable before it counts, verified before it is
// used.
#include "hearth/train/checkpoint.h"

#include <ATen/ops/empty.h>

#include <algorithm>

#include "hearth/base/digest.h"
#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/file_name.h"
#include "hearth/format/checkpoint_names.h"
#include "hearth/format/safetensors_writer.h"
#include "hearth/tensor/convert.h"

namespace hearth {
namespace {

constexpr int kLooks = 100;

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

void check_name(const std::string& name, NameRule rule) {
  if (const auto fault = name_fault(name, rule))
    throw ConfigError("the name of a checkpoint " + *fault);
}

at::Tensor read_tensor(const SafetensorsFile& file, const TensorEntry& entry) {
  const DType dtype = dtype_named(entry.dtype, entry.name);
  at::Tensor tensor = at::empty(entry.shape, at::TensorOptions().dtype(scalar_type(dtype)));
  file.read(entry.name, {static_cast<std::byte*>(tensor.data_ptr()), tensor.nbytes()});
  return tensor;
}

}  // namespace

void write_tensors(const fs::path& path, const std::vector<NamedTensor>& tensors,
                   const SafetensorsOptions& options) {
  std::vector<at::Tensor> hosts;
  std::vector<TensorView> views;
  for (const auto& [name, tensor] : tensors) {
    hosts.push_back(host_tensor(tensor));
    views.push_back({name, safetensors_name(dtype_of(hosts.back())), hosts.back().sizes().vec(),
                     bytes_of(hosts.back())});
  }
  write_safetensors(path, std::move(views), options);
}

void write_state(const fs::path& path, const State& state, const std::string& kind) {
  write_tensors(path, state.tensors,
                {.metadata = {{kStateKindKey, kind}, {kStateValuesKey, state.values.dump()}}});
}

State read_state(const fs::path& path, const std::string& kind) {
  const StateFile file(path);
  file.verify();
  State state;
  state.values = file.values(kind);
  for (const TensorEntry& entry : file.tensors().entries())
    state.tensors.emplace_back(entry.name, read_tensor(file.tensors(), entry));
  return state;
}

CheckpointFolder::CheckpointFolder(fs::path folder) : folder_(std::move(folder)) {}

fs::path CheckpointFolder::path_of(const std::string& name) const {
  return folder_ / (name + kCheckpointEnding);
}

std::vector<std::string> CheckpointFolder::save(const State& state, int64_t step, int64_t keep) {
  make_folder(folder_);
  write_state(path_of(step_checkpoint_name(step)), state, kCheckpointKind);
  try {
    return remove_old(step, keep);
  } catch (const DataError& error) {
    return {std::string(error.what()) + " Old checkpoints stay."};
  }
}

// One of a later step was passed over when the run was resumed before it: it must not take the
// place of one that can be used.
std::vector<std::string> CheckpointFolder::remove_old(int64_t step, int64_t keep) const {
  std::vector<std::string> notes;
  std::vector<fs::path> all = step_checkpoints(folder_);
  all.erase(all.begin(), std::find(all.begin(), all.end(), path_of(step_checkpoint_name(step))));
  for (size_t i = static_cast<size_t>(keep); i < all.size(); ++i) {
    std::error_code code;
    if (!fs::remove(all[i], code) && code)
      notes.push_back("the old checkpoint " + all[i].string() +
                      " cannot be removed: " + code.message() + ".");
  }
  return notes;
}

void CheckpointFolder::require_name(const std::string& name) {
  check_name(name, NameRule::kCheckpoint);
}

void CheckpointFolder::save_named(const State& state, const std::string& name) {
  require_name(name);
  make_folder(folder_);
  write_state(path_of(name), state, kCheckpointKind);
}

std::optional<CheckpointFolder::Found> CheckpointFolder::newest(const Use& use,
                                                                int64_t most_step) const {
  const auto candidates = [&] {
    std::vector<fs::path> paths = step_checkpoints(folder_);
    std::erase_if(paths,
                  [&](const fs::path& path) { return step_in_name(path).value_or(0) > most_step; });
    return paths;
  };
  std::vector<std::string> skipped;
  std::vector<fs::path> left = candidates();
  for (int looks = 1; !left.empty();) {
    const fs::path path = left.front();
    try {
      State state = read_state(path, kCheckpointKind);
      if (use) use(state);
      return Found{std::move(state), path, std::move(skipped)};
    } catch (const DataError& error) {
      const std::string reason = error.what();
      const bool is_named = reason.find(path.filename()) != std::string::npos;
      skipped.push_back(is_named ? reason : path.string() + ": " + reason);
    }
    left.erase(left.begin());
    if (is_there(path) || ++looks > kLooks) continue;
    left = candidates();
    skipped.clear();
  }
  if (!skipped.empty())
    throw DataError("no checkpoint in " + folder_.string() + " can be used:\n" +
                    join(skipped, "\n"));
  return std::nullopt;
}

std::optional<int64_t> CheckpointFolder::newest_step() const {
  const std::vector<fs::path> all = step_checkpoints(folder_);
  if (all.empty()) return std::nullopt;
  return step_in_name(all.front());
}

bool CheckpointFolder::set_aside(int64_t step, const std::string& name) const {
  std::error_code error;
  fs::rename(path_of(step_checkpoint_name(step)), path_of(name), error);
  return !error;
}

State CheckpointFolder::of_step(int64_t step) const {
  return read_state(path_of(step_checkpoint_name(step)), kCheckpointKind);
}

bool CheckpointFolder::has(const std::string& name) const { return is_there(path_of(name)); }

State CheckpointFolder::named(const std::string& name) const {
  check_name(name, NameRule::kFile);
  if (has(name)) return read_state(path_of(name), kCheckpointKind);
  std::vector<std::string> known;
  for (const fs::path& path : list_folder(folder_))
    if (path.extension() == kCheckpointEnding) known.push_back(path.stem());
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
