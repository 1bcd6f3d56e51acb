// A trace without state of its own.
#include "hearth/train/trace.h"

#include <nlohmann/json.hpp>

namespace hearth {

Json Trace::state() const { return Json::object(); }
void Trace::restore(const Json& state) { (void)state; }

}  // namespace hearth
