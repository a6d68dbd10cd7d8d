// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/webview/state.h"

#include <algorithm>
#include <array>
#include <utility>

#include "parlance/adapter/acp/plan_mode.h"
#include "parlance/adapter/acp/prompt.h"
#include "parlance/base/utf8.h"
#include "parlance/face/webview/limits.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/conversation/event.h"
#include "parlance/hub/runtime/snapshot.h"

namespace parlance::face {
namespace {

using namespace webview;

constexpr std::array modes{Mode::default_, Mode::auto_edit, Mode::yolo, Mode::plan, Mode::smart};
static_assert(modes.size() == static_cast<std::size_t>(hub::Mode::smart) + 1);

webview::ConversationState to_state(const hub::Conversation& row) {
  webview::ConversationState state{.id = row.id,
                                   .title = row.title,
                                   .agent = row.agent,
                                   .mode = to_webview(row.mode),
                                   .think = row.think,
                                   .model = row.model,
                                   .workspace_folder = row.folder,
                                   .is_streaming = row.state != hub::ConversationState::idle,
                                   .pending = row.open_asks,
                                   .created_at = row.created_at};
  for (const hub::QueuedPrompt& prompt : row.queued) state.queued.push_back(prompt.text);
  return state;
}

AgentState to_state(const hub::AgentInfo& info) {
  AgentState state{.id = info.id,
                   .name = info.name,
                   .available = info.state != hub::Health::down,
                   .diagnostics = info.detail,
                   .models = info.models,
                   .scripted = info.scripted};
  for (const hub::Mode mode : info.modes) state.modes.push_back(to_webview(mode));
  for (const hub::SlashCommand& command : info.commands.value_or(std::vector<hub::SlashCommand>{}))
    state.commands.push_back({.name = command.name, .description = command.description, .hint = command.hint});
  return state;
}

// Two pieces of the same text are one in history.
bool join(StreamChunk& before, const StreamChunk& next) {
  const auto append = [&]<class Piece>(std::type_identity<Piece>) {
    auto* const a = std::get_if<Piece>(&before.value);
    const auto* const b = std::get_if<Piece>(&next.value);
    if (a == nullptr || b == nullptr) return false;
    if constexpr (requires { a->tool_id; })
      if (a->tool_id != b->tool_id) return false;
    a->content += b->content;
    return true;
  };
  return append(std::type_identity<chunk::Text>{}) || append(std::type_identity<chunk::ThinkingContent>{}) ||
         append(std::type_identity<chunk::CodeContent>{}) || append(std::type_identity<chunk::ToolOutput>{});
}

}  // namespace

Mode to_webview(hub::Mode mode) { return modes[static_cast<std::size_t>(mode)]; }

hub::Mode to_hub(Mode mode) { return static_cast<hub::Mode>(std::ranges::find(modes, mode) - modes.begin()); }

std::vector<hub::PromptContext> to_context(const IdeContext& context) {
  std::vector<hub::PromptContext> places;
  using Has = wire::Nullable<Selection>::State;
  if (context.selection.state == Has::value) {
    const Selection& selected = context.selection.value;
    const std::uint64_t first = std::max<std::uint64_t>(1, selected.line_start);
    places.push_back({.path = selected.file_path,
                      .range = hub::LineRange{.first = first, .last = std::max(first, selected.line_end)},
                      .text = std::string(utf8_prefix(selected.text, adapter::prompt_selection_bytes))});
  }
  if (context.active_file.state == wire::Nullable<ActiveFile>::State::value &&
      (places.empty() || places.front().path != context.active_file.value.path))
    places.push_back({.path = context.active_file.value.path});
  return places;
}

const hub::AgentInfo* webview_agent(const std::vector<hub::AgentInfo>& agents, std::string_view wanted) {
  auto found = std::ranges::find(agents, wanted, &hub::AgentInfo::id);
  if (found == agents.end())
    found = std::ranges::find_if(agents, [](const hub::AgentInfo& agent) { return agent.state != hub::Health::down; });
  if (found == agents.end()) found = agents.begin();
  return found == agents.end() ? nullptr : &*found;
}

std::vector<hub::Conversation> webview_list(const hub::UserHub& hub, const hub::Conversation* shown) {
  const std::string id = shown == nullptr ? "" : shown->id;
  std::vector<hub::Conversation> all;
  std::string before;
  do {
    hub::ConversationList page = hub.list(std::move(before), limits::webview_conversations);
    for (hub::Conversation& conversation : page.conversations)
      if (conversation.id == id || (!conversation.archived.value_or(false) && all.size() < limits::webview_conversations))
        all.push_back(std::move(conversation));
    before = std::move(page.older);
  } while (!before.empty() && all.size() < limits::webview_conversations);
  if (shown != nullptr && std::ranges::find(all, id, &hub::Conversation::id) == all.end()) all.push_back(*shown);
  return all;
}

State webview_state(const hub::UserHub& hub, const std::string& current, const std::string& chosen) {
  State state;
  const std::vector<hub::AgentInfo> agents = hub.agents();
  for (const hub::AgentInfo& agent : agents) state.agents.push_back(to_state(agent));
  const hub::Conversation* const shown = hub.find(current);
  if (shown != nullptr) {
    state.current_conversation_id = current;
    state.is_streaming = shown->state != hub::ConversationState::idle;
  }
  for (const hub::Conversation& conversation : webview_list(hub, shown)) state.conversations.push_back(to_state(conversation));
  const std::string agent = shown == nullptr ? chosen : shown->agent;
  const hub::AgentInfo* const info = webview_agent(agents, agent);
  if (info != nullptr && !chosen.empty() && agent == chosen && info->id != chosen) {
    state.cli_diagnostics = "The agent " + chosen + " is not installed here, and the setting default-agent names it.";
  } else if (info != nullptr) {
    state.cli_available = info->state != hub::Health::down;
    state.cli_diagnostics = info->detail.empty() ? info->name : info->name + ": " + info->detail;
  } else {
    state.cli_diagnostics = "There is no agent here.";
  }
  return state;
}

UserMessage to_message(const hub::event::UserMessage& said, const hub::Event& event) {
  UserMessage message{.id = std::to_string(event.seq), .content = said.text, .timestamp = event.time};
  for (const hub::AttachmentInfo& attachment : said.attachments.value_or(std::vector<hub::AttachmentInfo>{}))
    message.files.push_back(attachment.name.empty() ? attachment.media_type : attachment.name);
  return message;
}

void WebviewTranscript::add(const hub::Event& event, StreamChunk chunk) {
  auto* last = messages_.empty() ? nullptr : std::get_if<AssistantMessage>(&messages_.back().value);
  if (last == nullptr || std::exchange(begins_, false)) {
    messages_.push_back({AssistantMessage{.id = std::to_string(event.seq), .timestamp = event.time}});
    last = std::get_if<AssistantMessage>(&messages_.back().value);
  }
  if (last->chunks.empty() || !join(last->chunks.back(), chunk)) last->chunks.push_back(std::move(chunk));
}

void WebviewTranscript::add(StreamChunk chunk) { add(hub::Event{}, std::move(chunk)); }

void WebviewTranscript::take(const hub::Event& event) {
  ended_well_ = false;
  if (const auto* said = std::get_if<hub::event::UserMessage>(&event.body)) {
    if (adapter::is_reminder(said->text)) begins_ = true;
    else messages_.push_back({to_message(*said, event)});
  }
  if (std::holds_alternative<hub::event::Cleared>(event.body)) messages_.clear();
  if (const auto* end = std::get_if<hub::event::TurnEnd>(&event.body))
    ended_well_ = end->stop_reason == hub::StopReason::end_turn;
  for (StreamChunk& chunk : chunks_.of(event)) add(event, std::move(chunk));
}

}  // namespace parlance::face
