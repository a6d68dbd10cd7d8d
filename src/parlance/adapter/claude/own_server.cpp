// SPDX-License-Identifier: Apache-2.0
#include "parlance/adapter/claude/own_server.h"

#include <utility>

#include "parlance/protocol/mcp/http_headers.h"

namespace parlance::adapter {
namespace {

constexpr const char* answer_to_a_notice = R"({"jsonrpc":"2.0","result":{},"id":0})";  // in the words of the SDK's hosts

}  // namespace

// In the frame of the waiting call: a cancelled call removes its entry.
struct ClaudeOwnServer::Asked {
  Asked(ClaudeOwnServer& of, std::string with) : owner(of), id(std::move(with)) { owner.asked_[id] = this; }
  ~Asked() {
    if (const auto here = owner.asked_.find(id); here != owner.asked_.end() && here->second == this) owner.asked_.erase(here);
  }
  Asked(const Asked&) = delete;
  Asked& operator=(const Asked&) = delete;
  ClaudeOwnServer& owner;
  std::string id;
  std::string answer{};
};

ClaudeOwnServer::ClaudeOwnServer(std::unique_ptr<mcp::Server> server)
    : server_(std::move(server)), answered_(server_->loop()), scope_(server_->loop()) {
  auto frames = std::make_unique<MessageFrames>(server_->loop(), server_->settings().info.name,
                                                [this](const std::string& frame) { take_answer(frame); });
  frames_ = frames.get();
  scope_.start(serve(std::move(frames)));
}

Task<void> ClaudeOwnServer::serve(std::unique_ptr<Frames> frames) {
  ended_ = co_await server_->serve(std::move(frames));
  frames_ = nullptr;
  answered_.notify_all();
}

// A notification (a changed list) has no waiter and is ignored: the offered tools stay the same.
void ClaudeOwnServer::take_answer(const std::string& frame) {
  const auto outline = mcp::outline(frame);
  if (!outline || !outline->method.empty()) return;
  const auto asked = asked_.find(outline->id_json);
  if (asked == asked_.end()) return;
  asked->second->answer = frame;
  answered_.notify_all();
}

Task<Result<claude::McpReply>> ClaudeOwnServer::answer(claude::McpMessage message) {
  PARLANCE_CO_TRY(outline, mcp::outline(message.message.json));
  if (ended_) co_return fail(*ended_);
  if (outline.method.empty() || outline.id_json.empty()) {
    frames_->receive(std::move(message.message.json));
    co_return claude::McpReply{{answer_to_a_notice}};
  }
  Asked asked(*this, outline.id_json);
  frames_->receive(std::move(message.message.json));
  while (asked.answer.empty() && !ended_) co_await answered_.wait();
  if (asked.answer.empty()) co_return fail(*ended_);
  co_return claude::McpReply{{std::move(asked.answer)}};
}

}  // namespace parlance::adapter
