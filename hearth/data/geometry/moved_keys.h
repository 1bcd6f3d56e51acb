// The keys of a sample that a geometric op moves together, by their roles.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "hearth/config/schema.h"
#include "hearth/data/geometry/image_transform.h"
#include "hearth/data/value.h"

namespace hearth {

// When a box is dropped: its part within the result is smaller than this. One of which nothing
// remains is always dropped.
struct BoxRules {
  double min_area = 0;     // in points
  double min_visible = 0;  // a share of its area
};

class MovedKeys {
 public:
  // `keys` starts with the image; `box_keys` hold a row for each box.
  MovedKeys(std::string op, std::vector<std::string> keys, std::vector<std::string> box_keys = {},
            const BoxRules& rules = {});

  [[nodiscard]] const std::vector<std::string>& all() const { return all_; }

  // The first key's size, with kAnyLength where it differs; GraphError unless it is an image, or
  // the only key and a mask.
  [[nodiscard]] ImageSize size_of(const std::vector<Spec>& inputs) const;
  // Specs at another size. GraphError names a key that has no place in an image.
  [[nodiscard]] std::vector<Spec> specs(const std::vector<Spec>& inputs,
                                        const ImageSize& size) const;
  // GraphError when what lies outside of an image cannot have the value in one of the keys.
  void check_fill(const std::vector<Spec>& inputs, const OutsideFill& fill) const;
  // The size of a sample's image. DataError when another key is of another size, or it has no
  // point.
  [[nodiscard]] ImageSize size_of(std::span<const View> inputs) const;
  void move(const ImageTransform& transform, std::span<const View> inputs,
            std::span<const Cell> outputs) const;

 private:
  [[nodiscard]] bool goes_with_boxes(size_t key, const Spec& spec) const;
  [[nodiscard]] Spec box_row_spec(size_t key, const std::vector<Spec>& inputs) const;
  [[nodiscard]] Spec place_spec(size_t key, const Spec& spec) const;
  // Fills the list of the boxes that remain.
  void keep_boxes(const ImageTransform& transform, const View& boxes) const;

  std::string op_;
  std::vector<std::string> all_;
  size_t image_keys_;  // how many of `all_` are not box_keys
  BoxRules rules_;
};

// Options of every geometric op, fields of the same names.
template <class O>
void add_key_fields(Schema<O>& schema) {
  schema.field(&O::keys, "keys",
               "The image, and its masks, boxes and points, which move with it; also the classes "
               "of its boxes.",
               not_empty());
}

// Of ops that first had a single `key`.
template <class O>
void add_key_or_keys_fields(Schema<O>& schema, const std::string& help) {
  schema.field(&O::key, "key", help, not_empty())
      .field(&O::keys, "keys",
             "In the place of key: the image, and its masks, boxes and points, which move with it; "
             "also the classes of its boxes.");
}

template <class O>
void add_size_field(Schema<O>& schema) {
  schema
      .field(&O::size, "size", "Height and width, or one number for both.", not_empty(),
             at_least(1), at_most(65'500))
      .check("'size' must hold one number, or height and width.",
             [](const O& options) { return options.size.size() <= 2; });
}

template <class O>
void add_box_fields(Schema<O>& schema) {
  schema
      .field(&O::box_keys, "box_keys",
             "Further keys with a row for each box, which lose the rows of dropped boxes.")
      .field(&O::min_area, "min_area",
             "Boxes of which fewer points remain in the image are dropped; those of which nothing "
             "remains always are.",
             at_least(0), at_most(1e12))
      .field(&O::min_visible, "min_visible",
             "Boxes of which a smaller share remains in the image are dropped.", at_least(0),
             at_most(1));
}

template <class O>
void add_fill_fields(Schema<O>& schema) {
  schema
      .field(&O::fill, "fill", "The value of what lies outside of the image.", at_least(-1e9),
             at_most(1e9))
      .field(&O::mask_fill, "mask_fill", "The same in masks; left out: fill's.", at_least(-1e9),
             at_most(1e9));
}

template <class O>
[[nodiscard]] OutsideFill outside_fill(const O& options) {
  return {options.fill, options.mask_fill.value_or(options.fill)};
}

template <class O>
[[nodiscard]] MovedKeys moved_keys(const std::string& op, const O& options) {
  std::vector<std::string> keys = options.keys;
  if constexpr (requires { options.key; })
    if (keys.empty()) keys = {options.key};
  return {op, std::move(keys), options.box_keys, {options.min_area, options.min_visible}};
}

}  // namespace hearth
