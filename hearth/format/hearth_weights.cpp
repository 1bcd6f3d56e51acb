// The models' tensors of Hearth's own files: checkpoints and exported models.
#include <optional>
#include <set>

#include "hearth/format/state_file.h"
#include "hearth/format/weight_sources.h"

namespace hearth {

namespace {

// "network/models/net/model/0.weight", or an average in the place of "model".
struct OwnName {
  std::string model;
  std::string tensor;
  bool is_average = false;
};

std::optional<OwnName> own_name_of(std::string_view name) {
  if (name.starts_with("network/")) name.remove_prefix(8);
  if (!name.starts_with("models/")) return std::nullopt;
  name.remove_prefix(7);
  const size_t first = name.find('/');
  const size_t last = name.rfind('/');
  if (first == name.npos || first == last) return std::nullopt;
  const std::string_view part = name.substr(first, last - first);
  const bool is_average = part.ends_with("/average");
  if (part != "/model" && !is_average) return std::nullopt;
  return OwnName{std::string(name.substr(0, first)), std::string(name.substr(last + 1)),
                 is_average};
}

class HearthWeights : public WeightSource {
 public:
  explicit HearthWeights(std::unique_ptr<WeightSource> file) : file_(std::move(file)) {
    const std::vector<WeightEntry> all = file_->entries();
    std::map<std::pair<std::string, std::string>, size_t> averages;
    std::set<std::string> models;
    for (size_t i = 0; i < all.size(); ++i)
      if (const auto own = own_name_of(all[i].name)) {
        models.insert(own->model);
        if (own->is_average) averages.emplace(std::pair(own->model, own->tensor), i);
      }
    for (size_t i = 0; i < all.size(); ++i) {
      const auto own = own_name_of(all[i].name);
      if (!own || own->is_average) continue;
      const auto average = averages.find({own->model, own->tensor});
      const bool has_average =
          average != averages.end() && all[average->second].shape == all[i].shape;
      numbers_.push_back(has_average ? average->second : i);
      WeightEntry entry = all[numbers_.back()];
      entry.name = models.size() == 1 ? own->tensor : own->model + "." + own->tensor;
      entries_.push_back(std::move(entry));
    }
  }

  std::string format() const override { return "safetensors of Hearth"; }
  std::vector<WeightEntry> entries() const override { return entries_; }
  std::span<const std::byte> bytes(size_t index, std::vector<std::byte>& room) const override {
    return file_->bytes(numbers_[index], room);
  }

 private:
  std::unique_ptr<WeightSource> file_;
  std::vector<WeightEntry> entries_;
  std::vector<size_t> numbers_;  // of the file's entries
};

}  // namespace

std::unique_ptr<WeightSource> hearth_weights(const std::filesystem::path& path) {
  auto file = safetensors_weights(path);
  if (!file->values().contains(kStateKindKey)) return nullptr;
  return std::make_unique<HearthWeights>(std::move(file));
}

}  // namespace hearth
