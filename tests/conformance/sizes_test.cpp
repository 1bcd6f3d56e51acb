// Every number of every component at 0, at 1, at the largest that its schema allows, and far
// beyond: it is refused with words of Hearth's own, or works, in little time and memory.
#include <ATen/CPUGeneratorImpl.h>
#include <gmock/gmock.h>
#include <sys/resource.h>

#include <fstream>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/yaml.h"
#include "hearth/data/fixtures_test.h"
#include "hearth/data/loader.h"
#include "hearth/data/order.h"
#include "hearth/data/sources/digits.h"
#include "hearth/data/tokenizer.h"
#include "hearth/experiment/technique.h"
#include "hearth/metric/metric.h"
#include "hearth/nn/initializer.h"
#include "hearth/optim/optimizer.h"
#include "hearth/schedule/schedule.h"
#include "hearth/tracking/tracker.h"
#include "tests/conformance/data_cases.h"
#include "tests/conformance/measure_cases.h"
#include "tests/conformance/op_cases.h"

namespace hearth {
namespace {

constexpr uint64_t kParameterBytes = 256 << 10;  // of a model; they get no values here
constexpr int64_t kBatchBytes = 16 << 20;        // larger ones are counted and not made
constexpr rlim_t kMostBytes = 2U << 30;          // of memory beyond what the program has already

// For a while the system refuses more memory than `kMostBytes`.
class LittleMemory {
 public:
  LittleMemory() {
    (void)getrlimit(RLIMIT_AS, &before_);
    rlim_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    rlimit little = before_;
    little.rlim_cur =
        std::min<rlim_t>(before_.rlim_max, pages * static_cast<rlim_t>(getpagesize()) + kMostBytes);
    (void)setrlimit(RLIMIT_AS, &little);
  }
  ~LittleMemory() { (void)setrlimit(RLIMIT_AS, &before_); }
  LittleMemory(const LittleMemory&) = delete;
  LittleMemory& operator=(const LittleMemory&) = delete;

 private:
  rlimit before_ = {};
};

// How a component of each kind is put to work once.

void load_batch(const testing_data::Chain& chain) {
  const LoaderOptions options{.name = "train", .batch_size = 4};
  const auto plan = chain.made();
  if (Loader::memory_bytes(options, *plan) > kBatchBytes) return;
  Loader loader(chain.source->size(), options, [plan](int64_t, int64_t) { return plan; });
  loader.start(0, 0, 1);
  (void)loader.next();
}

void try_work(const Choice<Source>& choice, const SourceCase&) {
  const auto source = opened_source(choice);
  load_batch({source, {}, keys_of(*source)});
}

template <class Op>
void try_op(const Choice<Op>& choice, const OpCase& tried) {
  testing_data::Ops ops;
  testing_data::BatchOps batch_ops;
  for (const Choice<SampleOp>& before : tried.before)
    ops.push_back(registry<SampleOp>().make(before));
  const std::shared_ptr<const Op> op = registry<Op>().make(choice);
  if constexpr (std::is_same_v<Op, SampleOp>)
    ops.push_back(op);
  else
    batch_ops.push_back(op);
  load_batch({opened_source(tried.source), ops, op->writes(), {}, batch_ops});
}
void try_work(const Choice<SampleOp>& choice, const OpCase& tried) { try_op(choice, tried); }
void try_work(const Choice<BatchOp>& choice, const OpCase& tried) { try_op(choice, tried); }

void try_work(const Choice<Order>& choice, const OptionsCase&) {
  const auto source = opened_source(sources::digits({.split = "test"}));
  const auto order = registry<Order>().make(choice);
  order->open(*source);
  const auto epoch = order->epoch({.samples = source->size(), .batch_size = 16, .epoch = 1});
  if (epoch->batches() > 0) (void)epoch->sample(epoch->batches() - 1, 0);
}

void try_work(const Choice<Tokenizer>& choice, const OptionsCase&) {
  fs::current_path(HEARTH_SOURCE_DIR);
  std::vector<int32_t> tokens;
  open_tokenizer(choice, {.text = "a text of words", .what = "a text"})->encode("a word", tokens);
}

void try_work(const Choice<Layer>& choice, const LayerCase& tried) {
  uint64_t room = kParameterBytes;
  BuildContext context{.seed = 7, .path = "net", .classes = kCaseClasses};
  context.device = at::kMeta;
  context.room_bytes = &room;
  const auto layer = registry<Layer>().make(choice);
  for (const int64_t length : layer->build(case_spec(tried), context).shape)
    EXPECT_TRUE(length >= 1 || length == kAnyLength) << length;
}

void try_work(const Choice<Initializer>& choice, const OptionsCase&) {
  const auto initializer = registry<Initializer>().make(choice);
  at::Tensor values = at::ones({4, 3});
  if (initializer->misfit(values.sizes()).empty())
    initializer->fill(values, at::make_generator<at::CPUGeneratorImpl>(1));
}

void try_work(const Choice<Optimizer>& choice, const OptionsCase&) {
  const auto optimizer = registry<Optimizer>().make(choice);
  const at::Tensor parameter = at::ones({3, 2});
  optimizer->attach({{"weight", parameter}}, Kernels::kFast, 0);
  parameter.mutable_grad() = at::ones({3, 2});
  if (!optimizer->searches()) optimizer->step({0, 0, {10, 10, 1}});
}

void try_work(const Choice<Schedule>& choice, const OptionsCase&) {
  fs::current_path(HEARTH_SOURCE_DIR);
  const TrainingLength length = {.steps_per_epoch = 5, .total_steps = 40, .batch_size = 2};
  const auto schedule = registry<Schedule>().make(choice);
  (void)schedule->range();
  (void)schedule->changes(length);
  for (const int64_t step : {0, 7, 40}) (void)schedule->value({step, step / 5, length});
}

void try_work(const Choice<NetworkOp>& choice, const KeysCase& tried) {
  std::vector<Spec> specs;
  std::vector<at::Tensor> values;
  const auto op = registry<NetworkOp>().make(choice);
  for (const std::string& key : op->reads()) {
    specs.push_back(key == "image" ? TriedOp::image_spec() : tried.spec(key));
    values.push_back(op_input(specs.back()));
  }
  TriedOp tried_op(choice, Kernels::kFast, specs);
  int64_t bytes = 0;
  for (const Spec& output : tried_op.outputs()) bytes = std::max(bytes, output.bytes());
  if (!is_about_steps(*op) && bytes <= kBatchBytes) (void)tried_op.run(values, at::kFloat);
}

void try_work(const Choice<Metric>& choice, const KeysCase& tried) {
  const auto metric = registry<Metric>().make(choice);
  std::vector<Spec> specs;
  std::vector<at::Tensor> values;
  for (const std::string& key : metric->reads()) {
    specs.push_back(tried.spec(key));
    values.push_back(values_of(specs.back(), 1));
  }
  metric->check(specs);
  metric->update(values, {1, 0, {4, 4, FakeRun::kRows}});
  (void)metric->measured();
}

void try_work(const Choice<Trace>& choice, const KeysCase& tried) {
  const auto trace = registry<Trace>().make(choice);
  FakeRun run = fake_run(*trace, tried);
  run.begin(*trace);
  run.run_epoch(*trace, 1);
  run.end(*trace);
}

void try_work(const Choice<Tracker>& choice, const OptionsCase&) {
  (void)registry<Tracker>().make(choice);
}

// A component of a kind with the options of a case, any of which may be changed.
struct Sized {
  std::string kind;
  std::string name;
  std::string fault;  // why there is no case
  Node options;
  SchemaInfo schema;
  std::function<std::vector<Fault>(const Node& options)> faults;
  std::function<void(const Node& options)> work;
};
void PrintTo(const Sized& sized, std::ostream* out) { *out << sized.name; }

template <class Base, class Case>
void add_cases_of(std::vector<Sized>& all) {
  for (const Tried<Base, Case>& tried : all_cases<Base, Case>()) {
    const ComponentInfo* info = whole_catalog().kind(KindOf<Base>::name)->find(tried.choice.name());
    all.push_back({KindOf<Base>::name, std::string(KindOf<Base>::name) + "_" + tried.text(),
                   tried.fault, tried.choice.options(), info->schema,
                   [name = tried.choice.name()](const Node& options) {
                     return validate_type(Choice<Base>(name, options).node(),
                                          TypeOf<Choice<Base>>::type(), "x", whole_catalog());
                   },
                   [tried](const Node& options) {
                     try_work(Choice<Base>(tried.choice.name(), options), tried.tried);
                   }});
  }
}

std::vector<Sized> all_sized() {
  std::vector<Sized> all;
  add_cases_of<Source, SourceCase>(all);
  add_cases_of<SampleOp, OpCase>(all);
  add_cases_of<BatchOp, OpCase>(all);
  add_cases_of<Order, OptionsCase>(all);
  add_cases_of<Tokenizer, OptionsCase>(all);
  add_cases_of<Layer, LayerCase>(all);
  add_cases_of<Initializer, OptionsCase>(all);
  add_cases_of<Optimizer, OptionsCase>(all);
  add_cases_of<Schedule, OptionsCase>(all);
  add_cases_of<NetworkOp, KeysCase>(all);
  add_cases_of<Metric, KeysCase>(all);
  add_cases_of<Trace, KeysCase>(all);
  add_cases_of<Tracker, OptionsCase>(all);
  return all;
}

const Type* number_of(const Type& type) {
  if (type.kind == TypeKind::kInteger || type.kind == TypeKind::kNumber) return &type;
  return type.kind == TypeKind::kList ? number_of(*type.element) : nullptr;
}

// 10^12 and 2^62 are beyond most limits; what a limit leaves is the largest that must work.
std::vector<std::string> sizes_for(const Type& number) {
  std::vector<std::string> sizes = {"0", "1", "1000000000000", "4611686018427387904"};
  if (number.maximum && !number.excludes_maximum) sizes.push_back(shortest_number(*number.maximum));
  return sizes;
}

// A list gets as many as the case has, or one.
Node all_numbers(const Type& type, const Node* given, const std::string& value) {
  if (type.kind != TypeKind::kList) return Node::scalar(value);
  const size_t count = given != nullptr && given->is_list() ? given->items().size() : 1;
  return Node::list(std::vector<Node>(count, all_numbers(*type.element, nullptr, value)));
}

class Sizes : public testing::TestWithParam<Sized> {
 protected:
  static void expect_refused_or_works(const Node& options) {
    if (!GetParam().faults(options).empty()) return;
    const LittleMemory little;
    try {
      GetParam().work(options);
    } catch (const InternalError& error) {
      ADD_FAILURE() << error.what();
    } catch (const Error& error) {
      EXPECT_THAT(error.what(),
                  testing::Not(testing::AnyOf(
                      testing::HasSubstr("frame #"), testing::HasSubstr("INTERNAL ASSERT"),
                      testing::HasSubstr("vector::"), testing::HasSubstr("std::"))));
    } catch (const std::exception& error) {
      ADD_FAILURE() << "not in Hearth's words: " << error.what();
    }
  }
};

TEST_P(Sizes, AreRefusedInWordsOrWork) {
  ASSERT_EQ(GetParam().fault, "");
  for (const Field& field : GetParam().schema.fields) {
    const Type* number = number_of(field.type);
    if (number == nullptr) continue;
    for (const std::string& value : sizes_for(*number)) {
      SCOPED_TRACE(field.name + ": " + value);
      Node options = GetParam().options;
      options.set(field.name, all_numbers(field.type, options.find(field.name), value));
      expect_refused_or_works(options);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Registry, Sizes, testing::ValuesIn(all_sized()),
                         [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace hearth
