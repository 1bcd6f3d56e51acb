// What a run tells the launcher that started it.
#include "hearth/launch/run_note.h"

#include <filesystem>

#include "hearth/base/files.h"
#include "hearth/launch/environment.h"

namespace hearth {

void note_run(const std::string& run_folder) {
  const std::string file = Environment::of_process().text("HEARTH_RUN_FILE");
  if (!file.empty()) write_file_durably(file, std::filesystem::absolute(run_folder).string());
}

}  // namespace hearth
