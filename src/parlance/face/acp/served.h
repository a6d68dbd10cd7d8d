// SPDX-License-Identifier: Apache-2.0
// The one way from a client's message to its handler: the permission of the method comes first. Loop thread only.
#pragma once

#include <type_traits>
#include <utility>

#include "parlance/face/acp/permissions.h"
#include "parlance/face/acp/sessions.h"
#include "parlance/peer/router.h"

namespace parlance::face {

template <class Answer>
Answer refused_with(Error reason) {
  return std::unexpected(std::move(reason));
}
template <class Answer>
  requires parlance::detail::is_task<Answer>
Answer refused_with(Error reason) {
  co_return std::unexpected(std::move(reason));
}

// `handler` as Router::on takes it. Router and sessions outlive each other's use in one connection.
template <wire::FixedText Name, class F>
void serve_permitted(Router& router, const AcpSessions& sessions, F handler) {
  const auto& method = wire::method<acp::method::of_agent, Name>;
  using Parameters = std::remove_cvref_t<decltype(method)>::Parameters;
  using Answer = std::invoke_result_t<F&, Parameters&, Context&>;
  router.on(method, [&sessions, handler = std::move(handler)](Parameters& parameters, Context& context) -> Answer {
    const Result<void> may = sessions.check(acp_permission(Name.view()));
    if (may) return handler(parameters, context);
    if constexpr (!std::is_void_v<Answer>) return refused_with<Answer>(may.error());
  });
}

}  // namespace parlance::face
