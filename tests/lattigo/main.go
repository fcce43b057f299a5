// SPDX-License-Identifier: Apache-2.0

// Key switching, rotation and rescaling as lattigo computes them, on polynomials and keys that are
// given. Input and output are little-endian 64-bit words. A case is an operation (see below), log2
// of n, the numbers of moduli of Q and of P, the number of limbs of the ciphertext, a Galois element,
// the moduli, the polynomials of the ciphertext, and the key: b and a of each digit, limbs of Q and P.
// All polynomials are coefficients, a limb after the other; the answer is the polynomials' limbs.
// Operations on lattigo's own ciphertexts are in schemes.go, timing is in times.go.
package main

import (
	"bufio"
	"encoding/binary"
	"io"
	"os"

	"github.com/tuneinsight/lattigo/v6/core/rlwe"
	"github.com/tuneinsight/lattigo/v6/ring"
	"github.com/tuneinsight/lattigo/v6/ring/ringqp"
	"github.com/tuneinsight/lattigo/v6/schemes/bgv"
	"github.com/tuneinsight/lattigo/v6/schemes/ckks"
)

const (
	keySwitch = 1 + iota // of one polynomial
	rotate               // a ciphertext
	rescale              // one polynomial
)

type words struct{ io.Reader }

func (in words) read(count int) []uint64 {
	values := make([]uint64, count)
	if err := binary.Read(in, binary.LittleEndian, values); err != nil {
		if err == io.EOF {
			os.Exit(0)
		}
		panic(err)
	}
	return values
}

func (in words) fill(poly ring.Poly) {
	for i := range poly.Coeffs {
		copy(poly.Coeffs[i], in.read(len(poly.Coeffs[i])))
	}
}

func (in words) key(params rlwe.Parameters, gadget rlwe.GadgetCiphertext) {
	ringQP := *params.RingQP()
	for _, digit := range gadget.Value {
		for _, half := range []ringqp.Poly{digit[0][0], digit[0][1]} {
			in.fill(half.Q)
			in.fill(half.P)
			ringQP.NTT(half, half)
			ringQP.MForm(half, half)
		}
	}
}

func write(out io.Writer, polys ...ring.Poly) {
	for _, poly := range polys {
		for _, limb := range poly.Coeffs {
			if err := binary.Write(out, binary.LittleEndian, limb); err != nil {
				panic(err)
			}
		}
	}
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	in, out := words{bufio.NewReader(os.Stdin)}, bufio.NewWriter(os.Stdout)
	var own session
	for {
		head := in.read(6)
		logN, numQ, numP, limbs := int(head[1]), int(head[2]), int(head[3]), int(head[4])
		moduli := in.read(numQ + numP)
		switch head[0] {
		case encryptCKKS:
			literal := ckks.ParametersLiteral{
				LogN: logN, Q: moduli[:numQ], P: moduli[numQ:], LogDefaultScale: int(head[5]),
			}
			own.ckks(out, literal, limbs-1)
		case encryptBGV:
			literal := bgv.ParametersLiteral{
				LogN: logN, Q: moduli[:numQ], P: moduli[numQ:], PlaintextModulus: head[5],
			}
			own.bgv(out, literal, limbs-1)
		case decrypt:
			own.decrypt(in, out, limbs-1)
		case times:
			literal := rlwe.ParametersLiteral{
				LogN: logN, Q: moduli[:numQ], P: moduli[numQ:], NTTFlag: true,
			}
			applyTimes(out, literal, limbs-1, int(head[5]))
		}
		if head[0] > rescale {
			must(out.Flush())
			continue
		}
		params, err := rlwe.NewParametersFromLiteral(rlwe.ParametersLiteral{
			LogN: logN, Q: moduli[:numQ], P: moduli[numQ:], NTTFlag: true,
		})
		must(err)
		level := limbs - 1
		ringQ := params.RingQ().AtLevel(level)
		c, result := rlwe.NewCiphertext(params, 1, level), rlwe.NewCiphertext(params, 1, level)
		c.IsNTT, result.IsNTT = true, true
		switch head[0] {
		case keySwitch:
			in.fill(c.Value[1])
			ringQ.NTT(c.Value[1], c.Value[1])
			key := rlwe.NewEvaluationKey(params)
			in.key(params, key.GadgetCiphertext)
			rlwe.NewEvaluator(params, nil).GadgetProduct(level, c.Value[1], &key.GadgetCiphertext, result)
		case rotate:
			for _, each := range c.Value {
				in.fill(each)
				ringQ.NTT(each, each)
			}
			key := rlwe.NewGaloisKey(params)
			key.GaloisElement, key.NthRoot = head[5], params.RingQ().NthRoot()
			in.key(params, key.GadgetCiphertext)
			keys := rlwe.NewMemEvaluationKeySet(nil, key)
			must(rlwe.NewEvaluator(params, keys).Automorphism(c, head[5], result))
		case rescale:
			in.fill(c.Value[0])
			poly := params.RingQ().AtLevel(level - 1).NewPoly()
			ringQ.DivRoundByLastModulus(c.Value[0], poly)
			write(out, poly)
			must(out.Flush())
			continue
		}
		for _, each := range result.Value {
			ringQ.INTT(each, each)
		}
		write(out, result.Value...)
		must(out.Flush())
	}
}
