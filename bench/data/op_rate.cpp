// How many images a second an op takes on one thread: op_rate OP SIDE SECONDS prints the median of
// ten stretches. The op has its default options; images are of bytes, SIDE x SIDE x 3, and copied
// before each run, since the op changes them.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "hearth/config/registry.h"
#include "hearth/data/sample_op.h"

namespace {

using Clock = std::chrono::steady_clock;
constexpr int64_t kImages = 32;
constexpr int kStretches = 10;

std::vector<uint8_t> some_images(int64_t bytes_each) {
  std::vector<uint8_t> bytes(static_cast<size_t>(kImages * bytes_each));
  hearth::Random random({.seed = 1});
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random.bits() >> 24);
  return bytes;
}

class Loop {
 public:
  Loop(const char* op, int64_t side)
      : op_(hearth::registry<hearth::SampleOp>().make({op, hearth::Node::map()})),
        spec_{
            .dtype = hearth::DType::kUint8, .shape = {side, side, 3}, .role = hearth::Role::kImage},
        images_(some_images(spec_.bytes())),
        image_(static_cast<size_t>(spec_.bytes())) {
    (void)op_->infer({spec_});
  }

  void run_one() {
    const size_t from = image_.size() * (sample_ % kImages);
    std::memcpy(image_.data(), images_.data() + from, image_.size());
    hearth::Random random({.seed = 1, .sample = sample_++});
    const hearth::View in{image_.data(), &spec_, spec_.shape};
    const hearth::Cell out(image_.data(), spec_);
    op_->run(random, {&in, 1}, {&out, 1});
  }

  // Images a second.
  double rate(double seconds) {
    int64_t count = 0;
    const auto begin = Clock::now();
    double passed = 0;
    while (passed < seconds) {
      for (int i = 0; i < 16; ++i) run_one();
      count += 16;
      passed = std::chrono::duration<double>(Clock::now() - begin).count();
    }
    return static_cast<double>(count) / passed;
  }

 private:
  std::unique_ptr<hearth::SampleOp> op_;
  hearth::Spec spec_;
  std::vector<uint8_t> images_;
  std::vector<std::byte> image_;
  uint64_t sample_ = 0;
};

}  // namespace

int main(int count, char** words) {
  if (count != 4) {
    std::fprintf(stderr, "op_rate OP SIDE SECONDS\n");
    return 2;
  }
  Loop loop(words[1], std::atoll(words[2]));
  const double seconds = std::atof(words[3]);
  (void)loop.rate(seconds / kStretches);  // warm
  std::vector<double> rates;
  for (int i = 0; i < kStretches; ++i) rates.push_back(loop.rate(seconds / kStretches));
  std::nth_element(rates.begin(), rates.begin() + kStretches / 2, rates.end());
  std::printf("%.1f\n", rates[kStretches / 2]);
}
