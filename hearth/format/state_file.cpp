// A state as a file.
#include "hearth/format/state_file.h"

#include "hearth/base/error.h"
#include "hearth/format/json.h"

namespace hearth {

nlohmann::json StateFile::values(const std::string& kind) const {
  const auto& metadata = file_.metadata();
  const auto found = metadata.find(kStateKindKey);
  if (found == metadata.end() || found->second != kind)
    throw DataError(
        path().string() + " is not a Hearth " + kind + " but " +
        (found == metadata.end() ? "another program's file" : "a file of kind " + found->second) +
        ".");
  const auto text = metadata.find(kStateValuesKey);
  if (text == metadata.end())
    throw DataError(path().string() + " has no state beside its tensors.");
  nlohmann::json values = parse_json(text->second, path().string());
  if (!values.is_object()) throw DataError(path().string() + " has a state that is no object.");
  return values;
}

}  // namespace hearth
