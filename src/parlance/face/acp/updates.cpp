// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/acp/updates.h"

#include <algorithm>
#include <array>
#include <utility>

#include "parlance/base/base64.h"
#include "parlance/base/utf8.h"
#include "parlance/codec/json/value.h"
#include "parlance/hub/conversation/event.h"
#include "parlance/protocol/acp/errors.h"
#include "parlance/protocol/jsonrpc/dialect.h"

namespace parlance::face {
namespace {

// An update replaces the earlier content, so a growing output is sent again as a whole: first with every piece, later after each
// growth by half. The sent total stays a small multiple of the output.
constexpr std::size_t output_sent_whole = 8 << 10;
// Limit of a call's output: the beginning is cut. A person does not read more beside a conversation.
constexpr std::size_t most_output = 256 << 10;

constexpr std::array kinds{acp::ToolKind::read,        acp::ToolKind::edit,    acp::ToolKind::remove, acp::ToolKind::move,
                           acp::ToolKind::search,      acp::ToolKind::execute, acp::ToolKind::think,  acp::ToolKind::fetch,
                           acp::ToolKind::switch_mode, acp::ToolKind::other};
static_assert(kinds.size() == static_cast<std::size_t>(hub::CallKind::other) + 1);

acp::ToolKind kind_of(hub::CallKind kind) { return kinds[static_cast<std::size_t>(kind)]; }

wire::Open<acp::ToolStatus> status(acp::ToolStatus what) { return {.value = what}; }

std::vector<acp::ToolLocation> places(const std::vector<hub::Location>& from) {
  std::vector<acp::ToolLocation> all;
  for (const hub::Location& location : from) {
    acp::ToolLocation place{.path = location.path};
    if (location.line) place.line = static_cast<std::uint32_t>(*location.line);
    all.push_back(std::move(place));
  }
  return all;
}

acp::Content picture(const hub::AttachmentInfo& about, const AcpUpdates::Pictures& pictures) {
  if (const auto found = pictures.find(about.id); found != pictures.end())
    return {acp::ImageContent{.data = to_base64(found->second.data), .mime_type = about.media_type}};
  return {acp::ResourceLink{.uri = about.url.value_or("attachment:" + about.id),
                            .name = about.name.empty() ? about.media_type : about.name,
                            .mime_type = about.media_type}};
}

// Terminals of the hub are unknown to the client: their output arrives as output of the call.
std::vector<acp::ToolContent> contents(const std::vector<hub::ToolContent>& from, const AcpUpdates::Pictures& pictures) {
  std::vector<acp::ToolContent> all;
  for (const hub::ToolContent& content : from) {
    if (const auto* text = std::get_if<hub::ToolText>(&content)) all.push_back(acp_tool_text(text->text));
    if (const auto* diff = std::get_if<hub::Diff>(&content)) all.push_back(acp_diff(*diff));
    if (const auto* shown = std::get_if<hub::ToolPicture>(&content))
      all.push_back({acp::ToolText{.content = picture(shown->attachment, pictures)}});
  }
  return all;
}

std::string_view word(hub::NoticeLevel level) {
  switch (level) {
    case hub::NoticeLevel::info: return "info";
    case hub::NoticeLevel::warning: return "warning";
    case hub::NoticeLevel::error: return "error";
  }
  return "info";
}

acp::Plan plan_of(const hub::event::Plan& from) {
  acp::Plan plan;
  for (const hub::PlanEntry& entry : from.entries)
    plan.entries.push_back({.content = entry.content,
                            .priority = {.value = static_cast<acp::PlanPriority>(entry.priority)},
                            .status = {.value = static_cast<acp::PlanStatus>(entry.status)}});
  return plan;
}

acp::AvailableCommandsUpdate commands_of(const hub::event::Commands& from) {
  acp::AvailableCommandsUpdate update;
  for (const hub::SlashCommand& slash_command : from.commands) {
    acp::AvailableCommand command{.name = slash_command.name, .description = slash_command.description};
    if (slash_command.hint) command.input = acp::CommandInput{.hint = *slash_command.hint};
    update.available_commands.push_back(std::move(command));
  }
  return update;
}

}  // namespace

acp::ToolContent acp_diff(const hub::Diff& diff) {
  return {acp::ToolDiff{.path = diff.path, .old_text = diff.before, .new_text = diff.after.value_or("")}};
}

acp::ToolContent acp_tool_text(std::string text) { return {acp::ToolText{.content = acp::text(std::move(text))}}; }

std::string fenced(const std::string& text) {
  std::size_t longest = 0;
  std::size_t run = 0;
  for (const char c : text) longest = std::max(longest, run = c == '`' ? run + 1 : 0);
  const std::string fence(std::max<std::size_t>(3, longest + 1), '`');
  return fence + "\n" + text + (text.ends_with('\n') ? "" : "\n") + fence;
}

// ---- text -----------------------------------------------------------------------------------------------------------------

void AcpUpdates::say(Updates& out, std::string text, bool thought) {
  if (message_.empty() || thinks_ != thought) message_ = "msg-" + std::to_string(seq_);
  thinks_ = thought;
  acp::Chunk chunk{.content = acp::text(std::move(text)), .message_id = message_};
  if (thought) out.push_back({acp::AgentThoughtChunk{std::move(chunk)}});
  else out.push_back({acp::AgentMessageChunk{std::move(chunk)}});
}

// ---- calls ---------------------------------------------------------------------------------------------------------------

void AcpUpdates::begin(const hub::event::ToolStart& start, Updates& out) {
  const bool again = calls_.contains(start.call);  // interrupted, and requested again
  Call& call = calls_[start.call] = {};
  call.sent = {.tool_call_id = start.call,
               .title = start.title.empty() ? start.tool : start.title,
               .kind = wire::Open<acp::ToolKind>{.value = kind_of(start.kind)},
               .status = status(acp::ToolStatus::pending),
               .raw_input = {.json = start.input_json},
               .name = start.tool};
  if (settings_.iflow) call.sent.tool_name = start.tool;
  if (start.locations) call.sent.locations = places(*start.locations);
  if (again) out.push_back({call.sent});
  else out.push_back({acp::ToolCall{call.sent}});
}

std::vector<acp::ToolContent> AcpUpdates::shown(const Call& call) const {
  std::vector<acp::ToolContent> all = call.sent.content.value_or(std::vector<acp::ToolContent>{});
  if (call.output.empty()) return all;
  std::string text = call.output_cut == 0 ? "" : "[" + std::to_string(call.output_cut) + " bytes before this are left out]\n";
  text += call.output;
  all.push_back(acp_tool_text(settings_.iflow ? std::move(text) : fenced(text)));
  return all;
}

void AcpUpdates::change(const hub::event::ToolUpdate& update, const Pictures& pictures, Updates& out) {
  const auto found = calls_.find(update.call);
  if (found == calls_.end()) return;
  acp::ToolCallUpdate& reported = found->second.sent;
  acp::ToolCallUpdate change{.tool_call_id = update.call};
  if (update.title) change.title = reported.title = update.title;
  if (update.kind) change.kind = reported.kind = wire::Open<acp::ToolKind>{.value = kind_of(*update.kind)};
  if (update.status)
    change.status = reported.status =
        status(*update.status == hub::CallStatus::running ? acp::ToolStatus::in_progress : acp::ToolStatus::pending);
  if (update.input_json) change.raw_input.json = reported.raw_input.json = *update.input_json;
  if (update.locations) change.locations = reported.locations = places(*update.locations);
  if (update.content) {
    reported.content = contents(*update.content, pictures);
    change.content = shown(found->second);
    found->second.output_sent = found->second.output.size();
  }
  out.push_back({std::move(change)});
}

void AcpUpdates::print(const hub::event::ToolOutput& piece, Updates& out) {
  const auto found = calls_.find(piece.call);
  if (found == calls_.end()) return;
  Call& call = found->second;
  call.output += piece.text;
  if (call.output.size() > most_output) {
    const std::size_t cut = utf8_prefix(call.output, call.output.size() - most_output / 2).size();
    call.output.erase(0, cut);
    call.output_cut += cut;
    call.output_sent = 0;
  }
  if (call.output.size() > output_sent_whole && call.output.size() < call.output_sent + call.output_sent / 2) return;
  call.output_sent = call.output.size();
  acp::ToolCallUpdate change{.tool_call_id = piece.call, .content = shown(call)};
  if (call.sent.status && call.sent.status->value == acp::ToolStatus::pending)
    change.status = call.sent.status = status(acp::ToolStatus::in_progress);
  out.push_back({std::move(change)});
}

void AcpUpdates::end(const hub::event::ToolEnd& event, Updates& out) {
  auto node = calls_.extract(event.call);
  if (node.empty()) return;
  Call& call = node.mapped();
  const bool done = event.state == hub::ToolEndState::done;
  acp::ToolCallUpdate change{.tool_call_id = event.call,
                             .status = status(done ? acp::ToolStatus::completed : acp::ToolStatus::failed)};
  bool more = call.output_sent != call.output.size();
  std::vector<acp::ToolContent> all = shown(call);
  if (!done && all.empty()) {
    all.push_back(acp_tool_text(event.state == hub::ToolEndState::rejected    ? "Rejected."
                                : event.state == hub::ToolEndState::cancelled ? "Cancelled."
                                                                              : "Failed."));
    more = true;
  }
  if (more) change.content = std::move(all);
  out.push_back({std::move(change)});
}

acp::ToolCallUpdate AcpUpdates::call(const std::string& id) const {
  const auto found = calls_.find(id);
  if (found == calls_.end()) return {.tool_call_id = id};
  acp::ToolCallUpdate whole = found->second.sent;
  if (auto all = shown(found->second); !all.empty()) whole.content = std::move(all);
  return whole;
}

// ---- asks ----------------------------------------------------------------------------------------------------------------

// A request without a call needs a visible position at the client: the function creates a call for it.
void AcpUpdates::asked(const hub::Ask& ask, acp::ToolKind kind, Updates& out) {
  if (ask.call) {
    call_of_[ask.id] = *ask.call;
    return;
  }
  call_of_[ask.id] = ask.id;
  Call& call = calls_[ask.id] = {};
  call.ask = ask.id;
  call.sent = {.tool_call_id = ask.id,
               .title = ask.title,
               .kind = wire::Open<acp::ToolKind>{.value = kind},
               .status = status(acp::ToolStatus::pending)};
  out.push_back({acp::ToolCall{call.sent}});
}

void AcpUpdates::settled(const hub::event::AskSettled& event, Updates& out) {
  auto node = call_of_.extract(event.ask);
  if (node.empty()) return;
  const auto found = calls_.find(node.mapped());
  if (found == calls_.end()) return;
  if (!found->second.ask.empty()) {
    const bool answered = event.state == hub::AskState::answered;
    out.push_back({acp::ToolCallUpdate{.tool_call_id = event.ask,
                                       .status = status(answered ? acp::ToolStatus::completed : acp::ToolStatus::failed)}});
    calls_.erase(found);
  }
}

// ---- other events ----------------------------------------------------------------------------------------------------------

void AcpUpdates::count(const hub::event::Usage& usage, Updates& out) {
  if (!usage_) usage_.emplace();
  const auto add = [](std::optional<std::uint64_t>& sum, const std::optional<std::uint64_t>& more) {
    if (more) sum = sum.value_or(0) + *more;
  };
  usage_->input_tokens += usage.input_tokens;
  usage_->output_tokens += usage.output_tokens;
  usage_->total_tokens += usage.input_tokens + usage.output_tokens;
  add(usage_->cached_read_tokens, usage.cache_read_tokens);
  add(usage_->cached_write_tokens, usage.cache_write_tokens);
  if (usage.cost) cost_[usage.cost->currency] += usage.cost->amount;
  if (!usage.context) return;
  acp::UsageUpdate update{.used = usage.context->used, .size = usage.context->size};
  if (cost_.size() == 1) update.cost = acp::Cost{.amount = cost_.begin()->second, .currency = cost_.begin()->first};
  out.push_back({std::move(update)});
}

std::optional<acp::TurnUsage> AcpUpdates::take_usage() { return std::exchange(usage_, std::nullopt); }

void AcpUpdates::notice(std::string severity, std::string title, std::string description, Updates& out) {
  if (!settings_.notices) {  // no stable update of ACP carries a notice, and a hidden warning is useless
    if (severity == "info") return;
    say(out, "> " + title + (description.empty() ? "" : "\n>\n> " + description) + "\n\n", false);
    return message_.clear();
  }
  acp::NoticeUpdate update{.severity = std::move(severity), .title = std::move(title)};
  if (!description.empty()) update.description = std::move(description);
  out.push_back({std::move(update)});
}

// The visitor names each kind, so a new kind does not compile without a decision.
std::vector<acp::Update> AcpUpdates::of(const hub::Event& event, const Pictures& pictures) {
  Updates out;
  seq_ = event.seq;
  const bool grows =
      std::holds_alternative<hub::event::Text>(event.body) || std::holds_alternative<hub::event::ThinkingContent>(event.body);
  if (!grows && !std::holds_alternative<hub::event::Usage>(event.body)) message_.clear();
  struct Visit {
    AcpUpdates& self;
    const Pictures& pictures;
    Updates& out;
    void operator()(const hub::event::TurnStart&) const { self.usage_.reset(); }
    void operator()(const hub::event::UserMessage&) const {}  // only the session knows the author's client
    void operator()(const hub::event::Text& piece) const { self.say(out, piece.text, false); }
    void operator()(const hub::event::ThinkingStart&) const {}
    void operator()(const hub::event::ThinkingContent& piece) const { self.say(out, piece.text, true); }
    void operator()(const hub::event::ThinkingEnd&) const {}
    void operator()(const hub::event::ToolStart& start) const { self.begin(start, out); }
    void operator()(const hub::event::ToolUpdate& update) const { self.change(update, pictures, out); }
    void operator()(const hub::event::ToolOutput& piece) const { self.print(piece, out); }
    void operator()(const hub::event::ToolEnd& end) const { self.end(end, out); }
    void operator()(const hub::event::ToolConfirmation& tool_confirmation) const {
      self.asked(tool_confirmation.ask, acp::ToolKind::other, out);
    }
    void operator()(const hub::event::UserQuestion&) const {}  // a form; or permissions with calls of their own
    void operator()(const hub::event::PlanApproval& plan_approval) const {
      self.asked(plan_approval.ask, acp::ToolKind::switch_mode, out);
    }
    void operator()(const hub::event::AskSettled& ask_settled) const { self.settled(ask_settled, out); }
    void operator()(const hub::event::Plan& plan) const { out.push_back({plan_of(plan)}); }
    void operator()(const hub::event::Usage& usage) const { self.count(usage, out); }
    void operator()(const hub::event::ModeChanged&) const {}    // reported with the conversation's row,
    void operator()(const hub::event::OptionChanged&) const {}  // … with all options
    void operator()(const hub::event::Commands& commands) const { out.push_back({commands_of(commands)}); }
    void operator()(const hub::event::Cleared&) const {
      self.calls_.clear();
      self.notice("info", "The conversation was cleared", "The agent knows nothing any more of what is above.", out);
    }
    void operator()(const hub::event::Notice& notice) const {
      if (!hub::is_own_act(notice)) self.notice(std::string(word(notice.level)), notice.text, notice.detail, out);
    }
    // Without notices the error reply to the prompt reports the failure.
    void operator()(const hub::event::Failure& failure) const {
      if (self.settings_.notices) self.notice("error", failure.message, failure.detail, out);
    }
    void operator()(const hub::event::TurnEnd&) const {}  // the answer to the prompt
  };
  std::visit(Visit{*this, pictures, out}, static_cast<const hub::AnyEvent&>(event.body));
  return out;
}

Error acp_error(const std::optional<hub::event::Failure>& failure) {
  if (!failure) return {.code = Errc::failed, .message = "The turn ended with an error."};
  json::Object data;
  data.set("code", failure->code);
  if (hub::failure_in_words(*failure) != failure->message) data.set("details", failure->detail);  // clients show details as text
  data.set("retryable", failure->retryable);
  return jsonrpc::with_code(acp::code::internal, failure->message, json::to_text(json::Value(std::move(data))));
}

}  // namespace parlance::face
