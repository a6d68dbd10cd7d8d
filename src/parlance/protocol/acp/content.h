// SPDX-License-Identifier: Apache-2.0
// Content blocks of prompts and answers. ACP takes them from MCP, with names of its own. Values; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "parlance/wire/call.h"

namespace parlance::acp {

using wire::field;
using wire::fields;
using wire::Open;
using wire::Other;
using wire::Raw;
using wire::Tagged;

// Every object may have `_meta`, with data of vendors. The data is kept unchanged.
template <auto Member>
consteval wire::Field meta_field() {
  return field<Member>("_meta", "Extensions of vendors: an object.").or_default();
}

struct NameValue {  // An environment variable or an HTTP header.
  std::string name{};
  std::string value{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&NameValue::name>("name", "Name of the variable or header."),
             field<&NameValue::value>("value", "Value of the variable or header."), meta_field<&NameValue::meta>());
};

struct EmptyReply {
  Raw meta{};
  static constexpr auto wire = fields(meta_field<&EmptyReply::meta>());
};

struct Annotations {
  std::vector<std::string> audience{};
  std::optional<std::string> last_modified{};
  std::optional<double> priority{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&Annotations::audience>("audience", "Intended readers: user, assistant. Empty: both.").or_default(),
             field<&Annotations::last_modified>("lastModified", "Time of the last change, ISO 8601."),
             field<&Annotations::priority>("priority", "Importance from 0 to 1."), meta_field<&Annotations::meta>());
};

struct TextContent {
  static constexpr std::string_view tag = "text";
  std::string text{};
  std::optional<Annotations> annotations{};
  Raw meta{};
  static constexpr auto wire = fields(field<&TextContent::text>("text", "Text in Markdown."),
                                      field<&TextContent::annotations>("annotations", "Intended readers and importance."),
                                      meta_field<&TextContent::meta>());
};
struct ImageContent {
  static constexpr std::string_view tag = "image";
  std::string data{};
  std::string mime_type{};
  std::optional<std::string> uri{};
  std::optional<Annotations> annotations{};
  Raw meta{};
  static constexpr auto wire = fields(field<&ImageContent::data>("data", "The image as base64."),
                                      field<&ImageContent::mime_type>("mimeType", "Media type of the image, such as image/png."),
                                      field<&ImageContent::uri>("uri", "Address of the original image. Absent: unknown."),
                                      field<&ImageContent::annotations>("annotations", "Intended readers and importance."),
                                      meta_field<&ImageContent::meta>());
};
struct AudioContent {
  static constexpr std::string_view tag = "audio";
  std::string data{};
  std::string mime_type{};
  std::optional<Annotations> annotations{};
  Raw meta{};
  static constexpr auto wire = fields(field<&AudioContent::data>("data", "The audio as base64."),
                                      field<&AudioContent::mime_type>("mimeType", "Media type of the audio, such as audio/wav."),
                                      field<&AudioContent::annotations>("annotations", "Intended readers and importance."),
                                      meta_field<&AudioContent::meta>());
};
struct ResourceLink {
  static constexpr std::string_view tag = "resource_link";
  std::string uri{};
  std::string name{};
  std::optional<std::string> title{};
  std::optional<std::string> description{};
  std::optional<std::string> mime_type{};
  std::optional<std::int64_t> size{};
  std::optional<Annotations> annotations{};
  Raw meta{};
  static constexpr auto wire = fields(
      field<&ResourceLink::uri>("uri", "URI of the resource."), field<&ResourceLink::name>("name", "Name of the resource."),
      field<&ResourceLink::title>("title", "Title for people."),
      field<&ResourceLink::description>("description", "Description of the resource."),
      field<&ResourceLink::mime_type>("mimeType", "Media type of the resource."),
      field<&ResourceLink::size>("size", "Size in bytes."),
      field<&ResourceLink::annotations>("annotations", "Intended readers and importance."), meta_field<&ResourceLink::meta>());
};
struct ResourceContents {  // Either text or blob is present.
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
             meta_field<&ResourceContents::meta>());
};
struct EmbeddedResource {
  static constexpr std::string_view tag = "resource";
  ResourceContents resource{};
  std::optional<Annotations> annotations{};
  Raw meta{};
  static constexpr auto wire = fields(field<&EmbeddedResource::resource>("resource", "The embedded resource with its content."),
                                      field<&EmbeddedResource::annotations>("annotations", "Intended readers and importance."),
                                      meta_field<&EmbeddedResource::meta>());
};

using Content = Tagged<"type", TextContent, ImageContent, AudioContent, ResourceLink, EmbeddedResource, Other>;

inline Content text(std::string what) { return {TextContent{.text = std::move(what)}}; }
inline const std::string* text_of(const Content& content) {
  const auto* block = std::get_if<TextContent>(&content.value);
  return block == nullptr ? nullptr : &block->text;
}

}  // namespace parlance::acp
