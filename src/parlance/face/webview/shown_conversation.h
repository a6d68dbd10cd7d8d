// SPDX-License-Identifier: Apache-2.0
// The conversation that a webview shows, one at a time: its messages so far in the state, later events as chunks, the waiting
// requests by number, and the webview's prompts. Loop thread only; all arguments must outlive the object, and the object its tasks.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "parlance/async/scope.h"
#include "parlance/face/webview/chunks.h"
#include "parlance/face/webview/settings.h"
#include "parlance/hub/follower.h"
#include "parlance/hub/user_hub.h"
#include "parlance/protocol/webview/messages.h"
#include "parlance/transport/frames.h"

namespace parlance::face {

class ShownConversation {
 public:
  ShownConversation(Loop& loop, hub::UserHub hub, const WebviewSettings& settings, Frames& webview);

  // Starts to follow the hub and the shown conversation; repeatable. `code_chunks`: of webview::Ready, from the next `show` on.
  void start(bool code_chunks);
  bool started() const { return watcher_ != nullptr; }

  // Sends the state with all messages so far; later events follow as chunks, without a gap. Empty: the newest conversation.
  Task<void> show(std::string id);
  const std::string& id() const { return current_; }  // empty: none
  const hub::Conversation* conversation() const { return hub_.find(current_); }

  // Without messages: nothing for an unchanged state.
  void send_state(std::optional<std::vector<webview::Message>> messages = std::nullopt);
  void send_chunk(webview::StreamChunk chunk);
  void set_workspace_folders(std::vector<std::string> folders) { workspace_folders_ = std::move(folders); }
  const std::vector<std::string>& workspace_folders() const { return workspace_folders_; }

  // The webview shows the text already.
  Task<Result<void>> prompt(std::string text, std::vector<hub::Attachment> attachments, std::vector<hub::PromptContext> context);
  // Errors: not_found (not open).
  Result<hub::Ask> ask_of(webview::RequestId request) const;
  // Answers a plan without a request of the agent (webview::synthetic_request): starts another turn, or none. Errors: not_found (no
  // such plan), invalid_params (feedback without text).
  Task<Result<void>> answer_plan(webview::PlanOption option, std::string feedback);

 private:
  Task<void> follow();
  bool anything() const;
  Task<void> send_events();
  void send_event(const hub::Event& event);
  bool remove_own(const hub::event::UserMessage& said);
  std::optional<webview::RequestId> request_of(const hub::Ask& ask);
  std::string newest() const;

  Loop& loop_;
  hub::UserHub hub_;
  const WebviewSettings& settings_;
  Frames& webview_;

  bool code_chunks_ = false;
  std::string current_;        // empty: none yet
  std::uint64_t showing_ = 0;  // number of changes of the shown conversation
  std::optional<WebviewChunks> chunks_;
  std::shared_ptr<hub::Follower> follower_;
  std::vector<std::string> own_;                        // messages of this webview without a turn so far
  std::map<std::string, webview::RequestId> requests_;  // by id of the ask; a number is stable for the connection
  webview::RequestId last_request_ = 0;
  bool synthetic_open_ = false;
  std::string kept_plan_;  // the turn with an answered plan without a request

  Signal changed_;
  std::unique_ptr<hub::Watcher> watcher_;
  std::vector<std::string> workspace_folders_;
  bool state_due_ = false;
  std::string sent_state_;
  TimePoint state_at_{};
  Scope scope_;  // destroyed first
};

}  // namespace parlance::face
