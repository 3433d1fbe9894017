/* Makes one call of the C library fail, for tests: preloaded by LD_PRELOAD (tests/faults/run.py).
 *
 *   FAIL_KIND   io: reads, writes, fsync, ftruncate and rename count; memory: allocations count
 *   FAIL_AT     which of them fails, from 1 on; 0: none, they are only counted
 *   FAIL_REPORT file that is given their number and, on the second line, who asked for the one that failed
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum kind { NONE, IO, MEMORY };
enum { FRAMES = 24 };

static _Atomic long n_calls;
static long fail_at;
static enum kind kind = NONE;
static int report = -1;
static char asked_by[64] = "-";

__attribute__((constructor)) static void start(void) {
  const char* wanted = getenv("FAIL_KIND");
  const char* at = getenv("FAIL_AT");
  const char* path = getenv("FAIL_REPORT");
  void* frames[FRAMES];
  if (!wanted || !at || !path) return;
  backtrace(frames, FRAMES); /* its first call allocates */
  fail_at = atol(at);
  report = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  kind = strcmp(wanted, "io") == 0 ? IO : MEMORY;
}

__attribute__((destructor)) static void finish(void) {
  char text[128];
  const int n = snprintf(text, sizeof text, "%ld\n%s\n", (long)n_calls, asked_by);
  kind = NONE;
  if (report >= 0) syscall(SYS_pwrite64, report, text, n, 0L);
}

/* libhdf5 if it is among the callers, else the program. Told at once: the program may not live to its end. */
static void remember_caller(void) {
  void* frames[FRAMES];
  const int n = backtrace(frames, FRAMES);
  strcpy(asked_by, "milcci");
  for (int i = 0; i < n; ++i) {
    Dl_info info;
    if (dladdr(frames[i], &info) && info.dli_fname && strstr(info.dli_fname, "libhdf5"))
      strcpy(asked_by, "libhdf5");
  }
  char text[128];
  const int length = snprintf(text, sizeof text, "%ld\n%s\n", (long)n_calls, asked_by);
  syscall(SYS_pwrite64, report, text, length, 0L);
}

static int must_fail(enum kind of) {
  if (kind != of || atomic_fetch_add(&n_calls, 1) + 1 != fail_at) return 0;
  kind = NONE;
  remember_caller();
  kind = of;
  return 1;
}

#define REAL(type, name, ...)                                  \
  static type (*real)(__VA_ARGS__);                            \
  if (!real) real = (type(*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name)
#define FAIL(error, result) \
  do {                      \
    errno = error;          \
    return result;          \
  } while (0)

ssize_t read(int fd, void* buffer, size_t size) {
  REAL(ssize_t, read, int, void*, size_t);
  if (must_fail(IO)) FAIL(EIO, -1);
  return real(fd, buffer, size);
}
ssize_t write(int fd, const void* buffer, size_t size) {
  REAL(ssize_t, write, int, const void*, size_t);
  if (must_fail(IO)) FAIL(ENOSPC, -1);
  return real(fd, buffer, size);
}
ssize_t writev(int fd, const struct iovec* pieces, int n) {
  REAL(ssize_t, writev, int, const struct iovec*, int);
  if (must_fail(IO)) FAIL(ENOSPC, -1);
  return real(fd, pieces, n);
}
ssize_t pread(int fd, void* buffer, size_t size, off_t at) {
  REAL(ssize_t, pread, int, void*, size_t, off_t);
  if (must_fail(IO)) FAIL(EIO, -1);
  return real(fd, buffer, size, at);
}
ssize_t pread64(int fd, void* buffer, size_t size, off64_t at) {
  REAL(ssize_t, pread64, int, void*, size_t, off64_t);
  if (must_fail(IO)) FAIL(EIO, -1);
  return real(fd, buffer, size, at);
}
ssize_t pwrite(int fd, const void* buffer, size_t size, off_t at) {
  REAL(ssize_t, pwrite, int, const void*, size_t, off_t);
  if (must_fail(IO)) FAIL(ENOSPC, -1);
  return real(fd, buffer, size, at);
}
ssize_t pwrite64(int fd, const void* buffer, size_t size, off64_t at) {
  REAL(ssize_t, pwrite64, int, const void*, size_t, off64_t);
  if (must_fail(IO)) FAIL(ENOSPC, -1);
  return real(fd, buffer, size, at);
}
int fsync(int fd) {
  REAL(int, fsync, int);
  if (must_fail(IO)) FAIL(EIO, -1);
  return real(fd);
}
int ftruncate(int fd, off_t size) {
  REAL(int, ftruncate, int, off_t);
  if (must_fail(IO)) FAIL(ENOSPC, -1);
  return real(fd, size);
}
int ftruncate64(int fd, off64_t size) {
  REAL(int, ftruncate64, int, off64_t);
  if (must_fail(IO)) FAIL(ENOSPC, -1);
  return real(fd, size);
}
int rename(const char* from, const char* to) {
  REAL(int, rename, const char*, const char*);
  if (must_fail(IO)) FAIL(ENOSPC, -1);
  return real(from, to);
}

/* glibc's own names for them: dlsym allocates. */
extern void* __libc_malloc(size_t);
extern void* __libc_calloc(size_t, size_t);
extern void* __libc_realloc(void*, size_t);
extern void* __libc_memalign(size_t, size_t);

void* malloc(size_t size) {
  if (must_fail(MEMORY)) FAIL(ENOMEM, NULL);
  return __libc_malloc(size);
}
void* calloc(size_t n, size_t size) {
  if (must_fail(MEMORY)) FAIL(ENOMEM, NULL);
  return __libc_calloc(n, size);
}
void* realloc(void* old, size_t size) {
  if (must_fail(MEMORY)) FAIL(ENOMEM, NULL);
  return __libc_realloc(old, size);
}
void* aligned_alloc(size_t alignment, size_t size) {
  if (must_fail(MEMORY)) FAIL(ENOMEM, NULL);
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** out, size_t alignment, size_t size) {
  if (must_fail(MEMORY)) return ENOMEM;
  *out = __libc_memalign(alignment, size);
  return *out ? 0 : ENOMEM;
}
