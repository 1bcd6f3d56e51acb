// The networks that are timed, with their batches and optimizers, and how a run is timed. The twin
// of bench/peer/subjects.py.
#pragma once

#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>
#include <hearth/config/yaml.h>
#include <hearth/hearth.h>

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <string>
#include <vector>

namespace bench {

// A tiny learning rate: at a usual one a fixed batch is learnt by heart, and numbers near zero slow
// the processor down.
struct Subject {
  std::string name;
  std::string model;
  std::string optimizer;
  std::vector<int64_t> input;
  int64_t classes;
  std::vector<int64_t> target;  // the shape of the labels
  int64_t words = 0;            // what the input is drawn from, when it is no picture
};

inline const std::vector<Subject>& subjects() {
  static const std::string descent = "sgd: {lr: 1.0e-7, momentum: 0.9, weight_decay: 1.0e-4}";
  static const std::vector<Subject> all = {
      {"mlp", "mlp: {hidden: [128], classes: 10}", "adam: {lr: 1.0e-7}", {64, 784}, 10, {64}},
      {"lenet",
       "lenet: {classes: 10}",
       "sgd: {lr: 1.0e-7, momentum: 0.9}",
       {128, 1, 28, 28},
       10,
       {128}},
      {"resnet20", "resnet: {depth: 20, classes: 10}", descent, {128, 3, 32, 32}, 10, {128}},
      {"resnet18", "resnet: {depth: 18, classes: 200}", descent, {32, 3, 64, 64}, 200, {32}},
      {"gpt",
       "gpt: {layers: 4, width: 128, heads: 4, vocabulary: 65}",
       "adamw: {lr: 1.0e-7}",
       {16, 128},
       65,
       {16, 128},
       65},
      {"mobilenet", "mobilenet_v2: {classes: 200}", descent, {32, 3, 64, 64}, 200, {32}},
      {"vit",
       "vit: {variant: tiny, patch_size: 8, classes: 200}",
       "adamw: {lr: 1.0e-7}",
       {32, 3, 64, 64},
       200,
       {32}},
      {"lstm",
       "sequential: {layers: [{embedding: {entries: 1000, size: 128}}, "
       "{lstm: {hidden_size: 256, output: last}}, {linear: {out_features: 4}}]}",
       "adam: {lr: 1.0e-7}",
       {32, 64},
       4,
       {32},
       1000},
      {"unet",
       "unet: {depth: 3, width: 16, classes: 4}",
       "adam: {lr: 1.0e-7}",
       {16, 3, 64, 64},
       4,
       {16, 64, 64}},
      {"bert",
       "sequential: {layers: [{bert: {layers: 4, width: 256, heads: 4, hidden: 1024, "
       "vocabulary: 1000, output: pooled}}, {linear: {out_features: 4}}]}",
       "adamw: {lr: 1.0e-7}",
       {16, 128},
       4,
       {16},
       1000},
      {"convnext",
       "convnext: {variant: tiny, classes: 200}",
       "adamw: {lr: 1.0e-7}",
       {32, 3, 64, 64},
       200,
       {32}}};
  return all;
}

inline const Subject& find_subject(const std::string& name) {
  for (const Subject& subject : subjects())
    if (subject.name == name) return subject;
  throw std::runtime_error("no network " + name);
}

// One fixed batch.
inline at::Tensor drawn_input(const Subject& subject, std::vector<int64_t> shape) {
  return subject.words > 0 ? at::randint(subject.words, shape, at::kLong) : at::randn(shape);
}

template <class Base>
hearth::Choice<Base> choice_of(const std::string& text) {
  const hearth::Node node = hearth::parse_yaml(text, "bench");
  return {node.entries().front().key, node.entries().front().value};
}

inline double now_ms() {
  return std::chrono::duration<double, std::milli>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

// How long each run takes, for so long and at least so often; shortest first.
template <class Run>
std::vector<double> timed(const Run& run, double milliseconds, size_t least) {
  std::vector<double> times;
  const double began = now_ms();
  while (now_ms() - began < milliseconds || times.size() < least) {
    const double start = now_ms();
    run();
    times.push_back(now_ms() - start);
  }
  std::sort(times.begin(), times.end());
  return times;
}

}  // namespace bench
