// A data point as a stranger has it: raw values by key. Needs no LibTorch header.
#pragma once

#include <cstddef>
#include <cstring>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "hearth/core/spec.h"

namespace hearth {

// A file with one value: a picture of any size for an image, a WAV for a sound, a CSV file with one
// row, or text.
struct RawFile {
  std::filesystem::path path;
  bool is_inverted = false;  // dark ink on light paper, where the training data is light on dark
};

// The bytes of a PNG of any size.
struct RawPicture {
  std::string bytes;
  bool is_inverted = false;
};

// As many numbers as the key has; of an image of bytes from 0 for black to 1 for white.
struct RawNumbers {
  std::vector<double> values;
};

struct RawText {
  std::string text;  // UTF-8
};

// Values as the training data's source gives them; images are height x width x channels. A model
// that takes several sizes may be given another one than it was trained with.
struct RawTensor {
  DType dtype = DType::kFloat32;
  std::vector<int64_t> shape;
  std::string bytes;

  template <class T>
  [[nodiscard]] static RawTensor of(DType dtype, std::vector<int64_t> shape,
                                    std::span<const T> values) {
    RawTensor tensor{dtype, std::move(shape), std::string(values.size_bytes(), '\0')};
    if (!values.empty()) std::memcpy(tensor.bytes.data(), values.data(), values.size_bytes());
    return tensor;
  }
};

using RawValue = std::variant<RawFile, RawPicture, RawNumbers, RawText, RawTensor>;

struct RawSample {
  std::string name;  // how messages call it: "scan.png"
  std::map<std::string, RawValue> values = {};
  std::vector<std::string> notes = {};  // for whoever reads the prediction
};

}  // namespace hearth
