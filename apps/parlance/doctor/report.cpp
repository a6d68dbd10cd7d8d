#include "apps/parlance/doctor/report.h"

#include "parlance/codec/json/typed.h"

namespace parlance::app {

// At least so wide.
static std::string filled(std::string text, std::size_t width) {
  if (text.size() < width) text.append(width - text.size(), ' ');
  return text;
}

DoctorFinding& DoctorReport::add(std::string state, std::string what, std::string detail) {
  return told_.findings.emplace_back(
      DoctorFinding{.group = group_, .state = std::move(state), .what = std::move(what), .detail = std::move(detail)});
}

void DoctorReport::bad(std::string what, std::string detail, std::string cure) {
  add("bad", std::move(what), std::move(detail)).cure = std::move(cure);
  ++told_.bad;
}

std::string DoctorReport::as_text() const {
  std::string text = "parlance " + told_.version + "\n";
  for (const DoctorFinding& one : told_.findings) {
    text += "  " + filled(one.state == "bad" ? "BAD" : one.state, 4) + ' ' + filled(one.what, 18) + ' ' + one.detail + '\n';
    if (one.cure) text += std::string(7, ' ') + filled("", 18) + " -> " + *one.cure + '\n';
  }
  return text + (told_.bad == 0 ? "Nothing is wrong.\n" : std::to_string(told_.bad) + " to mend.\n");
}

std::string DoctorReport::as_json() const { return json::to_text(told_) + "\n"; }

}  // namespace parlance::app
