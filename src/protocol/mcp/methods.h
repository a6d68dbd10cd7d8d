// What servers ask of clients, notifications, and the names of all methods of the Model Context Protocol. Values; any thread.
#pragma once

#include "protocol/mcp/messages.h"

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
enum class ElicitAction { accept, decline, cancel };
constexpr auto wire_names(ElicitAction) { return wire::names("accept", "decline", "cancel"); }
struct ElicitResult {
  ElicitAction action = ElicitAction::cancel;
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

inline constexpr Call<InitializeParams, InitializeResult> initialize{"initialize", "Begins a connection, before 2026-07-28."};
inline constexpr Call<NoParams, DiscoverResult> discover{"server/discover", "What the server is and can do."};
inline constexpr Call<NoParams, EmptyResult> ping{"ping", "Is anybody there? Before 2026-07-28."};
inline constexpr Call<ListParams, ListToolsResult> list_tools{"tools/list", "The tools."};
inline constexpr Call<CallToolParams, CallToolResult> call_tool{"tools/call", "Uses a tool."};
inline constexpr Call<ListParams, ListResourcesResult> list_resources{"resources/list", "The resources."};
inline constexpr Call<ListParams, ListTemplatesResult> list_templates{"resources/templates/list", "Patterns of resources."};
inline constexpr Call<ReadResourceParams, ReadResourceResult> read_resource{"resources/read", "Reads a resource."};
inline constexpr Call<SubscribeParams, EmptyResult> subscribe{"resources/subscribe", "Tell when it changes; before 2026-07-28."};
inline constexpr Call<SubscribeParams, EmptyResult> unsubscribe{"resources/unsubscribe", "No longer; before 2026-07-28."};
inline constexpr Call<ListParams, ListPromptsResult> list_prompts{"prompts/list", "The prompts."};
inline constexpr Call<GetPromptParams, GetPromptResult> get_prompt{"prompts/get", "Fills in a prompt."};
inline constexpr Call<CompleteParams, CompleteResult> complete{"completion/complete", "Completes an argument."};
inline constexpr Call<SetLevelParams, EmptyResult> set_level{"logging/setLevel", "Log from this level on; before 2026-07-28."};
inline constexpr Call<ListenParams, EmptyResult> listen{"subscriptions/listen",
                                                        "Tells changes for as long as it runs; 2026-07-28."};

inline constexpr Call<CreateMessageParams, CreateMessageResult> create_message{"sampling/createMessage",
                                                                               "Asks the client's model."};
inline constexpr Call<ElicitParams, ElicitResult> elicit{"elicitation/create", "Asks the person."};
inline constexpr Call<NoParams, ListRootsResult> list_roots{"roots/list", "The client's folders."};

inline constexpr Notice<Notification> initialized{"notifications/initialized", "The client is ready."};
inline constexpr Notice<Progress> progress{"notifications/progress", "How far a request is."};
inline constexpr Notice<LogMessage> message{"notifications/message", "A log message."};
inline constexpr Notice<ResourceUpdated> resource_updated{"notifications/resources/updated", "A resource changed."};
inline constexpr Notice<Notification> tools_changed{"notifications/tools/list_changed", "The list of tools changed."};
inline constexpr Notice<Notification> resources_changed{"notifications/resources/list_changed", "The list of resources changed."};
inline constexpr Notice<Notification> prompts_changed{"notifications/prompts/list_changed", "The list of prompts changed."};
inline constexpr Notice<Notification> roots_changed{"notifications/roots/list_changed", "The client's folders changed."};
inline constexpr Notice<SubscriptionAcknowledged> acknowledged{"notifications/subscriptions/acknowledged", "What will be told."};
inline constexpr Notice<ElicitationComplete> elicitation_complete{"notifications/elicitation/complete", "The person is done."};

inline constexpr std::string_view cancelled = "notifications/cancelled";

}  // namespace method

}  // namespace parlance::mcp
