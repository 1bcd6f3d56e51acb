/* File calls that fail, or kill the process, where a test says so. Linked into a test program, or
   preloaded into any other (LD_PRELOAD, with the same words in HEARTH_FAULT_ROOT, HEARTH_FAULT and
   HEARTH_FAULT_RECORD). */
#ifndef HEARTH_TESTS_FILE_FAULTS_H
#define HEARTH_TESTS_FILE_FAULTS_H

#ifdef __cplusplus
extern "C" {
#endif

/* Watches calls on files whose path contains `root`. `fault` is "" or "CALL FILE NUMBER ACTION":
   the NUMBERth CALL (write, fsync, rename, ...) on FILE, its name without what differs from run to
   run. ACTION is an errno's number, once, or with a + before it also for all later ones; kill;
   torn, which kills after half of a write; short, which writes half of it. With `record`, every
   call is appended to that file as "CALL FILE". A watched sync does not reach the disk. */
void file_faults_watch(const char* root, const char* fault, const char* record);
/* Whether the fault has struck. */
int file_faults_struck(void);

#ifdef __cplusplus
}
#endif

#endif
