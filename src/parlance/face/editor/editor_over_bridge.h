// SPDX-License-Identifier: Apache-2.0
// An editor, served over the bridge: to agents of others, and to our own where the editor is a rehearsed one. What it cannot do now is an
// answer whose `success` is false; what it does not know is the error of an unknown method. Loop thread only; the editor outlives the router.
#pragma once

#include "parlance/hub/editor/editor.h"
#include "parlance/peer/router.h"
#include "parlance/protocol/editor/messages.h"

namespace parlance::face {

void serve_editor(Router& router, hub::Editor& editor, editor::Program about);

}  // namespace parlance::face
