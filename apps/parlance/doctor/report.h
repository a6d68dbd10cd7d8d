// SPDX-License-Identifier: Apache-2.0
// What `parlance doctor` found, for people and for programs. A value; one thread at a time.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/wire/describe.h"

namespace parlance::app {

struct DoctorFinding {
  std::string group{};
  std::string state{};
  std::string what{};
  std::string detail{};
  std::optional<std::string> cure{};
  static constexpr auto wire =
      wire::fields(wire::field<&DoctorFinding::group>("group", "storage, settings, model, services or agents."),
                   wire::field<&DoctorFinding::state>("state", "ok, note, or bad: to be mended."),
                   wire::field<&DoctorFinding::what>("what", "What was looked at."),
                   wire::field<&DoctorFinding::detail>("detail", "What was found."),
                   wire::field<&DoctorFinding::cure>("cure", "Of bad: what to do."));
};

struct DoctorTold {
  std::string version{};
  int bad = 0;
  std::vector<DoctorFinding> findings{};
  static constexpr auto wire = wire::fields(wire::field<&DoctorTold::version>("version", "Of parlance."),
                                            wire::field<&DoctorTold::bad>("bad", "How many are to be mended."),
                                            wire::field<&DoctorTold::findings>("findings", "In the order of looking."));
};

class DoctorReport {
 public:
  void begin(std::string_view group) { group_ = group; }  // of what follows
  void good(std::string what, std::string detail) { add("ok", std::move(what), std::move(detail)); }
  void note(std::string what, std::string detail) { add("note", std::move(what), std::move(detail)); }
  void bad(std::string what, std::string detail, std::string cure);

  void speak_chinese();  // of what was found so far

  const DoctorTold& told() const { return told_; }
  std::string as_text() const;
  std::string as_json() const;

 private:
  DoctorFinding& add(std::string state, std::string what, std::string detail);
  std::string group_;
  bool chinese_ = false;
  DoctorTold told_{.version = PARLANCE_VERSION};
};

}  // namespace parlance::app
