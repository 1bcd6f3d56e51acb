// Several sources with the same keys, for sources that combine others.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/data/source.h"

namespace hearth {

// Makes and opens it; what goes wrong says its place in the config.
[[nodiscard]] std::unique_ptr<Source> open_choice(const Choice<Source>& choice);

class SourceList {
 public:
  // Makes and opens them. DataError when they do not yield the same keys.
  void open(const std::vector<Choice<Source>>& choices, const std::string& combiner);

  [[nodiscard]] const std::vector<KeySpec>& keys() const { return keys_; }
  [[nodiscard]] size_t count() const { return sources_.size(); }
  [[nodiscard]] const Source& operator[](size_t index) const { return *sources_[index]; }
  [[nodiscard]] uint64_t resident_bytes() const;
  // A digest over all of theirs.
  [[nodiscard]] std::string fingerprint() const;

 private:
  std::vector<std::unique_ptr<Source>> sources_;
  std::vector<KeySpec> keys_;
};

}  // namespace hearth
