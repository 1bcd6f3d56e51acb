// Driven by fashion_batches.py: the same batches by LibTorch's own dataset, transforms and
// DataLoader, written the usual way: FOLDER WORKERS EPOCHS.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

#include <torch/torch.h>

namespace {

using Example = torch::data::Example<>;
using Clock = std::chrono::steady_clock;

constexpr int64_t kPixels = 2;

// A part of the padded image, at random, and mirrored for every second one.
Example augmented(Example example) {
  const int64_t side = example.data.size(1);
  const torch::Tensor padded =
      torch::constant_pad_nd(example.data, {kPixels, kPixels, kPixels, kPixels});
  const auto draws = torch::randint(2 * kPixels + 1, {2}, torch::kLong);
  const auto* drawn = draws.data_ptr<int64_t>();
  example.data = padded.narrow(1, drawn[0], side).narrow(2, drawn[1], side);
  if (torch::rand({1}).item<float>() < 0.5F) example.data = example.data.flip({2});
  return example;
}

template <class Loader>
int64_t run_epoch(Loader& loader, double& sum) {
  int64_t rows = 0;
  for (auto& batch : loader) {
    rows += batch.data.size(0);
    sum += static_cast<double>(batch.data.template data_ptr<float>()[400]);
  }
  return rows;
}

void measure(const std::string& folder, size_t workers, int64_t epochs) {
  torch::set_num_threads(1);
  auto data = torch::data::datasets::MNIST(folder)
                  .map(torch::data::transforms::Lambda<Example>(augmented))
                  .map(torch::data::transforms::Normalize<>(0.2860, 0.3530))
                  .map(torch::data::transforms::Stack<>());
  auto loader = torch::data::make_data_loader<torch::data::samplers::RandomSampler>(
      std::move(data), torch::data::DataLoaderOptions().batch_size(128).workers(workers));
  double sum = 0;
  (void)run_epoch(*loader, sum);
  const auto begin = Clock::now();
  int64_t rows = 0;
  for (int64_t epoch = 0; epoch < epochs; ++epoch) rows += run_epoch(*loader, sum);
  const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  std::printf("{\"rate\": %.1f, \"images\": %lld, \"sum\": %.3f}\n",
              static_cast<double>(rows) / seconds, static_cast<long long>(rows), sum);
}

}  // namespace

int main(int count, char** words) {
  if (count != 4) return 2;
  try {
    measure(words[1], std::strtoul(words[2], nullptr, 10), std::atoll(words[3]));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
