// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/conversation/mode.h"

namespace parlance::hub {

std::string_view to_string(Mode mode) {
  switch (mode) {
    case Mode::default_: return "default";
    case Mode::auto_edit: return "autoEdit";
    case Mode::yolo: return "yolo";
    case Mode::plan: return "plan";
    case Mode::smart: return "smart";
  }
  return "default";
}

}  // namespace parlance::hub
