// hearth data crawl: what the crawling sources of a config find.
#include <algorithm>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/data_sets.h"
#include "cli/experiment_arguments.h"
#include "hearth/base/terminal.h"
#include "hearth/base/text.h"
#include "hearth/config/place.h"
#include "hearth/data/crawl_report.h"
#include "hearth/format/json.h"

namespace hearth::cli {
namespace {

// The options of every crawl, also of those inside other sources.
void add_crawls(const Node& node, std::vector<Node>& found) {
  for (const Node::Entry& entry : node.entries()) {
    if (entry.key == "crawl" && entry.value.find("folder") != nullptr)
      found.push_back(entry.value);
    else
      add_crawls(entry.value, found);
  }
  for (const Node& item : node.items()) add_crawls(item, found);
}

// Sets that differ only in their split are one crawl.
std::vector<Node> distinct_crawls(const DataFiles& files) {
  std::vector<Node> all;
  for (const auto& [name, choice] : files.sets) add_crawls(choice.node(), all);
  std::vector<Node> distinct;
  for (Node& crawl : all) {
    crawl.erase("split");
    crawl.erase("number_by_split");
    if (std::find(distinct.begin(), distinct.end(), crawl) == distinct.end())
      distinct.push_back(crawl);
  }
  return distinct;
}

class DataCrawlCommand : public Command {
 public:
  DataCrawlCommand()
      : Command({"data crawl",
                 "Understand",
                 "Shows what a crawl finds: files and classes of each split, what it leaves out.",
                 "FILE... [KEY=VALUE...]",
                 {"hearth data crawl vehicles.yaml", "hearth data crawl vehicles.yaml --json"}}) {}

  void declare(CLI::App& app) override { declare_experiment(app, words_); }

  int run() override {
    ExperimentArguments arguments;
    sort_words(words_, "data crawl", arguments);
    auto json = nlohmann::json::array();
    std::string text;
    for (const Node& crawl : distinct_crawls(load_data_files(arguments, false))) {
      const auto options = sources::CrawlOptions::schema().read(crawl);
      const Crawled found = at_option_of(crawl, [&] { return crawl_folder(options); });
      json.push_back(crawl_json(found, options.folder));
      text += crawl_text(found, options.folder);
    }
    if (is_json()) {
      print(json_line(nlohmann::json{{"crawls", json}}));
    } else if (json.empty()) {
      print_note("no source of this config is a crawl.");
      say_next("hearth docs crawl");
    } else {
      print_page(text);
      say_next("hearth check " + arguments.words());
    }
    return 0;
  }

 private:
  std::vector<std::string> words_;
};

}  // namespace

void register_data_crawl(Commands& commands) { commands.add(std::make_unique<DataCrawlCommand>()); }

}  // namespace hearth::cli
