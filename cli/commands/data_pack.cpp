// hearth data pack: declared here, carried out by the engine.
#include <CLI/CLI.hpp>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/engine.h"
#include "cli/experiment_arguments.h"
#include "cli/flag_checks.h"
#include "hearth/config/byte_size.h"

namespace hearth::cli {
namespace {

class DataPackCommand : public Command {
 public:
  DataPackCommand()
      : Command({"data pack",
                 "Use",
                 "Writes a set's samples, after the ops before the first random one, into files "
                 "that are read at the speed of memory.",
                 "FILE... -o FOLDER [KEY=VALUE...]",
                 {"hearth data pack pictures.yaml -o packed/train",
                  "hearth data pack pictures.yaml -o packed/eval --set eval --shard 64MB"}}) {}

  void declare(CLI::App& app) override {
    declare_experiment(app, words_);
    app.add_option("-o,--out", arguments_.folder, "The folder to write.")
        ->required()
        ->type_name("FOLDER");
    app.add_option("--set", arguments_.set, "train, eval or test; train if left out.")
        ->check(one_of_words({"train", "eval", "test"}))
        ->type_name("SET");
    app.add_option("--shard", shard_, "About how large each file is; 128MiB if left out.")
        ->check(size_in_bytes())
        ->type_name("SIZE");
  }

  int run() override {
    arguments_.is_json = is_json();
    arguments_.scope = ConfigScope::kData;
    arguments_.shard_bytes = ByteSize::from(shard_)->bytes;
    sort_words(words_, "data pack", arguments_);
    return run_in_engine("data_pack", &arguments_, check_early(arguments_));
  }

  std::vector<std::string> candidates(const Catalog& catalog) const override {
    return override_paths(catalog.experiment);
  }

 private:
  DataPackArguments arguments_;
  std::string shard_ = "128MiB";
  std::vector<std::string> words_;
};

}  // namespace

void register_data_pack(Commands& commands) { commands.add(std::make_unique<DataPackCommand>()); }

}  // namespace hearth::cli
