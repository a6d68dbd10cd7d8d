// SPDX-License-Identifier: Apache-2.0
// The events of a tool call: begin, update, output, end. Values; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "parlance/hub/conversation/ask.h"
#include "parlance/hub/conversation/attachment.h"

namespace parlance::hub {

// The category of a call, for people and for other protocols (ACP's kinds). Policy ignores it and uses ToolIntent.
enum class CallKind : std::uint8_t { read, edit, delete_, move, search, execute, think, fetch, switch_mode, other };
std::string_view to_string(CallKind kind);  // "read", …, "delete", …

// The progress of an open call. The end has an event of its own.
enum class CallStatus : std::uint8_t { pending, running };
enum class ToolEndState : std::uint8_t { done, failed, rejected, cancelled };

// A position in a file that a call reads or changes; an editor can follow it.
struct Location {
  std::string path{};
  std::optional<std::uint64_t> line{};  // from 1
  friend bool operator==(const Location&, const Location&) = default;
};

// Content of a call beside its output. A Diff is one file before and after.
struct ToolText {
  std::string text{};
  friend bool operator==(const ToolText&, const ToolText&) = default;
};
struct ToolTerminal {
  std::string terminal{};  // id of the terminal with the output
  friend bool operator==(const ToolTerminal&, const ToolTerminal&) = default;
};
struct ToolPicture {
  AttachmentInfo attachment{};  // its bytes: Hub::attachment
  friend bool operator==(const ToolPicture&, const ToolPicture&) = default;
};
using ToolContent = std::variant<ToolText, Diff, ToolTerminal, ToolPicture>;

// All texts, separated by line breaks: the model's input for a call without output.
std::string text_of(const std::vector<ToolContent>& content);

namespace event {

// A second start of an ended or interrupted call restarts the call (RepeatRequest). A running call gets updates.
struct ToolStart {
  std::string call{};
  std::string tool{};
  std::string title{};
  std::string input_json{};             // a JSON value, unchanged; empty means null
  std::optional<std::string> parent{};  // the call of the sub-agent that makes this call; absent: the main agent
  CallKind kind = CallKind::other;
  std::optional<std::vector<Location>> locations{};
  friend bool operator==(const ToolStart&, const ToolStart&) = default;
};
// Present fields replace earlier values; absent fields keep earlier values. Updates of an unannounced call are ignored.
struct ToolUpdate {
  std::string call{};
  std::optional<std::string> title{};
  std::optional<CallKind> kind{};
  std::optional<CallStatus> status{};
  std::optional<std::string> input_json{};  // a JSON value, unchanged
  std::optional<std::vector<Location>> locations{};
  std::optional<std::vector<ToolContent>> content{};
  friend bool operator==(const ToolUpdate&, const ToolUpdate&) = default;
};
struct ToolOutput {  // a piece
  std::string call{};
  std::string text{};
  std::optional<bool> progress{};  // true: progress, for people only; not part of the model's input
  friend bool operator==(const ToolOutput&, const ToolOutput&) = default;
};
struct ToolEnd {
  std::string call{};
  ToolEndState state = ToolEndState::done;
  friend bool operator==(const ToolEnd&, const ToolEnd&) = default;
};

}  // namespace event

}  // namespace parlance::hub
