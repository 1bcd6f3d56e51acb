// For tests: numbers from Python's torch, kept as JSON beside this file.
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/ops/tensor.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace hearth {

inline nlohmann::json load_parity(const std::string& name) {
  std::ifstream file(std::string(HEARTH_SOURCE_DIR) + "/tests/parity/" + name);
  return nlohmann::json::parse(file);
}

inline at::Tensor parity_tensor(const nlohmann::json& values, const nlohmann::json& shape) {
  return at::tensor(values.get<std::vector<float>>()).reshape(shape.get<std::vector<int64_t>>());
}

// Of {"shape": [...], "values": [...]}.
inline at::Tensor parity_tensor(const nlohmann::json& json) {
  return parity_tensor(json.at("values"), json.at("shape"));
}

inline void expect_near(const at::Tensor& actual, const at::Tensor& expected, double tolerance) {
  ASSERT_EQ(actual.sizes(), expected.sizes());
  EXPECT_LE(actual.sub(expected).abs().max().item<double>(), tolerance);
}

}  // namespace hearth
