// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/rehearse/compiler_lines.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <utility>

#include "apps/parlance/rehearse/places.h"
#include "parlance/base/text.h"

namespace parlance::app {
using namespace hub::editor;

namespace {

constexpr std::array<std::pair<std::string_view, Severity>, 4> severities{{{"fatal error", Severity::error},
                                                                           {"error", Severity::error},
                                                                           {"warning", Severity::warning},
                                                                           {"note", Severity::information}}};

struct Found {
  std::string path{};
  std::uint32_t line = 0;    // from 1
  std::uint32_t column = 0;  // from 1, in bytes; 0: none was said
  Diagnostic diagnostic{};
};

std::string_view take_field(std::string_view& rest) {
  const std::size_t end = rest.find(':');
  if (end == std::string_view::npos) return {};
  const std::string_view field = rest.substr(0, end);
  rest.remove_prefix(end + 1);
  return field;
}

// "words [-Wname]"
void read_words(std::string_view words, Diagnostic& into) {
  words = trim(words);
  if (const std::size_t at = words.rfind(" ["); at != std::string_view::npos && words.ends_with(']')) {
    into.code = std::string(words.substr(at + 2, words.size() - at - 3));
    words = words.substr(0, at);
  }
  into.message = std::string(words);
}

std::optional<Found> read(std::string_view line) {
  Found found{.path = std::string(take_field(line)), .diagnostic = {.source = "compiler"}};
  const auto number = parse_number<std::uint32_t>(take_field(line));
  if (found.path.empty() || !number || *number == 0) return std::nullopt;
  found.line = *number;
  std::string_view field = take_field(line);
  if (const auto column = parse_number<std::uint32_t>(field)) {
    found.column = *column;
    field = take_field(line);
  }
  const auto* const severity = std::ranges::find(severities, trim(field), &std::pair<std::string_view, Severity>::first);
  if (severity == severities.end()) return std::nullopt;
  found.diagnostic.severity = severity->second;
  read_words(line, found.diagnostic);
  return found;
}

Position place_of(const Found& found, std::string_view text) {
  const auto begin = offset_of(text, {.line = found.line - 1});
  if (!begin || found.column == 0) return {.line = found.line - 1};
  const std::size_t end = std::min(text.find('\n', *begin), text.size());
  return position_of(text, std::min(*begin + found.column - 1, end));
}

}  // namespace

std::vector<FileDiagnostics> compiler_lines(std::string_view printed, const std::string& folder,
                                            const std::function<std::string(const std::string&)>& text_of) {
  std::vector<FileDiagnostics> files;
  std::vector<std::string> texts;
  for (std::size_t at = 0; at < printed.size();) {
    const std::size_t end = std::min(printed.find('\n', at), printed.size());
    auto found = read(printed.substr(at, end - at));
    at = end + 1;
    if (!found) continue;
    const std::string path = (std::filesystem::path(folder) / found->path).lexically_normal().string();
    auto file = std::ranges::find(files, path, &FileDiagnostics::path);
    if (file == files.end()) {
      texts.push_back(text_of(path));
      file = files.insert(files.end(), {.path = path});
    }
    const Position place = place_of(*found, texts[static_cast<std::size_t>(file - files.begin())]);
    found->diagnostic.range = {.start = place, .end = place};
    file->diagnostics.push_back(std::move(found->diagnostic));
  }
  return files;
}

Diagnostics chosen(const std::vector<FileDiagnostics>& all, const std::optional<std::string>& path,
                   const std::optional<Severity>& severity, std::size_t most) {
  Diagnostics out;
  std::size_t count = 0;
  for (const FileDiagnostics& file : all) {
    if (path && file.path != *path) continue;
    FileDiagnostics kept{.path = file.path};
    for (const Diagnostic& diagnostic : file.diagnostics) {
      if (severity && diagnostic.severity != *severity) continue;
      out.truncated = out.truncated || count == most;
      if (out.truncated) break;
      kept.diagnostics.push_back(diagnostic);
      ++count;
    }
    if (!kept.diagnostics.empty()) out.files.push_back(std::move(kept));
  }
  return out;
}

}  // namespace parlance::app
