// The walk over a config with its schema at hand.
#include "hearth/config/validate.h"

#include <algorithm>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/chosen.h"
#include "hearth/config/file_name.h"
#include "hearth/config/hint.h"
#include "hearth/config/scalar_check.h"
#include "hearth/config/scoped_options.h"

namespace hearth {
namespace {

class Validator {
 public:
  Validator(const Catalog& catalog, const ScheduleRange& range)
      : catalog_(catalog), range_(range) {}

  void options(const Node& node, const SchemaInfo& schema, const std::string& path) {
    if (!node.is_map() && !node.is_null()) {
      add(node.mark(), path, "expected options as a map, but got " + node.describe() + ".");
      return;
    }
    // A map's mark lies before its entries, so what is missing comes first.
    for (const Field& field : schema.fields)
      if (is_missing(node, field)) add(node.mark(), below(path, field.name), missing(field));
    for (const Node::Entry& entry : node.entries()) option(entry, schema, path);
  }

  void value(const Node& node, const Type& type, const std::string& path) {
    if (node.is_null() && type.is_optional) return;
    if (is_word_instead(node, type)) return;
    if (names_component(node, type, catalog_)) {
      const size_t before = faults_.size();
      component(node, *kind_taken(type, catalog_), path);
      if (type.is_scheduled && faults_.size() == before) schedule(node, type, path);
      return;
    }
    switch (type.kind) {
      case TypeKind::kList:
        return list(node, type, path);
      case TypeKind::kMap:
        return map(node, type, path);
      case TypeKind::kOptions:
        return options(node, *type.options, path);
      case TypeKind::kChoice:
        return component(node, *kind_taken(type, catalog_), path);
      case TypeKind::kModes:
        return modes(node, type, path);
      default:
        return scalar(node, type, path);
    }
  }

  std::vector<Fault> faults() && { return std::move(faults_); }

 private:
  static std::string below(const std::string& path, const std::string& name) {
    return path.empty() ? name : path + "." + name;
  }
  static std::string missing(const Field& field) {
    return "is required, but missing." + (field.help.empty() ? "" : " " + field.help);
  }
  static bool is_missing(const Node& node, const Field& field) {
    const Node* value = node.find(field.name);
    return field.is_required && (value == nullptr || value->is_null());
  }

  void add(const Mark& mark, const std::string& path, std::string message) {
    faults_.push_back({mark, path, std::move(message)});
  }

  void option(const Node::Entry& entry, const SchemaInfo& schema, const std::string& path) {
    const Field* field = schema.find(entry.key);
    if (field == nullptr) {
      add(entry.mark, path,
          "there is no option " + quote(entry.key) + "." +
              option_hint(entry.key, schema, path, catalog_) + time_hint(schema));
      return;
    }
    // Null where nothing is the default says the same as leaving it out.
    if (entry.value.is_null() && (field->default_value.is_null() || field->is_required)) return;
    value(entry.value, field->type, below(path, entry.key));
  }

  static std::string time_hint(const SchemaInfo& schema) {
    for (const Field& field : schema.fields)
      if (field.is_by_time) return " A time such as 10ep may stand here, too.";
    return "";
  }

  void scalar(const Node& node, const Type& type, const std::string& path) {
    std::optional<std::string> fault = scalar_fault(node, type);
    if (!fault) return;
    if (!type.is_scheduled && names_schedule(node, type))
      return add(node.mark(), path,
                 "expected " + type.label() + ", but got the schedule " +
                     quote(node.keys().front()) + "; this number stays the same." +
                     (schedules_ > 0 ? " Combine schedules with `sum` and `product`." : ""));
    if (type.is_scheduled && node.is_scalar())
      *fault += suggestion(node.text(), kind_taken(type, catalog_)->names());
    add(node.mark(), path, std::move(*fault));
  }

  // A word that may stand where numbers do, as in `padding: same`.
  static bool is_word_instead(const Node& node, const Type& type) {
    return node.is_scalar() && type.kind != TypeKind::kEnum &&
           std::find(type.values.begin(), type.values.end(), node.text()) != type.values.end();
  }

  // The limit of all whole numbers goes without saying until one is beyond it.
  static std::string rule_broken_by(double value, const Type& type) {
    if (value > kLargestInteger && type.maximum == kLargestInteger)
      return "at most " + shortest_number(kLargestInteger);
    return type.rule();
  }

  [[nodiscard]] bool names_schedule(const Node& node, const Type& type) const {
    const bool is_number = type.kind == TypeKind::kNumber || type.kind == TypeKind::kInteger;
    const KindInfo* schedules = catalog_.kind("schedule");
    return is_number && schedules != nullptr && node.is_map() && node.entries().size() == 1 &&
           schedules->find(node.keys().front()) != nullptr;
  }

  // What a schedule gives must be what the option may be.
  void schedule(const Node& node, const Type& type, const std::string& path) {
    const auto range = range_ ? range_(node) : std::nullopt;
    if (!range) return;
    for (const double value : {range->first, range->second})
      if (!is_within(value, type))
        return add(node.mark(), path,
                   "must be " + rule_broken_by(value, type) + ", but the schedule goes from " +
                       shortest_number(range->first) + " to " + shortest_number(range->second) +
                       ".");
  }

  void modes(const Node& node, const Type& type, const std::string& path) {
    if (!node.is_list()) return scalar(node, type, path);
    if (node.items().empty()) add(node.mark(), path, "must name at least one mode.");
    for (const Node& item : node.items()) scalar(item, type, path);
  }

  void list(const Node& node, const Type& type, const std::string& path) {
    const bool needs_items = type.must_not_be_empty || type.may_stand_alone;
    if (needs_items && node.items().empty() && (node.is_list() || node.is_null()))
      return add(node.mark(), path, "must not be empty.");
    if (node.is_null()) return;
    if (!node.is_list()) return list_of_one(node, type, path);
    for (size_t i = 0; i < node.items().size(); ++i)
      value(node.items()[i], *type.element, path + "[" + std::to_string(i) + "]");
  }

  void list_of_one(const Node& node, const Type& type, const std::string& path) {
    const TypeKind kind = type.element->kind;
    const bool takes_map = kind == TypeKind::kOptions || kind == TypeKind::kChoice ||
                           kind == TypeKind::kMap || type.element->is_scheduled;
    if (node.is_map() && !takes_map)
      return add(node.mark(), path, "expected " + type.label() + ", but got a map.");
    if (!type.values.empty() && node.is_scalar() && !read_number(node.text()))
      return add(node.mark(), path,
                 "expected " + type.label() + ", but got " + node.describe() + "." +
                     suggestion(node.text(), type.values));
    value(node, *type.element, path);
  }

  void map(const Node& node, const Type& type, const std::string& path) {
    if (!node.is_map() && !node.is_null())
      return add(node.mark(), path,
                 "expected " + type.label() + ", but got " + node.describe() + ".");
    if (is_scoped_options(type)) return scoped_options(node, type, path);
    if (type.must_not_be_empty && node.entries().empty())
      return add(node.mark(), path, "must not be empty.");
    for (const Node::Entry& entry : node.entries()) {
      if (auto fault = name_fault(entry.key, type.names))
        add(entry.mark, below(path, entry.key), "the name " + *fault);
      value(entry.value, *type.element, below(path, entry.key));
    }
  }

  // Some options of components by name: none is required, and none says where it stands.
  void scoped_options(const Node& node, const Type& type, const std::string& path) {
    const KindInfo& kind = *catalog_.kind(type.component_kind);
    for (const Node::Entry& entry : node.entries()) {
      const ComponentInfo* info = kind.find(entry.key);
      if (info == nullptr) {
        unknown(Node::scalar(entry.key), entry.mark, kind, path);
        continue;
      }
      SchemaInfo schema = component_schema(kind, *info);
      std::erase_if(schema.fields, [](const Field& field) {
        return field.name == "name" || field.name == "in" || field.name == "out";
      });
      for (Field& field : schema.fields) field.is_required = false;
      options(entry.value, schema, below(path, entry.key));
    }
  }

  void component(const Node& node, const KindInfo& kind, const std::string& path) {
    if (std::optional<std::string> foreign = foreign_form(node, kind))
      return add(node.mark(), path, std::move(*foreign));
    if (node.is_map() && node.entries().size() > 1)
      return add(node.mark(), path, several_names(node, kind));
    const std::optional<Chosen> chosen = chosen_component(node);
    if (!chosen) return unknown(node, node.mark(), kind, path);
    const ComponentInfo* info = kind.find(chosen->name);
    if (info == nullptr) return unknown(Node::scalar(chosen->name), chosen->mark, kind, path);
    const int inside = kind.name == "schedule" ? 1 : 0;
    schedules_ += inside;
    options(chosen->options, component_schema(kind, *info), below(path, chosen->name));
    schedules_ -= inside;
  }

  void unknown(const Node& came, const Mark& mark, const KindInfo& kind, const std::string& path) {
    add(mark, path, unknown_component_message(kind.name, came, kind.names()));
  }

  static std::string several_names(const Node& node, const KindInfo& kind) {
    const std::vector<std::string> keys = node.keys();
    if (const ComponentInfo* first = kind.find(keys[0]))
      if (kind.find(keys[1]) == nullptr && component_schema(kind, *first).find(keys[1]) != nullptr)
        return quote(keys[1]) + " belongs inside the options of " + quote(keys[0]) +
               "; indent it further.";
    if (keys.size() > 2)
      return "names " + std::to_string(keys.size()) + " components, " + quote(keys[0]) + ", " +
             quote(keys[1]) + " and more; this place takes one.";
    return "names two components, " + quote(keys[0]) + " and " + quote(keys[1]) +
           "; this place takes one.";
  }

  const Catalog& catalog_;
  const ScheduleRange& range_;
  std::vector<Fault> faults_;
  int schedules_ = 0;  // inside how many the walk is
};

}  // namespace

std::string Fault::text() const {
  return (mark.file ? mark.text() + ": " : "") + (path.empty() ? "" : path + ": ") + message;
}

std::vector<Fault> validate(const Node& config, const SchemaInfo& schema, const Catalog& catalog,
                            const ScheduleRange& range) {
  Validator validator(catalog, range);
  validator.options(config, schema, "");
  return std::move(validator).faults();
}

std::vector<Fault> validate_type(const Node& value, const Type& type, const std::string& path,
                                 const Catalog& catalog) {
  const ScheduleRange unknown;
  Validator validator(catalog, unknown);
  validator.value(value, type, path);
  return std::move(validator).faults();
}

void throw_faults(const std::vector<Fault>& faults) {
  if (faults.empty()) return;
  std::vector<std::string> lines;
  for (const Fault& fault : faults) lines.push_back(fault.text());
  throw ConfigError(join(lines, "\n"), "");
}

}  // namespace hearth
