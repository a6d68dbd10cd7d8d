// SPDX-License-Identifier: Apache-2.0
#include "parlance/model/provider/make_model.h"

#include <string>
#include <utility>

#include "parlance/base/log.h"
#include "parlance/base/uri.h"
#include "parlance/model/provider/anthropic.h"
#include "parlance/model/provider/endpoint.h"
#include "parlance/model/provider/openai.h"
#include "parlance/model/rehearsal/rehearsal.h"

namespace parlance::model {

Result<std::unique_ptr<Model>> make_model(Loop& loop, ModelSettings settings) {
  if (settings.kind == Kind::rehearsal) return make_rehearsal(loop, std::move(settings.rehearsal));
  if (settings.url.empty() && settings.key.text.empty()) {
    std::string names;
    for (const std::string_view name : api_key_variables(settings.kind))
      names += (names.empty() ? "" : " or ") + std::string(name);
    return fail(Errc::denied, "the model " + std::string(to_string(settings.kind)) + " needs a key: set " + names +
                                  ", or a URL of a server that needs none, or choose the model rehearsal");
  }
  if (const auto parts = split_url(settings.url);
      parts && !parts->secure && !settings.key.text.empty() && !is_loopback(parts->host))
    log(LogLevel::warn, "the model's key travels unencrypted", {{"host", parts->host}});
  if (settings.kind == Kind::anthropic) {
    PARLANCE_TRY(made, make_anthropic(loop, std::move(settings)));
    return std::unique_ptr<Model>(std::move(made));
  }
  PARLANCE_TRY(made, make_openai(loop, std::move(settings)));
  return std::unique_ptr<Model>(std::move(made));
}

}  // namespace parlance::model
