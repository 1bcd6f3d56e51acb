// The engine library, libhearth_engine.so: loaded only when a command needs tensors.
#include "cli/engine.h"

#include <dlfcn.h>

#include <cstdlib>

#include "hearth/base/cores.h"
#include "hearth/base/error.h"
#include "hearth/base/processor.h"

namespace hearth::cli {
namespace {

constexpr const char* kEngineFile = "libhearth_engine.so";
constexpr const char* kNetFile = "libhearth_net.so";
constexpr int kKeepUsersValue = 0;

// OpenMP and BLAS read these once, while they are loaded.
void set_thread_counts(std::optional<int> threads) {
  const std::string count = std::to_string(threads ? *threads : available_cores());
  for (const char* name : {"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"})
    setenv(name, count.c_str(), kKeepUsersValue);
}

// OpenBLAS knows processors by their numbers, and computes with the oldest instructions on one that
// is newer than itself; of AMD's it takes those with AVX-512 for older ones too, at half the rate.
void set_blas_kernels() {
  const Processor& has = processor();
  if (has.has_avx512bw && has.has_avx512dq && has.has_avx512vl) {
    setenv("OPENBLAS_CORETYPE", "SKYLAKEX", kKeepUsersValue);
  } else if (has.is_intel && has.has_avx2) {
    setenv("OPENBLAS_CORETYPE", "HASWELL", kKeepUsersValue);
  }
}

// Found through the program's run path. Global, so that plugins share the engine's symbols.
void* load_module(const char* file, const std::string& what, const std::string& advice) {
  void* module = dlopen(file, RTLD_NOW | RTLD_GLOBAL);
  if (module != nullptr) return module;
  throw Error(what + " cannot be loaded: " + std::string(dlerror()) + ".\n  " + advice);
}

int run_in(void* module, const char* file, const std::string& command, const void* arguments) {
  const std::string symbol = "hearth_command_" + command;
  void* found = dlsym(module, symbol.c_str());
  if (found == nullptr)
    throw Error("The engine " + std::string(file) + " has no " + symbol +
                ". The program and the engine are from different builds; install both again.");
  return reinterpret_cast<int (*)(const void*)>(found)(arguments);
}

}  // namespace

int run_in_engine(const std::string& command, const void* arguments, std::optional<int> threads) {
  set_thread_counts(threads);
  set_blas_kernels();
  void* engine = load_module(kEngineFile, "The engine",
                             "Install Hearth with LibTorch, or build it with -DHEARTH_TORCH=ON.");
  return run_in(engine, kEngineFile, command, arguments);
}

int run_in_net(const std::string& command, const void* arguments) {
  void* net = load_module(kNetFile, "What knows the net", "Install Hearth with libcurl.");
  return run_in(net, kNetFile, command, arguments);
}

}  // namespace hearth::cli
