// Writes safetensors files: durable, in a fixed order, with a digest of every byte if wanted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace hearth {

struct TensorView {
  std::string name;
  std::string dtype;  // the format's name: "F32", "I64", "BOOL"
  std::vector<int64_t> shape;
  std::span<const std::byte> data;
};

struct SafetensorsOptions {
  std::map<std::string, std::string> metadata = {};
  bool has_digest = true;
};

// Wide dtypes first, then by name, so that every tensor is aligned and equal content gives equal
// bytes. InternalError for tensors that could not be read back; DataError when the disk refuses.
void write_safetensors(const std::filesystem::path& path, std::vector<TensorView> tensors,
                       const SafetensorsOptions& options = {});

}  // namespace hearth
