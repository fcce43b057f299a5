// SPDX-License-Identifier: Apache-2.0
// Strict warnings of slang, and those that are waived, each with its reason:
//   slang -f slang.f -f files.f
-Wextra
-Wpedantic

// Widths are parameters: a cast that changes nothing with one changes something with another.
-Wno-useless-cast

// A default behind every case, so that an encoding that cannot be has a value.
-Wno-case-redundant-default
