// SPDX-License-Identifier: Apache-2.0
// Serves an editor over the bridge, to external agents and, with a mock editor, to parlance's own. A failed call is an answer
// with `success: false`; an unsupported call is the error of an unknown method. Loop thread only; the editor must outlive the
// router.
#pragma once

#include "parlance/hub/editor/editor.h"
#include "parlance/peer/router.h"
#include "parlance/protocol/editor/messages.h"

namespace parlance::face {

void serve_editor(Router& router, hub::Editor& editor, editor::Program about);

}  // namespace parlance::face
