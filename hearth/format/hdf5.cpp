// A dataset's messages: its shape, type, filters and layout.
#include "hearth/format/hdf5.h"

#include <limits>
#include <utility>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/format/hdf5_bytes.h"
#include "hearth/format/hdf5_chunks.h"
#include "hearth/format/hdf5_objects.h"

namespace hearth {

namespace {

class DatasetReader {
 public:
  DatasetReader(const Hdf5Input& input, std::string what)
      : what_(std::move(what)), input_{input.read, input.file_bytes, what_, input.base} {}

  Hdf5Dataset read(uint64_t address) {
    std::optional<Hdf5Bytes> layout;
    std::optional<Hdf5Bytes> fill;
    for_each_hdf5_message(input_, address, [&](Hdf5MessageKind kind, Hdf5Bytes message) {
      if (kind == Hdf5MessageKind::kDataspace) read_shape(message);
      if (kind == Hdf5MessageKind::kDatatype) read_type(message);
      if (kind == Hdf5MessageKind::kFilters) read_filters(message);
      if (kind == Hdf5MessageKind::kFillValue) fill.emplace(std::move(message));
      if (kind == Hdf5MessageKind::kLayout) layout.emplace(std::move(message));
      if (kind == Hdf5MessageKind::kExternalFiles)
        message.fail("keeps its numbers in other files." + std::string(kHdf5Again));
    });
    if (!has_shape_ || !has_type_ || !layout)
      throw DataError(what_ + ": the HDF5 file is damaged: an array has no shape, type or place.");
    if (fill) read_fill(*fill);
    read_layout(*layout);
    return std::move(dataset_);
  }

 private:
  void read_shape(Hdf5Bytes& message) {
    const uint64_t version = message.number(1);
    const uint64_t rank = message.number(1);
    message.skip(1);
    const uint64_t kind = message.number(1);  // nothing in version 1
    if (version == 1) message.skip(4);
    if (version != 1 && version != 2)
      message.fail("the HDF5 file is damaged: a shape of version " + std::to_string(version) + ".");
    if (version == 2 && kind == 2) message.fail("is an empty array without a shape.");
    if (rank > 32)
      message.fail("has " + std::to_string(rank) + " dimensions, but HDF5 has 32 at most.");
    uint64_t elements = 1;
    for (uint64_t i = 0; i < rank; ++i) {
      const uint64_t length = message.number(8);
      if (length > static_cast<uint64_t>(std::numeric_limits<int64_t>::max()) / 8 / elements)
        message.fail("the HDF5 file is damaged: an array larger than any file.");
      elements *= length > 0 ? length : 1;
      dataset_.shape.push_back(static_cast<int64_t>(length));
    }
    has_shape_ = true;
  }

  void read_type(Hdf5Bytes& message) {
    const uint64_t head = message.number(1);
    const uint64_t bits = message.number(3);
    const uint64_t bytes = message.number(4);
    has_type_ = true;
    switch (head & 15) {
      case 0:
        return read_whole_number(message, bits, bytes);
      case 1:
        return read_float(message, bits, bytes);
      case 8:
        return read_enumeration(message, head >> 4, bits & 0xFFFF);
      default:
        break;
    }
    static constexpr const char* kNames[] = {
        "whole numbers", "floats",  "times",      "texts",        "bit fields",
        "bytes",         "records", "references", "enumerations", "lists or texts of any length",
        "arrays"};
    const uint64_t kind = head & 15;
    message.fail("holds " + std::string(kind <= 10 ? kNames[kind] : "something unknown") +
                 ", but only arrays of numbers can be read.");
  }

  void read_whole_number(Hdf5Bytes& message, uint64_t bits, uint64_t bytes) {
    const bool is_signed = (bits & 8) != 0;
    const uint64_t offset = message.number(2);
    const uint64_t precision = message.number(2);
    if (offset != 0 || precision != bytes * 8)
      message.fail("holds whole numbers of " + std::to_string(precision) + " bits in " +
                   std::to_string(bytes) + " bytes." + kHdf5Again);
    dataset_.is_swapped = (bits & 1) != 0 && bytes > 1;
    if (bytes == 1)
      dataset_.type = is_signed ? ArrayType::kInt8 : ArrayType::kUint8;
    else if (bytes == 2)
      dataset_.type = is_signed ? ArrayType::kInt16 : ArrayType::kUint16;
    else if (bytes == 4)
      dataset_.type = is_signed ? ArrayType::kInt32 : ArrayType::kUint32;
    else if (bytes == 8 && is_signed)
      dataset_.type = ArrayType::kInt64;
    else
      message.fail("holds " + std::string(is_signed ? "" : "unsigned ") + "whole numbers of " +
                   std::to_string(bytes) + " bytes, which Hearth does not compute with.");
  }

  void read_float(Hdf5Bytes& message, uint64_t bits, uint64_t bytes) {
    const uint64_t offset = message.number(2);
    const uint64_t precision = message.number(2);
    message.skip(1);
    const uint64_t exponent = message.number(1);
    message.skip(1);
    const uint64_t mantissa = message.number(1);
    const auto is = [&](uint64_t size, uint64_t exponent_bits, uint64_t mantissa_bits) {
      return bytes == size && offset == 0 && precision == size * 8 && exponent == exponent_bits &&
             mantissa == mantissa_bits;
    };
    dataset_.is_swapped = (bits & 1) != 0;
    if (is(4, 8, 23))
      dataset_.type = ArrayType::kFloat32;
    else if (is(8, 11, 52))
      dataset_.type = ArrayType::kFloat64;
    else if (is(2, 5, 10))
      dataset_.type = ArrayType::kFloat16;
    else if (is(2, 8, 7))
      dataset_.type = ArrayType::kBFloat16;
    else
      message.fail("holds floats of " + std::to_string(bytes) + " bytes in an unusual form." +
                   kHdf5Again);
  }

  // h5py writes truth values as an enumeration of FALSE and TRUE; others are their numbers.
  void read_enumeration(Hdf5Bytes& message, uint64_t version, uint64_t members) {
    read_type(message);
    if (members != 2 || size_of(dataset_.type) != 1) return;
    const auto name = [&]() -> std::string {
      std::string text(message.take(version < 3 ? 8 : message.rest() > 11 ? 6 : 5));
      return text.substr(0, text.find('\0'));
    };
    if (message.rest() < 13) return;
    if (name() == "FALSE" && name() == "TRUE") dataset_.type = ArrayType::kBool;
  }

  void read_filters(Hdf5Bytes& message) {
    const uint64_t version = message.number(1);
    const uint64_t count = message.number(1);
    if (version == 1) message.skip(6);
    if (version != 1 && version != 2)
      message.fail("the HDF5 file is damaged: filters of version " + std::to_string(version) + ".");
    for (uint64_t i = 0; i < count; ++i) {
      const uint64_t id = message.number(2);
      const uint64_t name_bytes = version == 1 || id >= 256 ? message.number(2) : 0;
      message.skip(2);
      const uint64_t values = message.number(2);
      std::string name(message.take(version == 1 ? (name_bytes + 7) / 8 * 8 : name_bytes));
      message.skip(4 * (values + (version == 1 ? values % 2 : 0)));
      add_filter(id, name.substr(0, name.find('\0')), message);
    }
  }

  void add_filter(uint64_t id, const std::string& name, const Hdf5Bytes& message) {
    const auto kind = static_cast<Hdf5Filter::Kind>(id);
    if (kind != Hdf5Filter::Kind::kDeflate && kind != Hdf5Filter::Kind::kShuffle &&
        kind != Hdf5Filter::Kind::kChecksum && kind != Hdf5Filter::Kind::kLzf)
      message.fail("was packed by the filter " + std::to_string(id) +
                   (name.empty() ? "" : " " + quote(name)) +
                   ", but only gzip, lzf, shuffle and fletcher32 can be read. Write it again with "
                   "compression='gzip'.");
    dataset_.filters.push_back({kind});
  }

  void read_fill(Hdf5Bytes& message) {
    const uint64_t version = message.number(1);
    bool is_there = false;
    if (version == 3) {
      is_there = (message.number(1) & 0x20) != 0;
    } else {
      message.skip(2);
      is_there = message.number(1) != 0;
    }
    if (!is_there) return;
    const uint64_t bytes = message.number(4);
    if (bytes != size_of(dataset_.type)) return;
    for (const char byte : message.take(bytes))
      dataset_.fill.push_back(static_cast<std::byte>(static_cast<unsigned char>(byte)));
  }

  void read_layout(Hdf5Bytes& layout) {
    const uint64_t version = layout.number(1);
    if (version != 3 && version != 4)
      layout.fail("was written by an HDF5 before 1.6, or by a newer one than is known." +
                  std::string(kHdf5Again));
    const uint64_t kind = layout.number(1);
    if (kind == 0) return read_compact(layout);
    if (kind == 1) return read_contiguous(layout);
    if (kind == 2) return read_hdf5_chunks(input_, version, layout, dataset_);
    layout.fail("is a virtual array, made of parts of other files." + std::string(kHdf5Again));
  }

  [[nodiscard]] uint64_t all_bytes() const {
    uint64_t bytes = size_of(dataset_.type);
    for (const int64_t length : dataset_.shape) bytes *= static_cast<uint64_t>(length);
    return bytes;
  }

  // Few bytes in the header itself.
  void read_compact(Hdf5Bytes& layout) {
    const uint64_t bytes = layout.number(2);
    if (bytes < all_bytes()) layout.fail("the HDF5 file is damaged: it holds less than its array.");
    const std::string_view numbers = layout.take(all_bytes());
    dataset_.compact.assign(reinterpret_cast<const std::byte*>(numbers.data()),
                            reinterpret_cast<const std::byte*>(numbers.data()) + numbers.size());
  }

  void read_contiguous(Hdf5Bytes& layout) {
    const uint64_t begin = layout.number(8);
    if (begin == kHdf5Nowhere) return;  // nothing was written yet
    if (begin > input_.file_bytes - input_.base ||
        all_bytes() > input_.file_bytes - input_.base - begin)
      layout.fail("the HDF5 file is cut off: an array lies beyond its " +
                  std::to_string(input_.file_bytes) + " bytes.");
    dataset_.data_begin = input_.base + begin;
  }

  std::string what_;
  Hdf5Input input_;
  Hdf5Dataset dataset_;
  bool has_shape_ = false;
  bool has_type_ = false;
};

}  // namespace

Hdf5File::Hdf5File(ReadBytes read, uint64_t file_bytes, std::string what)
    : read_(std::move(read)), bytes_(file_bytes), what_(std::move(what)) {
  Hdf5Input input{read_, bytes_, what_};
  const uint64_t root = find_hdf5_root(input);
  base_ = input.base;
  datasets_ = find_hdf5_datasets(input, root);
}

Hdf5Dataset Hdf5File::dataset(const std::string& path) const {
  const Hdf5Input input{read_, bytes_, what_, base_};
  return DatasetReader(input, what_ + ": dataset " + quote(path)).read(datasets_.at(path));
}

}  // namespace hearth
