# Finds LLVM and MLIR 22.1, and defines ks_link_mlir(TARGET LIB...), which links
# the given MLIR libraries: through the one shared libMLIR for day-to-day builds,
# statically when KS_STATIC is on.

# LLVM's CMake files look for zlib: a static tool wants the archive.
set(ZLIB_USE_STATIC_LIBS ${KS_STATIC})
find_package(MLIR 22.1 REQUIRED CONFIG)
message(STATUS "Using MLIR ${MLIR_VERSION} in ${MLIR_DIR}")

list(APPEND CMAKE_MODULE_PATH "${MLIR_CMAKE_DIR}" "${LLVM_CMAKE_DIR}")
include(TableGen)
include(AddLLVM)
include(AddMLIR)

# LLVM's own flags are one string; add_definitions would mangle it unsplit.
separate_arguments(KS_LLVM_DEFINITIONS NATIVE_COMMAND "${LLVM_DEFINITIONS}")
add_definitions(${KS_LLVM_DEFINITIONS})
include_directories(SYSTEM ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
include_directories(${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/include)

if(KS_STATIC)
  set(LLVM_LINK_LLVM_DYLIB OFF)
  set(MLIR_LINK_MLIR_DYLIB OFF)
  # The installed targets name the shared libraries of LLVM and MLIR, Z3 (which
  # only clang's analyzer uses) and shared zlib and zstd: out with all of them.
  # What takes their place is every archive of MLIR and of LLVM but the other
  # back-ends: a linker takes from an archive what is referred to and no more,
  # so that no library of ours needs a list that only a static build would test.
  set(KS_STATIC_LIBS "")
  foreach(_target ${MLIR_EXPORTED_TARGETS} ${LLVM_AVAILABLE_LIBS})
    if(NOT TARGET ${_target} OR _target MATCHES
       "^LLVM(AArch64|AMDGPU|ARM|AVR|BPF|Hexagon|Lanai|LoongArch|MSP430|Mips|M68k|PowerPC|RISCV|SPIRV|Sparc|SystemZ|VE[A-Z]|WebAssembly|XCore|Xtensa|Exegesis)|^MLIRCAPI|^Polly")
      continue()
    endif()
    get_target_property(_type ${_target} TYPE)
    if(NOT _type STREQUAL "STATIC_LIBRARY")
      continue()
    endif()
    set_target_properties(${_target} PROPERTIES INTERFACE_LINK_LIBRARIES "")
    list(APPEND KS_STATIC_LIBS ${_target})
  endforeach()
  find_library(KS_ZSTD_ARCHIVE libzstd.a REQUIRED)
  list(APPEND KS_STATIC_LIBS ZLIB::ZLIB ${KS_ZSTD_ARCHIVE} dl m)
  add_library(KSOtherTargets STATIC "${CMAKE_CURRENT_LIST_DIR}/OtherTargets.cpp")
  list(APPEND KS_STATIC_LIBS KSOtherTargets)
else()
  set(MLIR_LINK_MLIR_DYLIB ON)
  set(LLVM_LINK_LLVM_DYLIB ON)
endif()

function(ks_link_mlir target)
  if(KS_STATIC)
    target_link_libraries(${target} PUBLIC ${KS_STATIC_LIBS})
  else()
    target_link_libraries(${target} PUBLIC MLIR LLVM)
  endif()
endfunction()
