// An index's file: who it is of, the table, the texts, and a digest of all that before it.
#include "hearth/data/offset_index.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>

#include "hearth/base/digest.h"
#include "hearth/base/error.h"

namespace hearth {

namespace {

constexpr uint64_t kIndexLimitBytes = 8ULL << 30;
constexpr size_t kDigestLetters = 64;

class IndexWriter {
 public:
  void add(uint64_t number) {
    bytes_.append(reinterpret_cast<const char*>(&number), sizeof(number));
  }
  void add(std::string_view text) {
    add(static_cast<uint64_t>(text.size()));
    bytes_ += text;
  }
  void add(const std::vector<uint64_t>& numbers) {
    add(static_cast<uint64_t>(numbers.size()));
    bytes_.append(reinterpret_cast<const char*>(numbers.data()), numbers.size() * 8);
  }
  [[nodiscard]] std::string finish() && { return bytes_ + sha256_hex(bytes_); }

 private:
  std::string bytes_;
};

// Every length is checked, although the digest fits by then: nothing of a file is trusted.
class IndexReader {
 public:
  explicit IndexReader(std::string_view bytes) : bytes_(bytes) {}
  uint64_t number() {
    uint64_t value = 0;
    const std::string_view taken = take(sizeof(value));
    std::memcpy(&value, taken.data(), sizeof(value));
    return value;
  }
  std::string_view text() { return take(number()); }
  std::vector<uint64_t> numbers() {
    const uint64_t count = number();
    if (count > bytes_.size() / 8) throw DataError("an index ends too early.");
    std::vector<uint64_t> values(static_cast<size_t>(count));
    const std::string_view taken = take(count * 8);
    if (count > 0) std::memcpy(values.data(), taken.data(), taken.size());
    return values;
  }

 private:
  std::string_view take(uint64_t count) {
    if (count > bytes_.size()) throw DataError("an index ends too early.");
    const std::string_view taken = bytes_.substr(0, static_cast<size_t>(count));
    bytes_.remove_prefix(static_cast<size_t>(count));
    return taken;
  }
  std::string_view bytes_;
};

// Path, size, time, number on the disk and beginning: a file that has all of them is the same.
std::string identity_of(const OffsetIndexRequest& request) {
  constexpr uint64_t kBeginningBytes = 4096;
  const FileStamp stamp = stamp_of(request.file, request.path);
  std::string beginning(std::min(stamp.bytes, kBeginningBytes), '\0');
  read_at(request.file, 0, std::as_writable_bytes(std::span(beginning)), request.path);
  std::string text = "hearth index 1\n" + std::filesystem::absolute(request.path).string() + "\n";
  for (const uint64_t part :
       {stamp.device, stamp.number, stamp.bytes, static_cast<uint64_t>(stamp.changed_at)})
    text += std::to_string(part) + " ";
  return text + sha256_hex(beginning) + "\n" + request.kind;
}

std::string index_bytes(const OffsetIndex& index, const std::string& identity) {
  IndexWriter writer;
  writer.add(identity);
  writer.add(index.columns);
  writer.add(index.numbers);
  writer.add(static_cast<uint64_t>(index.texts.size()));
  for (const std::string& text : index.texts) writer.add(text);
  return std::move(writer).finish();
}

OffsetIndex index_from(std::string_view bytes, const std::string& identity) {
  if (bytes.size() < kDigestLetters) throw DataError("an index ends too early.");
  const std::string_view content = bytes.substr(0, bytes.size() - kDigestLetters);
  if (sha256_hex(content) != bytes.substr(content.size())) throw DataError("an index is damaged.");
  IndexReader reader(content);
  if (reader.text() != identity) throw DataError("an index is of another file.");
  OffsetIndex index;
  index.columns = reader.number();
  index.numbers = reader.numbers();
  if (index.columns == 0 || index.numbers.size() % index.columns != 0)
    throw DataError("an index is damaged.");
  for (uint64_t left = reader.number(); left > 0; --left) index.texts.emplace_back(reader.text());
  return index;
}

// Nothing when it cannot be used, for whatever reason: it is found again then.
std::optional<OffsetIndex> kept_index(const std::filesystem::path& path,
                                      const std::string& identity) {
  try {
    if (!is_there(path)) return std::nullopt;
    return index_from(read_file(path, kIndexLimitBytes), identity);
  } catch (const Error&) {
    return std::nullopt;
  }
}

// A full or foreign disk is no reason not to train.
void keep_index(const std::filesystem::path& path, const std::string& bytes) {
  try {
    make_folder(path.parent_path());
    write_file_durably(path, bytes);
  } catch (const Error&) {
  }
}

}  // namespace

uint64_t OffsetIndex::resident_bytes() const {
  uint64_t bytes = numbers.capacity() * sizeof(uint64_t);
  for (const std::string& text : texts) bytes += sizeof(text) + text.size();
  return bytes;
}

std::filesystem::path cache_folder() {
  if (const char* folder = std::getenv("XDG_CACHE_HOME"); folder != nullptr && *folder == '/')
    return std::filesystem::path(folder) / "hearth";
  if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/')
    return std::filesystem::path(home) / ".cache" / "hearth";
  return {};
}

OffsetIndex offset_index(const OffsetIndexRequest& request) {
  const std::filesystem::path folder = cache_folder();
  if (folder.empty() || file_size(request.file, request.path) < request.least_bytes)
    return request.build();
  const std::string identity = identity_of(request);
  const std::string name =
      sha256_hex(std::filesystem::absolute(request.path).string() + "\n" + request.kind);
  const std::filesystem::path path = folder / "index" / (name + ".index");
  if (auto kept = kept_index(path, identity)) return *std::move(kept);
  OffsetIndex index = request.build();
  // Written into meanwhile, it is the index of neither.
  if (identity_of(request) == identity) keep_index(path, index_bytes(index, identity));
  return index;
}

}  // namespace hearth
