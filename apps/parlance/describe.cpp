// parlance describe: the messages of a protocol, from the tables that the program itself reads and writes them by.
#include <cstdio>

#include "commands.h"
#include "service/protocol_descriptions.h"

namespace parlance::app {

int run_describe(const std::string& protocol, const std::string& form) {
  const auto text = service::describe_protocol(protocol, form);
  if (!text) return complain(text.error(), ExitCode::usage);
  std::fputs(text->c_str(), stdout);
  return ExitCode::done;
}

}  // namespace parlance::app
