// The samples of a tar.
#include "hearth/data/webdataset_index.h"

#include <algorithm>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/format/tar.h"

namespace hearth {

namespace {

// A name is parted at the first dot after its folder: "a/7.left.jpg" is "a/7" and "left.jpg".
struct TarName {
  std::string_view stem;
  std::string ending;  // in small letters
};

TarName tar_name(std::string_view name) {
  const size_t slash = name.rfind('/');
  const size_t begin = slash == std::string_view::npos ? 0 : slash + 1;
  const size_t dot = std::min(name.find('.', begin), name.size());
  std::string ending(name.substr(std::min(dot + 1, name.size())));
  for (char& letter : ending)
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter + 'a' - 'A');
  return {name.substr(0, dot), ending};
}

std::string class_in(const SeekableFile& file, const TarEntry& entry) {
  constexpr uint64_t kClassLimitBytes = 4096;
  if (entry.bytes > kClassLimitBytes)
    throw DataError(file.path().string() + ": " + quote(entry.name) + " is too long for a class.");
  std::string text(static_cast<size_t>(entry.bytes), '\0');
  file.read(entry.offset, std::as_writable_bytes(std::span(text)));
  return std::string(trim(text));
}

class SampleGatherer {
 public:
  SampleGatherer(const SeekableFile& file, const std::vector<WebdatasetPart>& parts)
      : file_(file), parts_(parts) {
    index_.columns = 2 * parts.size();
  }

  void add(const TarEntry& entry) {
    const TarName name = tar_name(entry.name);
    const auto part = std::find_if(parts_.begin(), parts_.end(), [&](const WebdatasetPart& tried) {
      return std::find(tried.endings.begin(), tried.endings.end(), name.ending) !=
             tried.endings.end();
    });
    if (part == parts_.end()) return;
    if (index_.numbers.empty() || name.stem != stem_) begin_sample(name.stem);
    const auto number = static_cast<size_t>(part - parts_.begin());
    uint64_t* place = &index_.numbers[index_.numbers.size() - index_.columns + 2 * number];
    if (place[0] != 0)
      throw DataError(file_.path().string() + ": the sample " + quote(stem_) +
                      " has two files for " + quote(part->key) + ", the second one " +
                      quote(entry.name) + ".");
    place[0] = entry.offset;
    place[1] = entry.bytes;
    if (part->is_class) classes_[number].back() = class_in(file_, entry);
  }

  OffsetIndex finish() && {
    for (const auto& classes : classes_)
      index_.texts.insert(index_.texts.end(), classes.begin(), classes.end());
    return std::move(index_);
  }

 private:
  void begin_sample(std::string_view stem) {
    stem_ = stem;
    index_.numbers.resize(index_.numbers.size() + index_.columns);
    index_.texts.emplace_back(stem);
    for (size_t i = 0; i < parts_.size(); ++i)
      if (parts_[i].is_class) classes_[i].emplace_back();
  }

  const SeekableFile& file_;
  const std::vector<WebdatasetPart>& parts_;
  OffsetIndex index_;
  std::string stem_;
  std::vector<std::vector<std::string>> classes_ =
      std::vector<std::vector<std::string>>(parts_.size());
};

}  // namespace

OffsetIndex webdataset_index(const SeekableFile& file, const std::vector<WebdatasetPart>& parts) {
  SampleGatherer gatherer(file, parts);
  for (const TarEntry& entry :
       tar_entries(file.telling_reader(), file.bytes(), file.path().string()))
    gatherer.add(entry);
  return std::move(gatherer).finish();
}

}  // namespace hearth
