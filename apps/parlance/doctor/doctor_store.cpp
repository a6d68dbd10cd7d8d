// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/doctor/doctor_store.h"

#include "apps/parlance/config/check_settings.h"
#include "parlance/store/hub_pg/server_warnings.h"
#include "parlance/store/memory_pg/findings.h"

namespace parlance::app {
namespace {

void check_memories(DoctorReport& report, const pg::ConnectSettings& settings, const pg::Interrupt& interrupt) {
  using enum DoctorText;
  const auto counts = store::look_at_memories(settings, interrupt);
  if (!counts) return report.bad(part_memory, counts.error().message, report.text(memory_unreadable));
  report.good(part_memory,
              *counts ? report.text(memory_counts, {(*counts)->memories, (*counts)->people}) : report.text(memory_none));
}

}  // namespace

void check_store(DoctorReport& report, const std::string& address) {
  using enum DoctorText;
  const pg::Interrupt never_raised;
  const pg::ConnectSettings settings{.address = address, .name = "parlance doctor"};
  const auto warnings = store::server_warnings(settings, never_raised);
  const auto hubs =
      warnings ? store::living_hubs(settings, never_raised) : Result<std::vector<store::LivingHub>>(fail(warnings.error()));
  if (!hubs) return report.bad(part_store, hubs.error().message, report.text(store_check_access));
  report.good(part_store, shown_value("store", address));
  for (const store::LivingHub& hub : *hubs)
    report.good(part_store, report.text(store_gateway, {hub.id, hub.version, hub.owned, hub.conversations, hub.lease_s}));
  for (const std::string& warning : *warnings) report.note(part_store, warning);
  check_memories(report, settings, never_raised);
}

}  // namespace parlance::app
