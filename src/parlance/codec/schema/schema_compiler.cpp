// SPDX-License-Identifier: Apache-2.0
#include "parlance/codec/schema/schema_compiler.h"

#include <algorithm>
#include <array>
#include <set>

#include "parlance/base/uri.h"
#include "parlance/codec/schema/limits.h"
#include "parlance/codec/schema/pointer.h"
#include "parlance/codec/schema/schema_uri.h"
#include "parlance/codec/schema/value_facts.h"

namespace parlance::schema {
namespace {

using json::Array;
using json::Object;
using json::Value;
using Sub = SchemaNode::Sub;

constexpr std::array<std::pair<std::string_view, std::uint8_t>, 7> type_names{{{"null", type_bit::null},
                                                                               {"boolean", type_bit::boolean},
                                                                               {"integer", type_bit::integer},
                                                                               {"number", type_bit::number},
                                                                               {"string", type_bit::string},
                                                                               {"array", type_bit::array},
                                                                               {"object", type_bit::object}}};

class Compiler {
 public:
  explicit Compiler(Value document) : schema_(std::make_shared<CompiledSchema>()) { schema_->document = std::move(document); }

  Result<std::shared_ptr<const CompiledSchema>> run() {
    resources_.push_back({.uri = "", .root = &schema_->document, .is_old = is_old(schema_->document, false)});
    schema_->dynamic_anchors.emplace_back();
    by_uri_[""] = 0;
    walk(schema_->document, "#", 0);
    for (std::size_t i = 0; i < references_.size() && !error_; ++i) follow(Reference(references_[i]));
    for (const SchemaNode& node : schema_->nodes)
      if (!error_) check_rounds(node, 0);
    if (error_) return std::unexpected(*error_);
    return schema_;
  }

 private:
  struct Resource {
    std::string uri;
    const Value* root;
    bool is_old = false;  // of draft 7 or before
  };
  struct Reference {
    SchemaNode* from;
    std::string uri;
    bool dynamic;
    std::string place;
    std::string text;
  };
  // A schema being read.
  struct Here {
    const Object& schema;
    SchemaNode& node;
    const std::string& place;
  };

  static bool is_old(const Value& schema, bool otherwise) {
    const Value* dialect = schema.find("$schema");
    if (dialect == nullptr || dialect->text() == nullptr) return otherwise;
    return std::ranges::any_of(std::array{"draft-07", "draft-06", "draft-04", "draft-03"},
                               [&](const char* draft) { return dialect->text()->contains(draft); });
  }

  void refuse(const std::string& place, std::string_view what) {
    if (!error_) error_ = Error{.code = Errc::invalid_params, .message = place + ": " + std::string(what)};
  }

  Sub walk(const Value& value, const std::string& place, std::uint32_t resource) {
    if (const auto known = nodes_.find(&value); known != nodes_.end()) return known->second;
    SchemaNode& node = schema_->nodes.emplace_back(SchemaNode{.resource = resource});
    nodes_[&value] = &node;
    if (const bool* all = value.boolean()) {
      node.nothing_fits = !*all;
      return &node;
    }
    const Object* schema = value.object();
    if (schema == nullptr) {
      refuse(place, "a schema is an object, true or false");
      return &node;
    }
    const Here here{*schema, node, place};
    // Until draft 7, keywords beside a $ref are ignored, also an $id.
    const Value* reference = schema->find("$ref");
    const bool is_alone = reference != nullptr && reference->text() != nullptr && resources_[resource].is_old;
    if (!is_alone) names(here, value);
    references(here);
    if (!is_alone) keywords(here);
    for (const char* definitions : {"$defs", "definitions"}) static_cast<void>(table(here, definitions));
    return &node;
  }

  void keywords(const Here& here) {
    plain(here);
    numbers(here);
    texts(here);
    arrays(here);
    objects(here);
    in_place(here);
  }

  // ---- names and references

  void names(const Here& here, const Value& value) {
    if (const std::string* id = text(here, "$id")) {
      if (id->starts_with('#')) {  // how drafts 6 and 7 write an anchor
        anchors_[{here.node.resource, id->substr(1)}] = &here.node;
      } else {
        std::string uri = resolved_uri(resources_[here.node.resource].uri, *id);
        uri = uri.substr(0, uri.find('#'));
        const bool old = is_old(value, resources_[here.node.resource].is_old);
        here.node.resource = static_cast<std::uint32_t>(resources_.size());
        by_uri_[uri] = here.node.resource;
        resources_.push_back({.uri = std::move(uri), .root = &value, .is_old = old});
        schema_->dynamic_anchors.emplace_back();
      }
    }
    if (const std::string* name = text(here, "$anchor")) anchors_[{here.node.resource, *name}] = &here.node;
    if (const std::string* name = text(here, "$dynamicAnchor")) {
      anchors_[{here.node.resource, *name}] = &here.node;
      schema_->dynamic_anchors[here.node.resource][*name] = &here.node;
    }
  }
  void references(const Here& here) {
    for (const char* keyword : {"$ref", "$dynamicRef"})
      if (const std::string* to = text(here, keyword))
        references_.push_back({.from = &here.node,
                               .uri = resolved_uri(resources_[here.node.resource].uri, *to),
                               .dynamic = std::string_view(keyword) == "$dynamicRef",
                               .place = here.place + "/" + keyword,
                               .text = *to});
    if (here.schema.find("$recursiveRef") != nullptr) refuse(here.place + "/$recursiveRef", "is not supported; use $dynamicRef");
  }
  void follow(const Reference& reference) {
    const std::size_t hash = std::min(reference.uri.find('#'), reference.uri.size());
    const auto resource = by_uri_.find(reference.uri.substr(0, hash));
    if (resource == by_uri_.end())
      return refuse(reference.place, "\"" + reference.text + "\" is another document, and none is fetched; put it below $defs");
    const auto fragment = percent_decode(std::string_view(reference.uri).substr(std::min(hash + 1, reference.uri.size())));
    Sub to = nullptr;
    if (fragment && (fragment->empty() || fragment->starts_with('/'))) {
      if (const Value* value = at_pointer(*resources_[resource->second].root, *fragment))
        to = walk(*value, "#" + *fragment, resource->second);
    } else if (fragment) {
      const auto found = anchors_.find({resource->second, *fragment});
      to = found == anchors_.end() ? nullptr : found->second;
    }
    if (to == nullptr) return refuse(reference.place, "\"" + reference.text + "\" leads nowhere in this schema");
    if (!reference.dynamic) {
      reference.from->ref = to;
      return;
    }
    reference.from->dynamic_ref = to;
    const auto& dynamic = schema_->dynamic_anchors[to->resource];
    if (const auto found = dynamic.find(*fragment); found != dynamic.end() && found->second == to)
      reference.from->dynamic_anchor_name = *fragment;
  }
  // A schema that refers to itself without descending into the value has no meaning and would recurse endlessly.
  void check_rounds(const SchemaNode& node, int depth) {
    if (settled_.contains(&node) || error_) return;
    if (depth > limits::schema_depth || !open_.insert(&node).second)
      return refuse("#", "a $ref leads back to itself (or too far) without going deeper into the value");
    const auto each = [&](const std::vector<Sub>& subs) {
      for (const Sub sub : subs) check_rounds(*sub, depth + 1);
    };
    each(node.all_of);
    each(node.any_of);
    each(node.one_of);
    for (const auto& [name, sub] : node.dependent_schemas) check_rounds(*sub, depth + 1);
    for (const Sub sub : {node.not_this, node.if_this, node.then_this, node.else_this, node.ref})
      if (sub != nullptr) check_rounds(*sub, depth + 1);
    open_.erase(&node);
    settled_.insert(&node);
  }

  // ---- keywords by the kind of their value

  const std::string* text(const Here& here, const char* keyword) {
    const Value* value = here.schema.find(keyword);
    if (value != nullptr && value->text() == nullptr) refuse(here.place + "/" + keyword, "expected a string");
    return value == nullptr ? nullptr : value->text();
  }
  void number(const Here& here, const char* keyword, std::optional<long double>& to) {
    const Value* value = here.schema.find(keyword);
    if (value == nullptr) return;
    to = exact_number(*value);
    if (!to) refuse(here.place + "/" + keyword, "expected a number");
  }
  void count(const Here& here, const char* keyword, std::optional<std::uint64_t>& to) {
    std::int64_t number = 0;
    const Value* value = here.schema.find(keyword);
    if (value == nullptr) return;
    if (value->integer(number) && number >= 0) to = static_cast<std::uint64_t>(number);
    else refuse(here.place + "/" + keyword, "expected a whole number from 0 on");
  }
  void flag(const Here& here, const char* keyword, bool& to) {
    const Value* value = here.schema.find(keyword);
    if (value == nullptr) return;
    if (const bool* yes = value->boolean()) to = *yes;
    else refuse(here.place + "/" + keyword, "expected true or false");
  }
  void sub(const Here& here, const char* keyword, Sub& to) {
    if (const Value* value = here.schema.find(keyword)) to = walk(*value, here.place + "/" + keyword, here.node.resource);
  }
  void list(const Here& here, const char* keyword, std::vector<Sub>& to) {
    const Value* value = here.schema.find(keyword);
    if (value == nullptr) return;
    const Array* all = value->array();
    const std::string place = here.place + "/" + keyword;
    if (all == nullptr || all->empty()) return refuse(place, "expected a list of schemas");
    for (std::size_t i = 0; i < all->size(); ++i)
      to.push_back(walk((*all)[i], place + "/" + std::to_string(i), here.node.resource));
  }
  SchemaNode::ByName<Sub> table(const Here& here, const char* keyword) {
    SchemaNode::ByName<Sub> subs;
    const Value* value = here.schema.find(keyword);
    if (value == nullptr) return subs;
    const std::string place = here.place + "/" + keyword;
    if (value->object() == nullptr) {
      refuse(place, "expected an object of schemas");
      return subs;
    }
    for (const auto& [name, schema] : value->object()->members)
      subs.emplace_back(name, walk(schema, place + "/" + pointer_step(name), here.node.resource));
    return subs;
  }
  std::vector<std::string> strings(const Value& value, const std::string& place) {
    std::vector<std::string> all;
    if (value.array() == nullptr) refuse(place, "expected a list of strings");
    else
      for (const Value& element : *value.array()) {
        if (element.text() == nullptr) refuse(place, "expected a list of strings");
        else all.push_back(*element.text());
      }
    return all;
  }
  std::optional<regex::Pattern> pattern(const std::string& expression, const std::string& place) {
    auto compiled = regex::Pattern::compile(expression);
    if (compiled) return *std::move(compiled);
    refuse(place, "the pattern \"" + expression + "\" cannot be used: " + compiled.error().message);
    return {};
  }

  // ---- keywords by subject

  void plain(const Here& here) {
    if (const Value* type = here.schema.find("type")) {
      const std::string place = here.place + "/type";
      for (const std::string& name : type->text() != nullptr ? std::vector{*type->text()} : strings(*type, place)) {
        const auto* const known = std::ranges::find(type_names, name, &std::pair<std::string_view, std::uint8_t>::first);
        if (known == type_names.end()) refuse(place, "there is no type \"" + name + "\"");
        else here.node.types |= known->second;
      }
    }
    if (const Value* values = here.schema.find("enum")) {
      if (values->array() == nullptr) refuse(here.place + "/enum", "expected a list");
      else here.node.values = *values->array();
    }
    if (const Value* constant = here.schema.find("const")) here.node.constant = *constant;
  }
  void numbers(const Here& here) {
    number(here, "minimum", here.node.minimum);
    number(here, "maximum", here.node.maximum);
    number(here, "exclusiveMinimum", here.node.above);
    number(here, "exclusiveMaximum", here.node.below);
    number(here, "multipleOf", here.node.multiple_of);
    if (here.node.multiple_of && *here.node.multiple_of <= 0) refuse(here.place + "/multipleOf", "expected a number above 0");
  }
  void texts(const Here& here) {
    count(here, "minLength", here.node.min_length);
    count(here, "maxLength", here.node.max_length);
    if (const std::string* expression = text(here, "pattern"))
      if (auto compiled = pattern(*expression, here.place + "/pattern"))
        here.node.pattern.emplace(*expression, *std::move(compiled));
  }
  void arrays(const Here& here) {
    SchemaNode& node = here.node;
    list(here, "prefixItems", node.prefix_items);
    const Value* items = here.schema.find("items");
    if (items != nullptr && items->array() != nullptr && node.prefix_items.empty()) {  // until draft 2019-09
      if (!items->array()->empty()) list(here, "items", node.prefix_items);
      sub(here, "additionalItems", node.items);
    } else {
      sub(here, "items", node.items);
    }
    sub(here, "contains", node.contains);
    sub(here, "unevaluatedItems", node.unevaluated_items);
    std::optional<std::uint64_t> min_contains;
    count(here, "minContains", min_contains);
    node.min_contains = min_contains.value_or(1);
    count(here, "maxContains", node.max_contains);
    count(here, "minItems", node.min_items);
    count(here, "maxItems", node.max_items);
    flag(here, "uniqueItems", node.unique_items);
  }
  void objects(const Here& here) {
    SchemaNode& node = here.node;
    for (auto& [name, sub] : table(here, "properties")) node.properties[std::move(name)] = sub;
    for (auto& [name, sub] : table(here, "patternProperties"))
      if (auto compiled = pattern(name, here.place + "/patternProperties/" + pointer_step(name)))
        node.pattern_properties.emplace_back(*std::move(compiled), sub);
    sub(here, "additionalProperties", node.additional_properties);
    sub(here, "unevaluatedProperties", node.unevaluated_properties);
    sub(here, "propertyNames", node.property_names);
    count(here, "minProperties", node.min_properties);
    count(here, "maxProperties", node.max_properties);
    if (const Value* names = here.schema.find("required")) node.required = strings(*names, here.place + "/required");
    node.dependent_schemas = table(here, "dependentSchemas");
    for (const char* keyword : {"dependentRequired", "dependencies"}) {  // until draft 7, the second keyword stood for both
      const Value* all = here.schema.find(keyword);
      if (all == nullptr) continue;
      const std::string place = here.place + "/" + keyword;
      if (all->object() == nullptr) refuse(place, "expected an object");
      else
        for (const auto& [name, needs] : all->object()->members) {
          const std::string below = place + "/" + pointer_step(name);
          if (needs.array() != nullptr || std::string_view(keyword) == "dependentRequired")
            node.dependent_required.emplace_back(name, strings(needs, below));
          else node.dependent_schemas.emplace_back(name, walk(needs, below, node.resource));
        }
    }
  }
  void in_place(const Here& here) {
    SchemaNode& node = here.node;
    list(here, "allOf", node.all_of);
    list(here, "anyOf", node.any_of);
    list(here, "oneOf", node.one_of);
    sub(here, "not", node.not_this);
    sub(here, "if", node.if_this);
    sub(here, "then", node.then_this);
    sub(here, "else", node.else_this);
  }

  std::shared_ptr<CompiledSchema> schema_;
  std::vector<Resource> resources_;
  std::map<std::string, std::uint32_t, std::less<>> by_uri_;
  std::map<std::pair<std::uint32_t, std::string>, SchemaNode*> anchors_;
  std::unordered_map<const Value*, SchemaNode*> nodes_;
  std::vector<Reference> references_;
  std::set<const SchemaNode*> open_;     // of check_rounds: on the way
  std::set<const SchemaNode*> settled_;  // … known to end
  std::optional<Error> error_;
};

}  // namespace

Result<std::shared_ptr<const CompiledSchema>> compile_schema(json::Value document) { return Compiler(std::move(document)).run(); }

}  // namespace parlance::schema
