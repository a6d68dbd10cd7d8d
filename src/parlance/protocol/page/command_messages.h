// SPDX-License-Identifier: Apache-2.0
// Commands to conversations (hub/conversation/command.h) as requests of the page. The fields are the commands' own
// (wire_form/command_tables.h), under the names of the page.
#pragma once

#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "parlance/hub/conversation/command.h"
#include "parlance/protocol/page/values.h"
#include "parlance/wire_form/command_tables.h"

namespace parlance::page {

// The value of `done` after a command with this result.
template <class Result>
struct ValueAfter;
template <>
struct ValueAfter<void> : std::type_identity<Nothing> {};
template <>
struct ValueAfter<hub::Prompted> : std::type_identity<PromptedValue> {};
template <>
struct ValueAfter<hub::Conversation> : std::type_identity<ConversationValue> {};
template <>
struct ValueAfter<hub::Ask> : std::type_identity<AskValue> {};

template <class C>
struct CommandRequest {
  using Command = C;
  using Value = ValueAfter<typename C::Result>::type;
  std::string request{};
  C command{};
};
template <class M>
concept CarriesCommand = requires { typename M::Command; };

// Names its conversation; the others name a request of an agent.
template <class C>
struct ConversationRequest : CommandRequest<C> {
  static constexpr std::string_view conversation_doc = request_doc::conversation;
  std::string conversation{};
};
template <class M>
concept NamesConversation = CarriesCommand<M> && requires(M m) { m.conversation; };

struct AttachedFile {
  std::string name{};
  std::string media_type{};
  wire::Blob data{};
  static constexpr auto wire = fields(field<&AttachedFile::name>("name", "File name for people. May be empty."),
                                      field<&AttachedFile::media_type>("media_type", "Media type, such as image/png."),
                                      field<&AttachedFile::data>("data", "Bytes of the file, base64."));
};

struct Prompt : ConversationRequest<hub::SendPrompt> {
  static constexpr std::string_view tag = "prompt";
  std::vector<AttachedFile> attachments{};  // in place of the command's
};
struct Withdraw : ConversationRequest<hub::WithdrawPrompt> {
  static constexpr std::string_view tag = "withdraw";
};
struct Stop : ConversationRequest<hub::StopTurn> {
  static constexpr std::string_view tag = "stop";
};
struct GoOn : ConversationRequest<hub::ResumeQueue> {
  static constexpr std::string_view tag = "go_on";
  static constexpr std::string_view conversation_doc = "Id of a conversation with a held queue.";
};
struct RestartAgent : ConversationRequest<hub::RestartAgent> {
  static constexpr std::string_view tag = "restart";
  static constexpr std::string_view conversation_doc = "Id of a conversation whose agent process died.";
};
struct Answer : CommandRequest<hub::AnswerRequest> {
  static constexpr std::string_view tag = "answer";
};
struct Reask : CommandRequest<hub::RepeatRequest> {
  static constexpr std::string_view tag = "reask";
};
struct SetConversation : ConversationRequest<hub::ChangeSettings> {
  static constexpr std::string_view tag = "set";
};
struct SetOption : ConversationRequest<hub::SetOption> {
  static constexpr std::string_view tag = "set_option";
};
struct ClearConversation : ConversationRequest<hub::ClearConversation> {
  static constexpr std::string_view tag = "clear";
  static constexpr std::string_view conversation_doc =
      "Id of the conversation. Messages are hidden, and the agent starts a new session.";
};
struct DeleteConversation : ConversationRequest<hub::RemoveConversation> {
  static constexpr std::string_view tag = "delete";
};

// ---- fields -------------------------------------------------------------------------------------------------------------------

template <class M>
inline constexpr auto command_fields = wire::inlined<M, &M::command>();
template <>
inline constexpr auto command_fields<Prompt> =
    fields(wire::inlined<Prompt, &Prompt::command>(),
           field<&Prompt::attachments>("attachments", "Attached files, within `attachment_limits`.").or_default());
template <>
inline constexpr auto command_fields<Withdraw> =
    fields(wire::field_in<Withdraw, &Withdraw::command, &hub::WithdrawPrompt::prompt>("queued", "Id of the queued prompt."));
template <>
inline constexpr auto command_fields<SetConversation> =
    wire::inlined<SetConversation, &SetConversation::command, &hub::ChangeSettings::changes>();
// Without `by`: the gateway knows the user of the connection.
template <>
inline constexpr auto command_fields<Answer> =
    fields(wire::field_in<Answer, &Answer::command, &hub::AnswerRequest::request>("ask", "Id of the request for a person."),
           wire::without("by", wire::inlined<Answer, &Answer::command, &hub::AnswerRequest::answer>()));
template <>
inline constexpr auto command_fields<Reask> =
    fields(wire::field_in<Reask, &Reask::command, &hub::RepeatRequest::request>("ask", "Id of an orphaned request."));

}  // namespace parlance::page

namespace parlance::wire {

template <page::CarriesCommand M>
struct Describe<M> {
  static constexpr Field request = field<&M::request, M>("request", page::request_doc::request);
  static constexpr auto wire = [] {
    constexpr auto command = leaving_out_empty(page::command_fields<M>);
    if constexpr (page::NamesConversation<M>)
      return fields(request, field<&M::conversation, M>("conversation", M::conversation_doc), command);
    else return fields(request, command);
  }();
};

}  // namespace parlance::wire
