// Files of a folder whose names, and tables beside them, say what they show.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/data/source.h"

namespace hearth::sources {

// Values by annotation.
using CrawlValues = std::map<std::string, std::vector<std::string>>;

struct CrawlSplitOptions {
  CrawlValues where = {};
  CrawlValues except = {};
  static const Schema<CrawlSplitOptions>& schema();
};

struct SideFileOptions {
  std::string file = {};  // must be given
  std::string key = "file";
  std::string on = "name";
  std::vector<std::string> columns = {};
  std::string missing = "drop";
  static const Schema<SideFileOptions>& schema();
};

struct CrawlOptions {
  std::string folder = {};                 // must be given
  std::vector<std::string> patterns = {};  // must be given
  std::string content = "image";
  std::vector<SideFileOptions> side_files = {};
  std::map<std::string, std::map<std::string, std::string>> classes = {};
  CrawlValues where = {};
  CrawlValues except = {};
  std::map<std::string, CrawlSplitOptions> splits = {};
  std::string split = "all";
  std::vector<std::string> keys = {};
  std::vector<std::string> number_by_split = {};
  static const Schema<CrawlOptions>& schema();
};

[[nodiscard]] Choice<Source> crawl(const CrawlOptions& options = {});

}  // namespace hearth::sources
