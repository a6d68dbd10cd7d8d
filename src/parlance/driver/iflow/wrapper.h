// SPDX-License-Identifier: Apache-2.0
// Reads npm's wrapper scripts: finds the JavaScript file of a program. On Unix a wrapper is mostly a link, but other package
// managers write scripts there too; Windows has a script for each shell. Pure; any thread.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace parlance::driver {

// Not `unix`, a macro of compilers with GNU extensions.
enum class Platform { posix, windows };

// The entry in a wrapper's text: the first word with the ending .js, .mjs or .cjs, with the wrapper's folder in place of `%dp0%`,
// `%~dp0`, `$basedir` and the like. No value for binaries, for files above limits::iflow_wrapper_bytes, and without such a word.
std::optional<std::string> script_of_wrapper(std::string_view text, std::string_view folder, Platform platform);

// Whether a file is a Node script: by its name, or by node in its first line.
bool is_node_script(std::string_view path, std::string_view text);

// npm's wrappers on Windows: three files in the folder `npm` of %APPDATA%, in order of trial.
std::vector<std::string> windows_wrappers(std::string_view appdata);
// The arguments of `where`, in order.
std::vector<std::string> windows_names();
// The Node on Windows: beside the program, else the first of `where node`. `is_file` tests the disk.
std::optional<std::string> windows_node(std::string_view program, std::string_view where_output,
                                        const std::function<bool(const std::string&)>& is_file);

// The folder of a path, by the platform's separators ("." without a folder).
std::string folder_of(std::string_view path, Platform platform);
// "node" or "node.exe" beside `program`.
std::string node_beside(std::string_view program, Platform platform);

// Absolute on that platform: "/a", "C:\a", "\\server\share".
bool is_absolute(std::string_view path, Platform platform);
// Without "." and "..", with the platform's separators.
std::string evened(std::string_view path, Platform platform);

}  // namespace parlance::driver
