// hearth data get: declared here, carried out by the module that knows the net.
#include <CLI/CLI.hpp>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/engine.h"

namespace hearth::cli {
namespace {

class DataGetCommand : public Command {
 public:
  DataGetCommand()
      : Command(
            {"data get",
             "Set up",
             "Gets a known data set from the net, checked and unpacked, and says how to use it.",
             "[NAME]",
             {"hearth data get", "hearth data get fashion_mnist",
              "hearth data get mine.yaml --to data --mirror https://example.org/sets"}}) {}

  void declare(CLI::App& app) override {
    app.add_option(
        "NAME", arguments_.name,
        "One of those that `hearth data get` lists, or a YAML file that describes yours: "
        "`files:` with `url` and `checksum`.");
    app.add_option(
           "--to", arguments_.folder,
           "The folder for data sets; if left out, one in your cache that all projects share.")
        ->type_name("FOLDER");
    app.add_option("--mirror", arguments_.mirror, "Where to get the files instead, https.")
        ->type_name("URL");
  }

  int run() override {
    arguments_.is_json = is_json();
    return run_in_net("data_get", &arguments_);
  }

 private:
  DataGetArguments arguments_;
};

}  // namespace

void register_data_get(Commands& commands) { commands.add(std::make_unique<DataGetCommand>()); }

}  // namespace hearth::cli
