// Opening a .pt file: the archive of PyTorch since 1.6, and the form before it.
#include <algorithm>
#include <bit>
#include <map>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/format/pt.h"

namespace hearth {

namespace {

using Kind = PickleValue::Kind;

constexpr uint64_t kMostTreeBytes = 256ULL << 20;
constexpr int64_t kLegacyVersion = 1001;
// 0x1950a86a20f9469cfc6c, as a pickle writes it.
constexpr std::string_view kLegacyMagic("\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19", 10);

std::string_view text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// "archive/" of "archive/data.pkl": everything of the file lies in one folder of the archive.
std::string archive_folder(const std::vector<ZipEntry>& entries, const std::string& what) {
  for (const ZipEntry& entry : entries) {
    if (entry.name.ends_with("/constants.pkl"))
      throw DataError(what +
                      ": is a program of TorchScript (torch.jit.save). In Python, save "
                      "model.state_dict() by torch.save.");
    if (entry.name.ends_with("/data.pkl")) return entry.name.substr(0, entry.name.size() - 8);
  }
  throw DataError(what + ": is a ZIP archive without data.pkl, so no file of torch.save.");
}

}  // namespace

bool is_legacy_pt(std::span<const std::byte> start) {
  const std::string_view text = text_of(start.first(std::min<size_t>(start.size(), 32)));
  return text.starts_with('\x80') && text.find(kLegacyMagic) != text.npos;
}

void PtFile::open_archive() {
  const std::string what = file_.path().string();
  entries_ = read_zip_directory(file_.handle(), file_.path());
  const std::string folder = archive_folder(entries_, what);
  std::map<std::string_view, const ZipEntry*> by_name;
  for (const ZipEntry& entry : entries_) by_name.emplace(entry.name, &entry);
  const auto read = [&](const std::string& name) {
    return read_zip_entry(file_.handle(), file_.path(), *by_name.at(folder + name), kMostTreeBytes);
  };
  const std::string pickle = read("data.pkl");
  if (by_name.contains(folder + "byteorder"))
    is_swapped_ = (read("byteorder") == "big") == (std::endian::native == std::endian::little);
  tree_ =
      read_pt_tree(read_pickle(std::as_bytes(std::span(pickle)), what, pt_pickle_rules()), what);
  for (const PtStorage& storage : tree_.storages) {
    const auto found = by_name.find(folder + "data/" + storage.key);
    if (found == by_name.end())
      throw DataError(what + ": storage " + quote(storage.key) + " is missing.");
    if (found->second->bytes != storage.bytes())
      throw DataError(what + ": storage " + quote(storage.key) + " has " +
                      human_count(found->second->bytes) + " bytes, expected " +
                      human_count(storage.bytes()) + ".");
    places_.push_back({found->second->data_begin, found->second});
  }
}

// Five pickles: magic number, version, what machine it was, the tensors, the storages' keys; then
// the storages.
void PtFile::open_legacy() {
  const std::string what = file_.path().string();
  uint64_t at = 0;
  const auto next = [&] {
    Pickle pickle = read_pickle(file_.bytes().subspan(at), what, pt_pickle_rules());
    at += pickle.bytes;
    return pickle;
  };
  if (next().top().text != kLegacyMagic) throw DataError(what + ": is no file of torch.save.");
  if (const Pickle version = next(); version.top().integer != kLegacyVersion)
    throw DataError(what + ": is of version " + std::to_string(version.top().integer) +
                    " of torch.save's old form; known is 1001.");
  const Pickle machine = next();
  const PickleValue* order = machine.find(machine.top(), "little_endian");
  const bool is_little = order == nullptr || order->integer != 0;
  is_swapped_ = is_little != (std::endian::native == std::endian::little);
  tree_ = read_pt_tree(next(), what);
  const Pickle keys = next();
  place_legacy_storages(keys, at);
}

void PtFile::place_legacy_storages(const Pickle& keys, uint64_t at) {
  const std::string what = file_.path().string();
  std::map<std::string_view, size_t> by_key;
  for (size_t i = 0; i < tree_.storages.size(); ++i) by_key.emplace(tree_.storages[i].key, i);
  places_.resize(tree_.storages.size());
  size_t placed = 0;
  for (const PickleId id : keys.top().items) {
    const auto found = by_key.find(keys.at(id).text);
    if (found == by_key.end())
      throw DataError(what + ": has a storage that no tensor has, of a size nobody knows.");
    const PtStorage& storage = tree_.storages[found->second];
    uint64_t count = 0;
    const auto digits = file_.part(at, 8);
    for (size_t i = 0; i < 8; ++i) {
      const size_t byte = is_swapped_ == (std::endian::native == std::endian::little) ? i : 7 - i;
      count = count << 8U | static_cast<uint8_t>(digits[byte]);
    }
    if (count != storage.count)
      throw DataError(what + ": storage " + quote(storage.key) + " has " + human_count(count) +
                      " numbers, expected " + human_count(storage.count) + ".");
    (void)file_.part(at + 8, storage.bytes());
    places_[found->second].begin = at + 8;
    at += 8 + storage.bytes();
    by_key.erase(found);
    ++placed;
  }
  if (placed != tree_.storages.size())
    throw DataError(what + ": lacks storages that its tensors need.");
}

}  // namespace hearth
