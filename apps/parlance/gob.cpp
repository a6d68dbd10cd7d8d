// parlance gob: recorded gob streams as text or JSON, and gob from JSON.
#include <cstdio>

#include "codec/gob/described.h"
#include "codec/gob/dump.h"
#include "codec/json/value.h"
#include "commands.h"
#include "transport/whole_file.h"

namespace parlance::app {
int run_gob_dump(const GobCommand& command) {
  auto input = read_whole_file(command.file);
  if (!input) return complain(input.error());
  if (command.hex) {
    Bytes bytes;
    if (!from_hex(*input, bytes))
      return complain({.code = Errc::invalid_params, .message = command.file + ": not hex text"}, ExitCode::usage);
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

}  // namespace parlance::app
