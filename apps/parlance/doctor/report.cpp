// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/doctor/report.h"

#include "apps/parlance/doctor/chinese.h"
#include "parlance/base/visible_text.h"
#include "parlance/codec/json/typed.h"
#include "parlance/face/terminal/code_points.h"

namespace parlance::app {

// At least so wide.
static std::string filled(std::string text, std::size_t width) {
  if (const std::size_t has = face::columns(text); has < width) text.append(width - has, ' ');
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

void DoctorReport::speak_chinese() {
  chinese_ = true;
  for (DoctorFinding& one : told_.findings) {
    one.what = in_chinese(one.what);
    one.detail = in_chinese(one.detail);
    if (one.cure) one.cure = in_chinese(*one.cure);
  }
}

std::string DoctorReport::as_text() const {
  std::string text = "parlance " + told_.version + "\n";
  for (const DoctorFinding& one : told_.findings) {
    text += "  " + filled(one.state == "bad" ? "BAD" : one.state, 4) + ' ' + filled(visible_line(one.what), 18) + ' ' +
            visible_line(one.detail) + '\n';
    if (one.cure) text += std::string(7, ' ') + filled("", 18) + " -> " + visible_line(*one.cure) + '\n';
  }
  if (told_.bad == 0) return text + (chinese_ ? "一切正常。\n" : "Nothing is wrong.\n");
  return text + std::to_string(told_.bad) + (chinese_ ? " 项需要处理。\n" : " to mend.\n");
}

std::string DoctorReport::as_json() const { return visible_json(json::to_text(told_)) + "\n"; }

}  // namespace parlance::app
