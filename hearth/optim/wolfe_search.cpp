// The search brackets a good length and then halves the bracket by cubics, as in "Numerical
// Optimization" (Nocedal and Wright) and in PyTorch's LBFGS, whose constants these are.
#include "hearth/optim/wolfe_search.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

namespace hearth {
namespace {

constexpr double kEnoughFall = 1e-4;
constexpr double kFlatEnough = 0.9;

// The lowest place of the cubic through two places with their slopes, within bounds.
double lowest_between(const PlaceAlong& one, const PlaceAlong& two,
                      std::optional<std::pair<double, double>> bounds = {}) {
  const double low = bounds ? bounds->first : std::min(one.length, two.length);
  const double high = bounds ? bounds->second : std::max(one.length, two.length);
  const PlaceAlong& left = one.length <= two.length ? one : two;
  const PlaceAlong& right = one.length <= two.length ? two : one;
  const double bend = one.slope + two.slope - 3 * (one.loss - two.loss) / (one.length - two.length);
  const double square = bend * bend - one.slope * two.slope;
  if (!(square >= 0)) return (low + high) / 2;
  const double root = std::sqrt(square);
  const double length =
      right.length - (right.length - left.length) *
                         ((right.slope + root - bend) / (right.slope - left.slope + 2 * root));
  return std::min(std::max(length, low), high);
}

// A search under way.
class Bracket {
 public:
  Bracket(const WolfeSearch& search, const PlaceAlong& start) : search_(search), start_(start) {}

  WolfeSearch::Result find(double length) {
    open(length);
    narrow();
    return {places_[low_], looks_};
  }

 private:
  [[nodiscard]] bool has_fallen(const PlaceAlong& place) const {
    return place.loss <= start_.loss + kEnoughFall * place.length * start_.slope;
  }
  [[nodiscard]] bool is_flat(const PlaceAlong& place) const {
    return std::abs(place.slope) <= -kFlatEnough * start_.slope;
  }
  PlaceAlong look(double length) {
    ++looks_;
    return search_.look(length);
  }
  void set(const PlaceAlong& one, const PlaceAlong& two) {
    places_ = {one, two};
    low_ = one.loss <= two.loss ? 0 : 1;
  }

  // Goes on until a good place lies between two.
  void open(double length) {
    PlaceAlong before = start_;
    PlaceAlong place = look(length);
    for (int64_t round = 0; round < search_.most_looks; ++round) {
      if (!has_fallen(place) || (round > 1 && place.loss >= before.loss)) return set(before, place);
      if (is_flat(place)) {
        is_done_ = true;
        return set(place, place);
      }
      if (place.slope >= 0) return set(before, place);
      const std::pair<double, double> bounds = {
          place.length + 0.01 * (place.length - before.length), place.length * 10};
      const double next = lowest_between(before, place, bounds);
      before = std::exchange(place, look(next));
      rounds_ = round + 1;
    }
    set(start_, place);
  }

  void narrow() {
    bool was_near_an_end = false;
    while (!is_done_ && rounds_ < search_.most_looks) {
      const double size = std::abs(places_[1].length - places_[0].length);
      if (size * search_.greatest_change < search_.tolerance) return;
      const double length = away_from_ends(lowest_between(places_[0], places_[1]), was_near_an_end);
      take(look(length));
      ++rounds_;
    }
  }

  // A guess near an end says little; the second in a row is moved inside.
  [[nodiscard]] double away_from_ends(double length, bool& was_near) const {
    const double least = std::min(places_[0].length, places_[1].length);
    const double most = std::max(places_[0].length, places_[1].length);
    const double margin = 0.1 * (most - least);
    const bool is_near = std::min(most - length, length - least) < margin;
    const bool is_outside = length >= most || length <= least;
    if (is_near && (was_near || is_outside)) {
      was_near = false;
      return std::abs(length - most) < std::abs(length - least) ? most - margin : least + margin;
    }
    was_near = is_near;
    return length;
  }

  void take(const PlaceAlong& place) {
    const size_t high = 1 - low_;
    if (!has_fallen(place) || place.loss >= places_[low_].loss) {
      places_[high] = place;
      low_ = places_[0].loss <= places_[1].loss ? 0 : 1;
      return;
    }
    if (is_flat(place))
      is_done_ = true;
    else if (place.slope * (places_[high].length - places_[low_].length) >= 0)
      places_[high] = places_[low_];
    places_[low_] = place;
  }

  const WolfeSearch& search_;
  const PlaceAlong& start_;
  std::array<PlaceAlong, 2> places_;
  size_t low_ = 0;  // the one of the two with the lower loss
  int64_t looks_ = 0;
  int64_t rounds_ = 0;
  bool is_done_ = false;
};

}  // namespace

WolfeSearch::Result WolfeSearch::from(const PlaceAlong& start, double length) const {
  return Bracket(*this, start).find(length);
}

}  // namespace hearth
