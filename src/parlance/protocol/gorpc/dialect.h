// SPDX-License-Identifier: Apache-2.0
// net/rpc: a Request or Response header and a body, each one gob value; and its JSON sibling (net/rpc/jsonrpc, JSON-RPC 1.0).
#pragma once

#include <memory>

#include "parlance/codec/gob/type_pool.h"
#include "parlance/peer/dialect.h"

namespace parlance::gorpc {

enum class Role { server, client };

// `pool`: what streams of one loop share (types and plans).
std::unique_ptr<Dialect> gob_dialect(Role role, std::shared_ptr<gob::TypePool> pool);
// A client whose arguments are wire::Raw of this Go type; empty: told from each value.
std::unique_ptr<Dialect> undeclared_gob_dialect(std::shared_ptr<gob::TypePool> pool, std::string argument_type);
std::unique_ptr<Dialect> json_dialect(Role role);

// net/rpc has no codes, only sentences: Errc for those that it fixes, Errc::failed for any other.
Errc code_of_text(std::string_view text);

}  // namespace parlance::gorpc
