#include "service/protocol_descriptions.h"

#include <array>
#include <functional>

#include "codec/schema/json_schema.h"
#include "codec/schema/markdown.h"
#include "codec/schema/typescript.h"
#include "protocol/gorpc/messages.h"
#include "protocol/page/messages.h"
#include "protocol/sqlite_bridge/messages.h"
#include "service/mcp_descriptions.h"
#include "service/policy_description.h"
#include "store/event_tables.h"

namespace parlance::service {
namespace {

constexpr std::string_view generated = "Printed by `parlance describe`; do not edit by hand.";

std::string gorpc_markdown() {
  std::string text = "# Gateway and agent over Go net/rpc\n\n" + std::string(generated) +
                     "\n\nEvery method is served as `RPCService.NAME` and as `Agent.NAME`. Members that are absent on the wire "
                     "have their zero value.\n\n"
                     "| method | parameters | reply | |\n| --- | --- | --- | --- |\n";
  text += schema::markdown_method(gorpc::chat);
  text += schema::markdown_method(gorpc::chat_stream);
  text += schema::markdown_method(gorpc::chat_cancel);
  text += schema::markdown_method(gorpc::abilities);
  text += schema::markdown_method(gorpc::stats);
  text += schema::markdown_method(gorpc::memory_search);
  text += schema::markdown_method(gorpc::memory_get);
  text += schema::markdown_method(gorpc::memory_store);
  text += schema::markdown_method(gorpc::memory_list);
  text += schema::markdown_method(gorpc::memory_forget);
  return text + "\n" +
         schema::markdown_types({&wire::type_of<gorpc::ChatArgs>(), &wire::type_of<gorpc::ChatReply>(),
                                 &wire::type_of<gorpc::ChatStreamArgs>(), &wire::type_of<gorpc::ChatStreamReply>(),
                                 &wire::type_of<gorpc::ChatCancelArgs>(), &wire::type_of<gorpc::ChatCancelReply>(),
                                 &wire::type_of<gorpc::AbilitiesReply>(), &wire::type_of<gorpc::StatsReply>(),
                                 &wire::type_of<gorpc::MemorySearchArgs>(), &wire::type_of<gorpc::MemoryGetArgs>(),
                                 &wire::type_of<gorpc::MemoryStoreArgs>(), &wire::type_of<gorpc::MemoryListArgs>(),
                                 &wire::type_of<gorpc::MemoryForgetArgs>(), &wire::type_of<gorpc::ToolResultReply>()});
}

std::initializer_list<const wire::Type*> page_types() {
  static const std::initializer_list<const wire::Type*> types{&wire::type_of<page::PageMessage>(),
                                                              &wire::type_of<page::HostMessage>(), &wire::type_of<page::Op>(),
                                                              &wire::type_of<page::MemoriesValue>()};
  return types;
}

std::string page_markdown() {
  return "# Page and gateway over WebSocket\n\n" + std::string(generated) +
         "\n\nOne JSON object a text frame, on `/ws`. `apps/web/src/protocol.ts` is the page's side. Conversations, events, asks "
         "and rules travel as they are stored "
         "and are described below the messages. The bytes of attachments are fetched by id: `GET /attachments/ID`, with the "
         "token in a header.\n\n## Messages\n\n" +
         schema::markdown_types(page_types()) + "## What is stored\n\n" +
         schema::markdown_types({&wire::type_of<hub::Conversation>(), &wire::type_of<hub::Ask>(), &wire::type_of<hub::Rule>(),
                                 &wire::type_of<hub::AgentInfo>(), &wire::type_of<hub::ServiceInfo>()});
}

std::string gorpc_form(const std::string& form) {
  if (form == "markdown") return gorpc_markdown();
  if (form == "typescript")
    return schema::typescript(
        {{&wire::type_of<gorpc::ChatArgs>()}, {&wire::type_of<gorpc::ChatReply>()}, {&wire::type_of<gorpc::StatsReply>()}});
  return schema::json_schema(wire::type_of<gorpc::ChatArgs>()) + "\n";
}

std::string page_form(const std::string& form) {
  if (form == "markdown") return page_markdown();
  if (form == "typescript")
    return schema::typescript(
        {{&wire::type_of<page::PageMessage>(), "PageMessage"}, {&wire::type_of<page::HostMessage>(), "HostMessage"}});
  return schema::json_schema(wire::type_of<page::PageMessage>()) + "\n";
}

std::string sqlite_bridge_markdown() {
  namespace bridge = sqlite_bridge;
  std::string text =
      "# An editor and sqlite-helper over JSON lines\n\n" + std::string(generated) +
      "\n\nVersion 1, one JSON object a line. A request is `{\"v\":1,\"id\":…,\"cmd\":METHOD,\"payload\":PARAMETERS}`, its "
      "answer `{\"v\":1,\"id\":…,\"status\":\"ok\",\"data\":REPLY}` or "
      "`{\"v\":1,\"id\":…,\"status\":\"error\",\"code\":…,\"error\":…,\"details\":DETAILS}`. Answers come in any order; "
      "requests to one database are done in the order they came.\n\nCodes: ";
  bool first = true;
  for (const std::string_view name : bridge::wire_names(bridge::Code{})) {
    text += (first ? "`" : ", `") + std::string(name) + "`";
    first = false;
  }
  text += ".\n\n| method | parameters | reply | |\n| --- | --- | --- | --- |\n";
  text += schema::markdown_method(bridge::connect);
  text += schema::markdown_method(bridge::query);
  text += schema::markdown_method(bridge::execute);
  text += schema::markdown_method(bridge::apply);
  text += schema::markdown_method(bridge::undo);
  text += schema::markdown_method(bridge::snapshot);
  text += schema::markdown_method(bridge::tables);
  text += schema::markdown_method(bridge::columns);
  text += schema::markdown_method(bridge::schema);
  text += schema::markdown_method(bridge::close);
  text += schema::markdown_method(bridge::cancel);
  text += schema::markdown_method(bridge::ping);
  text += schema::markdown_method(bridge::get_version);
  return text + "\n" +
         schema::markdown_types(
             {&wire::type_of<bridge::Connect>(), &wire::type_of<bridge::Query>(), &wire::type_of<bridge::QueryResult>(),
              &wire::type_of<bridge::Execute>(), &wire::type_of<bridge::ExecuteResult>(), &wire::type_of<bridge::Apply>(),
              &wire::type_of<bridge::Undo>(), &wire::type_of<bridge::Snapshot>(), &wire::type_of<bridge::Tables>(),
              &wire::type_of<bridge::Columns>(), &wire::type_of<bridge::ColumnInfo>(), &wire::type_of<bridge::OfDatabase>(),
              &wire::type_of<bridge::SchemaInfo>(), &wire::type_of<bridge::Cancel>(), &wire::type_of<bridge::Cancelled>(),
              &wire::type_of<bridge::Version>(), &wire::type_of<bridge::Details>()});
}

std::string sqlite_bridge_form(const std::string& form) {
  namespace bridge = sqlite_bridge;
  if (form == "markdown") return sqlite_bridge_markdown();
  if (form == "typescript")
    return schema::typescript({{&wire::type_of<bridge::Query>()},
                               {&wire::type_of<bridge::QueryResult>()},
                               {&wire::type_of<bridge::Execute>()},
                               {&wire::type_of<bridge::ExecuteResult>()},
                               {&wire::type_of<bridge::SchemaInfo>()}});
  return schema::json_schema(wire::type_of<bridge::Query>()) + "\n";
}

std::string policy_form(const std::string&) { return describe_policy(); }  // a document and no messages: it has one form

struct Protocol {
  std::string_view name;
  std::string_view about;
  std::string (*print)(const std::string& form);
};
constexpr std::array protocols{Protocol{"gorpc", "gateway and agent over Go net/rpc", &gorpc_form},
                               Protocol{"page", "page and gateway over WebSocket", &page_form},
                               Protocol{"sqlite_bridge", "an editor and sqlite-helper over JSON lines", &sqlite_bridge_form},
                               Protocol{"mcp", "the Model Context Protocol", &mcp_form},
                               Protocol{"sqlite_mcp", "the tools of sqlite-helper over MCP", &sqlite_mcp_form},
                               Protocol{"policy", "what each mode allows unasked", &policy_form}};

}  // namespace

Result<std::string> describe_protocol(const std::string& protocol, const std::string& form) {
  std::string list;
  for (const Protocol& known : protocols) {
    if (known.name == protocol) return known.print(form);
    list += std::string(known.name) + "  " + std::string(known.about) + "\n";
  }
  if (protocol.empty()) return list;
  return fail(Errc::invalid_params, "\"" + protocol + "\" is no protocol that is described; there are:\n" + list);
}

}  // namespace parlance::service
