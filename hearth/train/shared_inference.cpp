// Lets several threads run one network at once.
#include "hearth/train/shared_inference.h"

namespace hearth {

SharedInference::Stay::Stay(SharedInference& room) : room_(room) {
  if (room_.enter()) turn_ = std::unique_lock(room_.turn_);
}

SharedInference::Stay::~Stay() {
  if (turn_) turn_.unlock();
  room_.leave();
}

// A flag or a pointer that threads find as it must be, they only read.
void SharedInference::prepare() {
  takes_turns_ = false;
  for (const auto& model : network_.models().all()) {
    Layer& layer = model->layer();
    if (layer.is_training()) layer.set_training(false);
    takes_turns_ = takes_turns_ || layer.is_hooked();
  }
  averaged_.emplace(network_.models());
}

bool SharedInference::enter() {
  std::unique_lock lock(mutex_);
  is_quieter_.wait(lock, [&] { return changers_ == 0; });
  if (inside_ == 0) prepare();
  ++inside_;
  return takes_turns_;
}

void SharedInference::leave() {
  const std::lock_guard lock(mutex_);
  if (--inside_ > 0) return;
  averaged_.reset();
  is_quieter_.notify_all();
}

void SharedInference::change(const std::function<void()>& work) {
  std::unique_lock lock(mutex_);
  ++changers_;
  is_quieter_.wait(lock, [&] { return inside_ == 0; });
  try {
    work();
  } catch (...) {
    --changers_;
    is_quieter_.notify_all();
    throw;
  }
  --changers_;
  is_quieter_.notify_all();
}

}  // namespace hearth
