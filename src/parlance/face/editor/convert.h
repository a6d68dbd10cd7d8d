// SPDX-License-Identifier: Apache-2.0
// Messages of the bridge as values of the hub's editor, and back: the other direction of the driver's. Sans-I/O; any thread.
#pragma once

#include "parlance/hub/editor/editor.h"
#include "parlance/protocol/editor/messages.h"

namespace parlance::face {

editor::Selected to_wire(hub::editor::Selection selection);
editor::OpenEditor to_wire(hub::editor::OpenEditor open);
editor::Diagnostics to_wire(hub::editor::Diagnostics diagnostics);
editor::DiffOutcome to_wire(hub::editor::DiffOutcome outcome);

hub::editor::ApplyEdits of_wire(editor::ApplyEdits edits);
hub::editor::ConfirmDialog of_wire(editor::ConfirmDialog dialog);

}  // namespace parlance::face
