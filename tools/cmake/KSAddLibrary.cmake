# ks_add_library(NAME SRC... [KS LIB...] [MLIR LIB...] [LINK LIB...] [DEPENDS TARGET...] [EXCEPTIONS])
# One library of the project as a static archive KS<NAME>. KS names libraries of
# the project that it may use, MLIR those of MLIR (linked as ks_link_mlir says),
# LINK anything else. A library without MLIR sees neither LLVM nor MLIR.

set(KS_WARNINGS -Wall -Wextra -Wno-unused-parameter -Wnon-virtual-dtor -Wimplicit-fallthrough)
if(KS_WERROR)
  list(APPEND KS_WARNINGS -Werror)
endif()

function(ks_compile_options target)
  target_compile_options(${target} PRIVATE ${KS_WARNINGS})
endfunction()

function(ks_add_library name)
  cmake_parse_arguments(ARG "EXCEPTIONS" "" "SRC;KS;MLIR;LINK;DEPENDS" ${ARGN})
  add_library(KS${name} STATIC ${ARG_SRC} ${ARG_UNPARSED_ARGUMENTS})
  ks_compile_options(KS${name})
  if(NOT ARG_EXCEPTIONS)
    target_compile_options(KS${name} PRIVATE -fno-exceptions)
  endif()
  foreach(lib ${ARG_KS})
    target_link_libraries(KS${name} PUBLIC KS${lib})
  endforeach()
  if(ARG_MLIR)
    ks_link_mlir(KS${name} ${ARG_MLIR})
    target_precompile_headers(KS${name} REUSE_FROM KSPrecompiled)
  endif()
  target_link_libraries(KS${name} PUBLIC ${ARG_LINK})
  if(ARG_DEPENDS)
    add_dependencies(KS${name} ${ARG_DEPENDS})
  endif()
endfunction()

# The precompiled headers that the MLIR libraries share; same options as theirs.
file(WRITE "${PROJECT_BINARY_DIR}/KSPrecompiled.cpp.in" "")
configure_file("${PROJECT_BINARY_DIR}/KSPrecompiled.cpp.in" "${PROJECT_BINARY_DIR}/KSPrecompiled.cpp" COPYONLY)
add_library(KSPrecompiled STATIC "${PROJECT_BINARY_DIR}/KSPrecompiled.cpp")
ks_compile_options(KSPrecompiled)
target_compile_options(KSPrecompiled PRIVATE -fno-exceptions)
target_precompile_headers(KSPrecompiled PRIVATE "${PROJECT_SOURCE_DIR}/tools/cmake/MLIRPrecompiled.h")
