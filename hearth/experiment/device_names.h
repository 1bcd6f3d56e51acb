// Where an experiment computes: one device, or several among which its parts are shared out.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "hearth/config/schema.h"

namespace hearth {

// `device: cpu`, or `device: [cuda:0, cuda:1]`. Never empty.
class DeviceNames {
 public:
  DeviceNames(const char* name) : names_{name} {}                            // NOLINT: implicit
  DeviceNames(std::string name) : names_{std::move(name)} {}                 // NOLINT: implicit
  DeviceNames(std::vector<std::string> names) : names_(std::move(names)) {}  // NOLINT: implicit

  [[nodiscard]] const std::vector<std::string>& all() const { return names_; }
  // Of the part with this number: they take turns.
  [[nodiscard]] const std::string& of(size_t part) const { return names_[part % names_.size()]; }
  [[nodiscard]] bool operator==(const DeviceNames&) const = default;

 private:
  std::vector<std::string> names_;
};

template <>
struct TypeOf<DeviceNames> {
  static Type type() {
    Type type = TypeOf<std::vector<std::string>>::type();
    type.may_stand_alone = true;
    return type;
  }
  static DeviceNames read(const Node& node) { return TypeOf<std::vector<std::string>>::read(node); }
  static Node write(const DeviceNames& names) {
    return names.all().size() == 1 ? Node::scalar(names.of(0))
                                   : TypeOf<std::vector<std::string>>::write(names.all());
  }
};

}  // namespace hearth
