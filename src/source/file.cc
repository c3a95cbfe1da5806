// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "source/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/check.h"

namespace tilewright::source {

static constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

File::File(std::string path, std::string bytes) : path_(std::move(path)), bytes_(std::move(bytes)) {
  line_starts_.push_back(0);
  const size_t size = bytes_.size();
  for (size_t i = 0; i < size; ++i) {
    const char c = bytes_[i];
    if (c != '\n' && c != '\r') continue;
    if (c == '\r' && i + 1 < size && bytes_[i + 1] == '\n') ++i;
    line_starts_.push_back(static_cast<uint32_t>(i + 1));
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
  for (; i < offset && i < bytes_.size(); ++i) column += (static_cast<unsigned char>(bytes_[i]) & 0xC0) != 0x80;
  return {line, column};
}

uint32_t File::byte_column(uint32_t offset) const {
  uint32_t start = line_start(line_of(offset));
  if (start == 0 && text().starts_with(byte_order_mark)) start = byte_order_mark.size();
  return offset > start ? offset - start : 0;
}

std::string_view File::line(uint32_t line) const {
  const uint32_t begin = line_starts_[line - 1];
  uint32_t end = line < line_starts_.size() ? line_starts_[line] : static_cast<uint32_t>(bytes_.size());
  while (end > begin && (bytes_[end - 1] == '\n' || bytes_[end - 1] == '\r')) --end;
  return text().substr(begin, end - begin);
}

static Trouble trouble(const char* verb, const std::string& path, int error) {
  return Trouble{std::string("cannot ") + verb + " `" + path + "`: " + std::strerror(error)};
}

Result<std::string> read_bytes(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return trouble("read", path, errno);
  struct stat status;
  std::string bytes;
  if (::fstat(file, &status) == 0 && S_ISREG(status.st_mode)) bytes.reserve(static_cast<size_t>(status.st_size));
  char chunk[1 << 16];
  while (true) {
    const ssize_t got = ::read(file, chunk, sizeof chunk);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      const int error = errno;
      ::close(file);
      return trouble("read", path, error);
    }
    if (got == 0) break;
    bytes.append(chunk, static_cast<size_t>(got));
  }
  ::close(file);
  return bytes;
}

Result<bool> write_bytes(const std::string& path, std::string_view bytes) {
  std::string beside = path + ".XXXXXX";
  const int file = ::mkstemp(beside.data());
  if (file < 0) return trouble("write", path, errno);
  const auto give_up = [&](int error) {
    ::close(file);
    ::unlink(beside.c_str());
    return trouble("write", path, error);
  };
  for (size_t done = 0; done < bytes.size();) {
    const ssize_t put = ::write(file, bytes.data() + done, bytes.size() - done);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return give_up(errno);
    done += static_cast<size_t>(put);
  }
  struct stat old;
  const mode_t mask = ::umask(0);
  ::umask(mask);
  const mode_t mode = ::stat(path.c_str(), &old) == 0 ? old.st_mode & 07777 : 0666 & ~mask;
  if (::fchmod(file, mode) != 0) return give_up(errno);
  if (::close(file) != 0 || ::rename(beside.c_str(), path.c_str()) != 0) {
    const int error = errno;
    ::unlink(beside.c_str());
    return trouble("write", path, error);
  }
  return true;
}

std::string apply(std::string_view text, std::vector<Edit> edits) {
  std::stable_sort(edits.begin(), edits.end(), [](const Edit& a, const Edit& b) {
    return a.span.begin != b.span.begin ? a.span.begin < b.span.begin : a.span.end < b.span.end;
  });
  std::string out;
  out.reserve(text.size());
  uint32_t at = 0;
  for (const Edit& edit : edits) {
    TW_CHECK(edit.span.begin >= at && edit.span.end <= text.size(), "edits overlap or leave the text");
    out.append(text.substr(at, edit.span.begin - at)).append(edit.text);
    at = edit.span.end;
  }
  return out.append(text.substr(at));
}

}  // namespace tilewright::source
