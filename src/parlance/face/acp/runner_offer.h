// SPDX-License-Identifier: Apache-2.0
// The runner's side of its connection to a gateway: sends the offer, and learns about its removal. One for each connection. Loop
// thread only.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "parlance/face/acp/extension.h"
#include "parlance/protocol/acp/runner.h"
#include "parlance/workspace/file_names.h"
#include "parlance/workspace/offered_folders.h"

namespace parlance::face {

// The runner's resources behind a gateway's requests; must outlive the connections.
struct RunnerStock {
  workspace::OfferedFolders& folders;  // folders for file searches of the gateway's users
  workspace::FileNames& names;
  // Receives the sessions used by the gateway; `all`: the list is complete.
  std::function<Task<void>(std::vector<std::string> sessions, bool all)> wanted{};
};

class RunnerOffer final : public AcpExtension {
 public:
  // `taken`: called after the acceptance of the offer.
  RunnerOffer(acp::Offer offer, RunnerStock stock, std::function<void()> taken)
      : offer_(std::move(offer)), stock_(std::move(stock)), taken_(std::move(taken)) {}

  void serve(Router& router, AcpClient& client) override;
  Task<void> begin(Peer& peer) override;

  void finish();  // sends nothing further: the gateway closes the connection

  // The reason against a reconnect, if any: the offer was refused, or another runner has the name now.
  const std::optional<Error>& refused() const { return refused_; }

 private:
  Task<Result<acp::FoundFiles>> find_files(acp::FindFiles wanted);

  acp::Offer offer_;
  RunnerStock stock_;
  std::function<void()> taken_;
  std::optional<Error> refused_;
  Peer* peer_ = nullptr;  // during a connection
};

}  // namespace parlance::face
