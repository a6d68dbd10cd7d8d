// SPDX-License-Identifier: Apache-2.0
// Reading parlance.toml: the only file that includes the TOML reader.
#include "apps/parlance/config/config_file.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <utility>

#define TOML_EXCEPTIONS 0
#include <toml++/toml.h>

#include "parlance/base/byte_order_mark.h"
#include "parlance/base/sha256.h"
#include "parlance/base/text.h"
#include "parlance/base/visible_text.h"
#include "parlance/transport/whole_file.h"

namespace parlance::app {
namespace {

// As a variable of the environment holds several paths.
std::string joined(const std::vector<std::string>& values) {
  std::string all;
  for (const std::string& value : values) (all += all.empty() ? "" : ":") += value;
  return all;
}

// The section of a table [SECTION.NAME], or nothing.
std::string_view table_of(std::string_view key) {
  for (const std::string_view section : {mcp_section, agents_section})
    if (key.starts_with(section)) return section;
  return "";
}

// A terminal would obey control characters in a displayed value, and a NUL would cut the value for a program. TOML forbids them in
// the file, but not behind a backslash.
bool has_control(std::string_view text) {
  return std::ranges::any_of(text, [](unsigned char c) { return (c < ' ' && c != '\t' && c != '\n' && c != '\r') || c == 0x7f; });
}

// No value: a date, a time, a table or a list.
std::optional<std::string> text_of(const toml::node& value) {
  if (const auto* text = value.as_string()) return text->get();
  if (const auto* is_on = value.as_boolean()) return is_on->get() ? "true" : "false";
  if (const auto* number = value.as_integer()) return std::to_string(number->get());
  if (const auto* number = value.as_floating_point()) {
    std::array<char, 32> digits{};
    return std::string(digits.data(), std::to_chars(digits.begin(), digits.end(), number->get()).ptr);
  }
  return std::nullopt;
}

Result<std::vector<std::string>> texts_of(const toml::node& value) {
  std::vector<std::string> texts;
  const auto add = [&](const toml::node& element) {
    const auto text = text_of(element);
    if (text) texts.push_back(*text);
    return text.has_value();
  };
  bool are_texts = true;  // also numbers, true and false
  if (const toml::array* const list = value.as_array())
    for (const toml::node& element : *list) are_texts = add(element) && are_texts;
  else are_texts = add(value);
  if (!are_texts) return fail(Errc::invalid_params, "takes a text, a number, true or false, or a list of these");
  if (std::ranges::any_of(texts, has_control)) return fail(Errc::invalid_params, "holds a control character");
  return texts;
}

// In the order of the file.
class Entries {
 public:
  Result<void> add(const toml::table& table, const std::string& parents) {
    for (const auto& [name, value] : table) {
      const std::string key = parents + std::string(name.str());
      const std::string line = "line " + std::to_string(value.source().begin.line);
      if (has_control(key)) return fail(Errc::invalid_params, line + " holds a control character in a key");
      if (const toml::table* const inner = value.as_table()) PARLANCE_TRY_DO(add(*inner, key + "-"));
      else if (const auto added = add_value(key, value); !added)
        return fail(added.error().code, line + ": \"" + key + "\" " + added.error().message);
    }
    return {};
  }
  std::vector<ConfigEntry> take() {
    std::vector<ConfigEntry> all;
    for (auto& [line, entry] : entries_) all.push_back(std::move(entry));
    return all;
  }

 private:
  Result<void> add_value(std::string key, const toml::node& value) {
    PARLANCE_TRY(values, texts_of(value));
    const bool is_list = key == databases_setting;
    if (values.size() != 1 && !is_list && table_of(key).empty()) return fail(Errc::invalid_params, "takes one value");
    std::string text = is_list ? joined(values) : values.empty() ? "" : values.front();
    // Names of servers and their members keep their spelling.
    if (table_of(key).empty()) std::ranges::replace(key, '_', '-');
    entries_.emplace(std::pair(value.source().begin.line, value.source().begin.column),
                     ConfigEntry{std::move(key), std::move(text), std::move(values)});
    return {};
  }

  std::multimap<std::pair<std::uint32_t, std::uint32_t>, ConfigEntry> entries_;  // by line and column
};

// The reader needs stack for each level of a key such as a.b.c, and a working folder may contain the file of a stranger.
constexpr std::ptrdiff_t most_dots = 2000;
constexpr std::uintmax_t most_config_bytes = 1 << 20;

Result<std::vector<ConfigEntry>> read_entries(const std::string& path, std::string_view text) {
  // A line of a text in triple quotes may look like a comment.
  const bool has_lines_in_texts = text.contains("\"\"\"") || text.contains("'''");
  std::ptrdiff_t dots = 0;
  for (const std::string_view line : split(text, '\n'))
    if (has_lines_in_texts || !trim(line).starts_with('#')) dots += std::ranges::count(line, '.');
  if (dots > most_dots)
    return fail(Errc::invalid_params,
                path + ": " + std::to_string(dots) + " dots outside of comments; at most " + std::to_string(most_dots));
  const toml::parse_result parsed = toml::parse(text);
  if (!parsed)
    return fail(Errc::invalid_params, path + ": line " + std::to_string(parsed.error().source().begin.line) + ": " +
                                          std::string(parsed.error().description()));
  Entries entries;
  if (auto added = entries.add(parsed.table(), ""); !added) return std::unexpected(std::move(added).error().in(path));
  return entries.take();
}

}  // namespace

bool is_mcp(const ConfigEntry& entry) { return entry.key.starts_with(mcp_section); }
bool is_table(const ConfigEntry& entry) { return !table_of(entry.key).empty(); }

std::string name_of(const ConfigEntry& entry) {
  std::string name = entry.key;
  if (const std::string_view section = table_of(entry.key); !section.empty())
    name = "[" + std::string(section.substr(0, section.size() - 1)) + "." +
           entry.key.substr(section.size(), entry.key.rfind('-') - section.size()) + "]";
  return printable(std::move(name));
}

std::string printable(std::string text) { return visible_line(text); }

Result<ConfigFile> read_config_file(const std::string& path) {
  auto text = read_whole_file(path);
  if (!text) return std::unexpected(std::move(text).error().in("the configuration file"));
  PARLANCE_TRY(entries, read_entries(path, without_byte_order_mark(*text)));
  return ConfigFile{.path = path, .sha256 = sha256_hex(*text), .entries = std::move(entries)};
}

Result<ConfigFile> read_found_config_file(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) return fail(Errc::not_found, path + ": there is no such file");
  if (!std::filesystem::is_regular_file(path, error))
    return fail(Errc::invalid_params, path + ": a configuration file is a plain file; --config reads any other");
  if (std::filesystem::file_size(path, error) > most_config_bytes)
    return fail(Errc::invalid_params,
                path + ": a configuration file has at most " + std::to_string(most_config_bytes) + " bytes");
  return read_config_file(path);
}

}  // namespace parlance::app
