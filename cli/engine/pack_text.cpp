// What commands that pack samples say.
#include "cli/engine/pack_text.h"

#include <nlohmann/json.hpp>

#include "hearth/base/terminal.h"
#include "hearth/base/text.h"
#include "hearth/format/json.h"

namespace hearth::cli {

std::function<void(int64_t done, int64_t all)> pack_progress(const std::string& what) {
  return [what](int64_t done, int64_t all) {
    show_passing({what, human_count(static_cast<uint64_t>(done)) + " of " +
                            human_count(static_cast<uint64_t>(all)) + " samples"});
  };
}

void print_packed(const PackReport& report, const std::string& folder, bool is_json,
                  double seconds) {
  if (is_json) {
    print(json_line(Json{{"folder", folder},
                         {"samples", report.samples},
                         {"shards", report.shards},
                         {"kept_shards", report.kept_shards},
                         {"bytes", report.bytes},
                         {"seconds", seconds}}));
    return;
  }
  print(folder + " holds " + human_count(static_cast<uint64_t>(report.samples)) + " samples in " +
        human_count(static_cast<uint64_t>(report.shards)) + " files, " + human_bytes(report.bytes) +
        (report.kept_shards > 0 ? "; " + std::to_string(report.kept_shards) + " were there already"
                                : "") +
        ".\n");
}

}  // namespace hearth::cli
