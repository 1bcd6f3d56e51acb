// hearth predict: declared here, carried out by the engine.
#include <CLI/CLI.hpp>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/engine.h"
#include "cli/flag_checks.h"
#include "cli/folder_arguments.h"
#include "hearth/base/error.h"

namespace hearth::cli {
namespace {

class PredictCommand : public Command {
 public:
  PredictCommand()
      : Command({"predict",
                 "Use",
                 "Says what a trained run makes of files, or of samples of its eval data.",
                 "RUN FILE...",
                 {"hearth predict runs/digits-1 scan.png",
                  "hearth predict runs/digits-1 scans/*.png --invert --top 1",
                  "hearth predict runs/lines-1 --text \"text=What is this?\"",
                  "hearth predict runs/siamese-1 --input image=a.png --input same=b.png --input "
                  "different=c.png",
                  "hearth predict runs/houses-1 --row '{\"rooms\": 3, \"city\": \"Bern\"}'",
                  "hearth predict runs/digits-1 --sample 0 --sample 17 --json"}}) {}

  void declare(CLI::App& app) override {
    app.add_option("RUN", arguments_.run,
                   "The run's folder, or a model folder that hearth export wrote.")
        ->required();
    app.add_option("FILE", arguments_.files,
                   "Pictures of any size (PNG, JPEG, WebP, BMP), CSV files with one sample a row, "
                   "or text files with one a "
                   "line, for a model that needs one key, or for the one that no flag fills.");
    app.add_option(
           "--input", arguments_.inputs,
           "A file for one key of several; again for other keys, and for further samples of "
           "the same key. A key given once is the same for all samples.")
        ->allow_extra_args(false)
        ->type_name("KEY=FILE");
    app.add_option("--text", arguments_.texts, "The same with a text in place of a file.")
        ->allow_extra_args(false)
        ->type_name("KEY=TEXT");
    app.add_option("--row", arguments_.rows,
                   "A row of a table by its columns, for a model trained on one; may be given "
                   "again. Files with rows are CSV with a header, or JSON.")
        ->allow_extra_args(false)
        ->type_name("JSON");
    app.add_option("--sample", arguments_.samples,
                   "A sample of the eval data by number, from 0; may be given again.")
        ->allow_extra_args(false)
        ->check(whole_number_from(0))
        ->type_name("N");
    app.add_option("--top", arguments_.top,
                   "Classes to show, most likely first; as the experiment says if left out.")
        ->check(whole_number_from(1))
        ->type_name("N");
    app.add_option("--batch", arguments_.batch_size,
                   "Samples at a time; as in training if left out.")
        ->check(whole_number_from(1))
        ->type_name("N");
    app.add_option("--checkpoint", arguments_.checkpoint,
                   "best, last, or a checkpoint's name; best if left out.")
        ->type_name("NAME");
    app.add_flag("--invert", arguments_.is_inverted,
                 "Swaps black and white, for dark ink on a light page.");
    declare_folder(app, arguments_);
  }

  int run() override {
    if (!arguments_.has_raw_inputs() && arguments_.samples.empty())
      throw ConfigError("hearth predict needs something to predict: a FILE, or --sample N.\n" +
                        std::string("  Try: hearth predict --help"));
    arguments_.is_json = is_json();
    return run_in_engine("predict", &arguments_);
  }

 private:
  PredictArguments arguments_;
};

}  // namespace

void register_predict(Commands& commands) { commands.add(std::make_unique<PredictCommand>()); }

}  // namespace hearth::cli
