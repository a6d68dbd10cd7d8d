// The messages of MCP, and of sqlite-helper's tools over it, as Markdown, TypeScript or JSON Schema. Any thread.
#pragma once

#include <string>

namespace parlance::service {

std::string mcp_form(const std::string& form);
std::string sqlite_mcp_form(const std::string& form);

}  // namespace parlance::service
