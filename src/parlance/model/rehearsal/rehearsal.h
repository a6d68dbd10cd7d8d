// SPDX-License-Identifier: Apache-2.0
// The model without a key: a script that says so. It shows all parts of a conversation (thinking, plans, tool calls with
// approval, questions, memory, long streams, errors), for first steps and for tests. Commands and scenario files:
// docs/howto/rehearsal.md. The same messages always get the same answer. Loop thread only.
#pragma once

#include <memory>

#include "parlance/async/loop.h"
#include "parlance/model/model.h"
#include "parlance/model/settings.h"

namespace parlance::model {

// Errors: not_found, invalid_params (the scenario file, with the place of the fault).
Result<std::unique_ptr<Model>> make_rehearsal(Loop& loop, RehearsalSettings settings);

}  // namespace parlance::model
