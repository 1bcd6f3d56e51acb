// The program, run many times at the price of loading LibTorch once: a child for each command line.
//   in:  {"folder": "...", "words": ["train", "x.yaml"]}     out: {"exit": 2, "out": "", "err":
//   "..."} in:  {"folder": "...", "yaml": "x.yaml"}                 out: {"exit": 0, "out": JSON,
//   "err": ""}
#include <dlfcn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>

#include "cli/node_json.h"
#include "cli/program.h"
#include "hearth/config/yaml.h"

namespace {

using Json = nlohmann::json;

constexpr unsigned kLongestSeconds = 30;

int answer(const Json& request) {
  if (!request.contains("yaml")) return hearth::cli::run_program(request["words"]);
  const auto config = hearth::load_yaml(request["yaml"].get<std::string>());
  std::puts(hearth::cli::json_from(config).dump().c_str());
  return 0;
}

[[noreturn]] void run_child(const Json& request, int out, int err) {
  dup2(out, STDOUT_FILENO);
  dup2(err, STDERR_FILENO);
  alarm(kLongestSeconds);
  int code = 1;
  if (chdir(request["folder"].get<std::string>().c_str()) == 0) code = answer(request);
  std::fflush(nullptr);
  _exit(code);
}

std::string content_of(int file) {
  std::string text(static_cast<size_t>(lseek(file, 0, SEEK_END)), '\0');
  if (pread(file, text.data(), text.size(), 0) != static_cast<ssize_t>(text.size())) std::abort();
  close(file);
  return text;
}

Json run(const Json& request) {
  const int out = memfd_create("out", 0);
  const int err = memfd_create("err", 0);
  const pid_t child = fork();
  if (child == 0) run_child(request, out, err);
  int status = 0;
  waitpid(child, &status, 0);
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return {{"exit", code}, {"out", content_of(out)}, {"err", content_of(err)}};
}

}  // namespace

int main() {
  // Children inherit the engine, which has started no threads yet.
  if (dlopen("libhearth_engine.so", RTLD_NOW | RTLD_GLOBAL) == nullptr) {
    std::fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  for (std::string line; std::getline(std::cin, line);)
    std::cout << run(Json::parse(line)).dump(-1, ' ', true, Json::error_handler_t::replace)
              << std::endl;
}
