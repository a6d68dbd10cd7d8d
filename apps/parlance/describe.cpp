// SPDX-License-Identifier: Apache-2.0
// parlance describe: the messages of a protocol, from the tables that the program itself reads and writes them by.
#include <cstdio>

#include <CLI/CLI.hpp>

#include "apps/parlance/commands.h"
#include "apps/parlance/describe/protocol_descriptions.h"

namespace parlance::app {

static int describe(const std::string& protocol, const std::string& form) {
  const auto text = app::describe_protocol(protocol, form);
  if (!text) return complain(text.error(), ExitCode::usage);
  std::fputs(text->c_str(), stdout);
  return ExitCode::done;
}

Action declare_describe(CLI::App& app) {
  struct Wanted {
    std::string protocol;
    std::string form = "markdown";
  };
  auto wanted = std::make_shared<Wanted>();
  app.add_option("protocol", wanted->protocol, "Protocol to describe. Without a name, the command lists the protocols.");
  app.add_option("--form", wanted->form, "Format of the output.")
      ->check(CLI::IsMember({"markdown", "typescript", "schema"}))
      ->capture_default_str();
  return [wanted](const Settings&, const Words&) { return describe(wanted->protocol, wanted->form); };
}

}  // namespace parlance::app
