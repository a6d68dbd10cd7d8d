// SPDX-License-Identifier: Apache-2.0
#include "parlance/driver/iflow/settings_file.h"

#include <algorithm>
#include <filesystem>
#include <vector>

#include "parlance/base/private_folder.h"
#include "parlance/codec/json/reader.h"
#include "parlance/codec/json/writer.h"
#include "parlance/driver/iflow/limits.h"
#include "parlance/transport/private_file.h"
#include "parlance/transport/whole_file.h"

namespace parlance::driver {
namespace {

namespace fs = std::filesystem;

struct Change {
  std::string_view name;
  const std::optional<std::string>* value;
  bool made = false;
};

// A replaced piece of the document.
struct Splice {
  std::size_t at;
  std::size_t length;
  std::string text;
};

std::string in_quotes(std::string_view text) {
  std::string out;
  json::write_text(out, text);
  return out;
}

// The position of a new member: before the closing brace, indented like its neighbours on separate lines.
Splice appended(std::string_view document, const std::vector<Change>& changes, std::size_t last_end, std::string_view indent) {
  std::string text;
  bool first = last_end == std::string_view::npos;
  for (const Change& change : changes) {
    if (change.made || !*change.value) continue;
    text += std::string(first ? "" : ",") + std::string(indent) + in_quotes(change.name) + ": " + in_quotes(**change.value);
    first = false;
  }
  if (last_end != std::string_view::npos) return {last_end, 0, std::move(text)};
  const std::size_t open = document.find('{') + 1;
  const std::size_t close = document.rfind('}');
  return {open, close - open, text.empty() ? text : text + "\n"};
}

std::string spliced(std::string_view document, std::vector<Splice> splices) {
  std::ranges::sort(splices, {}, &Splice::at);
  std::string out;
  std::size_t at = 0;
  for (const Splice& splice : splices) {
    out += document.substr(at, splice.at - at);
    out += splice.text;
    at = splice.at + splice.length;
  }
  out += document.substr(at);
  return out;
}

bool is_blank(std::string_view text) { return text.find_first_not_of(" \t\r\n") == std::string_view::npos; }

// Follows links, so a linked settings.json is changed at its target.
std::string real_place(const std::string& path) {
  std::error_code failed;
  if (!fs::is_symlink(path, failed)) return path;
  const fs::path real = fs::weakly_canonical(path, failed);
  return failed ? path : real.string();
}

// Keeps invalid JSON too: the content is a person's work.
Result<std::string> keep_beside(const std::string& path, WallTime now) {
  std::string date = to_rfc3339(now);
  std::ranges::replace(date, ':', '-');
  for (int attempt = 0; attempt < 100; ++attempt) {
    const std::string kept = path + ".unreadable-" + date + (attempt == 0 ? "" : "-" + std::to_string(attempt));
    std::error_code failed;
    if (fs::exists(fs::symlink_status(kept, failed))) continue;
    if (fs::rename(path, kept, failed); failed)
      return fail(Errc::denied, path + ": it cannot be kept beside: " + failed.message());
    return kept;
  }
  return fail(Errc::failed, path + ": too many files that were kept lie beside it: remove some");
}

}  // namespace

std::string iflow_settings_path(std::string_view iflow_home, std::string_view home) {
  if (!iflow_home.empty()) return std::string(iflow_home) + "/settings.json";
  return home.empty() ? "" : std::string(home) + "/.iflow/settings.json";
}

Result<std::string> changed_settings(std::string_view document, const IflowSettingsChange& change) {
  std::vector<Change> changes{{"modelName", &change.model}, {"baseUrl", &change.base_url}, {"apiKey", &change.api_key}};
  if (is_blank(document)) document = "{}\n";
  if (!json::check_utf8(document)) return fail(Errc::invalid_request, "not UTF-8");
  json::Reader reader(document);
  if (reader.peek() != json::Token::object) return fail(Errc::invalid_request, "no JSON object");
  std::vector<Splice> splices;
  std::size_t last_end = std::string_view::npos;
  std::string_view indent = "\n  ";
  for (bool more = reader.enter_object(); more; more = reader.next_member()) {
    const std::string key(reader.key());
    std::string_view raw;
    if (!reader.skip(&raw)) break;
    const auto at = static_cast<std::size_t>(raw.data() - document.data());
    last_end = at + raw.size();
    if (!document.contains('\n')) indent = " ";
    for (Change& edit : changes) {
      if (key != edit.name || !*edit.value) continue;
      splices.push_back({at, raw.size(), in_quotes(**edit.value)});
      edit.made = true;
    }
  }
  if (!reader.finish()) return fail(Errc::invalid_request, "at byte " + std::to_string(reader.offset()) + ": " + reader.fault());
  const bool all_made = std::ranges::all_of(changes, [](const Change& edit) { return edit.made || !*edit.value; });
  if (!all_made) splices.push_back(appended(document, changes, last_end, indent));
  return spliced(document, std::move(splices));
}

Result<IflowSettingsWritten> write_iflow_settings(const std::string& path, const IflowSettingsChange& change, WallTime now) {
  if (path.empty()) return fail(Errc::not_found, "there is no home folder for iFlow's settings: set HOME or IFLOW_HOME");
  const std::string file = real_place(path);
  Result<std::string> before = read_whole_file(file);
  if (!before && before.error().code != Errc::not_found) return fail(std::move(before).error());
  IflowSettingsWritten out;
  const std::string old = before ? *before : std::string();
  Result<std::string> text =
      old.size() > limits::iflow_settings_bytes ? fail(Errc::invalid_request, "too large") : changed_settings(old, change);
  if (text && before && *text == old) return out;
  if (!text) {
    PARLANCE_TRY(kept, keep_beside(file, now));
    out.kept_at = kept;
    text = changed_settings("", change);
  }
  auto written = make_private_folders(fs::path(file).parent_path().string());
  if (written) written = write_private_file(file, *text);
  if (!written && out.kept_at) written.error().message += "; what was there, and could not be read, lies now in " + *out.kept_at;
  PARLANCE_TRY_DO(written);
  out.changed = true;
  return out;
}

}  // namespace parlance::driver
