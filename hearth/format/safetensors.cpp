// Opening a safetensors file, reading tensors from it, and checking its digest.
#include "hearth/format/safetensors.h"

#include <algorithm>

#include "hearth/base/digest.h"
#include "hearth/base/error.h"
#include "hearth/base/text.h"

namespace hearth {

namespace {

constexpr uint64_t kVerifyBlock = 1 << 20;

bool is_digest_entry(const TensorEntry& entry) {
  return entry.name == kDigestName && entry.dtype == "U8" &&
         entry.shape == std::vector<int64_t>{kDigestBytes};
}

}  // namespace

SafetensorsFile::SafetensorsFile(std::filesystem::path path)
    : path_(std::move(path)), file_(open_to_read(path_)) {
  const uint64_t bytes = file_size(file_, path_);
  if (bytes < 8)
    throw DataError(path_.string() + ": not a safetensors file: it has only " +
                    std::to_string(bytes) + " bytes.");
  std::array<std::byte, 8> first{};
  read_at(file_, 0, first, path_);
  std::vector<std::byte> json(safetensors_header_length(first, bytes, path_.string()));
  read_at(file_, first.size(), json, path_);
  header_ = parse_safetensors_header(json, bytes, path_.string());
  Sha256 digest;
  digest.add(first);
  digest.add(json);
  header_digest_ = digest.finish();
  if (!header_.entries.empty() && is_digest_entry(header_.entries.back())) {
    digest_ = std::move(header_.entries.back());
    header_.entries.pop_back();
  }
  for (size_t i = 0; i < header_.entries.size(); ++i) index_.emplace(header_.entries[i].name, i);
}

const TensorEntry* SafetensorsFile::find(std::string_view name) const {
  const auto place = index_.find(name);
  return place == index_.end() ? nullptr : &header_.entries[place->second];
}

void SafetensorsFile::read(std::string_view name, std::span<std::byte> into) const {
  const TensorEntry* entry = find(name);
  if (!entry) {
    std::vector<std::string> names;
    for (const TensorEntry& known : entries()) names.push_back(known.name);
    throw DataError(path_.string() + ": has no tensor " + quote(name) + "." +
                    did_you_mean(name, names));
  }
  if (entry->bytes() != into.size())
    throw DataError(path_.string() + ": tensor " + quote(name) + " has " +
                    std::to_string(entry->bytes()) + " bytes, expected " +
                    std::to_string(into.size()) + ".");
  read_part(*entry, 0, into);
}

void SafetensorsFile::read_part(const TensorEntry& entry, uint64_t offset,
                                std::span<std::byte> into) const {
  if (offset > entry.bytes() || into.size() > entry.bytes() - offset)
    throw InternalError(path_.string() + ": a part of tensor " + quote(entry.name) +
                        " was asked for that it does not have.");
  read_at(file_, header_.data_begin + entry.begin + offset, into, path_);
}

std::array<std::byte, kDigestBytes> SafetensorsFile::stored_digest() const {
  if (!digest_)
    throw DataError(path_.string() +
                    ": has no digest, so damage cannot be ruled out. It was not written by Hearth, "
                    "or was changed by another tool.");
  std::array<std::byte, kDigestBytes> stored{};
  read_at(file_, header_.data_begin + digest_->begin, stored, path_);
  return stored;
}

std::array<std::byte, 32> SafetensorsFile::data_digest(uint64_t bytes) const {
  std::vector<std::byte> block(static_cast<size_t>(std::min(bytes, kVerifyBlock)));
  Sha256 digest;
  for (uint64_t done = 0; done < bytes; done += block.size()) {
    block.resize(static_cast<size_t>(std::min(bytes - done, kVerifyBlock)));
    read_at(file_, header_.data_begin + done, block, path_);
    digest.add(block);
  }
  return digest.finish();
}

void SafetensorsFile::verify_digest() const {
  const auto stored = stored_digest();
  const std::span part(stored);
  const auto magic = std::as_bytes(std::span(kDigestMagic));
  const auto check = [&](bool holds, const char* reason) {
    if (!holds) throw DataError(path_.string() + ": " + reason + " Use another copy of the file.");
  };
  check(std::ranges::equal(part.first(magic.size()), magic),
        "its digest is damaged: it does not start with HEARTH01.");
  check(std::ranges::equal(part.subspan(magic.size(), 32), header_digest_),
        "its header was changed after it was written: the SHA-256 differs.");
  check(std::ranges::equal(part.last(32), data_digest(digest_->begin)),
        "its tensors were changed after they were written: the SHA-256 differs.");
}

}  // namespace hearth
