// SPDX-License-Identifier: Apache-2.0
// Content of tools, resources and prompts: content blocks, and the lists of a server's offers. Contains the members of all
// revisions from 2024-11-05 to 2026-07-28; the sender leaves out members unknown to a peer's revision. Values; any thread.
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
  static constexpr auto wire = fields(
      field<&TextContent::text>("text", "The text of the block."),
      field<&TextContent::annotations>("annotations", "Intended readers (audience), priority from 0 to 1, and lastModified.")
          .or_default(),
      field<&TextContent::meta>("_meta", "Data for programs.").or_default());
};
struct ImageContent {
  static constexpr std::string_view tag = "image";
  std::string data{};
  std::string mime_type{};
  Raw annotations{};
  Raw meta{};
  static constexpr auto wire = fields(
      field<&ImageContent::data>("data", "The image as base64."),
      field<&ImageContent::mime_type>("mimeType", "Media type of the image, such as image/png."),
      field<&ImageContent::annotations>("annotations", "Intended readers (audience), priority from 0 to 1, and lastModified.")
          .or_default(),
      field<&ImageContent::meta>("_meta", "Data for programs.").or_default());
};
struct AudioContent {
  static constexpr std::string_view tag = "audio";
  std::string data{};
  std::string mime_type{};
  Raw annotations{};
  Raw meta{};
  static constexpr auto wire = fields(
      field<&AudioContent::data>("data", "The audio as base64."),
      field<&AudioContent::mime_type>("mimeType", "Media type of the audio, such as audio/wav."),
      field<&AudioContent::annotations>("annotations", "Intended readers (audience), priority from 0 to 1, and lastModified.")
          .or_default(),
      field<&AudioContent::meta>("_meta", "Data for programs.").or_default());
};
// Either text or blob is present.
struct ResourceContents {
  std::string uri{};
  std::optional<std::string> mime_type{};
  std::optional<std::string> text{};
  std::optional<std::string> blob{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&ResourceContents::uri>("uri", "URI of the resource."),
             field<&ResourceContents::mime_type>("mimeType", "Media type of the content."),
             field<&ResourceContents::text>("text", "Content of a text resource. Absent: the content is in `blob`."),
             field<&ResourceContents::blob>("blob", "Content of a binary resource as base64. Absent: the content is in `text`."),
             field<&ResourceContents::meta>("_meta", "Data for programs.").or_default());
};
struct EmbeddedResource {
  static constexpr std::string_view tag = "resource";
  ResourceContents resource{};
  Raw annotations{};
  Raw meta{};
  static constexpr auto wire = fields(
      field<&EmbeddedResource::resource>("resource", "The embedded resource with its content."),
      field<&EmbeddedResource::annotations>("annotations", "Intended readers (audience), priority from 0 to 1, and lastModified.")
          .or_default(),
      field<&EmbeddedResource::meta>("_meta", "Data for programs.").or_default());
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
  static constexpr auto wire = fields(
      field<&ResourceLink::uri>("uri", "URI of the resource."), field<&ResourceLink::name>("name", "Name of the resource."),
      field<&ResourceLink::title>("title", "Title for people."),
      field<&ResourceLink::description>("description", "Description of the resource."),
      field<&ResourceLink::mime_type>("mimeType", "Media type of the resource."),
      field<&ResourceLink::size>("size", "Size in bytes."),
      field<&ResourceLink::annotations>("annotations", "Intended readers (audience), priority from 0 to 1, and lastModified.")
          .or_default(),
      field<&ResourceLink::icons>("icons", "Icons of the resource.").or_default(),
      field<&ResourceLink::meta>("_meta", "Data for programs.").or_default());
};
using Content = Tagged<"type", TextContent, ImageContent, AudioContent, EmbeddedResource, ResourceLink, Other>;

inline Content text(std::string what) { return {TextContent{.text = std::move(what)}}; }

// ---- tools, resources and prompts -------------------------------------------------------------------------------------------

struct ToolAnnotations {  // Hints: never a reason to trust a tool.
  std::optional<std::string> title{};
  std::optional<bool> read_only{};
  std::optional<bool> destructive{};
  std::optional<bool> idempotent{};
  std::optional<bool> open_world{};
  static constexpr auto wire = fields(
      field<&ToolAnnotations::title>("title", "Title for people, in revisions before `title` of Tool."),
      field<&ToolAnnotations::read_only>("readOnlyHint", "True: the tool changes nothing. Default: false."),
      field<&ToolAnnotations::destructive>("destructiveHint", "True: the tool may destroy data. Default: true."),
      field<&ToolAnnotations::idempotent>("idempotentHint", "True: a repeated call has no further effect. Default: false."),
      field<&ToolAnnotations::open_world>("openWorldHint",
                                          "True: the tool reaches systems outside of the server. Default: true."));
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
  static constexpr auto wire =
      fields(field<&Tool::name>("name", "Name of the tool: 1 to 128 characters of A-Z a-z 0-9 _ - ."),
             field<&Tool::title>("title", "Title of the tool for people."),
             field<&Tool::description>("description", "Purpose of the tool, for the model."),
             field<&Tool::input_schema>("inputSchema", "JSON Schema of the arguments, an object."),
             field<&Tool::output_schema>("outputSchema", "JSON Schema of structuredContent. Absent: the tool returns none.")
                 .or_default(),
             field<&Tool::annotations>("annotations", "Hints about the effects of the tool."),
             field<&Tool::execution>("execution", "Support of tasks (taskSupport). Only revision 2025-11-25.").or_default(),
             field<&Tool::icons>("icons", "Icons of the tool.").or_default(),
             field<&Tool::meta>("_meta", "Data for programs.").or_default());
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
      field<&Resource::uri>("uri", "URI of the resource."), field<&Resource::name>("name", "Name of the resource."),
      field<&Resource::title>("title", "Title for people."),
      field<&Resource::description>("description", "Description of the resource."),
      field<&Resource::mime_type>("mimeType", "Media type of the resource."), field<&Resource::size>("size", "Size in bytes."),
      field<&Resource::annotations>("annotations", "Intended readers (audience), priority from 0 to 1, and lastModified.")
          .or_default(),
      field<&Resource::icons>("icons", "Icons of the resource.").or_default(),
      field<&Resource::meta>("_meta", "Data for programs.").or_default());
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
      field<&ResourceTemplate::uri_template>("uriTemplate", "URI template of RFC 6570."),
      field<&ResourceTemplate::name>("name", "Name of the template."),
      field<&ResourceTemplate::title>("title", "Title for people."),
      field<&ResourceTemplate::description>("description", "Description of the resources of this template."),
      field<&ResourceTemplate::mime_type>("mimeType", "Media type, if all resources of the template have the same."),
      field<&ResourceTemplate::annotations>("annotations", "Intended readers (audience), priority from 0 to 1, and lastModified.")
          .or_default(),
      field<&ResourceTemplate::icons>("icons", "Icons of the template.").or_default(),
      field<&ResourceTemplate::meta>("_meta", "Data for programs.").or_default());
};
struct PromptArgument {
  std::string name{};
  std::optional<std::string> title{};
  std::optional<std::string> description{};
  std::optional<bool> required{};
  static constexpr auto wire = fields(
      field<&PromptArgument::name>("name", "Name of the argument."), field<&PromptArgument::title>("title", "Title for people."),
      field<&PromptArgument::description>("description", "Description of the argument."),
      field<&PromptArgument::required>("required", "True: the argument is required. Default: false."));
};
struct Prompt {
  std::string name{};
  std::optional<std::string> title{};
  std::optional<std::string> description{};
  std::optional<std::vector<PromptArgument>> arguments{};
  Raw icons{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&Prompt::name>("name", "Name of the prompt."), field<&Prompt::title>("title", "Title for people."),
             field<&Prompt::description>("description", "Purpose of the prompt."),
             field<&Prompt::arguments>("arguments", "Arguments of the prompt. All values are text."),
             field<&Prompt::icons>("icons", "Icons of the prompt.").or_default(),
             field<&Prompt::meta>("_meta", "Data for programs.").or_default());
};

enum class Role { user, assistant };
constexpr auto wire_names(Role) { return wire::names("user", "assistant"); }

struct PromptMessage {
  Role role = Role::user;
  Content content{};
  static constexpr auto wire = fields(field<&PromptMessage::role>("role", "Author of the message: user or assistant."),
                                      field<&PromptMessage::content>("content", "Content of the message."));
};

}  // namespace parlance::mcp
