// SPDX-License-Identifier: Apache-2.0
// Where the embedding service of a state folder listens. It writes that down when it is ready, because under `parlance up` it may
// listen elsewhere than anybody said (its usual port was taken), and whoever sends texts must not send them to that other program.
#pragma once

#include <string>

#include "apps/parlance/config/settings.h"
#include "parlance/base/result.h"

namespace parlance::app {

// While it lives, the address stands in the state folder.
class PublishedEmbedAddress {
 public:
  PublishedEmbedAddress(const Settings& settings, const std::string& url);
  ~PublishedEmbedAddress();
  PublishedEmbedAddress(const PublishedEmbedAddress&) = delete;
  PublishedEmbedAddress& operator=(const PublishedEmbedAddress&) = delete;

 private:
  std::string path_;
};

// "http://127.0.0.1:50001/": as it wrote it down, or else where a person said that it listens. Errors: disconnected, with the cure.
Result<std::string> embed_address(const Settings& settings);

}  // namespace parlance::app
