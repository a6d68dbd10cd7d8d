// SPDX-License-Identifier: Apache-2.0
// Makes the plan of one (wire type, definitions): follows both at once and decides where they fit. One thread at a time.
#pragma once

#include "parlance/codec/gob/plan.h"
#include "parlance/codec/gob/type_table.h"

namespace parlance::gob {

Plan compile_plan(const TypeTable& types, const wire::Type& type, TypeId id);

}  // namespace parlance::gob
