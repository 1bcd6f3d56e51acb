// A geometric op on images whose files are still to be read: it draws its transform by the size in
// the file's head, and reads only the points that the transform looks at.
#pragma once

#include <array>
#include <concepts>
#include <memory>
#include <utility>
#include <vector>

#include "hearth/data/geometry/moved_keys.h"
#include "hearth/data/geometry/part_reader.h"
#include "hearth/data/sample_op.h"

namespace hearth {

// A transform that looks at a part of the image only:
//   ImageRegion needed(const ImageSize& image)   what it looks at
//   int64_t most_shrink()                        how far that may be made smaller beforehand
//   Transform on_part(const PicturePart& part)   the same transform where only that part is there
// and, if most_shrink() is always 1, kNeverShrinks.
template <class Transform>
concept TakesParts = requires(const Transform& transform, const ImageSize& size,
                              const PicturePart& part) {
  { transform.needed(size) } -> std::same_as<ImageRegion>;
  { transform.most_shrink() } -> std::same_as<int64_t>;
  { transform.on_part(part) } -> std::same_as<Transform>;
};

// Where there is no image yet, its part is read; all else goes as without.
template <TakesParts Transform>
class ReadingTransform : public ImageTransform {
 public:
  ReadingTransform(const Transform& transform, const PartReader& reader, const View& file,
                   const ImageSize& image)
      : transform_(transform), reader_(reader), file_(file), image_(image) {}

  [[nodiscard]] ImageSize size() const override { return transform_.size(); }
  [[nodiscard]] ImagePlace moved(const ImagePlace& place) const override {
    return transform_.moved(place);
  }
  [[nodiscard]] int places_of_side() const override { return transform_.places_of_side(); }
  void move_pixels(const View& from, std::byte* to) const override {
    if (from.data != nullptr) return transform_.move_pixels(from, to);
    const PartReader::Part part =
        reader_.read(file_, transform_.needed(image_), transform_.most_shrink());
    transform_.on_part(part.place).move_pixels(part.image, to);
  }

 private:
  const Transform& transform_;
  const PartReader& reader_;
  const View& file_;
  ImageSize image_;
};

template <class Policy>
class ReadingOp : public SampleOp {
 public:
  // `reader` is also a PartReader.
  ReadingOp(std::shared_ptr<const SampleOp> reader, std::shared_ptr<const SampleOp> op,
            Policy policy, MovedKeys keys)
      : reading_(std::move(reader)),
        op_(std::move(op)),
        reader_(dynamic_cast<const PartReader&>(*reading_)),
        policy_(std::move(policy)),
        keys_(std::move(keys)) {}

  [[nodiscard]] std::vector<std::string> reads() const override { return op_->reads(); }
  [[nodiscard]] std::vector<std::string> writes() const override { return op_->writes(); }
  [[nodiscard]] bool is_random() const override { return op_->is_random(); }
  [[nodiscard]] bool differs_from_parts() const override {
    return reader_.may_shrink() && !requires { requires Transform::kNeverShrinks; };
  }
  [[nodiscard]] std::vector<Spec> infer(const std::vector<Spec>& inputs) const override {
    std::vector<Spec> specs = inputs;
    specs.at(0) = reader_.image_spec();
    return op_->infer(specs);
  }

  void run(Random& random, std::span<const View> inputs,
           std::span<const Cell> outputs) const override {
    const ImageSize size = reader_.size_of(inputs[0]);
    const std::array<int64_t, 3> shape = {size.height, size.width, reader_.image_spec().shape[2]};
    thread_local std::vector<View> views;
    views.assign(inputs.begin(), inputs.end());
    views[0] = {nullptr, &reader_.image_spec(), shape};
    (void)keys_.size_of(views);
    const auto transform = policy_.draw(random, size);
    keys_.move(ReadingTransform(transform, reader_, inputs[0], size), views, outputs);
  }

 private:
  using Transform = decltype(std::declval<const Policy&>().draw(std::declval<Random&>(),
                                                                std::declval<const ImageSize&>()));

  std::shared_ptr<const SampleOp> reading_;
  std::shared_ptr<const SampleOp> op_;
  const PartReader& reader_;
  Policy policy_;
  MovedKeys keys_;
};

}  // namespace hearth
