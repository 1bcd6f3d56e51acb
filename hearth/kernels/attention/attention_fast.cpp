// Attention in one pass over queries, keys and values as they lie: no transposed copies, and no
// matrix of all weights, which the backward pass computes again from each row's largest score and
// sum.
#include "hearth/kernels/attention/attention_fast.h"

#include <ATen/Parallel.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "hearth/kernels/attention/attention_passes.h"
#include "hearth/kernels/dropout/dropout_avx2.h"
#include "hearth/kernels/product/cached_products.h"
#include "hearth/kernels/product/products.h"
#include "hearth/kernels/product/row_products.h"
#include "hearth/kernels/random_stream.h"
#include "hearth/kernels/second_order.h"

namespace hearth {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// Queries at a time, more or less: their scores stay in the cache. Rounded factors are packed for
// every product, which fewer rows would not pay for.
constexpr int64_t kAttentionRows = 32;
constexpr int64_t kRoundedRows = 64;
// Places whose rows fit into the nearest cache as they lie.
constexpr int64_t kNearPlaces = 160;
// Columns left over by whole vectors that are too few for one more.
constexpr int64_t kLoneColumns = 6;
constexpr int64_t kLongestVector = 16;
// Values of a line of memory.
constexpr int64_t kLineValues = 16;
constexpr float kUnseen = -std::numeric_limits<float>::infinity();  // a score no softmax sees

// What the backward pass needs of each query's softmax: exp(score - largest) * factor.
struct KeptSoftmaxes {
  explicit KeptSoftmaxes(const at::Tensor& kept)  // [2, queries]
      : largest(kept.data_ptr<float>()), factors(largest + kept.size(1)) {}
  float* largest;
  float* factors;
};

struct AttentionSize {
  AttentionSize(const AttentionTensors& tensors, int64_t head_count, Precision precision)
      : batch(tensors[0].size(0)),
        length(tensors[0].size(1)),
        seen(tensors[1].defined() ? tensors[1].size(1) : length),
        width(tensors[0].size(2) / (tensors[1].defined() ? 1 : 3)),
        heads(head_count),
        head(width / heads),
        rows(precision == Precision::kFloat32 ? kAttentionRows : kRoundedRows),
        scale(1 / std::sqrt(static_cast<float>(head))) {}
  int64_t batch;
  int64_t length;  // places that look
  int64_t seen;    // places that are looked at
  int64_t width;
  int64_t heads;
  int64_t head;
  int64_t rows;  // looked at together, about
  float scale;

  // Queries that are looked at together: even blocks, as a last one of few rows costs nearly as
  // much as a full one.
  [[nodiscard]] int64_t block() const {
    const int64_t blocks = std::max<int64_t>(1, (length + rows / 2) / rows);
    return (length + blocks - 1) / blocks;
  }
};

// The right side of products: in float32, what is transposed is packed, and what has many rows.
struct RightFactor {
  Matrix matrix;
  const float* packed = nullptr;
  int64_t packed_inner = 0;
};

// What a product adds to, and what it may leave out.
struct ProductForm {
  float scale = 1;
  bool adds = false;
  Triangle triangle = Triangle::kNone;  // where places see no later ones
};

// Everything about one attention apart from its tensors' values.
struct AttentionCase {
  AttentionSize size;
  bool is_causal;
  DropRule dropout;  // by place: the backward pass drops what the forward pass dropped
  const bool* mask;  // null for none
  Precision precision;

  // As `multiply_in` does it.
  void multiply(int64_t rows, int64_t columns, int64_t inner, const Matrix& left,
                const RightFactor& right, float* into, int64_t stride,
                const ProductForm& form = {}) const {
    if (precision != Precision::kFloat32)
      return multiply_in(precision, rows, columns, inner, left, right.matrix, into, stride,
                         form.scale, form.adds ? 1 : 0);
    const CachedLeft from{left.values, left.stride, left.is_transposed};
    CachedRight own{right.matrix.values, right.matrix.stride};
    if (right.packed != nullptr) own = {right.packed, 0, right.packed_inner};
    int64_t lone = 0;
    if (right.matrix.is_transposed) lone = lone_columns(columns);
    multiply_cached({rows, columns - lone, inner, from, own, into, stride, form.scale, form.adds,
                     lone > 0 || !is_causal ? Triangle::kNone : form.triangle});
    if (lone == 0) return;
    const int64_t first = columns - lone;
    multiply_rows({left.values, rows, left.stride},
                  {right.matrix.values + first * right.matrix.stride, lone, right.matrix.stride},
                  inner, into + first, stride);
    for (int64_t r = 0; r < rows; ++r)
      for (int64_t c = first; c < columns; ++c) into[r * stride + c] *= form.scale;
  }

  // They are multiplied as the rows they lie in: a class beside an image's patches makes one.
  static int64_t lone_columns(int64_t columns) {
    const int64_t left = columns % kLongestVector;
    return left <= kLoneColumns ? left : 0;
  }

  // Places a query may look at, before the mask.
  [[nodiscard]] int64_t reach(int64_t query) const { return is_causal ? query + 1 : size.seen; }

  // Sets the values of places that the mask hides.
  void hide(float* values, int64_t sample, int64_t count, float value) const {
    if (mask == nullptr) return;
    const bool* hidden = mask + sample * size.seen;
    for (int64_t k = 0; k < count; ++k)
      if (hidden[k]) values[k] = value;
  }

  // Multiplies by 0 or 1 / (1 - dropout); `row` numbers the query among all heads and samples.
  void drop(float* values, int64_t row, int64_t count) const {
    if (dropout.share > 0) drop_row_avx2(dropout, row, values, values, count);
  }
};

// One head of one sample.
struct HeadPlace {
  int64_t sample;
  int64_t head;
  int64_t first;  // number of its first query among all

  // Where its part of a query's output lies.
  [[nodiscard]] int64_t output(const AttentionSize& size, int64_t query) const {
    return (sample * size.length + query) * size.width + head * size.head;
  }
};

// Queries, keys and values, or their gradients: in one tensor, in one and a pair, or in three.
struct AttentionParts {
  struct Part {
    float* values;
    int64_t stride;  // values between two places
  };
  explicit AttentionParts(const AttentionTensors& tensors) {
    const auto part = [&](size_t number, int64_t place, int64_t count) {
      const int64_t stride = tensors[number].size(2);
      return Part{tensors[number].data_ptr<float>() + place * stride / count, stride};
    };
    const bool is_packed = !tensors[1].defined();
    const bool is_paired = !is_packed && !tensors[2].defined();
    queries = part(0, 0, 1);
    keys = is_packed ? part(0, 1, 3) : part(1, 0, 1);
    values = is_packed ? part(0, 2, 3) : is_paired ? part(1, 1, 2) : part(2, 0, 1);
  }
  Part queries, keys, values;
};

// Asks the memory for a row of the head that comes next: its rows lie too far apart for the
// processor to see them coming. Inlined, as GCC leaves out calls of what computes nothing.
[[gnu::always_inline]] inline void fetch_row(const float* row, int64_t count) {
  for (int64_t i = 0; i < count; i += kLineValues) __builtin_prefetch(row + i);
}

// The parts of one head.
struct HeadParts {
  using Part = AttentionParts::Part;
  HeadParts(const AttentionParts& parts, const AttentionSize& size, const HeadPlace& place)
      : queries(of_head(parts.queries, size.length, size, place)),
        keys(of_head(parts.keys, size.seen, size, place)),
        values(of_head(parts.values, size.seen, size, place)) {}

  static Part of_head(const Part& part, int64_t length, const AttentionSize& size,
                      const HeadPlace& place) {
    return {part.values + place.sample * length * part.stride + place.head * size.head,
            part.stride};
  }
  [[gnu::always_inline]] void fetch_place(const AttentionSize& size, int64_t number) const {
    fetch_row(query(number), size.head);
    if (number >= size.seen) return;
    fetch_row(keys.values + number * keys.stride, size.head);
    fetch_row(values.values + number * values.stride, size.head);
  }
  // The queries from this one on.
  [[nodiscard]] float* query(int64_t number) const {
    return queries.values + number * queries.stride;
  }
  Part queries, keys, values;
};

// Between rows of scores that begin with a line of memory.
int64_t row_stride(int64_t columns) {
  return (columns + kLineValues - 1) / kLineValues * kLineValues;
}
// Values of the scores of all queries that are looked at together.
int64_t scores_of_block(const AttentionSize& size) { return size.block() * row_stride(size.seen); }
// Values of a head's packed keys or values, turned or not.
int64_t packed_of_head(const AttentionSize& size) {
  return std::max(packed_size(size.seen, size.head), packed_size(size.head, size.seen));
}

// A thread's memory: for the scores of some blocks, and for some packed factors.
class HeadScratch {
 public:
  HeadScratch(const AttentionSize& size, int64_t blocks, int64_t factors)
      : of_block_(scores_of_block(size)),
        of_factor_(packed_of_head(size)),
        memory_(at::empty({blocks * of_block_ + factors * of_factor_}, at::kFloat)),
        factors_(memory_.data_ptr<float>() + blocks * of_block_) {}
  [[nodiscard]] float* block(int64_t number) const {
    return memory_.data_ptr<float>() + number * of_block_;
  }
  [[nodiscard]] float* factor(int64_t number) const { return factors_ + number * of_factor_; }

 private:
  int64_t of_block_;
  int64_t of_factor_;
  at::Tensor memory_;
  float* factors_;
};

// Calls `visit(place, next, scratch)` for every head of every sample, with memory for so many
// blocks and factors.
template <class Visit>
void for_heads(const AttentionSize& size, int64_t blocks, int64_t factors, const Visit& visit) {
  at::parallel_for(0, size.batch * size.heads, 1, [&](int64_t from, int64_t to) {
    const HeadScratch scratch(size, blocks, factors);
    const auto place = [&](int64_t item) {
      return HeadPlace{item / size.heads, item % size.heads, item * size.length};
    };
    for (int64_t item = from; item < to; ++item)
      visit(place(item), place(std::min(item + 1, to - 1)), scratch);
  });
}

// A row for each place that is looked at, as the right side of products by all queries.
RightFactor right_factor(const AttentionCase& c, const AttentionParts::Part& part,
                         bool is_transposed, float* into) {
  const AttentionSize& s = c.size;
  RightFactor factor{{part.values, part.stride, is_transposed}};
  const bool is_near = !is_transposed && s.seen <= kNearPlaces;
  if (c.precision != Precision::kFloat32 || is_near) return factor;
  const int64_t columns = is_transposed ? s.seen : s.head;
  factor.packed_inner = is_transposed ? s.head : s.seen;
  pack_right_side({part.values, part.stride, is_transposed, columns, factor.packed_inner}, into);
  factor.packed = into;
  return factor;
}

// A query without any place to look at is 0/0 in the softmax: its weights are zeros.
void weigh_row(const AttentionCase& c, const HeadPlace& place, int64_t query,
               const KeptSoftmaxes& kept, float* row) {
  const int64_t count = c.reach(query);
  const int64_t number = place.first + query;
  c.hide(row, place.sample, count, kUnseen);
  const ExpSum all = attention_passes().softmax(row, count, 1);
  c.hide(row, place.sample, count, 0);
  c.drop(row, number, count);
  kept.largest[number] = all.largest;
  kept.factors[number] = static_cast<float>(1 / all.sum);
}

void attend_head(const AttentionCase& c, const HeadPlace& place, const HeadPlace& next,
                 const AttentionParts& all, float* output, const KeptSoftmaxes& kept,
                 const HeadScratch& scratch) {
  const AttentionSize& s = c.size;
  const HeadParts parts(all, s, place);
  const HeadParts coming(all, s, next);
  const RightFactor keys = right_factor(c, parts.keys, true, scratch.factor(0));
  const RightFactor values = right_factor(c, parts.values, false, scratch.factor(1));
  float* scores = scratch.block(0);
  const int64_t block = s.block();
  for (int64_t query = 0; query < s.length; query += block) {
    const int64_t rows = std::min(block, s.length - query);
    const int64_t columns = c.reach(query + rows - 1);
    const int64_t stride = row_stride(columns);
    c.multiply(rows, columns, s.head, {parts.query(query), parts.queries.stride}, keys, scores,
               stride, {s.scale, false, Triangle::kColumns});
    for (int64_t r = 0; r < rows; ++r) {
      float* row = scores + r * stride;
      coming.fetch_place(s, query + r);
      weigh_row(c, place, query + r, kept, row);
      std::fill(row + c.reach(query + r), row + columns, 0.0F);
    }
    c.multiply(rows, s.head, columns, {scores, stride}, values, output + place.output(s, query),
               s.width, {.triangle = Triangle::kInner});
  }
}

// What the backward pass reads besides queries, keys and values.
struct AttentionFlow {
  [[gnu::always_inline]] void fetch_place(int64_t at, int64_t count) const {
    fetch_row(output + at, count);
    fetch_row(gradient + at, count);
  }
  const float* output;
  const float* gradient;
  KeptSoftmaxes kept;
};

// One query's scores, and the gradients of the weights they make.
struct ScoreRow {
  float* scores;
  float* gradients;
  int64_t columns;
};

// They become the weights as dropped, and the scores' gradients.
void turn_row(const AttentionCase& c, const HeadPlace& place, const AttentionFlow& flow,
              int64_t query, const ScoreRow& row) {
  const AttentionSize& s = c.size;
  const int64_t count = c.reach(query);
  const int64_t number = place.first + query;
  const int64_t at = place.output(s, query);
  const AttentionPasses& passes = attention_passes();
  const float product = passes.dot(flow.gradient + at, flow.output + at, s.head);
  c.hide(row.scores, place.sample, count, kUnseen);
  c.drop(row.gradients, number, count);
  passes.softmax_gradient({row.scores, row.gradients, flow.kept.largest[number],
                           flow.kept.factors[number], product, s.scale},
                          count);
  c.hide(row.scores, place.sample, count, 0);
  c.hide(row.gradients, place.sample, count, 0);
  c.drop(row.scores, number, count);
  std::fill(row.scores + count, row.scores + row.columns, 0.0F);
  std::fill(row.gradients + count, row.gradients + row.columns, 0.0F);
}

void attend_head_backward(const AttentionCase& c, const HeadPlace& place, const HeadPlace& next,
                          const AttentionParts& all, const AttentionFlow& flow,
                          const AttentionParts& results, const HeadScratch& scratch) {
  const AttentionSize& s = c.size;
  float* scores = scratch.block(0);
  float* gradients = scratch.block(1);
  const HeadParts parts(all, s, place);
  const HeadParts into(results, s, place);
  const HeadParts coming(all, s, next);
  const HeadParts coming_into(results, s, next);
  const RightFactor keys_turned = right_factor(c, parts.keys, true, scratch.factor(0));
  const RightFactor values_turned = right_factor(c, parts.values, true, scratch.factor(1));
  const RightFactor keys = right_factor(c, parts.keys, false, scratch.factor(2));
  // From the last rows, which reach furthest: they write what the others add to.
  const int64_t block = s.block();
  const int64_t last = (s.length - 1) / block * block;
  for (int64_t query = last; query >= 0; query -= block) {
    const int64_t rows = std::min(block, s.length - query);
    const int64_t columns = c.reach(query + rows - 1);
    const int64_t stride = row_stride(columns);
    const Matrix queries = {parts.query(query), parts.queries.stride};
    const Matrix gradient = {flow.gradient + place.output(s, query), s.width};
    c.multiply(rows, columns, s.head, queries, keys_turned, scores, stride,
               {s.scale, false, Triangle::kColumns});
    c.multiply(rows, columns, s.head, gradient, values_turned, gradients, stride,
               {.triangle = Triangle::kColumns});
    for (int64_t r = 0; r < rows; ++r) {
      turn_row(c, place, flow, query + r, {scores + r * stride, gradients + r * stride, columns});
      coming.fetch_place(s, query + r);
      coming_into.fetch_place(s, query + r);
      flow.fetch_place(next.output(s, query + r), s.head);
    }
    c.multiply(rows, s.head, columns, {gradients, stride}, keys, into.query(query),
               into.queries.stride, {.triangle = Triangle::kInner});
    const ProductForm sum{1, query != last, Triangle::kTurnedInner};
    c.multiply(columns, s.head, rows, {gradients, stride, true}, {queries}, into.keys.values,
               into.keys.stride, sum);
    c.multiply(columns, s.head, rows, {scores, stride, true}, {gradient}, into.values.values,
               into.values.stride, sum);
  }
}

struct AttentionFunction : torch::autograd::Function<AttentionFunction> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& first,
                            const c10::optional<at::Tensor>& second,
                            const c10::optional<at::Tensor>& third,
                            const AttentionSettings& settings,
                            const c10::optional<at::Tensor>& mask, Precision precision) {
    const AttentionTensors tensors = {first, second.value_or(at::Tensor()),
                                      third.value_or(at::Tensor())};
    const AttentionSize size(tensors, settings.heads, precision);
    const AttentionCase c{size,
                          settings.is_causal,
                          {settings.dropout > 0 ? drawn_seed() : 0, settings.dropout},
                          mask ? mask->data_ptr<bool>() : nullptr,
                          precision};
    const at::Tensor output = at::empty({size.batch, size.length, size.width}, first.options());
    const at::Tensor softmaxes =
        at::empty({2, size.batch * size.heads * size.length}, first.options());
    const AttentionParts parts(tensors);
    for_heads(size, 1, 2,
              [&](const HeadPlace& place, const HeadPlace& next, const HeadScratch& scratch) {
                attend_head(c, place, next, parts, output.data_ptr<float>(),
                            KeptSoftmaxes(softmaxes), scratch);
              });
    context->save_for_backward(
        {tensors[0], tensors[1], tensors[2], output, softmaxes, mask.value_or(at::Tensor())});
    context->saved_data["heads"] = settings.heads;
    context->saved_data["is_causal"] = settings.is_causal;
    context->saved_data["dropout"] = settings.dropout;
    context->saved_data["precision"] = static_cast<int64_t>(precision);
    context->saved_data["seed"] = static_cast<int64_t>(c.dropout.seed);
    return output;
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    refuse_second_order();
    auto& kept = context->saved_data;
    const variable_list saved = context->get_saved_variables();
    const AttentionTensors tensors = {saved[0], saved[1], saved[2]};
    const auto precision = static_cast<Precision>(kept["precision"].toInt());
    const AttentionSize size(tensors, kept["heads"].toInt(), precision);
    const AttentionCase c{size,
                          kept["is_causal"].toBool(),
                          {static_cast<uint64_t>(kept["seed"].toInt()), kept["dropout"].toDouble()},
                          saved[5].defined() ? saved[5].data_ptr<bool>() : nullptr,
                          precision};
    const at::Tensor gradient = gradients[0].contiguous();
    const AttentionFlow flow{saved[3].data_ptr<float>(), gradient.data_ptr<float>(),
                             KeptSoftmaxes(saved[4])};
    AttentionTensors results;
    for (size_t i = 0; i < results.size(); ++i)
      if (tensors[i].defined()) results[i] = at::empty_like(tensors[i]);
    const AttentionParts parts(tensors);
    const AttentionParts into(results);
    for_heads(size, 2, 3,
              [&](const HeadPlace& place, const HeadPlace& next, const HeadScratch& scratch) {
                attend_head_backward(c, place, next, parts, flow, into, scratch);
              });
    return {results[0], results[1], results[2], at::Tensor(), at::Tensor(), at::Tensor()};
  }
};

}  // namespace

at::Tensor fast_attention(Precision precision, const AttentionTensors& tensors,
                          const AttentionSettings& settings, const at::Tensor& mask) {
  return AttentionFunction::apply(tensors[0].contiguous(), optional_tensor(tensors[1]),
                                  optional_tensor(tensors[2]), settings, optional_tensor(mask),
                                  precision);
}

}  // namespace hearth
