// Several sources with the same keys.
#include "hearth/data/source_list.h"

#include "hearth/base/digest.h"
#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/core/class_numbers.h"

namespace hearth {

namespace {

std::string keys_text(const std::vector<KeySpec>& keys) {
  std::vector<std::string> texts;
  for (const KeySpec& key : keys) texts.push_back(quote(key.key) + " " + key.spec.text());
  return join(texts, ", ");
}

// What black and white are may differ no more than shapes: it decides what bytes mean.
bool are_alike(const std::vector<KeySpec>& left, const std::vector<KeySpec>& right) {
  return std::equal(
      left.begin(), left.end(), right.begin(), right.end(), [](const KeySpec& a, const KeySpec& b) {
        return a.key == b.key && a.spec.dtype == b.spec.dtype && a.spec.shape == b.spec.shape &&
               a.spec.role == b.spec.role && a.spec.classes == b.spec.classes &&
               a.spec.image_range == b.spec.image_range;
      });
}

}  // namespace

std::unique_ptr<Source> open_choice(const Choice<Source>& choice) {
  std::unique_ptr<Source> source = registry<Source>().make(choice);
  at_option_of(choice.options(), [&] { source->open(); });
  return source;
}

void SourceList::open(const std::vector<Choice<Source>>& choices, const std::string& combiner) {
  sources_.clear();
  for (const Choice<Source>& choice : choices) {
    sources_.push_back(open_choice(choice));
    const std::vector<KeySpec> keys = sources_.back()->keys();
    if (sources_.size() == 1) keys_ = keys;
    if (!are_alike(keys_, keys))
      throw DataError(combiner + ": its sources must yield the same keys, but " +
                      quote(choices[0].name()) + " yields " + keys_text(keys_) + ", and " +
                      quote(choice.name()) + " yields " + keys_text(keys) + ".");
    for (size_t k = 0; k < keys.size(); ++k)
      if (const auto difference =
              class_difference({keys_[k].spec, "the first"},
                               {keys[k].spec, "source " + std::to_string(sources_.size())}))
        throw DataError(combiner + ": its sources must have the same classes of " +
                        quote(keys[k].key) + ": " + *difference + ".");
  }
}

uint64_t SourceList::resident_bytes() const {
  uint64_t bytes = 0;
  for (const auto& source : sources_) bytes += source->resident_bytes();
  return bytes;
}

std::string SourceList::fingerprint() const {
  Sha256 digest;
  for (const auto& source : sources_) digest.add(source->fingerprint() + "\n");
  return "sha256:" + digest.finish_hex();
}

}  // namespace hearth
