// SPDX-License-Identifier: Apache-2.0
// The hub for webviews that were written for the extension of iFlow, and for relays of such webviews: what protocol/webview says, over any
// frames. Each connection shows one conversation at a time, hears its answers as chunks, and answers what waits for the person there. Loop
// thread only; hub and loop outlive the server.
//
// While a webview does not read, nothing is taken for it from the hub: the events wait in the store, however many they are.
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

  // Returns at once; the webview is served until its end.
  void serve(std::unique_ptr<Frames> frames, hub::UserHub hub, WebviewPeer peer);

  const WebviewStatistics& statistics() const { return statistics_; }

 private:
  Task<void> run(std::unique_ptr<Frames> frames, hub::UserHub hub, WebviewPeer peer);

  Loop& loop_;
  WebviewSettings settings_;
  WebviewStatistics statistics_;
  Scope scope_;  // the connections; last, so that they go first
};

}  // namespace parlance::face
