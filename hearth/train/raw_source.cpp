// Samples to predict, as a source.
#include "hearth/train/raw_source.h"

#include <cstring>

#include "hearth/base/error.h"
#include "hearth/base/text.h"

namespace hearth {
namespace {

class RawSource : public Source {
 public:
  RawSource(std::vector<KeySpec> keys, std::vector<FilledSample> samples)
      : keys_(std::move(keys)), samples_(std::move(samples)) {}
  [[nodiscard]] std::vector<KeySpec> keys() const override { return keys_; }
  [[nodiscard]] int64_t size() const override { return static_cast<int64_t>(samples_.size()); }
  void read(int64_t index, std::span<const Cell> cells) const override {
    const FilledSample& sample = samples_[static_cast<size_t>(index)];
    for (size_t k = 0; k < cells.size(); ++k) {
      if (!cells[k].is_wanted()) continue;
      const auto found = sample.values.find(keys_[k].key);
      if (found == sample.values.end())
        throw InternalError("predict: a sample came without " + quote(keys_[k].key) + ".");
      const View room = cells[k].take(found->second.shape);
      std::memcpy(room.data, found->second.bytes.data(), found->second.bytes.size());
    }
  }
  [[nodiscard]] std::string fingerprint() const override { return "raw"; }
  [[nodiscard]] std::string describe(int64_t index) const override {
    return samples_[static_cast<size_t>(index)].name;
  }

 private:
  std::vector<KeySpec> keys_;
  std::vector<FilledSample> samples_;
};

class ChosenSource : public Source {
 public:
  ChosenSource(std::shared_ptr<const Source> source, std::vector<int64_t> samples)
      : source_(std::move(source)), samples_(std::move(samples)) {}
  [[nodiscard]] std::vector<KeySpec> keys() const override { return source_->keys(); }
  [[nodiscard]] int64_t size() const override { return static_cast<int64_t>(samples_.size()); }
  void read(int64_t index, std::span<const Cell> cells) const override {
    source_->read(samples_[static_cast<size_t>(index)], cells);
  }
  [[nodiscard]] std::string fingerprint() const override { return source_->fingerprint(); }
  [[nodiscard]] std::string describe(int64_t index) const override {
    return source_->describe(samples_[static_cast<size_t>(index)]);
  }

 private:
  std::shared_ptr<const Source> source_;
  std::vector<int64_t> samples_;
};

}  // namespace

std::shared_ptr<const Source> make_raw_source(std::vector<KeySpec> keys,
                                              std::vector<FilledSample> samples) {
  return std::make_shared<RawSource>(std::move(keys), std::move(samples));
}

std::shared_ptr<const Source> make_chosen_source(std::shared_ptr<const Source> source,
                                                 std::vector<int64_t> samples) {
  return std::make_shared<ChosenSource>(std::move(source), std::move(samples));
}

}  // namespace hearth
