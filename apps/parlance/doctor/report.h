// SPDX-License-Identifier: Apache-2.0
// The findings of `parlance doctor`, as text for people and as JSON for programs. A value; one thread at a time.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apps/parlance/doctor/texts.h"
#include "parlance/wire/describe.h"

namespace parlance::app {

struct DoctorFinding {
  std::string group{};
  std::string state{};
  std::string what{};
  std::string detail{};
  std::optional<std::string> cure{};
  static constexpr auto wire = wire::fields(
      wire::field<&DoctorFinding::group>("group", "Group of the finding: storage, settings, model, services or agents."),
      wire::field<&DoctorFinding::state>("state", "State: ok, note (information) or bad (a problem)."),
      wire::field<&DoctorFinding::what>("what", "Name of the examined part."),
      wire::field<&DoctorFinding::detail>("detail", "The finding, one sentence."),
      wire::field<&DoctorFinding::cure>("cure", "With bad: the recommended action."));
};

struct DoctorFindings {
  std::string version{};
  int bad = 0;
  std::vector<DoctorFinding> findings{};
  static constexpr auto wire =
      wire::fields(wire::field<&DoctorFindings::version>("version", "Version of parlance."),
                   wire::field<&DoctorFindings::bad>("bad", "Number of findings with the state bad."),
                   wire::field<&DoctorFindings::findings>("findings", "Findings in the order of the checks."));
};

class DoctorReport {
 public:
  explicit DoctorReport(Language language) : language_(language) {}
  // A text in the language of the report.
  std::string text(DoctorText id, std::initializer_list<std::string_view> values = {}) const {
    return text_of(id, language_, values);
  }

  void begin(std::string_view group) { group_ = group; }  // The group of later findings.
  void good(DoctorText what, std::string detail) { good(text(what), std::move(detail)); }
  void note(DoctorText what, std::string detail) { note(text(what), std::move(detail)); }
  void bad(DoctorText what, std::string detail, std::string cure) { bad(text(what), std::move(detail), std::move(cure)); }
  void good(std::string what, std::string detail) { add("ok", std::move(what), std::move(detail)); }
  void note(std::string what, std::string detail) { add("note", std::move(what), std::move(detail)); }
  void bad(std::string what, std::string detail, std::string cure);

  const DoctorFindings& findings() const { return findings_; }
  std::string as_text() const;
  std::string as_json() const;

 private:
  DoctorFinding& add(std::string state, std::string what, std::string detail);
  Language language_;
  std::string group_;
  DoctorFindings findings_{.version = PARLANCE_VERSION};
};

}  // namespace parlance::app
