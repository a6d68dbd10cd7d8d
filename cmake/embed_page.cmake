# SPDX-License-Identifier: Apache-2.0
# Puts the built page into the program: each file as it is and compressed, as data that the assembler reads (no C++ literal of
# hundreds of kilobytes to compile).
#
#   parlance_embed_page(TARGET FOLDER)
#
# The folder need not exist: the program then says how to build the page. A file that appears, changes or goes is noticed by the
# next build.

function(parlance_embed_page target folder)
  file(GLOB_RECURSE files CONFIGURE_DEPENDS RELATIVE "${folder}" "${folder}/*")
  list(SORT files)
  find_program(GZIP_PROGRAM gzip)
  set(made "${CMAKE_CURRENT_BINARY_DIR}/embedded_page")
  file(MAKE_DIRECTORY "${made}")

  set(data "")
  set(declarations "")
  set(rows "")
  set(inputs "")
  set(index 0)
  foreach(file IN LISTS files)
    list(APPEND inputs "${folder}/${file}")
    string(APPEND data "PARLANCE_INCBIN(parlance_page_${index}, \"${folder}/${file}\")\n")
    string(APPEND declarations "extern const char parlance_page_${index}[], parlance_page_${index}_end[];\n")
    set(zipped "{}")
    if(GZIP_PROGRAM)
      add_custom_command(OUTPUT "${made}/${index}.gz" DEPENDS "${folder}/${file}" VERBATIM
                         COMMAND "${GZIP_PROGRAM}" -9 -n -c "${folder}/${file}" > "${made}/${index}.gz")
      list(APPEND inputs "${made}/${index}.gz")
      string(APPEND data "PARLANCE_INCBIN(parlance_page_${index}_gz, \"${made}/${index}.gz\")\n")
      string(APPEND declarations "extern const char parlance_page_${index}_gz[], parlance_page_${index}_gz_end[];\n")
      set(zipped "{parlance_page_${index}_gz, parlance_page_${index}_gz_end}")
    endif()
    string(APPEND rows "      {.path = \"${file}\", .identity = {parlance_page_${index}, parlance_page_${index}_end}, .gzip = ${zipped}},\n")
    math(EXPR index "${index} + 1")
  endforeach()

  set(source "// Written by cmake/embed_page.cmake.\n#include \"parlance/gateway/static_page.h\"\n\n")
  if(rows)
    string(APPEND source
      "#define PARLANCE_INCBIN(name, file) \\\n"
      "  asm(\".pushsection .rodata\\n.global \" #name \"\\n.hidden \" #name \"\\n.global \" #name \"_end\\n.hidden \" #name \"_end\\n\" \\\n"
      "      #name \":\\n.incbin \\\"\" file \"\\\"\\n\" #name \"_end:\\n.byte 0\\n.popsection\\n\");\n${data}\n"
      "extern \"C\" {\n${declarations}}\n\n")
  endif()
  string(APPEND source "namespace parlance::gateway {\n\nstd::span<const EmbeddedFile> embedded_page() {\n")
  if(rows)
    string(APPEND source "  static const EmbeddedFile files[]{\n${rows}  };\n  return files;\n")
  else()
    string(APPEND source "  return {};\n")
  endif()
  string(APPEND source "}\n\n}  // namespace parlance::gateway\n")
  file(CONFIGURE OUTPUT "${made}/embedded_page.cpp" CONTENT "${source}" @ONLY)

  target_sources(${target} PRIVATE "${made}/embedded_page.cpp")
  set_source_files_properties("${made}/embedded_page.cpp" PROPERTIES OBJECT_DEPENDS "${inputs}")
endfunction()
