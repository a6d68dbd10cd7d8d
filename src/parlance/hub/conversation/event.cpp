// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/conversation/event.h"

#include <array>
#include <cstdio>

namespace parlance::hub {

std::string_view to_string(CallKind kind) {
  switch (kind) {
    case CallKind::read: return "read";
    case CallKind::edit: return "edit";
    case CallKind::delete_: return "delete";
    case CallKind::move: return "move";
    case CallKind::search: return "search";
    case CallKind::execute: return "execute";
    case CallKind::think: return "think";
    case CallKind::fetch: return "fetch";
    case CallKind::switch_mode: return "switch_mode";
    case CallKind::other: return "other";
  }
  return "other";
}

std::string text_of(const std::vector<ToolContent>& content) {
  std::string all;
  for (const ToolContent& tool_content : content) {
    const auto* text = std::get_if<ToolText>(&tool_content);
    if (text == nullptr) continue;
    if (!all.empty() && !all.ends_with('\n')) all += '\n';
    all += text->text;
  }
  return all;
}

std::string in_words(const event::Usage& usage) {
  std::string text = std::to_string(usage.input_tokens) + " tokens in";
  if (usage.cache_read_tokens.value_or(0) != 0)
    text += " (" + std::to_string(*usage.cache_read_tokens) + " of them from a cache)";
  text += ", " + std::to_string(usage.output_tokens) + " out";
  if (!usage.cost) return text;
  std::array<char, 40> amount{};
  std::snprintf(amount.data(), amount.size(), ", %.4f ", usage.cost->amount);
  return text + amount.data() + usage.cost->currency;
}

std::string failure_in_words(const event::Failure& failure) {
  const bool has_words = !failure.detail.empty() && failure.detail.front() != '{' && failure.detail.front() != '[';
  return has_words ? failure.message + " (" + failure.detail + ")" : failure.message;
}

EventBody::EventBody() = default;
EventBody::EventBody(const EventBody& other) = default;
EventBody::EventBody(EventBody&& other) noexcept = default;
EventBody& EventBody::operator=(const EventBody& other) = default;
EventBody& EventBody::operator=(EventBody&& other) noexcept = default;
EventBody::~EventBody() = default;
bool operator==(const EventBody& a, const EventBody& b) {
  return static_cast<const AnyEvent&>(a) == static_cast<const AnyEvent&>(b);
}

const Ask* ask_of(const EventBody& body) {
  if (const auto* confirmation = std::get_if<event::ToolConfirmation>(&body)) return &confirmation->ask;
  if (const auto* question = std::get_if<event::UserQuestion>(&body)) return &question->ask;
  if (const auto* plan = std::get_if<event::PlanApproval>(&body)) return &plan->ask;
  return nullptr;
}

bool append_piece(EventBody& before, EventBody& next) {
  if (auto* text = std::get_if<event::Text>(&before)) {
    const auto* more = std::get_if<event::Text>(&next);
    if (more != nullptr) text->text += more->text;
    return more != nullptr;
  }
  if (auto* thought = std::get_if<event::ThinkingContent>(&before)) {
    const auto* more = std::get_if<event::ThinkingContent>(&next);
    if (more != nullptr) thought->text += more->text;
    return more != nullptr;
  }
  if (auto* output = std::get_if<event::ToolOutput>(&before)) {
    const auto* more = std::get_if<event::ToolOutput>(&next);
    if (more == nullptr || more->call != output->call || more->progress != output->progress) return false;
    output->text += more->text;
    return true;
  }
  return false;
}

namespace {

std::size_t weight_of(const std::optional<std::string>& text) { return text ? text->size() : 0; }
std::size_t weight_of(const std::optional<Diff>& diff) { return diff ? weight_of(diff->before) + weight_of(diff->after) : 0; }
std::size_t weight_of(const Ask& ask) {
  return ask.title.size() + ask.why.size() + weight_of(ask.detail) + weight_of(ask.diff) + weight_of(ask.plan);
}

std::size_t weight_of(const std::optional<std::vector<Location>>& locations) {
  std::size_t bytes = 0;
  if (locations)
    for (const Location& location : *locations) bytes += sizeof location + location.path.size();
  return bytes;
}
std::size_t weight_of(const ToolContent& content) {
  struct Item {
    std::size_t operator()(const ToolText& text) const { return text.text.size(); }
    std::size_t operator()(const Diff& diff) const { return weight_of(std::optional(diff)); }
    std::size_t operator()(const ToolTerminal& terminal) const { return terminal.terminal.size(); }
    std::size_t operator()(const ToolPicture&) const { return 0; }
  };
  return sizeof content + std::visit(Item{}, content);
}

// The visitor names every kind of event: a new kind does not compile without a weight.
struct Weigh {
  std::size_t operator()(const event::TurnStart&) const { return 0; }
  std::size_t operator()(const event::UserMessage& e) const {
    std::size_t bytes = e.text.size() + (e.attachments ? e.attachments->size() * sizeof(AttachmentInfo) : 0);
    if (e.context)
      for (const PromptContext& part : *e.context) bytes += sizeof part + part.path.size() + weight_of(part.text);
    return bytes;
  }
  std::size_t operator()(const event::Text& e) const { return e.text.size(); }
  std::size_t operator()(const event::ThinkingStart&) const { return 0; }
  std::size_t operator()(const event::ThinkingContent& e) const { return e.text.size(); }
  std::size_t operator()(const event::ThinkingEnd&) const { return 0; }
  std::size_t operator()(const event::ToolStart& e) const {
    return e.title.size() + e.input_json.size() + weight_of(e.locations);
  }
  std::size_t operator()(const event::ToolUpdate& e) const {
    std::size_t bytes = weight_of(e.title) + weight_of(e.input_json) + weight_of(e.locations);
    if (e.content)
      for (const ToolContent& content : *e.content) bytes += weight_of(content);
    return bytes;
  }
  std::size_t operator()(const event::ToolOutput& e) const { return e.text.size(); }
  std::size_t operator()(const event::ToolEnd&) const { return 0; }
  std::size_t operator()(const event::ToolConfirmation& e) const { return weight_of(e.ask); }
  std::size_t operator()(const event::UserQuestion& e) const { return weight_of(e.ask); }
  std::size_t operator()(const event::PlanApproval& e) const { return weight_of(e.ask); }
  std::size_t operator()(const event::AskSettled& e) const { return weight_of(e.text) + weight_of(e.edited); }
  std::size_t operator()(const event::Plan& e) const {
    std::size_t bytes = 0;
    for (const PlanEntry& entry : e.entries) bytes += entry.content.size();
    return bytes;
  }
  std::size_t operator()(const event::Usage& e) const { return e.models ? e.models->size() * sizeof(ModelUsage) : 0; }
  std::size_t operator()(const event::ModeChanged&) const { return 0; }
  std::size_t operator()(const event::OptionChanged&) const { return 0; }
  std::size_t operator()(const event::Commands& e) const {
    std::size_t bytes = 0;
    for (const SlashCommand& command : e.commands) bytes += sizeof command + command.name.size() + command.description.size();
    return bytes;
  }
  std::size_t operator()(const event::Cleared&) const { return 0; }
  std::size_t operator()(const event::Failure& e) const { return e.message.size() + e.detail.size(); }
  std::size_t operator()(const event::TurnEnd&) const { return 0; }
  std::size_t operator()(const event::Notice& e) const {
    return e.text.size() + e.detail.size() + (e.act ? weight_of(e.act->value) : 0);
  }
};

}  // namespace

event::Notice notice_of(std::string_view what, std::optional<std::string> value, const std::string& by) {
  Act act{.what = std::string(what), .value = std::move(value), .by = by.empty() ? std::nullopt : std::optional(by)};
  std::string text = sentence_of(act);
  return {.text = std::move(text), .act = std::move(act)};
}

std::size_t weight_of(const EventBody& body) { return sizeof(Event) + std::visit(Weigh{}, body); }

}  // namespace parlance::hub
