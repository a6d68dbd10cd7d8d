// SPDX-License-Identifier: Apache-2.0
#include "helper.h"

int main(int argc, char** argv) { return parlance::app::run_sqlite_helper(argc, argv); }
