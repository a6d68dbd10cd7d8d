// SPDX-License-Identifier: Apache-2.0
// The files of an attached client, available to the session's agent during the object's lifetime. Loop thread only.
#pragma once

#include "parlance/face/acp/client.h"
#include "parlance/face/acp/sessions.h"

namespace parlance::face {

class AttachedFiles final : private AcpClientFiles {
 public:
  AttachedFiles(AcpClient& client, AcpSessionPtr session);
  ~AttachedFiles();
  AttachedFiles(const AttachedFiles&) = delete;
  AttachedFiles& operator=(const AttachedFiles&) = delete;

 private:
  bool reads() const override { return client_.files.reads; }
  bool writes() const override { return client_.files.writes; }
  Task<Result<std::string>> read(std::string path) override;
  Task<Result<void>> write(std::string path, std::string text) override;
  Error without_files(Error error, const AcpSession& session);

  AcpClient& client_;
  AcpSessionPtr session_;
};

}  // namespace parlance::face
