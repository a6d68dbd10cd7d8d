// SPDX-License-Identifier: Apache-2.0
// Questions to the server of a model: its list of models, and the smallest chat. Neither follows a redirect, so that a key
// reaches the given address only. Errors name cause, place and remedy, and contain no key. Loop thread only.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "parlance/async/loop.h"
#include "parlance/model/connection/connections.h"
#include "parlance/model/provider/endpoint.h"
#include "parlance/model/provider/http.h"

namespace parlance::model {

struct ProbeLimits {
  std::chrono::milliseconds connect{3'000};
  std::chrono::milliseconds total{10'000};
};

// GET of the list beside the method that answers prompts, with the vendor's headers.
HttpRequest models_request(const Endpoint& endpoint, ProbeLimits limits = {});

// Ids of the models, sorted. Errors: denied, not_found (no such list), failed (another form), and errors of the connection.
Task<Result<std::vector<std::string>>> list_models(Http& http, Endpoint endpoint, ProbeLimits limits = {});

// The same for a connection, with its key from a file or a variable.
Task<Result<std::vector<std::string>>> models_of(Loop& loop, Connection connection);

struct TestedModel {
  std::chrono::milliseconds latency{};  // from the request to the end of the answer
  std::string model{};                  // the server's name of the model
};

// One chat of two words without retries, within 60 s.
Task<Result<TestedModel>> test_connection(Loop& loop, Connection connection);

}  // namespace parlance::model
