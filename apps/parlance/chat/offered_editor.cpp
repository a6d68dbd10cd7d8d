// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/chat/offered_editor.h"

#include <utility>

#include "parlance/face/editor/editor_over_bridge.h"

namespace parlance::app {

OfferedEditor::OfferedEditor(Loop& loop, hub::Editor& editor) : loop_(loop) {
  face::serve_editor(router_, editor, {.name = "parlance chat", .version = PARLANCE_VERSION});
}

Result<void> OfferedEditor::to(const Settings& settings, AgentHome& home) {
  if (!socket_) {
    PARLANCE_TRY(listening, face::EditorSocket::listen(loop_, router_));
    socket_ = std::move(listening);
  }
  return offer_editor(settings, {.socket = socket_->address()}, home);
}

}  // namespace parlance::app
