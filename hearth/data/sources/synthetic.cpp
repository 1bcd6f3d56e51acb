// Normally distributed images with random labels; sample i is always the same.
#include "hearth/data/sources/synthetic.h"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <utility>

#include "hearth/base/error.h"
#include "hearth/base/memory.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/core/random.h"

namespace hearth::sources {

namespace {

class Synthetic : public Source {
 public:
  using Options = SyntheticOptions;
  explicit Synthetic(Options options)
      : options_(std::move(options)),
        image_{.dtype = DType::kFloat32, .shape = options_.shape},
        label_{.dtype = DType::kInt64, .classes = options_.classes, .role = Role::kClass} {
    for (const auto& [key, made] : options_.keys) own_keys_.push_back({key, made.spec()});
  }

  // The images are drawn once and kept.
  void open() override {
    if (!own_keys_.empty()) return;
    uint64_t bytes = 0;
    const bool is_beyond = __builtin_mul_overflow(static_cast<uint64_t>(image_.bytes()),
                                                  static_cast<uint64_t>(distinct()), &bytes);
    if (is_beyond || bytes > available_memory())
      throw DataError("synthetic: " + human_count(static_cast<uint64_t>(distinct())) +
                      " different images, " + image_.text() + " each, need more than the " +
                      "memory there is; this machine has " + human_bytes(available_memory()) +
                      ". Use fewer of them (distinct), or smaller ones.");
  }

  std::vector<KeySpec> keys() const override {
    if (!own_keys_.empty()) return own_keys_;
    return {{"image", image_}, {"label", label_}};
  }
  int64_t size() const override { return options_.size; }

  void read(int64_t index, std::span<const Cell> cells) const override {
    if (!own_keys_.empty()) return draw_own(index, cells);
    if (cells[0].is_wanted()) copy_image(index, cells[0].view().data);
    if (cells[1].is_wanted())
      cells[1].set(draws_of(index, "label").between(0, options_.classes - 1));
  }

  std::string fingerprint() const override {
    std::vector<std::string> facts = {
        "synthetic", std::to_string(options_.size), std::to_string(options_.classes),
        std::to_string(options_.distinct), std::to_string(options_.seed)};
    for (const int64_t length : options_.shape) facts.push_back(std::to_string(length));
    for (const KeySpec& key : own_keys_) facts.push_back(key.key + " " + key.spec.text());
    return join(facts, ":");
  }
  std::string describe(int64_t index) const override {
    return "synthetic[" + std::to_string(index) + "]";
  }

 private:
  void draw_own(int64_t index, std::span<const Cell> cells) const {
    for (size_t k = 0; k < cells.size(); ++k) {
      if (!cells[k].is_wanted()) continue;
      Random random = draws_of(index, own_keys_[k].key);
      draw_value(random, cells[k]);
    }
  }

  // Drawing a normal number costs far more than copying one, so the images are drawn once.
  void copy_image(int64_t index, std::byte* into) const {
    std::call_once(is_drawn_, [this] { draw_images(); });
    const auto bytes = static_cast<size_t>(image_.bytes());
    const auto* images = reinterpret_cast<const std::byte*>(images_.data());
    std::memcpy(into, images + static_cast<size_t>(index % distinct()) * bytes, bytes);
  }

  void draw_images() const {
    const int64_t elements = image_.elements();
    images_.resize(static_cast<size_t>(distinct() * elements));
    for (int64_t i = 0; i < distinct(); ++i) {
      Random random = draws_of(i, "image");
      for (int64_t k = 0; k < elements; ++k)
        images_[static_cast<size_t>(i * elements + k)] = random.normal();
    }
  }

  [[nodiscard]] int64_t distinct() const { return std::min(options_.distinct, options_.size); }

  [[nodiscard]] Random draws_of(int64_t index, std::string_view key) const {
    return Random({.seed = static_cast<uint64_t>(options_.seed),
                   .epoch = 0,
                   .sample = static_cast<uint64_t>(index),
                   .op = op_number(key)});
  }

  Options options_;
  Spec image_;
  Spec label_;
  std::vector<KeySpec> own_keys_;  // in the place of both
  mutable std::once_flag is_drawn_;
  mutable std::vector<float> images_;
};

}  // namespace

const Schema<SyntheticOptions>& SyntheticOptions::schema() {
  using O = SyntheticOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::size, "size", "How many samples there are.", at_least(1))
          .field(&O::shape, "shape", "Shape of an image, such as [3, 32, 32].", at_least(1))
          .field(&O::classes, "classes", "How many classes the labels are drawn from.", at_least(1))
          .field(&O::seed, "seed", "Another seed gives other samples.", at_least(0), of_64_bits())
          .field(&O::distinct, "distinct",
                 "How many different images there are; they come again and again.", at_least(1))
          .field(&O::keys, "keys",
                 "Keys of any kind in the place of images and labels: {features: {shape: [8]}, "
                 "label: {dtype: int64, classes: 3}}.");
  return schema;
}

Choice<Source> synthetic(const SyntheticOptions& options) {
  return choose<Source>("synthetic", options);
}

void register_synthetic(Registry<Source>& registry) {
  registry.add<Synthetic>(
      "synthetic", "Random images and labels, or keys of any kind, for benchmarks and tests.");
}

}  // namespace hearth::sources
