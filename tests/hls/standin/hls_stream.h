// SPDX-License-Identifier: Apache-2.0

/* A stand-in for the hls_stream.h of HLS tools; see ap_int.h beside it. */
#ifndef STANDIN_HLS_STREAM_H
#define STANDIN_HLS_STREAM_H

#include <queue>

namespace hls {
template <typename T>
struct stream {
  std::queue<T> words;
  void write(const T &word) { words.push(word); }
  T read() {
    T word = words.front();
    words.pop();
    return word;
  }
  bool empty() const { return words.empty(); }
};
}  // namespace hls

#endif
