// SPDX-License-Identifier: Apache-2.0
// Which secrets our own services inherit (ChildSettings::passed). The gateway inherits all: it starts agents in the environment of the person.
#pragma once

#include <string>
#include <vector>

namespace parlance::app {

// Keys of the embedding service: those that server::find_embed_key reads.
std::vector<std::string> embed_secrets();
// Keys of the model (model::find_api_key), those of the embedding service, and the credentials of the store.
std::vector<std::string> agent_secrets();

}  // namespace parlance::app
