// SPDX-License-Identifier: Apache-2.0
// Requests of servers to clients, notifications, and the names of all methods of the Model Context Protocol. Values; any thread.
#pragma once

#include "parlance/protocol/mcp/messages.h"

namespace parlance::mcp {

// ---- requests of a server to its client -------------------------------------------------------------------------------------

struct Root {
  std::string uri{};
  std::optional<std::string> name{};
  static constexpr auto wire = fields(field<&Root::uri>("uri", "URI of the folder as file://…"),
                                      field<&Root::name>("name", "Name of the folder for people."));
};
struct ListRootsResult {
  std::vector<Root> roots{};
  static constexpr auto wire = fields(field<&ListRootsResult::roots>("roots", "Folders of the client."));
};
struct SamplingMessage {
  Role role = Role::user;
  Raw content{};  // one block, or since 2025-11-25 a list of them
  static constexpr auto wire = fields(field<&SamplingMessage::role>("role", "Author of the message: user or assistant."),
                                      field<&SamplingMessage::content>("content", "One content block or a list."));
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
  static constexpr auto wire = fields(
      field<&CreateMessageParams::messages>("messages", "Messages of the conversation."),
      field<&CreateMessageParams::system_prompt>("systemPrompt", "System prompt of the conversation."),
      field<&CreateMessageParams::max_tokens>("maxTokens", "Highest number of tokens in the answer."),
      field<&CreateMessageParams::temperature>("temperature", "Sampling temperature, from 0. Absent: the model's default."),
      field<&CreateMessageParams::stop_sequences>("stopSequences", "Texts that end the answer."),
      field<&CreateMessageParams::model_preferences>("modelPreferences", "Hints for the choice of a model.").or_default(),
      field<&CreateMessageParams::include_context>("includeContext", "Context to add: none, thisServer or allServers."),
      field<&CreateMessageParams::tools>("tools", "Tools that the model may call. Only revision 2025-11-25.").or_default(),
      field<&CreateMessageParams::tool_choice>("toolChoice", "Use of the tools. Only revision 2025-11-25.").or_default(),
      field<&CreateMessageParams::metadata>("metadata", "Data for the model's service.").or_default(),
      field<&CreateMessageParams::meta>("_meta", "Data for programs.").or_default());
};
struct CreateMessageResult {
  Role role = Role::assistant;
  Raw content{};
  std::string model{};
  std::optional<std::string> stop_reason{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&CreateMessageResult::role>("role", "Always the value \"assistant\"."),
             field<&CreateMessageResult::content>("content", "One content block or a list."),
             field<&CreateMessageResult::model>("model", "Name of the model that answered."),
             field<&CreateMessageResult::stop_reason>(
                 "stopReason", "Reason for the end: endTurn, stopSequence, maxTokens, toolUse and others."),
             field<&CreateMessageResult::meta>("_meta", "Data for programs.").or_default());
};
struct ElicitParams {
  std::optional<std::string> mode{};
  std::string message{};
  Raw requested_schema{};
  std::optional<std::string> elicitation_id{};
  std::optional<std::string> url{};
  Raw meta{};
  static constexpr auto wire = fields(
      field<&ElicitParams::mode>("mode", "Kind of the question: form or url (2025-11-25). Absent: form."),
      field<&ElicitParams::message>("message", "Text of the question."),
      field<&ElicitParams::requested_schema>("requestedSchema", "JSON Schema of the form: a flat object with simple fields.")
          .or_default(),
      field<&ElicitParams::elicitation_id>("elicitationId", "With mode url: id for the completion notification."),
      field<&ElicitParams::url>("url", "With mode url: address of the page."),
      field<&ElicitParams::meta>("_meta", "Data for programs.").or_default());
};
enum class ElicitAction { cancel, decline, accept };
constexpr auto wire_names(ElicitAction) { return wire::names("cancel", "decline", "accept"); }
struct ElicitResult {
  ElicitAction action{};
  Raw content{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&ElicitResult::action>("action", "Decision of the person: accept, decline or cancel."),
             field<&ElicitResult::content>("content", "With accept: the values of the form.").or_default(),
             field<&ElicitResult::meta>("_meta", "Data for programs.").or_default());
};

// ---- notifications -----------------------------------------------------------------------------------------------------------------

struct Notification {  // nothing but metadata
  Raw meta{};
  static constexpr auto wire = fields(field<&Notification::meta>("_meta", "Data for programs.").or_default());
};
struct Progress {
  Raw token{};
  double progress = 0;
  std::optional<double> total{};
  std::optional<std::string> message{};
  Raw meta{};
  static constexpr auto wire = fields(field<&Progress::token>("progressToken", "The token of the request."),
                                      field<&Progress::progress>("progress", "Progress so far. Each message has a larger value."),
                                      field<&Progress::total>("total", "Final value of the progress. Absent: unknown."),
                                      field<&Progress::message>("message", "Text for people."),
                                      field<&Progress::meta>("_meta", "Data for programs.").or_default());
};
struct LogMessage {
  std::string level{};
  std::optional<std::string> logger{};
  Raw data{};
  Raw meta{};
  static constexpr auto wire = fields(field<&LogMessage::level>("level", "Level of the message, from debug to emergency."),
                                      field<&LogMessage::logger>("logger", "Name of the part that logs."),
                                      field<&LogMessage::data>("data", "Text or any JSON value."),
                                      field<&LogMessage::meta>("_meta", "Data for programs.").or_default());
};
struct ResourceUpdated {
  std::string uri{};
  Raw meta{};
  static constexpr auto wire = fields(field<&ResourceUpdated::uri>("uri", "URI of the resource."),
                                      field<&ResourceUpdated::meta>("_meta", "Data for programs.").or_default());
};
struct SubscriptionAcknowledged {
  SubscriptionFilter notifications{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&SubscriptionAcknowledged::notifications>("notifications", "Kinds of changes that the server reports."),
             field<&SubscriptionAcknowledged::meta>("_meta", "Data for programs, with io.modelcontextprotocol/subscriptionId.")
                 .or_default());
};
struct ElicitationComplete {
  std::string elicitation_id{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&ElicitationComplete::elicitation_id>("elicitationId", "Id of the completed question."),
             field<&ElicitationComplete::meta>("_meta", "Data for programs.").or_default());
};

// ---- methods -------------------------------------------------------------------------------------------------------------------------

namespace method {

using wire::Call;
using wire::Notice;

inline constexpr auto methods = wire::methods(
    wire::call<InitializeParams, InitializeResult>("initialize", "Opens a connection. Only revisions before 2026-07-28."),
    wire::call<NoParams, DiscoverResult>("server/discover", "Returns name, capabilities and revisions of the server."),
    wire::call<NoParams, EmptyResult>("ping", "Checks the connection. Only revisions before 2026-07-28."),
    wire::call<ListParams, ListToolsResult>("tools/list", "Lists the tools, page by page."),
    wire::call<CallToolParams, CallToolResult>("tools/call", "Calls a tool."),
    wire::call<ListParams, ListResourcesResult>("resources/list", "Lists the resources, page by page."),
    wire::call<ListParams, ListTemplatesResult>("resources/templates/list", "Lists the resource templates, page by page."),
    wire::call<ReadResourceParams, ReadResourceResult>("resources/read", "Reads a resource."),
    wire::call<SubscribeParams, EmptyResult>("resources/subscribe",
                                             "Subscribes to changes of a resource. Only revisions before 2026-07-28."),
    wire::call<SubscribeParams, EmptyResult>("resources/unsubscribe", "Ends a subscription. Only revisions before 2026-07-28."),
    wire::call<ListParams, ListPromptsResult>("prompts/list", "Lists the prompts, page by page."),
    wire::call<GetPromptParams, GetPromptResult>("prompts/get", "Returns a prompt with its arguments filled in."),
    wire::call<CompleteParams, CompleteResult>("completion/complete", "Completes an argument of a prompt or template."),
    wire::call<SetLevelParams, EmptyResult>("logging/setLevel",
                                            "Sets the lowest level of log messages. Only revisions before 2026-07-28."),
    wire::call<ListenParams, EmptyResult>("subscriptions/listen",
                                          "Reports changes for as long as the request runs. Only revision 2026-07-28."),
    wire::call<CreateMessageParams, CreateMessageResult>("sampling/createMessage", "Asks the client's model."),
    wire::call<ElicitParams, ElicitResult>("elicitation/create", "Asks the person."),
    wire::call<NoParams, ListRootsResult>("roots/list", "Lists the folders of the client."),
    wire::notice<Notification>("notifications/initialized", "Reports that the client is ready."),
    wire::notice<Progress>("notifications/progress", "Reports the progress of a request."),
    wire::notice<LogMessage>("notifications/message", "Carries a log message."),
    wire::notice<ResourceUpdated>("notifications/resources/updated", "Reports a change of a resource."),
    wire::notice<Notification>("notifications/tools/list_changed", "Reports a change of the tool list."),
    wire::notice<Notification>("notifications/resources/list_changed", "Reports a change of the resource list."),
    wire::notice<Notification>("notifications/prompts/list_changed", "Reports a change of the prompt list."),
    wire::notice<Notification>("notifications/roots/list_changed", "Reports a change of the client's folders."),
    wire::notice<SubscriptionAcknowledged>("notifications/subscriptions/acknowledged",
                                           "Confirms the kinds of changes that the server reports."),
    wire::notice<ElicitationComplete>("notifications/elicitation/complete",
                                      "Reports that the person finished the page of a question."));

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
