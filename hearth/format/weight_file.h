// A file of weights, whatever program wrote it: safetensors, PyTorch's .pt, NumPy's .npz, or a
// folder of Hearth's. What it is, its content says, not its name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hearth/format/array_type.h"

namespace hearth {

struct WeightEntry {
  std::string name;
  ArrayType type = ArrayType::kFloat32;
  std::vector<int64_t> shape = {};
  std::string shares = {};  // the first tensor that lies in the same memory; empty for none
  [[nodiscard]] uint64_t count() const;
  [[nodiscard]] uint64_t bytes() const { return count() * size_of(type); }
};

// What each of the formats gives.
class WeightSource {
 public:
  virtual ~WeightSource() = default;
  [[nodiscard]] virtual std::string format() const = 0;  // "safetensors", "pt", "npz"
  [[nodiscard]] virtual std::vector<WeightEntry> entries() const = 0;
  // Numbers, texts and the like that lie beside the tensors.
  [[nodiscard]] virtual std::map<std::string, nlohmann::json> values() const { return {}; }
  // Of the tensor with this number among `entries`: where it lies, or in `room`.
  [[nodiscard]] virtual std::span<const std::byte> bytes(size_t index,
                                                         std::vector<std::byte>& room) const = 0;
};

class WeightFile {
 public:
  // A file, or a folder: an exported model's, or a run's, of which the best checkpoint is taken, or
  // the last. Of Hearth's own files, the model's tensors by their plain names, averages where they
  // are kept; with several models, "<model>.<name>". DataError says what it is when it is none of
  // these.
  explicit WeightFile(const std::filesystem::path& path);
  // A safetensors file with all that it holds, by the names in it: of a checkpoint also what the
  // optimizer has.
  [[nodiscard]] static WeightFile with_all_tensors(const std::filesystem::path& path);

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }  // of the file
  [[nodiscard]] std::string format() const { return source_->format(); }
  [[nodiscard]] const std::vector<WeightEntry>& entries() const { return entries_; }
  [[nodiscard]] std::map<std::string, nlohmann::json> values() const { return source_->values(); }
  // Null when there is none of the name.
  [[nodiscard]] const WeightEntry* find(std::string_view name) const;
  // Its numbers, dense and in this machine's byte order: in the file, or in `room`.
  [[nodiscard]] std::span<const std::byte> bytes(const WeightEntry& entry,
                                                 std::vector<std::byte>& room) const;
  [[nodiscard]] uint64_t total_bytes() const;
  // SHA-256 of the file.
  [[nodiscard]] std::string digest() const;

 private:
  WeightFile(const std::filesystem::path& path, std::unique_ptr<WeightSource> source);

  std::filesystem::path path_;
  std::unique_ptr<WeightSource> source_;
  std::vector<WeightEntry> entries_;
  std::map<std::string, size_t, std::less<>> index_;
};

// A tensor on its way into a file.
struct WeightView {
  std::string name;
  ArrayType type = ArrayType::kFloat32;
  std::vector<int64_t> shape;
  std::span<const std::byte> data;
};

// "safetensors", "pt" or "npz", by the end of the file's name; ConfigError when it has another.
[[nodiscard]] std::string weight_format_of(const std::filesystem::path& path);
// Durable, or not at all. DataError names a tensor whose type the format does not have.
void write_weights(const std::filesystem::path& path, const std::string& format,
                   const std::vector<WeightView>& tensors);
// Its parts: an archive as torch.save writes it, of one dictionary; and NumPy's.
void write_pt(const std::filesystem::path& path, const std::vector<WeightView>& tensors);
void write_npz(const std::filesystem::path& path, const std::vector<WeightView>& tensors);

}  // namespace hearth
