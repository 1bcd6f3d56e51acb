// hearth bisect: where two runs part.
#include "hearth/train/bisect.h"

#include <nlohmann/json.hpp>

#include "cli/engine/engine.h"
#include "hearth/base/terminal.h"
#include "hearth/format/json.h"

namespace hearth::cli {

extern "C" int hearth_command_bisect(const void* given) {
  const auto& arguments = *static_cast<const BisectArguments*>(given);
  const Bisection found =
      bisect_runs(arguments.first, arguments.second,
                  {.on_notice = [](const std::string& text) { print_note(text); },
                   .accepts_changes = arguments.accepts_changes});
  if (arguments.is_json)
    print(json_line(found.to_json()));
  else
    print_page(found.text());
  return found.folders.is_equal() ? 0 : 1;
}

}  // namespace hearth::cli
