// SPDX-License-Identifier: Apache-2.0
// Serves the hub to webviews of the iFlow extension, and to relays of such webviews: the protocol of protocol/webview over any
// frames. Each connection shows one conversation at a time, gets its answers as chunks, and answers its requests. Loop thread
// only; hub and loop must outlive the server.
//
// While a webview does not read, the server takes no data from the hub for it: the events stay in the store, in any number.
#pragma once

#include <memory>

#include "parlance/async/scope.h"
#include "parlance/face/webview/settings.h"
#include "parlance/hub/user_hub.h"
#include "parlance/transport/frames.h"

namespace parlance::face {

class WebviewServer {
 public:
  WebviewServer(Loop& loop, WebviewSettings settings);
  ~WebviewServer();

  // Returns at once; serves the webview until its end.
  void serve(std::unique_ptr<Frames> frames, hub::UserHub hub, WebviewPeer peer);

  const WebviewStatistics& statistics() const { return statistics_; }

 private:
  class Connection;
  Task<void> run(std::unique_ptr<Frames> frames, hub::UserHub hub, WebviewPeer peer);

  Loop& loop_;
  WebviewSettings settings_;
  WebviewStatistics statistics_;
  Scope scope_;  // the connections; last member, so destroyed first
};

}  // namespace parlance::face
