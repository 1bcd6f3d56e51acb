// Trains an experiment with the components that this library knows, and prints what came of it.
#include <cstdio>
#include <filesystem>
#include <vector>

#include "hearth/base/error.h"
#include "hearth/experiment/load.h"
#include "hearth/train/estimator.h"
#include "hearth/train/live_catalog.h"

int main(int count, char** words) {
  using namespace hearth;
  if (count != 2) return 2;
  try {
    EstimatorSettings settings;
    settings.keeps_run = false;
    settings.on_notice = [](const std::string& text) { std::printf("%s\n", text.c_str()); };
    const std::filesystem::path file = words[1];
    Estimator estimator(load_experiment(std::vector{file}, {}, live_catalog()).effective, settings);
    const Report report = estimator.fit();
    std::printf("%s\n", estimator.weights_digest().c_str());
    return report.epochs == 2 ? 0 : 1;
  } catch (const Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return error.exit_code();
  }
}
