// SPDX-License-Identifier: Apache-2.0
// Decisions about a server's metadata, as of MCP 2025-11-25 and 2026-07-28: where documents are, and which documents count. Pure;
// any thread. Errors: denied for a document that must not count, invalid_params for an unreadable one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "parlance/base/result.h"
#include "parlance/oauth/address.h"
#include "parlance/oauth/challenge.h"
#include "parlance/oauth/messages.h"

namespace parlance::oauth {

// Places of the resource metadata, in order: the challenge's, or the well-known ones with and without the server's path.
std::vector<std::string> resource_metadata_places(const Address& server, const Challenge& challenge);
// Reads the document. Its resource must contain the server's address: a stranger's document would send our token elsewhere.
Result<ResourceMetadata> read_resource_metadata(const Address& server, std::string_view json);

// Places of the metadata of an issuer, in order: RFC 8414, then OpenID Connect. The path of the issuer is inserted.
std::vector<std::string> server_metadata_places(const Address& issuer);
// Reads the document. Its issuer must be the requested one. PKCE with S256 is required, as the specification demands. Endpoints
// must be permitted by `check_named`.
Result<ServerMetadata> read_server_metadata(const Address& server, std::string_view issuer, std::string_view json);
// Endpoints of servers before 2025-06-18 without any document: /authorize, /token and /register of the server's origin.
ServerMetadata fallback_metadata(const Address& server);

// Scopes for a login: of the challenge, else of the resource; and offline_access where the authorization server has it. Scopes
// of an earlier login of the same server (`had`) stay. Names are separated by blanks; "": the request names no scope.
std::string wanted_scope(const Challenge& challenge, const ResourceMetadata& resource, const ServerMetadata& server,
                         std::string_view had);
// Whether every scope of `some` is in `all`.
bool has_scopes(std::string_view all, std::string_view some);

}  // namespace parlance::oauth
