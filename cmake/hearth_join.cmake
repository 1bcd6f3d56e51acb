# Writes several test files into one, so that they are compiled as one:
#   cmake -DOUT=joined.cpp "-DFILES=a_test.cpp;b_test.cpp" -P hearth_join.cmake
# What a file keeps to itself, in a namespace without a name, gets a namespace of its own, so that two files of one
# program may use the same words. Messages and failures name the file and line it came from.
set(joined "")
set(number 0)
get_filename_component(stem ${OUT} NAME_WE)
foreach(file ${FILES})
  file(READ ${file} text)
  math(EXPR number "${number} + 1")
  set(own of_${stem}_${number})
  string(REPLACE "\nnamespace {\n" "\nnamespace ${own} {} using namespace ${own}; namespace ${own} {\n" text "${text}")
  string(APPEND joined "#line 1 \"${file}\"\n" "${text}")
endforeach()
file(WRITE ${OUT} "${joined}")
