// SPDX-License-Identifier: Apache-2.0
#include "parlance/model/tool_schema.h"

#include <algorithm>
#include <array>
#include <set>

#include "parlance/codec/json/value.h"

namespace parlance::model {
namespace {

using json::Array;
using json::Object;
using json::Value;

constexpr std::string_view no_parameters = R"({"type":"object","properties":{}})";
constexpr std::array<std::string_view, 7> refused_at_root{"anyOf", "oneOf", "allOf", "not", "enum", "const", "$ref"};
constexpr std::size_t longest_name = 64;
constexpr int most_schemas = 1000;  // Combined by the root of a tool; real roots combine fewer than 50.

std::string object_or(std::string_view text, std::string_view otherwise) {
  auto compacted = json::compact(text);
  return compacted && compacted->starts_with('{') ? *std::move(compacted) : std::string(otherwise);
}

bool is_list_of_texts(const Value& value) {
  return value.array() != nullptr &&
         std::ranges::all_of(*value.array(), [](const Value& each) { return each.text() != nullptr; });
}

bool is_plain(const Object& root) {
  const Value* type = root.find("type");
  const Value* properties = root.find("properties");
  const Value* required = root.find("required");
  if (type == nullptr || *type != Value("object") || properties == nullptr || properties->object() == nullptr) return false;
  if (required != nullptr && !is_list_of_texts(*required)) return false;
  if (std::ranges::any_of(refused_at_root, [&](std::string_view name) { return root.find(name) != nullptr; })) return false;
  return std::ranges::all_of(properties->object()->members, [](const auto& each) { return each.second.object() != nullptr; });
}

// Collects the parameters of a root schema and of the schemas in its anyOf, oneOf, allOf and $ref.
class Parameters {
 public:
  explicit Parameters(const Object& root) : root_(root) {}

  Object properties{};

  // Returns the required names of `schema`.
  std::set<std::string> add(const Object& schema) {
    std::set<std::string> required;
    if (--schemas_left_ < 0) return required;
    if (const Value* own = schema.find("properties"); own != nullptr && own->object() != nullptr)
      for (const auto& [name, value] : own->object()->members) put(name, value);
    if (const Value* own = schema.find("required"); own != nullptr && own->array() != nullptr)
      for (const Value& name : *own->array())
        if (name.text() != nullptr) required.insert(*name.text());
    if (const Object* target = target_of(schema)) required.merge(add(*target));
    if (const Value* all = schema.find("allOf"); all != nullptr && all->array() != nullptr)
      for (const Value& each : *all->array())
        if (each.object() != nullptr) required.merge(add(*each.object()));
    for (const char* keyword : {"anyOf", "oneOf"})
      if (const Value* any = schema.find(keyword); any != nullptr && any->array() != nullptr)
        required.merge(add_alternatives(*any->array()));
    return required;
  }

 private:
  // Arguments are always an object, so alternatives of other types are ignored.
  static bool may_be_object(const Object& schema) {
    const Value* type = schema.find("type");
    if (type == nullptr || type->text() != nullptr) return type == nullptr || *type->text() == "object";
    return type->array() == nullptr || std::ranges::find(*type->array(), Value("object")) != type->array()->end();
  }

  std::set<std::string> add_alternatives(const Array& alternatives) {
    std::set<std::string> common;
    bool is_first = true;
    for (const Value& each : alternatives) {
      if (each.object() == nullptr || !may_be_object(*each.object())) continue;
      const std::set<std::string> required = add(*each.object());
      if (std::exchange(is_first, false)) common = required;
      else std::erase_if(common, [&](const std::string& name) { return !required.contains(name); });
    }
    return common;
  }

  void put(const std::string& name, const Value& value) {
    if (value.boolean() != nullptr && !*value.boolean()) return;
    const Value schema = value.object() != nullptr ? value : Value(Object{});
    const Value* known = properties.find(name);
    if (known == nullptr) {
      properties.set(name, schema);
    } else if (*known != schema) {
      Object both;
      both.set("anyOf", Array{*known, schema});
      properties.set(name, std::move(both));
    }
  }

  // The schema behind "#/$defs/NAME" or "#/definitions/NAME" of the root; null for other references.
  const Object* target_of(const Object& schema) const {
    const Value* reference = schema.find("$ref");
    if (reference == nullptr || reference->text() == nullptr) return nullptr;
    for (const std::string_view table : {"$defs", "definitions"}) {
      const std::string prefix = "#/" + std::string(table) + "/";
      const Value* all = root_.find(table);
      if (!reference->text()->starts_with(prefix) || all == nullptr || all->object() == nullptr) continue;
      const Value* found = all->object()->find(reference->text()->substr(prefix.size()));
      return found == nullptr ? nullptr : found->object();
    }
    return nullptr;
  }

  const Object& root_;
  int schemas_left_ = most_schemas;
};

}  // namespace

std::string object_schema(std::string_view text) {
  std::string schema = object_or(text, "{}");
  if (schema == "{}") return std::string(no_parameters);
  const auto parsed = json::parse(schema);
  const Object* root = parsed ? parsed->object() : nullptr;
  if (root == nullptr) return std::string(no_parameters);
  if (is_plain(*root)) return schema;
  Parameters parameters(*root);
  const std::set<std::string> required = parameters.add(*root);
  Object plain;
  plain.set("type", "object");
  plain.set("properties", parameters.properties);
  if (!required.empty()) {
    Array names;
    for (const std::string& name : required) names.push_back(name);
    plain.set("required", std::move(names));
  }
  for (const auto& [name, value] : root->members)
    if (plain.find(name) == nullptr && name != "required" && std::ranges::find(refused_at_root, name) == refused_at_root.end())
      plain.set(name, value);
  return json::to_text(Value(std::move(plain)));
}

void leave_out_odd_names(std::string& schema, std::string& description) {
  auto parsed = json::parse(schema);
  const Value* properties = parsed ? parsed->find("properties") : nullptr;
  if (properties == nullptr || properties->object() == nullptr) return;
  const auto is_odd = [](std::string_view name) {
    constexpr std::string_view allowed = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-";
    return name.empty() || name.size() > longest_name || name.find_first_not_of(allowed) != std::string_view::npos;
  };
  Object kept;
  std::string odd;
  for (const auto& [name, value] : properties->object()->members) {
    if (is_odd(name)) odd += (odd.empty() ? "\"" : ", \"") + name + "\"";
    else kept.set(name, value);
  }
  if (odd.empty()) return;
  Array required;
  if (const Value* names = parsed->find("required"); names != nullptr && names->array() != nullptr)
    for (const Value& name : *names->array())
      if (name.text() != nullptr && !is_odd(*name.text())) required.push_back(name);
  Object plain = *parsed->object();
  plain.set("properties", std::move(kept));
  plain.set("required", std::move(required));
  schema = json::to_text(Value(std::move(plain)));
  description += "\nParameters with names that this API does not allow are not offered: " + odd + ".";
}

std::string object_or_empty(std::string_view text) { return object_or(text, "{}"); }

}  // namespace parlance::model
