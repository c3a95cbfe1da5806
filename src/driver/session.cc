// SPDX-FileCopyrightText: The Tilewright Authors
// SPDX-License-Identifier: Apache-2.0

#include "driver/session.h"

namespace tilewright::driver {

Conversion convert(std::string path, std::string text, const Options&) {
  Conversion out;
  out.main = out.files.add(source::File(std::move(path), std::move(text)));
  out.status = Status::Unchanged;
  out.text = out.files[out.main].text();
  return out;
}

}  // namespace tilewright::driver
