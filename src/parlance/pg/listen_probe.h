// SPDX-License-Identifier: Apache-2.0
// Whether NOTIFY reaches who listens: through a pooler that shares connections between transactions LISTEN says OK, and nothing ever arrives. Any thread;
// blocking.
#pragma once

#include "parlance/pg/connection.h"

namespace parlance::pg {

// true: it arrived. The limit is limits::pg_listen.
Outcome<bool> notifications_arrive(const ConnectSettings& settings, const Interrupt& interrupt);

}  // namespace parlance::pg
