// SPDX-License-Identifier: Apache-2.0
#include "parlance/codec/gob/type_pool.h"

#include <algorithm>

#include "parlance/base/check.h"
#include "parlance/codec/gob/define.h"

namespace parlance::gob {
namespace {

using wire::Kind;
using wire::Type;

constexpr TypeId first_announced_id = 65;  // where Go 1.19 begins

}  // namespace

TypePool::TypePool() {
  const auto add = [this](std::string definition) {
    auto& made = own_.emplace_back(std::make_unique<OutgoingType>());
    made->index = static_cast<std::uint32_t>(announced_.size());
    made->id = first_announced_id + static_cast<TypeId>(made->index);
    made->needs = {made->index};
    made->definition = std::move(definition);
    announced_.push_back(made.get());
  };
  add(define::map(first_announced_id, "map[string]interface {}", id_string, id_interface));
  add(define::slice(first_announced_id + 1, "[]interface {}", id_interface));
}

TypePool::~TypePool() = default;

const Definition* TypePool::acquire(BytesView bytes, Definition parsed) {
  auto found = definitions_.find(bytes);
  if (found == definitions_.end()) {
    auto made = std::make_unique<Definition>(std::move(parsed));
    made->keep(bytes);
    const std::string_view key = made->bytes();
    found = definitions_.emplace(key, std::move(made)).first;
  }
  ++found->second->users_;
  return found->second.get();
}

void TypePool::release(const Definition* definition) {
  const auto found = definitions_.find(definition->bytes());
  PARLANCE_CHECK(found != definitions_.end() && found->second.get() == definition, "a definition of this pool");
  if (--found->second->users_ > 0) return;
  const auto keep_alive = std::move(found->second);  // the key is a view into it
  definitions_.erase(found);
}

const Plan* TypePool::acquire(Plan plan) {
  auto found = plans_.find(plan.key);
  if (found == plans_.end()) found = plans_.emplace(std::make_unique<Plan>(std::move(plan)), true).first;
  ++found->first->users;
  return found->first.get();
}

void TypePool::release(const Plan* plan) {
  const auto found = plans_.find(plan->key);
  PARLANCE_CHECK(found != plans_.end() && found->first.get() == plan, "a plan of this pool");
  if (--found->first->users == 0) plans_.erase(found);
}

// ---- types that this side announces ------------------------------------------------------------------------------------

const OutgoingType& TypePool::outgoing(const Type& type) {
  const Type& inner = without_optional(type);
  auto found = outgoing_.find(&inner);
  if (found == outgoing_.end() || (found->second->needs.empty() && found->second->index != OutgoingType::none)) {
    OutgoingType& made = announce(inner);
    close(made);
    return made;
  }
  return *found->second;
}

// Everything that can be reached is needed, and one part that cannot travel spoils the whole.
void TypePool::close(OutgoingType& root) {
  if (root.index == OutgoingType::none) return;
  root.needs = {root.index};
  for (std::size_t i = 0; i < root.needs.size(); ++i) {
    const OutgoingType& part = *announced_[root.needs[i]];
    if (root.refusal.empty()) root.refusal = part.refusal;
    for (const std::uint32_t index : part.refers_to)
      if (std::find(root.needs.begin(), root.needs.end(), index) == root.needs.end()) root.needs.push_back(index);
  }
}

namespace {

TypeId builtin_id(const Type& type) {
  switch (type.kind) {
    case Kind::boolean: return id_bool;
    case Kind::integer: return type.is_signed ? id_int : id_uint;
    case Kind::number: return id_float;
    case Kind::text:
    case Kind::enumeration: return id_string;
    case Kind::bytes: return id_bytes;
    case Kind::raw: return id_interface;
    case Kind::list: return is_byte_list(type) ? id_bytes : 0;
    default: return 0;
  }
}

}  // namespace

// A type that is under way already is referred to by its id, so types may contain themselves.
OutgoingType& TypePool::announce(const Type& type) {
  auto& place = outgoing_[&type];
  if (place) return *place;
  place = std::make_unique<OutgoingType>();
  OutgoingType& made = *place;
  made.is_struct = type.kind == Kind::object;
  made.id = builtin_id(type);
  if (made.id != 0) return made;
  if (type.kind == Kind::tagged) {
    made.refusal = "gob: type has no gob form: union " + std::string(type.name);
    return made;
  }

  made.index = static_cast<std::uint32_t>(announced_.size());
  made.id = first_announced_id + static_cast<TypeId>(made.index);
  announced_.push_back(&made);
  const auto refer_to = [&](const Type& element) {
    const OutgoingType& part = announce(without_optional(element));
    if (!part.refusal.empty()) made.refusal = part.refusal;
    if (part.index != OutgoingType::none) made.refers_to.push_back(part.index);
    return part.id;
  };
  if (type.kind == Kind::list) {
    made.definition = define::slice(made.id, go_name(type), refer_to(type.element()));
  } else if (type.kind == Kind::map) {
    made.definition = define::map(made.id, go_name(type), id_string, refer_to(type.element()));
  } else {
    std::vector<std::pair<std::string_view, TypeId>> fields;
    for (const wire::Field& field : type.fields) fields.emplace_back(field.name, refer_to(field.type()));
    made.definition = define::structure(made.id, type.name, fields);
  }
  return made;
}

}  // namespace parlance::gob
