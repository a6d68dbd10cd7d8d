// SPDX-License-Identifier: Apache-2.0
// The small scripts that npm puts into a folder of programs: which JavaScript file they start. On Unix that is a link, mostly, but other
// package managers write scripts there too; on Windows it is one for each shell. Pure; any thread.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace parlance::driver {

// Not `unix`, which compilers define as a macro where GNU extensions are on.
enum class Platform { posix, windows };

// The entry of a wrapper, by its text: the first word that ends in .js, .mjs or .cjs, with the folder of the wrapper in place of
// `%dp0%`, `%~dp0`, `$basedir` and the like. Nothing for a binary, for what is larger than limits::iflow_wrapper_bytes, and where there
// is no such word.
std::optional<std::string> script_of_wrapper(std::string_view text, std::string_view folder, Platform platform);

// Whether a file is a script itself: by its name, or by a first line that names node.
bool is_node_script(std::string_view path, std::string_view text);

// Where Windows keeps what npm installed: the three wrappers in the folder `npm` of %APPDATA%, in the order in which they are tried.
std::vector<std::string> windows_wrappers(std::string_view appdata);
// What `where` was asked for, in that order.
std::vector<std::string> windows_names();
// The Node there: beside the program, else the first that `where node` names. `is_file` looks at the disk.
std::optional<std::string> windows_node(std::string_view program, std::string_view where_output,
                                        const std::function<bool(const std::string&)>& is_file);

// The folder of a path, by the separators of the platform ("." where there is none).
std::string folder_of(std::string_view path, Platform platform);
// "node" or "node.exe" beside `program`.
std::string node_beside(std::string_view program, Platform platform);

// Absolute on that platform: "/a", "C:\a", "\\server\share".
bool is_absolute(std::string_view path, Platform platform);
// Without "." and "..", with the platform's separators.
std::string evened(std::string_view path, Platform platform);

}  // namespace parlance::driver
