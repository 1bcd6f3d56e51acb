// What a run tells the launcher that started it.
#pragma once

#include <string>

namespace hearth {

// Where a restart of the ranks would go on: written to the file that HEARTH_RUN_FILE names; nothing
// happens without one.
void note_run(const std::string& run_folder);

}  // namespace hearth
