// SPDX-License-Identifier: Apache-2.0
// Which embedder the settings ask for: the built-in one, or a service at an address. Loop thread.
#pragma once

#include <memory>
#include <string>

#include "apps/parlance/config/settings.h"
#include "parlance/async/loop.h"
#include "parlance/memory/embedder.h"

namespace parlance::app {

struct ChosenEmbedder {
  std::unique_ptr<memory::Embedder> embedder;
  std::string backend;  // its address without secrets, or "built-in"
};
// `url_setting`: embed-backend for the embedding service, embed-url for the agent; empty: the built-in embedder. Sends
// nothing. Errors: invalid_params (an invalid address or key).
Result<ChosenEmbedder> choose_embedder(Loop& loop, const Settings& settings, std::string_view url_setting);

}  // namespace parlance::app
