// SPDX-License-Identifier: Apache-2.0

/// Words of the core's programs: what each unit does, job by job, for an operation and a parameter set.
/// Hashing (hash_job_t), products (mac_job_t), transforms (ntt_job_t) and what leaves at each of the two
/// ports (send_job_t) have lists of their own. A unit does its jobs in order; a job waits for the data it
/// names. Also the commands, what the units know of them (task_t), and what the units tell each other.
package ntf_mldsa_pkg;

  import ntf_arith_pkg::*;

  // Each user of the package takes a part of it.
  // verilator lint_off UNUSEDPARAM

  localparam int unsigned Lanes = 8;   // coefficients a beat
  localparam int unsigned Beats = 32;  // beats a polynomial
  localparam int unsigned W     = 23;  // bits of a coefficient
  localparam int unsigned BeatW = Lanes * W;
  localparam int unsigned Q     = 8380417;

  typedef enum logic [3:0] {
    OpKeyGen,
    OpVerify,        // pk, a signature and M'
    OpVerifyMu,      // pk, a signature and mu
    OpSign,          // rnd and sk, and M'
    OpSignMu,        // rnd and sk, and mu
    OpLoad,          // sk, which stays inside for the next two
    OpLoadSeed,      // the same of xi
    OpSignLoaded,    // rnd, and M'
    OpSignLoadedMu,  // rnd, and mu
    OpDrop,          // nothing stays
    OpKeyGenStandard // KeyGen whose private key leaves as the standard encodes it
  } op_e;

  localparam int unsigned NumOps = 11;

  typedef struct packed {
    logic [1:0] set;  // 0: ML-DSA-44, 1: 65, 2: 87
    op_e        op;
  } command_t;

  // What the core is asked for.
  typedef struct packed {
    logic     entropy;  // xi, or rnd, comes from the entropy port
    command_t command;
  } request_t;

  // How a command ended.
  typedef enum logic [2:0] {
    ErrorNone,
    ErrorCommand,   // no such operation or set
    ErrorLength,    // an input of the wrong length
    ErrorFault,     // something in the core is not as it can be
    ErrorZeroized,  // ended from outside
    ErrorSignature, // the signature is wrong
    ErrorKey,       // a private key that no KeyGen makes, or none is loaded
    ErrorTries      // the standard's limit of tries; practically unreachable
  } error_e;

  // What ends from outside what runs, and has all overwritten.
  typedef struct packed {
    logic fault;        // one outside of this core: so the result says
    logic zeroize;      // again: wait for no stream
  } end_t;

  // What the core is doing.
  typedef struct packed {
    logic idle;         // nothing runs, and everything is wiped
    logic busy;         // a command has not been answered
    logic keccak_busy;
    logic fault;        // a fault is seen now,
    logic alert;        // or was since reset
  } status_t;

  // A command as it is worked on.
  typedef struct packed {
    logic       drop;      // neither of them: nothing comes
    logic       load;      // a key stays inside,
    logic       loaded;    // or did
    logic       verify;
    logic       sign;      // with a private key, which comes or is there
    logic       external;  // mu comes from outside
    logic [1:0] set;
    logic [3:0] k;         // rows of the matrix
    logic [2:0] l;         // columns
    logic       eta4;      // secret coefficients are in [-4, 4], not in [-2, 2]
    logic       wide;      // gamma2 is (q - 1) / 32, not (q - 1) / 88, gamma1 2^19, not 2^17
  } task_t;

  function automatic task_t task_of(command_t command);
    task_of          = '0;
    task_of.drop     = command.op == OpDrop;
    task_of.load     = (command.op == OpLoad) | (command.op == OpLoadSeed);
    task_of.loaded   = (command.op == OpSignLoaded) | (command.op == OpSignLoadedMu);
    task_of.verify   = (command.op == OpVerify) | (command.op == OpVerifyMu);
    task_of.sign     = (command.op == OpSign) | (command.op == OpSignMu) | (command.op == OpLoad)
                       | task_of.loaded;
    task_of.external = (command.op == OpVerifyMu) | (command.op == OpSignMu)
                       | (command.op == OpSignLoadedMu);
    task_of.set      = command.set;
    task_of.wide     = command.set != 2'd0;
    unique case (command.set)
      2'd0:    {task_of.k, task_of.l, task_of.eta4} = {4'd4, 3'd4, 1'b0};
      2'd1:    {task_of.k, task_of.l, task_of.eta4} = {4'd6, 3'd5, 1'b1};
      default: {task_of.k, task_of.l, task_of.eta4} = {4'd8, 3'd7, 1'b0};
    endcase
  endfunction

  // What of a signature its set decides.
  typedef struct packed {
    logic [5:0]  tau;
    logic [6:0]  omega;
    logic [19:0] bound;  // of z: gamma1 - beta
    logic [19:0] rest;   // of w0 - c s2: gamma2 - beta
    logic [3:0]  words;  // of c~
    logic [3:0]  tail;   // bytes of the signature's last word
  } sizes_t;

  function automatic sizes_t sizes_of(logic [1:0] set);
    unique case (set)
      2'd0: return '{tau: 6'd39, omega: 7'd80, bound: 20'd130994, rest: 20'd95154, words: 4'd4,
                     tail: 4'd4};
      2'd1: return '{tau: 6'd49, omega: 7'd55, bound: 20'd524092, rest: 20'd261692, words: 4'd6,
                     tail: 4'd5};
      default: return '{tau: 6'd60, omega: 7'd75, bound: 20'd524168, rest: 20'd261768, words: 4'd8,
                        tail: 4'd3};
    endcase
  endfunction

  // A coefficient of s1 or s2 that stands as eta minus itself, or one less: a look-up, bit by bit, since
  // it comes from a memory and goes to an adder.
  function automatic logic [4:0][63:0] small_bits();
    for (int n = 0; n < 64; n++) begin
      for (int b = 0; b < 5; b++) begin
        small_bits[b][n] = 1'(((n >= 32 ? 4 : 2) - (n / 16) % 2 - n % 16) >>> b);
      end
    end
  endfunction

  localparam logic [4:0][63:0] SmallBits = small_bits();

  function automatic logic signed [4:0] small_of(logic eta4, logic less, logic [3:0] field);
    for (int unsigned b = 0; b < 5; b++) small_of[b] = SmallBits[b][{eta4, less, field}];
  endfunction

  // Words but one of so many polynomials, of `bits` bits a coefficient: a table, if that is a constant.
  function automatic logic [9:0] end_of(logic [3:0] polys, int unsigned bits);
    end_of = '0;
    for (int unsigned n = 1; n < 16; n++) begin
      if (polys == 4'(n)) end_of = 10'(4 * n * bits - 1);
    end
  endfunction

  // Units with their own copy of the registers that say what is done, and whether it runs or all is wiped.
  typedef enum int unsigned {
    AtSeeds, AtInput, AtHash, AtProducts, AtTransform, AtRows, AtSigning, AtOutput
  } at_e;

  localparam int unsigned NumAt = 32'(AtOutput) + 1;

  // The operation's control signals, as a unit gets them.
  typedef struct packed {
    logic       run;
    logic       wipe;      // everything is overwritten,
    logic       keep;      // but a key that is loaded
    logic       load;      // an operation begins, before it runs
    logic       cut;       // the first cycle of wiping
    logic       drain;     // the rest of the input is drained
    logic       abandon;   // no end of a packet is waited for
    logic [7:0] sweep_at;  // word of each memory that is overwritten
  } phase_t;

  // The tries of Sign.
  typedef struct packed {
    logic        rejected;  // this one was, just now: what leaves goes back to w1 of the next one,
    logic        back;      // and does not look at its list while it does
    logic        again;     // another one begins: all other lists go back,
    logic        turn;      // and units do not look at them while they do
    logic        passed;    // z and w0 - c s2 are as small as they must be: c t0 follows,
    logic        skip;      // or they are not, and it does not
    logic        judged;    // just now: rows of w are those of the next try
    logic [1:0]  bank;      // of y
    logic [2:0]  place;     // of the first row of w, of eight: of this one,
    logic [2:0]  next;      // and of that whose w1 is hashed
    logic [1:0]  accepted;  // by rail: this one is
    logic [15:0] kappa;
  } try_t;

  // y of three tries: that is checked, that is multiplied, that is sampled.
  function automatic logic [1:0] later(logic [1:0] bank, logic [1:0] tries);
    later = 2'((3'(bank) + 3'(tries)) % 3'd3);
  endfunction

  // A unit's list of jobs.
  typedef struct packed {
    logic [15:0] num;                        // jobs of all operations
    logic [NumOps-1:0][3:0][15:0] base;      // where those of an operation and set begin
  } list_t;

  localparam list_t ListDefault = '{num: 16'd1, default: '0};

  // The core; its jobs, and the multiplier's steps, are parameters of their own.
  typedef struct packed {
    logic [4:0] rounds;         // of Keccak, a cycle
    logic [4:0] matrix_blocks;  // that are squeezed without waiting, of a polynomial of the matrix,
    logic [4:0] small_blocks;   // and of s1 or s2: see ntf_mldsa_hash
    logic       equal_tries;    // all checks of all tries are done: see ntf_mldsa_tries
    mul_cfg_t   mul;            // of the products
    list_t      hash;
    list_t      mac;
    list_t      ntt;
    list_t      pub;
    list_t      sec;
  } mldsa_cfg_t;

  localparam mldsa_cfg_t MldsaDefault = '{
    rounds: 5'd1, matrix_blocks: 5'd5, small_blocks: 5'd2, equal_tries: 1'b0, mul: MulCfgDefault,
    hash: ListDefault, mac: ListDefault, ntt: ListDefault, pub: ListDefault, sec: ListDefault
  };

  typedef enum logic [2:0] {
    HashEnd,     // no more jobs, but another try of Sign begins x jobs before the next
    HashSeeds,   // SHAKE256 of {xi, k, l}: rho, rho' and K
    HashSmall,   // SHAKE256 of {rho', x}, into small slot x
    HashMatrix,  // SHAKE128 of {rho, x, y}, column and row, into the products
    HashBall,    // SHAKE256 of c~, into SampleInBall
    HashDigest,  // SHAKE256 of what is absorbed, to digest_e'(x)
    HashMask     // SHAKE256 of {rho'', kappa + x}, into the decoder: y of column x
  } hash_kind_e;

  // Where a digest goes.
  typedef enum logic [1:0] {
    ToDigest,    // tr, mu, or c~ as it must be
    ToMask,      // rho''
    ToChallenge  // c~ that is made
  } digest_e;

  typedef struct packed {
    hash_kind_e kind;
    logic [4:0] x;
    logic [3:0] y;
  } hash_job_t;

  // A word of c~ as it came, and as it must be.
  typedef struct packed {
    logic        judge;  // no more of them come
    logic        valid;
    logic [63:0] came;
    logic [63:0] must;
  } compare_t;

  // What a permutation of Keccak belongs to.
  typedef struct packed {
    hash_kind_e kind;
    logic [3:0] slot;
    logic [4:0] block;
    logic [6:0] at;     // the job
  } squeeze_t;

  // Its first block is in the buffer: whose polynomial begins.
  typedef struct packed {
    logic any;
    logic matrix;
    logic bounded;
    logic ball;
  } begins_t;

  // The first factor is the matrix as it is sampled, or the challenge. There are two rows of multipliers, and of
  // memories: for even rows of the matrix and for odd ones.
  typedef struct packed {
    logic       stop;       // no more jobs; another try of Sign goes on with job `need`
    logic       challenge;
    logic       twice;      // both rows: of the matrix, or vectors of banks 1 and 2
    logic       odd;        // the second one, if only one is
    logic [4:0] matrix;     // polynomial of such rows, by rows
    logic [4:0] vector;     // second factor: vector slot, written by transform `need` or before
    logic [6:0] need;
    logic       add;        // to what sum slot `sum` holds
    logic       whole;      // the sum's last one
    logic       waits;      // of c t0: until the try has passed; not done if it has not
    logic [2:0] sum;
  } mac_job_t;

  // What is transformed.
  typedef enum logic [3:0] {
    NttEnd,     // no more jobs; another try of Sign goes on with job `need`
    NttSmall,   // small slot `from`, to vector slot `to`
    NttKey,     // -2^d t1 of row `from`, to vector slot `to`
    NttVector,  // z of column `from`, or y of try `addend` from here, to vector slot `to`
    NttPair,    // s1 + 512 s2: small slots `from` (15: none) and `addend`, to vector slot `to`
    NttLow,     // t0 of row `from`, to vector slot `to`
    NttBall,    // the challenge
    NttSum,     // back: sum slot `from`, written by product `need`, to row `to`, see try_t's place
    NttPaired,  // the same of c (s1 + 512 s2): z, and w0 - c s2, of place `to`
    NttHints    // the same of c t0: hints of row `to`; waits for try_t's passed, or skip
  } ntt_kind_e;

  typedef struct packed {
    ntt_kind_e  kind;
    logic [3:0] from;       // of sums the upper half are those of odd rows
    logic [7:0] need;
    logic [4:0] to;
    logic [3:0] addend;  // small slot that is added to a row of a key
  } ntt_job_t;

  typedef enum logic [3:0] {
    SendEnd,      // no more jobs
    SendRho,
    SendKey,      // K
    SendDigest,   // tr or mu, when so many digests as `slot` have come
    SendSmall,    // small slot, packed
    SendHigh,     // t1 of a row, packed
    SendLow,      // t0 of a row, packed
    SendMessage,  // what comes at the public input, to the end of its packet
    SendW1,       // w1 of a row, packed
    SendCheck,    // c~ as it must be, when so many digests as `slot` have come
    SendVerdict,
    SendRnd,
    SendChallenge,  // c~ of a try that was accepted; else w1 is `slot` jobs before the next
    SendVector,     // z of a column, packed
    SendHints,      // hints, encoded
    SendTr          // tr of a private key, which is the first digest
  } send_kind_e;

  typedef struct packed {
    send_kind_e kind;
    logic       last;  // a packet, or a message that is hashed, ends with it
    logic [3:0] slot;
  } send_job_t;

  // How far a list of jobs is: the job, and the beat of its polynomial.
  typedef struct packed {
    logic [7:0] job;
    logic [4:0] beat;
  } progress_t;

  // Eight coefficients of a polynomial: a beat of the transform, or a group in ascending order.
  typedef struct packed {
    logic       go;    // they are read, or written
    logic [2:0] slot;
    logic [4:0] at;
  } place_t;

  // The same of s1 and s2.
  typedef struct packed {
    logic       go;
    logic [3:0] slot;
    logic [4:0] at;
  } small_place_t;

  // What is there of polynomials.
  typedef struct packed {
    logic [15:0] smalls;   // slots of s1 and s2 that are whole,
    logic [3:0]  keys;     // rows of t1,
    logic [4:0]  vectors;  // columns of z or y that were not taken,
    logic [3:0]  lows;     // rows of t0,
    logic [3:0]  rows;     // and those that were made
    logic        ball;     // a beat of the challenge
    logic        hints;    // what rows are joined with
    logic        passed;   // of a try: see try_t
    logic        skip;
  } ready_t;

  // A coefficient of the polynomials that wait between the units.
  typedef struct packed {
    logic [18:0] rest;    // w0, or w0 - c s2
    logic [22:0] vector;  // z, y, or z packed
    logic [12:0] low;     // t0, as keys have it, or w1
    logic [9:0]  high;    // t1
  } wait_t;

  // A beat of the transform.
  typedef struct packed {
    logic             valid;
    logic [BeatW-1:0] data;
  } beat_t;

  typedef struct packed {
    logic             clear;    // beats that are inside are forgotten, each cycle
    logic             valid;
    logic             last;
    logic             inverse;
    logic [BeatW-1:0] data;
  } transform_t;

  // Words of a packet, and of one of bytes.
  typedef struct packed {
    logic        valid;
    logic        last;
    logic [63:0] data;
  } word_t;

  typedef struct packed {
    logic        valid;
    logic        last;
    logic [7:0]  keep;  // of a packet's last word: bytes, from the lowest on
    logic [63:0] data;
  } bytes_t;

  // A word that is absorbed.
  typedef struct packed {
    logic        valid;
    logic        last;
    logic        whole;  // if not, SHAKE's suffix is in it
    logic [63:0] data;
  } message_t;

  // Where the two sides of the transform read what waits, and what for.
  typedef struct packed {
    place_t    feed;   // to be transformed
    ntt_kind_e kind;   // this,
    logic [1:0] tries; // of so many tries later
    place_t    check;  // to be joined with a beat that comes, a product with the challenge
    logic      pair;   // of c (s1 + 512 s2), not of c t0
    place_t    hint;   // hints of a beat
  } check_req_t;

  // A beat of a row, or of what was checked in its place.
  typedef struct packed {
    place_t      to;
    wait_t [7:0] data;
  } row_t;

  // What was checked of a try, packed: z, and w0 - c s2.
  typedef struct packed {
    place_t           vector_to;
    logic [7:0][19:0] vector;
    place_t           rest_to;
    logic [7:0][18:0] rest;
  } checked_t;

  // What the public output asks for.
  typedef struct packed {
    send_kind_e kind;
    logic [2:0] word;  // of a seed,
    place_t     from;  // or coefficients
  } send_req_t;

  // A word of the public input, and what it belongs to.
  typedef struct packed {
    logic        rho;
    logic        challenge;
    logic        mu;
    logic        last;  // of that
    logic [63:0] data;
  } public_t;

  // A word of the secret input, and what it belongs to.
  typedef struct packed {
    logic        seed;  // xi, or rnd
    logic        rho;
    logic        key;
    logic        tr;
    logic        last;  // of that
    logic [63:0] data;
  } secret_t;

  // What was squeezed to be kept, by rail.
  typedef struct packed {
    logic [1:0]    seeds;      // rho, rho' and K
    logic [1:0]    digest;     // as digest_e has it
    logic [1:0]    mask;
    logic [1:0]    challenge;
    logic [1023:0] data;
  } digest_t;

  // What was squeezed to be sampled, or decoded, word by word.
  typedef struct packed {
    logic        ball_start;  // the challenge's candidates follow
    logic        ball;
    logic        mask;        // a word of y
    logic [63:0] data;
  } words_t;

  // Seeds, and which of them are there, by rail.
  typedef struct packed {
    logic [1:0]      whole;     // xi, or rnd and sk
    logic [1:0]      expanded;  // rho, and rho' and K
    logic [1:0]      masked;    // rho'', in the place of rho'
    logic [1:0]      head;      // all of a private key up to tr
    logic [1:0][1:0] digests;   // that have come; two with mu
    logic [255:0] xi;          // or rnd
    logic [255:0] rho;
    logic [511:0] rho_secret;  // rho', or rho''
  } seeds_t;

  // Sixteen coefficients of s1 or s2, as eta minus the coefficient.
  typedef struct packed {
    logic             go;  // they are written
    logic [3:0]       slot;
    logic [3:0]       word;
    logic [15:0][3:0] data;
  } small_t;

  // Of a public key, a signature or a mask, eight coefficients that follow each other.
  typedef struct packed {
    place_t           key_to;
    logic [7:0][9:0]  key;          // t1
    place_t           vector_to;
    logic [1:0]       vector_bank;  // of a try
    logic [BeatW-1:0] vector;       // z, or y
  } decoded_t;

  // Whether so many digests have come: both rails say so.
  function automatic logic digested(logic [1:0][1:0] digests, logic [1:0] want);
    return (digests[0] >= want) & (digests[1] >= want);
  endfunction

  // A hint of a signature.
  typedef struct packed {
    logic       set;
    logic [2:0] slot;
    logic [7:0] at;
  } hint_t;

  // c~ as it came or was made, and whether Verify found it right.
  typedef struct packed {
    logic         valid;
    logic [511:0] challenge;  // zeros above it
    logic         decided;
    logic [1:0]   accepted;   // by rail
  } verdict_t;

  // The verdict's word, a half of it by each rail: what is none of the two is no answer.
  localparam logic [31:0] Accepted = 32'h600D_516E;
  localparam logic [31:0] Refused  = ~Accepted;

endpackage
