// SPDX-License-Identifier: Apache-2.0
//
// Transforms of any size modulo any odd prime of up to 256 bits, for comparison: bit reversal, then
// Cooley-Tukey stages with one table of powers, in Montgomery form. It shares nothing with the
// hardware's way: no digits, no groups, no generated twiddles.

#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

namespace {

using Wide = unsigned __int128;

template <int kLimbs>
struct Word {
    uint64_t limb[kLimbs];
};

// a + b, and its carry.
template <int kLimbs>
uint64_t add(Word<kLimbs>& a, const Word<kLimbs>& b) {
    Wide carry = 0;
    for (int i = 0; i < kLimbs; ++i) {
        carry += static_cast<Wide>(a.limb[i]) + b.limb[i];
        a.limb[i] = static_cast<uint64_t>(carry);
        carry >>= 64;
    }
    return static_cast<uint64_t>(carry);
}

// a - b, and its borrow.
template <int kLimbs>
uint64_t subtract(Word<kLimbs>& a, const Word<kLimbs>& b) {
    uint64_t borrow = 0;
    for (int i = 0; i < kLimbs; ++i) {
        const Wide difference = static_cast<Wide>(a.limb[i]) - b.limb[i] - borrow;
        a.limb[i] = static_cast<uint64_t>(difference);
        borrow = static_cast<uint64_t>(difference >> 64) & 1;
    }
    return borrow;
}

template <int kLimbs>
class Field {
  public:
    using W = Word<kLimbs>;

    explicit Field(const uint64_t* q) {
        std::memcpy(q_.limb, q, sizeof q_.limb);
        inverse_ = 1;  // of -q modulo 2^64, by Newton's iteration
        for (int i = 0; i < 6; ++i) inverse_ *= 2 + q_.limb[0] * inverse_;
        one_ = W{{1}};
        for (int i = 0; i < 64 * kLimbs; ++i) one_ = sum(one_, one_);
        square_ = one_;
        for (int i = 0; i < 64 * kLimbs; ++i) square_ = sum(square_, square_);
    }

    W one() const { return one_; }
    W enter(const W& a) const { return product(a, square_); }
    W leave(const W& a) const { return product(a, W{{1}}); }

    W sum(W a, const W& b) const {
        const uint64_t carry = add(a, b);
        return reduced(a, carry);
    }

    W difference(W a, const W& b) const {
        if (subtract(a, b)) add(a, q_);
        return a;
    }

    W product(const W& a, const W& b) const {
        W sum{};
        uint64_t top = 0;
        for (int i = 0; i < kLimbs; ++i) {
            Wide carry = 0;
            uint64_t high;
            for (int j = 0; j < kLimbs; ++j) {
                carry += static_cast<Wide>(a.limb[j]) * b.limb[i] + sum.limb[j];
                sum.limb[j] = static_cast<uint64_t>(carry);
                carry >>= 64;
            }
            carry += top;
            top = static_cast<uint64_t>(carry);
            high = static_cast<uint64_t>(carry >> 64);
            const uint64_t m = sum.limb[0] * inverse_;
            carry = (static_cast<Wide>(m) * q_.limb[0] + sum.limb[0]) >> 64;
            for (int j = 1; j < kLimbs; ++j) {
                carry += static_cast<Wide>(m) * q_.limb[j] + sum.limb[j];
                sum.limb[j - 1] = static_cast<uint64_t>(carry);
                carry >>= 64;
            }
            carry += top;
            sum.limb[kLimbs - 1] = static_cast<uint64_t>(carry);
            top = high + static_cast<uint64_t>(carry >> 64);
        }
        return reduced(sum, top);
    }

    W power(W base, const W& exponent) const {
        W result = one_;
        for (int bit = 0; bit < 64 * kLimbs; ++bit) {
            if (exponent.limb[bit / 64] >> (bit % 64) & 1) result = product(result, base);
            base = product(base, base);
        }
        return result;
    }

    W inverse(const W& a) const {  // Fermat
        W exponent = q_;
        subtract(exponent, W{{2}});
        return power(a, exponent);
    }

  private:
    W reduced(W a, uint64_t carry) const {
        W less = a;
        return subtract(less, q_) > carry ? a : less;
    }

    W q_, one_, square_;
    uint64_t inverse_;
};

template <int kLimbs>
void transform(uint64_t* raw, uint64_t log_n, const uint64_t* q, const uint64_t* root,
               const uint64_t* shift, bool inverse) {
    using W = Word<kLimbs>;
    const Field<kLimbs> field{q};
    W* words = reinterpret_cast<W*>(raw);
    const uint64_t n = uint64_t{1} << log_n;
    const auto entered = [&](const uint64_t* from) {
        W value;
        std::memcpy(value.limb, from, sizeof value.limb);
        value = field.enter(value);
        return inverse ? field.inverse(value) : value;
    };
    const W w = entered(root);

    for (uint64_t i = 0; i < n; ++i) words[i] = field.enter(words[i]);
    const auto twist = [&](W factor) {  // by the powers of the shift
        const W base = entered(shift);
        for (uint64_t i = 0; i < n; ++i) {
            words[i] = field.product(words[i], factor);
            factor = field.product(factor, base);
        }
    };
    if (shift && !inverse) twist(field.one());

    for (uint64_t i = 0, j = 0; i < n; ++i) {
        if (i < j) std::swap(words[i], words[j]);
        uint64_t bit = n >> 1;
        for (; bit != 0 && (j & bit); bit >>= 1) j ^= bit;
        j ^= bit;
    }
    std::vector<W> powers(n / 2 + 1);
    powers[0] = field.one();
    for (uint64_t i = 1; i < powers.size(); ++i) powers[i] = field.product(powers[i - 1], w);
    for (uint64_t half = 1; half < n; half *= 2) {
        const uint64_t stride = n / 2 / half;
        for (uint64_t start = 0; start < n; start += 2 * half) {
            for (uint64_t i = 0; i < half; ++i) {
                W& upper = words[start + i];
                W& lower = words[start + i + half];
                const W scaled = field.product(lower, powers[i * stride]);
                lower = field.difference(upper, scaled);
                upper = field.sum(upper, scaled);
            }
        }
    }
    if (inverse) {
        const W scale = field.inverse(field.enter(W{{n}}));
        if (shift) twist(scale);
        else for (uint64_t i = 0; i < n; ++i) words[i] = field.product(words[i], scale);
    }
    for (uint64_t i = 0; i < n; ++i) words[i] = field.leave(words[i]);
}

// f(x) by Horner's rule: one pass, and no memory.
template <int kLimbs>
void evaluate(const uint64_t* raw, uint64_t count, const uint64_t* q, const uint64_t* at,
              uint64_t* result) {
    using W = Word<kLimbs>;
    const Field<kLimbs> field{q};
    const W* words = reinterpret_cast<const W*>(raw);
    W x, sum{};
    std::memcpy(x.limb, at, sizeof x.limb);
    x = field.enter(x);
    // Times x R and divided by R: what is summed up stays as it is.
    for (uint64_t i = count; i-- > 0;) sum = field.sum(field.product(sum, x), words[i]);
    std::memcpy(result, sum.limb, sizeof sum.limb);
}

}  // namespace

extern "C" {

int nttforge_evaluate(const uint64_t* words, uint64_t limbs, uint64_t count, const uint64_t* q,
                      const uint64_t* at, uint64_t* result) {
    switch (limbs) {
        case 1: evaluate<1>(words, count, q, at, result); return 1;
        case 2: evaluate<2>(words, count, q, at, result); return 1;
        case 4: evaluate<4>(words, count, q, at, result); return 1;
        default: return 0;
    }
}

// In place and in natural order: values at shift w^k, or at w^k if null. `root` is w. Returns 0 if `limbs`
// is not known.
int nttforge_transform(uint64_t* words, uint64_t limbs, uint64_t log_n, const uint64_t* q,
                       const uint64_t* root, const uint64_t* shift, int inverse) {
    switch (limbs) {
        case 1: transform<1>(words, log_n, q, root, shift, inverse); return 1;
        case 2: transform<2>(words, log_n, q, root, shift, inverse); return 1;
        case 4: transform<4>(words, log_n, q, root, shift, inverse); return 1;
        default: return 0;
    }
}
}
