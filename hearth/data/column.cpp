// One key of all samples of a source.
#include "hearth/data/column.h"

#include <algorithm>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/data/sample_reader.h"

namespace hearth {

namespace {

bool is_single_value(const Spec& spec) {
  return std::all_of(spec.shape.begin(), spec.shape.end(),
                     [](int64_t length) { return length == 1; });
}

bool is_whole_dtype(DType dtype) {
  return dtype == DType::kBool || dtype == DType::kUint8 || dtype == DType::kInt32 ||
         dtype == DType::kInt64;
}

bool is_number_dtype(DType dtype) {
  return is_whole_dtype(dtype) || dtype == DType::kFloat32 || dtype == DType::kFloat64;
}

bool is_text_spec(const Spec& spec) {
  return spec.dtype == DType::kUint8 && spec.shape.size() == 1;
}

size_t asked_place(const std::vector<KeySpec>& keys, const ColumnKey& asked) {
  std::vector<std::string> names;
  for (size_t k = 0; k < keys.size(); ++k) {
    if (keys[k].key == asked.key) return k;
    names.push_back(keys[k].key);
  }
  throw DataError(asked.reader + ": the source has no key " + quote(asked.key) + "." +
                  did_you_mean(asked.key, names));
}

void check_column(bool holds, const Spec& spec, const ColumnKey& asked,
                  const std::string& expected) {
  if (holds) return;
  throw DataError(asked.reader + ": key " + quote(asked.key) + " must hold " + expected +
                  ", but is " + spec.text() + ".");
}

template <class Value>
Value column_number(const View& view) {
  switch (view.spec->dtype) {
    case DType::kBool:
    case DType::kUint8:
      return static_cast<Value>(view.as<uint8_t>()[0]);
    case DType::kInt32:
      return static_cast<Value>(view.as<int32_t>()[0]);
    case DType::kFloat32:
      return static_cast<Value>(view.as<float>()[0]);
    case DType::kFloat64:
      return static_cast<Value>(view.as<double>()[0]);
    default:
      return static_cast<Value>(view.as<int64_t>()[0]);
  }
}

std::string column_text(const View& view) {
  return {reinterpret_cast<const char*>(view.data), view.elements()};
}

void check_column_size(const Source& source, const ColumnKey& asked) {
  if (source.size() <= kMostColumnSamples) return;
  throw DataError(asked.reader + ": the source has " +
                  human_count(static_cast<uint64_t>(source.size())) + " samples, but " +
                  human_count(kMostColumnSamples) + " is the most whose " + quote(asked.key) +
                  " it can look at. Take a subset of it.");
}

template <class Value, class Take>
std::vector<Value> read_column(const Source& source, const ColumnKey& asked, const Take& take) {
  check_column_size(source, asked);
  const size_t place = asked_place(source.keys(), asked);
  const int64_t samples = source.size();
  std::vector<Value> values(static_cast<size_t>(samples));
  for_each_stretch(samples, [&](int64_t begin, int64_t end) {
    SampleReader reader(source, {place});
    for (int64_t i = begin; i < end; ++i) {
      try {
        values[static_cast<size_t>(i)] = take(reader.read(i)[0]);
      } catch (const std::exception& error) {
        throw DataError(asked.reader + ": " + source.describe(i) + ": " + error.what());
      }
    }
  });
  return values;
}

template <class Value>
GroupColumn grouped_values(const std::vector<Value>& values) {
  std::vector<Value> distinct = values;
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  GroupColumn column{{}, static_cast<int64_t>(distinct.size())};
  column.group_of.reserve(values.size());
  for (const Value& value : values)
    column.group_of.push_back(std::lower_bound(distinct.begin(), distinct.end(), value) -
                              distinct.begin());
  return column;
}

}  // namespace

Spec column_spec(const Source& source, const ColumnKey& asked) {
  const std::vector<KeySpec> keys = source.keys();
  return keys[asked_place(keys, asked)].spec;
}

std::vector<int64_t> class_column(const Source& source, const ColumnKey& asked) {
  const Spec spec = column_spec(source, asked);
  check_column(spec.role == Role::kClass && spec.dtype == DType::kInt64 && spec.shape.empty(), spec,
               asked, "one class number");
  return read_column<int64_t>(source, asked, [&](const View& view) {
    const int64_t label = view.as<int64_t>()[0];
    if (label < 0 || label >= spec.classes)
      throw DataError("class " + std::to_string(label) + " is not one of the " +
                      std::to_string(spec.classes) + ".");
    return label;
  });
}

std::vector<double> number_column(const Source& source, const ColumnKey& asked) {
  const Spec spec = column_spec(source, asked);
  check_column(is_single_value(spec) && is_number_dtype(spec.dtype), spec, asked, "one number");
  return read_column<double>(source, asked, column_number<double>);
}

std::vector<int64_t> whole_column(const Source& source, const ColumnKey& asked) {
  const Spec spec = column_spec(source, asked);
  check_column(is_single_value(spec) && is_whole_dtype(spec.dtype), spec, asked,
               "one whole number");
  return read_column<int64_t>(source, asked, column_number<int64_t>);
}

bool is_text_column(const Source& source, const ColumnKey& asked) {
  return is_text_spec(column_spec(source, asked));
}

std::vector<std::string> text_column(const Source& source, const ColumnKey& asked) {
  const Spec spec = column_spec(source, asked);
  check_column(is_text_spec(spec), spec, asked, "a text");
  return read_column<std::string>(source, asked, column_text);
}

std::vector<int64_t> length_column(const Source& source, const ColumnKey& asked) {
  const Spec spec = column_spec(source, asked);
  if (is_single_value(spec) && is_whole_dtype(spec.dtype)) return whole_column(source, asked);
  check_column(spec.is_ragged(), spec, asked, "values of different lengths, or one whole number");
  return read_column<int64_t>(source, asked, [](const View& view) { return view.shape[0]; });
}

GroupColumn group_column(const Source& source, const ColumnKey& asked) {
  if (is_text_column(source, asked)) return grouped_values(text_column(source, asked));
  const Spec spec = column_spec(source, asked);
  check_column(is_single_value(spec) && is_whole_dtype(spec.dtype), spec, asked,
               "one whole number or a text");
  return grouped_values(whole_column(source, asked));
}

}  // namespace hearth
