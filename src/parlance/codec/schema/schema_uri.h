// SPDX-License-Identifier: Apache-2.0
// Names of schemas: RFC 3986's resolution of references, as far as an $id and a $ref need it. Values; any thread.
#pragma once

#include <string>
#include <string_view>

namespace parlance::schema {

// `reference` as it is meant in a document that is called `base`, which has no fragment.
std::string resolved_uri(std::string_view base, std::string_view reference);

}  // namespace parlance::schema
