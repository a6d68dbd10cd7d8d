// SPDX-License-Identifier: Apache-2.0
// Secrets for our own services (ChildSettings::passed). The gateway inherits all, because it starts agents in the environment of
// the person.
#pragma once

#include <string>
#include <vector>

namespace parlance::app {

// Keys of the embedding service (server::find_embed_key).
std::vector<std::string> embed_secrets();
// Keys of the model (model::find_api_key), usual variables of its vendors, variables of the stored connections, keys of the
// embedding service, and the credentials of the store. A connection that names another variable later needs a new start.
std::vector<std::string> agent_secrets(const std::string& state_folder);

}  // namespace parlance::app
