// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/serve_acp/client_files.h"

#include <ranges>

namespace parlance::app {

face::AcpClientFiles* ClientFiles::client() const {
  const face::AcpSessionPtr session = session_.lock();
  if (!session) return nullptr;
  for (face::AcpClientFiles* const files : std::views::reverse(session->files))
    if (files->reads()) return files;
  return nullptr;
}

bool ClientFiles::reads(const std::string&) const { return client() != nullptr; }

bool ClientFiles::writes(const std::string&) const {
  const face::AcpClientFiles* const files = client();
  return files != nullptr && files->writes();
}

Task<Result<std::string>> ClientFiles::read(std::string, std::string path) {
  face::AcpClientFiles* const files = client();
  if (files == nullptr) co_return fail(Errc::disconnected, "no client has files here any more");
  co_return co_await files->read(std::move(path));
}

Task<Result<void>> ClientFiles::write(std::string, std::string path, std::string text) {
  face::AcpClientFiles* const files = client();
  if (files == nullptr) co_return fail(Errc::disconnected, "the client that had the file is gone; nothing was written");
  co_return co_await files->write(std::move(path), std::move(text));
}

}  // namespace parlance::app
