// hearth data features: declared here, carried out by the engine.
#include <CLI/CLI.hpp>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/engine.h"
#include "cli/experiment_arguments.h"
#include "cli/flag_checks.h"
#include "cli/folder_arguments.h"
#include "hearth/config/byte_size.h"

namespace hearth::cli {
namespace {

class DataFeaturesCommand : public Command {
 public:
  DataFeaturesCommand()
      : Command(
            {"data features",
             "Use",
             "Runs a trained model over a set, and packs what it makes of each sample, to train "
             "others on that.",
             "RUN [FILE...] --key KEY -o FOLDER [KEY=VALUE...]",
             {"hearth data features runs/digits-1 --key logits --key label -o features/train",
              "hearth data features runs/digits-1 other.yaml --set eval --key logits -o "
              "features/eval"}}) {}

  void declare(CLI::App& app) override {
    app.add_option("RUN", arguments_.run,
                   "The run's folder, or a model folder that hearth export wrote.")
        ->required();
    app.add_option("FILE", words_,
                   "YAML files with the data to run it over; the run's own data if left out. Its "
                   "samples are made ready by the run's ops.");
    app.add_option("--key", arguments_.keys,
                   "What to pack: a key that the network makes, or a label; may be given again.")
        ->required()
        ->allow_extra_args(false)
        ->type_name("KEY");
    app.add_option("-o,--out", arguments_.folder, "The folder to write.")
        ->required()
        ->type_name("FOLDER");
    app.add_option("--set", arguments_.set, "train, eval or test; train if left out.")
        ->check(one_of_words({"train", "eval", "test"}))
        ->type_name("SET");
    app.add_option("--shard", shard_, "About how large each file is; 128MiB if left out.")
        ->check(size_in_bytes())
        ->type_name("SIZE");
    app.add_option("--checkpoint", arguments_.checkpoint,
                   "best, last, or a checkpoint's name; best if left out.")
        ->type_name("NAME");
    declare_folder(app, arguments_);
  }

  int run() override {
    arguments_.is_json = is_json();
    arguments_.scope = ConfigScope::kData;
    arguments_.shard_bytes = ByteSize::from(shard_)->bytes;
    if (words_.empty()) return run_in_engine("data_features", &arguments_);
    sort_words(words_, "data features", arguments_);
    return run_in_engine("data_features", &arguments_, check_early(arguments_));
  }

 private:
  DataFeaturesArguments arguments_;
  std::string shard_ = "128MiB";
  std::vector<std::string> words_;
};

}  // namespace

void register_data_features(Commands& commands) {
  commands.add(std::make_unique<DataFeaturesCommand>());
}

}  // namespace hearth::cli
