// hearth data pack: a set's samples into packed files.
#include <nlohmann/json.hpp>

#include "cli/engine/engine.h"
#include "hearth/base/clock.h"
#include "hearth/base/terminal.h"
#include "hearth/base/text.h"
#include "hearth/format/json.h"
#include "hearth/pipeline/packing.h"

namespace hearth::cli {

extern "C" int hearth_command_data_pack(const void* given) {
  const auto& arguments = *static_cast<const DataPackArguments*>(given);
  const EngineExperiment loaded = load_for_engine(arguments);
  const Stopwatch watch;
  PackOptions how{.folder = arguments.folder, .shard_bytes = arguments.shard_bytes};
  how.on_progress = [&](int64_t done, int64_t all) {
    show_passing({"packing", human_count(static_cast<uint64_t>(done)) + " of " +
                                 human_count(static_cast<uint64_t>(all)) + " samples"});
  };
  const PackReport report = pack(loaded.options.data, *mode_from(arguments.set), how);
  if (arguments.is_json) {
    print(json_line(Json{{"folder", arguments.folder},
                         {"samples", report.samples},
                         {"shards", report.shards},
                         {"kept_shards", report.kept_shards},
                         {"bytes", report.bytes},
                         {"seconds", watch.seconds()}}));
    return 0;
  }
  print(arguments.folder + " holds " + human_count(static_cast<uint64_t>(report.samples)) +
        " samples in " + human_count(static_cast<uint64_t>(report.shards)) + " files, " +
        human_bytes(report.bytes) +
        (report.kept_shards > 0 ? "; " + std::to_string(report.kept_shards) + " were there already"
                                : "") +
        ".\n");
  print_note("use it as `" + arguments.set + ": {packed: {folder: " + arguments.folder +
             "}}`, and leave out the ops that ran: " +
             (report.ops.empty() ? "none" : join(report.ops, ", ")) + ".");
  return 0;
}

}  // namespace hearth::cli
