// SPDX-License-Identifier: Apache-2.0
// Writes messages to a webview. Loop thread only.
#pragma once

#include "parlance/protocol/webview/messages.h"
#include "parlance/transport/frames.h"

namespace parlance::face {

void send(Frames& webview, const webview::HostMessage& message);

}  // namespace parlance::face
