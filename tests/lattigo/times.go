// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/binary"
	"io"
	"runtime"
	"time"

	"github.com/tuneinsight/lattigo/v6/core/rlwe"
	"github.com/tuneinsight/lattigo/v6/utils/sampling"
)

// The nanoseconds of each of several calls of ApplyEvaluationKey on one core, of a random ciphertext
// at a level. The answer is a word a call.
const times = 7

func applyTimes(out io.Writer, literal rlwe.ParametersLiteral, level, calls int) {
	runtime.GOMAXPROCS(1)
	params, err := rlwe.NewParametersFromLiteral(literal)
	must(err)
	prng, err := sampling.NewPRNG()
	must(err)
	keygen := rlwe.NewKeyGenerator(params)
	key := keygen.GenEvaluationKeyNew(keygen.GenSecretKeyNew(), keygen.GenSecretKeyNew())
	given, result := rlwe.NewCiphertextRandom(prng, params, 1, level), rlwe.NewCiphertext(params, 1, level)
	evaluator := rlwe.NewEvaluator(params, nil)
	for i := 0; i < calls; i++ {
		start := time.Now()
		must(evaluator.ApplyEvaluationKey(given, key, result))
		must(binary.Write(out, binary.LittleEndian, uint64(time.Since(start).Nanoseconds())))
	}
}
