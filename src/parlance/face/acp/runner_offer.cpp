#include "parlance/face/acp/runner_offer.h"

#include "parlance/protocol/acp/messages.h"

namespace parlance::face {

void RunnerOffer::serve(Router& router, AcpClient& client) {
  client.decides = true;
  router.on(acp::method::let_go, [this](const acp::LetGo& told, Context& context) {
    refused_ = Error{.code = Errc::denied, .message = told.why};
    context.peer.finish();
  });
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
  // What may pass is tried again with the next connection.
  const Errc code = answered.error().code;
  const bool passes = code == Errc::disconnected || code == Errc::deadline_exceeded || code == Errc::overloaded;
  if (!passes) refused_ = answered.error();
  peer.finish();
}

}  // namespace parlance::face
