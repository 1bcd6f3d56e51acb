// Lets several threads run one network at once, and keeps changes of it for when nobody does.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>

#include "hearth/network/averaged_weights.h"
#include "hearth/network/network.h"

namespace hearth {

class SharedInference {
 public:
  explicit SharedInference(Network& network) : network_(network) {}

  // While it lives, Network::infer may run on this thread: models evaluate, with averaged weights
  // where they are kept. Alone, when a hook listens: it need not be ready for several threads.
  class Stay {
   public:
    explicit Stay(SharedInference& room);
    ~Stay();
    Stay(const Stay&) = delete;
    Stay& operator=(const Stay&) = delete;

   private:
    SharedInference& room_;
    std::unique_lock<std::mutex> turn_;
  };

  // Runs `work`, which may change the network, while nobody stays; not from within a Stay.
  void change(const std::function<void()>& work);

 private:
  [[nodiscard]] bool enter();  // whether calls take turns
  void leave();
  void prepare();

  Network& network_;
  std::mutex mutex_;  // guards what follows
  std::condition_variable is_quieter_;
  int64_t inside_ = 0;
  int64_t changers_ = 0;  // at work or waiting; nobody enters before them
  bool takes_turns_ = false;
  std::optional<AveragedWeights> averaged_;
  std::mutex turn_;
};

}  // namespace hearth
