// Rows of the tensors in a safetensors file: the header when opened, rows when they are read.
#include "hearth/data/sources/safetensors.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/data/array/array_rows.h"
#include "hearth/data/opened_file.h"
#include "hearth/format/safetensors.h"

namespace hearth::sources {

namespace {

constexpr std::array<std::pair<std::string_view, ArrayType>, 12> kTensorTypes = {
    {{"BOOL", ArrayType::kBool},
     {"U8", ArrayType::kUint8},
     {"I8", ArrayType::kInt8},
     {"I16", ArrayType::kInt16},
     {"U16", ArrayType::kUint16},
     {"I32", ArrayType::kInt32},
     {"U32", ArrayType::kUint32},
     {"I64", ArrayType::kInt64},
     {"F16", ArrayType::kFloat16},
     {"BF16", ArrayType::kBFloat16},
     {"F32", ArrayType::kFloat32},
     {"F64", ArrayType::kFloat64}}};

ArrayType tensor_type_of(const TensorEntry& entry, const std::string& what) {
  for (const auto& [name, type] : kTensorTypes)
    if (name == entry.dtype) return type;
  throw DataError(what + ": holds numbers of type " + entry.dtype +
                  ", which Hearth does not compute with.");
}

class SafetensorsSource : public Source {
 public:
  using Options = SafetensorsOptions;
  explicit SafetensorsSource(Options options) : options_(std::move(options)) {}

  void open() override {
    opened_.open(options_.file);
    file_ = std::make_shared<const SafetensorsFile>(options_.file);
    std::vector<std::string> wanted = options_.tensors;
    if (wanted.empty())
      for (const TensorEntry& entry : file_->entries()) wanted.push_back(entry.name);
    if (wanted.empty()) throw DataError(options_.file + ": holds no tensor.");
    std::sort(wanted.begin(), wanted.end());
    for (const std::string& name : wanted) add(name);
    table_.finish({options_.classes, options_.images});
  }

  std::vector<KeySpec> keys() const override { return table_.keys(); }
  int64_t size() const override { return table_.size(); }
  void read(int64_t index, std::span<const Cell> cells) const override {
    table_.read(index, cells);
  }

  std::string fingerprint() const override {
    Sha256 digest;
    opened_.add_to(digest);
    return "safetensors:sha256:" + digest.finish_hex();
  }
  std::string describe(int64_t index) const override {
    return opened_.path.filename().string() + "[" + std::to_string(index) + "]";
  }

 private:
  void add(const std::string& name) {
    const TensorEntry* entry = file_->find(name);
    if (entry == nullptr) {
      std::vector<std::string> known;
      for (const TensorEntry& other : file_->entries()) known.push_back(other.name);
      throw ConfigError("tensors: " + options_.file + " has no tensor " + quote(name) + "." +
                        did_you_mean(name, known));
    }
    const std::string what = options_.file + ": tensor " + quote(name);
    table_.add({name,
                {.type = tensor_type_of(*entry, what), .shape = entry->shape},
                [file = file_, entry](uint64_t offset, std::span<std::byte> into) {
                  file->read_part(*entry, offset, into);
                },
                what});
  }

  Options options_;
  OpenedFile opened_;  // for its digest
  std::shared_ptr<const SafetensorsFile> file_;
  ArrayTable table_;
};

}  // namespace

const Schema<SafetensorsOptions>& SafetensorsOptions::schema() {
  using O = SafetensorsOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::file, "file",
                 "The file; every tensor in it is a key of its name, a row of it a sample.",
                 is_path(), required(), not_empty())
          .field(&O::tensors, "tensors", "Which of its tensors to take; left out: all.")
          .field(&O::classes, "classes",
                 "Which keys hold class numbers, and of how many classes: {label: 10}.",
                 at_least(1))
          .field(&O::images, "images",
                 "Which keys are images: bytes from 0 to 255, or float32 from 0 to 1, of [rows, "
                 "height, width] or [rows, height, width, channels].");
  return schema;
}

Choice<Source> safetensors(const SafetensorsOptions& options) {
  return choose<Source>("safetensors", options);
}

void register_safetensors(Registry<Source>& registry) {
  registry.add<SafetensorsSource>("safetensors", "Rows of the tensors in a safetensors file.");
}

}  // namespace hearth::sources
