// net/rpc: a Request or Response header and a body, each one gob value; and its JSON sibling (net/rpc/jsonrpc, JSON-RPC 1.0).
#pragma once

#include <memory>

#include "codec/gob/type_pool.h"
#include "peer/dialect.h"

namespace parlance::gorpc {

enum class Role { server, client };

// `pool`: what streams of one loop share (types and plans).
std::unique_ptr<Dialect> gob_dialect(Role role, std::shared_ptr<gob::TypePool> pool);
std::unique_ptr<Dialect> json_dialect(Role role);

// net/rpc has no codes, only sentences: Errc for those that it fixes, Errc::failed for any other.
Errc code_of_text(std::string_view text);

}  // namespace parlance::gorpc
