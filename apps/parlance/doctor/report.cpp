// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/doctor/report.h"

#include "parlance/base/visible_text.h"
#include "parlance/codec/json/typed.h"
#include "parlance/face/terminal/code_points.h"

namespace parlance::app {

// Pads the text with blanks to `width` columns.
static std::string filled(std::string text, std::size_t width) {
  if (const std::size_t has = face::columns(text); has < width) text.append(width - has, ' ');
  return text;
}

DoctorFinding& DoctorReport::add(std::string state, std::string what, std::string detail) {
  return findings_.findings.emplace_back(
      DoctorFinding{.group = group_, .state = std::move(state), .what = std::move(what), .detail = std::move(detail)});
}

void DoctorReport::bad(std::string what, std::string detail, std::string cure) {
  add("bad", std::move(what), std::move(detail)).cure = std::move(cure);
  ++findings_.bad;
}

std::string DoctorReport::as_text() const {
  std::string text = "parlance " + findings_.version + "\n";
  for (const DoctorFinding& finding : findings_.findings) {
    text += "  " + filled(finding.state == "bad" ? "BAD" : finding.state, 4) + ' ' + filled(visible_line(finding.what), 18) +
            ' ' + visible_line(finding.detail) + '\n';
    if (finding.cure) text += std::string(7, ' ') + filled("", 18) + " -> " + visible_line(*finding.cure) + '\n';
  }
  return text +
         (findings_.bad == 0 ? this->text(DoctorText::all_well)
                             : this->text(DoctorText::problems, {std::to_string(findings_.bad)})) +
         '\n';
}

std::string DoctorReport::as_json() const { return visible_json(json::to_text(findings_)) + "\n"; }

}  // namespace parlance::app
