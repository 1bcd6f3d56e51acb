// What a crawl found, for people and as JSON.
#include "hearth/data/crawl_report.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "hearth/base/text.h"

namespace hearth {

namespace {

constexpr size_t kMostShownClasses = 10;

// The classes of an annotation that some files have, with how many of them do.
using CrawlCounts = std::vector<std::pair<std::string, int64_t>>;

CrawlCounts crawl_counts(const Crawled& found, const std::vector<size_t>& files,
                         size_t annotation) {
  std::vector<int64_t> counts(found.names[annotation].size());
  for (const size_t file : files) ++counts[found.value(file, annotation)];
  CrawlCounts named;
  for (size_t i = 0; i < counts.size(); ++i)
    if (counts[i] > 0) named.emplace_back(found.names[annotation][i], counts[i]);
  return named;
}

std::string crawl_count_text(int64_t count) { return human_count(static_cast<uint64_t>(count)); }

std::string class_counts_text(CrawlCounts counts) {
  const size_t all = counts.size();
  std::sort(counts.begin(), counts.end(), [](const auto& a, const auto& b) {
    return std::pair(-a.second, a.first) < std::pair(-b.second, b.first);
  });
  counts.resize(std::min(all, kMostShownClasses));
  std::vector<std::string> texts;
  for (const auto& [name, count] : counts)
    texts.push_back(quote(name) + " " + crawl_count_text(count));
  if (all > counts.size()) texts.push_back(std::to_string(all - counts.size()) + " more");
  return std::to_string(all) + (all == 1 ? " class: " : " classes: ") + join(texts, ", ");
}

}  // namespace

nlohmann::json crawl_json(const Crawled& found, const std::string& folder) {
  nlohmann::json json = {{"folder", folder},
                         {"files", found.files.size()},
                         {"splits", nlohmann::json::object()},
                         {"left_out", nlohmann::json::array()}};
  for (const std::string& split : found.splits) {
    const std::vector<size_t> files = found.files_of(split);
    auto annotations = nlohmann::json::object();
    for (size_t i = 0; i < found.annotations.size(); ++i) {
      annotations[found.annotations[i]] = nlohmann::json::object();
      for (const auto& [name, count] : crawl_counts(found, files, i))
        annotations[found.annotations[i]][name] = count;
    }
    json["splits"][split] = {{"files", files.size()}, {"annotations", annotations}};
  }
  for (const LeftOut& left : found.left_out)
    json["left_out"].push_back(
        {{"reason", left.reason}, {"count", left.count}, {"example", left.example}});
  return json;
}

std::string crawl_text(const Crawled& found, const std::string& folder) {
  std::string text = folder + "\n";
  for (const std::string& split : found.splits) {
    const std::vector<size_t> files = found.files_of(split);
    text += "  " + split + ": " + crawl_count_text(static_cast<int64_t>(files.size())) + " files\n";
    for (size_t i = 0; i < found.annotations.size(); ++i)
      text += "    " + found.annotations[i] + ": " +
              class_counts_text(crawl_counts(found, files, i)) + "\n";
  }
  if (!found.left_out.empty()) text += "  Left out\n";
  for (const LeftOut& left : found.left_out)
    text += "    " + crawl_count_text(left.count) + ": " + left.reason + ", such as " +
            left.example + "\n";
  return text;
}

}  // namespace hearth
