// First values of a parameter, as a config chooses them. For people who write one.
#pragma once

#include <ATen/core/Generator.h>
#include <ATen/core/Tensor.h>

#include <functional>
#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/tensor/state.h"

namespace hearth {

// What an initializer may look at besides one parameter.
struct InitScope {
  Layer& model;                         // the whole one, built
  Layer& layer;                         // the one that says `init`
  std::vector<NamedTensor> parameters;  // of that one, those that the pattern names
  // Random numbers of a name's own, such as that of a parameter.
  std::function<at::Generator(const std::string& name)> generator;
};

class Initializer {
 public:
  virtual ~Initializer() = default;
  // Why it cannot fill a parameter of this shape; empty when it can.
  [[nodiscard]] virtual std::string misfit(at::IntArrayRef shape) const {
    (void)shape;
    return "";
  }
  // Fills it: float32 in memory, in the ordinary order, under no-grad. Random numbers come from the
  // generator alone, which is the parameter's own.
  virtual void fill(at::Tensor& values, const at::Generator& generator) const = 0;

  // Fills all parameters of the scope that it fits, each by itself; why it fits none, or nothing.
  // Another one than this for values that follow from where a parameter stands in the model.
  [[nodiscard]] virtual std::string fill_all(const InitScope& scope) const;

 protected:
  // Values are made on the CPU, so that every device starts from the same ones.
  void fill_one(const InitScope& scope, const NamedTensor& parameter) const;
};

}  // namespace hearth
