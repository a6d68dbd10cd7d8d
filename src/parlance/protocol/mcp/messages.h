// SPDX-License-Identifier: Apache-2.0
// What clients ask of servers in the Model Context Protocol, 2024-11-05 to 2026-07-28, declared once for both sides (the rest: methods.h).
// Results carry what only the newest revision has (resultType, ttlMs, cacheScope) as optional members that stay empty before it.
// Values; any thread.
#pragma once

#include "parlance/protocol/mcp/content.h"

namespace parlance::mcp {

// ---- who is who --------------------------------------------------------------------------------------------------------------

struct Implementation {
  std::string name{};
  std::string version{};
  std::optional<std::string> title{};
  Raw icons{};
  std::optional<std::string> website{};
  static constexpr auto wire =
      fields(field<&Implementation::name>("name", "The program."), field<&Implementation::version>("version", "Its version."),
             field<&Implementation::title>("title", "Its name for people."),
             field<&Implementation::icons>("icons", "Pictures of it.").or_default(),
             field<&Implementation::website>("websiteUrl", "About it."));
};
// Members that are there mean: can do; what stands in them is kept as it came.
struct ClientCapabilities {
  Raw roots{};
  Raw sampling{};
  Raw elicitation{};
  Raw tasks{};
  Raw experimental{};
  Raw extensions{};
  static constexpr auto wire = fields(field<&ClientCapabilities::roots>("roots", "It tells its folders.").or_default(),
                                      field<&ClientCapabilities::sampling>("sampling", "It asks its model for us.").or_default(),
                                      field<&ClientCapabilities::elicitation>("elicitation", "It asks its person.").or_default(),
                                      field<&ClientCapabilities::tasks>("tasks", "2025-11-25.").or_default(),
                                      field<&ClientCapabilities::experimental>("experimental", "Others.").or_default(),
                                      field<&ClientCapabilities::extensions>("extensions", "By name.").or_default());
};
struct ListCapability {
  std::optional<bool> list_changed{};
  std::optional<bool> subscribe{};
  static constexpr auto wire =
      fields(field<&ListCapability::list_changed>("listChanged", "Changes of the list are told."),
             field<&ListCapability::subscribe>("subscribe", "Changes of one resource are told to who subscribed."));
};
struct ServerCapabilities {
  std::optional<ListCapability> tools{};
  std::optional<ListCapability> resources{};
  std::optional<ListCapability> prompts{};
  std::optional<Nothing> completions{};
  std::optional<Nothing> logging{};
  Raw experimental{};
  Raw extensions{};
  static constexpr auto wire = fields(field<&ServerCapabilities::tools>("tools", "It has tools."),
                                      field<&ServerCapabilities::resources>("resources", "It has resources."),
                                      field<&ServerCapabilities::prompts>("prompts", "It has prompts."),
                                      field<&ServerCapabilities::completions>("completions", "It completes arguments."),
                                      field<&ServerCapabilities::logging>("logging", "It sends log messages."),
                                      field<&ServerCapabilities::experimental>("experimental", "Others.").or_default(),
                                      field<&ServerCapabilities::extensions>("extensions", "By name.").or_default());
};

// ---- what every request and result may carry -----------------------------------------------------------------------------------

// Of a request. The names with a prefix are the envelope of 2026-07-28, which has no handshake.
struct Meta {
  Raw progress_token{};
  std::optional<std::string> protocol_version{};
  std::optional<ClientCapabilities> client_capabilities{};
  std::optional<Implementation> client_info{};
  std::optional<std::string> log_level{};
  static constexpr auto wire = fields(
      field<&Meta::progress_token>("progressToken", "The caller wants progress under this name (text or integer).").or_default(),
      field<&Meta::protocol_version>("io.modelcontextprotocol/protocolVersion", "The revision of this request."),
      field<&Meta::client_capabilities>("io.modelcontextprotocol/clientCapabilities", "What the caller can do."),
      field<&Meta::client_info>("io.modelcontextprotocol/clientInfo", "Who calls."),
      field<&Meta::log_level>("io.modelcontextprotocol/logLevel", "Log messages of this request from this level on."));
};
struct NoParams {  // requests with nothing but the envelope
  Raw meta{};
  static constexpr auto wire = fields(field<&NoParams::meta>("_meta", "See Meta.").or_default());
};
struct EmptyResult {
  std::optional<std::string> result_type{};
  Raw meta{};
  static constexpr auto wire = fields(field<&EmptyResult::result_type>("resultType", "complete (2026-07-28)."),
                                      field<&EmptyResult::meta>("_meta", "For programs.").or_default());
};

// ---- beginning -------------------------------------------------------------------------------------------------------------------

struct InitializeParams {
  std::string protocol_version{};
  ClientCapabilities capabilities{};
  Implementation client_info{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&InitializeParams::protocol_version>("protocolVersion", "The newest revision that the client speaks."),
             field<&InitializeParams::capabilities>("capabilities", "What the client can do."),
             field<&InitializeParams::client_info>("clientInfo", "Who it is."),
             field<&InitializeParams::meta>("_meta", "See Meta.").or_default());
};
struct InitializeResult {
  std::string protocol_version{};
  ServerCapabilities capabilities{};
  Implementation server_info{};
  std::optional<std::string> instructions{};
  static constexpr auto wire =
      fields(field<&InitializeResult::protocol_version>("protocolVersion", "The revision of this connection."),
             field<&InitializeResult::capabilities>("capabilities", "What the server can do."),
             field<&InitializeResult::server_info>("serverInfo", "Who it is."),
             field<&InitializeResult::instructions>("instructions", "For the model: how to use this server."));
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
      fields(field<&DiscoverResult::result_type>("resultType", "complete"),
             field<&DiscoverResult::supported_versions>("supportedVersions", "Revisions without a handshake that it speaks."),
             field<&DiscoverResult::capabilities>("capabilities", "What the server can do."),
             field<&DiscoverResult::instructions>("instructions", "For the model: how to use this server."),
             field<&DiscoverResult::ttl_ms>("ttlMs", "May be kept for so many milliseconds."),
             field<&DiscoverResult::cache_scope>("cacheScope", "public or private."),
             field<&DiscoverResult::meta>("_meta", "io.modelcontextprotocol/serverInfo: who it is.").or_default());
};

// ---- lists -----------------------------------------------------------------------------------------------------------------------

struct ListParams {
  std::optional<std::string> cursor{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&ListParams::cursor>("cursor", "Where the page begins: nextCursor of the one before."),
             field<&ListParams::meta>("_meta", "See Meta.").or_default());
};
struct ListToolsResult {
  std::optional<std::string> result_type{};
  std::vector<Tool> tools{};
  std::optional<std::string> next_cursor{};
  std::optional<std::uint64_t> ttl_ms{};
  std::optional<std::string> cache_scope{};
  Raw meta{};
  static constexpr auto wire = fields(field<&ListToolsResult::result_type>("resultType", "complete (2026-07-28)."),
                                      field<&ListToolsResult::tools>("tools", "One page."),
                                      field<&ListToolsResult::next_cursor>("nextCursor", "There is more."),
                                      field<&ListToolsResult::ttl_ms>("ttlMs", "May be kept for so many milliseconds."),
                                      field<&ListToolsResult::cache_scope>("cacheScope", "public or private."),
                                      field<&ListToolsResult::meta>("_meta", "For programs.").or_default());
};
struct ListResourcesResult {
  std::optional<std::string> result_type{};
  std::vector<Resource> resources{};
  std::optional<std::string> next_cursor{};
  std::optional<std::uint64_t> ttl_ms{};
  std::optional<std::string> cache_scope{};
  Raw meta{};
  static constexpr auto wire = fields(field<&ListResourcesResult::result_type>("resultType", "complete (2026-07-28)."),
                                      field<&ListResourcesResult::resources>("resources", "One page."),
                                      field<&ListResourcesResult::next_cursor>("nextCursor", "There is more."),
                                      field<&ListResourcesResult::ttl_ms>("ttlMs", "May be kept for so many milliseconds."),
                                      field<&ListResourcesResult::cache_scope>("cacheScope", "public or private."),
                                      field<&ListResourcesResult::meta>("_meta", "For programs.").or_default());
};
struct ListTemplatesResult {
  std::optional<std::string> result_type{};
  std::vector<ResourceTemplate> templates{};
  std::optional<std::string> next_cursor{};
  std::optional<std::uint64_t> ttl_ms{};
  std::optional<std::string> cache_scope{};
  Raw meta{};
  static constexpr auto wire = fields(field<&ListTemplatesResult::result_type>("resultType", "complete (2026-07-28)."),
                                      field<&ListTemplatesResult::templates>("resourceTemplates", "One page."),
                                      field<&ListTemplatesResult::next_cursor>("nextCursor", "There is more."),
                                      field<&ListTemplatesResult::ttl_ms>("ttlMs", "May be kept for so many milliseconds."),
                                      field<&ListTemplatesResult::cache_scope>("cacheScope", "public or private."),
                                      field<&ListTemplatesResult::meta>("_meta", "For programs.").or_default());
};
struct ListPromptsResult {
  std::optional<std::string> result_type{};
  std::vector<Prompt> prompts{};
  std::optional<std::string> next_cursor{};
  std::optional<std::uint64_t> ttl_ms{};
  std::optional<std::string> cache_scope{};
  Raw meta{};
  static constexpr auto wire = fields(field<&ListPromptsResult::result_type>("resultType", "complete (2026-07-28)."),
                                      field<&ListPromptsResult::prompts>("prompts", "One page."),
                                      field<&ListPromptsResult::next_cursor>("nextCursor", "There is more."),
                                      field<&ListPromptsResult::ttl_ms>("ttlMs", "May be kept for so many milliseconds."),
                                      field<&ListPromptsResult::cache_scope>("cacheScope", "public or private."),
                                      field<&ListPromptsResult::meta>("_meta", "For programs.").or_default());
};

// ---- using what is there -------------------------------------------------------------------------------------------------------------

// Something that a server of 2026-07-28 needs before it can answer: a request that the client carries out, whose result it sends
// with the call again.
struct InputRequest {
  std::string method{};
  Raw params{};
  static constexpr auto wire =
      fields(field<&InputRequest::method>("method", "sampling/createMessage, elicitation/create or roots/list."),
             field<&InputRequest::params>("params", "Its parameters.").or_default());
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
  static constexpr auto wire =
      fields(field<&CallToolParams::name>("name", "Which tool."),
             field<&CallToolParams::arguments>("arguments", "An object that fits inputSchema.").or_default(),
             field<&CallToolParams::task>("task", "Run it as a task (2025-11-25).").or_default(),
             field<&CallToolParams::input_responses>("inputResponses", "What inputRequests asked for.").or_default(),
             field<&CallToolParams::request_state>("requestState", "As it came with inputRequests."),
             field<&CallToolParams::meta>("_meta", "See Meta.").or_default());
};
struct CallToolResult {
  std::optional<std::string> result_type{};
  std::optional<std::vector<Content>> content{};
  Raw structured{};
  std::optional<bool> is_error{};
  std::optional<InputRequests> input_requests{};
  std::optional<std::string> request_state{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&CallToolResult::result_type>("resultType", "complete or input_required (2026-07-28)."),
             field<&CallToolResult::content>("content", "For the model; absent only when input is required."),
             field<&CallToolResult::structured>("structuredContent", "The same for programs.").or_default(),
             field<&CallToolResult::is_error>("isError", "The tool failed, and content says why."),
             field<&CallToolResult::input_requests>("inputRequests", "What is needed first."),
             field<&CallToolResult::request_state>("requestState", "To be sent back as it is."),
             field<&CallToolResult::meta>("_meta", "For programs.").or_default());
};
struct ReadResourceParams {
  std::string uri{};
  Raw input_responses{};
  std::optional<std::string> request_state{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&ReadResourceParams::uri>("uri", "Which resource."),
             field<&ReadResourceParams::input_responses>("inputResponses", "What inputRequests asked for.").or_default(),
             field<&ReadResourceParams::request_state>("requestState", "As it came with inputRequests."),
             field<&ReadResourceParams::meta>("_meta", "See Meta.").or_default());
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
      fields(field<&ReadResourceResult::result_type>("resultType", "complete or input_required (2026-07-28)."),
             field<&ReadResourceResult::contents>("contents", "What is in it; absent only when input is required."),
             field<&ReadResourceResult::input_requests>("inputRequests", "What is needed first."),
             field<&ReadResourceResult::request_state>("requestState", "To be sent back as it is."),
             field<&ReadResourceResult::ttl_ms>("ttlMs", "May be kept for so many milliseconds."),
             field<&ReadResourceResult::cache_scope>("cacheScope", "public or private."),
             field<&ReadResourceResult::meta>("_meta", "For programs.").or_default());
};
struct SubscribeParams {
  std::string uri{};
  Raw meta{};
  static constexpr auto wire = fields(field<&SubscribeParams::uri>("uri", "Which resource.").or_default(),
                                      field<&SubscribeParams::meta>("_meta", "See Meta.").or_default());
};
struct GetPromptParams {
  std::string name{};
  std::optional<std::map<std::string, std::string>> arguments{};
  Raw input_responses{};
  std::optional<std::string> request_state{};
  Raw meta{};
  static constexpr auto wire = fields(
      field<&GetPromptParams::name>("name", "Which prompt."), field<&GetPromptParams::arguments>("arguments", "Text by name."),
      field<&GetPromptParams::input_responses>("inputResponses", "What inputRequests asked for.").or_default(),
      field<&GetPromptParams::request_state>("requestState", "As it came with inputRequests."),
      field<&GetPromptParams::meta>("_meta", "See Meta.").or_default());
};
struct GetPromptResult {
  std::optional<std::string> result_type{};
  std::optional<std::string> description{};
  std::optional<std::vector<PromptMessage>> messages{};
  std::optional<InputRequests> input_requests{};
  std::optional<std::string> request_state{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&GetPromptResult::result_type>("resultType", "complete or input_required (2026-07-28)."),
             field<&GetPromptResult::description>("description", "What it is for."),
             field<&GetPromptResult::messages>("messages", "What to say; absent only when input is required."),
             field<&GetPromptResult::input_requests>("inputRequests", "What is needed first."),
             field<&GetPromptResult::request_state>("requestState", "To be sent back as it is."),
             field<&GetPromptResult::meta>("_meta", "For programs.").or_default());
};

struct PromptReference {
  static constexpr std::string_view tag = "ref/prompt";
  std::string name{};
  static constexpr auto wire = fields(field<&PromptReference::name>("name", "Which prompt."));
};
struct ResourceReference {
  static constexpr std::string_view tag = "ref/resource";
  std::string uri{};
  static constexpr auto wire = fields(field<&ResourceReference::uri>("uri", "Which template."));
};
struct CompletionArgument {
  std::string name{};
  std::string value{};
  static constexpr auto wire = fields(field<&CompletionArgument::name>("name", "Which argument or variable."),
                                      field<&CompletionArgument::value>("value", "What has been typed of it."));
};
struct CompletionContext {
  std::optional<std::map<std::string, std::string>> arguments{};
  static constexpr auto wire = fields(field<&CompletionContext::arguments>("arguments", "Those that are known already."));
};
struct CompleteParams {
  Tagged<"type", PromptReference, ResourceReference> reference{};
  CompletionArgument argument{};
  std::optional<CompletionContext> context{};
  Raw meta{};
  static constexpr auto wire = fields(field<&CompleteParams::reference>("ref", "Of a prompt or of a resource template."),
                                      field<&CompleteParams::argument>("argument", "What to complete."),
                                      field<&CompleteParams::context>("context", "What else is known."),
                                      field<&CompleteParams::meta>("_meta", "See Meta.").or_default());
};
struct Completion {
  std::vector<std::string> values{};
  std::optional<std::uint64_t> total{};
  std::optional<bool> has_more{};
  static constexpr auto wire =
      fields(field<&Completion::values>("values", "At most 100."), field<&Completion::total>("total", "How many there are."),
             field<&Completion::has_more>("hasMore", "There are more."));
};
struct CompleteResult {
  std::optional<std::string> result_type{};
  Completion completion{};
  Raw meta{};
  static constexpr auto wire = fields(field<&CompleteResult::result_type>("resultType", "complete (2026-07-28)."),
                                      field<&CompleteResult::completion>("completion", "The proposals."),
                                      field<&CompleteResult::meta>("_meta", "For programs.").or_default());
};
struct SetLevelParams {
  std::string level{};
  Raw meta{};
  static constexpr auto wire = fields(field<&SetLevelParams::level>("level", "debug … emergency.").or_default(),
                                      field<&SetLevelParams::meta>("_meta", "See Meta.").or_default());
};
struct SubscriptionFilter {
  std::optional<bool> tools_changed{};
  std::optional<bool> prompts_changed{};
  std::optional<bool> resources_changed{};
  std::optional<std::vector<std::string>> resources{};
  static constexpr auto wire =
      fields(field<&SubscriptionFilter::tools_changed>("toolsListChanged", "When the list of tools changes."),
             field<&SubscriptionFilter::prompts_changed>("promptsListChanged", "When the list of prompts changes."),
             field<&SubscriptionFilter::resources_changed>("resourcesListChanged", "When the list of resources changes."),
             field<&SubscriptionFilter::resources>("resourceSubscriptions", "When one of these resources changes."));
};
struct ListenParams {
  SubscriptionFilter notifications{};
  Raw meta{};
  static constexpr auto wire = fields(field<&ListenParams::notifications>("notifications", "What to tell."),
                                      field<&ListenParams::meta>("_meta", "See Meta.").or_default());
};

}  // namespace parlance::mcp
