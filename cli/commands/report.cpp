// hearth report: a run as one HTML page.
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "hearth/base/files.h"
#include "hearth/base/terminal.h"
#include "hearth/base/text.h"
#include "hearth/format/json.h"
#include "hearth/tracking/report/report_page.h"

namespace hearth::cli {
namespace {

class ReportCommand : public Command {
 public:
  ReportCommand()
      : Command(
            {"report",
             "Use",
             "Writes a run as one HTML page: curves, config, model, tables, data, machine.",
             "RUN",
             {"hearth report runs/digits-1", "hearth report runs/digits-1 --out digits.html"}}) {}

  void declare(CLI::App& app) override {
    app.add_option("RUN", run_, "The run's folder; it need not have ended.")->required();
    app.add_option("--out", file_, "Where to write it. Left out: report.html in the run's folder.")
        ->type_name("FILE");
  }

  int run() override {
    const std::string page = report_page(run_);
    const fs::path file = file_.empty() ? fs::path(run_) / "report.html" : fs::path(file_);
    write_file_durably(file, page);
    if (is_json())
      print(json_line(nlohmann::json{{"file", file.string()}, {"bytes", page.size()}}));
    else
      print("report: " + file.string() + ", " + human_bytes(page.size()) +
            "; it needs no other file\n");
    return 0;
  }

 private:
  std::string run_;
  std::string file_;
};

}  // namespace

void register_report(Commands& commands) { commands.add(std::make_unique<ReportCommand>()); }

}  // namespace hearth::cli
