// A runner's end of its connection to the gateway: it offers what it has, and hears when it is wanted no more. One for each connection. Loop
// thread only.
#pragma once

#include <optional>

#include "parlance/face/acp/extension.h"
#include "parlance/protocol/acp/runner.h"
#include "parlance/workspace/file_names.h"
#include "parlance/workspace/offered_folders.h"

namespace parlance::face {

// Where files are looked for that the gateway's people name. Both outlive the connections.
struct RunnerFiles {
  workspace::OfferedFolders& folders;
  workspace::FileNames& names;
};

class RunnerOffer final : public AcpExtension {
 public:
  // `taken`: it was accepted.
  RunnerOffer(acp::Offer offer, RunnerFiles files, std::function<void()> taken)
      : offer_(std::move(offer)), files_(files), taken_(std::move(taken)) {}

  void serve(Router& router, AcpClient& client) override;
  Task<void> begin(Peer& peer) override;

  void finish();  // says nothing more: the gateway ends the connection

  // Why there is no use in connecting again, if so: the offer was refused, or another has this place now.
  const std::optional<Error>& refused() const { return refused_; }

 private:
  Task<Result<acp::FoundFiles>> find_files(acp::FindFiles wanted);

  acp::Offer offer_;
  RunnerFiles files_;
  std::function<void()> taken_;
  std::optional<Error> refused_;
  Peer* peer_ = nullptr;  // while there is one
};

}  // namespace parlance::face
