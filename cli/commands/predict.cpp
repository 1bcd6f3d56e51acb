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
      : Command(
            {"predict",
             "Use",
             "Says what a trained run makes of files, or of samples of its eval data; continues a "
             "text.",
             "RUN FILE...",
             {"hearth predict runs/digits-1 scan.png",
              "hearth predict runs/digits-1 scans/*.png --invert --top 1",
              "hearth predict runs/lines-1 --text \"text=What is this?\"",
              "hearth predict runs/gpt-1 --text \"Permission is \" --tokens 80 --temperature 0.8",
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
    app.add_option(
           "--text", arguments_.texts,
           "The same with a text in place of a file. For a model that scores the next "
           "token, the text alone, to be continued; - reads it from standard input, without "
           "its last line end.")
        ->allow_extra_args(false)
        ->type_name("[KEY=]TEXT");
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
    declare_continuing(app);
    app.add_flag("--invert", arguments_.is_inverted,
                 "Swaps black and white, for dark ink on a light page.");
    declare_folder(app, arguments_);
  }

  int run() override {
    if (!arguments_.has_raw_inputs() && arguments_.samples.empty())
      throw ConfigError("hearth predict needs something to predict: a FILE, or --sample N.\n" +
                        std::string("  Try: hearth predict --help"));
    if (arguments_.continuing.is_given() && arguments_.texts.empty())
      throw ConfigError(
          "--tokens, --temperature and the like say how a text is continued. Give one with "
          "--text.");
    arguments_.is_json = is_json();
    return run_in_engine("predict", &arguments_);
  }

 private:
  void declare_continuing(CLI::App& app) {
    ContinueArguments& how = arguments_.continuing;
    constexpr double kMostNumber = 1e9;
    const auto add = [&](const std::string& flag, auto& value, const std::string& help,
                         const CLI::Validator& rule, const std::string& kind) {
      app.add_option(flag, value, help)->check(rule)->type_name(kind);
    };
    add("--tokens", how.tokens, "Tokens to continue a text with, at most; 200 if left out.",
        whole_number_from(1), "N");
    add("--temperature", how.temperature,
        "Below 1 likely tokens are drawn more often, above 1 less; 0 always takes the most likely "
        "one. 1 if left out.",
        number_between(0, kMostNumber), "T");
    add("--top-k", how.top_k, "Draw from so many of the most likely tokens only.",
        whole_number_from(1), "K");
    add("--top-p", how.top_p,
        "Draw from the fewest most likely tokens that have this probability together.",
        number_between(1e-9, 1), "P");
    add("--repetition-penalty", how.repetition_penalty,
        "From 1, which does nothing: makes tokens that the text has already less likely.",
        number_between(1, kMostNumber), "R");
    add("--beams", how.beams,
        "Look for the most likely text, with so many beginnings at a time, instead of drawing.",
        whole_number_from(1), "B");
    add("--length-penalty", how.length_penalty,
        "Beams compare by their log probability over their length to this power; 1 if left out.",
        number_between(0, kMostNumber), "L");
    app.add_option("--stop", how.stop,
                   "A text, or a token's name, that ends the text; may be given again.")
        ->allow_extra_args(false)
        ->type_name("TEXT");
    add("--seed", how.seed, "Another one draws other tokens; 0 if left out.", whole_number_from(0),
        "S");
  }

  PredictArguments arguments_;
};

}  // namespace

void register_predict(Commands& commands) { commands.add(std::make_unique<PredictCommand>()); }

}  // namespace hearth::cli
