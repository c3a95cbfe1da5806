// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "source/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/check.h"

namespace tilewright::source {

static constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

File::File(std::string path, std::string bytes)
    : path_(std::move(path)), bytes_(std::make_shared<const std::string>(std::move(bytes))) {
  line_starts_.push_back(0);
  const std::string_view all = text();
  const bool has_carriage_returns = all.find('\r') != std::string_view::npos;
  const auto line_end = [&](size_t from) {
    return has_carriage_returns ? all.find_first_of("\n\r", from) : all.find('\n', from);
  };
  for (size_t i = 0; (i = line_end(i)) != std::string_view::npos;) {
    i += all.substr(i, 2) == "\r\n" ? 2 : 1;
    line_starts_.push_back(static_cast<uint32_t>(i));
  }
}

uint32_t File::line_of(uint32_t offset) const {
  const auto after = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
  return static_cast<uint32_t>(after - line_starts_.begin());
}

Position File::position(uint32_t offset) const {
  const uint32_t line = line_of(offset);
  uint32_t column = 1;
  uint32_t i = line_start(line);
  if (i == 0 && text().starts_with(byte_order_mark)) i = byte_order_mark.size();
  for (; i < offset && i < text().size(); ++i) column += (static_cast<unsigned char>(text()[i]) & 0xC0) != 0x80;
  return {line, column};
}

uint32_t File::byte_column(uint32_t offset) const {
  uint32_t start = line_start(line_of(offset));
  if (start == 0 && text().starts_with(byte_order_mark)) start = byte_order_mark.size();
  return offset > start ? offset - start : 0;
}

std::string_view File::line(uint32_t line) const {
  const uint32_t begin = line_starts_[line - 1];
  uint32_t end = line < line_starts_.size() ? line_starts_[line] : static_cast<uint32_t>(text().size());
  while (end > begin && (text()[end - 1] == '\n' || text()[end - 1] == '\r')) --end;
  return text().substr(begin, end - begin);
}

static Trouble trouble(const char* verb, const std::string& path, int error) {
  return Trouble{std::string("cannot ") + verb + " `" + path + "`: " + std::strerror(error)};
}

static Result<std::string> read_all(int file, const std::string& name) {
  struct stat status;
  std::string bytes;
  if (::fstat(file, &status) != 0) return trouble("read", name, errno);
  const Trouble too_large{"cannot read `" + name + "`: it is larger than " + std::to_string(largest_file >> 20) + " MiB"};
  const size_t expected = S_ISREG(status.st_mode) ? static_cast<size_t>(status.st_size) : 0;
  if (expected > largest_file) return too_large;
  bytes.reserve(expected);
  std::array<char, 1 << 16> chunk;
  while (true) {
    const ssize_t got = ::read(file, chunk.data(), chunk.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return trouble("read", name, errno);
    if (got == 0) return bytes;
    bytes.append(chunk.data(), static_cast<size_t>(got));
    if (bytes.size() > largest_file) return too_large;
  }
}

Result<std::string> read_bytes(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return trouble("read", path, errno);
  auto bytes = read_all(file, path);
  ::close(file);
  return bytes;
}

Result<std::string> read_standard_input() { return read_all(STDIN_FILENO, "<stdin>"); }

static int write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t put = ::write(file, bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return errno;
    bytes.remove_prefix(static_cast<size_t>(put));
  }
  return 0;
}

// A device or a pipe cannot be replaced, and must not be.
static Result<bool> write_into(const std::string& path, std::string_view bytes) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (file < 0) return trouble("write", path, errno);
  const int error = write_all(file, bytes);
  ::close(file);
  if (error) return trouble("write", path, error);
  return true;
}

// A new file in the folder of `path`, with the rights that a new file gets there.
static int create_beside(const std::string& path, std::string& name) {
  for (int i = 0;; ++i) {
    name = path + "." + std::to_string(::getpid()) + "-" + std::to_string(i);
    const int file = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file >= 0 || errno != EEXIST) return file;
  }
}

// Where a chain of links ends, so that the link stays and what it names is replaced.
static std::string behind_links(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_symlink(path, error)) return path;
  const auto real = std::filesystem::weakly_canonical(path, error);
  return error ? path : real.string();
}

Result<bool> write_bytes(const std::string& path, std::string_view bytes) {
  const std::string target = behind_links(path);
  struct stat old;
  const bool exists = ::stat(target.c_str(), &old) == 0;
  if (exists && S_ISDIR(old.st_mode)) return trouble("write", path, EISDIR);
  if (exists && !S_ISREG(old.st_mode)) return write_into(target, bytes);

  std::string beside;
  const int file = create_beside(target, beside);
  if (file < 0) return trouble("write", path, errno);
  int error = write_all(file, bytes);
  if (!error && exists && ::fchmod(file, old.st_mode & 07777) != 0) error = errno;
  if (::close(file) != 0 && !error) error = errno;
  if (!error && ::rename(beside.c_str(), target.c_str()) != 0) error = errno;
  if (!error) return true;
  ::unlink(beside.c_str());
  return trouble("write", path, error);
}

std::string apply(std::string_view text, std::vector<Edit> edits) {
  std::stable_sort(edits.begin(), edits.end(), [](const Edit& a, const Edit& b) {
    return a.span.begin != b.span.begin ? a.span.begin < b.span.begin : a.span.end < b.span.end;
  });
  size_t size = text.size();
  for (const Edit& edit : edits) size += edit.text.size();
  std::string out;
  out.reserve(size);
  uint32_t at = 0;
  for (const Edit& edit : edits) {
    TW_CHECK(edit.span.begin >= at && edit.span.end <= text.size(), "edits overlap or leave the text");
    out.append(text.substr(at, edit.span.begin - at)).append(edit.text);
    at = edit.span.end;
  }
  return out.append(text.substr(at));
}

}  // namespace tilewright::source
