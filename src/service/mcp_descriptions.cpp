#include "service/mcp_descriptions.h"

#include "codec/schema/json_schema.h"
#include "codec/schema/markdown.h"
#include "codec/schema/typescript.h"
#include "protocol/mcp/methods.h"
#include "service/sqlite_mcp_messages.h"

namespace parlance::service {
namespace {

constexpr std::string_view generated = "Printed by `parlance describe`; do not edit by hand.";
constexpr std::string_view table_head = "| method | parameters | reply | |\n| --- | --- | --- | --- |\n";

template <class... P, class... R>
std::string methods(const wire::Call<P, R>&... calls) {
  return std::string(table_head) + (schema::markdown_method(calls) + ...);
}

std::string mcp_methods() {
  namespace method = mcp::method;
  return methods(method::initialize, method::discover, method::ping, method::list_tools, method::call_tool,
                 method::list_resources, method::list_templates, method::read_resource, method::subscribe, method::unsubscribe,
                 method::list_prompts, method::get_prompt, method::complete, method::set_level, method::listen,
                 method::create_message, method::elicit, method::list_roots);
}

std::string mcp_markdown() {
  return "# The Model Context Protocol\n\n" + std::string(generated) +
         "\n\nRevisions 2024-11-05 to 2026-07-28 over JSON-RPC 2.0: what our servers and our client read and write. A member "
         "that "
         "only some revisions have says so. Methods from `sampling/createMessage` on are what a server asks of its client.\n\n" +
         mcp_methods() + "\n" +
         schema::markdown_types({&wire::type_of<mcp::InitializeParams>(),    &wire::type_of<mcp::InitializeResult>(),
                                 &wire::type_of<mcp::DiscoverResult>(),      &wire::type_of<mcp::ListParams>(),
                                 &wire::type_of<mcp::ListToolsResult>(),     &wire::type_of<mcp::CallToolParams>(),
                                 &wire::type_of<mcp::CallToolResult>(),      &wire::type_of<mcp::ListResourcesResult>(),
                                 &wire::type_of<mcp::ListTemplatesResult>(), &wire::type_of<mcp::ReadResourceParams>(),
                                 &wire::type_of<mcp::ReadResourceResult>(),  &wire::type_of<mcp::SubscribeParams>(),
                                 &wire::type_of<mcp::ListPromptsResult>(),   &wire::type_of<mcp::GetPromptParams>(),
                                 &wire::type_of<mcp::GetPromptResult>(),     &wire::type_of<mcp::CompleteParams>(),
                                 &wire::type_of<mcp::CompleteResult>(),      &wire::type_of<mcp::SetLevelParams>(),
                                 &wire::type_of<mcp::ListenParams>(),        &wire::type_of<mcp::CreateMessageParams>(),
                                 &wire::type_of<mcp::CreateMessageResult>(), &wire::type_of<mcp::ElicitParams>(),
                                 &wire::type_of<mcp::ElicitResult>(),        &wire::type_of<mcp::ListRootsResult>()});
}

std::string mcp_typescript() {
  return schema::typescript({{&wire::type_of<mcp::Content>(), "Content"},  {&wire::type_of<mcp::InitializeParams>()},
                             {&wire::type_of<mcp::InitializeResult>()},    {&wire::type_of<mcp::DiscoverResult>()},
                             {&wire::type_of<mcp::ListParams>()},          {&wire::type_of<mcp::ListToolsResult>()},
                             {&wire::type_of<mcp::CallToolParams>()},      {&wire::type_of<mcp::CallToolResult>()},
                             {&wire::type_of<mcp::ListResourcesResult>()}, {&wire::type_of<mcp::ListTemplatesResult>()},
                             {&wire::type_of<mcp::ReadResourceParams>()},  {&wire::type_of<mcp::ReadResourceResult>()},
                             {&wire::type_of<mcp::SubscribeParams>()},     {&wire::type_of<mcp::ListPromptsResult>()},
                             {&wire::type_of<mcp::GetPromptParams>()},     {&wire::type_of<mcp::GetPromptResult>()},
                             {&wire::type_of<mcp::CompleteParams>()},      {&wire::type_of<mcp::CompleteResult>()},
                             {&wire::type_of<mcp::SetLevelParams>()},      {&wire::type_of<mcp::ListenParams>()},
                             {&wire::type_of<mcp::CreateMessageParams>()}, {&wire::type_of<mcp::CreateMessageResult>()},
                             {&wire::type_of<mcp::ElicitParams>()},        {&wire::type_of<mcp::ElicitResult>()},
                             {&wire::type_of<mcp::ListRootsResult>()}});
}

std::string sqlite_mcp_markdown() {
  return "# The tools of sqlite-helper over MCP\n\n" + std::string(generated) +
         "\n\nArguments and structured results of `sqlite-helper --mcp`. Rows are objects by column, in the order of `columns`. "
         "Arguments that a tool does not have are passed over and told, or refused with `--strict-arguments`.\n\n"
         "| tool | arguments | result |\n| --- | --- | --- |\n"
         "| `read_query` | `ReadQueryArguments` | `RowsSchema` |\n"
         "| `get_schema` | `GetSchemaArguments` | `SchemaInfo` |\n"
         "| `write_query` | `WriteQueryArguments` | `WriteSchema` |\n"
         "| `apply_preview` | `ApplyPreviewArguments` | `WriteSchema` |\n"
         "| `undo_writes` | `UndoWritesArguments` | `WriteSchema` |\n"
         "| `take_snapshot` | `TakeSnapshotArguments` | `SnapshotTaken` |\n\n" +
         schema::markdown_types({&wire::type_of<ReadQueryArguments>(), &wire::type_of<RowsSchema>(),
                                 &wire::type_of<GetSchemaArguments>(), &wire::type_of<sqlite_bridge::SchemaInfo>(),
                                 &wire::type_of<WriteQueryArguments>(), &wire::type_of<WriteSchema>(),
                                 &wire::type_of<ApplyPreviewArguments>(), &wire::type_of<UndoWritesArguments>(),
                                 &wire::type_of<TakeSnapshotArguments>(), &wire::type_of<SnapshotTaken>()});
}

std::string sqlite_mcp_typescript() {
  return schema::typescript({{&wire::type_of<ReadQueryArguments>()},
                             {&wire::type_of<RowsSchema>()},
                             {&wire::type_of<GetSchemaArguments>()},
                             {&wire::type_of<sqlite_bridge::SchemaInfo>()},
                             {&wire::type_of<WriteQueryArguments>()},
                             {&wire::type_of<WriteSchema>()},
                             {&wire::type_of<ApplyPreviewArguments>()},
                             {&wire::type_of<UndoWritesArguments>()},
                             {&wire::type_of<TakeSnapshotArguments>()},
                             {&wire::type_of<SnapshotTaken>()}});
}

}  // namespace

std::string mcp_form(const std::string& form) {
  if (form == "markdown") return mcp_markdown();
  if (form == "typescript") return mcp_typescript();
  return schema::json_schema(wire::type_of<mcp::CallToolResult>()) + "\n";
}

std::string sqlite_mcp_form(const std::string& form) {
  if (form == "markdown") return sqlite_mcp_markdown();
  if (form == "typescript") return sqlite_mcp_typescript();
  return schema::json_schema(wire::type_of<ReadQueryArguments>()) + "\n";
}

}  // namespace parlance::service
