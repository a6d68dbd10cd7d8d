// SPDX-License-Identifier: Apache-2.0
// net/rpc: a Request or Response header and a body, each a gob value; and its JSON form (net/rpc/jsonrpc, JSON-RPC 1.0).
#pragma once

#include <memory>

#include "parlance/codec/gob/type_pool.h"
#include "parlance/peer/dialect.h"

namespace parlance::gorpc {

enum class Role { server, client };

// `pool`: shared data of the streams of one loop (types and plans).
std::unique_ptr<Dialect> gob_dialect(Role role, std::shared_ptr<gob::TypePool> pool);
// A client with wire::Raw arguments of this Go type. Empty: inferred from each value.
std::unique_ptr<Dialect> undeclared_gob_dialect(std::shared_ptr<gob::TypePool> pool, std::string argument_type);
std::unique_ptr<Dialect> json_dialect(Role role);

// net/rpc has sentences in place of codes: Errc for its fixed sentences, Errc::failed for all others.
Errc code_of_text(std::string_view text);

}  // namespace parlance::gorpc
