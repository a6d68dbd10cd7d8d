// SPDX-License-Identifier: Apache-2.0
// parlance gob: recorded gob streams as text or JSON, and gob from JSON.
#include <cstdio>

#include <CLI/CLI.hpp>

#include "apps/parlance/commands.h"
#include "parlance/codec/gob/described.h"
#include "parlance/codec/gob/dump.h"
#include "parlance/codec/json/value.h"
#include "parlance/transport/whole_file.h"

namespace parlance::app {
namespace {

struct GobCommand {
  std::string file;    // "-" is stdin
  bool hex = false;    // the input is hex text (dump) or the output shall be (encode)
  bool types = false;  // dump: definitions too
  std::string type;    // encode: the type description
};

int run_gob_dump(const GobCommand& command) {
  auto input = read_whole_file(command.file);
  if (!input) return complain(input.error());
  if (command.hex) {
    Bytes bytes;
    if (!from_hex(*input, bytes))
      return complain({.code = Errc::invalid_params,
                       .message = command.file + " is no hex text: give pairs of hex digits, or omit --hex for binary data"},
                      ExitCode::usage);
    *input = std::move(bytes);
  }
  const std::string text = command.types ? gob::dump_text(*input) : gob::dump_json_lines(*input);
  std::fwrite(text.data(), 1, text.size(), stdout);
  return ExitCode::done;
}

int run_gob_encode(const GobCommand& command) {
  const auto input = read_whole_file(command.file);
  if (!input) return complain(input.error());
  gob::DescribedEncoder encoder;
  if (const auto declared = encoder.declare(command.type); !declared)
    return complain(declared.error().in("the type"), ExitCode::usage);
  std::string out;
  std::size_t number = 0;
  std::size_t from = 0;
  // One value a line; each becomes a message, definitions go out once.
  while (from < input->size()) {
    const std::size_t to = std::min(input->find('\n', from), input->size());
    const std::string_view line = std::string_view(*input).substr(from, to - from);
    from = to + 1;
    ++number;
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    const auto value = json::parse(line);
    if (!value) return complain(value.error().in("line " + std::to_string(number)), ExitCode::usage);
    if (const auto encoded = encoder.encode(out, command.type, *value); !encoded)
      return complain(encoded.error().in("line " + std::to_string(number)), ExitCode::usage);
  }
  if (command.hex) out = to_hex(out) + "\n";
  std::fwrite(out.data(), 1, out.size(), stdout);
  return ExitCode::done;
}

}  // namespace

Action declare_gob_dump(CLI::App& app) {
  auto wanted = std::make_shared<GobCommand>();
  app.add_option("file", wanted->file, "The stream; - is stdin.")->default_val("-");
  app.add_flag("--hex", wanted->hex, "The input is hex text.");
  app.add_flag("--text", wanted->types, "For people, with the types; otherwise JSON lines.");
  return [wanted](const Settings&, const Words&) { return run_gob_dump(*wanted); };
}

Action declare_gob_encode(CLI::App& app) {
  auto wanted = std::make_shared<GobCommand>();
  app.add_option("type", wanted->type, "The type of the values, as Go writes it.")->required();
  app.add_option("file", wanted->file, "The values; - is stdin.")->default_val("-");
  app.add_flag("--hex", wanted->hex, "Write hex text.");
  return [wanted](const Settings&, const Words&) { return run_gob_encode(*wanted); };
}

}  // namespace parlance::app
