// The catalog of everything this process knows.
#include "hearth/train/live_catalog.h"

#include <dlfcn.h>

#include "hearth/base/error.h"
#include "hearth/data/sample_op.h"
#include "hearth/data/source.h"
#include "hearth/experiment/options.h"
#include "hearth/metrics/metric.h"
#include "hearth/network/network_op.h"
#include "hearth/nn/layer.h"
#include "hearth/optim/optimizer.h"
#include "hearth/schedule/schedule.h"
#include "hearth/train/trace.h"

namespace hearth {
namespace {

template <class Base>
KindInfo kind_of(std::string help, std::string slot) {
  return {KindOf<Base>::name,           std::move(help), std::move(slot), {}, false,
          registry<Base>().components()};
}

// A kind whose components are nodes of the graph: they take when, from and until, and their
// numbers may be schedules.
template <class Base>
KindInfo node_kind_of(std::string help, std::string slot) {
  KindInfo kind = kind_of<Base>(std::move(help), std::move(slot));
  kind.shared = node_fields();
  kind.numbers_may_be_scheduled = true;
  return kind;
}

}  // namespace

Catalog live_catalog() {
  Catalog catalog;
  catalog.experiment = ExperimentOptions::schema().info();
  KindInfo metrics = kind_of<Metric>("What is measured over a whole epoch.", "metrics");
  metrics.shared = {node_fields().front()};
  catalog.kinds = {
      kind_of<Source>("Where samples come from.", "data.train, data.eval, data.test"),
      node_kind_of<SampleOp>("Ops on one sample, run by worker threads.", "data.ops"),
      kind_of<Layer>("Layers and whole architectures.", "model, models.<name>.build"),
      kind_of<Optimizer>("What updates a model's parameters.",
                         "optimizer, models.<name>.optimizer"),
      kind_of<Schedule>("Numbers that change with time.", "any number of an op or optimizer"),
      node_kind_of<NetworkOp>("Ops on one batch: model calls, losses, updates.", "network, loss"),
      std::move(metrics),
      kind_of<Trace>("Observers of the training.", "train.traces")};
  return catalog;
}

void load_plugin(const std::string& path) {
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (library == nullptr)
    throw ConfigError("plugins: cannot load '" + path + "': " + dlerror() + ".");
  auto* register_all = reinterpret_cast<void (*)()>(dlsym(library, "hearth_register"));
  if (register_all == nullptr)
    throw ConfigError("plugins: '" + path +
                      "' has no hearth_register(). Write extern \"C\" void "
                      "hearth_register() that adds your components to their registries.");
  register_all();
}

void load_plugins(const Node& config) {
  const Node* plugins = config.find("plugins");
  if (plugins == nullptr) return;
  for (const std::string& plugin : TypeOf<std::vector<std::string>>::read(*plugins))
    load_plugin(plugin);
}

}  // namespace hearth
