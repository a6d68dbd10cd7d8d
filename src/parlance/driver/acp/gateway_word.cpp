// SPDX-License-Identifier: Apache-2.0
#include "parlance/driver/acp/gateway_word.h"

#include "parlance/codec/json/typed.h"
#include "parlance/driver/acp/link.h"

namespace parlance::driver {

Task<Result<acp::GatewayWord>> ask_gateway(Loop& loop, const AcpAgentSettings& settings) {
  NoSession nobody;
  AcpLink link(loop, settings, nobody);
  PARLANCE_CO_TRY_DO(co_await link.open(""));
  const auto told = json::from_text<acp::GatewayMeta>(link.client().agent().meta.json);
  co_await link.close();
  if (!told || !told->parlance)
    co_return fail(Errc::failed, settings.name + " speaks ACP, but is no gateway of parlance, or one of an older version");
  co_return *told->parlance;
}

}  // namespace parlance::driver
