// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/log/commit.h"

#include <memory>
#include <utility>

namespace parlance::hub {

Task<Result<void>> Store::commit(Commit change) { return write(std::make_shared<const Commit>(std::move(change))); }

}  // namespace parlance::hub
