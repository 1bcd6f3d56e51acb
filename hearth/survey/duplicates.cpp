// Equal samples by their digests; similar pictures by their prints.
#include "hearth/survey/duplicates.h"

#include <algorithm>
#include <map>

#include "hearth/data/similar_pictures.h"

namespace hearth {

Duplicates find_duplicates(const std::vector<PrintedSample>& samples, size_t most_pairs) {
  Duplicates found;
  std::map<ExactPrint, size_t> seen;
  SimilarPictures pictures;
  std::vector<DuplicatePair> within;
  const auto note = [&](size_t first, size_t second, bool is_exact) {
    const bool is_across = samples[first].set != samples[second].set;
    int64_t& count = is_exact ? (is_across ? found.exact_across : found.exact_within)
                              : (is_across ? found.near_across : found.near_within);
    ++count;
    std::vector<DuplicatePair>& pairs = is_across ? found.pairs : within;
    if (pairs.size() < most_pairs) pairs.push_back({samples[first], samples[second], is_exact});
  };
  for (size_t i = 0; i < samples.size(); ++i) {
    const auto [entry, is_new] = seen.emplace(samples[i].exact, i);
    if (!is_new) {
      note(entry->second, i, true);
      continue;
    }
    if (!samples[i].picture) continue;
    if (const auto similar = pictures.find(*samples[i].picture)) note(*similar, i, false);
    pictures.add(*samples[i].picture, i);
  }
  const size_t room = most_pairs - found.pairs.size();
  within.resize(std::min(within.size(), room));
  found.pairs.insert(found.pairs.end(), within.begin(), within.end());
  return found;
}

}  // namespace hearth
