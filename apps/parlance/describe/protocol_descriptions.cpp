// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/describe/protocol_descriptions.h"

#include <algorithm>
#include <array>

#include "apps/parlance/describe/page_description.h"
#include "apps/parlance/describe/permissions_description.h"
#include "apps/parlance/describe/policy_description.h"
#include "apps/parlance/describe/webview_description.h"
#include "parlance/codec/schema/json_schema.h"
#include "parlance/codec/schema/markdown.h"
#include "parlance/codec/schema/typescript.h"
#include "parlance/face/ide/claude_messages.h"
#include "parlance/face/ide/editor_tool_messages.h"
#include "parlance/face/ide/gemini_messages.h"
#include "parlance/protocol/acp/messages.h"
#include "parlance/protocol/claude/messages.h"
#include "parlance/protocol/editor/messages.h"
#include "parlance/protocol/gorpc/messages.h"
#include "parlance/protocol/mcp/methods.h"
#include "parlance/protocol/openai/embeddings.h"
#include "parlance/protocol/openai/messages.h"
#include "parlance/protocol/sqlite_bridge/messages.h"
#include "parlance/server/sqlite/mcp_messages.h"

namespace parlance::app {
namespace {

using schema::Root;

constexpr std::string_view generated = "Printed by `parlance describe`; do not edit by hand.";

// A protocol that consists of a table of methods. `more`: further types, outside of parameters and replies.
struct MethodProtocol {
  std::string_view title;
  std::string about;
  std::span<const wire::Method> methods;
  std::vector<Root> more{};
};

std::string markdown_of(const MethodProtocol& protocol) {
  std::vector<const wire::Type*> types = schema::types_of(protocol.methods);
  for (const Root& root : protocol.more) types.push_back(root.type);
  return "# " + std::string(protocol.title) + "\n\n" + std::string(generated) + "\n\n" + protocol.about + "\n\n" +
         schema::markdown_methods(protocol.methods) + "\n" + schema::markdown_types(types);
}

// {"Chat":{"parameters":{…},"reply":{…}},…}
std::string schema_of(const MethodProtocol& protocol) {
  std::string text = "{";
  for (const wire::Method& method : protocol.methods) {
    text += (text.size() == 1 ? "\"" : ",\"") + std::string(method.name) +
            "\":{\"parameters\":" + schema::json_schema(method.parameters());
    if (method.reply != nullptr) text += ",\"reply\":" + schema::json_schema(method.reply());
    text += "}";
  }
  return text + "}\n";
}

std::string form_of(const MethodProtocol& protocol, const std::string& form) {
  if (form == "markdown") return markdown_of(protocol);
  if (form == "schema") return schema_of(protocol);
  return "// " + std::string(protocol.title) + ". " + std::string(generated) + "\n\n" +
         schema::typescript({.roots = protocol.more, .methods = protocol.methods});
}

std::string gorpc_form(const std::string& form) {
  return form_of(
      {.title = "Gateway and agent over Go net/rpc",
       .about = "Every method is served as `RPCService.NAME` and as `Agent.NAME`. Absent members have their zero value.",
       .methods = gorpc::methods.all()},
      form);
}

std::string claude_form(const std::string& form) {
  return form_of(
      {.title = "Claude Code's control protocol",
       .about = "JSON objects, each on a line: the host writes to the agent's stdin, the agent to its stdout. A "
                "request of either side is "
                "`{\"type\":\"control_request\",\"request_id\":…,\"request\":{\"subtype\":METHOD,…PARAMETERS}}`, its "
                "answer "
                "`{\"type\":\"control_response\",\"response\":{\"subtype\":\"success\",\"request_id\":…,\"response\":REPLY}}` "
                "or `{…\"subtype\":\"error\",\"request_id\":…,\"error\":TEXT}`. Any other line is a message of the "
                "stream. Its `type` is its name here. [claude-versions.md](../claude-versions.md) lists members of "
                "some versions only.",
       .methods = claude::methods.all(),
       .more = {{.type = &wire::type_of<claude::PermissionUpdate>()}}},
      form);
}

std::string acp_form(const std::string& form) {
  static const std::vector<wire::Method> both = [] {
    std::vector<wire::Method> all;
    for (const auto& side : {acp::method::of_agent.all(), acp::method::of_client.all()})
      all.insert(all.end(), side.begin(), side.end());
    return all;
  }();
  return form_of({.title = "The Agent Client Protocol",
                  .about = "Version 1 over JSON-RPC 2.0 without batches: one object on each line on stdio, one in each text "
                           "frame on WebSocket. A description that begins with \"iFlow\" belongs to this dialect alone. Methods "
                           "from `session/update` on go from an agent to its client. `$/cancel_request` with the `requestId` "
                           "cancels a request in either direction. The kinds of `update` are those of `Update`; skip all others.",
                  .methods = both,
                  .more = {{.type = &wire::type_of<acp::Content>(), .name = "Content"},
                           {.type = &wire::type_of<acp::ToolContent>(), .name = "ToolContent"},
                           {.type = &wire::type_of<acp::Update>(), .name = "Update"}}},
                 form);
}

std::string mcp_form(const std::string& form) {
  return form_of({.title = "The Model Context Protocol",
                  .about = "Revisions 2024-11-05 to 2026-07-28 over JSON-RPC 2.0, for our servers and our client. Members of "
                           "some revisions only have a note. Methods from `sampling/createMessage` on go from a server to its "
                           "client.",
                  .methods = mcp::method::methods.all(),
                  .more = {{.type = &wire::type_of<mcp::Content>(), .name = "Content"}}},
                 form);
}

std::string openai_form(const std::string& form) {
  return form_of({.title = "HTTP clients and the gateway, in OpenAI's shape",
                  .about = "The served part of this interface; other members of requests are skipped. How to use it: "
                           "[http_clients.md](../howto/http_clients.md).",
                  .methods = openai::methods.all(),
                  .more = {{.type = &wire::type_of<openai::Chunk>()}}},
                 form);
}

std::string editor_form(const std::string& form) {
  static const std::vector<wire::Method> both = [] {
    std::vector<wire::Method> all;
    for (const auto& side : {editor::method::of_editor.all(), editor::method::of_agent.all()})
      all.insert(all.end(), side.begin(), side.end());
    return all;
  }();
  return form_of({.title = "The editor bridge",
                  .about = "JSON-RPC 2.0 without batches between an agent and an editor, one object on each line: the agent "
                           "writes to its stdout, the editor to the agent's stdin. Any other line is text for the person, or "
                           "typed by the person. The socket of a window (PARLANCE_EDITOR_SOCKET: "
                           "[editor_bridge.md](../howto/editor_bridge.md)) carries no text. Over TCP the first line is "
                           "`initialize` with the token. Methods from `userInput` on go from the editor to the agent. A "
                           "temporary failure is a result `{\"success\":false,\"error\":TEXT}` without other members; a faulty "
                           "call is an error. Codes besides those of JSON-RPC: -32800 cancelled, -32001 closed, -32002 rejected "
                           "by the person.",
                  .methods = both},
                 form);
}

std::string embed_form(const std::string& form) {
  return form_of({.title = "Programs and the embedding service over HTTP",
                  .about = "JSON on loopback. How to use it: [embedding.md](../howto/embedding.md).",
                  .methods = embed::methods.all()},
                 form);
}

std::string sqlite_bridge_form(const std::string& form) {
  namespace bridge = sqlite_bridge;
  std::string codes;
  for (const std::string_view name : bridge::wire_names(bridge::Code{}))
    codes += (codes.empty() ? "`" : ", `") + std::string(name) + "`";
  return form_of({.title = "An editor and sqlite-helper over JSON lines",
                  .about = "Version 1, one JSON object on each line. A request is "
                           "`{\"v\":1,\"id\":…,\"cmd\":METHOD,\"payload\":PARAMETERS}`, its answer "
                           "`{\"v\":1,\"id\":…,\"status\":\"ok\",\"data\":REPLY}` or "
                           "`{\"v\":1,\"id\":…,\"status\":\"error\",\"code\":…,\"error\":…,\"details\":DETAILS}`. Answers may "
                           "arrive in any order; requests to the same database run in order.\n\nCodes: " +
                           codes + ".",
                  .methods = bridge::methods.all(),
                  .more = {{.type = &wire::type_of<bridge::Details>()}}},
                 form);
}

std::string sqlite_mcp_form(const std::string& form) {
  return form_of({.title = "The tools of sqlite-helper over MCP",
                  .about = "Arguments and structured results of `sqlite-helper --mcp`. Rows are objects by column, in the order "
                           "of `columns`. Unknown arguments of a tool are skipped and reported, or refused with "
                           "`--strict-arguments`.",
                  .methods = server::sqlite_tool::methods.all()},
                 form);
}

std::string claude_ide_form(const std::string& form) {
  std::vector<wire::Method> all(face::claude_ide::tools.all().begin(), face::claude_ide::tools.all().end());
  all.insert(all.end(), face::claude_ide::notices.all().begin(), face::claude_ide::notices.all().end());
  return form_of({.title = "Claude Code's CLI and an editor over MCP",
                  .about = "The server of `parlance editor serve` over WebSocket: the tools of an MCP server with JSON text as "
                           "results, and notices beyond the protocol. How to use it: "
                           "[editor_bridge.md](../howto/editor_bridge.md).",
                  .methods = all},
                 form);
}

std::string gemini_ide_form(const std::string& form) {
  std::vector<wire::Method> all(face::gemini_ide::tools.all().begin(), face::gemini_ide::tools.all().end());
  all.insert(all.end(), face::gemini_ide::notices.all().begin(), face::gemini_ide::notices.all().end());
  return form_of({.title = "Gemini's CLI and an editor over MCP",
                  .about = "The server of `parlance editor serve` over HTTP at /mcp: the tools of an MCP server, and notices "
                           "beyond the protocol. How to use it: [editor_bridge.md](../howto/editor_bridge.md).",
                  .methods = all},
                 form);
}

std::string editor_mcp_form(const std::string& form) {
  return form_of({.title = "The tools of an editor over MCP",
                  .about = "Arguments and structured results of `parlance editor tools`. Lines and characters count from 0, "
                           "unless a description says otherwise. How to use it: [editor_bridge.md](../howto/editor_bridge.md).",
                  .methods = face::editor_tool::methods.all()},
                 form);
}

std::string policy_form(const std::string&) { return describe_policy(); }  // a document without messages has a single form

std::string permissions_form(const std::string&) { return describe_permissions(); }  // the same

struct Protocol {
  std::string_view name;
  std::string_view about;
  std::string (*print)(const std::string& form);
};
constexpr std::array protocols{Protocol{"acp", "the Agent Client Protocol", &acp_form},
                               Protocol{"claude", "a host and Claude Code over JSON lines", &claude_form},
                               Protocol{"claude_ide", "Claude Code's CLI and an editor over MCP", &claude_ide_form},
                               Protocol{"editor", "an agent and an editor over JSON lines", &editor_form},
                               Protocol{"editor_mcp", "the tools of an editor over MCP", &editor_mcp_form},
                               Protocol{"embed", "programs and the embedding service over HTTP", &embed_form},
                               Protocol{"gemini_ide", "Gemini's CLI and an editor over MCP", &gemini_ide_form},
                               Protocol{"gorpc", "gateway and agent over Go net/rpc", &gorpc_form},
                               Protocol{"mcp", "the Model Context Protocol", &mcp_form},
                               Protocol{"openai", "HTTP clients and the gateway, in OpenAI's shape", &openai_form},
                               Protocol{"page", "page and gateway over WebSocket", &page_form},
                               Protocol{"sqlite_bridge", "an editor and sqlite-helper over JSON lines", &sqlite_bridge_form},
                               Protocol{"sqlite_mcp", "the tools of sqlite-helper over MCP", &sqlite_mcp_form},
                               Protocol{"webview", "webviews written for the extension of iFlow, and their host", &webview_form},
                               Protocol{"permissions", "the permission of each message of each frontend", &permissions_form},
                               Protocol{"policy", "calls of each mode without a request", &policy_form}};

}  // namespace

Result<std::string> describe_protocol(const std::string& protocol, const std::string& form) {
  std::string list;
  for (const Protocol& known : protocols) {
    if (known.name == protocol) return known.print(form);
    list += std::string(known.name) + "  " + std::string(known.about) + "\n";
  }
  if (protocol.empty()) return list;
  return fail(Errc::invalid_params, "\"" + protocol + "\" is an unknown protocol; choose one of:\n" + list);
}

std::vector<std::string_view> described_protocols() {
  std::vector<std::string_view> names;
  for (const Protocol& known : protocols) names.push_back(known.name);
  return names;
}

}  // namespace parlance::app
