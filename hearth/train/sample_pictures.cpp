// Samples as pictures.
#include "hearth/train/sample_pictures.h"

#include <ATen/ops/argmax.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/format/drawing.h"
#include "hearth/train/class_text.h"

namespace hearth {
namespace {

constexpr int64_t kPanelSide = 112;  // of the longer side of a picture, about
constexpr int64_t kGap = 8;
constexpr int64_t kMostPanelsAcross = 8;
constexpr double kMaskShare = 0.55;
constexpr Color kBackground = {246, 246, 246};

enum class Form { kNone, kClass, kScores, kMask, kMaskScores, kBoxes, kPicture };

bool is_mask(const ShownValue& value) {
  return value.values.defined() && !value.values.is_floating_point() && value.values.dim() == 3;
}

Form form_of(const ShownValue& value, const ShownValue& other) {
  if (!value.values.defined()) return Form::kNone;
  const auto sizes = value.values.sizes();
  const bool is_number = !value.values.is_floating_point();
  if (sizes.size() == 1) return is_number ? Form::kClass : Form::kScores;
  if (sizes.size() == 2) return Form::kScores;
  if (is_mask(value)) return Form::kMask;
  if (sizes.size() == 3 && (sizes[2] == 4 || sizes[2] == 6) &&
      (value.spec.role == Role::kBoxes || value.spec.role == Role::kPlain))
    return Form::kBoxes;
  if (sizes.size() == 3) return Form::kPicture;
  return is_mask(other) ? Form::kMaskScores : Form::kPicture;
}

// What black and white are: as the data says, or the range of all that is drawn.
std::pair<double, double> range_of(const ShownValue& value) {
  if (value.spec.image_range) return *value.spec.image_range;
  if (!value.values.is_floating_point()) return {0, 255};
  const at::Tensor finite = value.values.to(at::kDouble).nan_to_num(0, 0, 0);
  return {finite.min().item<double>(), finite.max().item<double>()};
}

// RGB bytes of one row; a batch of [B, height, width] has gray pictures.
Image picture_of_row(const ShownValue& value, const std::pair<double, double>& range, int64_t row) {
  at::Tensor planes = value.values[row].to(at::kDouble);
  if (planes.dim() == 2) planes = planes.unsqueeze(0);
  const double unit = range.second > range.first ? range.second - range.first : 1;
  const at::Tensor bytes = planes.sub(range.first)
                               .div(unit)
                               .nan_to_num(0, 1, 0)
                               .clamp(0, 1)
                               .mul(255)
                               .round()
                               .to(at::kByte);
  const int64_t channels = planes.size(0) >= 3 ? 3 : 1;
  const at::Tensor points = bytes.narrow(0, 0, channels).permute({1, 2, 0}).contiguous();
  Image gray{points.size(1), points.size(0), channels, {}};
  gray.pixels.assign(points.data_ptr<uint8_t>(), points.data_ptr<uint8_t>() + points.numel());
  Image picture = blank_picture(gray.width, gray.height);
  paste(picture, gray, 0, 0);
  return picture;
}

// Small pictures keep their points as squares; large ones are averaged.
Image scaled(const Image& picture, double scale) {
  if (scale < 1)
    return resize(picture, std::max<int64_t>(std::llround(picture.width * scale), 1),
                  std::max<int64_t>(std::llround(picture.height * scale), 1));
  const auto times = static_cast<int64_t>(scale);
  Image large = blank_picture(picture.width * times, picture.height * times);
  for (int64_t y = 0; y < large.height; ++y)
    for (int64_t x = 0; x < large.width; ++x)
      std::copy_n(&picture.pixels[static_cast<size_t>((y / times * picture.width + x / times) * 3)],
                  3, &large.pixels[static_cast<size_t>((y * large.width + x) * 3)]);
  return large;
}

// Class numbers [height, width] of a row; scores of one class are those of its being there.
at::Tensor mask_of(const ShownValue& value, Form form, int64_t row) {
  const at::Tensor own = value.values[row];
  if (form == Form::kMask) return own.to(at::kLong).contiguous();
  if (own.size(0) > 1) return own.argmax(0).contiguous();
  const bool is_share = own.min().item<double>() >= 0 && own.max().item<double>() <= 1;
  return own[0].gt(is_share ? 0.5 : 0).to(at::kLong).contiguous();
}

// Over the picture in gray, so that colours are those of classes. The first class is what lies
// behind all others, and has none.
void tint(Image& picture, const at::Tensor& mask) {
  if (mask.size(0) != picture.height || mask.size(1) != picture.width) return;
  const auto* number = mask.data_ptr<int64_t>();
  for (size_t point = 0; point < picture.pixels.size(); point += 3, ++number) {
    uint8_t* own = &picture.pixels[point];
    const uint8_t gray = luma(own[0], own[1], own[2]);
    const Color color =
        mixed({gray, gray, gray}, class_color(*number - 1), *number > 0 ? kMaskShare : 0);
    own[0] = color.red, own[1] = color.green, own[2] = color.blue;
  }
}

class SampleSheet {
 public:
  SampleSheet(const ShownValue& image, const ShownValue& target, const ShownValue& prediction)
      : image_(image), image_range_(range_of(image)) {
    add(target, prediction, "target");
    add(prediction, target, "prediction");
  }

  [[nodiscard]] Image drawn(const std::string& title) {
    const int64_t samples = image_.values.size(0);
    const Image first = picture_of_row(image_, image_range_, 0);
    const auto longer = static_cast<double>(std::max(first.width, first.height));
    scale_ = kPanelSide / longer >= 1 ? std::floor(kPanelSide / longer) : kPanelSide / longer;
    width_ = scaled(first, scale_).width;
    height_ = scaled(first, scale_).height;
    const int64_t panels = 1 + static_cast<int64_t>(panels_.size());
    const int64_t across = std::min(samples, std::max<int64_t>(kMostPanelsAcross / panels, 1));
    const int64_t cell_width = panels * (width_ + 2) + kGap;
    const int64_t words = static_cast<int64_t>(captions_.size()) * (kLetterHeight + 3);
    const int64_t cell_height = height_ + words + kGap;
    const int64_t top = 2 * kGap + 2 * kLetterHeight + (panels > 1 ? kLetterHeight + 4 : 0);
    const int64_t down = (samples + across - 1) / across;
    Image sheet =
        blank_picture(std::max(across * cell_width + kGap, text_width(title, 2) + 2 * kGap),
                      top + down * cell_height + kGap / 2, kBackground);
    draw_text(sheet, kGap, kGap, title, kInk, 2);
    for (int64_t i = 0; i < across && panels > 1; ++i)
      draw_headings(sheet, kGap + i * cell_width, top - kLetterHeight - 4);
    for (int64_t row = 0; row < samples; ++row)
      draw_sample(sheet, row, kGap + row % across * cell_width, top + row / across * cell_height);
    return sheet;
  }

 private:
  struct Part {
    const ShownValue* value;
    Form form;
    std::string name;
    std::pair<double, double> range;
  };

  void add(const ShownValue& value, const ShownValue& other, const std::string& name) {
    const Form form = form_of(value, other);
    if (form == Form::kNone) return;
    const bool is_text = form == Form::kClass || form == Form::kScores;
    Part part{&value, form, name, {0, 1}};
    // What is made of a picture has its black and white, unless it says otherwise.
    if (form == Form::kPicture)
      part.range = value.spec.image_range    ? *value.spec.image_range
                   : image_.spec.image_range ? *image_.spec.image_range
                                             : range_of(value);
    (is_text ? captions_ : panels_).push_back(part);
  }

  void draw_headings(Image& sheet, int64_t left, int64_t top) const {
    draw_text(sheet, left, top, fitted_text("input", width_));
    for (size_t i = 0; i < panels_.size(); ++i)
      draw_text(sheet, left + static_cast<int64_t>(i + 1) * (width_ + 2), top,
                fitted_text(panels_[i].name, width_));
  }

  void draw_sample(Image& sheet, int64_t row, int64_t left, int64_t top) const {
    paste(sheet, scaled(picture_of_row(image_, image_range_, row), scale_), left, top);
    for (size_t i = 0; i < panels_.size(); ++i)
      paste(sheet, panel(panels_[i], row), left + static_cast<int64_t>(i + 1) * (width_ + 2), top);
    const int64_t room =
        (static_cast<int64_t>(panels_.size()) + 1) * (width_ + 2) + kGap - kLetterWidth;
    int64_t line = top + height_ + 3;
    for (const Part& part : captions_) {
      const int64_t number = class_of(part, row);
      const std::string text = (part.name == "target" ? "true " : "said ") + name_of(part, number);
      draw_text(sheet, left, line, fitted_text(text, room), color_of(part, row, number));
      line += kLetterHeight + 3;
    }
  }

  [[nodiscard]] Image panel(const Part& part, int64_t row) const {
    if (part.form == Form::kPicture)
      return scaled(picture_of_row(*part.value, part.range, row), scale_);
    Image picture = picture_of_row(image_, image_range_, row);
    if (part.form != Form::kBoxes) {
      tint(picture, mask_of(*part.value, part.form, row));
      return scaled(picture, scale_);
    }
    picture = scaled(picture, scale_);
    draw_boxes(picture, part.value->values[row].to(at::kDouble).contiguous());
    return picture;
  }

  void draw_boxes(Image& picture, const at::Tensor& boxes) const {
    const int64_t each = boxes.size(1);
    const auto* box = boxes.data_ptr<double>();
    for (int64_t i = 0; i < boxes.size(0); ++i, box += each) {
      const bool is_box =
          std::all_of(box, box + 4, [](double side) { return std::isfinite(side); }) &&
          box[2] > box[0] && box[3] > box[1];
      if (!is_box) continue;  // a row that only fills up
      const auto place = [&](double side, int64_t most) {
        return std::clamp<int64_t>(std::llround(side * scale_), 0, most - 1);
      };
      const int64_t left = place(box[0], picture.width), top = place(box[1], picture.height);
      const int64_t right = place(box[2], picture.width), bottom = place(box[3], picture.height);
      const Color color = each == 6 ? class_color(std::llround(box[5])) : class_color(0);
      draw_frame(picture, {left, top, right - left + 1, bottom - top + 1}, color, 2);
    }
  }

  [[nodiscard]] static int64_t class_of(const Part& part, int64_t row) {
    const at::Tensor own = part.value->values[row];
    if (part.form == Form::kClass) return own.item<int64_t>();
    if (own.dim() == 0) return own.item<double>() > 0 ? 1 : 0;  // the score of one class of two
    return own.argmax(0).item<int64_t>();
  }
  // By the names that either has.
  [[nodiscard]] std::string name_of(const Part& part, int64_t number) const {
    for (const Part& any : captions_)
      if (!any.value->spec.class_names.empty()) return class_text(any.value->spec, number);
    return class_text(part.value->spec, number);
  }
  [[nodiscard]] Color color_of(const Part& part, int64_t row, int64_t number) const {
    if (captions_.size() < 2 || &part == &captions_.front()) return kInk;
    return number == class_of(captions_.front(), row) ? kRight : kWrong;
  }

  const ShownValue& image_;
  std::pair<double, double> image_range_;
  std::vector<Part> panels_;    // beside the picture
  std::vector<Part> captions_;  // below it
  double scale_ = 1;
  int64_t width_ = 0, height_ = 0;  // of a panel
};

}  // namespace

void check_pictures(const KeySpec& key) {
  const Spec& spec = key.spec;
  if (!spec.is_per_batch && (spec.shape.size() == 2 || spec.shape.size() == 3)) return;
  throw GraphError("wants pictures in " + quote(key.key) + ", but it is " + spec.text() + ".");
}

Image drawn_samples(const ShownValue& image, const ShownValue& target, const ShownValue& prediction,
                    const std::string& title) {
  return SampleSheet(image, target, prediction).drawn(title);
}

}  // namespace hearth
