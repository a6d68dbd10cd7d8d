// SPDX-License-Identifier: Apache-2.0
// Converts events of a conversation into a webview's chunks. One conversation, events in order; no threads.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "parlance/face/webview/code_fences.h"
#include "parlance/hub/conversation/ask.h"
#include "parlance/hub/conversation/tool_event.h"
#include "parlance/protocol/webview/stream_chunk.h"

namespace parlance::hub {
struct Event;
}

namespace parlance::face {

class WebviewChunks {
 public:
  using Chunks = std::vector<webview::StreamChunk>;
  // The id of an ask in this connection; no value: the ask is settled, and is not shown.
  using RequestOf = std::function<std::optional<webview::RequestId>(const hub::Ask& ask)>;

  WebviewChunks(bool code_chunks, RequestOf request_of) : code_chunks_(code_chunks), request_of_(std::move(request_of)) {}

  Chunks of(const hub::Event& event);
  // The agent has proposed a plan in the current or last turn.
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
    std::string sent_start{};  // of the last tool_start
    std::size_t locations_sent = 0;
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
  std::map<std::string, Call> calls_;             // running calls
  std::map<std::string, std::string> own_calls_;  // calls created for asks without a call: by ask id
};

// The icon of a call.
webview::Icon webview_icon(hub::CallKind kind);

}  // namespace parlance::face
