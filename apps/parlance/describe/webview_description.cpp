// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/describe/webview_description.h"

#include "parlance/codec/schema/json_schema.h"
#include "parlance/codec/schema/markdown.h"
#include "parlance/codec/schema/typescript.h"
#include "parlance/protocol/webview/messages.h"

namespace parlance::app {
namespace {

using wire::type_of;

std::string webview_markdown() {
  return "# Webviews written for the extension of iFlow, and their host\n\nPrinted by `parlance describe`; do not edit by "
         "hand.\n\n"
         "JSON objects: each in a `postMessage` of VS Code, or in one text frame on `/webview` of the gateway. How to use it: "
         "[webviews.md](../howto/webviews.md).\n\n## Messages of the webview\n\nThe last three are what the editor around a "
         "webview says; a relay says them itself.\n\n" +
         schema::markdown_union(type_of<webview::PageMessage>()) + "\n## Messages of the host\n\n" +
         schema::markdown_union(type_of<webview::HostMessage>()) +
         "\n## Chunks\n\nWhat a `streamChunk` carries, by its `chunkType`.\n\n" +
         schema::markdown_union(type_of<webview::StreamChunk>()) +
         "\n## Said in a conversation\n\nThe `messages` of the state, by their `role`.\n\n" +
         schema::markdown_union(type_of<webview::Message>()) + "\n## Their members\n\n" +
         schema::markdown_types({&type_of<webview::PageMessage>(), &type_of<webview::HostMessage>(),
                                 &type_of<webview::StreamChunk>(), &type_of<webview::Message>()});
}

}  // namespace

std::string webview_form(const std::string& form) {
  if (form == "markdown") return webview_markdown();
  if (form == "typescript")
    return "// Webviews and their host. Printed by `parlance describe`; do not edit by hand.\n\n" +
           schema::typescript({.roots = {{.type = &type_of<webview::PageMessage>(), .name = "PageMessage"},
                                         {.type = &type_of<webview::HostMessage>(), .name = "HostMessage"},
                                         {.type = &type_of<webview::StreamChunk>(), .name = "StreamChunk", .suffix = "Chunk"},
                                         {.type = &type_of<webview::Message>(), .name = "Message"}}});
  return "{\"PageMessage\":" + schema::json_schema(type_of<webview::PageMessage>()) +
         ",\"HostMessage\":" + schema::json_schema(type_of<webview::HostMessage>()) + "}\n";
}

}  // namespace parlance::app
