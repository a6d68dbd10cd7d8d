// SPDX-License-Identifier: Apache-2.0
// The address of a state folder's embedding service. The ready service publishes its address, because under `parlance up` the
// address may differ from the settings (its usual port was taken). Senders must not send texts to another program.
#pragma once

#include <string>

#include "apps/parlance/config/settings.h"
#include "parlance/base/result.h"

namespace parlance::app {

// Publishes the address in the state folder during its lifetime.
class PublishedEmbedAddress {
 public:
  PublishedEmbedAddress(const Settings& settings, const std::string& url);
  ~PublishedEmbedAddress();
  PublishedEmbedAddress(const PublishedEmbedAddress&) = delete;
  PublishedEmbedAddress& operator=(const PublishedEmbedAddress&) = delete;

 private:
  std::string path_;
};

// "http://127.0.0.1:50001/": published, or else from the settings. Errors: disconnected, with the remedy.
Result<std::string> embed_address(const Settings& settings);

}  // namespace parlance::app
