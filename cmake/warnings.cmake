# Warnings and sanitizers for our own code only: link it privately.
add_library(milcci_warnings INTERFACE)
target_compile_options(milcci_warnings INTERFACE -Wall -Wextra -Wpedantic -Wconversion)
if(MILCCI_SANITIZE)
  add_compile_options(-fsanitize=${MILCCI_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${MILCCI_SANITIZE})
endif()

# What ccache needs to look into precompiled headers: their name in the preprocessed source (GCC), no time in them (clang).
set(MILCCI_PCH_FLAGS "$<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>"
                     "$<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>")
