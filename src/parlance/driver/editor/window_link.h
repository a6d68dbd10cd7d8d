// SPDX-License-Identifier: Apache-2.0
// The window of an editor that listens on a socket: connected, watched by a heartbeat, and connected again when it has gone, for as long as
// `run` runs. A Unix socket of another user is not spoken to; a TCP listener is shown the token in the first line. Loop thread only.
//
//   WindowLink window(loop, {.address = *announced, .ours = {.name = "my agent"}});
//   scope.start(run(window));                    // Task<void>, without an end
//   co_await window.tried();                     // it has been asked once, with or without success
//   co_await window.editor().selection();        // not_found, "No editor is connected", while there is none
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
  Duration pulse = editor::limits::pulse;  // how long an answer to a heartbeat may take
  Duration first_wait = editor::limits::first_reconnect;
  Duration most_wait = editor::limits::last_reconnect;
  Duration request = editor::limits::request;
};

struct WindowSettings {
  WindowAddress address{};
  editor::Program ours{};
  EditorEars ears{};                  // `typed` is not called: what is typed comes from elsewhere
  std::function<void()> connected{};  // each time
  WindowTimes times{};
  SocketPeers peers{};  // who may listen on a Unix socket
};

class WindowLink {
 public:
  WindowLink(Loop& loop, WindowSettings settings);

  Task<void> run();    // once; it ends, or is given up, before the link goes
  Task<void> tried();  // until the first try to connect has ended
  void close();        // before `run` is given up: every call that waits fails at once, and who waits for the first try goes on

  hub::Editor& editor() { return editor_; }                                   // the same one all the time
  Peer* peer() const { return link_ == nullptr ? nullptr : &link_->peer(); }  // null while not connected
  const Error& why_not() const { return why_not_; }                           // … and why that is
  void tell_status(editor::Status now);                                       // nothing while not connected

 private:
  struct InUse;
  Task<bool> live();  // one connection; true: the window took us
  Task<Result<std::unique_ptr<ByteStream>>> connect();
  Task<Error> end_of(EditorLink& link, OneShot<Error>& ended);
  Task<Result<bool>> greet(EditorLink& link);
  void end_try();

  Loop& loop_;
  WindowSettings settings_;
  EditorViaBridge editor_;
  EditorLink* link_ = nullptr;  // while it is in use
  Error why_not_{.code = Errc::not_found, .message = "No editor is connected"};
  bool tried_ = false;
  Signal try_ended_;
};

}  // namespace parlance::driver
