// hearth data features: what a model makes of a set's samples, into packed files.
#include "cli/engine/engine.h"
#include "cli/engine/pack_text.h"
#include "hearth/base/error.h"
#include "hearth/base/terminal.h"
#include "hearth/base/text.h"
#include "hearth/train/features.h"

namespace hearth::cli {
namespace {

Choice<Source> source_of(const DataOptions& data, Mode mode) {
  if (mode == Mode::kTest && data.test) return *data.test;
  const auto& sets = mode == Mode::kTrain ? data.train : data.eval;
  if (mode == Mode::kTest || sets.all().empty())
    throw ConfigError("data." + std::string(name(mode)) + " is needed, but there is none.");
  return sets.all().front().second;
}

}  // namespace

extern "C" int hearth_command_data_features(const void* given) {
  const auto& arguments = *static_cast<const DataFeaturesArguments*>(given);
  const Stopwatch watch;
  FeatureOptions options{.folder = arguments.run,
                         .checkpoint = arguments.checkpoint,
                         .accepts_changes = arguments.accepts_changes,
                         .keys = arguments.keys,
                         .mode = *mode_from(arguments.set)};
  if (!arguments.files.empty())
    options.source = source_of(load_for_engine(arguments).options.data, options.mode);
  const PackReport report = pack_features(options, {.folder = arguments.folder,
                                                    .shard_bytes = arguments.shard_bytes,
                                                    .on_progress = pack_progress("computing")});
  print_packed(report, arguments.folder, arguments.is_json, watch.seconds());
  if (!arguments.is_json)
    print_note("use it as `" + arguments.set + ": {packed: {folder: " + arguments.folder +
               "}}`, with the keys " + join(arguments.keys, ", ") + " and without the run's ops.");
  return 0;
}

}  // namespace hearth::cli
