// SPDX-License-Identifier: Apache-2.0
// Values of the hub's editor as messages of the bridge, and back. Sans-I/O; any thread.
#pragma once

#include "parlance/hub/editor/editor.h"
#include "parlance/protocol/editor/messages.h"

namespace parlance::driver {

hub::editor::Range of_wire(const editor::Range& range);
hub::editor::Selection of_wire(editor::Selected selected);
hub::editor::OpenEditor of_wire(editor::OpenEditor open);
hub::editor::Folder of_wire(editor::Folder folder);
hub::editor::Diagnostics of_wire(editor::Diagnostics diagnostics);
hub::editor::DiffOutcome of_wire(editor::DiffOutcome outcome);

editor::ApplyEdits to_wire(hub::editor::ApplyEdits edits);
editor::ConfirmDialog to_wire(hub::editor::ConfirmDialog dialog);

}  // namespace parlance::driver
