// Names of a run log's numbers.
#include "hearth/tracking/series_name.h"

namespace hearth {

std::string series_name(const std::string& event_kind, const std::string& value) {
  if (event_kind == "step") return value.find('/') == std::string::npos ? "step/" + value : value;
  return (event_kind == "epoch" ? "train" : event_kind) + "/" + value;
}

}  // namespace hearth
