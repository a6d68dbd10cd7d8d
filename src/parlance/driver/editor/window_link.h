// SPDX-License-Identifier: Apache-2.0
// The connection to an editor's window on a socket: connects, sends heartbeats, and reconnects during `run`. Refuses a Unix
// socket of another user; sends the token to a TCP listener in the first line. Loop thread only.
//
//   WindowLink window(loop, {.address = *announced, .ours = {.name = "my agent"}});
//   scope.start(run(window));
//   co_await window.tried();
//   co_await window.editor().selection();
//
// `run` never ends. `tried` returns after the first attempt, with or without success. While disconnected, calls return not_found,
// "No editor is connected".
#pragma once

#include <functional>
#include <memory>

#include "parlance/async/channel.h"
#include "parlance/driver/editor/editor_link.h"
#include "parlance/driver/editor/window_address.h"
#include "parlance/transport/socket_peers.h"

namespace parlance::driver {

struct WindowTimes {
  Duration heartbeat = editor::limits::heartbeat;
  Duration pulse = editor::limits::pulse;  // timeout of a heartbeat
  Duration first_wait = editor::limits::first_reconnect;
  Duration most_wait = editor::limits::last_reconnect;
  Duration request = editor::limits::request;
};

struct WindowSettings {
  WindowAddress address{};
  editor::Program ours{};
  EditorHandlers handlers{};          // `typed` is never called: the terminal delivers the input
  std::function<void()> connected{};  // after each connect
  WindowTimes times{};
  SocketPeers peers{};  // the permitted owner of a Unix socket
};

class WindowLink {
 public:
  WindowLink(Loop& loop, WindowSettings settings);

  Task<void> run();    // call once; end or destroy it before the link
  Task<void> tried();  // until the end of the first connection attempt
  void close();        // before the destruction of `run`: fails all waiting calls at once, and releases callers of `tried`

  hub::Editor& editor() { return editor_; }                                   // the same object for the link's lifetime
  Peer* peer() const { return link_ == nullptr ? nullptr : &link_->peer(); }  // null while disconnected
  const Error& why_not() const { return why_not_; }                           // … and the reason
  void send_status(editor::Status now);                                       // no effect while disconnected

 private:
  struct InUse;
  Task<bool> live();  // serves a connection; true: the window accepted it
  Task<Result<std::unique_ptr<ByteStream>>> connect();
  Task<Error> end_of(EditorLink& link, OneShot<Error>& ended);
  Task<Result<bool>> greet(EditorLink& link);
  void end_try();

  Loop& loop_;
  WindowSettings settings_;
  EditorViaBridge editor_;
  EditorLink* link_ = nullptr;  // during a connection
  Error why_not_{.code = Errc::not_found, .message = "No editor is connected"};
  bool tried_ = false;
  Signal try_ended_;
};

}  // namespace parlance::driver
