// Facts of this machine and program that the last bits of a result may depend on.
#include "hearth/train/machine.h"

#include <ATen/Parallel.h>
#include <dlfcn.h>
#include <torch/version.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "hearth/base/build_id.h"
#include "hearth/base/processor.h"
#include "hearth/base/text.h"
#include "hearth/train/plugins.h"

#ifdef __GLIBC__
#include <gnu/libc-version.h>
#endif

namespace hearth {
namespace {

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("model name")) return std::string(trim(line.substr(line.find(':') + 1)));
  return "unknown";
}

// What LibTorch and oneDNN choose their kernels by.
std::string instruction_set() {
  if (processor().has_avx512f) return "AVX-512";
  return processor().has_avx2 ? "AVX2" : "baseline";
}

// What tells kernels, ours and those of libraries, to compute in another way than they would here.
std::string environment() {
  std::string told;
  for (const char* name :
       {"HEARTH_VECTOR_UNIT", "ATEN_CPU_CAPABILITY", "ONEDNN_MAX_CPU_ISA", "DNNL_MAX_CPU_ISA",
        "OPENBLAS_CORETYPE", "MKL_CBWR", "MKL_ENABLE_INSTRUCTIONS"})
    if (const char* value = std::getenv(name); value != nullptr)
      told += (told.empty() ? "" : " ") + std::string(name) + "=" + value;
  return told.empty() ? "as usual" : told;
}

// Its mathematical functions have other last bits in other versions.
std::string libc_version() {
#ifdef __GLIBC__
  return std::string("glibc ") + gnu_get_libc_version();
#else
  return "unknown";
#endif
}

}  // namespace

BlasFacts blas_facts() {
  void* symbol = dlsym(RTLD_DEFAULT, "sgemm_");
  Dl_info info{};
  if (symbol == nullptr || dladdr(symbol, &info) == 0 || info.dli_fname == nullptr)
    return {"unknown", false};
  BlasFacts facts{info.dli_fname, dlsym(RTLD_DEFAULT, "openblas_get_config") != nullptr};
  for (const char* fast : {"openblas", "mkl", "blis", "atlas"})
    facts.is_fast = facts.is_fast || facts.path.find(fast) != std::string::npos;
  return facts;
}

Json machine_facts() {
  Json facts = {{"hearth", HEARTH_VERSION},
                {"build", HEARTH_BUILD_TYPE},
                {"libtorch", TORCH_VERSION},
                {"compiler", __VERSION__},
                {"processor", processor_name()},
                {"instruction_set", instruction_set()},
                {"threads", at::get_num_threads()},
                {"environment", environment()},
                {"libc", libc_version()},
                {"blas", blas_facts().path},
                {"binary", build_id(reinterpret_cast<const void*>(&blas_facts))}};
  for (const LoadedPlugin& plugin : loaded_plugins())
    facts["plugin " + plugin.path.string()] = "sha256 " + plugin.sha256;
  return facts;
}

Json machine_facts(int processes) {
  Json facts = machine_facts();
  facts["processes"] = processes;
  return facts;
}

std::vector<std::string> machine_differences(const Json& before, const Json& now) {
  std::vector<std::string> differences;
  auto text = [](const Json& value) {
    return value.is_string() ? value.get<std::string>() : value.dump();
  };
  for (const auto& [name, value] : now.items())
    if (before.contains(name) && before.at(name) != value)
      differences.push_back(name + ": " + text(before.at(name)) + " then, " + text(value) + " now");
  return differences;
}

}  // namespace hearth
