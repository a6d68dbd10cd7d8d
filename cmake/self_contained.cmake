# SPDX-License-Identifier: Apache-2.0
# Programs that need glibc alone (docs/decisions/0063-programs-that-need-glibc-alone.md). The option changes libraries and link options;
# of the compiler's flags it changes those of hmac.cpp only. packaging/release/program_faults.mjs reads the linked programs.
option(PARLANCE_SELF_CONTAINED "Link libraries statically, so that programs need only glibc 2.34 or newer" OFF)
if(NOT PARLANCE_SELF_CONTAINED)
  return()
endif()

set(OPENSSL_USE_STATIC_LIBS ON)
find_library(SQLite3_LIBRARY libsqlite3.a REQUIRED)
set(EDIT_LIBRARY "")
foreach(archive edit tinfo bsd md) # libedit and its own libraries, in the order of their references
  find_library(PARLANCE_ARCHIVE_${archive} lib${archive}.a REQUIRED)
  list(APPEND EDIT_LIBRARY "${PARLANCE_ARCHIVE_${archive}}")
endforeach()
# --exclude-libs: libcurl and libpq, which load the system's OpenSSL, must not find the symbols of the linked OpenSSL.
add_link_options(-static-libstdc++ -static-libgcc LINKER:--as-needed LINKER:--exclude-libs=ALL)
