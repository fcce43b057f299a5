// SPDX-License-Identifier: Apache-2.0
// Drives Vtop of arith_bench.py. Two modes:
//   stream:     standard input holds one record a clock (en, then a, b, mod as 32-bit words);
//               standard output gets r after each clock edge.
//   loaded bits zeros latency scale: all q = 1 modulo 2^zeros, of each all a and b as below; mod_i
//               is {new, -c, c}.
//   exhaust q latency scale: all a in [-2q, 2q] times all centred b; prints how many are wrong.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <string>
#include <vector>

#include "Vtop.h"
#include "verilated.h"

void vl_fatal(const char *file, int line, const char *, const char *message) {
  std::fprintf(stderr, "%s:%d: %s\n", file, line, message);
  std::exit(1);
}

void vl_stop(const char *file, int line, const char *scope) { vl_fatal(file, line, scope, "$stop"); }

void vl_finish(const char *, int, const char *) { std::exit(0); }

static void tick(Vtop &top) {
  top.clk_i = 1;
  top.eval();
  top.clk_i = 0;
  top.eval();
}

static int stream(Vtop &top) {
  uint32_t en;
  while (std::fread(&en, 4, 1, stdin) == 1) {
    top.en_i = en;
    if (std::fread(&top.a_i, sizeof top.a_i, 1, stdin) != 1) return 1;
    if (std::fread(&top.b_i, sizeof top.b_i, 1, stdin) != 1) return 1;
    if (std::fread(&top.mod_i, sizeof top.mod_i, 1, stdin) != 1) return 1;
    tick(top);
    std::fwrite(&top.r_o, sizeof top.r_o, 1, stdout);
  }
  return 0;
}

static int exhaust(Vtop &top, int64_t q, size_t latency, int64_t scale) {
  std::vector<int64_t> expected(latency, 0);
  size_t at = 0;
  uint64_t seen = 0, wrong = 0;
  auto word = [](void *port, int64_t value) {
    int64_t words[2] = {value, value < 0 ? -1 : 0};
    std::memcpy(port, words, sizeof words);
  };
  top.en_i = 1;
  for (int64_t a = -2 * q; a <= 2 * q; a++) {
    for (int64_t b = -(q / 2); b <= q / 2; b++) {
      word(&top.a_i, a);
      word(&top.b_i, b);
      expected[at] = a * b;
      at = (at + 1) % latency;
      tick(top);
      if (++seen < latency) continue;
      int64_t r;
      std::memcpy(&r, &top.r_o, sizeof r);
      wrong += r < -q || r >= q || (r * scale - expected[at]) % q != 0;
    }
  }
  std::printf("%llu %llu\n", (unsigned long long)seen, (unsigned long long)wrong);
  return 0;
}

static int loaded(Vtop &top, int64_t bits, int64_t zeros, size_t latency, int64_t scale) {
  const int64_t width = bits - zeros, factors = int64_t{1} << width;
  uint64_t seen = 0, wrong = 0;
  auto word = [](void *port, int64_t value) {
    int64_t words[2] = {value, value < 0 ? -1 : 0};
    std::memcpy(port, words, sizeof words);
  };
  auto compare = [&](int64_t q, int64_t product) {
    int64_t r;
    std::memcpy(&r, &top.r_o, sizeof r);
    wrong += r < -q || r >= q || (r * scale - product) % q != 0;
    seen++;
  };
  top.en_i = 1;
  for (int64_t c = 1; c < factors; c++) {
    const int64_t q = (c << zeros) + 1, minus = -c & (2 * factors - 1);
    std::deque<int64_t> products;
    int64_t fresh = int64_t{1} << (2 * width + 1);
    for (int64_t a = -2 * q; a <= 2 * q; a++) {
      for (int64_t b = -(q / 2); b <= q / 2; b++) {
        word(&top.mod_i, fresh | minus << width | c);
        word(&top.a_i, a);
        word(&top.b_i, b);
        fresh = 0;
        products.push_back(a * b);
        tick(top);
        if (products.size() < latency) continue;
        compare(q, products.front());
        products.pop_front();
      }
    }
    while (!products.empty()) {
      tick(top);
      compare(q, products.front());
      products.pop_front();
    }
  }
  std::printf("%llu %llu\n", (unsigned long long)seen, (unsigned long long)wrong);
  return 0;
}

int main(int argc, char **argv) {
  Verilated::threadContextp()->randReset(2);  // noise where nothing drives
  Vtop top;
  top.clk_i = 0;
  top.eval();
  if (argc == 5 && std::string(argv[1]) == "exhaust") {
    return exhaust(top, std::stoll(argv[2]), std::stoul(argv[3]), std::stoll(argv[4]));
  }
  if (argc == 6 && std::string(argv[1]) == "loaded") {
    return loaded(top, std::stoll(argv[2]), std::stoll(argv[3]), std::stoul(argv[4]),
                  std::stoll(argv[5]));
  }
  return stream(top);
}
