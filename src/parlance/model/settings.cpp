// SPDX-License-Identifier: Apache-2.0
#include "parlance/model/settings.h"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "parlance/base/byte_order_mark.h"
#include "parlance/base/text.h"

namespace parlance::model {
namespace {

constexpr std::array openai_variables{std::string_view("PARLANCE_API_KEY"), std::string_view("OPENAI_API_KEY"),
                                      std::string_view("OPENCLAW_API_KEY")};
constexpr std::array anthropic_variables{std::string_view("PARLANCE_API_KEY"), std::string_view("ANTHROPIC_API_KEY"),
                                         std::string_view("OPENCLAW_API_KEY")};

Result<std::string> read_key_file(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return fail(system_error("open the key file " + path, errno));
  struct Closing {
    int descriptor;
    ~Closing() { close(descriptor); }
  } const closing{file};
  struct stat status{};
  if (fstat(file, &status) != 0) return fail(system_error("read the key file " + path, errno));
  if (!S_ISREG(status.st_mode)) return fail(Errc::invalid_params, "the key file " + path + " is no file");
  if ((status.st_mode & 077) != 0) return fail(Errc::denied, "other users may read the key file " + path + ": chmod 600 it");
  std::array<char, 4096> text{};
  const ssize_t count = read(file, text.data(), text.size());
  if (count < 0) return fail(system_error("read the key file " + path, errno));
  return std::string(trim(without_byte_order_mark({text.data(), static_cast<std::size_t>(count)})));
}

}  // namespace

std::string_view to_string(Kind kind) {
  switch (kind) {
    case Kind::rehearsal: return "rehearsal";
    case Kind::openai: return "openai";
    case Kind::anthropic: return "anthropic";
  }
  return "rehearsal";
}

std::optional<Kind> kind_from(std::string_view name) {
  for (const Kind kind : {Kind::rehearsal, Kind::openai, Kind::anthropic})
    if (to_string(kind) == name) return kind;
  return std::nullopt;
}

std::span<const std::string_view> api_key_variables(Kind kind) {
  if (kind == Kind::openai) return openai_variables;
  if (kind == Kind::anthropic) return anthropic_variables;
  return {};
}

Result<ApiKey> find_api_key(Kind kind, const std::function<std::optional<std::string>(std::string_view)>& variable,
                            const std::string& file) {
  if (kind == Kind::rehearsal) return ApiKey{};
  if (!file.empty()) {
    PARLANCE_TRY(text, read_key_file(file));
    if (text.empty()) return fail(Errc::invalid_params, "the key file " + file + " is empty");
    return ApiKey{.text = text, .origin = "the file " + file};
  }
  for (const std::string_view name : api_key_variables(kind))
    if (const auto value = variable(name); value && !trim(*value).empty())
      return ApiKey{.text = std::string(trim(*value)), .origin = std::string(name)};
  return ApiKey{};
}

}  // namespace parlance::model
