// hearth data pack: a set's samples into packed files.
#include "cli/engine/engine.h"
#include "cli/engine/pack_text.h"
#include "hearth/base/terminal.h"
#include "hearth/base/text.h"

namespace hearth::cli {

extern "C" int hearth_command_data_pack(const void* given) {
  const auto& arguments = *static_cast<const DataPackArguments*>(given);
  const EngineExperiment loaded = load_for_engine(arguments);
  const Stopwatch watch;
  const PackReport report = pack(loaded.options.data, *mode_from(arguments.set),
                                 {.folder = arguments.folder,
                                  .shard_bytes = arguments.shard_bytes,
                                  .on_progress = pack_progress("packing")});
  print_packed(report, arguments.folder, arguments.is_json, watch.seconds());
  if (!arguments.is_json)
    print_note("use it as `" + arguments.set + ": {packed: {folder: " + arguments.folder +
               "}}`, and leave out the ops that ran: " +
               (report.ops.empty() ? "none" : join(report.ops, ", ")) + ".");
  return 0;
}

}  // namespace hearth::cli
