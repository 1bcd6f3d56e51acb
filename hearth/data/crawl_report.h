// What a crawl found, for people and as JSON.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "hearth/data/crawler.h"

namespace hearth {

// Files of each split, how many of each class, and what was left out and why.
[[nodiscard]] nlohmann::json crawl_json(const Crawled& found, const std::string& folder);
// The same; of many classes the most frequent ones.
[[nodiscard]] std::string crawl_text(const Crawled& found, const std::string& folder);

}  // namespace hearth
