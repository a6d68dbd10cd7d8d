// SPDX-License-Identifier: Apache-2.0
#include "parlance/protocol/mcp/lenient.h"

#include "parlance/codec/json/typed.h"
#include "parlance/codec/json/value.h"
#include "parlance/codec/schema/validator.h"

namespace parlance::mcp {
namespace {

using json::Value;

std::optional<std::string> text_member(const Value& from, std::string_view name) {
  const Value* found = from.find(name);
  return found != nullptr && found->text() != nullptr ? std::optional(*found->text()) : std::nullopt;
}

Raw raw_member(const Value& from, std::string_view name) {
  const Value* found = from.find(name);
  return found == nullptr || found->is_null() ? Raw{} : Raw{json::to_text(*found)};
}

// A whole part of a message, or nothing if it does not fit its type.
template <class T>
std::optional<T> part(const Value& from, std::string_view name) {
  const Raw raw = raw_member(from, name);
  auto read =
      raw.json.empty() ? Result<T>(fail(Errc::invalid_params, "absent")) : json::from_text<T>(raw.json, {.known_utf8 = true});
  return read ? std::optional<T>(*std::move(read)) : std::nullopt;
}

// Servers send true, {} and [] for "can do"; null and false say that they cannot.
template <class T>
std::optional<T> capability(const Value& from, std::string_view name) {
  const Value* found = from.find(name);
  if (found == nullptr || found->is_null() || (found->boolean() != nullptr && !*found->boolean())) return std::nullopt;
  return part<T>(from, name).value_or(T{});
}

bool is_valid_schema(const json::Object& schema) { return schema::Validator::compile(Value(schema)).has_value(); }

// Model APIs refuse a request with an invalid schema, so an invalid property becomes one that allows anything; its description stays.
json::Object with_valid_properties(const json::Object& schema) {
  json::Object tables;
  for (const char* definitions : {"$defs", "definitions"})
    if (const Value* table = schema.find(definitions)) tables.set(definitions, *table);
  if (!is_valid_schema(tables)) tables = {};
  json::Object properties;
  if (const Value* given = schema.find("properties"); given != nullptr && given->object() != nullptr)
    for (const auto& [name, property] : given->object()->members) {
      json::Object alone = tables;
      alone.set("properties", json::Object{{{name, property}}});
      json::Object any;
      if (auto description = text_member(property, "description")) any.set("description", *std::move(description));
      properties.set(name, is_valid_schema(alone) ? property : Value(std::move(any)));
    }
  json::Object valid;
  valid.set("type", "object");
  valid.set("properties", std::move(properties));
  for (auto& [name, table] : tables.members) valid.set(name, table);
  for (const char* keyword : {"required", "description"})
    if (const Value* value = schema.find(keyword)) {
      valid.set(keyword, *value);
      if (!is_valid_schema(valid)) valid.members.pop_back();
    }
  if (is_valid_schema(valid)) return valid;
  return {{{"type", "object"}, {"properties", json::Object{}}}};  // properties that are valid alone and not together
}

Result<Raw> schema_of_arguments(const Value& tool) {
  constexpr std::string_view any = R"({"type":"object","properties":{}})";
  const Value* schema = tool.find("inputSchema");
  if (schema == nullptr || schema->is_null() || schema->boolean() != nullptr) return Raw{std::string(any)};
  if (const std::string* text = schema->text()) {
    auto inside = json::compact(*text);
    if (inside && inside->starts_with('{')) return Raw{*std::move(inside)};
  }
  if (schema->object() == nullptr) return fail(Errc::invalid_params, "its inputSchema is no JSON Schema of an object");
  if (is_valid_schema(*schema->object())) return Raw{json::to_text(*schema)};
  return Raw{json::to_text(Value(with_valid_properties(*schema->object())))};
}

bool is_true(const Value* flag) {
  if (flag == nullptr) return false;
  if (const std::string* text = flag->text()) return *text == "true";
  return flag->boolean() != nullptr && *flag->boolean();
}

Content block_of(const Value& block) {
  if (const std::string* words = block.text()) return text(*words);
  auto read = json::from_text<Content>(json::to_text(block), {.known_utf8 = true});
  if (read) return *std::move(read);
  if (auto words = text_member(block, "text")) return text(*std::move(words));
  return text("[content of the server that cannot be read: " + read.error().message + "]");
}

}  // namespace

std::string text_of(const LeftOuts& left_out) {
  std::string all;
  for (const LeftOut& entry : left_out) {
    if (!all.empty()) all += '\n';
    all += entry.name.empty() ? entry.reason : "The tool \"" + entry.name + "\" is left out: " + entry.reason;
  }
  return all;
}

Result<ListPage> read_page(const Raw& result, std::string_view member) {
  PARLANCE_TRY(value, json::parse(result.json));
  const Value* list = value.find(member);
  if (list == nullptr || (list->array() == nullptr && !list->is_null()))
    return fail(Errc::invalid_params, "the result has no list \"" + std::string(member) + "\"");
  ListPage page;
  if (list->array() != nullptr)
    for (const Value& entry : *list->array()) page.entries.push_back({json::to_text(entry)});
  page.next_cursor = text_member(value, "nextCursor");
  return page;
}

std::string entry_name(const Raw& entry, std::size_t index) {
  const auto value = json::parse(entry.json);
  const std::string_view name = value ? value->text_or("name", "") : std::string_view();
  return name.empty() ? "number " + std::to_string(index + 1) : std::string(name);
}

Result<Tool> read_tool(const Raw& entry) {
  PARLANCE_TRY(value, json::parse(entry.json));
  Tool tool{.name = std::string(value.text_or("name", ""))};
  if (tool.name.empty()) return fail(Errc::invalid_params, "it has no name");
  PARLANCE_TRY(schema, schema_of_arguments(value));
  tool.input_schema = std::move(schema);
  tool.title = text_member(value, "title");
  tool.description = text_member(value, "description");
  tool.output_schema = raw_member(value, "outputSchema");
  tool.annotations = part<ToolAnnotations>(value, "annotations");
  tool.execution = raw_member(value, "execution");
  tool.icons = raw_member(value, "icons");
  tool.meta = raw_member(value, "_meta");
  return tool;
}

Result<InitializeResult> read_initialize(const Raw& result) {
  if (auto exact = json::from_text<InitializeResult>(result.json, {.known_utf8 = true})) return exact;
  PARLANCE_TRY(value, json::parse(result.json));
  auto version = text_member(value, "protocolVersion");
  if (!version) return fail(Errc::invalid_params, "the reply to initialize names no protocolVersion");
  InitializeResult read{.protocol_version = *std::move(version), .instructions = text_member(value, "instructions")};
  if (const Value* can = value.find("capabilities")) {
    read.capabilities.tools = capability<ListCapability>(*can, "tools");
    read.capabilities.resources = capability<ListCapability>(*can, "resources");
    read.capabilities.prompts = capability<ListCapability>(*can, "prompts");
    read.capabilities.completions = capability<Nothing>(*can, "completions");
    read.capabilities.logging = capability<Nothing>(*can, "logging");
  }
  if (const Value* info = value.find("serverInfo"))
    read.server_info = {.name = text_member(*info, "name").value_or(""),
                        .version = text_member(*info, "version").value_or(""),
                        .title = text_member(*info, "title")};
  return read;
}

Result<CallToolResult> read_call_result(const Raw& result) {
  auto exact = json::from_text<CallToolResult>(result.json, {.known_utf8 = true});
  if (exact && (exact->content || !exact->structured.json.empty() || exact->result_type)) return exact;
  PARLANCE_TRY(value, json::parse(result.json));
  CallToolResult read{.structured = raw_member(value, "structuredContent"), .is_error = is_true(value.find("isError"))};
  const Value* content = value.text() != nullptr ? &value : value.find("content");
  if (content == nullptr) content = value.find("toolResult");  // 2024-10-07
  std::vector<Content> blocks;
  if (content != nullptr && content->array() != nullptr)
    for (const Value& block : *content->array()) blocks.push_back(block_of(block));
  else if (content != nullptr && !content->is_null()) blocks.push_back(block_of(*content));
  read.content = std::move(blocks);
  return read;
}

std::string readable(const CallToolResult& result) {
  std::string out;
  const auto add = [&](std::string_view what) {
    if (!out.empty()) out += '\n';
    out += what;
  };
  const auto binary = [](const std::string& type, std::size_t size) {
    return '[' + type + ", " + std::to_string(size) + " bytes as base64]";
  };
  for (const Content& content : result.content.value_or(std::vector<Content>{})) {
    if (const auto* text = std::get_if<TextContent>(&content.value)) add(text->text);
    else if (const auto* image = std::get_if<ImageContent>(&content.value)) add(binary(image->mime_type, image->data.size()));
    else if (const auto* audio = std::get_if<AudioContent>(&content.value)) add(binary(audio->mime_type, audio->data.size()));
    else if (const auto* link = std::get_if<ResourceLink>(&content.value)) add("[" + link->name + "](" + link->uri + ")");
    else if (const auto* embedded = std::get_if<EmbeddedResource>(&content.value)) {
      const ResourceContents& resource = embedded->resource;
      if (resource.text) add(*resource.text);
      else add(binary(resource.mime_type.value_or("application/octet-stream"), resource.blob.value_or("").size()));
    } else if (const auto* other = std::get_if<Other>(&content.value)) {
      add(other->raw.json);
    }
  }
  if (out.empty() && !result.structured.json.empty()) out = result.structured.json;
  return out;
}

}  // namespace parlance::mcp
