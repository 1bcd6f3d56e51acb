/* File calls that fail, or kill the process, where a test says so: each real call has a twin of its name here, which the
   dynamic linker finds first. */
#define _GNU_SOURCE
#include "file_faults.h"

#include "file_journal.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { kFiles = 4096, kText = 512 };
enum Action { kError, kKill, kTorn, kShort };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char root[kText];
static char fault_call[64];
static char fault_file[kText];
static int fault_number, fault_error, is_sticky, calls_seen, has_struck;
static enum Action fault_action;
static int record_descriptor = -1;
static char names[kFiles][128]; /* of watched descriptors; empty for others */

/* The last part of the path, without a draft's numbers: .draft-log.jsonl-17-99 is draft:log.jsonl. */
static void short_name(const char* path, char* into, size_t size) {
  const char* last = strrchr(path, '/');
  last = last != NULL && last[1] != '\0' ? last + 1 : path;
  const int is_draft = strncmp(last, ".draft-", 7) == 0;
  snprintf(into, size, "%s%s", is_draft ? "draft:" : "", is_draft ? last + 7 : last);
  for (int cuts = 0; is_draft && cuts < 2; ++cuts) {
    char* dash = strrchr(into, '-');
    if (dash != NULL) *dash = '\0';
  }
  /* The run folder itself has a time and a random number in its name. */
  if (strstr(path, root) != NULL && strchr(strstr(path, root) + strlen(root) + 1, '/') == NULL) snprintf(into, size, "run");
  for (char* c = into; *c != '\0'; ++c)
    if (*c == ' ') *c = '_';
}

static int is_watched_path(const char* path) { return root[0] != '\0' && path != NULL && strstr(path, root) != NULL; }

static void note_call(const char* call, const char* name) {
  if (record_descriptor < 0) return;
  char line[kText];
  const int length = snprintf(line, sizeof line, "%s %s\n", call, name);
  syscall(SYS_write, record_descriptor, line, (size_t)length);
}

/* What is to happen to this call: -1 nothing, else an Action. */
static int verdict(const char* call, const char* name) {
  pthread_mutex_lock(&mutex);
  note_call(call, name);
  int result = -1;
  if (strcmp(call, fault_call) == 0 && strcmp(name, fault_file) == 0) {
    ++calls_seen;
    if (calls_seen == fault_number || (is_sticky && calls_seen > fault_number)) {
      has_struck = 1;
      result = fault_action;
    }
  }
  pthread_mutex_unlock(&mutex);
  if (result == kKill) kill(getpid(), SIGKILL);
  return result;
}

static int fails(const char* call, const char* name) {
  const int action = verdict(call, name);
  if (action == kError) errno = fault_error;
  return action == kError;
}

static int path_fails(const char* call, const char* path) {
  char name[128];
  if (!is_watched_path(path)) return 0;
  short_name(path, name, sizeof name);
  return fails(call, name);
}

static const char* name_of(int descriptor) {
  return descriptor >= 0 && descriptor < kFiles && names[descriptor][0] != '\0' ? names[descriptor] : NULL;
}

static int descriptor_fails(const char* call, int descriptor) {
  const char* name = name_of(descriptor);
  return name != NULL && fails(call, name);
}

static int remember(int descriptor, const char* path, int flags) {
  if (descriptor < 0 || descriptor >= kFiles) return descriptor;
  names[descriptor][0] = '\0';
  if (!is_watched_path(path)) return descriptor;
  short_name(path, names[descriptor], sizeof names[descriptor]);
  journal_open(descriptor, flags, path);
  return descriptor;
}

void file_faults_watch(const char* watched, const char* fault, const char* record) {
  char action[32] = "";
  pthread_mutex_lock(&mutex);
  snprintf(root, sizeof root, "%s", watched);
  calls_seen = has_struck = is_sticky = 0;
  fault_call[0] = '\0';
  if (sscanf(fault, "%63s %511s %d %31s", fault_call, fault_file, &fault_number, action) == 4) {
    is_sticky = action[0] == '+';
    fault_error = atoi(action + is_sticky);
    fault_action = strcmp(action, "kill") == 0    ? kKill
                   : strcmp(action, "torn") == 0  ? kTorn
                   : strcmp(action, "short") == 0 ? kShort
                                                  : kError;
  }
  if (record[0] != '\0')
    record_descriptor = (int)syscall(SYS_openat, AT_FDCWD, record, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  pthread_mutex_unlock(&mutex);
}

int file_faults_struck(void) { return has_struck; }

static const char* word(const char* name) {
  const char* value = getenv(name);
  return value != NULL ? value : "";
}

__attribute__((constructor)) static void watch_as_the_environment_says(void) {
  if (word("HEARTH_FAULT_ROOT")[0] != '\0')
    file_faults_watch(word("HEARTH_FAULT_ROOT"), word("HEARTH_FAULT"), word("HEARTH_FAULT_RECORD"));
}

#define REAL(type, name, parameters)                      \
  static type(*real) parameters;                          \
  if (real == NULL) real = (type(*) parameters)dlsym(RTLD_NEXT, name)

#define OPEN_TWIN(twin)                                                       \
  int twin(const char* path, int flags, ...) {                                \
    REAL(int, #twin, (const char*, int, ...));                                \
    va_list rest;                                                             \
    va_start(rest, flags);                                                    \
    const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(rest, mode_t) : 0; \
    va_end(rest);                                                             \
    return path_fails("open", path) ? -1 : remember(real(path, flags, mode), path, flags); \
  }
OPEN_TWIN(open)
OPEN_TWIN(open64)

#define OPENAT_TWIN(twin)                                                     \
  int twin(int folder, const char* path, int flags, ...) {                    \
    REAL(int, #twin, (int, const char*, int, ...));                           \
    va_list rest;                                                             \
    va_start(rest, flags);                                                    \
    const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(rest, mode_t) : 0; \
    va_end(rest);                                                             \
    return path_fails("open", path) ? -1 : remember(real(folder, path, flags, mode), path, flags); \
  }
OPENAT_TWIN(openat)
OPENAT_TWIN(openat64)

int close(int descriptor) {
  REAL(int, "close", (int));
  if (descriptor >= 0 && descriptor < kFiles) names[descriptor][0] = '\0';
  return real(descriptor);
}

ssize_t read(int descriptor, void* into, size_t size) {
  REAL(ssize_t, "read", (int, void*, size_t));
  return descriptor_fails("read", descriptor) ? -1 : real(descriptor, into, size);
}

#define PREAD_TWIN(twin, offset_type)                                  \
  ssize_t twin(int descriptor, void* into, size_t size, offset_type offset) { \
    REAL(ssize_t, #twin, (int, void*, size_t, offset_type));           \
    return descriptor_fails("read", descriptor) ? -1 : real(descriptor, into, size, offset); \
  }
PREAD_TWIN(pread, off_t)
PREAD_TWIN(pread64, off64_t)

/* How many bytes of a write go through; -1 when none do. */
static ssize_t let_through(int descriptor, size_t size, int* is_torn) {
  const char* name = name_of(descriptor);
  const int action = name != NULL ? verdict("write", name) : -1;
  *is_torn = action == kTorn;
  if (action == kError) errno = fault_error;
  if (action == kError) return -1;
  return (ssize_t)(action == kTorn || action == kShort ? size - size / 2 : size);
}

static ssize_t after_write(ssize_t written, int is_torn) {
  if (is_torn) kill(getpid(), SIGKILL);
  return written;
}

ssize_t write(int descriptor, const void* bytes, size_t size) {
  REAL(ssize_t, "write", (int, const void*, size_t));
  int is_torn = 0;
  const ssize_t allowed = let_through(descriptor, size, &is_torn);
  if (allowed > 0 && name_of(descriptor) != NULL)
    journal_write(descriptor, bytes, (size_t)allowed, lseek(descriptor, 0, SEEK_CUR));
  return allowed < 0 ? -1 : after_write(real(descriptor, bytes, (size_t)allowed), is_torn);
}

#define PWRITE_TWIN(twin, offset_type)                                          \
  ssize_t twin(int descriptor, const void* bytes, size_t size, offset_type offset) { \
    REAL(ssize_t, #twin, (int, const void*, size_t, offset_type));              \
    int is_torn = 0;                                                            \
    const ssize_t allowed = let_through(descriptor, size, &is_torn);            \
    if (allowed > 0 && name_of(descriptor) != NULL)                             \
      journal_write(descriptor, bytes, (size_t)allowed, offset);                \
    return allowed < 0 ? -1 : after_write(real(descriptor, bytes, (size_t)allowed, offset), is_torn); \
  }
PWRITE_TWIN(pwrite, off_t)
PWRITE_TWIN(pwrite64, off64_t)

#define SYNC_TWIN(twin)                                        \
  int twin(int descriptor) {                                   \
    REAL(int, #twin, (int));                                   \
    if (name_of(descriptor) == NULL) return real(descriptor);  \
    if (descriptor_fails("sync", descriptor)) return -1;       \
    journal_number("sync", descriptor, 0);                     \
    return 0;                                                  \
  }
SYNC_TWIN(fsync)
SYNC_TWIN(fdatasync)

#define CUT_TWIN(twin, offset_type)                                                     \
  int twin(int descriptor, offset_type length) {                                        \
    REAL(int, #twin, (int, offset_type));                                               \
    if (descriptor_fails("cut", descriptor)) return -1;                                 \
    if (name_of(descriptor) != NULL) journal_number("cut", descriptor, length);         \
    return real(descriptor, length);                                                    \
  }
CUT_TWIN(ftruncate, off_t)
CUT_TWIN(ftruncate64, off64_t)

#define RESERVE_TWIN(twin, offset_type)                                                 \
  int twin(int descriptor, offset_type begin, offset_type length) {                     \
    REAL(int, #twin, (int, offset_type, offset_type));                                  \
    if (descriptor_fails("reserve", descriptor)) return fault_error;                    \
    if (name_of(descriptor) != NULL) journal_number("reserve", descriptor, begin + length); \
    return real(descriptor, begin, length);                                             \
  }
RESERVE_TWIN(posix_fallocate, off_t)
RESERVE_TWIN(posix_fallocate64, off64_t)

int flock(int descriptor, int operation) {
  REAL(int, "flock", (int, int));
  return descriptor_fails("lock", descriptor) ? -1 : real(descriptor, operation);
}

int fstat(int descriptor, struct stat* status) {
  REAL(int, "fstat", (int, struct stat*));
  return descriptor_fails("fstat", descriptor) ? -1 : real(descriptor, status);
}

int stat(const char* path, struct stat* status) {
  REAL(int, "stat", (const char*, struct stat*));
  return path_fails("stat", path) ? -1 : real(path, status);
}

int rename(const char* from, const char* to) {
  REAL(int, "rename", (const char*, const char*));
  if (path_fails("rename", to)) return -1;
  const int result = real(from, to);
  if (result == 0 && is_watched_path(to)) journal_paths("rename", from, to);
  return result;
}

int unlink(const char* path) {
  REAL(int, "unlink", (const char*));
  if (path_fails("remove", path)) return -1;
  const int result = real(path);
  if (result == 0 && is_watched_path(path)) journal_paths("remove", path, "");
  return result;
}

int remove(const char* path) {
  REAL(int, "remove", (const char*));
  if (path_fails("remove", path)) return -1;
  const int result = real(path);
  if (result == 0 && is_watched_path(path)) journal_paths("remove", path, "");
  return result;
}

int mkdir(const char* path, mode_t mode) {
  REAL(int, "mkdir", (const char*, mode_t));
  if (path_fails("mkdir", path)) return -1;
  const int result = real(path, mode);
  if (result == 0 && is_watched_path(path)) journal_paths("mkdir", path, "");
  return result;
}

DIR* opendir(const char* path) {
  REAL(DIR*, "opendir", (const char*));
  if (path_fails("opendir", path)) return NULL;
  DIR* folder = real(path);
  if (folder != NULL) remember(dirfd(folder), path, O_DIRECTORY);
  return folder;
}

DIR* fdopendir(int descriptor) {
  REAL(DIR*, "fdopendir", (int));
  return descriptor_fails("opendir", descriptor) ? NULL : real(descriptor);
}

/* Closes its descriptor without our `close`, and the number is soon another file's. */
int closedir(DIR* folder) {
  REAL(int, "closedir", (DIR*));
  const int descriptor = dirfd(folder);
  if (descriptor >= 0 && descriptor < kFiles) names[descriptor][0] = '\0';
  return real(folder);
}

struct dirent* readdir(DIR* folder) {
  REAL(struct dirent*, "readdir", (DIR*));
  return descriptor_fails("readdir", dirfd(folder)) ? NULL : real(folder);
}

struct dirent64* readdir64(DIR* folder) {
  REAL(struct dirent64*, "readdir64", (DIR*));
  return descriptor_fails("readdir", dirfd(folder)) ? NULL : real(folder);
}
