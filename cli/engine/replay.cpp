// hearth replay: one step of a run again.
#include "hearth/train/replay.h"

#include <nlohmann/json.hpp>

#include "cli/engine/engine.h"
#include "hearth/base/error.h"
#include "hearth/base/files.h"
#include "hearth/base/terminal.h"
#include "hearth/format/json.h"
#include "hearth/format/png.h"

namespace hearth::cli {

extern "C" int hearth_command_replay(const void* given) {
  const auto& arguments = *static_cast<const ReplayArguments*>(given);
  const StepReplay replay =
      replay_step(arguments.run, arguments.step,
                  {.on_notice = [](const std::string& text) { print_note(text); },
                   .accepts_changes = arguments.accepts_changes});
  if (!arguments.grid.empty()) {
    if (replay.pictures.pixels.empty())
      throw DataError("the batch of step " + std::to_string(arguments.step) +
                      " has no pictures; leave out --grid.");
    write_file_durably(arguments.grid, encode_png(replay.pictures));
  }
  if (arguments.is_json) {
    Json json = replay.to_json();
    if (!arguments.grid.empty()) json["grid"] = arguments.grid;
    print(json_line(json));
    return 0;
  }
  print_page(replay.text());
  if (!arguments.grid.empty()) print("pictures in " + arguments.grid + "\n");
  return 0;
}

}  // namespace hearth::cli
