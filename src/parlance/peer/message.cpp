#include "parlance/peer/message.h"

namespace parlance {

std::string to_string(const RequestId& id) {
  if (!id.present) return "(none)";
  return id.raw.empty() ? std::to_string(id.number) : id.raw;
}

}  // namespace parlance
