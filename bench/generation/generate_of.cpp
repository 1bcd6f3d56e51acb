// The time of a token while texts are continued, with a cache: generate_of LAYERS WIDTH HEADS
// LENGTH BATCH THREADS [SECONDS]. Prints one line of JSON; bench/generation.py runs it beside
// Python's torch.
#include <ATen/Parallel.h>
#include <hearth/hearth.h>
#include <hearth/kernels/memory/memory_cache.h>
#include <hearth/network/network.h>
#include <hearth/train/machine.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

namespace {

using namespace hearth;

constexpr int kLetters = 65;
constexpr int64_t kPromptTokens = 8;

// A text in which every letter occurs.
std::string letters_file(int64_t length) {
  const auto file = std::filesystem::temp_directory_path() /
                    ("hearth_generate_" + std::to_string(::getpid()) + ".txt");
  std::ofstream text(file);
  for (int64_t i = 0; i < 4 * length + kLetters; ++i)
    text << static_cast<char>('0' + (i * 7) % kLetters);
  return file.string();
}

std::vector<Prompt> prompts_of(int64_t batch) {
  std::vector<Prompt> prompts;
  for (int64_t b = 0; b < batch; ++b) {
    std::string text;
    for (int64_t i = 0; i < kPromptTokens; ++i)
      text += static_cast<char>('0' + (b * 11 + i * 5) % kLetters);
    prompts.push_back({text});
  }
  return prompts;
}

double now_ms() {
  return std::chrono::duration<double, std::milli>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

// Milliseconds for a token of every text.
std::vector<double> timed(const Generator& generator, const std::vector<Prompt>& prompts,
                          int64_t tokens, double milliseconds) {
  std::vector<double> times;
  const double began = now_ms();
  while (now_ms() - began < milliseconds || times.size() < 3) {
    const double start = now_ms();
    (void)generator(prompts, {.max_tokens = tokens, .temperature = 0});
    times.push_back((now_ms() - start) / static_cast<double>(tokens));
  }
  return times;
}

}  // namespace

int main(int count, char** words) {
  if (count < 7) {
    std::fprintf(stderr, "generate_of LAYERS WIDTH HEADS LENGTH BATCH THREADS [SECONDS]\n");
    return 2;
  }
  const auto number = [&](int at) { return static_cast<int64_t>(std::atoll(words[at])); };
  at::set_num_threads(static_cast<int>(number(6)));
  install_memory_cache();
  const int64_t length = number(4);
  ExperimentOptions options;
  options.device = "cpu";
  const std::string file = letters_file(length);
  options.data.train = sources::text({.file = file, .length = length});
  options.input = "tokens";
  options.target = "next";
  options.model = layers::gpt({.layers = number(1), .width = number(2), .heads = number(3)});
  options.loss = network_ops::cross_entropy({.in = {"logits", "next"}});
  options.optimizer = optimizers::adamw();
  Estimator estimator(options, {.keeps_run = false});
  const Generator generator(estimator);
  const std::vector<Prompt> prompts = prompts_of(number(5));
  const int64_t tokens = length - kPromptTokens;
  (void)timed(generator, prompts, tokens, 500);
  std::vector<double> times =
      timed(generator, prompts, tokens, (count > 7 ? std::atof(words[7]) : 2) * 1e3);
  std::filesystem::remove(file);
  std::sort(times.begin(), times.end());
  const nlohmann::json line = {
      {"median", times[times.size() / 2]},
      {"least", times.front()},
      {"rounds", times.size()},
      {"is_cached", generator.can_remember()},
      {"blas", blas_facts().path},
      {"parameters", estimator.network().models().all().front()->parameter_count()}};
  std::printf("%s\n", line.dump().c_str());
  return 0;
}
