// SPDX-License-Identifier: Apache-2.0
// How a program ended, in words and for programs: its exit code (or -1), the signal that ended it (or 0), the end of its stderr. Pure; any
// thread.
#pragma once

#include <string>

#include "parlance/base/bytes.h"

namespace parlance {

// "exit code 3: last line of stderr", "killed by signal 11 (SIGSEGV)": with `exited` before the code and `killed` before the signal.
std::string end_in_words(int code, int signal, BytesView stderr_tail, const char* exited, const char* killed);
// {"exit_code":3,"stderr":"…"} or {"signal":9,"signal_name":"SIGKILL","stderr":"…"}
std::string end_as_json(int code, int signal, BytesView stderr_tail);

}  // namespace parlance
