// SPDX-License-Identifier: Apache-2.0
#include "parlance/protocol/mcp/http_headers.h"

#include <algorithm>
#include <functional>
#include <set>

#include "parlance/base/base64.h"
#include "parlance/base/text.h"
#include "parlance/codec/json/reader.h"
#include "parlance/codec/json/value.h"
#include "parlance/protocol/jsonrpc/dialect.h"
#include "parlance/protocol/mcp/era.h"

namespace parlance::mcp {
namespace {

constexpr std::string_view encoded_prefix = "=?base64?";
constexpr std::string_view encoded_suffix = "?=";
constexpr int deepest_mirrored = 16;  // nested properties; schemas of real tools nest below 5

bool plain(std::string_view value) {
  if (value.empty()) return true;
  if (value.front() == ' ' || value.back() == ' ' || value.front() == '\t' || value.back() == '\t') return false;
  return std::all_of(value.begin(), value.end(), [](char c) { return c == '\t' || (c >= 0x20 && c < 0x7f); });
}

bool is_header_name(std::string_view name) {
  constexpr std::string_view others = "!#$%&'*+-.^_`|~";
  return !name.empty() && std::all_of(name.begin(), name.end(), [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || others.find(c) != std::string_view::npos;
  });
}

void read_parameters(json::Reader& reader, Outline& into) {
  if (reader.peek() != json::Token::object) {
    reader.skip();
    return;
  }
  for (bool more = reader.enter_object(); more; more = reader.next_member()) {
    const std::string_view key = reader.key();
    const bool text = reader.peek() == json::Token::text;
    if (text && (key == (into.method == "resources/read" ? "uri" : "name"))) {
      into.has_name = reader.read_text(into.name);
    } else if (key == "arguments") {
      std::string_view raw;
      if (reader.skip(&raw)) into.arguments = raw;
    } else if (key == "requestId") {
      std::string_view raw;
      if (reader.skip(&raw)) into.cancelled_json = raw;
    } else if (key == "_meta" && reader.peek() == json::Token::object) {
      into.has_meta = true;
      for (bool inner = reader.enter_object(); inner; inner = reader.next_member()) {
        if (reader.key() == "io.modelcontextprotocol/protocolVersion" && reader.peek() == json::Token::text)
          reader.read_text(into.version.emplace());
        else reader.skip();
      }
    } else {
      reader.skip();
    }
  }
}

// The value in the form of a header. nullopt: objects, lists and null have no such form.
std::optional<std::string> scalar_text(const json::Value& value) {
  if (const std::string* text = value.text()) return *text;
  if (const bool* boolean = value.boolean()) return *boolean ? "true" : "false";
  double number = 0;
  if (value.number(number)) return json::to_text(value);
  return std::nullopt;
}

const json::Value* at(const json::Value& arguments, const std::vector<std::string>& path) {
  const json::Value* value = &arguments;
  for (const std::string& name : path) {
    value = value->find(name);
    if (value == nullptr) return nullptr;
  }
  return value->is_null() ? nullptr : value;
}

Error mismatch(std::string what) { return jsonrpc::with_code(code::header_mismatch, std::move(what)); }

bool same_scalar(const json::Value& value, const std::string& text) {
  double number = 0;
  if (!value.number(number)) return scalar_text(value) == text;
  const auto header_number = parse_number<double>(text);
  return header_number && *header_number == number;
}

}  // namespace

Result<Outline> outline(std::string_view message) {
  Outline found;
  if (!json::check_utf8(message)) return fail(Errc::invalid_request, "the body is not UTF-8");
  json::Reader reader(message);
  found.is_object = reader.peek() == json::Token::object;
  std::string_view parameters;
  if (!found.is_object) {
    reader.skip();
  } else {
    for (bool more = reader.enter_object(); more; more = reader.next_member()) {
      if (reader.key() == "id") {
        std::string_view raw;
        reader.skip(&raw);
        found.id_json = raw;
      } else if (reader.key() == "method" && reader.peek() == json::Token::text) {
        reader.read_text(found.method);
      } else if (reader.key() == "params") {
        reader.skip(&parameters);
      } else {
        found.is_reply = found.is_reply || reader.key() == "result" || reader.key() == "error";
        reader.skip();
      }
    }
  }
  if (!reader.finish()) return fail(Errc::invalid_request, "the body is no JSON: " + std::string(reader.fault()));
  if (!parameters.empty()) {  // read last: which member names something depends on the method
    json::Reader inner(parameters);
    read_parameters(inner, found);
  }
  return found;
}

bool names_something(std::string_view method) {
  return method == "tools/call" || method == "prompts/get" || method == "resources/read";
}

std::string header_text(std::string_view value) {
  if (plain(value) && !(value.starts_with(encoded_prefix) && value.ends_with(encoded_suffix))) return std::string(value);
  return std::string(encoded_prefix) + to_base64(value) + std::string(encoded_suffix);
}

std::optional<std::string> from_header_text(std::string_view value) {
  value = trim(value);
  if (value.size() < encoded_prefix.size() + encoded_suffix.size() || !value.starts_with(encoded_prefix) ||
      !value.ends_with(encoded_suffix))
    return std::string(value);
  value.remove_prefix(encoded_prefix.size());
  value.remove_suffix(encoded_suffix.size());
  auto bytes = from_base64(value);
  if (!bytes || !json::check_utf8(*bytes)) return std::nullopt;
  return bytes;
}

Result<std::vector<MirroredArgument>> mirrored_arguments(const Raw& input_schema) {
  std::vector<MirroredArgument> all;
  if (input_schema.json.find("x-mcp-header") == std::string::npos) return all;
  const auto schema = json::parse(input_schema.json);
  if (!schema) return all;
  std::set<std::string> seen;
  std::optional<std::string> fault;
  // Only a property of an object has an argument path. Elsewhere in a schema, x-mcp-header makes the tool unusable.
  const std::function<void(const json::Value&, std::vector<std::string>&, bool)> walk =
      [&](const json::Value& node, std::vector<std::string>& path, bool reachable) {
        if (fault) return;
        if (path.size() > deepest_mirrored) {
          fault = "x-mcp-header lies too deep";
          return;
        }
        if (const json::Array* items = node.array())
          for (const json::Value& item : *items) walk(item, path, false);
        const json::Object* object = node.object();
        if (object == nullptr) return;
        if (const json::Value* name = object->find("x-mcp-header")) {
          const std::string_view type = node.text_or("type", "");
          const std::string* text = name->text();
          if (!reachable || path.empty()) fault = "x-mcp-header stands where no argument is";
          else if (text == nullptr || !is_header_name(*text)) fault = "x-mcp-header is not a valid name of a header";
          else if (type != "string" && type != "integer" && type != "boolean")
            fault = "x-mcp-header on an argument other than text, integer or boolean";
          else if (!seen.insert(to_lower(*text)).second) fault = "two arguments share the header " + *text;
          else all.push_back({path, *text});
        }
        for (const auto& [key, value] : object->members) {
          if (key == "properties" && value.object() != nullptr) {
            for (const auto& [property, inner] : value.object()->members) {
              path.push_back(property);
              walk(inner, path, reachable);
              path.pop_back();
            }
          } else if (key != "x-mcp-header" && key != "default" && key != "const" && key != "enum" && key != "examples") {
            walk(value, path, false);
          }
        }
      };
  std::vector<std::string> path;
  walk(*schema, path, true);
  if (fault) return fail(Errc::invalid_request, *fault);
  return all;
}

std::vector<HttpHeader> mirror_headers(const std::vector<MirroredArgument>& mirrored, std::string_view arguments_json) {
  std::vector<HttpHeader> headers;
  if (mirrored.empty() || arguments_json.empty()) return headers;
  const auto arguments = json::parse(arguments_json);
  if (!arguments) return headers;
  for (const MirroredArgument& argument : mirrored) {
    const json::Value* value = at(*arguments, argument.path);
    if (value == nullptr) continue;
    if (const auto text = scalar_text(*value)) headers.push_back({"Mcp-Param-" + argument.header, header_text(*text)});
  }
  return headers;
}

Result<void> check_headers(const std::vector<HttpHeader>& headers, const Outline& message, const Raw* input_schema) {
  const auto header = [&](std::string_view name) -> std::optional<std::string_view> {
    const std::string* value = find_header(headers, name);
    return value == nullptr ? std::nullopt : std::optional(trim(*value));
  };
  const auto method = header("Mcp-Method");
  if (!method) return fail(mismatch("the header Mcp-Method is missing"));
  if (*method != message.method)
    return fail(mismatch("the header Mcp-Method says " + std::string(*method) + ", the body " + message.method));
  if (names_something(message.method) && message.has_name) {
    const auto name = header("Mcp-Name");
    if (!name) return fail(mismatch("the header Mcp-Name is missing"));
    if (from_header_text(*name) != message.name)
      return fail(mismatch("the header Mcp-Name says " + std::string(*name) + ", the body " + message.name));
  }
  if (input_schema == nullptr) return {};
  const auto mirrored = mirrored_arguments(*input_schema);
  if (!mirrored || mirrored->empty()) return {};
  const auto arguments = json::parse(message.arguments.empty() ? "{}" : message.arguments);
  if (!arguments) return {};
  for (const MirroredArgument& argument : *mirrored) {
    const std::string name = "Mcp-Param-" + argument.header;
    const auto header_value = header(name);
    const json::Value* value = at(*arguments, argument.path);
    if (value == nullptr && !header_value) continue;
    if (value == nullptr) return fail(mismatch("the header " + name + " is present without its argument"));
    if (!header_value) return fail(mismatch("the header " + name + " is missing"));
    const auto text = from_header_text(*header_value);
    if (!text || !same_scalar(*value, *text)) return fail(mismatch("the header " + name + " differs from the body"));
  }
  return {};
}

}  // namespace parlance::mcp
