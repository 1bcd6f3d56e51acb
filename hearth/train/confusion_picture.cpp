// How often each class was taken for which, as a picture.
#include "hearth/train/confusion_picture.h"

#include <algorithm>
#include <cmath>

#include "hearth/format/drawing.h"

namespace hearth {
namespace {

constexpr int64_t kMostNamed = 64;       // classes; more have no names beside them
constexpr int64_t kMostNameWidth = 120;  // points
constexpr int64_t kMargin = 12;
constexpr int64_t kTitleHeight = 40;
constexpr Color kFull = {8, 48, 107};
constexpr double kDarkShare = 0.5;  // from here on, letters in a cell are white

int64_t cell_side(int64_t classes) {
  if (classes <= 12) return 44;
  if (classes <= 24) return 30;
  return classes <= kMostNamed ? 14 : std::max<int64_t>(1000 / classes, 1);
}

// Equal steps in the share are equal steps to the eye: small shares are seen.
Color cell_color(double share) { return mixed(kPaperColor, kFull, std::sqrt(share)); }

std::string percent_text(double share) {
  const int64_t tenths = std::llround(share * 1000);
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " %";
}

class ConfusionDrawing {
 public:
  ConfusionDrawing(const ConfusionCounts& counts, const std::string& title)
      : counts_(counts), cell_(cell_side(counts.size())), is_named_(counts.size() <= kMostNamed) {
    int64_t longest = 0;
    for (const std::string& name : counts.classes) longest = std::max(longest, text_width(name));
    names_ = is_named_ ? std::min(longest, kMostNameWidth) + 6 : 0;
    is_upright_ = longest <= cell_ - 4;
    left_ = kMargin + kLetterHeight + 8 + names_;
    const int64_t above = is_upright_ && is_named_ ? kLetterHeight + 4 : names_;
    top_ = kMargin + kTitleHeight + kLetterHeight + 8 + above;
    const int64_t side = counts.size() * cell_;
    const std::string numbers = percent_text(counts.right_share()) + " right";
    const int64_t words = std::max(text_width(title, 2), text_width(kLegend)) + kMargin;
    picture_ =
        blank_picture(std::max(left_ + side, kMargin + words) + kMargin, top_ + side + kMargin);
    draw_text(picture_, kMargin, kMargin, title + ", " + numbers, kInk,
              text_width(title + ", " + numbers, 2) <= picture_.width - 2 * kMargin ? 2 : 1);
    draw_text(picture_, kMargin, kMargin + 22, kLegend, {110, 110, 110});
    draw_axes(side);
    for (int64_t i = 0; i < counts.size(); ++i)
      for (int64_t j = 0; j < counts.size(); ++j) draw_cell(i, j);
    draw_frame(picture_, {left_ - 1, top_ - 1, side + 2, side + 2}, kInk);
  }
  [[nodiscard]] Image take() { return std::move(picture_); }

 private:
  static constexpr const char* kLegend = "darker: a larger share of the true class";

  void draw_axes(int64_t side) {
    const auto centred = [&](const char* text) {
      return std::max<int64_t>((side - text_width(text)) / 2, 0);
    };
    draw_text(picture_, left_ + centred("predicted"), kMargin + kTitleHeight, "predicted", kInk);
    draw_text_up(picture_, kMargin, top_ + side - centred("true"), "true", kInk);
    for (int64_t i = 0; is_named_ && i < counts_.size(); ++i) {
      const std::string name = fitted_text(counts_.classes[static_cast<size_t>(i)], names_ - 6);
      const int64_t middle = i * cell_ + (cell_ - kLetterHeight) / 2 + 1;
      draw_text(picture_, left_ - 5 - text_width(name), top_ + middle, name);
      if (is_upright_)
        draw_text(picture_, left_ + i * cell_ + (cell_ - text_width(name) + 2) / 2,
                  top_ - kLetterHeight - 4, name);
      else
        draw_text_up(picture_, left_ + middle, top_ - 6, name);
    }
  }

  void draw_cell(int64_t label, int64_t predicted) {
    const int64_t count = counts_.at(label, predicted);
    const int64_t total = counts_.total(label);
    const double share = total > 0 ? static_cast<double>(count) / static_cast<double>(total) : 0;
    const int64_t left = left_ + predicted * cell_, top = top_ + label * cell_;
    fill(picture_, {left, top, cell_, cell_}, cell_color(share));
    if (cell_ >= 8) draw_frame(picture_, {left, top, cell_ + 1, cell_ + 1}, {236, 236, 236});
    const std::string text = std::to_string(count);
    if (count == 0 || text_width(text) > cell_ - 2) return;
    draw_text(picture_, left + (cell_ - text_width(text) + 2) / 2,
              top + (cell_ - kLetterHeight) / 2 + 1, text,
              std::sqrt(share) > kDarkShare ? kPaperColor : kInk);
  }

  const ConfusionCounts& counts_;
  int64_t cell_;
  bool is_named_;
  bool is_upright_ = false;  // names above columns fit as they are
  int64_t names_ = 0;        // their room
  int64_t left_ = 0, top_ = 0;
  Image picture_;
};

}  // namespace

int64_t ConfusionCounts::total(int64_t label) const {
  int64_t sum = 0;
  for (int64_t j = 0; j < size(); ++j) sum += at(label, j);
  return sum;
}

double ConfusionCounts::recall(int64_t label) const {
  const int64_t all = total(label);
  return all > 0 ? static_cast<double>(at(label, label)) / static_cast<double>(all) : 0;
}

double ConfusionCounts::right_share() const {
  int64_t right = 0, all = 0;
  for (int64_t i = 0; i < size(); ++i) {
    right += at(i, i);
    all += total(i);
  }
  return all > 0 ? static_cast<double>(right) / static_cast<double>(all) : 0;
}

Image drawn_confusion(const ConfusionCounts& counts, const std::string& title) {
  return ConfusionDrawing(counts, title).take();
}

}  // namespace hearth
