// Tar files whose files of one stem are a sample: `image`, `text`, `json` and `label`, those that
// the first sample has.
#include "hearth/data/sources/webdataset.h"

#include <algorithm>
#include <cstring>

#include "hearth/base/digest.h"
#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/data/class_collector.h"
#include "hearth/data/key_specs.h"
#include "hearth/data/sharded.h"
#include "hearth/data/shards.h"
#include "hearth/data/webdataset_index.h"

namespace hearth::sources {

namespace {

constexpr uint64_t kMemberLimitBytes = 1ULL << 30;

class Webdataset : public Source, public Sharded {
 public:
  using Options = WebdatasetOptions;
  explicit Webdataset(Options options) : options_(std::move(options)) {}

  void open() override {
    parts_ = asked_parts();
    std::string kind = "webdataset";
    for (const WebdatasetPart& part : parts_)
      kind += "\n" + part.key + " " + join(part.endings, ",");
    shards_.open(options_.files, kind,
                 [this](const SeekableFile& file) { return webdataset_index(file, parts_); });
    find_keys();
    number_classes();
  }

  std::vector<KeySpec> keys() const override {
    std::vector<KeySpec> keys;
    for (const size_t part : given_) {
      if (parts_[part].is_class)
        keys.push_back({parts_[part].key, class_key(classes_.count, classes_.names)});
      else
        keys.push_back({parts_[part].key, part == 0 ? encoded_image_key() : text_key()});
    }
    return keys;
  }

  int64_t size() const override { return shards_.size(); }
  std::vector<int64_t> shard_ends() const override { return shards_.ends(); }

  void read(int64_t index, std::span<const Cell> cells) const override {
    const auto [shard, row] = shards_.place(index);
    for (size_t k = 0; k < cells.size(); ++k) {
      if (!cells[k].is_wanted()) continue;
      const size_t part = given_[k];
      const uint64_t offset = shard.index.at(row, 2 * part);
      if (offset == 0)
        throw DataError("there is no file of " + quote(shard.index.texts[row]) + " for " +
                        quote(parts_[part].key) + ", which ends in " +
                        join(parts_[part].endings, " or ") + ".");
      if (parts_[part].is_class) {
        cells[k].set(static_cast<int64_t>(labels_[static_cast<size_t>(index)]));
        continue;
      }
      const uint64_t bytes = shard.index.at(row, 2 * part + 1);
      if (bytes > kMemberLimitBytes)
        throw DataError(quote(shard.index.texts[row]) + " is larger than " +
                        human_bytes(kMemberLimitBytes) + ".");
      const View room = cells[k].take({static_cast<int64_t>(bytes)});
      shard.file->read(offset, {room.data, static_cast<size_t>(bytes)});
    }
  }

  uint64_t resident_bytes() const override {
    return shards_.resident_bytes() + labels_.capacity() * sizeof(uint64_t);
  }
  std::string fingerprint() const override { return "webdataset:" + shards_.fingerprint(); }
  std::string describe(int64_t index) const override {
    const auto [shard, row] = shards_.place(index);
    return shard.file->path().filename().string() + "[" + shard.index.texts[row] + "]";
  }

 private:
  [[nodiscard]] std::vector<WebdatasetPart> asked_parts() const {
    std::vector<WebdatasetPart> parts = {{"image", options_.image, false},
                                         {"label", options_.classes, true}};
    // The first ending of text is `text`; others are keys of their own name.
    for (const std::string& ending : options_.text)
      parts.push_back({ending == options_.text[0] ? "text" : ending, {ending}, false});
    return parts;
  }

  void find_keys() {
    given_.clear();
    const auto [shard, row] = shards_.place(0);
    for (size_t part = 0; part < parts_.size(); ++part)
      if (shard.index.at(row, 2 * part) != 0) given_.push_back(part);
  }

  // The stems of a shard's samples come first in its texts, then their classes.
  void number_classes() {
    labels_.clear();
    ClassCollector collector;
    for (const Shard& shard : shards_.all())
      for (size_t row = 0; row < shard.index.rows(); ++row) {
        const std::string& text = shard.index.texts.at(shard.index.rows() + row);
        const bool is_given = shard.index.at(row, 2) != 0;
        labels_.push_back(is_given ? collector.add(text) : kNoLabel);
      }
    classes_ = collector.finish();
    for (uint64_t& label : labels_)
      if (label != kNoLabel) label = classes_.numbers[label];
  }

  static constexpr uint64_t kNoLabel = ~0ULL;

  Options options_;
  std::vector<WebdatasetPart> parts_;
  std::vector<size_t> given_;  // the parts that are keys
  Shards shards_;
  ClassCollector::Classes classes_;
  std::vector<uint64_t> labels_;
};

}  // namespace

const Schema<WebdatasetOptions>& WebdatasetOptions::schema() {
  using O = WebdatasetOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::files, "files",
                 "Tar files, also by patterns such as train-*.tar; those that are gzip are "
                 "unpacked, up to 1 GiB each and in all that much in memory; the rest lies in a "
                 "file of the cache folder.",
                 is_path(), required(), not_empty())
          .field(&O::image, "image", "Endings of image files, which become `image`.")
          .field(&O::text, "text",
                 "Endings of text files: those of the first become `text`, those of each other one "
                 "a key of its name.")
          .field(&O::classes, "class",
                 "Endings of files that hold a class, which become `label`: whole numbers from 0 "
                 "on are its number, texts are numbered in their order.");
  return schema;
}

Choice<Source> webdataset(const WebdatasetOptions& options) {
  return choose<Source>("webdataset", options);
}

void register_webdataset(Registry<Source>& registry) {
  registry.add<Webdataset>("webdataset", "Tar files whose files of one stem are a sample.");
}

}  // namespace hearth::sources
