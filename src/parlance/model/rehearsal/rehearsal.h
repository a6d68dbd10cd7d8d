// SPDX-License-Identifier: Apache-2.0
// The model that needs no key: a script, and it says so. It shows everything that a conversation can have (thinking, plans, tool
// calls with approval, questions, memory, long streams, errors), for a person's first minutes and for tests.
// Commands and scenario files: docs/howto/rehearsal.md. The same messages always get the same answer. Loop thread only.
#pragma once

#include <memory>

#include "parlance/async/loop.h"
#include "parlance/model/model.h"
#include "parlance/model/settings.h"

namespace parlance::model {

// Errors: not_found, invalid_params (the scenario file, with the place of the fault).
Result<std::unique_ptr<Model>> make_rehearsal(Loop& loop, RehearsalSettings settings);

}  // namespace parlance::model
