// SPDX-License-Identifier: Apache-2.0
// FIPS 203 and 204 by the crates fips203 and fips204: a line of words in, a line of words out.
//
// A line is a parameter set, an operation and its values, in hexadecimal ("-" for no byte). The
// answer is the values that the operation gives, or "error" and why there are none.

use std::io::{self, BufRead, Write};

type Answer = Result<Vec<Vec<u8>>, String>;

fn bytes(word: &str) -> Vec<u8> {
    let digit = |at: usize| u8::from_str_radix(&word[at..at + 2], 16).expect("hexadecimal");
    if word == "-" {
        return Vec::new();
    }
    (0..word.len()).step_by(2).map(digit).collect()
}

fn fixed<const N: usize>(given: &[u8]) -> Result<[u8; N], String> {
    given
        .try_into()
        .map_err(|_| format!("{} bytes, not {N}", given.len()))
}

macro_rules! ml_kem {
    ($set:ident, $operation:expr, $given:expr) => {{
        use fips203::traits::{Decaps, Encaps, KeyGen, SerDes};
        use fips203::$set::{CipherText, DecapsKey, EncapsKey, KG};
        let given: &[Vec<u8>] = $given;
        match $operation {
            "keygen" => {
                let (ek, dk) = KG::keygen_from_seed(fixed(&given[0])?, fixed(&given[1])?);
                Ok(vec![ek.into_bytes().to_vec(), dk.into_bytes().to_vec()])
            }
            "encaps" => {
                let ek = EncapsKey::try_from_bytes(fixed(&given[0])?)?;
                let (secret, c) = ek.encaps_from_seed(&fixed(&given[1])?);
                Ok(vec![secret.into_bytes().to_vec(), c.into_bytes().to_vec()])
            }
            "decaps" => {
                let dk = DecapsKey::try_from_bytes(fixed(&given[0])?)?;
                let c = CipherText::try_from_bytes(fixed(&given[1])?)?;
                Ok(vec![dk.try_decaps(&c)?.into_bytes().to_vec()])
            }
            other => Err(format!("no operation {other}")),
        }
    }};
}

// A message is M' of FIPS 204's internal functions, so those of the crate are called.
macro_rules! ml_dsa {
    ($set:ident, $operation:expr, $given:expr) => {{
        use fips204::traits::{KeyGen, SerDes};
        use fips204::$set::{_internal_sign, _internal_verify, PrivateKey, PublicKey, KG};
        let given: &[Vec<u8>] = $given;
        match $operation {
            "keygen" => {
                let (pk, sk) = KG::keygen_from_seed(&fixed(&given[0])?);
                Ok(vec![pk.into_bytes().to_vec(), sk.into_bytes().to_vec()])
            }
            "sign" => {
                let sk = PrivateKey::try_from_bytes(fixed(&given[0])?)?;
                Ok(vec![_internal_sign(&sk, &given[1], &[], fixed(&given[2])?)?.to_vec()])
            }
            "verify" => {
                let pk = PublicKey::try_from_bytes(fixed(&given[0])?)?;
                let right = _internal_verify(&pk, &given[1], &fixed(&given[2])?, &[]);
                Ok(vec![vec![u8::from(right)]])
            }
            other => Err(format!("no operation {other}")),
        }
    }};
}

#[allow(deprecated)]
fn answer(set: &str, operation: &str, given: &[Vec<u8>]) -> Answer {
    match set {
        "ML-KEM-512" => ml_kem!(ml_kem_512, operation, given),
        "ML-KEM-768" => ml_kem!(ml_kem_768, operation, given),
        "ML-KEM-1024" => ml_kem!(ml_kem_1024, operation, given),
        "ML-DSA-44" => ml_dsa!(ml_dsa_44, operation, given),
        "ML-DSA-65" => ml_dsa!(ml_dsa_65, operation, given),
        "ML-DSA-87" => ml_dsa!(ml_dsa_87, operation, given),
        other => Err(format!("no parameter set {other}")),
    }
}

fn main() -> io::Result<()> {
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let line = line?;
        let words: Vec<&str> = line.split_whitespace().collect();
        let given: Vec<Vec<u8>> = words[2..].iter().map(|word| bytes(word)).collect();
        let words = match answer(words[0], words[1], &given) {
            Ok(values) => values
                .iter()
                .map(|value| value.iter().map(|byte| format!("{byte:02x}")).collect())
                .collect::<Vec<String>>()
                .join(" "),
            Err(why) => format!("error {why}"),
        };
        writeln!(out, "{words}")?;
        out.flush()?;
    }
    Ok(())
}
