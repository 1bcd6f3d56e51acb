// What the finders' commands share.
#include "cli/engine/finding.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/engine/engine.h"
#include "cli/engine/interrupt.h"
#include "hearth/base/files.h"
#include "hearth/base/terminal.h"
#include "hearth/base/text.h"
#include "hearth/cluster/group.h"
#include "hearth/cluster/join.h"
#include "hearth/format/json.h"
#include "hearth/tracking/chart/chart_output.h"

namespace hearth::cli {
namespace {

void show_progress(const FinderProgress& progress) {
  show_passing({std::to_string(progress.done) + "/" + std::to_string(progress.total), progress.text,
                human_seconds(progress.seconds_left) + " left"});
}

std::vector<std::string> write_found(const Found& found, const std::string& folder) {
  make_folder(folder);
  const std::string base = (fs::path(folder) / found.name).string();
  const std::vector<std::string> files = {base + ".png", base + ".svg", base + ".json"};
  write_chart(found.chart, files[0]);
  write_chart(found.chart, files[1]);
  write_file_durably(files[2], json_line(found.json));
  return files;
}

// As one would type it, for the experiment or to go on with the run.
std::string training_command(const FindArguments& arguments, const Found& found) {
  std::string command = arguments.run.empty() ? "hearth train " + arguments.words()
                                              : "hearth train --resume " + arguments.run;
  for (const std::string& text : found.overrides) command += " " + shell_word(text);
  return command;
}

int show_to_end(const Found& found, const FindArguments& arguments) {
  if (found.was_interrupted) {
    print_note("stopped before the end; nothing was found, and nothing was written.");
    return interrupted_exit_code();
  }
  std::vector<std::string> files;
  if (!arguments.out.empty()) files = write_found(found, arguments.out);
  if (arguments.is_json) {
    Json json = found.json;
    if (!files.empty()) json["files"] = files;
    print(json_line(json));
    return 0;
  }
  const std::vector<ChartLine>& lines = found.chart.lines;
  if (std::any_of(lines.begin(), lines.end(),
                  [](const auto& line) { return !line.points.empty(); }))
    print_chart(found.chart);
  print_page("\n" + found.text);
  if (files.empty())
    print_note("nothing was written; --out FOLDER keeps the curve as PNG, SVG and JSON.");
  else
    print_note("the curve is in " + join(files, ", ") + ".");
  if (!found.overrides.empty()) say_next(training_command(arguments, found));
  return 0;
}

}  // namespace

FinderTarget target_of(const FindArguments& arguments) {
  FinderTarget target = arguments.run.empty()
                            ? FinderTarget(load_for_engine(arguments).loaded.effective)
                            : FinderTarget::of_run(arguments.run, arguments.overrides);
  target.accepts_changes = arguments.accepts_changes;
  return target;
}

FinderSettings finder_settings(const FindArguments& arguments) {
  FinderSettings settings;
  if (!arguments.is_quiet && !arguments.is_json) settings.on_progress = show_progress;
  settings.on_notice = [](const std::string& text) { print_note(text); };
  settings.interrupt = &heed_signals();
  return settings;
}

// Of several processes that found it the first one shows it.
int show_finding(const Found& found, const FindArguments& arguments) {
  const std::shared_ptr<Group> group = own_group();
  const bool shows = group->is_first();
  const int code = shows                   ? show_to_end(found, arguments)
                   : found.was_interrupted ? interrupted_exit_code()
                                           : 0;
  group->leave();
  return code;
}

}  // namespace hearth::cli
