// The header is made first, since it needs only sizes; then the tensors stream to the disk.
#include "hearth/format/safetensors_writer.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <tuple>
#include <utility>

#include "hearth/base/digest.h"
#include "hearth/base/error.h"
#include "hearth/base/files.h"
#include "hearth/base/text.h"
#include "hearth/format/safetensors.h"

namespace hearth {

namespace {

void check_tensor_view(const TensorView& tensor) {
  if (tensor.name == kDigestName || tensor.name == "__metadata__")
    throw InternalError("write_safetensors: the name " + quote(tensor.name) + " is reserved.");
  const auto bytes = safetensors_bytes(tensor.dtype, tensor.shape);
  if (!bytes || *bytes != tensor.data.size())
    throw InternalError("write_safetensors: tensor " + quote(tensor.name) + " has " +
                        std::to_string(tensor.data.size()) + " bytes, which do not fit its dtype " +
                        quote(tensor.dtype) + " and shape.");
}

void sort_tensors(std::vector<TensorView>& tensors) {
  std::ranges::sort(tensors, {}, [](const TensorView& tensor) {
    return std::tuple(-static_cast<int64_t>(*safetensors_bits(tensor.dtype)),
                      std::string_view(tensor.name));
  });
}

void add_tensor_entry(nlohmann::json& header, const TensorView& tensor, uint64_t& offset) {
  const uint64_t begin = std::exchange(offset, offset + tensor.data.size());
  const bool is_new = header
                          .emplace(tensor.name, nlohmann::json{{"dtype", tensor.dtype},
                                                               {"shape", tensor.shape},
                                                               {"data_offsets", {begin, offset}}})
                          .second;
  if (!is_new)
    throw InternalError("write_safetensors: the name " + quote(tensor.name) + " is there twice.");
}

std::string header_json(const std::vector<TensorView>& tensors, const SafetensorsOptions& options,
                        uint64_t& data_bytes) {
  nlohmann::json header = nlohmann::json::object();
  if (!options.metadata.empty()) header["__metadata__"] = options.metadata;
  for (const TensorView& tensor : tensors) add_tensor_entry(header, tensor, data_bytes);
  try {
    return header.dump();
  } catch (const nlohmann::json::exception&) {
    throw InternalError("write_safetensors: a tensor's name or the metadata is not UTF-8.");
  }
}

// The length and the JSON, padded so that the tensors begin at a multiple of 8.
std::string framed_header(std::string json) {
  json.append((8 - json.size() % 8) % 8, ' ');
  std::string framed;
  for (int shift = 0; shift < 64; shift += 8)
    framed += static_cast<char>((uint64_t{json.size()} >> shift) & 0xff);
  return framed + json;
}

// What is written must be what our own reader takes: its limits on names and sizes hold here too.
void check_readable(std::string_view framed, uint64_t file_bytes) {
  try {
    const auto bytes = std::as_bytes(std::span(framed));
    (void)safetensors_header_length(bytes.first<8>(), file_bytes, "write_safetensors");
    (void)parse_safetensors_header(bytes.subspan(8), file_bytes, "write_safetensors");
  } catch (const DataError& error) {
    throw InternalError(error.what());
  }
}

std::vector<std::byte> digest_footer(std::string_view framed, Sha256& data) {
  Sha256 header;
  header.add(framed);
  const auto magic = std::as_bytes(std::span(kDigestMagic));
  std::vector<std::byte> footer(magic.begin(), magic.end());
  for (const auto& digest : {header.finish(), data.finish()})
    footer.insert(footer.end(), digest.begin(), digest.end());
  return footer;
}

}  // namespace

void write_safetensors(const std::filesystem::path& path, std::vector<TensorView> tensors,
                       const SafetensorsOptions& options) {
  std::ranges::for_each(tensors, check_tensor_view);
  sort_tensors(tensors);
  const std::vector<std::byte> room(kDigestBytes);
  if (options.has_digest) tensors.push_back({std::string(kDigestName), "U8", {kDigestBytes}, room});
  uint64_t data_bytes = 0;
  const std::string framed = framed_header(header_json(tensors, options, data_bytes));
  if (options.has_digest) tensors.pop_back();
  check_readable(framed, framed.size() + data_bytes);
  DurableFile file(path, framed.size() + data_bytes);
  Sha256 digest;
  file.write(framed);
  for (const TensorView& tensor : tensors) {
    file.write(tensor.data);
    if (options.has_digest) digest.add(tensor.data);
  }
  if (options.has_digest) file.write(digest_footer(framed, digest));
  file.commit();
}

}  // namespace hearth
