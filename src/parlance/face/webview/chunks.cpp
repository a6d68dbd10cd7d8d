// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/webview/chunks.h"

#include <algorithm>
#include <array>
#include <utility>

#include "parlance/adapter/acp/tool_input.h"
#include "parlance/codec/json/typed.h"
#include "parlance/face/webview/answers.h"
#include "parlance/hub/conversation/ask_options.h"
#include "parlance/hub/conversation/event.h"

namespace parlance::face {
namespace {

using namespace webview;

constexpr std::array icons{"📖", "✏️", "🗑️", "📦", "🔍", "💻", "💭", "🌐", "🔀", "🔧"};
static_assert(icons.size() == static_cast<std::size_t>(hub::CallKind::other) + 1);

ConfirmationType confirmation_of(hub::CallKind kind, std::string_view tool) {
  if (tool.starts_with("mcp__")) return ConfirmationType::mcp;
  switch (kind) {
    case hub::CallKind::edit:
    case hub::CallKind::delete_:
    case hub::CallKind::move: return ConfirmationType::edit;
    case hub::CallKind::execute: return ConfirmationType::execute;
    case hub::CallKind::fetch: return ConfirmationType::fetch;
    default: return ConfirmationType::other;
  }
}

// All content of the approval.
std::string description_of(const hub::Ask& ask) {
  std::string text = ask.title;
  const auto add = [&text](std::string_view more) {
    if (more.empty() || more == text) return;
    if (!text.empty()) text += "\n\n";
    text += more;
  };
  add(ask.detail.value_or(""));
  if (ask.plan) add(*ask.plan);
  add(ask.why);
  return text;
}

std::vector<Question> questions_of(const hub::Ask& ask) {
  std::vector<Question> all;
  const std::vector<std::string> keys = hub::question_keys(ask);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const hub::Question& original = (*ask.questions)[i];
    Question question{.question = original.question, .header = keys[i], .multi_select = original.multiple};
    for (const hub::QuestionOption& option : original.options)
      question.options.push_back({.label = option.label, .description = option.description});
    all.push_back(std::move(question));
  }
  return all;
}

// A webview builds its fields from an object.
json::Value input_of(const std::string& title, const std::string& input_json, const std::vector<hub::ToolContent>& content,
                     const std::vector<hub::Location>& locations, std::optional<std::string>& label) {
  adapter::ToolCallParts parts{.args = json::parse_or_null(input_json), .label = title};
  for (const hub::ToolContent& tool_content : content) {
    const auto* diff = std::get_if<hub::Diff>(&tool_content);
    if (diff == nullptr) continue;
    parts.content_type = "diff";
    parts.path = diff->path;
    parts.old_text = diff->before;
    parts.new_text = diff->after;
    break;
  }
  if (!locations.empty()) parts.location = locations.front().path;
  adapter::ToolInput made = adapter::enrich_tool_input(std::move(parts));
  label = std::move(made.label);
  return std::move(made.input);
}

chunk::Plan plan_of(const hub::event::Plan& from) {
  chunk::Plan plan;
  for (const hub::PlanEntry& entry : from.entries)
    plan.entries.push_back({.content = entry.content,
                            .status = static_cast<PlanStatus>(entry.status),
                            .priority = static_cast<PlanPriority>(entry.priority)});
  return plan;
}

}  // namespace

Icon webview_icon(hub::CallKind kind) { return {.type = IconType::emoji, .value = icons[static_cast<std::size_t>(kind)]}; }

void WebviewChunks::end_text(Chunks& out) {
  if (code_chunks_) fences_.end(out);
}

void WebviewChunks::end_thinking(Chunks& out) {
  if (std::exchange(thinking_, false)) out.push_back({chunk::ThinkingEnd{}});
}

// ---- calls ---------------------------------------------------------------------------------------------------------------

// Sent again only after a change.
void WebviewChunks::start(const std::string& id, Call& call, Chunks& out) {
  chunk::ToolStart start{.tool_id = id, .name = call.tool, .icon = webview_icon(call.kind), .parent_id = call.parent};
  start.input.json = json::to_text(input_of(call.title, call.input_json, call.content, call.locations, start.label));
  if (std::string text = json::to_text(start); text != call.sent_start) {
    call.sent_start = std::move(text);
    out.push_back({std::move(start)});
  }
  for (; call.locations_sent < call.locations.size(); ++call.locations_sent) {
    const hub::Location& place = call.locations[call.locations_sent];
    out.push_back({chunk::FileRef{.path = place.path, .line_start = place.line}});
  }
}

void WebviewChunks::change(const hub::event::ToolUpdate& update, Chunks& out) {
  const auto found = calls_.find(update.call);
  if (found == calls_.end()) return;
  Call& call = found->second;
  if (update.title) call.title = *update.title;
  if (update.kind) call.kind = *update.kind;
  if (update.input_json) call.input_json = *update.input_json;
  if (update.content) call.content = *update.content;
  if (update.locations) {
    if (*update.locations != call.locations) call.locations_sent = 0;
    call.locations = *update.locations;
  }
  start(update.call, call, out);
}

// Content counts as output, unless the call has printed output.
void WebviewChunks::end(const hub::event::ToolEnd& event, Chunks& out) {
  auto node = calls_.extract(event.call);
  if (node.empty()) return;
  Call& call = node.mapped();
  std::string text = call.printed ? "" : hub::text_of(call.content);
  if (text.empty() && !call.printed && event.state == hub::ToolEndState::rejected) text = "Rejected.";
  if (text.empty() && !call.printed && event.state == hub::ToolEndState::cancelled) text = "Cancelled.";
  if (!text.empty()) out.push_back({chunk::ToolOutput{.tool_id = event.call, .content = std::move(text)}});
  const bool done = event.state == hub::ToolEndState::done;
  out.push_back(
      {chunk::ToolEnd{.tool_id = event.call, .status = done ? chunk::ToolResult::completed : chunk::ToolResult::error}});
}

// ---- asks ----------------------------------------------------------------------------------------------------------------

// A request without a call gets a call: a webview shows requests at tools.
void WebviewChunks::confirm(const hub::Ask& ask, Chunks& out) {
  const auto request = request_of_(ask);
  if (!request) return;
  const std::string id = ask.call.value_or(ask.id);
  const auto known = calls_.find(id);
  if (known == calls_.end() && !ask.call) {
    Call& own = calls_[id] = {.tool = ask.tool.value_or("permission"), .title = ask.title};
    own_calls_[ask.id] = id;
    start(id, own, out);
  }
  const auto call = calls_.find(id);
  const std::string tool = ask.tool.value_or(call != calls_.end() ? call->second.tool : "");
  out.push_back({chunk::ToolConfirmation{
      .request_id = *request,
      .tool_id = call != calls_.end() ? id : "",
      .tool_name = tool,
      .description = description_of(ask),
      .confirmation_type = confirmation_of(call != calls_.end() ? call->second.kind : hub::CallKind::other, tool),
      .options = webview_options(ask)}});
}

void WebviewChunks::settle(const hub::event::AskSettled& settled, Chunks& out) {
  const auto own = own_calls_.extract(settled.ask);
  if (own.empty()) return;
  const bool answered = settled.state == hub::AskState::answered;
  end({.call = own.mapped(), .state = answered ? hub::ToolEndState::done : hub::ToolEndState::cancelled}, out);
}

// ---- other events ----------------------------------------------------------------------------------------------------------

// The visitor names each kind, so a new kind does not compile without a decision.
struct WebviewChunks::Visit {
  WebviewChunks& self;
  Chunks& out;
  void operator()(const hub::event::TurnStart&) const { self.plan_asked_ = false; }
  void operator()(const hub::event::UserMessage&) const {}  // a separate message
  void operator()(const hub::event::Text& piece) const {
    self.end_thinking(out);
    if (self.code_chunks_) self.fences_.take(piece.text, out);
    else out.push_back({chunk::Text{piece.text}});
  }
  void operator()(const hub::event::ThinkingStart&) const { think(); }
  void operator()(const hub::event::ThinkingContent& piece) const {
    think();
    out.push_back({chunk::ThinkingContent{piece.text}});
  }
  void operator()(const hub::event::ThinkingEnd&) const { self.end_thinking(out); }
  void operator()(const hub::event::ToolStart& event) const {
    between();
    Call& call = self.calls_[event.call] = {
        .tool = event.tool, .title = event.title, .input_json = event.input_json, .kind = event.kind, .parent = event.parent};
    call.locations = event.locations.value_or(std::vector<hub::Location>{});
    self.start(event.call, call, out);
  }
  void operator()(const hub::event::ToolUpdate& update) const { self.change(update, out); }
  void operator()(const hub::event::ToolOutput& piece) const {
    const auto found = self.calls_.find(piece.call);
    if (found == self.calls_.end()) return;
    found->second.printed = true;
    out.push_back({chunk::ToolOutput{.tool_id = piece.call, .content = piece.text}});
  }
  void operator()(const hub::event::ToolEnd& event) const { self.end(event, out); }
  void operator()(const hub::event::ToolConfirmation& tool_confirmation) const {
    between();
    self.confirm(tool_confirmation.ask, out);
  }
  void operator()(const hub::event::UserQuestion& user_question) const {
    between();
    if (const auto request = self.request_of_(user_question.ask))
      out.push_back({chunk::UserQuestion{.request_id = *request, .questions = questions_of(user_question.ask)}});
  }
  void operator()(const hub::event::PlanApproval& plan_approval) const {
    between();
    self.plan_asked_ = true;
    if (const auto request = self.request_of_(plan_approval.ask))
      out.push_back({chunk::PlanApproval{.request_id = *request,
                                         .plan = plan_approval.ask.plan.value_or(plan_approval.ask.detail.value_or(""))}});
  }
  void operator()(const hub::event::AskSettled& ask_settled) const { self.settle(ask_settled, out); }
  void operator()(const hub::event::Plan& plan) const {
    if (!plan.entries.empty()) out.push_back({plan_of(plan)});
  }
  void operator()(const hub::event::Usage&) const {}
  void operator()(const hub::event::ModeChanged&) const {}    // part of the state
  void operator()(const hub::event::OptionChanged&) const {}  // not part of the protocol
  void operator()(const hub::event::Commands&) const {}       // part of the state
  void operator()(const hub::event::Cleared&) const {
    self.calls_.clear();
    self.own_calls_.clear();
  }
  void operator()(const hub::event::Notice& notice) const {
    if (notice.level == hub::NoticeLevel::info) return;
    out.push_back({chunk::Warning{notice.detail.empty() ? notice.text : notice.text + ": " + notice.detail}});
  }
  void operator()(const hub::event::Failure& failure) const {
    between();
    out.push_back({chunk::Failure{.code = failure.code, .message = hub::failure_in_words(failure)}});
  }
  void operator()(const hub::event::TurnEnd&) const { between(); }

  void think() const {
    self.end_text(out);
    if (!std::exchange(self.thinking_, true)) out.push_back({chunk::ThinkingStart{}});
  }
  void between() const {
    self.end_text(out);
    self.end_thinking(out);
  }
};

WebviewChunks::Chunks WebviewChunks::of(const hub::Event& event) {
  Chunks out;
  std::visit(Visit{*this, out}, static_cast<const hub::AnyEvent&>(event.body));
  return out;
}

}  // namespace parlance::face
