// SPDX-License-Identifier: Apache-2.0
// How much memory the program keeps.
#pragma once

namespace parlance::app {

// Once, when the flags are read and before the work begins.
void settle_memory();

}  // namespace parlance::app
