// SPDX-License-Identifier: Apache-2.0
#include "parlance/codec/schema/validator.h"

#include <algorithm>
#include <set>

#include "parlance/codec/schema/compiled_schema.h"
#include "parlance/codec/schema/limits.h"
#include "parlance/codec/schema/pointer.h"
#include "parlance/codec/schema/schema_compiler.h"
#include "parlance/codec/schema/value_facts.h"

namespace parlance::schema {
namespace {

using json::Array;
using json::Object;
using json::Value;
using Faults = std::vector<Fault>;
using Sub = SchemaNode::Sub;

constexpr std::size_t shown_bytes = 60;  // of a value in a message

// A position in the value; each lives on the stack of its visitor.
struct Place {
  const Place* up = nullptr;
  std::string_view name{};
  std::size_t index = 0;
  bool is_index = false;

  std::string pointer() const {
    if (up == nullptr) return "";
    return up->pointer() + "/" + (is_index ? std::to_string(index) : pointer_step(name));
  }
};

// The members or elements of a value evaluated by some schema, for unevaluatedProperties and unevaluatedItems.
struct Seen {
  std::vector<bool> parts;
  void mark(std::size_t i) {
    if (parts.size() <= i) parts.resize(i + 1);
    parts[i] = true;
  }
  bool has(std::size_t i) const { return i < parts.size() && parts[i]; }
  void add(const Seen& other) {
    for (std::size_t i = 0; i < other.parts.size(); ++i)
      if (other.parts[i]) mark(i);
  }
};

std::string shown(const Value& value) {
  if (const Array* array = value.array()) return array->empty() ? "[]" : "a list of " + std::to_string(array->size());
  if (const Object* object = value.object()) return object->members.empty() ? "{}" : "an object";
  if (value.text() != nullptr && value.text()->size() > shown_bytes) return "a long text";
  return json::to_text(value);
}

std::string several(std::uint64_t count, std::string_view what) {
  return std::to_string(count) + " " + std::string(what) + (count == 1 ? "" : "s");
}

std::string number_text(long double number) { return json::to_text(Value(static_cast<double>(number))); }

std::string names_of_types(std::uint8_t types) {
  std::string names;
  for (const auto& [bit, name] : {std::pair{type_bit::null, "null"},
                                  {type_bit::boolean, "boolean"},
                                  {type_bit::integer, "integer"},
                                  {type_bit::number, "number"},
                                  {type_bit::string, "string"},
                                  {type_bit::array, "array"},
                                  {type_bit::object, "object"}})
    if ((types & bit) != 0) (names += names.empty() ? "" : " or ") += name;
  return names;
}

class Look {
 public:
  explicit Look(const CompiledSchema& schema) : schema_(schema) {}

  Faults run(const Value& value) {
    Faults faults;
    const bool fits = fit(schema_.nodes.front(), value, {}, nullptr, &faults);
    if (exhausted_) return {{"", "the check against the schema is too expensive: give a simpler value"}};
    if (!fits && faults.empty()) faults.push_back({"", "the value does not match its schema"});
    return fits ? Faults{} : faults;
  }

 private:
  // A value and a schema to match. Without `faults` only the verdict counts, and the first fault ends the check.
  struct Case {
    const SchemaNode& node;
    const Value& value;
    const Place& place;
    Seen* seen;  // null: not needed
    Faults* faults;
    bool fits = true;

    void wrong(std::string what) { wrong_at(place, std::move(what)); }
    void wrong_at(const Place& where, std::string what) {
      fits = false;
      if (faults != nullptr && faults->size() < limits::schema_faults) faults->push_back({where.pointer(), std::move(what)});
    }
    bool over() const { return !fits && (faults == nullptr || faults->size() >= limits::schema_faults); }
  };

  bool fit(const SchemaNode& node, const Value& value, const Place& place, Seen* seen, Faults* faults) {
    if (depth_ >= limits::schema_depth || ++steps_ > limits::schema_steps) exhausted_ = true;
    if (exhausted_) return false;
    const bool enters = scope_.empty() || scope_.back() != node.resource;
    if (enters) scope_.push_back(node.resource);
    ++depth_;
    const bool tracks = seen != nullptr || node.unevaluated_items != nullptr || node.unevaluated_properties != nullptr;
    Seen own;
    Case subject{.node = node, .value = value, .place = place, .seen = tracks ? &own : nullptr, .faults = faults};
    look(subject);
    --depth_;
    if (enters) scope_.pop_back();
    if (subject.fits && seen != nullptr) seen->add(own);
    return subject.fits;
  }

  void look(Case& subject) {
    if (subject.node.nothing_fits) return subject.wrong("no value is allowed here, got " + shown(subject.value));
    plain(subject);
    if (const auto number = exact_number(subject.value)) numbers(subject, *number);
    else if (subject.value.text() != nullptr) texts(subject, *subject.value.text());
    if (!subject.over()) {
      if (const Array* array = subject.value.array()) elements(subject, *array);
      if (const Object* object = subject.value.object()) members(subject, *object);
    }
    if (!subject.over()) in_place(subject);
    if (!subject.over()) alternatives(subject);
    if (!subject.over()) rest(subject);
  }

  void plain(Case& subject) {
    const SchemaNode& node = subject.node;
    if (node.types != 0 && (node.types & types_of(subject.value)) == 0)
      subject.wrong("expected " + names_of_types(node.types) + ", got " + shown(subject.value));
    if (node.constant && !(*node.constant == subject.value))
      subject.wrong("expected " + shown(*node.constant) + ", got " + shown(subject.value));
    if (node.values && std::ranges::find(*node.values, subject.value) == node.values->end()) {
      std::string known;
      for (const Value& value : *node.values) {
        if (known.size() > 8 * shown_bytes) {
          known += ", …";
          break;
        }
        (known += known.empty() ? "" : ", ") += shown(value);
      }
      subject.wrong("expected one of " + known + "; got " + shown(subject.value));
    }
  }

  void numbers(Case& subject, long double number) {
    const SchemaNode& node = subject.node;
    const auto hold = [&](bool holds, std::string_view what, const std::optional<long double>& limit) {
      if (!holds)
        subject.wrong("expected a number " + std::string(what) + " " + number_text(*limit) + ", got " + shown(subject.value));
    };
    if (node.minimum) hold(number >= *node.minimum, "of at least", node.minimum);
    if (node.maximum) hold(number <= *node.maximum, "of at most", node.maximum);
    if (node.above) hold(number > *node.above, "above", node.above);
    if (node.below) hold(number < *node.below, "below", node.below);
    if (node.multiple_of) hold(is_multiple(number, *node.multiple_of), "divisible by", node.multiple_of);
  }

  void texts(Case& subject, const std::string& text) {
    const SchemaNode& node = subject.node;
    if (node.min_length || node.max_length) {
      const std::uint64_t length = length_of(text);
      if (node.min_length && length < *node.min_length)
        subject.wrong("expected at least " + several(*node.min_length, "character") + ", got " + std::to_string(length));
      if (node.max_length && length > *node.max_length)
        subject.wrong("expected at most " + several(*node.max_length, "character") + ", got " + std::to_string(length));
    }
    if (node.pattern && !found(node.pattern->second, text))
      subject.wrong("expected a text matching the pattern " + node.pattern->first + ", got " + shown(subject.value));
  }

  bool found(const regex::Pattern& pattern, std::string_view text) {
    const bool yes = pattern.found_in(text, pattern_work_);
    exhausted_ = exhausted_ || pattern_work_ == 0;
    return yes;
  }

  static void hold_count(Case& subject, std::size_t count, const std::optional<std::uint64_t>& least,
                         const std::optional<std::uint64_t>& most, std::string_view what) {
    if (least && count < *least) subject.wrong("expected at least " + several(*least, what) + ", got " + std::to_string(count));
    if (most && count > *most) subject.wrong("expected at most " + several(*most, what) + ", got " + std::to_string(count));
  }

  bool fit_part(Case& subject, Sub sub, const Value& part, const Place& place, std::size_t index) {
    if (!fit(*sub, part, place, nullptr, subject.faults)) subject.fits = false;
    if (subject.seen != nullptr) subject.seen->mark(index);
    return !subject.over();
  }

  void elements(Case& subject, const Array& array) {
    const SchemaNode& node = subject.node;
    hold_count(subject, array.size(), node.min_items, node.max_items, "element");
    if (node.unique_items && !all_differ(array)) subject.wrong("expected different elements");
    for (std::size_t i = 0; i < array.size(); ++i) {
      const Sub sub = i < node.prefix_items.size() ? node.prefix_items[i] : node.items;
      if (sub != nullptr && !fit_part(subject, sub, array[i], {.up = &subject.place, .index = i, .is_index = true}, i)) return;
    }
    if (node.contains == nullptr) return;
    std::size_t found = 0;
    for (std::size_t i = 0; i < array.size(); ++i) {
      if (!fit(*node.contains, array[i], {.up = &subject.place, .index = i, .is_index = true}, nullptr, nullptr)) continue;
      ++found;
      if (subject.seen != nullptr) subject.seen->mark(i);
    }
    hold_count(subject, found, node.min_contains, node.max_contains, "element that fits `contains`");
  }

  void members(Case& subject, const Object& object) {
    const SchemaNode& node = subject.node;
    hold_count(subject, object.members.size(), node.min_properties, node.max_properties, "member");
    for (const std::string& name : node.required)
      if (object.find(name) == nullptr) subject.wrong("the member \"" + name + "\" is missing");
    for (const auto& [name, needs] : node.dependent_required)
      if (object.find(name) != nullptr)
        for (const std::string& need : needs)
          if (object.find(need) == nullptr)
            subject.wrong(
                std::string("with \"").append(name).append("\" the member \"").append(need).append("\" is required too"));
    for (std::size_t i = 0; i < object.members.size() && !subject.over(); ++i) member(subject, object, i);
  }
  void member(Case& subject, const Object& object, std::size_t i) {
    const SchemaNode& node = subject.node;
    const auto& [name, value] = object.members[i];
    const Place place{.up = &subject.place, .name = name};
    if (node.property_names != nullptr) {
      Faults of_name;
      if (!fit(*node.property_names, Value(name), place, nullptr, subject.faults != nullptr ? &of_name : nullptr))
        subject.wrong_at(place, "its name: " + (of_name.empty() ? "does not fit" : of_name.front().what));
    }
    bool known = false;
    if (const auto property = node.properties.find(name); property != node.properties.end()) {
      known = true;
      if (!fit_part(subject, property->second, value, place, i)) return;
    }
    for (const auto& [pattern, sub] : node.pattern_properties) {
      if (!found(pattern, name)) continue;
      known = true;
      if (!fit_part(subject, sub, value, place, i)) return;
    }
    if (known || node.additional_properties == nullptr) return;
    if (node.additional_properties->nothing_fits) subject.wrong_at(place, "unknown member" + members_of(node));
    else fit_part(subject, node.additional_properties, value, place, i);
  }
  static std::string members_of(const SchemaNode& node) {
    std::set<std::string_view> names;
    for (const auto& [name, sub] : node.properties) names.insert(name);
    std::string known;
    for (const std::string_view name : names) {
      if (known.size() > 8 * shown_bytes) return "; known members: " + known + ", …";
      (known += known.empty() ? "" : ", ") += name;
    }
    return known.empty() ? "" : "; known members: " + known;
  }

  // ---- schemas of the same value

  bool also(Case& subject, Sub sub, Faults* faults) { return fit(*sub, subject.value, subject.place, subject.seen, faults); }
  void must(Case& subject, Sub sub) {
    if (sub != nullptr && !subject.over() && !also(subject, sub, subject.faults)) subject.fits = false;
  }

  void in_place(Case& subject) {
    const SchemaNode& node = subject.node;
    must(subject, node.ref);
    if (node.dynamic_ref != nullptr) must(subject, dynamic_target(node));
    for (const Sub sub : node.all_of) must(subject, sub);
    if (const Object* object = subject.value.object())
      for (const auto& [name, sub] : node.dependent_schemas)
        if (object->find(name) != nullptr) must(subject, sub);
    if (node.not_this != nullptr && fit(*node.not_this, subject.value, subject.place, nullptr, nullptr))
      subject.wrong("expected a value outside the schema of `not`, got " + shown(subject.value));
    if (node.if_this != nullptr) must(subject, also(subject, node.if_this, nullptr) ? node.then_this : node.else_this);
  }
  // The anchor of the outermost enclosing document with such an anchor.
  Sub dynamic_target(const SchemaNode& node) const {
    if (!node.dynamic_anchor_name.empty())
      for (const std::uint32_t resource : scope_) {
        const auto& anchors = schema_.dynamic_anchors[resource];
        if (const auto found = anchors.find(node.dynamic_anchor_name); found != anchors.end()) return found->second;
      }
    return node.dynamic_ref;
  }

  void alternatives(Case& subject) {
    any_of(subject);
    if (!subject.over()) one_of(subject);
  }
  void any_of(Case& subject) {
    std::vector<Faults> failures;
    bool fits = subject.node.any_of.empty();
    for (const Sub sub : subject.node.any_of) {
      Faults faults;
      if (also(subject, sub, subject.faults != nullptr ? &faults : nullptr)) fits = true;
      else failures.push_back(std::move(faults));
      if (fits && subject.seen == nullptr) break;  // otherwise the other schemas add evaluated members
    }
    if (!fits) none_fits(subject, std::move(failures));
  }
  void one_of(Case& subject) {
    if (subject.node.one_of.empty()) return;
    std::vector<Faults> failures;
    std::size_t fitting = 0;
    for (const Sub sub : subject.node.one_of) {
      Faults faults;
      if (also(subject, sub, subject.faults != nullptr ? &faults : nullptr)) ++fitting;
      else failures.push_back(std::move(faults));
      if (fitting > 1)
        return subject.wrong("expected a match of exactly one schema of `oneOf`; several match " + shown(subject.value));
    }
    if (fitting == 0) none_fits(subject, std::move(failures));
  }
  // The message if all alternatives fail: every alternative if each takes a line; else the alternative with the deepest match.
  static void none_fits(Case& subject, std::vector<Faults> failures) {
    subject.fits = false;
    if (subject.faults == nullptr || subject.over()) return;
    const std::string here = subject.place.pointer();
    if (std::ranges::all_of(failures, [&](const Faults& faults) { return faults.size() == 1 && faults.front().at == here; })) {
      std::string all;
      for (const Faults& faults : failures) (all += all.empty() ? "" : "; or ") += faults.front().what;
      return subject.wrong(std::move(all));
    }
    const auto depth = [](const Faults& faults) {
      std::ptrdiff_t deepest = 0;
      for (const Fault& fault : faults) deepest = std::max(deepest, std::ranges::count(fault.at, '/'));
      return deepest;
    };
    const auto nearest = std::ranges::max_element(failures, [&](const Faults& a, const Faults& b) {
      return depth(a) != depth(b) ? depth(a) < depth(b) : a.size() > b.size();
    });
    for (Fault& fault : *nearest)
      if (subject.faults->size() < limits::schema_faults) subject.faults->push_back(std::move(fault));
  }

  // The members without an evaluating schema.
  void rest(Case& subject) {
    const SchemaNode& node = subject.node;
    if (const Array* array = subject.value.array(); array != nullptr && node.unevaluated_items != nullptr)
      for (std::size_t i = 0; i < array->size() && !subject.over(); ++i)
        if (!subject.seen->has(i))
          fit_part(subject, node.unevaluated_items, (*array)[i], {.up = &subject.place, .index = i, .is_index = true}, i);
    if (const Object* object = subject.value.object(); object != nullptr && node.unevaluated_properties != nullptr)
      for (std::size_t i = 0; i < object->members.size() && !subject.over(); ++i)
        if (const auto& [name, value] = object->members[i]; !subject.seen->has(i))
          fit_part(subject, node.unevaluated_properties, value, {.up = &subject.place, .name = name}, i);
  }

  const CompiledSchema& schema_;
  std::vector<std::uint32_t> scope_;  // resources entered, outermost first
  int depth_ = 0;
  std::size_t steps_ = 0;
  std::size_t pattern_work_ = limits::schema_pattern_work;
  bool exhausted_ = false;
};

}  // namespace

std::string text_of(const std::vector<Fault>& faults) {
  std::string all;
  for (const Fault& fault : faults) {
    if (!all.empty()) all += "; ";
    all += (fault.at.empty() ? "(the whole value)" : fault.at) + ": " + fault.what;
  }
  return all;
}

Result<Validator> Validator::compile(json::Value schema) {
  PARLANCE_TRY(compiled, compile_schema(std::move(schema)));
  return Validator(std::move(compiled));
}

std::vector<Fault> Validator::faults_of(const json::Value& value) const { return Look(*schema_).run(value); }

}  // namespace parlance::schema
