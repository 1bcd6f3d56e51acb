// Rows of the tensors in a safetensors file: the header when opened, rows when they are read.
#include "hearth/data/sources/safetensors.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/data/array/array_source.h"
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

struct SafetensorsForm {
  using Options = SafetensorsOptions;
  static constexpr const char* kName = "safetensors";

  static void open(const Options& options, ArrayFiles& opened) {
    (void)opened.open(options.file);  // for its digest
    const auto file = std::make_shared<const SafetensorsFile>(options.file);
    std::vector<std::string> known;
    for (const TensorEntry& entry : file->entries()) known.push_back(entry.name);
    check_array_names(options.tensors, known, "tensors", options.file);
    std::vector<std::string> wanted = options.tensors.empty() ? known : options.tensors;
    if (wanted.empty()) throw DataError(options.file + ": holds no tensor.");
    std::sort(wanted.begin(), wanted.end());
    for (const std::string& name : wanted) {
      const TensorEntry* entry = file->find(name);
      const std::string what = options.file + ": tensor " + quote(name);
      opened.table.add({name,
                        {.type = tensor_type_of(*entry, what), .shape = entry->shape},
                        [file, entry](uint64_t offset, std::span<std::byte> into) {
                          file->read_part(*entry, offset, into);
                        },
                        what});
    }
  }
};

}  // namespace

const Schema<SafetensorsOptions>& SafetensorsOptions::schema() {
  using O = SafetensorsOptions;
  static const auto schema = [] {
    Schema<O> fields;
    fields
        .field(&O::file, "file",
               "The file; every tensor in it is a key of its name, a row of it a sample.",
               is_path(), required(), not_empty())
        .field(&O::tensors, "tensors", "Which of its tensors to take; left out: all.");
    add_array_fields(fields);
    return fields;
  }();
  return schema;
}

Choice<Source> safetensors(const SafetensorsOptions& options) {
  return choose<Source>("safetensors", options);
}

void register_safetensors(Registry<Source>& registry) {
  registry.add<ArraySource<SafetensorsForm>>("safetensors",
                                             "Rows of the tensors in a safetensors file.");
}

}  // namespace hearth::sources
