// hearth doctor: what this machine gives, what is slow, and how to cure it.
#include <ATen/Parallel.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/ones.h>
#include <sys/sysinfo.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>

#include "cli/engine/engine.h"
#include "hearth/base/clock.h"
#include "hearth/base/cores.h"
#include "hearth/base/other_programs.h"
#include "hearth/base/terminal.h"
#include "hearth/base/text.h"
#include "hearth/format/json.h"
#include "hearth/kernels/threads/compute_threads.h"
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

// What others use of the cores, as far as the system says, and what threads do because of it.
Json sharing_facts() {
  constexpr auto kLongEnough = std::chrono::milliseconds(250);
  OtherPrograms others;
  std::this_thread::sleep_for(kLongEnough);
  const double used = others.cores_used().value_or(0);
  const ThreadChoice better =
      better_choice(used, available_cores(), at::get_num_threads(), Waiting::kSpin);
  return {{"cores_of_others", std::round(used * 10) / 10},
          {"waiting", name(asked_choice().value_or(better).waiting)}};
}

// Only where the choice was not made by somebody.
std::optional<Advice> advice_on_sharing(const Json& facts) {
  const auto waiting = facts.at("waiting").get<std::string>();
  if (waiting == name(Waiting::kSpin) || asked_choice()) return std::nullopt;
  const std::string where = waiting == name(Waiting::kTogether) ? " and share fewer cores" : "";
  return Advice{"the machine is busy: other programs use " +
                    shortest_number(facts.at("cores_of_others").get<double>()) + " of " +
                    std::to_string(available_cores()) +
                    " cores. So threads sleep instead of spinning while they wait for each other" +
                    where + "; results are the same.",
                "nothing to set; training is faster once the other programs end."};
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
  if (const auto sharing = advice_on_sharing(facts)) advice.push_back(*sharing);
  const char* policy = std::getenv("OMP_WAIT_POLICY");
  if (policy != nullptr && std::string(policy) == "passive")
    advice.push_back(
        {"OMP_WAIT_POLICY=passive makes small steps about 1.5 times slower.", "unset it."});
  return advice;
}

std::string fact_text(const std::string& name, const Json& value) {
  if (name == "memory_bytes") return human_bytes(value.get<uint64_t>());
  return value.is_string() ? value.get<std::string>() : value.dump();
}

}  // namespace

extern "C" int hearth_command_doctor(const void* given) {
  const auto& arguments = *static_cast<const DoctorArguments*>(given);
  use_threads(std::nullopt);
  Json facts = machine_facts();
  facts.update(sharing_facts());
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
    print(json_line(facts));
    return 0;
  }
  for (const auto& [name, value] : facts.items()) print(row_of(name, fact_text(name, value)));
  for (const Advice& item : advice)
    print("\nslow: " + item.problem + "\n  cure: " + item.cure + "\n");
  if (advice.empty()) print("\nall well.\n");
  say_next(advice.empty() ? "hearth train examples/digits.yaml" : "hearth doctor");
  return 0;
}

}  // namespace hearth::cli
