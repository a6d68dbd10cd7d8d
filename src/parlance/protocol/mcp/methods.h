// SPDX-License-Identifier: Apache-2.0
// What servers ask of clients, notifications, and the names of all methods of the Model Context Protocol. Values; any thread.
#pragma once

#include "parlance/protocol/mcp/messages.h"

namespace parlance::mcp {

// ---- what a server asks of its client ------------------------------------------------------------------------------------------------

struct Root {
  std::string uri{};
  std::optional<std::string> name{};
  static constexpr auto wire = fields(field<&Root::uri>("uri", "file://…"), field<&Root::name>("name", "For people."));
};
struct ListRootsResult {
  std::vector<Root> roots{};
  static constexpr auto wire = fields(field<&ListRootsResult::roots>("roots", "The folders that the client works in."));
};
struct SamplingMessage {
  Role role = Role::user;
  Raw content{};  // one block, or since 2025-11-25 a list of them
  static constexpr auto wire = fields(field<&SamplingMessage::role>("role", "Who says it."),
                                      field<&SamplingMessage::content>("content", "A content block or several."));
};
struct CreateMessageParams {
  std::vector<SamplingMessage> messages{};
  std::optional<std::string> system_prompt{};
  std::uint64_t max_tokens = 0;
  std::optional<double> temperature{};
  std::optional<std::vector<std::string>> stop_sequences{};
  Raw model_preferences{};
  std::optional<std::string> include_context{};
  Raw tools{};
  Raw tool_choice{};
  Raw metadata{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&CreateMessageParams::messages>("messages", "The conversation."),
             field<&CreateMessageParams::system_prompt>("systemPrompt", "Stands before it."),
             field<&CreateMessageParams::max_tokens>("maxTokens", "Of the answer."),
             field<&CreateMessageParams::temperature>("temperature", "0 to 1 or more."),
             field<&CreateMessageParams::stop_sequences>("stopSequences", "End the answer."),
             field<&CreateMessageParams::model_preferences>("modelPreferences", "Hints for choosing a model.").or_default(),
             field<&CreateMessageParams::include_context>("includeContext", "none, thisServer or allServers."),
             field<&CreateMessageParams::tools>("tools", "That the model may call (2025-11-25).").or_default(),
             field<&CreateMessageParams::tool_choice>("toolChoice", "2025-11-25.").or_default(),
             field<&CreateMessageParams::metadata>("metadata", "For the model's service.").or_default(),
             field<&CreateMessageParams::meta>("_meta", "For programs.").or_default());
};
struct CreateMessageResult {
  Role role = Role::assistant;
  Raw content{};
  std::string model{};
  std::optional<std::string> stop_reason{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&CreateMessageResult::role>("role", "assistant"),
             field<&CreateMessageResult::content>("content", "A content block or several."),
             field<&CreateMessageResult::model>("model", "Which model it was."),
             field<&CreateMessageResult::stop_reason>("stopReason", "endTurn, stopSequence, maxTokens, toolUse, …"),
             field<&CreateMessageResult::meta>("_meta", "For programs.").or_default());
};
struct ElicitParams {
  std::optional<std::string> mode{};
  std::string message{};
  Raw requested_schema{};
  std::optional<std::string> elicitation_id{};
  std::optional<std::string> url{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&ElicitParams::mode>("mode", "form (absent) or url (2025-11-25)."),
             field<&ElicitParams::message>("message", "What the person is asked."),
             field<&ElicitParams::requested_schema>("requestedSchema", "A flat object of simple fields.").or_default(),
             field<&ElicitParams::elicitation_id>("elicitationId", "Of the mode url."),
             field<&ElicitParams::url>("url", "Where the person goes."),
             field<&ElicitParams::meta>("_meta", "For programs.").or_default());
};
enum class ElicitAction { cancel, decline, accept };
constexpr auto wire_names(ElicitAction) { return wire::names("cancel", "decline", "accept"); }
struct ElicitResult {
  ElicitAction action{};
  Raw content{};
  Raw meta{};
  static constexpr auto wire = fields(field<&ElicitResult::action>("action", "What the person did."),
                                      field<&ElicitResult::content>("content", "What they entered.").or_default(),
                                      field<&ElicitResult::meta>("_meta", "For programs.").or_default());
};

// ---- notifications -----------------------------------------------------------------------------------------------------------------

struct Notification {  // nothing but metadata
  Raw meta{};
  static constexpr auto wire = fields(field<&Notification::meta>("_meta", "For programs.").or_default());
};
struct Progress {
  Raw token{};
  double progress = 0;
  std::optional<double> total{};
  std::optional<std::string> message{};
  Raw meta{};
  static constexpr auto wire = fields(
      field<&Progress::token>("progressToken", "As the request named it."),
      field<&Progress::progress>("progress", "Grows with every message."), field<&Progress::total>("total", "What it grows to."),
      field<&Progress::message>("message", "For people."), field<&Progress::meta>("_meta", "For programs.").or_default());
};
struct LogMessage {
  std::string level{};
  std::optional<std::string> logger{};
  Raw data{};
  Raw meta{};
  static constexpr auto wire = fields(
      field<&LogMessage::level>("level", "debug … emergency."), field<&LogMessage::logger>("logger", "Which part says it."),
      field<&LogMessage::data>("data", "Text, or anything."), field<&LogMessage::meta>("_meta", "For programs.").or_default());
};
struct ResourceUpdated {
  std::string uri{};
  Raw meta{};
  static constexpr auto wire = fields(field<&ResourceUpdated::uri>("uri", "Which resource."),
                                      field<&ResourceUpdated::meta>("_meta", "For programs.").or_default());
};
struct SubscriptionAcknowledged {
  SubscriptionFilter notifications{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&SubscriptionAcknowledged::notifications>("notifications", "What will be told."),
             field<&SubscriptionAcknowledged::meta>("_meta", "io.modelcontextprotocol/subscriptionId.").or_default());
};
struct ElicitationComplete {
  std::string elicitation_id{};
  Raw meta{};
  static constexpr auto wire = fields(field<&ElicitationComplete::elicitation_id>("elicitationId", "Which one."),
                                      field<&ElicitationComplete::meta>("_meta", "For programs.").or_default());
};

// ---- methods -------------------------------------------------------------------------------------------------------------------------

namespace method {

using wire::Call;
using wire::Notice;

inline constexpr auto methods = wire::methods(
    wire::call<InitializeParams, InitializeResult>("initialize", "Begins a connection, before 2026-07-28."),
    wire::call<NoParams, DiscoverResult>("server/discover", "What the server is and can do."),
    wire::call<NoParams, EmptyResult>("ping", "Is anybody there? Before 2026-07-28."),
    wire::call<ListParams, ListToolsResult>("tools/list", "The tools."),
    wire::call<CallToolParams, CallToolResult>("tools/call", "Uses a tool."),
    wire::call<ListParams, ListResourcesResult>("resources/list", "The resources."),
    wire::call<ListParams, ListTemplatesResult>("resources/templates/list", "Patterns of resources."),
    wire::call<ReadResourceParams, ReadResourceResult>("resources/read", "Reads a resource."),
    wire::call<SubscribeParams, EmptyResult>("resources/subscribe", "Tell when it changes; before 2026-07-28."),
    wire::call<SubscribeParams, EmptyResult>("resources/unsubscribe", "No longer; before 2026-07-28."),
    wire::call<ListParams, ListPromptsResult>("prompts/list", "The prompts."),
    wire::call<GetPromptParams, GetPromptResult>("prompts/get", "Fills in a prompt."),
    wire::call<CompleteParams, CompleteResult>("completion/complete", "Completes an argument."),
    wire::call<SetLevelParams, EmptyResult>("logging/setLevel", "Log from this level on; before 2026-07-28."),
    wire::call<ListenParams, EmptyResult>("subscriptions/listen", "Tells changes for as long as it runs; 2026-07-28."),
    wire::call<CreateMessageParams, CreateMessageResult>("sampling/createMessage", "Asks the client's model."),
    wire::call<ElicitParams, ElicitResult>("elicitation/create", "Asks the person."),
    wire::call<NoParams, ListRootsResult>("roots/list", "The client's folders."),
    wire::notice<Notification>("notifications/initialized", "The client is ready."),
    wire::notice<Progress>("notifications/progress", "How far a request is."),
    wire::notice<LogMessage>("notifications/message", "A log message."),
    wire::notice<ResourceUpdated>("notifications/resources/updated", "A resource changed."),
    wire::notice<Notification>("notifications/tools/list_changed", "The list of tools changed."),
    wire::notice<Notification>("notifications/resources/list_changed", "The list of resources changed."),
    wire::notice<Notification>("notifications/prompts/list_changed", "The list of prompts changed."),
    wire::notice<Notification>("notifications/roots/list_changed", "The client's folders changed."),
    wire::notice<SubscriptionAcknowledged>("notifications/subscriptions/acknowledged", "What will be told."),
    wire::notice<ElicitationComplete>("notifications/elicitation/complete", "The person is done."));

inline constexpr const auto& initialize = wire::method<methods, "initialize">;
inline constexpr const auto& discover = wire::method<methods, "server/discover">;
inline constexpr const auto& ping = wire::method<methods, "ping">;
inline constexpr const auto& list_tools = wire::method<methods, "tools/list">;
inline constexpr const auto& call_tool = wire::method<methods, "tools/call">;
inline constexpr const auto& list_resources = wire::method<methods, "resources/list">;
inline constexpr const auto& list_templates = wire::method<methods, "resources/templates/list">;
inline constexpr const auto& read_resource = wire::method<methods, "resources/read">;
inline constexpr const auto& subscribe = wire::method<methods, "resources/subscribe">;
inline constexpr const auto& unsubscribe = wire::method<methods, "resources/unsubscribe">;
inline constexpr const auto& list_prompts = wire::method<methods, "prompts/list">;
inline constexpr const auto& get_prompt = wire::method<methods, "prompts/get">;
inline constexpr const auto& complete = wire::method<methods, "completion/complete">;
inline constexpr const auto& set_level = wire::method<methods, "logging/setLevel">;
inline constexpr const auto& listen = wire::method<methods, "subscriptions/listen">;
inline constexpr const auto& create_message = wire::method<methods, "sampling/createMessage">;
inline constexpr const auto& elicit = wire::method<methods, "elicitation/create">;
inline constexpr const auto& list_roots = wire::method<methods, "roots/list">;
inline constexpr const auto& initialized = wire::method<methods, "notifications/initialized">;
inline constexpr const auto& progress = wire::method<methods, "notifications/progress">;
inline constexpr const auto& message = wire::method<methods, "notifications/message">;
inline constexpr const auto& resource_updated = wire::method<methods, "notifications/resources/updated">;
inline constexpr const auto& tools_changed = wire::method<methods, "notifications/tools/list_changed">;
inline constexpr const auto& resources_changed = wire::method<methods, "notifications/resources/list_changed">;
inline constexpr const auto& prompts_changed = wire::method<methods, "notifications/prompts/list_changed">;
inline constexpr const auto& roots_changed = wire::method<methods, "notifications/roots/list_changed">;
inline constexpr const auto& acknowledged = wire::method<methods, "notifications/subscriptions/acknowledged">;
inline constexpr const auto& elicitation_complete = wire::method<methods, "notifications/elicitation/complete">;

inline constexpr std::string_view cancelled = "notifications/cancelled";

}  // namespace method

}  // namespace parlance::mcp
