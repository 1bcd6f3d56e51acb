// What an option may hold, as data: validation, help, reference pages and JSON Schema all read
// this.
#pragma once

#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hearth/config/node.h"

namespace hearth {

struct SchemaInfo;

// What an integer may be at most unless its field says otherwise: most become lengths of tensors,
// and two of these multiplied stay within 64 bits.
inline constexpr double kLargestInteger = 2147483647;

enum class TypeKind {
  kBoolean,
  kInteger,
  kNumber,
  kText,
  kPath,     // of a file or folder, relative to the config file that names it
  kTime,     // 3ep 500st 64000sm 10min 50%
  kBytes,    // 2GB 512MiB
  kModes,    // train, [train, eval], "!infer"
  kEnum,     // one of `values`
  kList,     // of `element`
  kMap,      // name -> `element`
  kOptions,  // nested `options`
  kChoice,   // a component of kind `component_kind` with its options
};

// Which names an option takes, or a map as its keys.
enum class NameRule { kAny, kFile, kCheckpoint };  // see file_name.h

struct Type {
  TypeKind kind = TypeKind::kText;
  bool is_optional = false;       // may be left out or null
  bool is_scheduled = false;      // a number that may instead hold a schedule
  bool changes_by_epoch = false;  // that schedule is asked as an epoch starts, not at every step
  std::vector<std::string> values;
  std::shared_ptr<const Type> element;
  std::shared_ptr<const SchemaInfo> options;
  std::string component_kind;
  std::string digest_of;  // the SHA-256 of the file that this other option names
  std::optional<double> minimum;
  std::optional<double> maximum;
  bool excludes_minimum = false;
  bool excludes_maximum = false;
  bool must_not_be_empty = false;
  bool may_stand_alone =
      false;  // a map of components that a single one, without a name, stands for
  NameRule names = NameRule::kAny;

  // "integer", "list of text", "number or schedule", "one of mean, sum".
  [[nodiscard]] std::string label() const;
  // "at least 1", "above 0 and below 1", or nothing; what holds for every integer is left out.
  [[nodiscard]] std::string rule() const;
};

struct Field {
  std::string name;
  std::string help;
  Type type;
  Node default_value;
  bool is_required = false;
  bool is_by_time = false;  // stands for every option whose name is a time: `0ep: 16, 10ep: 32`
};

struct SchemaInfo {
  std::vector<Field> fields;
  // A time as a name finds the field that stands for times.
  [[nodiscard]] const Field* find(std::string_view name) const;
  // Without the one that stands for times.
  [[nodiscard]] std::vector<std::string> names() const;
  // Whether the options are given by times, in the place of all other fields.
  [[nodiscard]] bool is_by_time(const Node& options) const;
  // Every number, and every number of a list of them, may hold a schedule that is asked at every
  // step. Whole numbers may not: they shape what is computed, and change with the epoch at most.
  void let_numbers_move();
  // All other numbers may hold one that is asked as an epoch starts.
  void let_numbers_change_by_epoch();
};

// Rules, given after a field's help text: .field(&O::patience, "patience", "...", at_least(1)).
// A rule about a value reaches through lists and maps to their elements.
struct AtLeast {
  double value;
  void apply(Field& field) const;
};
struct AtMost {
  double value;
  void apply(Field& field) const;
};
struct Above {
  double value;
  void apply(Field& field) const;
};
struct Below {
  double value;
  void apply(Field& field) const;
};
// For an integer that becomes no length, such as a seed.
struct Of64Bits {
  void apply(Field& field) const;
};
struct Required {
  void apply(Field& field) const { field.is_required = true; }
};
struct NotEmpty {
  void apply(Field& field) const { field.type.must_not_be_empty = true; }
};
struct IsPath {
  void apply(Field& field) const;
};
struct Names {
  NameRule rule;
  void apply(Field& field) const { field.type.names = rule; }
};
struct DigestOf {
  std::string option;
  void apply(Field& field) const { field.type.digest_of = option; }
};
struct OneOf {
  std::vector<std::string> values;
  void apply(Field& field) const;
};

inline AtLeast at_least(double value) { return {value}; }
inline AtMost at_most(double value) { return {value}; }
inline Above above(double value) { return {value}; }
inline Below below(double value) { return {value}; }
inline Of64Bits of_64_bits() { return {}; }
inline Required required() { return {}; }
inline NotEmpty not_empty() { return {}; }
inline IsPath is_path() { return {}; }
// Left out, it becomes what the file is that `option` names; see file_digests.h.
inline DigestOf digest_of(std::string option) { return {std::move(option)}; }
// The text, or the keys of the map, become file names: of any file, or of a checkpoint.
inline Names file_name() { return {NameRule::kFile}; }
inline Names checkpoint_name() { return {NameRule::kCheckpoint}; }
inline OneOf one_of(std::vector<std::string> values) { return {std::move(values)}; }
OneOf one_of(std::initializer_list<const char*> values);

}  // namespace hearth
