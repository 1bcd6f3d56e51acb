/* A record of all that a process changes in the watched files, bytes included: what a power loss
   may leave of it follows from that (power_loss.h). */
#ifndef HEARTH_TESTS_FILE_JOURNAL_H
#define HEARTH_TESTS_FILE_JOURNAL_H

#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Appends to the file from here on; nothing is recorded before, and an empty name ends it. Lines
   are open FD FLAGS PATH      write FD OFFSET BYTES, then so many bytes and a line end
     sync|cut|reserve FD LENGTH      rename FROM<tab>TO      remove|mkdir PATH */
void file_journal_start(const char* path);

void journal_open(int descriptor, int flags, const char* path);
void journal_write(int descriptor, const void* bytes, size_t size, off_t offset);
void journal_number(const char* call, int descriptor, off_t length);
void journal_paths(const char* call, const char* from, const char* to);

#ifdef __cplusplus
}
#endif

#endif
