// SPDX-License-Identifier: Apache-2.0
// Events of a conversation as the chunks of which a webview makes an answer. One conversation, its events in order; no threads.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "parlance/face/webview/code_fences.h"
#include "parlance/hub/conversation/event.h"
#include "parlance/protocol/webview/stream_chunk.h"

namespace parlance::face {

class WebviewChunks {
 public:
  using Chunks = std::vector<webview::StreamChunk>;
  // What an ask is called in this connection; none: it waits for nobody any more, and is not shown.
  using RequestOf = std::function<std::optional<webview::RequestId>(const hub::Ask& ask)>;

  WebviewChunks(bool code_chunks, RequestOf request_of) : code_chunks_(code_chunks), request_of_(std::move(request_of)) {}

  Chunks of(const hub::Event& event);
  // In the turn that ended last, or runs, the agent has handed in a plan.
  bool plan_was_asked() const { return plan_asked_; }

 private:
  struct Call {
    std::string tool{};
    std::string title{};
    std::string input_json{};
    hub::CallKind kind = hub::CallKind::other;
    std::optional<std::string> parent{};
    std::vector<hub::Location> locations{};
    std::vector<hub::ToolContent> content{};
    bool printed = false;
    std::string told{};  // of its last tool_start
    std::size_t places_told = 0;
  };
  struct Visit;
  friend struct Visit;

  void end_text(Chunks& out);
  void end_thinking(Chunks& out);
  void start(const std::string& id, Call& call, Chunks& out);
  void change(const hub::event::ToolUpdate& update, Chunks& out);
  void end(const hub::event::ToolEnd& event, Chunks& out);
  void confirm(const hub::Ask& ask, Chunks& out);
  void settle(const hub::event::AskSettled& settled, Chunks& out);

  bool code_chunks_;
  RequestOf request_of_;
  CodeFences fences_;
  bool thinking_ = false;
  bool plan_asked_ = false;
  std::map<std::string, Call> calls_;             // that run
  std::map<std::string, std::string> own_calls_;  // made for an ask that is about none: by its id
};

// What a call is shown with.
webview::Icon webview_icon(hub::CallKind kind);

}  // namespace parlance::face
