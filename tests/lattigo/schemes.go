// SPDX-License-Identifier: Apache-2.0

// Ciphertexts of CKKS and BGV that lattigo encrypts, others compute on, and lattigo decrypts. The
// first operation answers with the Galois element of the rotation, two ciphertexts, a key for the
// relinearization and one for the rotation; the second one takes what came of the product, rescaled
// and rotated, and answers with how many words of its transforms are not the evaluator's own, the
// error, and lattigo's bound on it, as bits of a float.
package main

import (
	"fmt"
	"io"
	"math"
	"math/rand"

	"github.com/tuneinsight/lattigo/v6/core/rlwe"
	"github.com/tuneinsight/lattigo/v6/ring"
	"github.com/tuneinsight/lattigo/v6/ring/ringqp"
	"github.com/tuneinsight/lattigo/v6/schemes/bgv"
	"github.com/tuneinsight/lattigo/v6/schemes/ckks"
)

const (
	encryptCKKS = 4 + iota // two ciphertexts of numbers; the scale's logarithm for a Galois element
	encryptBGV             // the same of integers; the plaintext modulus
	decrypt                // the last ones' product
)

const slots = 13 // of the rotation

// What decryption needs: the evaluator's own result, and how an error is found.
type session struct {
	params rlwe.Parameters
	own    *rlwe.Ciphertext
	judge  func(*rlwe.Ciphertext) (found, bound float64)
}

type keys struct {
	secret *rlwe.SecretKey
	relin  *rlwe.RelinearizationKey
	galois *rlwe.GaloisKey
	set    rlwe.EvaluationKeySet
}

func newKeys(params rlwe.Parameters) keys {
	generator := rlwe.NewKeyGenerator(params)
	k := keys{secret: generator.GenSecretKeyNew()}
	k.relin = generator.GenRelinearizationKeyNew(k.secret)
	k.galois = generator.GenGaloisKeyNew(params.GaloisElement(slots), k.secret)
	k.set = rlwe.NewMemEvaluationKeySet(k.relin, k.galois)
	return k
}

func encryptNew(
	params rlwe.ParameterProvider, key *rlwe.SecretKey, plain *rlwe.Plaintext,
) *rlwe.Ciphertext {
	c, err := rlwe.NewEncryptor(params, key).EncryptNew(plain)
	must(err)
	return c
}

func writeKey(out io.Writer, params rlwe.Parameters, gadget rlwe.GadgetCiphertext) {
	ringQP := *params.RingQP()
	half := ringQP.NewPoly()
	for _, digit := range gadget.Value {
		for _, each := range []ringqp.Poly{digit[0][0], digit[0][1]} {
			ringQP.IMForm(each, half)
			ringQP.INTT(half, half)
			write(out, half.Q, half.P)
		}
	}
}

func writeCiphertext(out io.Writer, params rlwe.Parameters, c *rlwe.Ciphertext) {
	ringQ := params.RingQ().AtLevel(c.Level())
	poly := ringQ.NewPoly()
	for _, each := range c.Value {
		ringQ.INTT(each, poly)
		write(out, poly)
	}
}

func (s *session) start(out io.Writer, k keys, x, y *rlwe.Ciphertext) {
	write(out, ring.Poly{Coeffs: [][]uint64{{k.galois.GaloisElement}}})
	writeCiphertext(out, s.params, x)
	writeCiphertext(out, s.params, y)
	writeKey(out, s.params, k.relin.GadgetCiphertext)
	writeKey(out, s.params, k.galois.GadgetCiphertext)
}

func (s *session) ckks(out io.Writer, literal ckks.ParametersLiteral, level int) {
	params, err := ckks.NewParametersFromLiteral(literal)
	must(err)
	encoder, k := ckks.NewEncoder(params), newKeys(params.Parameters)
	random := rand.New(rand.NewSource(1))
	given := [2][]complex128{}
	c := [2]*rlwe.Ciphertext{}
	for i := range given {
		given[i] = make([]complex128, params.MaxSlots())
		for j := range given[i] {
			given[i][j] = complex(2*random.Float64()-1, 2*random.Float64()-1)
		}
		plain := ckks.NewPlaintext(params, level)
		must(encoder.Encode(given[i], plain))
		c[i] = encryptNew(params, k.secret, plain)
	}
	evaluator := ckks.NewEvaluator(params, k.set)
	own, err := evaluator.MulRelinNew(c[0], c[1])
	must(err)
	must(evaluator.Rescale(own, own))
	own, err = evaluator.RotateNew(own, slots)
	must(err)
	want := make([]complex128, len(given[0]))
	for j := range want {
		from := (j + slots) % len(want)
		want[j] = given[0][from] * given[1][from]
	}
	s.params, s.own = params.Parameters, own
	s.judge = func(found *rlwe.Ciphertext) (float64, float64) {
		decryptor := rlwe.NewDecryptor(params, k.secret)
		seen := ckks.GetPrecisionStats(params, encoder, decryptor, want, found, 0, false)
		least := math.Min(seen.AVGLog2Prec.Real, seen.AVGLog2Prec.Imag)
		// As ckks.VerifyTestVectors has it, which is for Go's tests alone.
		return -least, float64(params.LogN() + 2 - params.LogDefaultScale())
	}
	s.start(out, k, c[0], c[1])
}

func (s *session) bgv(out io.Writer, literal bgv.ParametersLiteral, level int) {
	params, err := bgv.NewParametersFromLiteral(literal)
	must(err)
	encoder, k := bgv.NewEncoder(params), newKeys(params.Parameters)
	random, t := rand.New(rand.NewSource(1)), literal.PlaintextModulus
	given := [2][]uint64{}
	c := [2]*rlwe.Ciphertext{}
	for i := range given {
		given[i] = make([]uint64, params.MaxSlots())
		for j := range given[i] {
			given[i][j] = random.Uint64() % t
		}
		plain := bgv.NewPlaintext(params, level)
		must(encoder.Encode(given[i], plain))
		c[i] = encryptNew(params, k.secret, plain)
	}
	evaluator := bgv.NewEvaluator(params, k.set)
	own, err := evaluator.MulRelinNew(c[0], c[1])
	must(err)
	must(evaluator.Rescale(own, own))
	own, err = evaluator.RotateColumnsNew(own, slots)
	must(err)
	s.params, s.own = params.Parameters, own
	s.judge = func(found *rlwe.Ciphertext) (wrong, bound float64) {
		have := make([]uint64, len(given[0]))
		must(encoder.Decode(rlwe.NewDecryptor(params, k.secret).DecryptNew(found), have))
		half := len(have) / 2
		for j := range have { // two rows, each of which rotates
			from := j/half*half + (j+slots)%half
			if have[j] != given[0][from]*given[1][from]%t {
				wrong++
			}
		}
		return wrong, 0
	}
	s.start(out, k, c[0], c[1])
}

func (s *session) decrypt(in words, out io.Writer, level int) {
	if s.own == nil || level != s.own.Level() {
		panic(fmt.Sprintf("no ciphertext is awaited at level %d", level))
	}
	found := rlwe.NewCiphertext(s.params, 1, level)
	*found.MetaData = *s.own.MetaData
	ringQ, differ := s.params.RingQ().AtLevel(level), uint64(0)
	for i, each := range found.Value {
		in.fill(each)
		ringQ.NTT(each, each)
		for j, limb := range each.Coeffs {
			for l, word := range limb {
				if word != s.own.Value[i].Coeffs[j][l] {
					differ++
				}
			}
		}
	}
	wrong, bound := s.judge(found)
	answer := []uint64{differ, math.Float64bits(wrong), math.Float64bits(bound)}
	write(out, ring.Poly{Coeffs: [][]uint64{answer}})
}
