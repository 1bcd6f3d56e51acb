// Finds the schedules of a config.
#include "hearth/experiment/found_schedules.h"

#include <set>

#include "hearth/config/walk.h"
#include "hearth/schedule/schedule.h"

namespace hearth {
namespace {

class ScheduleFinder {
 public:
  explicit ScheduleFinder(std::vector<FoundSchedule>& found) : found_(found) {}

  void look_at(const Node& options, const SchemaInfo& schema) {
    for (const Field& field : schema.fields)
      if (const Node* value = options.find(field.name)) look_at_value(*value, field.type);
  }

 private:
  void look_at_value(const Node& value, const Type& type) {
    const bool has_many = type.kind == TypeKind::kList || type.kind == TypeKind::kMap;
    const Type& number = has_many && type.element ? *type.element : type;
    if (!number.is_scheduled) return;
    if (type.kind == TypeKind::kMap) {
      for (const Node::Entry& entry : value.entries())
        if (is_schedule(entry.value)) add(entry.value, number, "." + entry.key);
      return;
    }
    if (is_schedule(value)) add(value, number, "");
    for (size_t i = 0; i < value.items().size(); ++i)
      if (is_schedule(value.items()[i]))
        add(value.items()[i], number, "[" + std::to_string(i) + "]");
  }

  void add(const Node& value, const Type& type, const std::string& place) {
    const std::string path = value.mark().path ? *value.mark().path : "";
    // Those below a schedule that was found already are part of it.
    for (const std::string& outer : paths_)
      if (path.starts_with(outer + ".")) return;
    paths_.insert(path);
    found_.push_back({path.ends_with(place) ? path : path + place,
                      TypeOf<Choice<Schedule>>::read(value), type.changes_by_epoch});
  }

  std::vector<FoundSchedule>& found_;
  std::set<std::string> paths_;
};

}  // namespace

std::vector<FoundSchedule> schedules_in(const Node& config, const Catalog& catalog) {
  std::vector<FoundSchedule> found;
  ScheduleFinder finder(found);
  Node walked = config;
  for_each_options(
      walked, catalog.experiment, catalog,
      [&](Node& options, const SchemaInfo& schema) { finder.look_at(options, schema); });
  return found;
}

}  // namespace hearth
