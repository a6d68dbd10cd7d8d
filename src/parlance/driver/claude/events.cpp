// SPDX-License-Identifier: Apache-2.0
#include "parlance/driver/claude/events.h"

#include <algorithm>

#include "parlance/adapter/claude/proposal.h"
#include "parlance/base/secret.h"
#include "parlance/codec/json/reader.h"
#include "parlance/codec/json/typed.h"
#include "parlance/hub/conversation/event.h"
#include "parlance/protocol/claude/host.h"

namespace parlance::driver {
namespace {

using claude::StreamLine;
using json::Reader;
using json::Token;

// The text of a tool's result: a string, or the texts among blocks.
std::string result_text(const json::Value* content) {
  if (content == nullptr) return "";
  if (const std::string* text = content->text()) return *text;
  std::string all;
  if (const json::Array* blocks = content->array()) {
    for (const json::Value& block : *blocks) {
      if (!all.empty()) all += '\n';
      const std::string_view type = block.text_or("type", "");
      if (type == "text") all += block.text_or("text", "");
      else all += "[" + std::string(type) + "]";
    }
  }
  return all;
}

hub::event::ToolStart start_of(const std::string& id, const adapter::ClaudeCall& call) {
  return {.call = id,
          .tool = call.tool,
          .title = adapter::claude_title(call),
          .input_json = json::to_text(call.input),
          .kind = adapter::claude_call_kind(call.tool),
          .locations = adapter::claude_locations(call)};
}

}  // namespace

void ClaudeEvents::line(const StreamLine& line) {
  if (line.type == "stream_event") partial(line);
  else if (line.type == "assistant") assistant(line);
  else if (line.type == "user") user(line);
  else if (line.type == "system") system(line);
  else if (line.type == "result") {
    end_thinking();
    auto result = json::from_text<claude::TurnResult>(line.json, {.known_utf8 = true});
    if (!result) result = claude::TurnResult{.subtype = std::string(line.subtype), .is_error = line.subtype != "success"};
    sink_.result(*std::move(result));
  }
}

void ClaudeEvents::turn_begins() {
  streaming_ = false;
  streamed_ = 0;
  thinking_ = false;
  calls_.clear();
  refused_.clear();
  judged_.clear();
}

const adapter::ClaudeCall* ClaudeEvents::find(const std::string& call) const {
  const auto found = calls_.find(call);
  return found == calls_.end() ? nullptr : &found->second;
}

void ClaudeEvents::system(const StreamLine& line) {
  if (line.subtype != "init" && line.subtype != "status") return notice(line);
  const auto init = json::from_text<claude::SystemInit>(line.json, {.known_utf8 = true});
  if (!init) return;
  if (line.subtype == "init" && !init->session_id.empty()) sink_.session(init->session_id);
  if (!init->permission_mode.empty()) sink_.permission_mode(init->permission_mode);
}

// Notices for people: at any time, also between turns.
void ClaudeEvents::notice(const StreamLine& line) {
  const auto message = json::parse(line.json);
  if (!message) return;
  const auto emit = [&](hub::NoticeLevel level, std::string text) {
    if (!text.empty()) sink_.emit(hub::event::Notice{.level = level, .text = std::move(text)});
  };
  using Level = hub::NoticeLevel;
  if (line.subtype == "informational") {
    const std::string_view level = message->text_or("level", "");
    emit(level == "error"     ? Level::error
         : level == "warning" ? Level::warning
                              : Level::info,
         std::string(message->text_or("content", "")));
  } else if (line.subtype == "notification") {
    emit(Level::info, std::string(message->text_or("text", "")));
  } else if (line.subtype == "task_started") {
    if (const std::string call(message->text_or("tool_use_id", "")); !call.empty())
      calls_of_agents_.keep(std::string(message->text_or("task_id", "")), call);
  } else if (line.subtype == "task_notification") {  // the end of a background task
    const std::string_view status = message->text_or("status", "completed");
    emit(status == "failed" ? Level::warning : Level::info,
         "Background task " + std::string(status) + ": " +
             std::string(message->text_or("summary", message->text_or("task_id", ""))));
  } else if (line.subtype == "compact_boundary") {
    emit(Level::info, "Claude Code has made what was said before shorter for itself.");
  }
}

void ClaudeEvents::partial(const StreamLine& line) {
  if (!line.parent.empty()) return;  // sub-agents report only whole blocks
  Reader reader(line.event);
  std::string_view type;
  std::string_view change;
  for (bool more = reader.enter_object(); more; more = reader.next_member()) {
    if (reader.key() == "type") reader.skip(&type);
    else if (reader.key() == "delta") reader.skip(&change);
    else reader.skip();
  }
  if (type == "\"content_block_delta\"") {
    delta(change);
  } else if (type == "\"content_block_start\"" || type == "\"message_start\"") {
    streaming_ = true;
    streamed_ = 0;
  } else if (type == "\"content_block_stop\"") {
    end_thinking();
    streaming_ = false;
  }
}

void ClaudeEvents::delta(std::string_view json) {
  Reader reader(json);
  std::string_view type;
  std::string_view piece;
  for (bool more = reader.enter_object(); more; more = reader.next_member()) {
    const std::string_view key = reader.key();
    if (key == "type") reader.skip(&type);
    else if (key == "text" || key == "thinking") reader.skip(&piece);
    else reader.skip();
  }
  if (piece.empty() || piece.front() != '"') return;
  scratch_.clear();
  Reader(piece).read_text(scratch_);
  streamed_ += scratch_.size();
  if (type == "\"text_delta\"") text(scratch_);
  else if (type == "\"thinking_delta\"") thought(scratch_);
}

void ClaudeEvents::text(std::string_view piece) {
  end_thinking();
  if (!piece.empty()) sink_.emit(hub::event::Text{std::string(piece)});
}

void ClaudeEvents::thought(std::string_view piece) {
  if (piece.empty()) return;
  if (!std::exchange(thinking_, true)) sink_.emit(hub::event::ThinkingStart{});
  sink_.emit(hub::event::ThinkingContent{std::string(piece)});
}

void ClaudeEvents::end_thinking() {
  if (std::exchange(thinking_, false)) sink_.emit(hub::event::ThinkingEnd{});
}

// A line per block. The line precedes the stop event of a streamed block, and repeats its whole content.
void ClaudeEvents::assistant(const StreamLine& line) {
  const auto message = json::parse(line.message);
  const json::Value* content = message ? message->find("content") : nullptr;
  if (content == nullptr) return;
  if (line.parent.empty()) sink_.answered(*message);
  const auto rest = [&](std::string_view whole) {
    const std::size_t streamed = streaming_ ? std::min(streamed_, whole.size()) : 0;
    streamed_ = 0;
    return whole.substr(streamed);
  };
  if (const std::string* whole = content->text()) return text(rest(*whole));
  if (content->array() == nullptr) return;
  for (const json::Value& block : *content->array()) {
    const std::string_view type = block.text_or("type", "");
    if (type == "tool_use") {
      end_thinking();
      tool_use(block, line.parent);
    } else if (!line.parent.empty()) {
      // A sub-agent talks to its caller: its text is output of its call.
      if (type == "text" && calls_.contains(line.parent))
        sink_.emit(hub::event::ToolOutput{std::string(line.parent), std::string(block.text_or("text", "")) + "\n"});
    } else if (type == "text") {
      text(rest(block.text_or("text", "")));
    } else if (type == "thinking") {
      thought(rest(block.text_or("thinking", "")));
      end_thinking();
    }
  }
}

void ClaudeEvents::tool_use(const json::Value& block, std::string_view parent) {
  adapter::ClaudeCall call{.tool = std::string(block.text_or("name", "")), .input = json::Object{}};
  if (const json::Value* input = block.find("input")) call.input = *input;
  const std::string id(block.text_or("id", ""));
  if (id.empty()) return;
  hub::event::ToolStart start = start_of(id, call);
  if (!parent.empty()) start.parent = std::string(parent);
  // A request preceded the stream's begin of the call: this completes the announcement.
  if (calls_.contains(id))
    sink_.emit(
        hub::event::ToolUpdate{.call = id, .title = start.title, .input_json = start.input_json, .locations = start.locations});
  else sink_.emit(std::move(start));
  if (auto plan = adapter::claude_plan(call)) sink_.emit(hub::event::Plan{.entries = *std::move(plan)});
  calls_.insert_or_assign(id, std::move(call));
}

std::string ClaudeEvents::announce(const adapter::ClaudeCall& call, const std::optional<std::string>& id,
                                   std::string_view agent) {
  if (id && calls_.contains(*id)) return *id;
  const std::string name = id ? *id : make_id("call_");
  hub::event::ToolStart start = start_of(name, call);
  if (const std::string* const parent = agent.empty() ? nullptr : calls_of_agents_.find(agent)) start.parent = *parent;
  sink_.emit(std::move(start));
  calls_.insert_or_assign(name, call);
  return name;
}

void ClaudeEvents::user(const StreamLine& line) {
  const auto all = json::parse(line.json);
  const json::Value* message = all ? all->find("message") : nullptr;
  const json::Value* content = message != nullptr ? message->find("content") : nullptr;
  if (content == nullptr || content->array() == nullptr) return;
  for (const json::Value& block : *content->array())
    if (block.text_or("type", "") == "tool_result")
      tool_result(block, all->find(all->find("tool_use_result") != nullptr ? "tool_use_result" : "toolUseResult"));
}

void ClaudeEvents::tool_result(const json::Value& block, const json::Value* detail) {
  const std::string id(block.text_or("tool_use_id", ""));
  const auto call = calls_.find(id);
  if (call == calls_.end()) return;
  const bool failed = block.boolean_or("is_error", false);
  if (std::string output = result_text(block.find("content")); !output.empty())
    sink_.emit(hub::event::ToolOutput{id, std::move(output)});
  hub::event::ToolEnd end{.call = id, .state = hub::ToolEndState::done};
  if (refused_.contains(id)) end.state = hub::ToolEndState::rejected;
  else if (failed && !answered_.contains(id)) end.state = hub::ToolEndState::failed;
  else if (detail != nullptr) {
    if (auto diff = adapter::claude_diff(*detail))
      sink_.emit(hub::event::ToolUpdate{.call = id, .content = std::vector<hub::ToolContent>{*std::move(diff)}});
  }
  if (!failed && !judged_.contains(id)) sink_.ran_unjudged(call->second.tool);
  sink_.emit(std::move(end));
  calls_.erase(call);
  judged_.erase(id);
  refused_.erase(id);
  answered_.erase(id);
}

bool stands_alone(const hub::EventBody& body) {
  return std::holds_alternative<hub::event::Notice>(body) || std::holds_alternative<hub::event::Text>(body) ||
         std::holds_alternative<hub::event::Plan>(body) || std::holds_alternative<hub::event::Commands>(body);
}

bool turn_continues_after(BytesView lost_line) {
  constexpr std::string_view types[] = {"assistant", "user", "stream_event", "system"};
  return std::ranges::any_of(
      types, [&](std::string_view type) { return lost_line.starts_with(R"({"type":")" + std::string(type) + '"'); });
}

}  // namespace parlance::driver
