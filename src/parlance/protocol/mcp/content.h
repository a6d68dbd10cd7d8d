// SPDX-License-Identifier: Apache-2.0
// What tools, resources and prompts carry: content blocks, and the lists that describe what a server offers. Shapes of all revisions
// from 2024-11-05 to 2026-07-28; a field that a revision does not know is left out of what goes to such a peer by whoever fills it in.
// Values; any thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "parlance/wire/call.h"

namespace parlance::mcp {

using wire::field;
using wire::fields;
using wire::Nothing;
using wire::Other;
using wire::Raw;
using wire::Tagged;

// ---- content -------------------------------------------------------------------------------------------------------------

struct TextContent {
  static constexpr std::string_view tag = "text";
  std::string text{};
  Raw annotations{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&TextContent::text>("text", "The text."),
             field<&TextContent::annotations>("annotations", "audience, priority (0 to 1), lastModified.").or_default(),
             field<&TextContent::meta>("_meta", "For programs.").or_default());
};
struct ImageContent {
  static constexpr std::string_view tag = "image";
  std::string data{};
  std::string mime_type{};
  Raw annotations{};
  Raw meta{};
  static constexpr auto wire = fields(
      field<&ImageContent::data>("data", "The picture as base64."), field<&ImageContent::mime_type>("mimeType", "image/png, …"),
      field<&ImageContent::annotations>("annotations", "audience, priority (0 to 1), lastModified.").or_default(),
      field<&ImageContent::meta>("_meta", "For programs.").or_default());
};
struct AudioContent {
  static constexpr std::string_view tag = "audio";
  std::string data{};
  std::string mime_type{};
  Raw annotations{};
  Raw meta{};
  static constexpr auto wire = fields(
      field<&AudioContent::data>("data", "The sound as base64."), field<&AudioContent::mime_type>("mimeType", "audio/wav, …"),
      field<&AudioContent::annotations>("annotations", "audience, priority (0 to 1), lastModified.").or_default(),
      field<&AudioContent::meta>("_meta", "For programs.").or_default());
};
// Either text or blob is there.
struct ResourceContents {
  std::string uri{};
  std::optional<std::string> mime_type{};
  std::optional<std::string> text{};
  std::optional<std::string> blob{};
  Raw meta{};
  static constexpr auto wire = fields(field<&ResourceContents::uri>("uri", "Which resource."),
                                      field<&ResourceContents::mime_type>("mimeType", "Its type."),
                                      field<&ResourceContents::text>("text", "Its content, if that is text."),
                                      field<&ResourceContents::blob>("blob", "Its content as base64, otherwise."),
                                      field<&ResourceContents::meta>("_meta", "For programs.").or_default());
};
struct EmbeddedResource {
  static constexpr std::string_view tag = "resource";
  ResourceContents resource{};
  Raw annotations{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&EmbeddedResource::resource>("resource", "The resource itself."),
             field<&EmbeddedResource::annotations>("annotations", "audience, priority (0 to 1), lastModified.").or_default(),
             field<&EmbeddedResource::meta>("_meta", "For programs.").or_default());
};
struct ResourceLink {
  static constexpr std::string_view tag = "resource_link";
  std::string uri{};
  std::string name{};
  std::optional<std::string> title{};
  std::optional<std::string> description{};
  std::optional<std::string> mime_type{};
  std::optional<std::uint64_t> size{};
  Raw annotations{};
  Raw icons{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&ResourceLink::uri>("uri", "Where it is."), field<&ResourceLink::name>("name", "Its name."),
             field<&ResourceLink::title>("title", "Its name for people."),
             field<&ResourceLink::description>("description", "What it is."),
             field<&ResourceLink::mime_type>("mimeType", "Its type."), field<&ResourceLink::size>("size", "Bytes."),
             field<&ResourceLink::annotations>("annotations", "audience, priority (0 to 1), lastModified.").or_default(),
             field<&ResourceLink::icons>("icons", "Pictures of it.").or_default(),
             field<&ResourceLink::meta>("_meta", "For programs.").or_default());
};
using Content = Tagged<"type", TextContent, ImageContent, AudioContent, EmbeddedResource, ResourceLink, Other>;

inline Content text(std::string what) { return {TextContent{.text = std::move(what)}}; }

// ---- what a server offers ---------------------------------------------------------------------------------------------------

struct ToolAnnotations {  // hints: never a reason to trust a tool
  std::optional<std::string> title{};
  std::optional<bool> read_only{};
  std::optional<bool> destructive{};
  std::optional<bool> idempotent{};
  std::optional<bool> open_world{};
  static constexpr auto wire =
      fields(field<&ToolAnnotations::title>("title", "Its name for people, before Tool had one."),
             field<&ToolAnnotations::read_only>("readOnlyHint", "It changes nothing. Absent: false."),
             field<&ToolAnnotations::destructive>("destructiveHint", "What it changes may be lost. Absent: true."),
             field<&ToolAnnotations::idempotent>("idempotentHint", "The same call again changes nothing more. Absent: false."),
             field<&ToolAnnotations::open_world>("openWorldHint", "It reaches beyond a closed world. Absent: true."));
};
struct Tool {
  std::string name{};
  std::optional<std::string> title{};
  std::optional<std::string> description{};
  Raw input_schema{};
  Raw output_schema{};
  std::optional<ToolAnnotations> annotations{};
  Raw execution{};
  Raw icons{};
  Raw meta{};
  static constexpr auto wire = fields(
      field<&Tool::name>("name", "1 to 128 characters of A-Z a-z 0-9 _ - ."),
      field<&Tool::title>("title", "Its name for people."), field<&Tool::description>("description", "For the model."),
      field<&Tool::input_schema>("inputSchema", "JSON Schema of the arguments, an object."),
      field<&Tool::output_schema>("outputSchema", "JSON Schema of structuredContent.").or_default(),
      field<&Tool::annotations>("annotations", "Hints about what it does."),
      field<&Tool::execution>("execution", "taskSupport (2025-11-25).").or_default(),
      field<&Tool::icons>("icons", "Pictures of it.").or_default(), field<&Tool::meta>("_meta", "For programs.").or_default());
};
struct Resource {
  std::string uri{};
  std::string name{};
  std::optional<std::string> title{};
  std::optional<std::string> description{};
  std::optional<std::string> mime_type{};
  std::optional<std::uint64_t> size{};
  Raw annotations{};
  Raw icons{};
  Raw meta{};
  static constexpr auto wire = fields(
      field<&Resource::uri>("uri", "Where it is."), field<&Resource::name>("name", "Its name."),
      field<&Resource::title>("title", "Its name for people."), field<&Resource::description>("description", "What it is."),
      field<&Resource::mime_type>("mimeType", "Its type."), field<&Resource::size>("size", "Bytes."),
      field<&Resource::annotations>("annotations", "audience, priority (0 to 1), lastModified.").or_default(),
      field<&Resource::icons>("icons", "Pictures of it.").or_default(),
      field<&Resource::meta>("_meta", "For programs.").or_default());
};
struct ResourceTemplate {
  std::string uri_template{};
  std::string name{};
  std::optional<std::string> title{};
  std::optional<std::string> description{};
  std::optional<std::string> mime_type{};
  Raw annotations{};
  Raw icons{};
  Raw meta{};
  static constexpr auto wire = fields(
      field<&ResourceTemplate::uri_template>("uriTemplate", "RFC 6570."), field<&ResourceTemplate::name>("name", "Its name."),
      field<&ResourceTemplate::title>("title", "Its name for people."),
      field<&ResourceTemplate::description>("description", "What such a resource is."),
      field<&ResourceTemplate::mime_type>("mimeType", "The type of all of them, if it is one."),
      field<&ResourceTemplate::annotations>("annotations", "audience, priority (0 to 1), lastModified.").or_default(),
      field<&ResourceTemplate::icons>("icons", "Pictures of it.").or_default(),
      field<&ResourceTemplate::meta>("_meta", "For programs.").or_default());
};
struct PromptArgument {
  std::string name{};
  std::optional<std::string> title{};
  std::optional<std::string> description{};
  std::optional<bool> required{};
  static constexpr auto wire =
      fields(field<&PromptArgument::name>("name", "Its name."), field<&PromptArgument::title>("title", "Its name for people."),
             field<&PromptArgument::description>("description", "What it is."),
             field<&PromptArgument::required>("required", "It must be given. Absent: false."));
};
struct Prompt {
  std::string name{};
  std::optional<std::string> title{};
  std::optional<std::string> description{};
  std::optional<std::vector<PromptArgument>> arguments{};
  Raw icons{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&Prompt::name>("name", "Its name."), field<&Prompt::title>("title", "Its name for people."),
             field<&Prompt::description>("description", "What it is for."),
             field<&Prompt::arguments>("arguments", "What it takes; values are text."),
             field<&Prompt::icons>("icons", "Pictures of it.").or_default(),
             field<&Prompt::meta>("_meta", "For programs.").or_default());
};

enum class Role { user, assistant };
constexpr auto wire_names(Role) { return wire::names("user", "assistant"); }

struct PromptMessage {
  Role role = Role::user;
  Content content{};
  static constexpr auto wire =
      fields(field<&PromptMessage::role>("role", "Who says it."), field<&PromptMessage::content>("content", "What is said."));
};

}  // namespace parlance::mcp
