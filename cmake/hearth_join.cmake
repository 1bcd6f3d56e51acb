# Writes several test files into one, so that they are compiled as one:
#   cmake -DOUT=joined.cpp "-DFILES=a_test.cpp;b_test.cpp" -P hearth_join.cmake
# What a file keeps to itself, in a namespace without a name, gets a namespace with the file's number, so that two files
# may use the same words. Messages and failures name the file and line it came from.
set(joined "")
set(number 0)
foreach(file ${FILES})
  file(READ ${file} text)
  math(EXPR number "${number} + 1")
  set(own of_file_${number})
  string(REPLACE "\nnamespace {\n" "\nnamespace ${own} {} using namespace ${own}; namespace ${own} {\n" text "${text}")
  string(APPEND joined "#line 1 \"${file}\"\n" "${text}")
endforeach()
file(WRITE ${OUT} "${joined}")
