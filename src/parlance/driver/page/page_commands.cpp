// SPDX-License-Identifier: Apache-2.0
#include "parlance/driver/page/page_commands.h"

#include <utility>

#include "parlance/wire_form/event_tables.h"

namespace parlance::driver {
namespace {

page::Access to_page(hub::Access access) {
  switch (access) {
    case hub::Access::view: return page::Access::view;
    case hub::Access::team: return page::Access::team;
    case hub::Access::private_: break;
  }
  return page::Access::private_;
}

hub::Prompted to_hub(page::PromptedValue value) {
  return {.turn = std::move(value.turn).value_or(""), .queued = std::move(value.queued).value_or("")};
}

std::vector<page::AttachedFile> to_page(std::vector<hub::Attachment> attachments) {
  std::vector<page::AttachedFile> files;
  for (hub::Attachment& attachment : attachments)
    files.push_back({.name = std::move(attachment.about.name),
                     .media_type = std::move(attachment.about.media_type),
                     .data = {std::move(attachment.data)}});
  return files;
}

std::vector<page::PromptContext> to_page(std::vector<hub::PromptContext> context) {
  std::vector<page::PromptContext> places;
  for (hub::PromptContext& place : context) {
    places.push_back({.path = std::move(place.path), .text = std::move(place.text)});
    if (place.range) places.back().range = page::LineRange{.first = place.range->first, .last = place.range->last};
  }
  return places;
}

// An overload for each command of the page: sends its request, and reads the value.
class Sender {
 public:
  Sender(GatewayConnection& gateway, GatewayCopy& copy, std::string conversation)
      : gateway_(gateway), copy_(copy), conversation_(std::move(conversation)) {}

  Task<Result<hub::Prompted>> send(hub::SendPrompt& command) {
    page::Prompt message{.conversation = conversation_, .text = std::move(command.text)};
    if (!command.attachments.empty()) message.attachments = to_page(std::move(command.attachments));
    if (!command.context.empty()) message.context = to_page(std::move(command.context));
    if (command.options != hub::PromptOptions{}) message.options = wire::Raw{.json = json::to_text(command.options)};
    PARLANCE_CO_TRY(value, co_await gateway_.call(std::move(message)));
    co_return to_hub(std::move(value));
  }
  Task<Result<hub::Prompted>> send(hub::RepeatRequest& command) {
    PARLANCE_CO_TRY(value, co_await gateway_.call(page::Reask{.ask = std::move(command.request)}));
    co_return to_hub(std::move(value));
  }
  Task<Result<hub::Prompted>> send(hub::AnswerRequest& command) {
    hub::Answer& given = command.answer;
    page::Answer message{.ask = std::move(command.request),
                         .digest = std::move(given.digest),
                         .option = std::move(given.option),
                         .text = std::move(given.text),
                         .edited = std::move(given.edited)};
    if (!given.answers.empty()) message.answers = std::move(given.answers);
    PARLANCE_CO_TRY(value, co_await gateway_.repeat(std::move(message)));  // the first answer counts
    PARLANCE_CO_TRY_DO(copy_.put_ask(value.ask));
    co_return hub::Prompted{};
  }
  Task<Result<hub::Prompted>> send(hub::ChangeSettings& command) {
    hub::ConversationChanges& changes = command.changes;
    page::SetConversation message{.conversation = conversation_,
                                  .title = std::move(changes.title),
                                  .model = std::move(changes.model),
                                  .think = changes.think,
                                  .archived = changes.archived};
    if (changes.mode) message.mode = driver::to_page(*changes.mode);
    if (changes.access) message.access = to_page(*changes.access);
    co_return co_await take_row(std::move(message));
  }
  Task<Result<hub::Prompted>> send(hub::SetOption& command) {
    co_return co_await take_row(
        page::SetOption{.conversation = conversation_, .option = std::move(command.option), .value = std::move(command.value)});
  }
  Task<Result<hub::Prompted>> send(hub::StopTurn& command) {
    page::Stop message{.conversation = conversation_};
    if (command.only_own) message.only_own = true;
    co_return co_await take_nothing(std::move(message));
  }
  Task<Result<hub::Prompted>> send(hub::WithdrawPrompt& command) {
    co_return co_await take_nothing(page::Withdraw{.conversation = conversation_, .queued = std::move(command.prompt)});
  }
  Task<Result<hub::Prompted>> send(hub::RestartAgent&) {
    co_return co_await take_nothing(page::RestartAgent{.conversation = conversation_});
  }
  Task<Result<hub::Prompted>> send(hub::ResumeQueue&) {
    co_return co_await take_nothing(page::GoOn{.conversation = conversation_});
  }
  Task<Result<hub::Prompted>> send(hub::ClearConversation&) {
    co_return co_await take_nothing(page::ClearConversation{.conversation = conversation_});
  }
  Task<Result<hub::Prompted>> send(hub::RemoveConversation&) {
    co_return co_await take_nothing(page::DeleteConversation{.conversation = conversation_});
  }
  // The prompt does the preparation too.
  Task<Result<hub::Prompted>> send(hub::PrepareAgent&) { co_return hub::Prompted{}; }
  // The page's protocol has no request for this command.
  template <class Command>
  Task<Result<hub::Prompted>> send(Command&) {
    co_return fail(Errc::unknown_method,
                   "a gateway does not take the command " + std::string(Command::tag) + " from another machine");
  }

 private:
  template <class Message>
  Task<Result<hub::Prompted>> take_row(Message message) {
    PARLANCE_CO_TRY(value, co_await gateway_.call(std::move(message)));
    PARLANCE_CO_TRY_DO(copy_.put_row(value.conversation));
    co_return hub::Prompted{};
  }
  template <class Message>
  Task<Result<hub::Prompted>> take_nothing(Message message) {
    PARLANCE_CO_TRY_DO(co_await gateway_.call(std::move(message)));
    co_return hub::Prompted{};
  }

  GatewayConnection& gateway_;
  GatewayCopy& copy_;
  std::string conversation_;
};

}  // namespace

page::Mode to_page(hub::Mode mode) {
  switch (mode) {
    case hub::Mode::default_: return page::Mode::default_;
    case hub::Mode::auto_edit: return page::Mode::auto_edit;
    case hub::Mode::yolo: return page::Mode::yolo;
    case hub::Mode::plan: return page::Mode::plan;
    case hub::Mode::smart: return page::Mode::smart;
  }
  return page::Mode::default_;
}

Task<Result<hub::Prompted>> execute_at(GatewayConnection& gateway, GatewayCopy& copy, hub::Submission from) {
  Sender sender(gateway, copy, std::move(from.conversation));
  co_return co_await std::visit([&](auto& command) { return sender.send(command); }, from.command);
}

}  // namespace parlance::driver
