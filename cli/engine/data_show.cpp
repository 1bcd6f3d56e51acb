// hearth data show: what the data is like, before anybody trains on it.
#include <algorithm>

#include <nlohmann/json.hpp>

#include "cli/engine/engine.h"
#include "hearth/base/cores.h"
#include "hearth/base/files.h"
#include "hearth/base/terminal.h"
#include "hearth/base/text.h"
#include "hearth/format/json.h"
#include "hearth/format/png.h"
#include "hearth/survey/data_survey.h"
#include "hearth/train/experiment_graph.h"

namespace hearth::cli {
namespace {

std::vector<SurveyedSet> sets_of(const ExperimentGraph& experiment, int64_t samples) {
  const DataOptions& data = experiment.options().data;
  std::vector<SurveyedSet> sets;
  for (const Mode mode : {Mode::kTrain, Mode::kEval, Mode::kTest})
    for (const DataSet& set : experiment.sets(mode))
      sets.push_back({set.text(),
                      {.source = experiment.source(set),
                       .ops = data.ops,
                       .mode = mode,
                       .moment = experiment.epoch_start(0),
                       .samples = samples,
                       .workers = static_cast<int>(data.workers.value_or(available_cores() - 1)),
                       .seed = static_cast<uint64_t>(experiment.options().seed)}});
  return sets;
}

void show_survey_progress(const std::string& set, int64_t done, int64_t all) {
  show_passing({"looking at " + set, human_count(static_cast<uint64_t>(done)) + " of " +
                                         human_count(static_cast<uint64_t>(all)) + " samples"});
}

// One below the other.
Image stacked(const Image& above, const Image& below) {
  if (above.pixels.empty()) return below;
  if (below.pixels.empty() || below.width != above.width) return above;
  Image both = above;
  both.height += below.height;
  both.pixels.insert(both.pixels.end(), below.pixels.begin(), below.pixels.end());
  return both;
}

void write_grid(const DataSurvey& survey, const std::string& file) {
  const Image grid = stacked(survey.sets.front().before, survey.sets.front().after);
  if (grid.pixels.empty())
    throw DataError("There is no picture for " + quote(file) + ": no key of " +
                    quote(survey.sets.front().name) + " is an image.");
  write_file_durably(file, encode_png(grid));
}

}  // namespace

extern "C" int hearth_command_data_show(const void* given) {
  const auto& arguments = *static_cast<const DataShowArguments*>(given);
  const EngineExperiment loaded = load_for_engine(arguments);
  ExperimentGraph experiment(loaded.options, loaded.loaded.effective);
  experiment.open_sources();
  experiment.fit_ops([](const std::string& text) { show_passing({text}); });
  const DataSurvey survey =
      survey_data(sets_of(experiment, arguments.samples), {.progress = show_survey_progress});
  if (!arguments.page.empty()) write_file_durably(arguments.page, survey.page());
  if (!arguments.grid.empty()) write_grid(survey, arguments.grid);
  if (arguments.is_json) {
    print(json_line(survey.to_json()));
    return 0;
  }
  print_page(survey.text());
  for (const std::string& file : {arguments.page, arguments.grid})
    if (!file.empty()) print("wrote " + file + "\n");
  if (arguments.page.empty())
    say_next("hearth data show " + arguments.words() + " --html data.html");
  else if (!loaded.options.network.empty())
    say_next("hearth check " + arguments.words());
  return 0;
}

}  // namespace hearth::cli
