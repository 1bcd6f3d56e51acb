// Python's pickles as data: a machine with a stack and a memo that builds values and calls nothing.
#include "hearth/format/pickle.h"

#include <algorithm>
#include <array>
#include <limits>
#include <unordered_map>
#include <utility>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/format/pickle_bytes.h"

namespace hearth {

namespace {

using Kind = PickleValue::Kind;

constexpr size_t kMostArguments = 16;
constexpr std::string_view kOrderedDict = "collections.OrderedDict";

class PickleMachine;
using PickleStep = void (*)(PickleMachine&);
// Null for an opcode that no file of tensors needs.
PickleStep pickle_step_of(char code);

class PickleMachine {
 public:
  PickleMachine(std::span<const std::byte> bytes, const std::string& what, const PickleRules& rules)
      : in_(bytes.first(std::min<uint64_t>(bytes.size(), rules.most_bytes)), what), rules_(rules) {
    pickle_.values = {PickleValue{.kind = Kind::kNone},
                      PickleValue{.kind = Kind::kBool, .integer = 0},
                      PickleValue{.kind = Kind::kBool, .integer = 1}};
  }

  Pickle run() {
    while (!is_done_) step(static_cast<char>(in_.byte()));
    pickle_.bytes = in_.position();
    return std::move(pickle_);
  }

  static constexpr PickleId kNoneId = 0;
  static constexpr PickleId kFalseId = 1;
  static constexpr PickleId kTrueId = 2;

  void step(char code) {
    const PickleStep take = pickle_step_of(code);
    if (take == nullptr) refuse_code(code);
    take(*this);
  }

  [[noreturn]] void refuse_code(char code) const {
    in_.fail("has the opcode " + std::to_string(static_cast<uint8_t>(code)) + " at byte " +
             std::to_string(in_.position() - 1) +
             ", which no file of tensors needs. It is damaged, or no such file.");
  }

  void check_protocol() {
    if (const uint64_t protocol = in_.number(1); protocol > 5)
      in_.fail("is a pickle of protocol " + std::to_string(protocol) +
               "; known are those up to 5.");
  }
  void skip_frame() {
    if (in_.number(8) > in_.left()) in_.fail("has a pickle that is cut off.");
  }

  void push(PickleId id) { stack_.push_back(id); }
  void push_value(PickleValue value) {
    if (pickle_.values.size() >= rules_.most_values)
      in_.fail("has a pickle of more than " + human_count(rules_.most_values) + " values.");
    pickle_.values.push_back(std::move(value));
    return push(static_cast<PickleId>(pickle_.values.size() - 1));
  }
  void push_integer(int64_t number) {
    return push_value({.kind = Kind::kInteger, .integer = number});
  }
  void push_real(double number) { return push_value({.kind = Kind::kReal, .real = number}); }
  void push_text(std::string_view text) {
    push_value({.kind = Kind::kText, .text = std::string(text)});
  }
  void push_bytes(std::string_view text) {
    push_value({.kind = Kind::kBytes, .text = std::string(text)});
  }
  void push_new(Kind kind, std::vector<PickleId> items) {
    return push_value({.kind = kind, .items = std::move(items)});
  }
  // "00" and "01" are how old protocols write truth.
  void push_written_integer(std::string_view line) {
    if (line == "00" || line == "01") return push(line == "01" ? kTrueId : kFalseId);
    if (line.ends_with('L')) line.remove_suffix(1);
    const auto number = read_integer(line);
    if (!number) in_.fail("has a whole number that is none: " + quote(line.substr(0, 40)) + ".");
    return push_integer(*number);
  }
  void push_long(std::string_view bytes) {
    if (bytes.size() > 8)
      return push_value({.kind = Kind::kBigInteger, .text = std::string(bytes)});
    uint64_t number = 0;
    for (size_t i = 0; i < bytes.size(); ++i)
      number |= static_cast<uint64_t>(static_cast<uint8_t>(bytes[i])) << (8 * i);
    const bool is_negative = !bytes.empty() && (static_cast<uint8_t>(bytes.back()) & 0x80U) != 0;
    if (is_negative && bytes.size() < 8)
      number |= std::numeric_limits<uint64_t>::max() << (8 * bytes.size());
    return push_integer(static_cast<int64_t>(number));
  }

  void mark() { marks_.push_back(stack_.size()); }
  // What lies above the last mark; below it nothing may be taken.
  [[nodiscard]] size_t floor() const { return marks_.empty() ? 0 : marks_.back(); }
  std::vector<PickleId> pop(size_t count) {
    if (stack_.size() - floor() < count) in_.fail("has a pickle that takes what is not there.");
    const auto first = stack_.end() - static_cast<std::ptrdiff_t>(count);
    std::vector<PickleId> taken(first, stack_.end());
    stack_.erase(first, stack_.end());
    return taken;
  }
  std::vector<PickleId> pop_to_mark() {
    if (marks_.empty()) in_.fail("has a pickle that takes what is not there.");
    std::vector<PickleId> taken = pop(stack_.size() - floor());
    marks_.pop_back();
    return taken;
  }
  [[nodiscard]] PickleId peek() const {
    if (stack_.size() == floor()) in_.fail("has a pickle that takes what is not there.");
    return stack_.back();
  }
  std::vector<PickleId> pairs(std::vector<PickleId> items) const {
    if (items.size() % 2 != 0) in_.fail("has a dictionary with a key and no value.");
    return items;
  }
  void add_items(const std::vector<PickleId>& items, Kind kind) {
    PickleValue& into = pickle_.values[peek()];
    if (into.kind != kind) in_.fail("has a pickle that adds to what holds nothing.");
    into.items.insert(into.items.end(), items.begin(), items.end());
  }

  void put(uint64_t index) { memo_[index] = peek(); }
  void put_next() { put(memo_.size()); }
  void get(uint64_t index) {
    const auto found = memo_.find(index);
    if (found == memo_.end()) in_.fail("has a pickle that recalls what it never kept.");
    return push(found->second);
  }

  void drop() {
    if (stack_.size() == floor() && !marks_.empty()) {
      marks_.pop_back();
    }
    (void)pop(1);
  }
  void stop() {
    if (!marks_.empty() || stack_.size() != 1)
      in_.fail("has a pickle that ends with more or less than one value.");
    pickle_.root = stack_.front();
    is_done_ = true;
  }

  void push_name_lines() {
    const std::string_view module = in_.line();
    const std::string_view name = in_.line();
    return push_name(std::string(module) + "." + std::string(name));
  }
  void push_name_of_stack() {
    const std::vector<PickleId> parts = pop(2);
    for (const PickleId part : parts)
      if (pickle_.at(part).kind != Kind::kText) in_.fail("has a name that is no text.");
    return push_name(pickle_.at(parts[0]).text + "." + pickle_.at(parts[1]).text);
  }
  void push_name(std::string name) {
    if (name != kOrderedDict && !(rules_.is_known && rules_.is_known(name)))
      in_.fail("wants to execute " + quote(name.substr(0, 200)) +
               ", and nothing of a file is executed." + (rules_.advice ? rules_.advice(name) : ""));
    return push_value({.kind = Kind::kName, .text = std::move(name)});
  }
  void call(const std::vector<PickleId>& parts) {
    const PickleValue& name = pickle_.at(parts[0]);
    const PickleValue& arguments = pickle_.at(parts[1]);
    if (name.kind != Kind::kName || arguments.kind != Kind::kTuple)
      in_.fail("calls what is no name, or without a tuple.");
    if (name.text == kOrderedDict) return push_new(Kind::kDict, pairs_of(arguments));
    if (arguments.items.size() > kMostArguments) in_.fail("calls with too many arguments.");
    return push_value({.kind = Kind::kCall, .text = name.text, .items = arguments.items});
  }
  // OrderedDict(), or OrderedDict([(key, value), ...]).
  [[nodiscard]] std::vector<PickleId> pairs_of(const PickleValue& arguments) {
    std::vector<PickleId> items;
    if (arguments.items.empty()) return items;
    for (const PickleId id : pickle_.at(arguments.items.front()).items) {
      const PickleValue& pair = pickle_.at(id);
      if (pair.items.size() != 2) in_.fail("has a dictionary of what are no pairs.");
      items.insert(items.end(), pair.items.begin(), pair.items.end());
    }
    // A list may be named again and again; what is copied counts each time.
    copied_ += items.size();
    if (copied_ > rules_.most_values) in_.fail("has dictionaries of more pairs than a file holds.");
    return items;
  }
  // Attributes of a dictionary, such as the versions that a state dict brings along, say nothing
  // about its tensors.
  void build(PickleId) {
    if (const Kind kind = pickle_.at(peek()).kind; kind != Kind::kDict && kind != Kind::kCall)
      in_.fail("gives attributes to what has none.");
  }

  PickleBytes in_;

 private:
  const PickleRules& rules_;
  Pickle pickle_;
  std::vector<PickleId> stack_;
  std::vector<size_t> marks_;
  std::unordered_map<uint64_t, PickleId> memo_;
  uint64_t copied_ = 0;
  bool is_done_ = false;
};

// One letter each. Old protocols write numbers as lines; T and U are the texts of Python 2.
constexpr std::pair<char, PickleStep> kSteps[] = {
    {'\x80', [](PickleMachine& machine) { machine.check_protocol(); }},
    {'\x95', [](PickleMachine& machine) { machine.skip_frame(); }},
    {'.', [](PickleMachine& machine) { machine.stop(); }},
    {'N', [](PickleMachine& machine) { machine.push(PickleMachine::kNoneId); }},
    {'\x88', [](PickleMachine& machine) { machine.push(PickleMachine::kTrueId); }},
    {'\x89', [](PickleMachine& machine) { machine.push(PickleMachine::kFalseId); }},
    {'J',
     [](PickleMachine& machine) {
       machine.push_integer(static_cast<int32_t>(machine.in_.number(4)));
     }},
    {'K',
     [](PickleMachine& machine) {
       machine.push_integer(static_cast<int64_t>(machine.in_.number(1)));
     }},
    {'M',
     [](PickleMachine& machine) {
       machine.push_integer(static_cast<int64_t>(machine.in_.number(2)));
     }},
    {'I', [](PickleMachine& machine) { machine.push_written_integer(machine.in_.line()); }},
    {'L', [](PickleMachine& machine) { machine.push_written_integer(machine.in_.line()); }},
    {'\x8a',
     [](PickleMachine& machine) { machine.push_long(machine.in_.text(machine.in_.number(1))); }},
    {'\x8b',
     [](PickleMachine& machine) { machine.push_long(machine.in_.text(machine.in_.number(4))); }},
    {'F', [](PickleMachine& machine) { machine.push_real(machine.in_.written_real()); }},
    {'G', [](PickleMachine& machine) { machine.push_real(machine.in_.real()); }},
    {'V', [](PickleMachine& machine) { machine.push_text(machine.in_.plain_line()); }},
    {'S', [](PickleMachine& machine) { machine.push_text(machine.in_.quoted_line()); }},
    {'X',
     [](PickleMachine& machine) { machine.push_text(machine.in_.text(machine.in_.number(4))); }},
    {'T',
     [](PickleMachine& machine) { machine.push_text(machine.in_.text(machine.in_.number(4))); }},
    {'U',
     [](PickleMachine& machine) { machine.push_text(machine.in_.text(machine.in_.number(1))); }},
    {'\x8c',
     [](PickleMachine& machine) { machine.push_text(machine.in_.text(machine.in_.number(1))); }},
    {'\x8d',
     [](PickleMachine& machine) { machine.push_text(machine.in_.text(machine.in_.number(8))); }},
    {'B',
     [](PickleMachine& machine) { machine.push_bytes(machine.in_.text(machine.in_.number(4))); }},
    {'C',
     [](PickleMachine& machine) { machine.push_bytes(machine.in_.text(machine.in_.number(1))); }},
    {'\x8e',
     [](PickleMachine& machine) { machine.push_bytes(machine.in_.text(machine.in_.number(8))); }},
    {'(', [](PickleMachine& machine) { machine.mark(); }},
    {']', [](PickleMachine& machine) { machine.push_new(Kind::kList, {}); }},
    {')', [](PickleMachine& machine) { machine.push_new(Kind::kTuple, {}); }},
    {'}', [](PickleMachine& machine) { machine.push_new(Kind::kDict, {}); }},
    {'\x8f', [](PickleMachine& machine) { machine.push_new(Kind::kSet, {}); }},
    {'l', [](PickleMachine& machine) { machine.push_new(Kind::kList, machine.pop_to_mark()); }},
    {'t', [](PickleMachine& machine) { machine.push_new(Kind::kTuple, machine.pop_to_mark()); }},
    {'d',
     [](PickleMachine& machine) {
       machine.push_new(Kind::kDict, machine.pairs(machine.pop_to_mark()));
     }},
    {'\x91', [](PickleMachine& machine) { machine.push_new(Kind::kSet, machine.pop_to_mark()); }},
    {'\x85', [](PickleMachine& machine) { machine.push_new(Kind::kTuple, machine.pop(1)); }},
    {'\x86', [](PickleMachine& machine) { machine.push_new(Kind::kTuple, machine.pop(2)); }},
    {'\x87', [](PickleMachine& machine) { machine.push_new(Kind::kTuple, machine.pop(3)); }},
    {'a', [](PickleMachine& machine) { machine.add_items(machine.pop(1), Kind::kList); }},
    {'e', [](PickleMachine& machine) { machine.add_items(machine.pop_to_mark(), Kind::kList); }},
    {'s', [](PickleMachine& machine) { machine.add_items(machine.pop(2), Kind::kDict); }},
    {'u',
     [](PickleMachine& machine) {
       machine.add_items(machine.pairs(machine.pop_to_mark()), Kind::kDict);
     }},
    {'\x90', [](PickleMachine& machine) { machine.add_items(machine.pop_to_mark(), Kind::kSet); }},
    {'p', [](PickleMachine& machine) { machine.put(machine.in_.written_index()); }},
    {'q', [](PickleMachine& machine) { machine.put(machine.in_.number(1)); }},
    {'r', [](PickleMachine& machine) { machine.put(machine.in_.number(4)); }},
    {'\x94', [](PickleMachine& machine) { machine.put_next(); }},
    {'g', [](PickleMachine& machine) { machine.get(machine.in_.written_index()); }},
    {'h', [](PickleMachine& machine) { machine.get(machine.in_.number(1)); }},
    {'j', [](PickleMachine& machine) { machine.get(machine.in_.number(4)); }},
    {'0', [](PickleMachine& machine) { machine.drop(); }},
    {'1', [](PickleMachine& machine) { (void)machine.pop_to_mark(); }},
    {'2', [](PickleMachine& machine) { machine.push(machine.peek()); }},
    {'c', [](PickleMachine& machine) { machine.push_name_lines(); }},
    {'\x93', [](PickleMachine& machine) { machine.push_name_of_stack(); }},
    {'R', [](PickleMachine& machine) { machine.call(machine.pop(2)); }},
    {'\x81', [](PickleMachine& machine) { machine.call(machine.pop(2)); }},
    {'b', [](PickleMachine& machine) { machine.build(machine.pop(1).front()); }},
    {'Q', [](PickleMachine& machine) { machine.push_new(Kind::kPersistent, machine.pop(1)); }},
};

constexpr std::array<PickleStep, 256> step_table() {
  std::array<PickleStep, 256> table{};
  for (const auto& step : kSteps) table[static_cast<uint8_t>(step.first)] = step.second;
  return table;
}

PickleStep pickle_step_of(char code) {
  static constexpr std::array<PickleStep, 256> table = step_table();
  return table[static_cast<uint8_t>(code)];
}

}  // namespace

const PickleValue* Pickle::find(const PickleValue& dictionary, std::string_view key) const {
  if (dictionary.kind != Kind::kDict) return nullptr;
  for (size_t i = 0; i + 1 < dictionary.items.size(); i += 2)
    if (const PickleValue& name = at(dictionary.items[i]);
        name.kind == Kind::kText && name.text == key)
      return &at(dictionary.items[i + 1]);
  return nullptr;
}

Pickle read_pickle(std::span<const std::byte> bytes, const std::string& what,
                   const PickleRules& rules) {
  return PickleMachine(bytes, what, rules).run();
}

}  // namespace hearth
