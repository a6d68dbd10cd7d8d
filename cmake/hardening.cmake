# SPDX-License-Identifier: Apache-2.0
# Release programs are hardened against memory faults: an address layout that is random, tables that are read-only once the program has
# started, and checks of the stack, of buffer sizes and of indirect jumps. tests/hardening.mjs reads the programs and fails where one is missing.
# Only Release: the checks of buffer sizes need optimisation, and sanitizers replace them in the other builds.
# bench/binaries/hardening.mjs measures what this costs.
option(PARLANCE_HARDEN "Harden Release builds; OFF only to measure the cost" ON)

include(CheckPIESupported)
check_pie_supported(LANGUAGES C CXX)

if(PARLANCE_HARDEN AND NOT PARLANCE_SANITIZE)
  include(CheckCXXCompilerFlag)
  set(hardening -fstack-protector-strong -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3)
  check_cxx_compiler_flag(-fstack-clash-protection PARLANCE_HAS_STACK_CLASH_PROTECTION)
  if(PARLANCE_HAS_STACK_CLASH_PROTECTION)
    list(APPEND hardening -fstack-clash-protection)
  endif()
  check_cxx_compiler_flag(-fcf-protection=full PARLANCE_HAS_CF_PROTECTION) # x86-64 alone
  if(PARLANCE_HAS_CF_PROTECTION)
    list(APPEND hardening -fcf-protection=full)
  endif()
  check_cxx_compiler_flag(-mbranch-protection=standard PARLANCE_HAS_BRANCH_PROTECTION) # arm64 alone
  if(PARLANCE_HAS_BRANCH_PROTECTION)
    list(APPEND hardening -mbranch-protection=standard)
  endif()
  add_compile_options("$<$<CONFIG:Release>:${hardening}>")
  add_link_options("$<$<CONFIG:Release>:-Wl,-z,relro,-z,now,-z,noexecstack>")
endif()
