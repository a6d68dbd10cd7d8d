// SPDX-License-Identifier: Apache-2.0
// Our end of the bridge: one byte stream that carries requests to the editor, its answers, what it tells, what the person typed and what we
// print. Whoever has this is the only reader of that stream. Loop thread only.
//
//   EditorLink link(loop, std::move(stream), ears);
//   scope.start(run(link));                      // Task<Error> run(): ends with the reason, after every call that waited has failed
//   co_await link.editor().selection();
//   link.print("> ");                            // never inside a message, and a message behind it begins its own line
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "parlance/driver/editor/editor_via_bridge.h"
#include "parlance/transport/byte_stream.h"

namespace parlance::driver {

// What comes from the editor unasked. Each is called on the loop thread, in the order of the wire, and must not destroy the link.
struct EditorEars {
  std::function<void(std::string text)> typed{};  // a line, or the text of userInput, which may hold several
  std::function<void(const editor::ContextChanged&)> context{};
  std::function<void(const editor::DiffClosed&)> diff_closed{};
  std::function<void(const editor::AtMentioned&)> mentioned{};
  std::function<void(const std::string& path)> saved{};
  std::function<void()> shutdown{};
  std::function<void(std::string_view line)> diagnose{};  // DEBUG_AGENT, for stderr
  bool contents = false;                                  // … with parameters and results
};

class EditorLink {
 public:
  EditorLink(Loop& loop, std::unique_ptr<ByteStream> stream, EditorEars ears, Duration request = editor::limits::request);
  ~EditorLink();

  Task<Error> run();  // once
  void close();       // at once: every call that waits fails with `disconnected`

  hub::Editor& editor();
  Peer& peer();

  void print(std::string_view text);
  // The editor's name and methods. After success `editor` sends the methods of the second version too. An editor of the first version
  // answers with an error, or with a result that has no `protocol`.
  Task<Result<editor::Initialized>> initialize(editor::Program ours, std::optional<std::string> token = {});
  void tell_status(editor::Status now);
  void log(editor::Level level, std::string message);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace parlance::driver
