// SPDX-License-Identifier: Apache-2.0
// Requests of clients in the Model Context Protocol, 2024-11-05 to 2026-07-28, declared once for both sides (the rest:
// methods.h). Members of the newest revision (resultType, ttlMs, cacheScope) are optional and empty in older revisions. Values;
// any thread.
#pragma once

#include "parlance/protocol/mcp/content.h"

namespace parlance::mcp {

// ---- implementations and capabilities ---------------------------------------------------------------------------------------

struct Implementation {
  std::string name{};
  std::string version{};
  std::optional<std::string> title{};
  Raw icons{};
  std::optional<std::string> website{};
  static constexpr auto wire = fields(field<&Implementation::name>("name", "Name of the program."),
                                      field<&Implementation::version>("version", "Version of the program."),
                                      field<&Implementation::title>("title", "Title of the program for people."),
                                      field<&Implementation::icons>("icons", "Icons of the program.").or_default(),
                                      field<&Implementation::website>("websiteUrl", "Address of a page about the program."));
};
// A present member declares a capability. Its content is kept unchanged.
struct ClientCapabilities {
  Raw roots{};
  Raw sampling{};
  Raw elicitation{};
  Raw tasks{};
  Raw experimental{};
  Raw extensions{};
  static constexpr auto wire = fields(
      field<&ClientCapabilities::roots>("roots", "Present: the client serves roots/list.").or_default(),
      field<&ClientCapabilities::sampling>("sampling", "Present: the client serves sampling/createMessage.").or_default(),
      field<&ClientCapabilities::elicitation>("elicitation", "Present: the client serves elicitation/create.").or_default(),
      field<&ClientCapabilities::tasks>("tasks", "Support of tasks. Only revision 2025-11-25.").or_default(),
      field<&ClientCapabilities::experimental>("experimental", "Experimental capabilities by name.").or_default(),
      field<&ClientCapabilities::extensions>("extensions", "Extensions by name.").or_default());
};
struct ListCapability {
  std::optional<bool> list_changed{};
  std::optional<bool> subscribe{};
  static constexpr auto wire =
      fields(field<&ListCapability::list_changed>("listChanged", "True: the server reports changes of the list."),
             field<&ListCapability::subscribe>("subscribe", "True: clients can subscribe to changes of a resource."));
};
struct ServerCapabilities {
  std::optional<ListCapability> tools{};
  std::optional<ListCapability> resources{};
  std::optional<ListCapability> prompts{};
  std::optional<Nothing> completions{};
  std::optional<Nothing> logging{};
  Raw experimental{};
  Raw extensions{};
  static constexpr auto wire =
      fields(field<&ServerCapabilities::tools>("tools", "Present: the server has tools."),
             field<&ServerCapabilities::resources>("resources", "Present: the server has resources."),
             field<&ServerCapabilities::prompts>("prompts", "Present: the server has prompts."),
             field<&ServerCapabilities::completions>("completions", "Present: the server completes arguments."),
             field<&ServerCapabilities::logging>("logging", "Present: the server sends log messages."),
             field<&ServerCapabilities::experimental>("experimental", "Experimental capabilities by name.").or_default(),
             field<&ServerCapabilities::extensions>("extensions", "Extensions by name.").or_default());
};

// ---- common members of requests and results ---------------------------------------------------------------------------------

// Metadata of a request. Names with a prefix are the envelope of 2026-07-28, a revision without a handshake.
struct Meta {
  Raw progress_token{};
  std::optional<std::string> protocol_version{};
  std::optional<ClientCapabilities> client_capabilities{};
  std::optional<Implementation> client_info{};
  std::optional<std::string> log_level{};
  static constexpr auto wire =
      fields(field<&Meta::progress_token>(
                 "progressToken",
                 "Token for progress notifications of this request (text or integer). Absent: the caller wants no progress.")
                 .or_default(),
             field<&Meta::protocol_version>("io.modelcontextprotocol/protocolVersion", "Protocol revision of this request."),
             field<&Meta::client_capabilities>("io.modelcontextprotocol/clientCapabilities", "Capabilities of the caller."),
             field<&Meta::client_info>("io.modelcontextprotocol/clientInfo", "Name and version of the caller."),
             field<&Meta::log_level>("io.modelcontextprotocol/logLevel", "Lowest level of log messages for this request."));
};
struct NoParams {  // Requests with the envelope only.
  Raw meta{};
  static constexpr auto wire = fields(field<&NoParams::meta>("_meta", "Metadata of the request, see Meta.").or_default());
};
struct EmptyResult {
  std::optional<std::string> result_type{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&EmptyResult::result_type>("resultType", "Always complete. Only revision 2026-07-28."),
             field<&EmptyResult::meta>("_meta", "Data for programs.").or_default());
};

// ---- beginning -------------------------------------------------------------------------------------------------------------------

struct InitializeParams {
  std::string protocol_version{};
  ClientCapabilities capabilities{};
  Implementation client_info{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&InitializeParams::protocol_version>("protocolVersion", "Newest protocol revision of the client."),
             field<&InitializeParams::capabilities>("capabilities", "Capabilities of the client."),
             field<&InitializeParams::client_info>("clientInfo", "Name and version of the client."),
             field<&InitializeParams::meta>("_meta", "Metadata of the request, see Meta.").or_default());
};
struct InitializeResult {
  std::string protocol_version{};
  ServerCapabilities capabilities{};
  Implementation server_info{};
  std::optional<std::string> instructions{};
  static constexpr auto wire =
      fields(field<&InitializeResult::protocol_version>("protocolVersion", "Protocol revision of this connection."),
             field<&InitializeResult::capabilities>("capabilities", "Capabilities of the server."),
             field<&InitializeResult::server_info>("serverInfo", "Name and version of the server."),
             field<&InitializeResult::instructions>("instructions", "Instructions for the model about this server."));
};
struct DiscoverResult {
  std::optional<std::string> result_type{};
  std::vector<std::string> supported_versions{};
  ServerCapabilities capabilities{};
  std::optional<std::string> instructions{};
  std::optional<std::uint64_t> ttl_ms{};
  std::optional<std::string> cache_scope{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&DiscoverResult::result_type>("resultType", "Always the value \"complete\"."),
             field<&DiscoverResult::supported_versions>("supportedVersions", "Supported protocol revisions without a handshake."),
             field<&DiscoverResult::capabilities>("capabilities", "Capabilities of the server."),
             field<&DiscoverResult::instructions>("instructions", "Instructions for the model about this server."),
             field<&DiscoverResult::ttl_ms>("ttlMs", "How long a client may cache the result, in milliseconds."),
             field<&DiscoverResult::cache_scope>("cacheScope", "Allowed caches: public or private."),
             field<&DiscoverResult::meta>(
                 "_meta", "Data for programs. io.modelcontextprotocol/serverInfo has name and version of the server.")
                 .or_default());
};

// ---- lists -----------------------------------------------------------------------------------------------------------------------

struct ListParams {
  std::optional<std::string> cursor{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&ListParams::cursor>("cursor", "The nextCursor of the page before. Absent: the first page."),
             field<&ListParams::meta>("_meta", "Metadata of the request, see Meta.").or_default());
};
struct ListToolsResult {
  std::optional<std::string> result_type{};
  std::vector<Tool> tools{};
  std::optional<std::string> next_cursor{};
  std::optional<std::uint64_t> ttl_ms{};
  std::optional<std::string> cache_scope{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&ListToolsResult::result_type>("resultType", "Always complete. Only revision 2026-07-28."),
             field<&ListToolsResult::tools>("tools", "Tools of this page."),
             field<&ListToolsResult::next_cursor>("nextCursor", "Cursor of the next page. Absent: this is the last page."),
             field<&ListToolsResult::ttl_ms>("ttlMs", "How long a client may cache the result, in milliseconds."),
             field<&ListToolsResult::cache_scope>("cacheScope", "Allowed caches: public or private."),
             field<&ListToolsResult::meta>("_meta", "Data for programs.").or_default());
};
struct ListResourcesResult {
  std::optional<std::string> result_type{};
  std::vector<Resource> resources{};
  std::optional<std::string> next_cursor{};
  std::optional<std::uint64_t> ttl_ms{};
  std::optional<std::string> cache_scope{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&ListResourcesResult::result_type>("resultType", "Always complete. Only revision 2026-07-28."),
             field<&ListResourcesResult::resources>("resources", "Resources of this page."),
             field<&ListResourcesResult::next_cursor>("nextCursor", "Cursor of the next page. Absent: this is the last page."),
             field<&ListResourcesResult::ttl_ms>("ttlMs", "How long a client may cache the result, in milliseconds."),
             field<&ListResourcesResult::cache_scope>("cacheScope", "Allowed caches: public or private."),
             field<&ListResourcesResult::meta>("_meta", "Data for programs.").or_default());
};
struct ListTemplatesResult {
  std::optional<std::string> result_type{};
  std::vector<ResourceTemplate> templates{};
  std::optional<std::string> next_cursor{};
  std::optional<std::uint64_t> ttl_ms{};
  std::optional<std::string> cache_scope{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&ListTemplatesResult::result_type>("resultType", "Always complete. Only revision 2026-07-28."),
             field<&ListTemplatesResult::templates>("resourceTemplates", "Resource templates of this page."),
             field<&ListTemplatesResult::next_cursor>("nextCursor", "Cursor of the next page. Absent: this is the last page."),
             field<&ListTemplatesResult::ttl_ms>("ttlMs", "How long a client may cache the result, in milliseconds."),
             field<&ListTemplatesResult::cache_scope>("cacheScope", "Allowed caches: public or private."),
             field<&ListTemplatesResult::meta>("_meta", "Data for programs.").or_default());
};
struct ListPromptsResult {
  std::optional<std::string> result_type{};
  std::vector<Prompt> prompts{};
  std::optional<std::string> next_cursor{};
  std::optional<std::uint64_t> ttl_ms{};
  std::optional<std::string> cache_scope{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&ListPromptsResult::result_type>("resultType", "Always complete. Only revision 2026-07-28."),
             field<&ListPromptsResult::prompts>("prompts", "Prompts of this page."),
             field<&ListPromptsResult::next_cursor>("nextCursor", "Cursor of the next page. Absent: this is the last page."),
             field<&ListPromptsResult::ttl_ms>("ttlMs", "How long a client may cache the result, in milliseconds."),
             field<&ListPromptsResult::cache_scope>("cacheScope", "Allowed caches: public or private."),
             field<&ListPromptsResult::meta>("_meta", "Data for programs.").or_default());
};

// ---- use of tools, resources and prompts ------------------------------------------------------------------------------------

// Input that a server of 2026-07-28 needs before its answer: a request for the client. The client repeats the call with the
// result.
struct InputRequest {
  std::string method{};
  Raw params{};
  static constexpr auto wire = fields(
      field<&InputRequest::method>("method", "Method of the request: sampling/createMessage, elicitation/create or roots/list."),
      field<&InputRequest::params>("params", "Parameters of the method.").or_default());
};
using InputRequests = std::map<std::string, InputRequest>;
using InputResponses = std::map<std::string, Raw>;

struct CallToolParams {
  std::string name{};
  Raw arguments{};
  Raw task{};
  Raw input_responses{};
  std::optional<std::string> request_state{};
  Raw meta{};
  static constexpr auto wire = fields(
      field<&CallToolParams::name>("name", "Name of the tool."),
      field<&CallToolParams::arguments>("arguments", "Arguments of the tool: an object that matches inputSchema.").or_default(),
      field<&CallToolParams::task>("task", "Run the call as a task. Only revision 2025-11-25.").or_default(),
      field<&CallToolParams::input_responses>("inputResponses", "Answers to inputRequests, by id.").or_default(),
      field<&CallToolParams::request_state>("requestState", "The requestState of the result with inputRequests, unchanged."),
      field<&CallToolParams::meta>("_meta", "Metadata of the request, see Meta.").or_default());
};
struct CallToolResult {
  std::optional<std::string> result_type{};
  std::optional<std::vector<Content>> content{};
  Raw structured{};
  std::optional<bool> is_error{};
  std::optional<InputRequests> input_requests{};
  std::optional<std::string> request_state{};
  Raw meta{};
  static constexpr auto wire = fields(
      field<&CallToolResult::result_type>("resultType",
                                          "Kind of the result: complete or input_required. Only revision 2026-07-28."),
      field<&CallToolResult::content>("content", "Content for the model. Absent only with input_required."),
      field<&CallToolResult::structured>("structuredContent", "The result for programs. Absent: the tool has no outputSchema.")
          .or_default(),
      field<&CallToolResult::is_error>("isError", "True: the tool failed, and content has the reason. Default: false."),
      field<&CallToolResult::input_requests>("inputRequests",
                                             "With input_required: requests that the client answers first, by id."),
      field<&CallToolResult::request_state>("requestState", "State to send back unchanged with inputResponses."),
      field<&CallToolResult::meta>("_meta", "Data for programs.").or_default());
};
struct ReadResourceParams {
  std::string uri{};
  Raw input_responses{};
  std::optional<std::string> request_state{};
  Raw meta{};
  static constexpr auto wire = fields(
      field<&ReadResourceParams::uri>("uri", "URI of the resource."),
      field<&ReadResourceParams::input_responses>("inputResponses", "Answers to inputRequests, by id.").or_default(),
      field<&ReadResourceParams::request_state>("requestState", "The requestState of the result with inputRequests, unchanged."),
      field<&ReadResourceParams::meta>("_meta", "Metadata of the request, see Meta.").or_default());
};
struct ReadResourceResult {
  std::optional<std::string> result_type{};
  std::optional<std::vector<ResourceContents>> contents{};
  std::optional<InputRequests> input_requests{};
  std::optional<std::string> request_state{};
  std::optional<std::uint64_t> ttl_ms{};
  std::optional<std::string> cache_scope{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&ReadResourceResult::result_type>("resultType",
                                                     "Kind of the result: complete or input_required. Only revision 2026-07-28."),
             field<&ReadResourceResult::contents>("contents", "Contents of the resource. Absent only with input_required."),
             field<&ReadResourceResult::input_requests>("inputRequests",
                                                        "With input_required: requests that the client answers first, by id."),
             field<&ReadResourceResult::request_state>("requestState", "State to send back unchanged with inputResponses."),
             field<&ReadResourceResult::ttl_ms>("ttlMs", "How long a client may cache the result, in milliseconds."),
             field<&ReadResourceResult::cache_scope>("cacheScope", "Allowed caches: public or private."),
             field<&ReadResourceResult::meta>("_meta", "Data for programs.").or_default());
};
struct SubscribeParams {
  std::string uri{};
  Raw meta{};
  static constexpr auto wire = fields(field<&SubscribeParams::uri>("uri", "URI of the resource.").or_default(),
                                      field<&SubscribeParams::meta>("_meta", "Metadata of the request, see Meta.").or_default());
};
struct GetPromptParams {
  std::string name{};
  std::optional<std::map<std::string, std::string>> arguments{};
  Raw input_responses{};
  std::optional<std::string> request_state{};
  Raw meta{};
  static constexpr auto wire = fields(
      field<&GetPromptParams::name>("name", "Name of the prompt."),
      field<&GetPromptParams::arguments>("arguments", "Values of the arguments by name. All values are text."),
      field<&GetPromptParams::input_responses>("inputResponses", "Answers to inputRequests, by id.").or_default(),
      field<&GetPromptParams::request_state>("requestState", "The requestState of the result with inputRequests, unchanged."),
      field<&GetPromptParams::meta>("_meta", "Metadata of the request, see Meta.").or_default());
};
struct GetPromptResult {
  std::optional<std::string> result_type{};
  std::optional<std::string> description{};
  std::optional<std::vector<PromptMessage>> messages{};
  std::optional<InputRequests> input_requests{};
  std::optional<std::string> request_state{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&GetPromptResult::result_type>("resultType",
                                                  "Kind of the result: complete or input_required. Only revision 2026-07-28."),
             field<&GetPromptResult::description>("description", "Purpose of the prompt."),
             field<&GetPromptResult::messages>("messages", "Messages of the prompt. Absent only with input_required."),
             field<&GetPromptResult::input_requests>("inputRequests",
                                                     "With input_required: requests that the client answers first, by id."),
             field<&GetPromptResult::request_state>("requestState", "State to send back unchanged with inputResponses."),
             field<&GetPromptResult::meta>("_meta", "Data for programs.").or_default());
};

struct PromptReference {
  static constexpr std::string_view tag = "ref/prompt";
  std::string name{};
  static constexpr auto wire = fields(field<&PromptReference::name>("name", "Name of the prompt."));
};
struct ResourceReference {
  static constexpr std::string_view tag = "ref/resource";
  std::string uri{};
  static constexpr auto wire = fields(field<&ResourceReference::uri>("uri", "URI template of the resource."));
};
struct CompletionArgument {
  std::string name{};
  std::string value{};
  static constexpr auto wire = fields(field<&CompletionArgument::name>("name", "Name of the argument or variable."),
                                      field<&CompletionArgument::value>("value", "Text typed so far."));
};
struct CompletionContext {
  std::optional<std::map<std::string, std::string>> arguments{};
  static constexpr auto wire = fields(field<&CompletionContext::arguments>("arguments", "Values of other arguments."));
};
struct CompleteParams {
  Tagged<"type", PromptReference, ResourceReference> reference{};
  CompletionArgument argument{};
  std::optional<CompletionContext> context{};
  Raw meta{};
  static constexpr auto wire = fields(field<&CompleteParams::reference>("ref", "The prompt or the resource template."),
                                      field<&CompleteParams::argument>("argument", "The argument to complete."),
                                      field<&CompleteParams::context>("context", "Values that are already known."),
                                      field<&CompleteParams::meta>("_meta", "Metadata of the request, see Meta.").or_default());
};
struct Completion {
  std::vector<std::string> values{};
  std::optional<std::uint64_t> total{};
  std::optional<bool> has_more{};
  static constexpr auto wire = fields(field<&Completion::values>("values", "Proposed values, at most 100."),
                                      field<&Completion::total>("total", "Number of all matching values."),
                                      field<&Completion::has_more>("hasMore", "True: more values match."));
};
struct CompleteResult {
  std::optional<std::string> result_type{};
  Completion completion{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&CompleteResult::result_type>("resultType", "Always complete. Only revision 2026-07-28."),
             field<&CompleteResult::completion>("completion", "The proposed values."),
             field<&CompleteResult::meta>("_meta", "Data for programs.").or_default());
};
struct SetLevelParams {
  std::string level{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&SetLevelParams::level>("level", "Lowest level to report, from debug to emergency.").or_default(),
             field<&SetLevelParams::meta>("_meta", "Metadata of the request, see Meta.").or_default());
};
struct SubscriptionFilter {
  std::optional<bool> tools_changed{};
  std::optional<bool> prompts_changed{};
  std::optional<bool> resources_changed{};
  std::optional<std::vector<std::string>> resources{};
  static constexpr auto wire =
      fields(field<&SubscriptionFilter::tools_changed>("toolsListChanged", "True: report changes of the tool list."),
             field<&SubscriptionFilter::prompts_changed>("promptsListChanged", "True: report changes of the prompt list."),
             field<&SubscriptionFilter::resources_changed>("resourcesListChanged", "True: report changes of the resource list."),
             field<&SubscriptionFilter::resources>("resourceSubscriptions", "URIs of resources whose changes to report."));
};
struct ListenParams {
  SubscriptionFilter notifications{};
  Raw meta{};
  static constexpr auto wire = fields(field<&ListenParams::notifications>("notifications", "Kinds of changes to report."),
                                      field<&ListenParams::meta>("_meta", "Metadata of the request, see Meta.").or_default());
};

}  // namespace parlance::mcp
