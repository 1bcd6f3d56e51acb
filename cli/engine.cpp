// The engine library, libhearth_engine.so: loaded only when a command needs tensors.
#include "cli/engine.h"

#include <dlfcn.h>

#include <cstdlib>

#include "hearth/base/cores.h"
#include "hearth/base/error.h"

namespace hearth::cli {
namespace {

constexpr const char* kEngineFile = "libhearth_engine.so";
constexpr int kKeepUsersValue = 0;

// OpenMP and BLAS read these once, while they are loaded.
void set_thread_counts(std::optional<int> threads) {
  const std::string count = std::to_string(threads ? *threads : available_cores());
  for (const char* name : {"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"})
    setenv(name, count.c_str(), kKeepUsersValue);
}

// Found through the program's run path. Global, so that plugins share the engine's symbols.
void* load_engine() {
  void* engine = dlopen(kEngineFile, RTLD_NOW | RTLD_GLOBAL);
  if (engine != nullptr) return engine;
  throw Error("The engine cannot be loaded: " + std::string(dlerror()) +
              ".\n  Install Hearth with LibTorch, or build it with -DHEARTH_TORCH=ON.");
}

}  // namespace

int run_in_engine(const std::string& command, const void* arguments, std::optional<int> threads) {
  set_thread_counts(threads);
  void* engine = load_engine();
  const std::string symbol = "hearth_command_" + command;
  void* found = dlsym(engine, symbol.c_str());
  if (found == nullptr)
    throw Error("The engine " + std::string(kEngineFile) + " has no " + symbol +
                ". The program and the engine are from different builds; install both again.");
  return reinterpret_cast<int (*)(const void*)>(found)(arguments);
}

}  // namespace hearth::cli
