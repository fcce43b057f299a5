// SPDX-License-Identifier: Apache-2.0
// Strict warnings of slang, and those that are waived, each with its reason:
//   slang -f slang.f -f files.f
-Wextra
-Wpedantic

// Widths are parameters: a cast that changes nothing with one changes something with another.
-Wno-useless-cast

// Every case has a default, so that an illegal encoding has a defined result.
-Wno-case-redundant-default
