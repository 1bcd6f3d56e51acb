// What a call of a layer passes through besides the layer's own computation: hooks, a profile, and
// what comes right after it.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include <ATen/core/Tensor.h>

#include "hearth/kernels/activation/activation.h"

namespace hearth {

class TimeProfile;
class Layer;

// What comes right after a layer and may be computed with it: relu(output + addend).
struct Tail {
  at::Tensor addend = {};  // undefined for none
  bool relu = false;
  // Another one than relu, without an addend; only for layers that take it (`Layer::takes`).
  Activation activation = Activation::kNone;
};

[[nodiscard]] at::Tensor apply_tail(const at::Tensor& value, const Tail& tail);

// Who listens to the calls of one layer.
class CallPath {
 public:
  // May read and replace what goes in, or what comes out; of several values each in turn.
  using Hook = std::function<void(const Layer& layer, at::Tensor& value)>;

  void add_before(Hook hook) { before_.push_back(std::move(hook)); }
  void add_after(Hook hook) { after_.push_back(std::move(hook)); }
  // The one that was added last.
  void remove_after() {
    if (!after_.empty()) after_.pop_back();
  }
  void clear_hooks();
  [[nodiscard]] bool has_hooks() const { return !before_.empty() || !after_.empty(); }
  [[nodiscard]] bool has_hooks_after() const { return !after_.empty(); }
  void before(const Layer& layer, at::Tensor& value) const;
  void after(const Layer& layer, at::Tensor& value) const;

  // Who times the calls; null for nobody.
  void set_profile(TimeProfile* profile) { profile_ = profile; }
  [[nodiscard]] TimeProfile* profile() const { return profile_; }

 private:
  std::vector<Hook> before_;
  std::vector<Hook> after_;
  TimeProfile* profile_ = nullptr;
};

}  // namespace hearth
