// Holds a config against the catalog and reports every fault at once.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hearth/config/catalog.h"
#include "hearth/config/node.h"

namespace hearth {

struct Fault {
  Mark mark;
  std::string path;                        // "train.traces[0].early_stopping.patience"
  std::string message;                     // "must be at least 1, but is 0."
  [[nodiscard]] std::string text() const;  // "digits.yaml:5:7: train....: must be ..."
};

// The least and the greatest value that a schedule, given as a component, ever has; nothing when
// nobody can say.
using ScheduleRange = std::function<std::optional<std::pair<double, double>>(const Node& schedule)>;

// Faults in the order of the file. The limits of an option hold for every value of its schedule.
[[nodiscard]] std::vector<Fault> validate(const Node& config, const SchemaInfo& schema,
                                          const Catalog& catalog, const ScheduleRange& range = {});
[[nodiscard]] std::vector<Fault> validate_type(const Node& value, const Type& type,
                                               const std::string& path, const Catalog& catalog);
// ConfigError with one line a fault; nothing when there is none.
void throw_faults(const std::vector<Fault>& faults);

// The config with every default filled in, also inside components.
[[nodiscard]] Node with_defaults(const Node& config, const SchemaInfo& schema,
                                 const Catalog& catalog);

}  // namespace hearth
