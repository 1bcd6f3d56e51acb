// hearth version: which Hearth this is, and how it was built.
#include "cli/version.h"

#include <CLI/CLI.hpp>

#include "cli/command.h"
#include "cli/terminal.h"

namespace hearth::cli {
namespace {

class VersionCommand : public Command {
 public:
  VersionCommand()
      : Command({"version",
                 "Set up",
                 "Says which Hearth this is and how it was built.",
                 "",
                 {"hearth version", "hearth --version"}}) {}

  void declare(CLI::App&) override {}

  int run() override {
    print(version_text());
    say_next("hearth doctor");
    return 0;
  }
};

}  // namespace

void register_version(Commands& commands) { commands.add(std::make_unique<VersionCommand>()); }

}  // namespace hearth::cli
