// For tests: models and ops set up by hand, without a network around them.
#pragma once

#include <ATen/Context.h>
#include <ATen/ops/randn.h>

#include <memory>
#include <string>
#include <vector>

#include "hearth/base/error.h"
#include "hearth/config/registry.h"
#include "hearth/network/model.h"
#include "hearth/network/network_op.h"

namespace hearth {

inline Spec sample_spec(std::vector<int64_t> shape, DType dtype = DType::kFloat32,
                        int64_t classes = 0) {
  Spec spec;
  spec.dtype = dtype;
  spec.shape = std::move(shape);
  spec.classes = classes;
  return spec;
}

inline Spec loss_spec() {
  Spec spec;
  spec.is_per_batch = true;
  return spec;
}

inline ModelSet models_of(const ModelOptions& options, const std::string& name = "net") {
  ModelSet models;
  models.seed = 7;
  models.classes = 3;
  models.add(std::make_unique<Model>(name, options));
  return models;
}

inline std::unique_ptr<NetworkOp> bound(const Choice<NetworkOp>& choice, ModelSet& models) {
  std::unique_ptr<NetworkOp> op = registry<NetworkOp>().make(choice);
  op->bind(models);
  return op;
}

// Runs an op with one output or none.
inline at::Tensor run_op(NetworkOp& op, StepContext context,
                         const std::vector<at::Tensor>& inputs) {
  std::vector<at::Tensor> outputs(op.writes().size());
  op.run(context, inputs, outputs);
  return outputs.empty() ? at::Tensor() : outputs[0];
}

}  // namespace hearth
