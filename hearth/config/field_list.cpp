// Reads and writes options structs member by member.
#include "hearth/config/field_list.h"

namespace hearth {
namespace {

void* member_of(void* options, size_t offset) { return static_cast<std::byte*>(options) + offset; }
const void* member_of(const void* options, size_t offset) {
  return static_cast<const std::byte*>(options) + offset;
}

}  // namespace

FieldList::FieldList() = default;
FieldList::FieldList(const FieldList& other) = default;
FieldList::FieldList(FieldList&& other) noexcept = default;
FieldList::~FieldList() = default;

Field& FieldList::add(const MemberType& member, const void* defaults, size_t offset,
                      std::string_view name, std::string_view help) {
  members_.push_back({&member, offset});
  return info_.fields.emplace_back(Field{std::string(name), std::string(help), member.type(),
                                         member.write(member_of(defaults, offset)), false});
}

void FieldList::add_by_time(const MemberType& member, size_t offset, std::string_view help) {
  members_.push_back({&member, offset});
  info_.fields.push_back({"<time>", std::string(help), member.type(), {}, false, true});
}

void FieldList::read_fields(void* options, const Node& node) const {
  for (size_t i = 0; i < members_.size(); ++i) {
    const auto& [type, offset] = members_[i];
    if (info_.fields[i].is_by_time) type->read(member_of(options, offset), node);
    if (const Node* value = node.find(info_.fields[i].name))
      type->read(member_of(options, offset), *value);
  }
}

Node FieldList::write_fields(const void* options) const {
  Node node = Node::map();
  for (size_t i = 0; i < members_.size(); ++i) {
    const auto& [type, offset] = members_[i];
    Node value = type->write(member_of(options, offset));
    if (!info_.fields[i].is_by_time)
      node.set(info_.fields[i].name, std::move(value));
    else if (!value.entries().empty())
      return value;
  }
  return node;
}

void FieldList::set_field_number(void* options, size_t field, size_t element, double value) const {
  const auto& [type, offset] = members_[field];
  type->assign_number(member_of(options, offset), element, value);
}

}  // namespace hearth
