#include "apps/parlance/doctor/doctor_store.h"

#include "parlance/store/hub_pg/server_warnings.h"

namespace parlance::app {

Result<std::vector<std::string>> look_at_store(const std::string& address) {
  const pg::Interrupt never_raised;
  return store::server_warnings({.address = address, .name = "parlance doctor"}, never_raised);
}

}  // namespace parlance::app
