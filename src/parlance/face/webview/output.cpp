// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/webview/output.h"

#include <string>

#include "parlance/base/log.h"
#include "parlance/codec/json/typed.h"

namespace parlance::face {

void send(Frames& webview, const webview::HostMessage& message) {
  const auto sent = webview.compose([&](std::string& out) -> Result<void> {
    json::write(out, wire::type_of<webview::HostMessage>(), &message);
    return {};
  });
  if (!sent) log(LogLevel::warn, "a message could not be sent", {{"webview", webview.name()}, {"why", sent.error().message}});
}

}  // namespace parlance::face
