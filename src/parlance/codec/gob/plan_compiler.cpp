// SPDX-License-Identifier: Apache-2.0
#include "parlance/codec/gob/plan_compiler.h"

#include <map>

#include "parlance/codec/gob/limits.h"

namespace parlance::gob {
namespace {

using wire::Kind;
using wire::Type;

// Approximate memory of one empty value of a type. Recursive types contain themselves through a list or a map.
std::size_t memory_of(const Type& type) {
  switch (type.kind) {
    case Kind::boolean: return 1;
    case Kind::integer:
    case Kind::number: return type.width;
    case Kind::enumeration: return sizeof(int);
    case Kind::list: return sizeof(std::vector<int>);
    case Kind::map: return sizeof(std::map<int, int>);
    case Kind::optional:
    case Kind::nullable: return memory_of(type.element()) + sizeof(void*);
    case Kind::object: {
      std::size_t sum = 1;
      for (const wire::Field& field : type.fields) sum += memory_of(field.type());
      return sum;
    }
    default: return sizeof(std::string);
  }
}

class Compiler {
 public:
  Compiler(const TypeTable& types, Plan& plan) : types_(types), plan_(plan) {}

  void compile_root(const Type& type, TypeId id) {
    plan_.steps.emplace_back();
    if (fill(0, type, id)) {
      check_fields_matched(type, id);
    } else if (plan_.refusal.empty()) {
      refuse(definition_of(id) == nullptr && !is_builtin(id)
                 ? "gob: unknown type id or corrupted data"
                 : "gob: decoding into local type " + go_name(type) + ", received remote type " + types_.describe(id));
    }
  }

 private:
  bool refuse(std::string why) {
    if (plan_.refusal.empty()) plan_.refusal = std::move(why);
    return false;
  }

  // Looked-up definitions become part of the plan's key, and so do missing definitions: another stream may contain them.
  const Definition* definition_of(TypeId id) {
    const Definition* definition = types_.find(id);
    if (!is_builtin(id)) plan_.key.read.emplace_back(id, definition);
    return definition;
  }

  // A few hostile definitions with mutual references could produce a plan of millions of steps.
  bool add_steps(std::size_t count, std::uint32_t& first) {
    if (count > limits::gob_plan_steps - plan_.steps.size()) return refuse("gob: type too complicated");
    first = static_cast<std::uint32_t>(plan_.steps.size());
    plan_.steps.resize(first + count);
    return true;
  }

  // False if the kinds disagree; a refusal is set only if Go has its own message.
  bool fill(std::uint32_t at, const Type& type, TypeId id) {
    Step step{.op = Op::skip, .id = id, .type = &type};
    const auto leaf = [&](bool fits, Op op) {
      step.op = op;
      if (fits) set(at, step);
      return fits;
    };
    switch (type.kind) {
      case Kind::boolean: return leaf(id == id_bool, Op::boolean);
      // Kinder than Go: either kind of integer is taken where its value fits.
      case Kind::integer: return leaf(id == id_int || id == id_uint, id == id_int ? Op::from_int : Op::from_uint);
      case Kind::number: return leaf(id == id_float, Op::number);
      case Kind::text: return leaf(id == id_string, Op::text);
      case Kind::enumeration: return leaf(id == id_string, Op::enumeration);
      case Kind::bytes: return leaf(id == id_bytes, Op::bytes);
      // More lenient than Go: a field for any value accepts a concrete type too.
      case Kind::raw: return leaf(is_builtin(id) || definition_of(id) != nullptr, Op::raw);
      case Kind::list: return fill_list(at, step, type, id);
      case Kind::map: return fill_map(at, step, type, id);
      case Kind::object: return fill_structure(at, step, type, id);
      case Kind::optional:
      case Kind::nullable: return fill_element(at, step, Op::optional, type, id);
      case Kind::tagged: return refuse("gob: type has no gob form: union " + std::string(type.name));
    }
    return false;
  }

  bool fill_list(std::uint32_t at, Step step, const Type& type, TypeId id) {
    if (is_byte_list(type)) {
      step.op = Op::byte_list;
      set(at, step);
      return id == id_bytes;
    }
    const Definition* definition = definition_of(id);
    if (definition == nullptr || (definition->shape != Shape::slice && definition->shape != Shape::array)) return false;
    return fill_element(at, step, Op::list, type, definition->element);
  }

  bool fill_map(std::uint32_t at, Step step, const Type& type, TypeId id) {
    const Definition* definition = definition_of(id);
    if (definition == nullptr || definition->shape != Shape::map || definition->key != id_string) return false;
    return fill_element(at, step, Op::map, type, definition->element);
  }

  bool fill_element(std::uint32_t at, Step step, Op op, const Type& type, TypeId element) {
    step.op = op;
    if (op != Op::optional) step.memory = static_cast<std::uint32_t>(memory_of(type.element()));
    if (!add_steps(1, step.first)) return false;
    set(at, step);
    return fill(step.first, type.element(), element);
  }

  bool fill_structure(std::uint32_t at, Step step, const Type& type, TypeId id) {
    const Definition* definition = definition_of(id);
    if (definition == nullptr || definition->shape != Shape::structure) {
      if (definition == nullptr && !is_builtin(id)) return false;
      return refuse("gob: type mismatch in decoder: want struct type " + go_name(type) + "; got non-struct");
    }
    step.op = Op::structure;
    step.count = static_cast<std::uint32_t>(definition->fields.size());
    const auto [known, is_new] = structures_.try_emplace({&type, id}, 0);
    if (is_new && !add_steps(step.count, known->second)) return false;
    step.first = known->second;
    set(at, step);
    if (!is_new) return true;  // under way already: the type contains itself
    for (std::uint32_t i = 0; i < step.count; ++i)
      if (!fill_field(step.first + i, type, *definition, definition->fields[i])) return false;
    return true;
  }

  bool fill_field(std::uint32_t at, const Type& type, const Definition& definition, const Definition::Field& sent) {
    const std::string_view name = definition.name_of(sent);
    for (const wire::Field& field : type.fields) {
      if (field.name != name && (field.alias.empty() || field.alias != name)) continue;
      if (!fill(at, field.type(), sent.type))
        return refuse("gob: wrong type (" + go_name(field.type()) + ") for received field " + std::string(definition.name()) +
                      "." + std::string(name));
      plan_.steps[at].field = &field;
      return true;
    }
    plan_.steps[at] = Step{.op = Op::skip, .id = sent.type};
    return true;
  }

  // Go refuses a struct without a common field, but only outermost, and only if both have fields.
  void check_fields_matched(const Type& type, TypeId id) {
    const Type& inner = without_optional(type);
    const Definition* definition = types_.find(id);
    if (inner.kind != Kind::object || inner.fields.empty() || definition == nullptr || definition->fields.empty()) return;
    const std::uint32_t first = structures_.at({&inner, id});
    for (std::uint32_t i = 0; i < definition->fields.size(); ++i)
      if (plan_.steps[first + i].op != Op::skip) return;
    refuse("gob: type mismatch: no fields matched compiling decoder for " + std::string(inner.name));
  }

  void set(std::uint32_t at, const Step& step) { plan_.steps[at] = step; }

  const TypeTable& types_;
  Plan& plan_;
  std::map<std::pair<const Type*, TypeId>, std::uint32_t> structures_;
};

}  // namespace

Plan compile_plan(const TypeTable& types, const Type& type, TypeId id) {
  Plan plan;
  plan.key.type = &type;
  plan.key.id = id;
  Compiler(types, plan).compile_root(type, id);
  if (!plan.refusal.empty()) plan.steps.clear();
  plan.steps.shrink_to_fit();
  return plan;
}

}  // namespace parlance::gob
