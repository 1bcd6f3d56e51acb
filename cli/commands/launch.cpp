// hearth launch: starts the ranks of a run on this host.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <filesystem>

#include "cli/command.h"
#include "cli/elastic_arguments.h"
#include "cli/flag_checks.h"
#include "hearth/base/clock.h"
#include "hearth/base/error.h"
#include "hearth/base/terminal.h"
#include "hearth/base/text.h"
#include "hearth/launch/find_place.h"
#include "hearth/launch/hmac.h"
#include "hearth/launch/hosts.h"
#include "hearth/launch/job_files.h"
#include "hearth/launch/launcher.h"
#include "hearth/launch/sockets.h"

namespace hearth::cli {
namespace {

constexpr uint16_t kMasterPort = 29500;
constexpr int64_t kElasticRestarts = 3;

class LaunchCommand : public Command {
 public:
  LaunchCommand()
      : Command({"launch",
                 "Train",
                 "Runs a command as several processes that train together.",
                 "[FLAGS] COMMAND...",
                 {"hearth launch -n 2 train digits.yaml",
                  "hearth launch -n 2 --restarts 3 train digits.yaml",
                  "hearth launch --elastic 2:4 train digits.yaml",
                  "hearth launch -n 2 predict runs/digits-1 scans/*.png",
                  "hearth launch -n 2 --hosts a,b --secret-file key train digits.yaml",
                  "hearth launch -n 4 --hosts a,b --print slurm train digits.yaml > digits.sbatch"},
                 false}) {}

  void declare(CLI::App& app) override {
    app_ = &app;
    app.prefix_command();  // what follows the command's name is the command's
    app.add_option("-n,--ranks", ranks_,
                   "How many processes on this host. Its cores are shared out among them.")
        ->check(whole_number_from(1))
        ->type_name("RANKS");
    app.add_option("--hosts", hosts_,
                   "All hosts of the run, a,b or node[1-4]; start the same on each. The first is "
                   "where they meet. Needs a secret.")
        ->type_name("HOSTS");
    app.add_option("--node-rank", node_rank_,
                   "Which of the hosts this one is, from 0; left out, found by its name.")
        ->check(whole_number_from(0))
        ->type_name("NUMBER");
    app.add_option("--master", master_, "Where ranks meet, if not at port 29500 of the first host.")
        ->type_name("HOST[:PORT]");
    app.add_option("--secret-file", secret_file_,
                   "A file with what all ranks must know to be let in; HEARTH_SECRET does too. On "
                   "one host one is made up.")
        ->type_name("FILE");
    app.add_option("--restarts", restarts_,
                   "Starts all ranks again, from the last checkpoint, when one fails: at most so "
                   "often without a new checkpoint in between.")
        ->check(whole_number_from(0))
        ->type_name("TIMES");
    app.add_option("--elastic", limits_,
                   "Starts MAX ranks; when some are lost goes on with the others, as long as MIN "
                   "are left, from the last checkpoint, and takes in those that come back. The "
                   "same as elastic in the config.")
        ->type_name("MIN:MAX");
    app.add_option("--logs", logs_,
                   "Folder of the output of all ranks but the first, whose is shown here. "
                   "launches/TIME if left out.")
        ->type_name("FOLDER");
    app.add_flag("--no-pin", is_free_, "Leaves to the system which cores a rank runs on.");
    app.add_option("--print", print_,
                   "Starts nothing, and prints a file for a scheduler: slurm or kubernetes.")
        ->check(one_of_words({"slurm", "kubernetes"}))
        ->type_name("SCHEDULER");
  }

  int run() override {
    words_ = app_->remaining();
    check_words();
    read_elastic();
    if (!print_.empty()) return print_job();
    LaunchOptions options;
    settle_hosts(options);
    if (elastic_ && options.hosts > 1 && hosts_.empty())
      throw ConfigError("elastic: over several hosts, name all that may take part with --hosts.");
    options.ranks = static_cast<int>(ranks_.value_or(1));
    options.secret = secret(options.hosts);
    options.pins = !is_free_;
    options.logs =
        logs_.empty() ? "launches/" + utc_timestamp() + "-" + std::to_string(::getpid()) : logs_;
    options.logs = std::filesystem::absolute(options.logs).string();
    options.say = [](const std::string& text) { print_warning(text); };
    options.words = {std::filesystem::read_symlink("/proc/self/exe").string()};
    options.words.insert(options.words.end(), words_.begin(), words_.end());
    return launch_ranks(
        std::move(options),
        {.restarts = static_cast<int>(restarts_), .elastic = elastic_, .hosts = listed_hosts()});
  }

 private:
  void check_words() const {
    if (words_.empty())
      throw ConfigError(
          "hearth launch needs a command that the ranks run.\n  Try: hearth launch -n 2 "
          "train digits.yaml");
    if (words_.front().starts_with('-') || words_.front() == "launch")
      throw ConfigError("hearth launch: " + quote(words_.front()) +
                        (words_.front() == "launch" ? " cannot be launched."
                                                    : " is no flag of launch, and no command.") +
                        "\n  Try: hearth launch --help");
    if (Environment::of_process().has("HEARTH_RANK"))
      throw ConfigError("hearth launch was started by hearth launch (HEARTH_RANK is set).");
  }

  [[nodiscard]] std::vector<std::string> listed_hosts() const {
    return hosts_.empty() ? std::vector<std::string>{} : hosts_in(hosts_);
  }

  // What the flag says becomes the config's: the run remembers it.
  void read_elastic() {
    if (!limits_.empty()) {
      elastic_ = elastic_in(limits_);
      if (words_.front() == "train" && !resumes(words_))
        words_.push_back("elastic={min: " + std::to_string(elastic_->min) +
                         ", max: " + std::to_string(elastic_->max) + "}");
    } else {
      elastic_ = elastic_of(words_);
    }
    if (!elastic_) return;
    check_elastic(*elastic_);
    const auto hosts = static_cast<int64_t>(std::max<size_t>(listed_hosts().size(), 1));
    const int64_t most = elastic_->max;
    if (most % hosts != 0 || (ranks_ && *ranks_ != most / hosts))
      throw ConfigError("elastic: at most " + std::to_string(most) + " ranks, but " +
                        (ranks_ ? "-n " + std::to_string(*ranks_) + " on each of "
                                : std::string("the same number on each of ")) +
                        std::to_string(hosts) + (hosts == 1 ? " host" : " hosts") +
                        " is another number.\n  Next: leave out -n, or change max.");
    ranks_ = most / hosts;
    if (restarts_ == 0) restarts_ = kElasticRestarts;
    if (hosts > 1 && logs_.empty())
      throw ConfigError(
          "elastic: over several hosts --logs must name a folder that all of them see; there they "
          "find each other.");
  }

  // From flags, else from what launched us once on every host.
  void settle_hosts(LaunchOptions& options) {
    const Environment environment = Environment::of_process();
    options.attempt = environment.text("HEARTH_ATTEMPT", "0");
    if (!hosts_.empty()) return settle_listed_hosts(options);
    if (node_rank_ || !master_.empty()) throw ConfigError("--node-rank and --master need --hosts.");
    if (!ranks_ && environment.has("PET_NPROC_PER_NODE"))
      ranks_ = environment.number("PET_NPROC_PER_NODE");
    const std::optional<RankPlace> place = find_place(without_processes());
    if (place && place->size > 1) {
      if (place->local_size > 1)
        throw ConfigError(place->contract + " started hearth launch " +
                          std::to_string(place->local_size) +
                          " times on this host.\n  Next: start it once on each, or the command "
                          "without hearth launch.");
      options.hosts = place->size;
      options.host_index = place->rank;
      options.store = place->host + ":" + std::to_string(place->port);
      options.attempt = place->attempt;
      print_note("host " + std::to_string(place->rank) + " of " + std::to_string(place->size) +
                 ", by " + place->contract);
      return;
    }
    if (!ranks_)
      throw ConfigError("hearth launch: say how many ranks.\n  Try: hearth launch -n 2 " +
                        join(words_, " "));
    options.store = "127.0.0.1:" + std::to_string(free_port());
  }

  // A pod's number of processes is for us, not for who reads the pod's rank.
  static Environment without_processes() {
    ::unsetenv("PET_NPROC_PER_NODE");
    return Environment::of_process();
  }

  void settle_listed_hosts(LaunchOptions& options) {
    const std::vector<std::string> hosts = listed_hosts();
    options.hosts = static_cast<int>(hosts.size());
    const std::string master = master_.empty() ? hosts.front() : master_;
    const bool has_port = master.rfind(':') != std::string::npos && master.back() != ']';
    options.store = has_port ? master : master + ":" + std::to_string(kMasterPort);
    if (node_rank_) {
      options.host_index = static_cast<int>(*node_rank_);
    } else {
      const std::string own = host_name();
      const std::string brief = own.substr(0, own.find('.'));
      const auto found = std::find_if(hosts.begin(), hosts.end(), [&](const std::string& host) {
        return host == own || host == brief || host.substr(0, host.find('.')) == brief;
      });
      if (found == hosts.end())
        throw ConfigError("This host, " + own + ", is not one of --hosts " + hosts_ +
                          ".\n  Next: say which it is with --node-rank.");
      options.host_index = static_cast<int>(found - hosts.begin());
    }
    if (options.host_index >= options.hosts)
      throw ConfigError("--node-rank " + std::to_string(options.host_index) + " of " +
                        std::to_string(options.hosts) + " hosts cannot be; they count from 0.");
  }

  std::string secret(int hosts) const {
    if (!secret_file_.empty()) ::setenv("HEARTH_SECRET_FILE", secret_file_.c_str(), 1);
    if (!secret_file_.empty()) ::unsetenv("HEARTH_SECRET");
    std::string known = secret_of(Environment::of_process());
    if (!known.empty()) return known;
    if (hosts == 1) return random_hex(32);
    throw ConfigError(
        "Ranks on several hosts need a secret, or any program of the network could "
        "join.\n  Next: head -c 32 /dev/urandom | base64 > key, copy it to all hosts, "
        "and add --secret-file key");
  }

  int print_job() const {
    const size_t hosts = std::max<size_t>(listed_hosts().size(), 1);
    JobOptions job;
    job.words = words_;
    job.hosts = static_cast<int>(hosts);
    job.ranks = static_cast<int>(ranks_.value_or(1));
    job.secret_file = secret_file_;
    print(print_ == "slurm" ? slurm_file(job) : kubernetes_file(job));
    return 0;
  }

  CLI::App* app_ = nullptr;
  std::optional<int64_t> ranks_;
  std::optional<int64_t> node_rank_;
  int64_t restarts_ = 0;
  std::optional<ElasticOptions> elastic_;
  std::string hosts_;
  std::string master_;
  std::string secret_file_;
  std::string limits_;  // MIN:MAX
  std::string logs_;
  std::string print_;
  bool is_free_ = false;
  std::vector<std::string> words_;
};

}  // namespace

void register_launch(Commands& commands) { commands.add(std::make_unique<LaunchCommand>()); }

}  // namespace hearth::cli
