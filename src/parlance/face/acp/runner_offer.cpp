// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/acp/runner_offer.h"

#include "parlance/protocol/acp/messages.h"

namespace parlance::face {

void RunnerOffer::serve(Router& router, AcpClient& client) {
  client.decides = true;
  router.on(acp::method::let_go, [this](const acp::LetGo& notice, Context& context) {
    refused_ = Error{.code = Errc::denied, .message = notice.why};
    context.peer.finish();
  });
  router.on(acp::method::find_files, [this](acp::FindFiles& wanted, Context&) { return find_files(std::move(wanted)); });
  router.on(acp::method::wanted_sessions, [this](acp::WantedSessions& request, Context&) -> Task<Result<acp::EmptyReply>> {
    co_await stock_.wanted(std::move(request.sessions), request.all);
    co_return acp::EmptyReply{};
  });
}

// Like a gateway's own search: unreadable further folders are skipped.
Task<Result<acp::FoundFiles>> RunnerOffer::find_files(acp::FindFiles wanted) {
  if (wanted.folders.empty()) co_return fail(Errc::invalid_params, "$.folders: there is none");
  workspace::LookedIn where{.excluded = std::move(wanted.excluded).value_or(std::vector<std::string>{})};
  for (std::string& folder : wanted.folders) {
    auto there = co_await stock_.folders.find(std::move(folder));
    if (!there && where.folders.empty()) co_return std::unexpected(std::move(there).error());
    if (there) where.folders.push_back(*std::move(there));
  }
  PARLANCE_CO_TRY(found, co_await stock_.names.find(std::move(where), std::move(wanted.typed)));
  co_return acp::FoundFiles{.paths = std::move(found.paths), .all = found.all};
}

void RunnerOffer::finish() {
  if (peer_ != nullptr) peer_->finish();
}

Task<void> RunnerOffer::begin(Peer& peer) {
  peer_ = &peer;
  const auto answered = co_await peer.call(acp::method::offer, offer_);
  if (answered) {
    taken_();
    co_return;
  }
  // Temporary failures are retried with the next connection.
  const Errc code = answered.error().code;
  const bool passes = code == Errc::disconnected || code == Errc::deadline_exceeded || code == Errc::overloaded;
  if (!passes) refused_ = answered.error();
  peer.finish();
}

}  // namespace parlance::face
