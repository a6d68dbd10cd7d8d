// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/rehearse/scripted_methods.h"

#include <utility>

#include "parlance/codec/json/typed.h"
#include "parlance/transport/whole_file.h"
#include "parlance/wire/call.h"

namespace parlance::app {
namespace {

using wire::field;
using wire::fields;

struct Entry {
  std::string name{};
  std::string description{};
  wire::Raw parameters{};
  bool read_only = false;
  wire::Raw result{};
  static constexpr auto wire = fields(field<&Entry::name>("name", "Name of the method."),
                                      field<&Entry::description>("description", "Purpose of the method.").or_default(),
                                      field<&Entry::parameters>("parameters", "JSON Schema of the parameters.").or_default(),
                                      field<&Entry::read_only>("readOnly", "True: the method changes nothing.").or_default(),
                                      field<&Entry::result>("result", "The scripted result."));
};

}  // namespace

Result<std::vector<ScriptedMethod>> scripted_methods(const std::string& path) {
  PARLANCE_TRY(text, read_whole_file(path));
  auto entries = json::from_text<std::vector<Entry>>(text, {.known_only = true});
  if (!entries) return std::unexpected(std::move(entries).error().in(path));
  std::vector<ScriptedMethod> methods;
  for (Entry& entry : *entries)
    methods.push_back({.about = {.name = std::move(entry.name),
                                 .description = std::move(entry.description),
                                 .parameters_json = std::move(entry.parameters.json),
                                 .read_only = entry.read_only},
                       .result_json = std::move(entry.result.json)});
  return methods;
}

}  // namespace parlance::app
