// SPDX-License-Identifier: Apache-2.0
// This program's end of the bridge: one byte stream with requests, answers, notifications of the editor, the person's input and
// printed text. The link is the only reader of the stream. Loop thread only.
//
//   EditorLink link(loop, std::move(stream), handlers);
//   scope.start(run(link));
//   co_await link.editor().selection();
//   link.print("> ");
//
// `run` returns the reason of the end, after all waiting calls failed. `print` never writes inside a message: a following message
// begins its own line.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "parlance/driver/editor/editor_via_bridge.h"
#include "parlance/transport/byte_stream.h"

namespace parlance::driver {

// Callbacks for the editor's notifications. Called on the loop thread in wire order; must not destroy the link.
struct EditorHandlers {
  std::function<void(std::string text)> typed{};  // a line, or the text of userInput, possibly with several lines
  std::function<void(const editor::ContextChanged&)> context{};
  std::function<void(const editor::DiffClosed&)> diff_closed{};
  std::function<void(const editor::AtMentioned&)> mentioned{};
  std::function<void(const std::string& path)> saved{};
  std::function<void()> shutdown{};
  std::function<void(std::string_view line)> diagnose{};  // DEBUG_AGENT, for stderr
  bool contents = false;                                  // … parameters and results included
};

class EditorLink {
 public:
  EditorLink(Loop& loop, std::unique_ptr<ByteStream> stream, EditorHandlers handlers, Duration request = editor::limits::request);
  ~EditorLink();

  Task<Error> run();  // call once
  void close();       // immediate: all waiting calls fail with `disconnected`

  hub::Editor& editor();
  Peer& peer();

  void print(std::string_view text);
  // The editor's name and methods. After success `editor` sends the methods of the second version too. An editor of the first
  // version answers with an error, or with a result that has no `protocol`.
  Task<Result<editor::Initialized>> initialize(editor::Program ours, std::optional<std::string> token = {});
  void send_status(editor::Status now);
  void log(editor::Level level, std::string message);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace parlance::driver
