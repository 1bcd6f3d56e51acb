// Ops on plain values, with the memory that a worker would prepare for them.
#include "hearth/data/apply.h"

#include <limits>
#include <utility>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/data/op_numbers.h"

namespace hearth {

namespace {

// Room for one output, until it is copied out.
struct OutputRoom {
  Spec spec;
  std::vector<std::byte> row;
  RaggedValue ragged;
  OutputRoom(Spec of, RaggedMemory& memory) : spec(std::move(of)), ragged(memory) {
    if (!spec.is_ragged()) row.resize(static_cast<size_t>(spec.bytes()));
  }
  [[nodiscard]] Cell cell() {
    return spec.is_ragged() ? Cell(ragged, spec) : Cell(row.data(), spec);
  }
};

// An op that works in place finds its input where its output lies.
void copy_input(View& input, const Cell& output) {
  if (input.spec->dtype != output.spec().dtype || input.spec->shape != output.spec().shape) return;
  const View copy = output.take(input.shape);
  if (input.elements() > 0)
    std::memcpy(copy.data, input.data,
                input.elements() * static_cast<size_t>(size_of(input.spec->dtype)));
  input = copy;
}

SampleValue copied_out(const Cell& cell) {
  const View view = cell.view();
  SampleValue value;
  value.spec = cell.spec();
  value.shape.assign(view.shape.begin(), view.shape.end());
  value.bytes.assign(view.data,
                     view.data + view.elements() * static_cast<size_t>(size_of(view.spec->dtype)));
  return value;
}

std::vector<SampleValue> taken_keys(const SampleOp& op, const Sample& sample) {
  std::vector<SampleValue> inputs;
  for (const std::string& key : op.reads()) {
    const auto found = sample.find(key);
    if (found == sample.end()) {
      std::vector<std::string> known;
      for (const auto& [name, value] : sample) known.push_back(quote(name));
      throw GraphError("apply: the op reads " + quote(key) + ", but the sample has " +
                       (known.empty() ? "no keys" : join(known, ", ")) + ".");
    }
    inputs.push_back(found->second);
  }
  return inputs;
}

}  // namespace

SampleValue::SampleValue(const Image& image)
    : SampleValue(Spec{.dtype = DType::kUint8,
                       .shape = {image.height, image.width, image.channels},
                       .role = Role::kImage,
                       .image_range = std::pair(0.0, 255.0)},
                  image.pixels) {}

Image SampleValue::image() const {
  if (!is_image(spec) || spec.dtype != DType::kUint8)
    throw InternalError("SampleValue: " + spec.text() + " is not an image of bytes.");
  return {shape[1], shape[0], shape[2], values<uint8_t>()};
}

void SampleValue::check() const {
  if (static_cast<size_t>(elements_of(shape) * size_of(spec.dtype)) != bytes.size())
    throw InternalError("SampleValue: " + std::to_string(bytes.size()) +
                        " bytes do not make a value of " + Spec{spec.dtype, shape}.text() + ".");
}

std::vector<SampleValue> apply(const SampleOp& op, std::vector<SampleValue> inputs,
                               Random& random) {
  std::vector<Spec> given;
  std::vector<View> views;
  for (SampleValue& input : inputs) {
    given.push_back(input.spec);
    views.push_back(input.view());
  }
  RaggedMemory memory;
  memory.most_bytes_per_value = std::numeric_limits<int64_t>::max();
  std::vector<OutputRoom> rooms;
  for (Spec& spec : op.infer(given)) rooms.emplace_back(std::move(spec), memory);
  std::vector<Cell> cells;
  for (OutputRoom& room : rooms) cells.push_back(room.cell());
  if (op.is_in_place())
    for (size_t k = 0; k < std::min(views.size(), cells.size()); ++k)
      copy_input(views[k], cells[k]);
  op.run(random, views, cells);
  std::vector<SampleValue> made;
  for (const Cell& cell : cells) made.push_back(copied_out(cell));
  return made;
}

Sample apply(const std::vector<Choice<SampleOp>>& ops, Sample sample,
             const RandomIdentity& identity) {
  OpNumbers numbers;
  for (const Choice<SampleOp>& choice : ops) {
    const auto op = registry<SampleOp>().make(choice);
    const std::vector<std::string> writes = op->writes();
    RandomIdentity own = identity;
    own.op = numbers.next(choice.name(), writes);
    Random random(own);
    std::vector<SampleValue> made = apply(*op, taken_keys(*op, sample), random);
    for (size_t k = 0; k < made.size(); ++k) sample.insert_or_assign(writes[k], std::move(made[k]));
    for (const std::string& key : op->drops()) sample.erase(key);
  }
  return sample;
}

SampleValue apply(const Choice<SampleOp>& op, SampleValue value, const RandomIdentity& identity) {
  const auto made = registry<SampleOp>().make(op);
  if (made->reads().size() != 1 || made->writes().size() != 1)
    throw GraphError("apply: " + op.name() + " reads " + std::to_string(made->reads().size()) +
                     " keys and writes " + std::to_string(made->writes().size()) +
                     "; give it a sample of named values.");
  Sample sample = apply(std::vector{op}, {{made->reads()[0], std::move(value)}}, identity);
  return std::move(sample.at(made->writes()[0]));
}

}  // namespace hearth
