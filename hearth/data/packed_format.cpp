// The manifest of packed data.
#include "hearth/data/packed_format.h"

#include <zlib.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "hearth/base/error.h"
#include "hearth/base/files.h"
#include "hearth/base/text.h"
#include "hearth/format/json.h"

namespace hearth {

namespace {

constexpr const char* kPackedFormat = "hearth.packed";
constexpr int kPackedVersion = 1;
constexpr uint64_t kMostManifestBytes = 64ULL << 20;

// A file right in the folder: what a manifest says may come from anywhere.
bool is_plain_file_name(const std::string& name) {
  return !name.empty() && name.front() != '.' &&
         std::all_of(name.begin(), name.end(), [](unsigned char letter) {
           return std::isalnum(letter) != 0 || letter == '-' || letter == '_' || letter == '.';
         });
}

PackedShard shard_from(const Json& json, const std::string& what) {
  PackedShard shard{json.at("file").get<std::string>(), json.at("samples").get<int64_t>(),
                    json.at("bytes").get<uint64_t>(), json.at("sha256").get<std::string>()};
  if (!is_plain_file_name(shard.file))
    throw DataError(what + ": the shard " + quote(shard.file) + " is not the name of a file here.");
  constexpr int64_t kMostSamples = int64_t{1} << 40;
  if (shard.samples < 1 || shard.samples > kMostSamples)
    throw DataError(what + ": the shard " + quote(shard.file) + " has " +
                    std::to_string(shard.samples) + " samples.");
  return shard;
}

}  // namespace

int64_t PackedManifest::samples() const {
  int64_t count = 0;
  for (const PackedShard& shard : shards) count += shard.samples;
  return count;
}

std::string PackedManifest::text() const {
  Json json = {{"format", kPackedFormat}, {"version", kPackedVersion}, {"samples", samples()},
               {"made_of", made_of},      {"keys", to_json(keys)},     {"shards", Json::array()}};
  for (const PackedShard& shard : shards)
    json["shards"].push_back({{"file", shard.file},
                              {"samples", shard.samples},
                              {"bytes", shard.bytes},
                              {"sha256", shard.sha256}});
  return json.dump(2) + "\n";
}

PackedManifest read_manifest(const std::filesystem::path& folder) {
  const std::filesystem::path path = folder / kManifestName;
  if (!is_there(path))
    throw DataError(
        folder.string() + " has no " + kManifestName +
        ", so it is no packed data, or packing was not finished. Run `hearth data pack` "
        "again: it goes on where it stopped.");
  const std::string what = path.string();
  const Json json = parse_json(read_file(path, kMostManifestBytes), what);
  try {
    if (json.at("format") != kPackedFormat || json.at("version") != kPackedVersion)
      throw DataError(what + ": expected format " + quote(kPackedFormat) + ", version " +
                      std::to_string(kPackedVersion) + ".");
    PackedManifest manifest{key_specs_from(json.at("keys"), what), {}, json.at("made_of")};
    for (const Json& shard : json.at("shards")) manifest.shards.push_back(shard_from(shard, what));
    if (manifest.shards.empty() || manifest.keys.empty())
      throw DataError(what + ": it names no shard, or no key.");
    return manifest;
  } catch (const Json::exception& error) {
    throw DataError(what + ": not a manifest of packed data: " + error.what());
  }
}

std::string packed_dtype(DType dtype) {
  switch (dtype) {
    case DType::kBool:
      return "BOOL";
    case DType::kUint8:
      return "U8";
    case DType::kInt32:
      return "I32";
    case DType::kInt64:
      return "I64";
    case DType::kFloat16:
      return "F16";
    case DType::kBFloat16:
      return "BF16";
    case DType::kFloat32:
      return "F32";
    case DType::kFloat64:
      return "F64";
  }
  return "";
}

uint32_t packed_checksum(const void* bytes, size_t count) {
  return static_cast<uint32_t>(::crc32_z(0, static_cast<const Bytef*>(bytes), count));
}

}  // namespace hearth
