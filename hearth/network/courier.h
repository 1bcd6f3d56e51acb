// A thread that does one thing after the other, for who cannot wait for them.
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace hearth {

class Courier {
 public:
  Courier() = default;
  ~Courier();  // does what is left
  Courier(const Courier&) = delete;
  Courier& operator=(const Courier&) = delete;

  // After the first that failed nothing is done any more, until `wait` said so.
  void add(std::function<void()> job);
  // Until all is done; throws what the first that failed threw.
  void wait();

 private:
  void run();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> jobs_;  // the first of them runs
  std::exception_ptr error_;
  bool stops_ = false;
  std::thread thread_;  // begins with the first job
};

}  // namespace hearth
