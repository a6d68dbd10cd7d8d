// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/embedding.h"

#include <cstdlib>

#include "parlance/server/embed/embedder_on_worker.h"
#include "parlance/server/embed/embedder_via_http.h"

namespace parlance::app {

Result<ChosenEmbedder> choose_embedder(Loop& loop, const Settings& settings, std::string_view url_setting) {
  const std::string& url = settings.text(url_setting);
  if (url.empty()) return ChosenEmbedder{.embedder = std::make_unique<server::EmbedderOnWorker>(loop), .backend = "built-in"};
  const auto variable = [](std::string_view name) -> std::optional<std::string> {
    const char* value = std::getenv(std::string(name).c_str());
    return value != nullptr ? std::optional<std::string>(value) : std::nullopt;
  };
  server::EmbedBackendSettings backend{.url = url, .model = settings.text("embed-model")};
  PARLANCE_TRY(key, server::find_embed_key(url, variable, settings.text("embed-key-file")));
  backend.key = std::move(key);
  auto made = server::EmbedderViaHttp::make(loop, std::move(backend));
  if (!made) return fail(made.error().in("--" + std::string(url_setting)));
  std::string shown = (*made)->shown_url();
  return ChosenEmbedder{.embedder = *std::move(made), .backend = std::move(shown)};
}

}  // namespace parlance::app
