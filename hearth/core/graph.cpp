// Names of places, and looking up a plan's slots.
#include "hearth/core/graph.h"

namespace hearth {

std::string_view name(Place place) {
  switch (place) {
    case Place::kSource:
      return "source";
    case Place::kSample:
      return "sample";
    case Place::kNetwork:
      return "network";
    case Place::kRecord:
      return "record";
  }
  return "?";
}

int Plan::slot(const std::string& key) const {
  for (size_t i = values.size(); i-- > 0;)
    if (values[i].key == key) return static_cast<int>(i);
  return -1;
}

}  // namespace hearth
