// SPDX-License-Identifier: Apache-2.0
// Creates the model of the settings. Reads only the scenario file of `rehearsal`; the first request creates the HTTP client. Loop
// thread only.
#pragma once

#include <memory>

#include "parlance/async/loop.h"
#include "parlance/base/result.h"
#include "parlance/model/model.h"
#include "parlance/model/settings.h"

namespace parlance::model {

// Errors: denied (the vendor's own address needs a key; the text names the variables), invalid_params (URL, scenario file).
Result<std::unique_ptr<Model>> make_model(Loop& loop, ModelSettings settings);

}  // namespace parlance::model
