// hearth doctor: what this machine gives, what is slow, and how to cure it.
#include <ATen/Parallel.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/ones.h>
#include <sys/sysinfo.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "cli/arguments.h"
#include "hearth/base/clock.h"
#include "hearth/base/cores.h"
#include "hearth/base/text.h"
#include "hearth/train/machine.h"

namespace hearth::cli {
namespace {

constexpr double kSlowGigaflopsPerThread = 8;

struct Advice {
  std::string problem;
  std::string cure;
};

// A matrix product large enough to show reference BLAS, small enough to take milliseconds.
double matrix_gigaflops() {
  constexpr int64_t kSize = 384;
  const at::Tensor left = at::ones({kSize, kSize});
  at::Tensor product = left.mm(left);
  double best = 0;
  for (int round = 0; round < 5; ++round) {
    const Stopwatch watch;
    product = left.mm(left);
    best = std::max(best, 2.0 * kSize * kSize * kSize / watch.seconds() * 1e-9);
  }
  return best;
}

std::vector<Advice> advice_for(const Json& facts, double gigaflops) {
  std::vector<Advice> advice;
  const int threads = facts.at("threads").get<int>();
  if (!blas_facts().is_fast)
    advice.push_back({"LibTorch uses the BLAS in " + blas_facts().path +
                          ", which may be the reference one, 40 times slower.",
                      "install libopenblas0-openmp (Debian), then run `hearth doctor` again."});
  if (gigaflops < kSlowGigaflopsPerThread * std::min(threads, available_cores()))
    advice.push_back(
        {"a matrix product reaches only " + shortest_number(std::round(gigaflops)) + " GF/s.",
         "check BLAS above, and that nothing else keeps the machine busy."});
  if (threads > available_cores())
    advice.push_back(
        {std::to_string(threads) + " threads compute on " + std::to_string(available_cores()) +
             " cores; spinning threads slow each other down many times.",
         "set threads: " + std::to_string(available_cores()) + " or unset OMP_NUM_THREADS."});
  if (threads < available_cores())
    advice.push_back({"only " + std::to_string(threads) + " of " +
                          std::to_string(available_cores()) + " cores compute.",
                      "unset OMP_NUM_THREADS, or set threads: in the config."});
  if (facts.at("build") != "Release")
    advice.push_back({"this is a " + facts.at("build").get<std::string>() + " build.",
                      "use the release preset: make install."});
  const char* policy = std::getenv("OMP_WAIT_POLICY");
  if (policy != nullptr && std::string(policy) == "passive")
    advice.push_back(
        {"OMP_WAIT_POLICY=passive makes small steps about 1.5 times slower.", "unset it."});
  return advice;
}

}  // namespace

extern "C" int hearth_command_doctor(const void* given) {
  const auto& arguments = *static_cast<const DoctorArguments*>(given);
  use_threads(std::nullopt);
  Json facts = machine_facts();
  struct sysinfo memory {};
  sysinfo(&memory);
  facts["cores"] = available_cores();
  facts["memory_bytes"] = static_cast<uint64_t>(memory.totalram) * memory.mem_unit;
  facts["matrix_gigaflops"] = std::round(matrix_gigaflops());
  const std::vector<Advice> advice = advice_for(facts, facts["matrix_gigaflops"].get<double>());
  if (arguments.is_json) {
    facts["advice"] = Json::array();
    for (const Advice& item : advice)
      facts["advice"].push_back({{"problem", item.problem}, {"cure", item.cure}});
    std::printf("%s\n", facts.dump(2).c_str());
    return 0;
  }
  for (const auto& [name, value] : facts.items())
    std::printf("  %-18s %s\n", name.c_str(),
                name == "memory_bytes" ? human_bytes(value.get<uint64_t>()).c_str()
                : value.is_string()    ? value.get<std::string>().c_str()
                                       : value.dump().c_str());
  for (const Advice& item : advice)
    std::printf("\nslow: %s\n  cure: %s\n", item.problem.c_str(), item.cure.c_str());
  if (advice.empty()) std::printf("\nall well. next:\n  hearth train examples/digits.yaml\n");
  return 0;
}

}  // namespace hearth::cli
