// Tests of statistics of columns.
#include "hearth/data/table/column_statistics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace hearth {
namespace {

using Doubles = std::vector<double>;

TEST(ColumnMoments, LeaveOutWhatIsMissing) {
  ColumnMoments moments(3);
  for (const std::vector<float>& row : {std::vector<float>{1, 5, NAN}, {NAN, 5, NAN}, {3, 5, NAN}})
    moments.add(row);
  EXPECT_EQ(moments.means(), (Doubles{2, 5, 0}));
  EXPECT_EQ(moments.deviations(), (Doubles{1, 1, 1}));
}

TEST(ColumnMoments, KeepTheDigitsOfSmallDifferencesBetweenLargeNumbers) {
  ColumnMoments moments(1);
  for (const float value : {1e8F, 1e8F + 8, 1e8F + 16}) moments.add({&value, 1});
  EXPECT_EQ(moments.means()[0], 1e8 + 8);
  EXPECT_NEAR(moments.deviations()[0], 8 * std::sqrt(2.0 / 3), 1e-9);
}

Doubles quantiles_of(const std::vector<float>& values, const Doubles& shares) {
  ColumnQuantiles quantiles(1, shares);
  do {
    for (const float& value : values) quantiles.add({&value, 1});
  } while (!quantiles.finish());
  return quantiles.quantiles()[0];
}

TEST(ColumnQuantiles, AreThoseOfTheSortedNumbers) {
  std::mt19937 random(3);
  std::normal_distribution<float> normal(0, 100);
  std::vector<float> values;
  for (int i = 0; i < 1001; ++i) values.push_back(normal(random));
  std::vector<float> sorted = values;
  std::sort(sorted.begin(), sorted.end());
  values.push_back(NAN);
  EXPECT_EQ(quantiles_of(values, {0, 0.25, 0.5, 0.9, 1}),
            (Doubles{sorted[0], sorted[250], sorted[500], sorted[900], sorted[1000]}));
  EXPECT_EQ(quantiles_of({3, -0.0F, 0, -7}, {0.5}), Doubles{0});
  EXPECT_EQ(quantiles_of({NAN}, {0.5}), Doubles{});
  EXPECT_EQ(quantiles_of({4}, {0, 0.5, 1}), (Doubles{4, 4, 4}));
}

TEST(ColumnModes, AreTheMostFrequentAndTheSmallestOfSeveral) {
  ColumnModes modes(2);
  for (const std::vector<float>& row :
       {std::vector<float>{2, NAN}, {1, NAN}, {2, NAN}, {1, NAN}, {9, NAN}})
    modes.add(row);
  EXPECT_EQ(modes.modes(), (Doubles{1, 0}));
}

}  // namespace
}  // namespace hearth
