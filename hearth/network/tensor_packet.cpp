// Tensors and values as one row of bytes: the header's size, the header as CBOR, and the tensors'
// values, each beginning at a multiple of 64.
#include "hearth/network/tensor_packet.h"

#include <ATen/ops/empty.h>

#include <cstring>
#include <nlohmann/json.hpp>

#include "hearth/base/error.h"

namespace hearth {
namespace {

constexpr int64_t kAlignment = 64;

int64_t aligned(int64_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; }

Json header_of(const TensorPacket& packet) {
  Json tensors = Json::array();
  for (const at::Tensor& tensor : packet.tensors) {
    if (tensor.defined())
      tensors.push_back({static_cast<int>(tensor.scalar_type()), tensor.sizes().vec()});
    else
      tensors.push_back(nullptr);
  }
  return {{"tensors", std::move(tensors)}, {"values", packet.values}};
}

[[noreturn]] void throw_no_packet(const std::string& why) {
  throw DataError("what another process sent cannot be read: " + why +
                  ". Do all of them run the same program?");
}

// The tensor that the header describes, from the bytes at `at`, which moves on.
at::Tensor tensor_at(const Json& described, std::string_view bytes, int64_t& at) {
  if (described.is_null()) return {};
  const auto type = static_cast<at::ScalarType>(described.at(0).get<int>());
  const auto sizes = described.at(1).get<std::vector<int64_t>>();
  if (type < at::kByte || type >= at::ScalarType::NumOptions) throw_no_packet("an unknown dtype");
  const at::Tensor tensor = at::empty(sizes, at::TensorOptions().dtype(type));
  const auto size = static_cast<int64_t>(tensor.nbytes());
  if (size > static_cast<int64_t>(bytes.size()) - at) throw_no_packet("it ends too early");
  if (size > 0) std::memcpy(tensor.data_ptr(), bytes.data() + at, static_cast<size_t>(size));
  at = aligned(at + size);
  return tensor;
}

}  // namespace

at::Tensor TensorPacket::bytes() const {
  const std::vector<uint8_t> header = Json::to_cbor(header_of(*this));
  const auto header_size = static_cast<uint64_t>(header.size());
  int64_t at = aligned(static_cast<int64_t>(sizeof(header_size) + header.size()));
  const int64_t begin = at;
  for (const at::Tensor& tensor : tensors)
    if (tensor.defined()) at = aligned(at + static_cast<int64_t>(tensor.nbytes()));
  const at::Tensor all = at::empty({at}, at::kByte);
  auto* memory = all.data_ptr<uint8_t>();
  std::memcpy(memory, &header_size, sizeof(header_size));
  std::memcpy(memory + sizeof(header_size), header.data(), header.size());
  at = begin;
  for (const at::Tensor& tensor : tensors) {
    if (!tensor.defined()) continue;
    const at::Tensor ordinary = tensor.detach().to(at::kCPU).contiguous();
    if (ordinary.nbytes() > 0) std::memcpy(memory + at, ordinary.data_ptr(), ordinary.nbytes());
    at = aligned(at + static_cast<int64_t>(ordinary.nbytes()));
  }
  return all;
}

TensorPacket TensorPacket::of(const at::Tensor& bytes) {
  return of(std::string_view(static_cast<const char*>(bytes.data_ptr()),
                             static_cast<size_t>(bytes.numel())));
}

TensorPacket TensorPacket::of(std::string_view bytes) {
  uint64_t header_size = 0;
  const auto most = static_cast<uint64_t>(bytes.size());
  if (most < sizeof(header_size)) throw_no_packet("it is empty");
  std::memcpy(&header_size, bytes.data(), sizeof(header_size));
  if (header_size > most - sizeof(header_size)) throw_no_packet("it ends too early");
  try {
    const std::string_view text = bytes.substr(sizeof(header_size), header_size);
    Json header = Json::from_cbor(text.begin(), text.end());
    TensorPacket packet;
    auto at = aligned(static_cast<int64_t>(sizeof(header_size) + header_size));
    for (const Json& described : header.at("tensors"))
      packet.tensors.push_back(tensor_at(described, bytes, at));
    packet.values = std::move(header.at("values"));
    return packet;
  } catch (const Json::exception& error) {
    throw_no_packet(error.what());
  }
}

TensorPacket packet_of(const State& state) {
  TensorPacket packet;
  Json names = Json::array();
  for (const auto& [name, tensor] : state.tensors) {
    names.push_back(name);
    packet.tensors.push_back(tensor);
  }
  packet.values = {{"names", std::move(names)}, {"values", state.values}};
  return packet;
}

State state_of(const TensorPacket& packet) {
  State state;
  const Json& names = packet.values.at("names");
  for (size_t i = 0; i < packet.tensors.size(); ++i)
    state.tensors.emplace_back(names.at(i).get<std::string>(), packet.tensors[i]);
  state.values = packet.values.at("values");
  return state;
}

}  // namespace hearth
