// SPDX-License-Identifier: Apache-2.0
// The files of a session's clients, for the tools of its agent: the files of the last client with file access. Loop thread only.
#pragma once

#include "parlance/face/acp/sessions.h"
#include "parlance/toolbox/open_files.h"

namespace parlance::app {

class ClientFiles final : public toolbox::OpenFiles {
 public:
  void of(const face::AcpSessionPtr& session) { session_ = session; }

  bool reads(const std::string&) const override;
  bool writes(const std::string&) const override;
  Task<Result<std::string>> read(std::string conversation, std::string path) override;
  Task<Result<void>> write(std::string conversation, std::string path, std::string text) override;

 private:
  face::AcpClientFiles* client() const;  // or null
  std::weak_ptr<face::AcpSession> session_;
};

}  // namespace parlance::app
