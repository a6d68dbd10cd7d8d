// SPDX-License-Identifier: Apache-2.0
#include "parlance/driver/page/page_commands.h"

#include <concepts>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

namespace parlance::driver {
namespace {

template <class Command, class Messages>
struct RequestFor : std::type_identity<void> {};
template <class Command, class First, class... Others>
struct RequestFor<Command, std::variant<First, Others...>> : RequestFor<Command, std::variant<Others...>> {};
template <class Command, class First, class... Others>
  requires std::same_as<typename First::Command, Command>
struct RequestFor<Command, std::variant<First, Others...>> : std::type_identity<First> {};

std::vector<page::AttachedFile> files_of(std::vector<hub::Attachment> attachments) {
  std::vector<page::AttachedFile> files;
  for (hub::Attachment& attachment : attachments)
    files.push_back({.name = std::move(attachment.about.name),
                     .media_type = std::move(attachment.about.media_type),
                     .data = {std::move(attachment.data)}});
  return files;
}

// The parts of an answer, by the result of its command.
Result<hub::Prompted> read(GatewayCopy&, page::PromptedValue value) {
  return hub::Prompted{.turn = std::move(value.turn).value_or(""), .queued = std::move(value.queued).value_or("")};
}
Result<hub::Prompted> read(GatewayCopy& copy, const page::AskValue& value) {
  PARLANCE_TRY_DO(copy.put_ask(value.ask));
  return hub::Prompted{};
}
Result<hub::Prompted> read(GatewayCopy& copy, const page::ConversationValue& value) {
  PARLANCE_TRY_DO(copy.put_row(value.conversation));
  return hub::Prompted{};
}
Result<hub::Prompted> read(GatewayCopy&, wire::Nothing) { return hub::Prompted{}; }

template <class Command>
Task<Result<hub::Prompted>> send(GatewayConnection& gateway, GatewayCopy& copy, std::string conversation, Command& command) {
  using Message = RequestFor<Command, decltype(page::PageMessage::value)>::type;
  if constexpr (std::same_as<Command, hub::PrepareAgent>) {
    co_return hub::Prompted{};  // the prompt does the preparation too
  } else if constexpr (std::is_void_v<Message>) {
    co_return fail(Errc::unknown_method,
                   "a gateway does not take the command " + std::string(Command::tag) + " from another machine");
  } else {
    Message message;
    if constexpr (page::NamesConversation<Message>) message.conversation = std::move(conversation);
    if constexpr (std::same_as<Message, page::Prompt>) message.attachments = files_of(std::move(command.attachments));
    message.command = std::move(command);
    if constexpr (std::same_as<Message, page::Answer>) {  // the first answer counts
      PARLANCE_CO_TRY(value, co_await gateway.repeat(std::move(message)));
      co_return read(copy, std::move(value));
    } else {
      PARLANCE_CO_TRY(value, co_await gateway.call(std::move(message)));
      co_return read(copy, std::move(value));
    }
  }
}

}  // namespace

Task<Result<hub::Prompted>> execute_at(GatewayConnection& gateway, GatewayCopy& copy, hub::Submission from) {
  co_return co_await std::visit([&](auto& command) { return send(gateway, copy, std::move(from.conversation), command); },
                                from.command);
}

}  // namespace parlance::driver
