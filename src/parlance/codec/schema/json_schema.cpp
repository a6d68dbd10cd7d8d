// SPDX-License-Identifier: Apache-2.0
#include "parlance/codec/schema/json_schema.h"

#include "parlance/codec/json/value.h"

namespace parlance::schema {
namespace {

using json::Array;
using json::Object;
using json::Value;
using wire::Kind;
using wire::Type;

Object schema_of(const Type& type);

Object object_schema(const Type& type) {
  Object schema;
  schema.set("type", "object");
  Object properties;
  Array required;
  for (const wire::Field& field : type.fields) {
    Object property = schema_of(field.type());
    if (!field.doc.empty()) property.set("description", field.doc);
    properties.set(std::string(field.name), std::move(property));
    if (field.presence == wire::Presence::required) required.emplace_back(field.name);
  }
  schema.set("properties", std::move(properties));
  if (!required.empty()) schema.set("required", std::move(required));
  return schema;
}

Object tagged_schema(const Type& type) {
  Object schema;
  Array alternatives;
  for (const wire::Alternative& alternative : type.tagged->alternatives()) {
    Object object = object_schema(alternative.type());
    Object tag;
    tag.set("const", alternative.tag);
    Object properties;
    properties.set(std::string(type.tagged->tag_field), std::move(tag));
    for (auto& [name, value] : std::get<Object>(object.find("properties")->data).members) properties.set(name, value);
    object.set("properties", std::move(properties));
    Array required;
    required.emplace_back(type.tagged->tag_field);
    if (const Value* others = object.find("required"))
      for (const Value& name : *others->array()) required.push_back(name);
    object.set("required", std::move(required));
    alternatives.push_back(std::move(object));
  }
  if (type.tagged->has_other) {
    Object other;
    other.set("type", "object");
    alternatives.push_back(std::move(other));
  }
  schema.set("oneOf", std::move(alternatives));
  return schema;
}

Object with_type(std::string_view name) {
  Object schema;
  schema.set("type", name);
  return schema;
}

Object schema_of(const Type& type) {
  switch (type.kind) {
    case Kind::boolean: return with_type("boolean");
    case Kind::integer: {
      Object schema = with_type("integer");
      if (!type.is_signed) schema.set("minimum", 0);
      return schema;
    }
    case Kind::number: return with_type("number");
    case Kind::text: return with_type("string");
    case Kind::bytes: {
      Object schema = with_type("string");
      schema.set("contentEncoding", "base64");
      return schema;
    }
    case Kind::raw: return {};
    case Kind::enumeration: {
      Object schema = with_type("string");
      if (type.enumeration->unknown != nullptr) return schema;  // others may come
      Array values;
      for (const std::string_view name : type.enumeration->names()) values.emplace_back(name);
      schema.set("enum", std::move(values));
      return schema;
    }
    case Kind::object: return object_schema(type);
    case Kind::list: {
      Object schema = with_type("array");
      schema.set("items", schema_of(type.element()));
      return schema;
    }
    case Kind::map: {
      Object schema = with_type("object");
      schema.set("additionalProperties", schema_of(type.element()));
      return schema;
    }
    case Kind::optional: return schema_of(type.element());
    case Kind::nullable: {
      Object schema;
      Array either;
      either.emplace_back(schema_of(type.element()));
      either.emplace_back(with_type("null"));
      schema.set("anyOf", std::move(either));
      return schema;
    }
    case Kind::tagged: return tagged_schema(type);
  }
  return {};
}

}  // namespace

std::string json_schema(const Type& type) { return json::to_text(Value(schema_of(type))); }

}  // namespace parlance::schema
