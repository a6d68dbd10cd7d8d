// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/agent/history.h"

#include <algorithm>
#include <utility>

#include "parlance/hub/conversation/event.h"

namespace parlance::hub {
namespace {

constexpr std::size_t picture_weight = 6 << 10;  // per picture in a history: 1,500 tokens of four bytes

}  // namespace

// Searches back to the last prompt only: the calls of a turn end with the turn.
History::Call* History::find(const std::string& id) {
  for (auto message = messages_.rbegin(); message != messages_.rend() && message->role != Role::user; ++message)
    for (Call& call : message->calls)
      if (call.call.id == id) return &call;
  return nullptr;
}

// Ids may repeat in later turns: only a call after the last prompt can be the same call.
History::Call* History::interrupted(const std::string& id) {
  for (auto message = messages_.rbegin(); message != messages_.rend() && message->role != Role::user; ++message)
    for (Call& call : message->calls)
      if (call.call.id == id && (!call.ended || call.state == ToolEndState::cancelled)) return &call;
  return nullptr;
}

// Text after a call belongs to the answer after the call's result.
History::Message& History::assistant_for_text() {
  if (messages_.empty() || messages_.back().role != Role::assistant || !messages_.back().calls.empty())
    messages_.push_back({.role = Role::assistant});
  return messages_.back();
}

void History::add(const Event& event) {
  if (std::holds_alternative<event::TurnStart>(event.body)) {
    turn_began_ = true;
  } else if (const auto* said = std::get_if<event::UserMessage>(&event.body)) {
    add_prompt(*said, event.seq);
  } else if (const auto* text = std::get_if<event::Text>(&event.body)) {
    if (std::exchange(turn_began_, false)) messages_.push_back({.role = Role::assistant});
    assistant_for_text().content += text->text;
    bytes_ += text->text.size();
  } else if (const auto* started = std::get_if<event::ToolStart>(&event.body)) {
    add_call(*started);
  } else if (const auto* updated = std::get_if<event::ToolUpdate>(&event.body)) {
    update_call(*updated);
  } else if (const auto* output = std::get_if<event::ToolOutput>(&event.body)) {
    if (Call* call = find(output->call); call != nullptr && !output->progress.value_or(false)) {
      call->output += output->text;
      bytes_ += output->text.size();
    }
  } else if (const auto* ended = std::get_if<event::ToolEnd>(&event.body)) {
    if (Call* call = find(ended->call)) {
      call->ended = true;
      call->state = ended->state;
    }
  } else if (const auto* asked = std::get_if<event::ToolConfirmation>(&event.body)) {
    if (asked->ask.call) ask_calls_.emplace_back(asked->ask.id, *asked->ask.call);
  } else if (const auto* settled = std::get_if<event::AskSettled>(&event.body)) {
    const auto asked_about = std::ranges::find(ask_calls_, settled->ask, &std::pair<std::string, std::string>::first);
    if (asked_about == ask_calls_.end()) return;
    if (Call* call = find(asked_about->second)) call->note = settled->text.value_or("");
    ask_calls_.erase(asked_about);
  } else if (std::holds_alternative<event::Cleared>(event.body)) {
    clear();
  }
}

void History::clear() {
  identity_.reset();
  messages_.clear();
  ask_calls_.clear();
  bytes_ = 0;
  after_others_ = false;
  turn_began_ = false;
}

void History::add_prompt(const event::UserMessage& said, std::uint64_t event) {
  Message message{.role = Role::user,
                  .content = context_block(said.context.value_or(std::vector<PromptContext>{})),
                  .event = event,
                  .attachments = said.attachments.value_or(std::vector<AttachmentInfo>{})};
  message.words_at = message.content.size();
  message.content += said.text;
  bytes_ += message.content.size();
  messages_.push_back(std::move(message));
  turn_began_ = false;
  if (most_bytes_ != 0 && bytes_ > most_bytes_) forget_oldest();
}

std::size_t History::bytes_of(const Message& message) {
  std::size_t bytes = message.content.size();
  for (const Call& call : message.calls)
    bytes +=
        call.call.arguments_json.size() + std::max(call.output.size(), call.shown.size()) + call.pictures.size() * picture_weight;
  return bytes;
}

// Removes whole turns; the rest begins with a prompt. Recounts the bytes, because a call announced twice was added twice.
void History::forget_oldest() {
  identity_.reset();
  bytes_ = 0;
  for (const Message& message : messages_) bytes_ += bytes_of(message);
  auto kept = messages_.begin();
  const auto newest = messages_.end() - 1;
  while (kept != newest && bytes_ > most_bytes_ / 2) {
    do bytes_ -= bytes_of(*kept++);
    while (kept != newest && kept->role != Role::user);
  }
  after_others_ = after_others_ || kept != messages_.begin();
  messages_.erase(messages_.begin(), kept);
}

void History::add_call(const event::ToolStart& start) {
  if (start.parent) return;
  bytes_ += start.input_json.size();
  ToolCall call{.id = start.call, .tool = start.tool, .arguments_json = start.input_json.empty() ? "{}" : start.input_json};
  if (Call* again = interrupted(start.call)) {
    *again = Call{.call = std::move(call)};  // resumed in a new turn: earlier output does not count
    turn_began_ = false;
    return;
  }
  const bool new_message = std::exchange(turn_began_, false) || messages_.empty() || messages_.back().role != Role::assistant ||
                           std::ranges::any_of(messages_.back().calls, &Call::ended);
  if (new_message) messages_.push_back({.role = Role::assistant});
  messages_.back().calls.push_back(Call{.call = std::move(call)});
}

// Titles, places and changed files are for people.
void History::update_call(const event::ToolUpdate& update) {
  Call* call = find(update.call);
  if (call == nullptr) return;
  if (update.input_json) {
    bytes_ += update.input_json->size();
    call->call.arguments_json = update.input_json->empty() ? "{}" : *update.input_json;
  }
  if (update.content) {
    call->shown = text_of(*update.content);
    call->pictures.clear();
    for (const ToolContent& shown : *update.content)
      if (const auto* picture = std::get_if<ToolPicture>(&shown)) call->pictures.push_back(picture->attachment);
    bytes_ += call->shown.size() + call->pictures.size() * picture_weight;
  }
}

ToolResult History::result_of(const Call& call) {
  ToolResult result{.call = call.call.id,
                    .text = call.output.empty() ? call.shown : call.output,
                    .state = call.ended ? call.state : ToolEndState::cancelled,
                    .pictures = call.pictures};
  const auto add_line = [&](std::string_view line) {
    if (!result.text.empty() && result.text.back() != '\n') result.text += '\n';
    result.text += line;
  };
  switch (result.state) {
    case ToolEndState::done: break;
    case ToolEndState::failed:
      if (result.text.empty()) result.text = "failed";
      break;
    case ToolEndState::rejected:
      if (result.text.empty()) result.text = "rejected: the person does not want this call";
      if (!call.note.empty() && result.text.find(call.note) == std::string::npos) add_line("the person said: " + call.note);
      break;
    case ToolEndState::cancelled: add_line("interrupted: the call did not finish"); break;
  }
  return result;
}

void History::append(const Message& message, std::vector<ChatMessage>& to) {
  if (message.role == Role::assistant && message.content.empty() && message.calls.empty()) return;
  ChatMessage& chat = to.emplace_back(ChatMessage{.role = message.role,
                                                  .content = message.content,
                                                  .words_at = message.words_at,
                                                  .event = message.event,
                                                  .attachments = message.attachments});
  if (message.calls.empty()) return;
  ChatMessage results{.role = Role::tool};
  for (const Call& call : message.calls) {
    chat.calls.push_back(call.call);
    results.results.push_back(result_of(call));
  }
  to.push_back(std::move(results));
}

std::vector<ChatMessage> History::messages() const {
  std::vector<ChatMessage> out;
  out.reserve(messages_.size() + static_cast<std::size_t>(std::ranges::count_if(
                                     messages_, [](const Message& message) { return !message.calls.empty(); })));
  for (const Message& message : messages_) append(message, out);
  if (!out.empty()) out.front().after_others = after_others_;
  return out;
}

// Events change messages behind the newest prompt only (find, interrupted), so a mark before the prompt stays true.
HistoryPart History::since(const HistoryMark& mark) {
  std::size_t newest = messages_.size();
  while (newest > 0 && messages_[newest - 1].role != Role::user) --newest;
  newest -= std::min<std::size_t>(newest, 1);
  if (identity_ == nullptr) identity_ = std::make_shared<const char>();
  HistoryPart part{.continues = mark.history == identity_ && mark.at <= newest, .mark = {identity_, newest}};
  const std::size_t first = part.continues ? mark.at : 0;
  part.messages.reserve(messages_.size() - first);
  for (std::size_t i = first; i < messages_.size(); ++i) {
    if (i == newest) part.settled = part.messages.size();
    append(messages_[i], part.messages);
  }
  if (!part.messages.empty()) part.messages.front().after_others = after_others_;
  return part;
}

std::vector<ChatMessage> history_of(std::span<const Event> events) {
  History history;
  for (const Event& event : events) history.add(event);
  return history.messages();
}

Occasion occasion_of(std::span<const ChatMessage> messages) {
  for (auto message = messages.rbegin(); message != messages.rend(); ++message)
    if (message->role == Role::user) return {.said = message->content.substr(message->words_at), .event = message->event};
  return {};
}

}  // namespace parlance::hub
