// Finding components by name, and the fault of naming one that is not there.
#include "hearth/config/registry.h"

#include "hearth/config/chosen.h"

namespace hearth {

void throw_unknown_component(const std::string& kind, const std::string& name,
                             const std::vector<std::string>& known, const Mark& mark) {
  const Node came = name.empty() ? Node() : Node::scalar(name);
  throw ConfigError(unknown_component_message(kind, came, known), mark.place());
}

ComponentList::ComponentList(const char* kind) : kind_(kind) {}

std::vector<std::string> ComponentList::names() const {
  std::vector<std::string> names;
  for (const Entry& entry : entries_) names.push_back(entry.info.name);
  return names;
}

std::vector<ComponentInfo> ComponentList::components() const {
  std::vector<ComponentInfo> infos;
  for (const Entry& entry : entries_) infos.push_back(entry.info);
  return infos;
}

SchemaInfo ComponentList::schema(const std::string& name, const Mark& mark) const {
  return entries_[place_of(name, mark)].info.schema;
}

size_t ComponentList::members(const std::string& name) const {
  const size_t place = find(name);
  return place == entries_.size() ? 0 : entries_[place].member_count;
}

size_t ComponentList::put(std::string_view name, std::string_view help, SchemaInfo schema,
                          size_t member_count) {
  const size_t place = find(name);
  if (place == entries_.size()) entries_.emplace_back();
  entries_[place] = {{std::string(name), std::string(help), std::move(schema)}, member_count};
  return place;
}

size_t ComponentList::place_of(const std::string& name, const Mark& mark) const {
  const size_t place = find(name);
  if (place == entries_.size()) throw_unknown_component(kind_, name, names(), mark);
  return place;
}

size_t ComponentList::find(std::string_view name) const {
  size_t place = 0;
  while (place < entries_.size() && entries_[place].info.name != name) ++place;
  return place;
}

}  // namespace hearth
