# Finds LLVM and MLIR 22.1, and defines ks_link_mlir(TARGET LIB...), which links
# the given MLIR libraries: through the one shared libMLIR for day-to-day builds,
# statically with only the X86 and NVPTX back-ends when KS_STATIC is on.

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
  llvm_map_components_to_libnames(KS_LLVM_LIBS
    Core Support IRReader BitReader BitWriter Linker IPO Passes Analysis Target
    TargetParser MC Object TransformUtils AsmParser Remarks FrontendOpenMP
    FrontendOpenACC FrontendOffloading
    X86CodeGen X86AsmParser X86Desc X86Info NVPTXCodeGen NVPTXDesc NVPTXInfo)
  # The installed MLIR targets name the shared libraries; take those names out.
  get_property(_imported DIRECTORY PROPERTY IMPORTED_TARGETS)
  foreach(_target ${_imported})
    get_target_property(_libs ${_target} INTERFACE_LINK_LIBRARIES)
    if(_libs)
      string(REPLACE "$<LINK_ONLY:LLVM>" "LLVM" _libs "${_libs}")
      string(REPLACE "$<LINK_ONLY:MLIR>" "MLIR" _libs "${_libs}")
      if("LLVM" IN_LIST _libs OR "MLIR" IN_LIST _libs)
        list(REMOVE_ITEM _libs LLVM MLIR)
        list(APPEND _libs ${KS_LLVM_LIBS})
        set_target_properties(${_target} PROPERTIES INTERFACE_LINK_LIBRARIES "${_libs}")
      endif()
    endif()
  endforeach()
else()
  set(MLIR_LINK_MLIR_DYLIB ON)
  set(LLVM_LINK_LLVM_DYLIB ON)
endif()

function(ks_link_mlir target)
  if(KS_STATIC)
    target_link_libraries(${target} PUBLIC ${ARGN} ${KS_LLVM_LIBS})
  else()
    target_link_libraries(${target} PUBLIC MLIR LLVM)
  endif()
endfunction()
