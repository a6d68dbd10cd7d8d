// SPDX-License-Identifier: Apache-2.0
// Methods that other extensions added to the editor: their description, and a call for agents that learn of them at run time. An
// agent that knows such a method calls it by its name. Values; any thread.
#pragma once

#include "parlance/protocol/editor/values.h"

namespace parlance::editor {

struct AddedMethod {
  std::string name{};
  std::string description{};
  Raw parameters{};
  bool read_only = false;
  static constexpr auto wire =
      fields(field<&AddedMethod::name>("name", "Name of the method, for callAddedMethod."),
             field<&AddedMethod::description>("description", "Purpose of the method, for a model.").or_default(),
             field<&AddedMethod::parameters>("parameters", "JSON Schema of the parameters.").or_default(),
             field<&AddedMethod::read_only>("readOnly", "True: the method changes nothing.").or_default());
};
struct AddedMethods {
  bool success = true;
  std::optional<std::vector<AddedMethod>> methods{};
  std::optional<std::string> error{};
  static constexpr auto wire =
      fields(field<&AddedMethods::success>("success", doc::success),
             field<&AddedMethods::methods>("methods", "All added methods, without the methods of this protocol."),
             field<&AddedMethods::error>("error", doc::error));
};
struct CallAdded {
  std::string method{};
  Raw params{};
  static constexpr auto wire =
      fields(field<&CallAdded::method>("method", "Name of an added method."),
             field<&CallAdded::params>("params", "Parameters of the method. Absent: no parameters.").or_default());
};
struct AddedResult {
  bool success = true;
  Raw result{};
  std::optional<std::string> error{};
  static constexpr auto wire = fields(field<&AddedResult::success>("success", doc::success),
                                      field<&AddedResult::result>("result", "Result of the method.").or_default(),
                                      field<&AddedResult::error>("error", doc::error));
};

}  // namespace parlance::editor
