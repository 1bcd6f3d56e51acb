// The catalog of everything this process knows.
#include "hearth/train/live_catalog.h"

#include "hearth/experiment/options.h"

namespace hearth {
namespace {

std::vector<Field> shared_fields(KindForm form) {
  if (form == KindForm::kNode || form == KindForm::kWatch) return node_fields();
  if (form == KindForm::kLayer) return layer_fields();
  if (form == KindForm::kMeasure) return {node_fields().front()};
  return {};
}

template <class Base>
KindInfo kind_of() {
  using Kind = KindOf<Base>;
  return {Kind::name,
          Kind::help,
          Kind::place,
          shared_fields(Kind::form),
          Kind::form == KindForm::kNode,
          registry<Base>().components()};
}

}  // namespace

Catalog live_catalog() {
  Catalog catalog;
  catalog.experiment = ExperimentOptions::schema().info();
  for_each_kind([&]<class Base>() { catalog.kinds.push_back(kind_of<Base>()); });
  return catalog;
}

}  // namespace hearth
