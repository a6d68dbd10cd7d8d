// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/webview/hub_over_webview.h"

#include "parlance/face/webview/connection.h"

namespace parlance::face {

WebviewServer::WebviewServer(Loop& loop, WebviewSettings settings) : loop_(loop), settings_(std::move(settings)), scope_(loop) {}

WebviewServer::~WebviewServer() = default;

void WebviewServer::serve(std::unique_ptr<Frames> frames, hub::UserHub hub, WebviewPeer peer) {
  scope_.start(run(std::move(frames), std::move(hub), peer));
}

Task<void> WebviewServer::run(std::unique_ptr<Frames> frames, hub::UserHub hub, WebviewPeer peer) {
  struct Present {
    std::size_t& count;
    explicit Present(std::size_t& of) : count(of) { ++count; }
    ~Present() { --count; }
  };
  const Present present(statistics_.webviews);
  WebviewConnection connection(loop_, std::move(hub), peer, settings_, statistics_, std::move(frames));
  co_await connection.read_all();
}

}  // namespace parlance::face
