/* A record of all that a process changes in the watched files. */
#define _GNU_SOURCE
#include "file_journal.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

static pthread_mutex_t journal_mutex = PTHREAD_MUTEX_INITIALIZER;
static int journal_descriptor = -1;

void file_journal_start(const char* path) {
  journal_descriptor =
      path[0] == '\0' ? -1 : (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
}

/* Not by the twins of these calls, which would record it. */
static void append(const void* bytes, size_t size) { syscall(SYS_write, journal_descriptor, bytes, size); }

static void append_line(const char* line, int length) {
  if (length <= 0) return;
  pthread_mutex_lock(&journal_mutex);
  append(line, (size_t)length);
  pthread_mutex_unlock(&journal_mutex);
}

void journal_open(int descriptor, int flags, const char* path) {
  char line[4200];
  if (journal_descriptor >= 0) append_line(line, snprintf(line, sizeof line, "open %d %d %s\n", descriptor, flags, path));
}

void journal_write(int descriptor, const void* bytes, size_t size, off_t offset) {
  char line[80];
  if (journal_descriptor < 0) return;
  const int length = snprintf(line, sizeof line, "write %d %lld %zu\n", descriptor, (long long)offset, size);
  pthread_mutex_lock(&journal_mutex);
  append(line, (size_t)length);
  append(bytes, size);
  append("\n", 1);
  pthread_mutex_unlock(&journal_mutex);
}

void journal_number(const char* call, int descriptor, off_t length) {
  char line[80];
  if (journal_descriptor >= 0)
    append_line(line, snprintf(line, sizeof line, "%s %d %lld\n", call, descriptor, (long long)length));
}

void journal_paths(const char* call, const char* from, const char* to) {
  char line[8400];
  if (journal_descriptor >= 0)
    append_line(line, snprintf(line, sizeof line, "%s %s%s%s\n", call, from, to[0] != '\0' ? "\t" : "", to));
}
