// Weights as an archive of torch.save's or of NumPy's.
#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/format/array_names.h"
#include "hearth/format/npy.h"
#include "hearth/format/weight_file.h"
#include "hearth/format/zip_writer.h"

namespace hearth {

namespace {

// Protocol 2, which every PyTorch reads, also with weights_only.
class PickleWriter {
 public:
  PickleWriter() { text_ = "\x80\x02"; }
  void code(std::string_view letters) { text_ += letters; }
  void name(std::string_view module, std::string_view word) {
    text_ += "c" + std::string(module) + "\n" + std::string(word) + "\n";
  }
  void text(std::string_view text) {
    text_ += 'X';
    add(text.size(), 4);
    text_ += text;
  }
  void number(uint64_t number) {
    if (number <= 0x7fffffff) {
      text_ += 'J';
      return add(number, 4);
    }
    text_ += "\x8a\x09";  // with a byte more, for the sign
    add(number, 9);
  }
  void tuple(const std::vector<int64_t>& numbers) {
    text_ += '(';
    for (const int64_t value : numbers) number(static_cast<uint64_t>(value));
    text_ += 't';
  }
  [[nodiscard]] const std::string& all() const { return text_; }

 private:
  void add(uint64_t number, int bytes) {
    for (int i = 0; i < bytes; ++i)
      text_ += static_cast<char>(i < 8 ? number >> (8 * i) & 0xffU : 0);
  }
  std::string text_;
};

std::vector<int64_t> dense_strides(const std::vector<int64_t>& shape) {
  std::vector<int64_t> strides(shape.size(), 1);
  for (size_t i = shape.size(); i-- > 1;)
    strides[i - 1] = strides[i] * std::max<int64_t>(shape[i], 1);
  return strides;
}

void add_pt_tensor(PickleWriter& out, const WeightView& tensor, size_t key) {
  const uint64_t count = tensor.data.size() / size_of(tensor.type);
  out.text(tensor.name);
  out.name("torch._utils", "_rebuild_tensor_v2");
  out.code("((");
  out.text("storage");
  out.name("torch", names_of(tensor.type).storage);
  out.text(std::to_string(key));
  out.text("cpu");
  out.number(count);
  out.code("tQ");
  out.number(0);
  out.tuple(tensor.shape);
  out.tuple(dense_strides(tensor.shape));
  out.code("\x89");  // needs no gradient
  out.name("collections", "OrderedDict");
  out.code(")RtR");
}

std::string pt_pickle(const std::vector<WeightView>& tensors) {
  PickleWriter out;
  out.code("}(");
  for (size_t i = 0; i < tensors.size(); ++i) add_pt_tensor(out, tensors[i], i);
  out.code("u.");
  return out.all();
}

void check_type(const WeightView& tensor, std::string_view known, const std::string& format) {
  if (known.empty())
    throw DataError("tensor " + quote(tensor.name) + " is " + name_of(tensor.type) + ", which " +
                    format +
                    " does not have. Write .safetensors, or convert with --dtype float32.");
}

}  // namespace

void write_pt(const std::filesystem::path& path, const std::vector<WeightView>& tensors) {
  for (const WeightView& tensor : tensors)
    check_type(tensor, names_of(tensor.type).storage, "PyTorch");
  ZipWriter zip(path);
  zip.add("archive/data.pkl", pt_pickle(tensors));
  for (size_t i = 0; i < tensors.size(); ++i)
    zip.add("archive/data/" + std::to_string(i), {tensors[i].data});
  zip.add("archive/version", "3\n");
  zip.finish();
}

void write_npz(const std::filesystem::path& path, const std::vector<WeightView>& tensors) {
  ZipWriter zip(path);
  for (const WeightView& tensor : tensors) {
    const std::string_view type = names_of(tensor.type).npy;
    check_type(tensor, type, "NumPy");
    const std::string header = encode_npy(type, tensor.shape, {});
    zip.add(tensor.name + ".npy", {std::as_bytes(std::span(header)), tensor.data});
  }
  zip.finish();
}

}  // namespace hearth
