// SPDX-License-Identifier: Apache-2.0
// A runner's end of its connection to the gateway: it offers what it has, and hears when it is wanted no more. One for each connection. Loop
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

// What a gateway's questions are about; all of it outlives the connections.
struct RunnerStock {
  workspace::OfferedFolders& folders;  // where files are looked for that its people name
  workspace::FileNames& names;
  // These sessions are wanted by it; `all`: and no others.
  std::function<Task<void>(std::vector<std::string> sessions, bool all)> wanted{};
};

class RunnerOffer final : public AcpExtension {
 public:
  // `taken`: it was accepted.
  RunnerOffer(acp::Offer offer, RunnerStock stock, std::function<void()> taken)
      : offer_(std::move(offer)), stock_(std::move(stock)), taken_(std::move(taken)) {}

  void serve(Router& router, AcpClient& client) override;
  Task<void> begin(Peer& peer) override;

  void finish();  // says nothing more: the gateway ends the connection

  // Why there is no use in connecting again, if so: the offer was refused, or another has this place now.
  const std::optional<Error>& refused() const { return refused_; }

 private:
  Task<Result<acp::FoundFiles>> find_files(acp::FindFiles wanted);

  acp::Offer offer_;
  RunnerStock stock_;
  std::function<void()> taken_;
  std::optional<Error> refused_;
  Peer* peer_ = nullptr;  // while there is one
};

}  // namespace parlance::face
