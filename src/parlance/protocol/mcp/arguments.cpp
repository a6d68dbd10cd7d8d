// SPDX-License-Identifier: Apache-2.0
// Arguments of tools as models send them.
#include <algorithm>

#include "parlance/codec/json/reader.h"
#include "parlance/codec/json/typed.h"
#include "parlance/codec/json/value.h"
#include "parlance/codec/schema/json_schema.h"
#include "parlance/protocol/mcp/server.h"
#include "parlance/protocol/mcp/session.h"

namespace parlance::mcp {
namespace {

using wire::Kind;

const wire::Type& inside(const wire::Type& type) {
  return type.kind == Kind::optional || type.kind == Kind::nullable ? type.element() : type;
}

bool fits(const json::Value& value, Kind kind) {
  double number = 0;
  if (kind == Kind::integer || kind == Kind::number) return value.number(number);
  if (kind == Kind::boolean) return value.boolean() != nullptr;
  if (kind == Kind::list) return value.array() != nullptr;
  return (kind == Kind::object || kind == Kind::map) && value.object() != nullptr;
}

// Models and clients (Claude Code) send "10" for 10 and "[5]" for [5]. Text that is JSON of the declared type counts as that JSON.
std::string loosened(const std::string& arguments, const wire::Type& type) {
  auto value = json::parse(arguments);
  if (!value || value->object() == nullptr) return arguments;
  json::Object object = *value->object();
  for (const wire::Field& field : type.fields) {
    const json::Value* given = object.find(field.name);
    if (given == nullptr || given->text() == nullptr) continue;
    auto read = json::parse(*given->text());
    if (read && fits(*read, inside(field.type()).kind)) object.set(std::string(field.name), *std::move(read));
  }
  return json::to_text(json::Value(std::move(object)));
}

}  // namespace

Raw closed_schema(const wire::Type& type) {
  std::string schema = schema::json_schema(type);
  schema.pop_back();
  return {schema + R"(,"additionalProperties":false})"};
}

Result<void> read_arguments(const Raw& arguments, const wire::Type& type, void* into, Request& request) {
  if (auto exact = json::read(arguments.json, type, into, {.known_utf8 = true}); !exact) {
    type.reset(into);
    if (!json::read(loosened(arguments.json, type), type, into, {.known_utf8 = true})) return exact;
  }
  json::Reader reader(arguments.json);
  for (bool more = reader.enter_object(); more; more = reader.next_member()) {
    const bool known = std::any_of(type.fields.begin(), type.fields.end(), [&](const wire::Field& field) {
      return field.name == reader.key() || (!field.alias.empty() && field.alias == reader.key());
    });
    if (!known && request.session().host().strict_arguments())
      return fail(Errc::invalid_params, "$." + std::string(reader.key()) + ": no such argument");
    if (!known) request.note_unknown_argument(reader.key());
    reader.skip();
  }
  return {};
}

}  // namespace parlance::mcp
