// SPDX-License-Identifier: Apache-2.0
#include "parlance/codec/gob/plan.h"

namespace parlance::gob {

using wire::Kind;
using wire::Type;

const Type& without_optional(const Type& type) {
  const Type* inner = &type;
  while (inner->kind == Kind::optional || inner->kind == Kind::nullable) inner = &inner->element();
  return *inner;
}

bool is_byte_list(const Type& type) {
  if (type.kind != Kind::list) return false;
  const Type& element = type.element();
  return element.kind == Kind::integer && element.width == 1 && !element.is_signed;
}

std::string go_name(const Type& type) {
  switch (type.kind) {
    case Kind::boolean: return "bool";
    case Kind::integer:
      return std::string(type.is_signed ? "int" : "uint") + (type.width == 8 ? "" : std::to_string(type.width * 8));
    case Kind::number: return type.width == 4 ? "float32" : "float64";
    case Kind::text:
    case Kind::enumeration: return "string";
    case Kind::bytes: return "[]uint8";
    case Kind::raw: return "interface {}";
    case Kind::object: return std::string(type.name);
    case Kind::list: return "[]" + go_name(type.element());
    case Kind::map: return "map[string]" + go_name(type.element());
    case Kind::optional:
    case Kind::nullable: return go_name(type.element());
    case Kind::tagged: return "union";
  }
  return {};
}

}  // namespace parlance::gob
