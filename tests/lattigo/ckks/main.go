// SPDX-License-Identifier: Apache-2.0

// A CKKS encryption, product, rescaling, rotation and decryption by lattigo, of which the hardware does
// all transforms: libnttforge of a design `transforms` with loaded moduli. Each result is compared with
// lattigo's own, word by word, and what is decrypted with what was computed on numbers.
package main

// #include <nttforge.h>
import "C"

import (
	"fmt"
	"math"
	"math/cmplx"
	"math/rand"
	"os"

	"github.com/tuneinsight/lattigo/v6/core/rlwe"
	"github.com/tuneinsight/lattigo/v6/ring"
	"github.com/tuneinsight/lattigo/v6/schemes/ckks"
)

const rotation = 13

// A core, and which modulus is in which of its places.
type hardware struct {
	core          *C.nttforge
	device        *C.transforms
	places        map[uint64]C.uint
	count, differ int
}

func (h *hardware) must(code C.int) {
	if code != C.TRANSFORMS_OK {
		fmt.Println(C.GoString(C.transforms_error(code)))
		os.Exit(1)
	}
}

// The place of a modulus, loaded with lattigo's root when it is first asked for.
func (h *hardware) place(r *ring.SubRing) C.uint {
	place, known := h.places[r.Modulus]
	if !known {
		place = C.uint(len(h.places))
		root := ring.ModExp(r.PrimitiveRoot, (r.Modulus-1)/r.NthRoot, r.Modulus)
		h.must(C.transforms_load(h.device, place, C.uint64_t(r.Modulus), C.uint64_t(root)))
		h.places[r.Modulus] = place
	}
	return place
}

// A transform by the hardware, compared with what lattigo has.
func (h *hardware) transform(r *ring.SubRing, operation C.uint, from, to, own []uint64) {
	words := make([]C.uint64_t, len(from))
	for i, word := range from {
		words[i] = C.uint64_t(word % r.Modulus) // lattigo's may be up to twice the modulus
	}
	h.must(C.transforms_transform(h.device, h.place(r), operation, &words[0], &words[0]))
	h.count++
	for i := range words {
		if uint64(words[i]) != own[i]%r.Modulus {
			h.differ++
			break
		}
	}
	for i := range words {
		to[i] = uint64(words[i])
	}
}

// Transforms modulo one prime, as lattigo calls them.
type transformer struct {
	hardware *hardware
	ring     *ring.SubRing
}

func (t transformer) own(backward bool, from []uint64) []uint64 {
	to := make([]uint64, len(from))
	standard := ring.NewNumberTheoreticTransformerStandard(t.ring, len(from))
	if backward {
		standard.Backward(from, to)
	} else {
		standard.Forward(from, to)
	}
	return to
}

func (t transformer) Forward(from, to []uint64) {
	t.hardware.transform(t.ring, C.TRANSFORMS_NTT, from, to, t.own(false, from))
}

func (t transformer) Backward(from, to []uint64) {
	t.hardware.transform(t.ring, C.TRANSFORMS_INTT, from, to, t.own(true, from))
}

func (t transformer) ForwardLazy(from, to []uint64)  { t.Forward(from, to) }
func (t transformer) BackwardLazy(from, to []uint64) { t.Backward(from, to) }

// Makes a ring's transforms those of the hardware, in place: parameters take no ring of others.
func (h *hardware) replace(r *ring.Ring) {
	moduli := make([]uint64, len(r.SubRings))
	for i, sub := range r.SubRings {
		moduli[i] = sub.Modulus
	}
	custom, err := ring.NewRingWithCustomNTT(r.N(), moduli,
		func(sub *ring.SubRing, _ int) ring.NumberTheoreticTransformer { return transformer{h, sub} },
		2*r.N())
	must(err)
	for i := range r.SubRings {
		*r.SubRings[i] = *custom.SubRings[i]
	}
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	h := &hardware{core: C.nttforge_open(0, 0), places: map[uint64]C.uint{}}
	h.device = C.nttforge_device(h.core)
	literal := ckks.ParametersLiteral{
		LogN: 10, LogQ: []int{50, 40, 40}, LogP: []int{50}, LogDefaultScale: 40,
	}
	plain, err := ckks.NewParametersFromLiteral(literal) // of the encoder
	must(err)
	params, err := ckks.NewParametersFromLiteral(literal)
	must(err)
	h.replace(params.RingQ())
	h.replace(params.RingP())

	keys := rlwe.NewKeyGenerator(params)
	secret := keys.GenSecretKeyNew()
	element := params.GaloisElement(rotation)
	evaluation := rlwe.NewMemEvaluationKeySet(
		keys.GenRelinearizationKeyNew(secret), keys.GenGaloisKeyNew(element, secret))
	encoder := ckks.NewEncoder(plain)

	values := make([]complex128, plain.MaxSlots())
	random := rand.New(rand.NewSource(1))
	for i := range values {
		values[i] = complex(2*random.Float64()-1, 2*random.Float64()-1)
	}
	plaintext := ckks.NewPlaintext(plain, plain.MaxLevel())
	must(encoder.Encode(values, plaintext))
	encrypted, err := rlwe.NewEncryptor(params, keys.GenPublicKeyNew(secret)).EncryptNew(plaintext)
	must(err)
	evaluator := ckks.NewEvaluator(params, evaluation)
	product, err := evaluator.MulRelinNew(encrypted, encrypted)
	must(err)
	must(evaluator.Rescale(product, product))
	rotated, err := evaluator.RotateNew(product, rotation)
	must(err)
	found := make([]complex128, len(values))
	must(encoder.Decode(rlwe.NewDecryptor(params, secret).DecryptNew(rotated), found))

	worst := 0.0
	for i := range found {
		value := values[(i+rotation)%len(values)]
		worst = math.Max(worst, cmplx.Abs(found[i]-value*value))
	}
	fmt.Printf("%d transforms on the RTL, %d differ from lattigo's\n", h.count, h.differ)
	fmt.Printf("%d moduli loaded, %d cycles\n", len(h.places), uint64(C.nttforge_cycles(h.core)))
	fmt.Printf("decrypted within 2^%.0f\n", math.Log2(worst))
	C.nttforge_close(h.core)
	if h.differ != 0 || worst > 1.0/1024 {
		os.Exit(1)
	}
}
