// hearth version: which Hearth this is, and how it was built.
#include "cli/version.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "hearth/base/letters.h"
#include "hearth/base/terminal.h"
#include "hearth/format/json.h"

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
    is_json() ? print_json() : print_text();
    return 0;
  }

 private:
  static void print_json() {
    nlohmann::ordered_json json;
    for (const auto& [name, value] : version_facts()) json[name] = value;
    print(json_line(json));
  }

  static void print_text() {
    for (const auto& [name, value] : version_facts())
      print(name == "hearth" ? name + " " + value + "\n" : "  " + padded(name, 10) + value + "\n");
    say_next("hearth doctor");
  }
};

}  // namespace

void register_version(Commands& commands) { commands.add(std::make_unique<VersionCommand>()); }

}  // namespace hearth::cli
