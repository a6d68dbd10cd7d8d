// SPDX-License-Identifier: Apache-2.0
// Writes a turn in Claude Code's format: messages of blocks, an `assistant` line per block, and with partial messages each block
// in pieces first. Sans-I/O: output goes to a function. Loop thread only.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "parlance/codec/json/value.h"
#include "parlance/hub/conversation/plan.h"
#include "parlance/protocol/claude/messages.h"

namespace parlance::face {

class ClaudeLines {
 public:
  ClaudeLines(std::function<void(std::string line)> send, std::string session_id, std::string conversation, bool partial_messages)
      : send_(std::move(send)),
        session_id_(std::move(session_id)),
        conversation_(std::move(conversation)),
        partial_(partial_messages) {}

  json::Object line(std::string type) const;                       // with session_id and a new uuid
  json::Object line(std::string type, std::uint64_t event) const;  // … with a reproducible uuid: message_uuid
  void send(json::Object line) const;
  template <class Message>
  void send(std::string type, const Message& message) const {  // a declared type, first in the line
    send_typed(std::move(type), wire::type_of<Message>(), &message);
  }

  void begin_turn(std::string model);
  void at(std::uint64_t event) { event_ = event; }               // the event behind the following output
  void piece(const std::string& kind, const std::string& text);  // text or thinking
  void end_block();
  void tool_use(const std::string& id, const std::string& tool, const json::Value& input,
                const std::optional<std::string>& parent);
  void tool_result(const std::string& id, const std::string& text, bool failed, const std::optional<std::string>& parent);
  void plan(const std::vector<hub::PlanEntry>& entries);  // as Claude Code's plan call with its result
  void end_message(std::string_view stop_reason);         // no effect without an open message
  void cut_message();                                     // interrupted: without an end
  void add(const claude::Usage& more);                    // of the current message
  // A message without a model: describes a failure, with `error` for programs.
  void instead_of_answer(const std::string& text, const std::string& error);
  void cleared() const;                  // the model has lost earlier messages
  void inform(const std::string& text);  // information for the person without effect on the turn
  void user(const std::string& text, bool synthetic);
  void user(json::Array content, const std::optional<std::string>& parent, bool synthetic = false);

  std::int64_t answers() const { return answers_; }            // messages of this turn
  void one_round_more() { ++rounds_; }                         // a further model call without a line
  std::int64_t rounds() const { return rounds_; }              // Claude Code's count of turns: the prompt, and each user line
  const std::string& last_text() const { return last_text_; }  // the last text block
  claude::Usage usage{};                                       // part of every message

 private:
  void send_typed(std::string type, const wire::Type& of, const void* message) const;
  json::Object message(json::Array content) const;
  json::Object usage_of_message() const;
  void begin_block(json::Value block);
  void delta(json::Value change);
  void stop_block();
  void begin_message();
  void send_event(json::Object event) const;
  void send_assistant(json::Value content, const std::optional<std::string>& parent, std::uint64_t event);

  std::function<void(std::string)> send_;
  std::string session_id_;
  std::string conversation_;
  bool partial_;
  std::string model_;
  std::string message_id_;
  claude::Usage of_message_{};
  bool has_call_ = false;  // by the open message: following text begins a message
  std::string block_kind_;
  std::string block_;
  std::uint64_t event_ = 0;
  std::uint64_t block_event_ = 0;  // of the block's last piece
  std::string last_text_;
  std::int64_t index_ = 0;
  std::int64_t answers_ = 0;
  std::int64_t rounds_ = 0;
};

// A random UUID, the format that hosts expect for sessions and lines.
std::string make_uuid();
// The reproducible UUID of an event's line, for --resume-session-at.
std::string message_uuid(const std::string& conversation, std::uint64_t event);

}  // namespace parlance::face
