// A file of weights, whatever program wrote it.
#include "hearth/format/weight_file.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "hearth/base/digest.h"
#include "hearth/base/error.h"
#include "hearth/base/mapped_file.h"
#include "hearth/base/text.h"
#include "hearth/format/array_names.h"
#include "hearth/format/checkpoint_names.h"
#include "hearth/format/pt.h"
#include "hearth/format/safetensors_writer.h"
#include "hearth/format/weight_sources.h"
#include "hearth/format/zip.h"

namespace hearth {

namespace {

constexpr std::array<std::string_view, 4> kWeightEnds = {".safetensors", ".pt", ".pth", ".npz"};

fs::path file_of(const fs::path& path) {
  if (!fs::is_directory(path)) return path;
  for (const fs::path& file :
       {path / "model.safetensors", path / "checkpoints" / "best.safetensors"})
    if (is_there(file)) return file;
  const std::vector<fs::path> by_step = step_checkpoints(path / "checkpoints");
  if (!by_step.empty()) return by_step.front();
  throw DataError(path.string() +
                  ": is a folder without weights: neither an exported model's (model.safetensors) "
                  "nor a run's (checkpoints/).");
}

bool is_npz(const fs::path& path) {
  const FileHandle file = open_to_read(path);
  const auto entries = read_zip_directory(file, path);
  return std::ranges::any_of(entries,
                             [](const ZipEntry& entry) { return entry.name.ends_with(".npy"); });
}

std::unique_ptr<WeightSource> open_source(const fs::path& path) {
  const FileHandle file = open_to_read(path);
  std::array<std::byte, 32> start{};
  const uint64_t bytes = std::min<uint64_t>(file_size(file, path), start.size());
  read_at(file, 0, std::span(start).first(bytes), path);
  const std::string_view text(reinterpret_cast<const char*>(start.data()), bytes);
  if (text.starts_with("PK\x03\x04") || text.starts_with("PK\x05\x06"))
    return is_npz(path) ? npz_weights(path) : pt_weights(path);
  if (is_legacy_pt(start)) return pt_weights(path);
  if (text.size() > 8 && text[8] == '{') {
    auto own = hearth_weights(path);
    return own != nullptr ? std::move(own) : safetensors_weights(path);
  }
  if (text.starts_with('\x80'))
    throw DataError(path.string() +
                    ": is a plain pickle, not a file of torch.save. In Python, save its tensors: "
                    "torch.save(tensors, 'weights.pt').");
  throw DataError(path.string() +
                  ": is no file of weights that Hearth knows: safetensors, .pt or .pth of "
                  "torch.save, or .npz.");
}

}  // namespace

uint64_t WeightEntry::count() const {
  return std::accumulate(
      shape.begin(), shape.end(), uint64_t{1},
      [](uint64_t product, int64_t length) { return product * static_cast<uint64_t>(length); });
}

WeightFile::WeightFile(const std::filesystem::path& path) : WeightFile(path, nullptr) {}

WeightFile WeightFile::with_all_tensors(const std::filesystem::path& path) {
  return {path, safetensors_weights(path)};
}

WeightFile::WeightFile(const std::filesystem::path& path, std::unique_ptr<WeightSource> source)
    : path_(source ? path : file_of(path)),
      source_(source ? std::move(source) : open_source(path_)),
      entries_(source_->entries()) {
  for (size_t i = 0; i < entries_.size(); ++i)
    if (!index_.emplace(entries_[i].name, i).second)
      throw DataError(path_.string() + ": has two tensors called " + quote(entries_[i].name) + ".");
}

const WeightEntry* WeightFile::find(std::string_view name) const {
  const auto found = index_.find(name);
  return found == index_.end() ? nullptr : &entries_[found->second];
}

std::span<const std::byte> WeightFile::bytes(const WeightEntry& entry,
                                             std::vector<std::byte>& room) const {
  return source_->bytes(index_.at(entry.name), room);
}

uint64_t WeightFile::total_bytes() const {
  uint64_t bytes = 0;
  for (const WeightEntry& entry : entries_) bytes += entry.bytes();
  return bytes;
}

std::string WeightFile::digest() const {
  Sha256 digest;
  digest.add(MappedFile(path_).bytes());
  return digest.finish_hex();
}

std::string weight_format_of(const std::filesystem::path& path) {
  const std::string end = path.extension();
  if (end == ".safetensors") return "safetensors";
  if (end == ".pt" || end == ".pth") return "pt";
  if (end == ".npz") return "npz";
  throw ConfigError(
      path.string() + ": the name must end in .safetensors, .pt, .pth or .npz, " +
      "which says what to write." +
      (end.empty() ? "" : did_you_mean(end, {kWeightEnds.begin(), kWeightEnds.end()})));
}

void write_weights(const std::filesystem::path& path, const std::string& format,
                   const std::vector<WeightView>& tensors) {
  if (format == "pt") return write_pt(path, tensors);
  if (format == "npz") return write_npz(path, tensors);
  std::vector<TensorView> views;
  for (const WeightView& tensor : tensors)
    views.push_back(
        {tensor.name, std::string(names_of(tensor.type).safetensors), tensor.shape, tensor.data});
  // Programs that read such files look for this word.
  write_safetensors(path, std::move(views), {.metadata = {{"format", "pt"}}, .has_digest = false});
}

}  // namespace hearth
