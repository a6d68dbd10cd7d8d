// SPDX-License-Identifier: Apache-2.0
// A source of credentials for an HTTP client. After a refusal, the source may refresh a token or ask a person to log in. Loop
// thread only. An object serves all requests to its server; concurrent calls are allowed.
#pragma once

#include <functional>
#include <utility>

#include "parlance/async/task.h"
#include "parlance/base/result.h"
#include "parlance/transport/http/http_message.h"

namespace parlance {

class HttpAuthorizer {
 public:
  virtual ~HttpAuthorizer() = default;
  // Adds credentials to a request, if available. Replaces the credentials of an earlier call.
  virtual Task<Result<void>> authorize(HttpRequest& request) = 0;
  // Handles a response with status 401 or 403 to `sent`. True: the caller may repeat the request after `authorize`. False: the
  // response is final. Errors: the sentence for the person.
  virtual Task<Result<bool>> refused(const HttpRequest& sent, const HttpResponse& response) = 0;
};

// Sends a request, and repeats it after a refusal at most `http_authorizations` times. A refusal means no effect, so that a
// repetition is safe. `authorizer` may be null.
inline constexpr int http_authorizations = 4;
template <class Send>
Task<Result<HttpResponse>> send_authorized(HttpAuthorizer* authorizer, HttpRequest request, Send send) {
  if (authorizer == nullptr) co_return co_await send(std::move(request));
  for (int tries = 0;; ++tries) {
    PARLANCE_CO_TRY_DO(co_await authorizer->authorize(request));
    Result<HttpResponse> response = co_await send(request);
    if (!response || (response->status != 401 && response->status != 403)) co_return response;
    PARLANCE_CO_TRY(again, co_await authorizer->refused(request, *response));
    if (!again || tries == http_authorizations) co_return response;
  }
}

}  // namespace parlance
