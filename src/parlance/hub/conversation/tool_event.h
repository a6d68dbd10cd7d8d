// SPDX-License-Identifier: Apache-2.0
// What is told of a tool call: that it begins, what is known of it later, what it prints, how it ended. Values; any thread.
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

// What a call is about, for people and for other protocols (ACP's kinds). It decides nothing: policy looks at ToolIntent.
enum class CallKind : std::uint8_t { read, edit, delete_, move, search, execute, think, fetch, switch_mode, other };
std::string_view to_string(CallKind kind);  // "read", …, "delete", …

// How far a call is that has not ended. The end has an event of its own.
enum class CallStatus : std::uint8_t { pending, running };
enum class ToolEndState : std::uint8_t { done, failed, rejected, cancelled };

// A place in a file that a call reads or changes; an editor can follow it.
struct Location {
  std::string path{};
  std::optional<std::uint64_t> line{};  // from 1
  friend bool operator==(const Location&, const Location&) = default;
};

// What a call has to show beside its output. A Diff is one file before and after.
struct ToolText {
  std::string text{};
  friend bool operator==(const ToolText&, const ToolText&) = default;
};
struct ToolTerminal {
  std::string terminal{};  // id of a terminal whose output belongs here
  friend bool operator==(const ToolTerminal&, const ToolTerminal&) = default;
};
struct ToolPicture {
  AttachmentInfo attachment{};  // its bytes: Hub::attachment
  friend bool operator==(const ToolPicture&, const ToolPicture&) = default;
};
using ToolContent = std::variant<ToolText, Diff, ToolTerminal, ToolPicture>;

// Its texts, one below the other: what a model reads of a call that put nothing out.
std::string text_of(const std::vector<ToolContent>& content);

namespace event {

// A second start of a call that has ended or was interrupted begins it anew (`reask`). What becomes known of a running one is an update.
struct ToolStart {
  std::string call{};
  std::string tool{};
  std::string title{};
  std::string input_json{};  // one JSON value, untouched; empty means null
  std::optional<std::string> parent{};
  CallKind kind = CallKind::other;
  std::optional<std::vector<Location>> locations{};
  friend bool operator==(const ToolStart&, const ToolStart&) = default;
};
// What is there takes the place of what was told before; what is absent stays as it was. Of a call that nobody announced it is ignored.
struct ToolUpdate {
  std::string call{};
  std::optional<std::string> title{};
  std::optional<CallKind> kind{};
  std::optional<CallStatus> status{};
  std::optional<std::string> input_json{};  // one JSON value, untouched
  std::optional<std::vector<Location>> locations{};
  std::optional<std::vector<ToolContent>> content{};
  friend bool operator==(const ToolUpdate&, const ToolUpdate&) = default;
};
struct ToolOutput {  // a piece
  std::string call{};
  std::string text{};
  std::optional<bool> progress{};  // true: how far it is, for people; the model does not read it
  friend bool operator==(const ToolOutput&, const ToolOutput&) = default;
};
struct ToolEnd {
  std::string call{};
  ToolEndState state = ToolEndState::done;
  std::optional<Diff> diff{};  // of version 0.1 only: what a call changed is content of an update
  friend bool operator==(const ToolEnd&, const ToolEnd&) = default;
};

}  // namespace event

}  // namespace parlance::hub
