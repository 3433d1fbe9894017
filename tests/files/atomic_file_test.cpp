#include "files/atomic_file.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>

#include "support/expect_error.hpp"
#include "support/results.hpp"
#include "support/temporary_directory.hpp"

namespace milcci {
namespace {

using testing::expect_error;
using testing::full_result;
using testing::full_trials;
using testing::read_bytes;
using testing::TemporaryDirectory;

using Names = std::vector<std::string>;

TEST(AtomicFile, AppearsOnlyWhenCommitted) {
  const TemporaryDirectory directory;
  {
    AtomicFile file(directory.file("a.h5"), Overwrite::no);
    std::ofstream(file.temporary_path()) << "content";
    EXPECT_FALSE(std::filesystem::exists(directory.file("a.h5")));
    file.commit();
  }
  EXPECT_EQ(directory.names(), Names{"a.h5"});
  EXPECT_EQ(read_bytes(directory.file("a.h5")), "content");
}

TEST(AtomicFile, LeavesNothingBehindWhenNotCommitted) {
  const TemporaryDirectory directory;
  { const AtomicFile file(directory.file("a.h5"), Overwrite::no); }
  EXPECT_TRUE(directory.names().empty());
}

TEST(AtomicFile, ExistingFilesAreKeptUnlessToldOtherwise) {
  const TemporaryDirectory directory;
  const std::string path = directory.write("a.h5", "precious");
  expect_error(ErrorKind::bad_file, {"a.h5", "exists", "`force`"},
               [&] { write_trials(path, full_trials()); });
  expect_error(ErrorKind::bad_file, {"a.h5", "`force`"}, [&] { write_model(path, full_result()); });
  expect_error(ErrorKind::bad_file, {"a.h5", "`force`"}, [&] { check_writable(path, Overwrite::no); });
  EXPECT_EQ(read_bytes(path), "precious");
  check_writable(path, Overwrite::yes);
  EXPECT_EQ(read_bytes(path), "precious");
  write_trials(path, full_trials(), Overwrite::yes);
  EXPECT_EQ(file_kind(path), FileKind::trials);
  EXPECT_EQ(directory.names(), Names{"a.h5"});
}

TEST(AtomicFile, AFileThatAppearsMeanwhileIsKept) {
  const TemporaryDirectory directory;
  {
    AtomicFile file(directory.file("a.h5"), Overwrite::no);
    directory.write("a.h5", "from another process");
    expect_error(ErrorKind::bad_file, {"a.h5", "exists"}, [&] { file.commit(); });
  }
  EXPECT_EQ(read_bytes(directory.file("a.h5")), "from another process");
  EXPECT_EQ(directory.names(), Names{"a.h5"});
}

TEST(AtomicFile, ASymbolicLinkStaysOneWhenItsFileIsReplaced) {
  const TemporaryDirectory directory;
  directory.write("real.h5", "old");
  std::filesystem::create_symlink("real.h5", directory.file("link.h5"));
  AtomicFile file(directory.file("link.h5"), Overwrite::yes);
  std::ofstream(file.temporary_path()) << "new";
  file.commit();
  EXPECT_TRUE(std::filesystem::is_symlink(directory.file("link.h5")));
  EXPECT_EQ(read_bytes(directory.file("real.h5")), "new");
}

TEST(AtomicFile, ALinkToNoFileIsFollowed) {
  const TemporaryDirectory directory;
  std::filesystem::create_symlink("real.h5", directory.file("link.h5"));
  AtomicFile file(directory.file("link.h5"), Overwrite::no);
  std::ofstream(file.temporary_path()) << "content";
  file.commit();
  EXPECT_EQ(read_bytes(directory.file("real.h5")), "content");
  EXPECT_TRUE(std::filesystem::is_symlink(directory.file("link.h5")));
}

TEST(AtomicFile, WhatAKilledProcessLeftIsRemovedWithTheNextOfTheSameOutput) {
  const TemporaryDirectory directory;
  const pid_t child = fork();
  if (child == 0) {
    new AtomicFile(directory.file("a.h5"), Overwrite::no);
    _exit(0);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_EQ(directory.names().size(), 1u);
  check_writable(directory.file("b.h5"), Overwrite::no);
  EXPECT_EQ(directory.names().size(), 1u) << "it is of another output";
  const AtomicFile alive(directory.file("a.h5"), Overwrite::no);
  EXPECT_EQ(directory.names(), Names{std::filesystem::path(alive.temporary_path()).filename().string()});
  check_writable(directory.file("a.h5"), Overwrite::no);
  EXPECT_EQ(directory.names().size(), 1u) << "that of a living process stays";
}

TEST(AtomicFile, WhatIsReplacedKeepsItsMode) {
  const TemporaryDirectory directory;
  directory.write("a.h5", "old");
  chmod(directory.file("a.h5").c_str(), 0600);
  AtomicFile file(directory.file("a.h5"), Overwrite::yes);
  file.commit();
  struct stat status {};
  stat(directory.file("a.h5").c_str(), &status);
  EXPECT_EQ(status.st_mode & 07777, 0600u);
}

TEST(AtomicFile, PermissionsFollowTheMaskOfTheProcess) {
  const TemporaryDirectory directory;
  const mode_t before = umask(027);
  write_trials(directory.file("t.h5"), full_trials());
  umask(before);
  struct stat status {};
  ASSERT_EQ(stat(directory.file("t.h5").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0640u);
}

TEST(AtomicFile, PlacesThatCannotBeWrittenAreSaidSo) {
  const TemporaryDirectory directory;
  const auto refused = [](const std::string& path, const std::vector<std::string>& words) {
    for (const Overwrite overwrite : {Overwrite::no, Overwrite::yes}) {
      expect_error(ErrorKind::bad_file, words, [&] { check_writable(path, overwrite); });
      expect_error(ErrorKind::bad_file, words, [&] { write_trials(path, full_trials(), overwrite); });
      expect_error(ErrorKind::bad_file, words, [&] { write_model(path, full_result(), overwrite); });
    }
  };
  refused("", {"name is empty"});
  refused(directory.path(), {"is a directory"});
  refused(directory.file("missing/a.h5"), {"missing", "No such file or directory"});
  refused(directory.write("file", "") + "/a.h5", {"Not a directory"});
  refused("/dev/null", {"not a regular file"});
  refused("/proc/a.h5", {"/proc"});
  refused(directory.file(std::string(300, 'x')), {"xxx"});
  EXPECT_EQ(directory.names(), Names{"file"});
}

// What `action` does in a process of its own, as whoever `prepare` makes of it: 0 it succeeded, 1 it threw
// Error(bad_file), anything else is wrong.
template <class Prepare, class Action>
int outcome_elsewhere(Prepare&& prepare, Action&& action) {
  std::fflush(nullptr);  // or the child would print it again
  const pid_t child = fork();
  if (child == 0) {
    prepare();
    int outcome = 0;
    try {
      action();
    } catch (const Error& error) {
      outcome = error.kind() == ErrorKind::bad_file ? 1 : 2;
    } catch (...) {
      outcome = 3;
    }
    std::exit(outcome);  // through HDF5's own exit, which has been known to crash
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

TEST(AtomicFile, ADirectoryWithoutPermissionIsRefused) {
  const TemporaryDirectory directory;
  std::filesystem::permissions(directory.path(),
                               std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
  const auto become_nobody = [] {
    constexpr uid_t kNobody = 65534;
    if (geteuid() == 0 && setuid(kNobody) != 0) _exit(77);  // permissions do not bind root
  };
  EXPECT_EQ(outcome_elsewhere(become_nobody, [&] { check_writable(directory.file("a.h5"), Overwrite::no); }),
            1);
  EXPECT_EQ(outcome_elsewhere(become_nobody, [&] { write_trials(directory.file("a.h5"), full_trials()); }),
            1);
  std::filesystem::permissions(directory.path(), std::filesystem::perms::owner_all);
  EXPECT_TRUE(directory.names().empty());
}

// A limit on the size of files stands for a full disk: writes fail in the middle in the same way.
TEST(AtomicFile, AFullDiskGivesAnErrorAndLeavesNothing) {
  const TemporaryDirectory directory;
  write_trials(directory.file("whole.h5"), full_trials());
  const std::size_t size = std::filesystem::file_size(directory.file("whole.h5"));
  for (std::size_t i = 0; i < 40; ++i) {
    const std::size_t limit = size * i / 40;
    const auto fill_disk = [&] {
      const rlimit limits{limit, limit};
      setrlimit(RLIMIT_FSIZE, &limits);
      std::signal(SIGXFSZ, SIG_IGN);
    };
    EXPECT_EQ(outcome_elsewhere(fill_disk, [&] { write_trials(directory.file("t.h5"), full_trials()); }), 1)
        << limit << " of " << size << " bytes";
    EXPECT_EQ(outcome_elsewhere(fill_disk, [&] { write_model(directory.file("m.h5"), full_result()); }), 1)
        << limit << " of " << size << " bytes";
    ASSERT_EQ(directory.names(), Names{"whole.h5"}) << limit;
  }
}

TEST(AtomicFile, AFullDiskKeepsTheFileThatWasToBeReplaced) {
  const TemporaryDirectory directory;
  const std::string path = directory.write("t.h5", "precious");
  const auto fill_disk = [] {
    const rlimit limits{1000, 1000};
    setrlimit(RLIMIT_FSIZE, &limits);
    std::signal(SIGXFSZ, SIG_IGN);
  };
  EXPECT_EQ(outcome_elsewhere(fill_disk, [&] { write_trials(path, full_trials(), Overwrite::yes); }), 1);
  EXPECT_EQ(read_bytes(path), "precious");
  EXPECT_EQ(directory.names(), Names{"t.h5"});
}

// After a failed write the library must still be usable, by the same process.
TEST(AtomicFile, WritingWorksAgainAfterAFullDisk) {
  const TemporaryDirectory directory;
  const auto nothing = [] {};
  EXPECT_EQ(outcome_elsewhere(nothing,
                              [&] {
                                std::signal(SIGXFSZ, SIG_IGN);
                                rlimit limits{3000, RLIM_INFINITY};
                                setrlimit(RLIMIT_FSIZE, &limits);
                                try {
                                  write_model(directory.file("m.h5"), full_result());
                                  _exit(4);
                                } catch (const Error&) {
                                }
                                limits.rlim_cur = RLIM_INFINITY;
                                setrlimit(RLIMIT_FSIZE, &limits);
                                write_model(directory.file("m.h5"), full_result());
                                if (read_model(directory.file("m.h5")).model.n_trials() != 5) _exit(5);
                              }),
            0);
}

}  // namespace
}  // namespace milcci
