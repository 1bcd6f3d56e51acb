// TFRecord files of tf.Example: its features become keys, as the first record has them.
#include "hearth/data/sources/tfrecord.h"

#include <algorithm>
#include <optional>
#include <set>

#include "hearth/base/digest.h"
#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/data/key_specs.h"
#include "hearth/data/sharded.h"
#include "hearth/data/shards.h"
#include "hearth/format/tf_example.h"
#include "hearth/format/tfrecord.h"

namespace hearth::sources {

namespace {

using FeatureKind = TfFeature::Kind;

OffsetIndex tfrecord_index(const SeekableFile& file) {
  OffsetIndex index{.columns = 2};
  for (const TfRecordPlace& place :
       tfrecord_places(file.telling_reader(), file.bytes(), file.path().string()))
    index.numbers.insert(index.numbers.end(), {place.offset, place.bytes});
  return index;
}

// A feature as a key.
struct TfrecordField {
  std::string feature;
  FeatureKind kind = FeatureKind::kNone;
  KeySpec key;
};

class Tfrecord : public Source, public Sharded {
 public:
  using Options = TfrecordOptions;
  explicit Tfrecord(Options options) : options_(std::move(options)) {}

  void open() override {
    shards_.open(options_.files, "tfrecord", tfrecord_index);
    find_fields();
  }

  std::vector<KeySpec> keys() const override {
    std::vector<KeySpec> keys;
    for (const TfrecordField& field : fields_) keys.push_back(field.key);
    return keys;
  }
  int64_t size() const override { return shards_.size(); }
  std::vector<int64_t> shard_ends() const override { return shards_.ends(); }

  void read(int64_t index, std::span<const Cell> cells) const override {
    static const std::string what = "the record";  // messages about a sample name it
    thread_local std::vector<bool> is_read;
    is_read.assign(cells.size(), false);
    for_each_feature(record(index), what, [&](std::string_view name, const TfFeature& feature) {
      for (size_t k = 0; k < cells.size(); ++k) {
        if (fields_[k].feature != name) continue;
        is_read[k] = true;
        if (cells[k].is_wanted()) read_field(fields_[k], feature, cells[k], what);
      }
    });
    for (size_t k = 0; k < cells.size(); ++k)
      if (cells[k].is_wanted() && !is_read[k])
        throw DataError(what + ": has no feature " + quote(fields_[k].feature) +
                        ", but the first record has.");
  }

  uint64_t resident_bytes() const override { return shards_.resident_bytes(); }
  std::string fingerprint() const override {
    std::string text;
    for (const TfrecordField& field : fields_)
      text += field.feature + ":" + field.key.key + ":" + field.key.spec.text() + "\n";
    return "tfrecord:" + shards_.fingerprint() + ":" + sha256_hex(text);
  }
  std::string describe(int64_t index) const override { return shards_.describe(index); }

 private:
  // Stays until the next one of this thread.
  [[nodiscard]] const std::string& record(int64_t index) const {
    thread_local std::string bytes;
    const auto [shard, row] = shards_.place(index);
    read_tfrecord(shard.file->reader(), {shard.index.at(row, 0), shard.index.at(row, 1)}, bytes,
                  shard.file->path().string());
    return bytes;
  }

  void find_fields() {
    fields_.clear();
    std::set<std::string> features;
    const std::string what = describe(0);
    for_each_feature(record(0), what, [&](std::string_view name, const TfFeature& feature) {
      const auto given = options_.fields.find(std::string(name));
      if (!options_.fields.empty() && given == options_.fields.end()) return;
      if (!features.emplace(name).second) return;
      const TfrecordFieldOptions field =
          given == options_.fields.end() ? TfrecordFieldOptions{} : given->second;
      fields_.push_back(field_of(std::string(name), feature, field, what));
    });
    for (const auto& [name, field] : options_.fields)
      if (!features.contains(name)) throw_missing(name, what);
    if (fields_.empty()) throw DataError(what + ": is an example without features.");
    std::sort(fields_.begin(), fields_.end(),
              [](const auto& left, const auto& right) { return left.key.key < right.key.key; });
    for (size_t i = 1; i < fields_.size(); ++i)
      if (fields_[i].key.key == fields_[i - 1].key.key)
        throw DataError("Two features become the key " + quote(fields_[i].key.key) +
                        ". Give one of them another `key`.");
  }

  [[noreturn]] void throw_missing(const std::string& name, const std::string& what) const {
    std::vector<std::string> names;
    for_each_feature(record(0), what,
                     [&](std::string_view known, const TfFeature&) { names.emplace_back(known); });
    throw DataError(what + ": has no feature " + quote(name) + "." + did_you_mean(name, names));
  }

  static TfrecordField field_of(const std::string& name, const TfFeature& feature,
                                const TfrecordFieldOptions& given, const std::string& what) {
    const std::string key = given.key.empty() ? name : given.key;
    return {name, feature.kind, {key, spec_of(name, feature, given, what)}};
  }

  // From the options, and from the first record what they leave open.
  static Spec spec_of(const std::string& name, const TfFeature& feature,
                      const TfrecordFieldOptions& given, const std::string& what) {
    const bool is_bytes = feature.kind == FeatureKind::kBytes;
    const auto refuse = [&](const std::string& expected) {
      throw DataError(what + ": the feature " + quote(name) + " cannot be read as " + given.as +
                      ", which takes " + expected + ".");
    };
    if (feature.kind == FeatureKind::kNone)
      throw DataError(what + ": the feature " + quote(name) +
                      " is empty, so that nobody knows what it is. Leave it out of `fields`.");
    if (given.as == "image" || given.as == "text" || given.as == "bytes" || is_bytes) {
      if (!is_bytes || given.as == "number" || given.as == "class")
        refuse(is_bytes ? "numbers" : "one value of bytes");
      return bytes_spec(feature, given.as, what);
    }
    if (given.as == "class") {
      if (feature.kind != FeatureKind::kIntegers || given.classes < 1)
        refuse("whole numbers, with `classes` saying how many there are");
      Spec spec = class_key(given.classes);
      spec.shape = shape_of(feature, given);
      return spec;
    }
    Spec spec{.dtype = feature.kind == FeatureKind::kFloats ? DType::kFloat32 : DType::kInt64};
    spec.shape = shape_of(feature, given);
    return spec;
  }

  static Spec bytes_spec(const TfFeature& feature, const std::string& as, const std::string& what) {
    if (as == "image" || (as == "auto" && begins_as_image(only_bytes(feature, what))))
      return encoded_image_key();
    Spec spec = text_key();
    if (as == "bytes") spec.role = Role::kPlain;
    return spec;
  }

  // One value is a single number; several have the length that they have in the first record.
  static std::vector<int64_t> shape_of(const TfFeature& feature,
                                       const TfrecordFieldOptions& given) {
    if (!given.shape.empty()) return given.shape;
    return feature.count == 1 ? std::vector<int64_t>{} : std::vector<int64_t>{feature.count};
  }

  static void read_field(const TfrecordField& field, const TfFeature& feature, const Cell& cell,
                         const std::string& what) {
    const auto fail = [&](const std::string& reason) {
      throw DataError(what + ": the feature " + quote(field.feature) + " " + reason);
    };
    if (feature.kind != field.kind) fail("holds another kind of values than in the first record.");
    if (field.kind == FeatureKind::kBytes) return write_bytes(cell, only_bytes(feature, what));
    const Spec& spec = field.key.spec;
    if (!spec.is_ragged() && feature.count != spec.elements())
      fail("has " + std::to_string(feature.count) + " values, but " +
           std::to_string(spec.elements()) +
           " were expected. Where it differs, give its field `shape: -1`.");
    const View room = spec.is_ragged() ? cell.take({feature.count}) : cell.view();
    if (field.kind == FeatureKind::kFloats) return copy_floats(feature, room.as<float>(), what);
    const auto numbers = room.as<int64_t>();
    copy_integers(feature, numbers, what);
    if (spec.classes == 0) return;
    for (const int64_t number : numbers)
      if (number < 0 || number >= spec.classes)
        fail("is the class " + std::to_string(number) + ", but there are only " +
             std::to_string(spec.classes) + ".");
  }

  Options options_;
  Shards shards_;
  std::vector<TfrecordField> fields_;
};

bool has_known_lengths(const TfrecordFieldOptions& options) {
  if (options.shape == std::vector<int64_t>{kAnyLength}) return true;
  return std::none_of(options.shape.begin(), options.shape.end(),
                      [](int64_t length) { return length < 1; });
}

}  // namespace

const Schema<TfrecordFieldOptions>& TfrecordFieldOptions::schema() {
  using O = TfrecordFieldOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::key, "key", "Its key. Left out: the feature's name.")
          .field(
              &O::as, "as",
              "What it is. By itself, bytes that begin as an image file does are an image, other "
              "bytes text, and numbers are numbers.",
              one_of({"auto", "image", "text", "bytes", "number", "class"}))
          .field(&O::shape, "shape",
                 "Lengths of a list of numbers; -1 alone for one that differs from record to "
                 "record. Left out: as in the first record.",
                 at_least(-1), at_most(1 << 26))
          .field(&O::classes, "classes", "How many classes there are; for `as: class`.",
                 at_least(0))
          .check("'shape' must be -1 alone, or hold lengths from 1 on.", has_known_lengths);
  return schema;
}

const Schema<TfrecordOptions>& TfrecordOptions::schema() {
  using O = TfrecordOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::files, "files",
                 "TFRecord files of tf.Example, also by patterns such as train-*; those that are "
                 "gzip are unpacked, up to 1 GiB each and in all that much in memory; the rest "
                 "lies in a file of the cache folder.",
                 is_path(), required(), not_empty())
          .field(&O::fields, "fields",
                 "The features to read, by their names. Left out: all of the first record.");
  return schema;
}

Choice<Source> tfrecord(const TfrecordOptions& options) {
  return choose<Source>("tfrecord", options);
}

void register_tfrecord(Registry<Source>& registry) {
  registry.add<Tfrecord>("tfrecord", "TFRecord files of tf.Example, with their checksums.");
}

}  // namespace hearth::sources
