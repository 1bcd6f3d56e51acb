// The field list of an options struct without the struct's type: everything of a schema that can be
// compiled once for all of them. `Schema` knows the type and hands over pointers.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "hearth/config/node.h"
#include "hearth/config/type.h"

namespace hearth {

// How members of one C++ type are described, read, written and moved, behind a pointer.
struct MemberType {
  Type (*type)();
  void (*read)(void* member, const Node& node);
  Node (*write)(const void* member);
  void (*assign_number)(void* member, size_t element, double value);
};

class FieldList {
 public:
  [[nodiscard]] const SchemaInfo& info() const { return info_; }

 protected:
  FieldList();
  FieldList(const FieldList& other);
  FieldList(FieldList&& other) noexcept;
  FieldList& operator=(const FieldList&) = delete;
  FieldList& operator=(FieldList&&) = delete;
  ~FieldList();

  // `defaults` is an options struct with every option left out; the member lies `offset` bytes in.
  Field& add(const MemberType& member, const void* defaults, size_t offset, std::string_view name,
             std::string_view help);
  // The field that stands for times; see Schema::by_time.
  void add_by_time(const MemberType& member, size_t offset, std::string_view help);

  void read_fields(void* options, const Node& node) const;
  [[nodiscard]] Node write_fields(const void* options) const;
  void set_field_number(void* options, size_t field, size_t element, double value) const;

 private:
  struct Member {
    const MemberType* type;
    size_t offset;
  };
  SchemaInfo info_;
  std::vector<Member> members_;  // as many as fields
};

}  // namespace hearth
