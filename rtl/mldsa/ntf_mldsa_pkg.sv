// SPDX-License-Identifier: Apache-2.0

/// Words of the core's programs: the jobs of each unit, for an operation and a parameter set.
/// Hashing (hash_job_t), products (mac_job_t), transforms (ntt_job_t) and each of the two output
/// ports (send_job_t) have lists of their own. A unit executes its jobs in order; a job waits for
/// the data it names. Also the commands, their decoded form for the units (task_t), and the signals
/// between units.
package ntf_mldsa_pkg;

  import ntf_arith_pkg::*;

  // Users import part of the package.
  // verilator lint_off UNUSEDPARAM

  localparam int unsigned Lanes = 8;   // coefficients per beat
  localparam int unsigned Beats = 32;  // beats per polynomial
  localparam int unsigned W     = 23;  // bits of a coefficient
  localparam int unsigned BeatW = Lanes * W;
  localparam int unsigned Q     = 8380417;

  typedef enum logic [3:0] {
    OpKeyGen,
    OpVerify,        // pk, a signature and M'
    OpVerifyMu,      // pk, a signature and mu
    OpSign,          // rnd and sk, and M'
    OpSignMu,        // rnd and sk, and mu
    OpLoad,          // sk, retained for the next two
    OpLoadSeed,      // the same from xi
    OpSignLoaded,    // rnd, and M'
    OpSignLoadedMu,  // rnd, and mu
    OpDrop,          // wipes a loaded key
    OpKeyGenStandard // KeyGen with sk in the standard's encoding
  } op_e;

  localparam int unsigned NumOps = 11;

  typedef struct packed {
    logic [1:0] set;  // 0: ML-DSA-44, 1: 65, 2: 87
    op_e        op;
  } command_t;

  // A request to the core.
  typedef struct packed {
    logic     entropy;  // xi, or rnd, comes from the entropy port
    command_t command;
  } request_t;

  // How a command ended.
  typedef enum logic [2:0] {
    ErrorNone,
    ErrorCommand,   // unknown operation or set
    ErrorLength,    // an input of the wrong length
    ErrorFault,     // an illegal state in the core
    ErrorZeroized,  // aborted from outside
    ErrorSignature, // the signature is invalid
    ErrorKey,       // an illegal private key, or none is loaded
    ErrorTries      // the standard's limit of tries; practically unreachable
  } error_e;

  // Abort and wipe from outside.
  typedef struct packed {
    logic fault;        // a fault outside of this core, as the result reports
    logic zeroize;      // again: without waiting for streams
  } end_t;

  // Status of the core.
  typedef struct packed {
    logic idle;         // no operation, and all secrets are wiped
    logic busy;         // a command's result is pending
    logic keccak_busy;
    logic fault;        // a fault in this cycle,
    logic alert;        // or was since reset
  } status_t;

  // The decoded command.
  typedef struct packed {
    logic       drop;      // neither of them: no input
    logic       load;      // a key is loaded and retained,
    logic       loaded;    // or was before
    logic       verify;
    logic       sign;      // with a private key, from the input or loaded
    logic       external;  // mu is an input
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

  // Constants of a signature, by set.
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

  // A coefficient of s1 or s2 from its field, eta minus it, or one less: a look-up by bits, since
  // it is between a memory and an adder.
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

  // Words minus one of `polys` polynomials of `bits` bits per coefficient: a table if `bits` is
  // constant.
  function automatic logic [9:0] end_of(logic [3:0] polys, int unsigned bits);
    end_of = '0;
    for (int unsigned n = 1; n < 16; n++) begin
      if (polys == 4'(n)) end_of = 10'(4 * n * bits - 1);
    end
  endfunction

  // Units with their own copy of the registers of task, run and wipe.
  typedef enum int unsigned {
    AtSeeds, AtInput, AtHash, AtProducts, AtTransform, AtRows, AtSigning, AtOutput
  } at_e;

  localparam int unsigned NumAt = 32'(AtOutput) + 1;

  // A unit's copy of the operation's control signals.
  typedef struct packed {
    logic       run;
    logic       wipe;      // overwrite all secrets,
    logic       keep;      // except a loaded key
    logic       load;      // an operation starts, before `run`
    logic       cut;       // the first cycle of wiping
    logic       drain;     // the rest of the input is drained
    logic       abandon;   // drop packets without waiting for their ends
    logic [7:0] sweep_at;  // address of each memory to overwrite
  } phase_t;

  // The tries of Sign.
  typedef struct packed {
    logic        rejected;  // pulse, try rejected: the output list jumps back to w1 of the next,
    logic        back;      // and ignores its list meanwhile
    logic        again;     // another try starts: all other lists jump back,
    logic        turn;      // and units ignore them meanwhile
    logic        passed;    // z and w0 - c s2 are within bounds: c t0 follows,
    logic        skip;      // or they are not, and c t0 is skipped
    logic        judged;    // pulse: rows of w are those of the next try
    logic [1:0]  bank;      // of y
    logic [2:0]  place;     // of the first row of w, of eight: of this try,
    logic [2:0]  next;      // and of the one whose w1 is hashed
    logic [1:0]  accepted;  // by rail: this try is accepted
    logic [15:0] kappa;
  } try_t;

  // Banks of y, of three tries: one is checked, one multiplied, one sampled.
  function automatic logic [1:0] later(logic [1:0] bank, logic [1:0] tries);
    later = 2'((3'(bank) + 3'(tries)) % 3'd3);
  endfunction

  // A unit's list of jobs.
  typedef struct packed {
    logic [15:0] num;                        // jobs of all operations
    logic [NumOps-1:0][3:0][15:0] base;      // first job of an operation and set
  } list_t;

  localparam list_t ListDefault = '{num: 16'd1, default: '0};

  // Configuration of the core; jobs, and the multiplier's steps, are separate parameters.
  typedef struct packed {
    logic [4:0] rounds;         // of Keccak, per cycle
    logic [4:0] matrix_blocks;  // squeezed without waiting, per polynomial of the matrix,
    logic [4:0] small_blocks;   // and of s1 or s2: see ntf_mldsa_hash
    logic       equal_tries;    // every try has all checks: see ntf_mldsa_tries
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
    HashEnd,     // no more jobs; another try of Sign starts x jobs before the next
    HashSeeds,   // SHAKE256 of {xi, k, l}: rho, rho' and K
    HashSmall,   // SHAKE256 of {rho', x}, into small slot x
    HashMatrix,  // SHAKE128 of {rho, x, y}, column and row, into the products
    HashBall,    // SHAKE256 of c~, into SampleInBall
    HashDigest,  // SHAKE256 of the absorbed message, to digest_e'(x)
    HashMask     // SHAKE256 of {rho'', kappa + x}, into the decoder: y of column x
  } hash_kind_e;

  // Destination of a digest.
  typedef enum logic [1:0] {
    ToDigest,    // tr, mu, or the expected c~
    ToMask,      // rho''
    ToChallenge  // the new c~
  } digest_e;

  typedef struct packed {
    hash_kind_e kind;
    logic [4:0] x;
    logic [3:0] y;
  } hash_job_t;

  // A word of the received c~, and of the expected one.
  typedef struct packed {
    logic        judge;  // no more words follow
    logic        valid;
    logic [63:0] came;
    logic [63:0] must;
  } compare_t;

  // Owner of a permutation of Keccak.
  typedef struct packed {
    hash_kind_e kind;
    logic [3:0] slot;
    logic [4:0] block;
    logic [6:0] at;     // the job
  } squeeze_t;

  // Its first block is in the buffer: kind of the polynomial that starts.
  typedef struct packed {
    logic any;
    logic matrix;
    logic bounded;
    logic ball;
  } begins_t;

  // The first factor is the sampled matrix, or the challenge. There are two rows of multipliers,
  // and of memories: for even rows of the matrix and for odd ones.
  typedef struct packed {
    logic       stop;       // no more jobs; another try of Sign continues with job `need`
    logic       challenge;
    logic       twice;      // both rows: of the matrix, or vectors of banks 1 and 2
    logic       odd;        // only the odd row, without `twice`
    logic [4:0] matrix;     // polynomial of such rows, by rows
    logic [4:0] vector;     // second factor: vector slot, written by transform `need` or before
    logic [6:0] need;
    logic       add;        // to the content of sum slot `sum`
    logic       whole;      // the sum's last one
    logic       waits;      // of c t0: waits until the try has passed; else skipped
    logic [2:0] sum;
  } mac_job_t;

  // Kinds of transforms.
  typedef enum logic [3:0] {
    NttEnd,     // no more jobs; another try of Sign continues with job `need`
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
    logic [3:0] addend;  // small slot added to a row of a key
  } ntt_job_t;

  typedef enum logic [3:0] {
    SendEnd,      // no more jobs
    SendRho,
    SendKey,      // K
    SendDigest,   // tr or mu, after `slot` digests
    SendSmall,    // small slot, packed
    SendHigh,     // t1 of a row, packed
    SendLow,      // t0 of a row, packed
    SendMessage,  // the packet at the public input
    SendW1,       // w1 of a row, packed
    SendCheck,    // the expected c~, after `slot` digests
    SendVerdict,
    SendRnd,
    SendChallenge,  // c~ of an accepted try; w1 is `slot` jobs before the next
    SendVector,     // z of a column, packed
    SendHints,      // hints, encoded
    SendTr          // tr of a private key, which is the first digest
  } send_kind_e;

  typedef struct packed {
    send_kind_e kind;
    logic       last;  // a packet, or a message that is hashed, ends with it
    logic [3:0] slot;
  } send_job_t;

  // Progress of a list of jobs: the job, and the beat of its polynomial.
  typedef struct packed {
    logic [7:0] job;
    logic [4:0] beat;
  } progress_t;

  // Eight coefficients of a polynomial: a beat of the transform, or a group in ascending order.
  typedef struct packed {
    logic       go;    // read or write enable
    logic [2:0] slot;
    logic [4:0] at;
  } place_t;

  // The same of s1 and s2.
  typedef struct packed {
    logic       go;
    logic [3:0] slot;
    logic [4:0] at;
  } small_place_t;

  // Availability of polynomials.
  typedef struct packed {
    logic [15:0] smalls;   // complete slots of s1 and s2,
    logic [3:0]  keys;     // rows of t1,
    logic [4:0]  vectors;  // columns of z or y not yet read,
    logic [3:0]  lows;     // rows of t0,
    logic [3:0]  rows;     // computed rows
    logic        ball;     // a beat of the challenge
    logic        hints;    // hints of Verify
    logic        passed;   // of a try: see try_t
    logic        skip;
  } ready_t;

  // A coefficient of the polynomials stored between the units.
  typedef struct packed {
    logic [18:0] rest;    // w0, or w0 - c s2
    logic [22:0] vector;  // z, y, or z packed
    logic [12:0] low;     // t0, as in keys, or w1
    logic [9:0]  high;    // t1
  } wait_t;

  // A beat of the transform.
  typedef struct packed {
    logic             valid;
    logic [BeatW-1:0] data;
  } beat_t;

  typedef struct packed {
    logic             clear;    // discards all beats in progress, in each cycle
    logic             valid;
    logic             last;
    logic             inverse;
    logic [BeatW-1:0] data;
  } transform_t;

  // Words of a packet, and of a packet of bytes.
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
    logic        whole;  // otherwise it contains SHAKE's suffix
    logic [63:0] data;
  } message_t;

  // Reads of the two sides of the transform, and their purpose.
  typedef struct packed {
    place_t    feed;   // operands of the transform
    ntt_kind_e kind;   // kind,
    logic [1:0] tries; // number of tries ahead
    place_t    check;  // operands for a product with the challenge
    logic      pair;   // c (s1 + 512 s2) instead of c t0
    place_t    hint;   // hints of a beat
  } check_req_t;

  // A beat of a row, or a checked beat in its place.
  typedef struct packed {
    place_t      to;
    wait_t [7:0] data;
  } row_t;

  // Checked beats of a try, packed: z, and w0 - c s2.
  typedef struct packed {
    place_t           vector_to;
    logic [7:0][19:0] vector;
    place_t           rest_to;
    logic [7:0][18:0] rest;
  } checked_t;

  // Requests of the public output.
  typedef struct packed {
    send_kind_e kind;
    logic [2:0] word;  // of a seed,
    place_t     from;  // or coefficients
  } send_req_t;

  // A word of the public input, and its kind.
  typedef struct packed {
    logic        rho;
    logic        challenge;
    logic        mu;
    logic        last;  // of that
    logic [63:0] data;
  } public_t;

  // A word of the secret input, and its kind.
  typedef struct packed {
    logic        seed;  // xi, or rnd
    logic        rho;
    logic        key;
    logic        tr;
    logic        last;  // of that
    logic [63:0] data;
  } secret_t;

  // Squeezed values to store, by rail.
  typedef struct packed {
    logic [1:0]    seeds;      // rho, rho' and K
    logic [1:0]    digest;     // as digest_e has it
    logic [1:0]    mask;
    logic [1:0]    challenge;
    logic [1023:0] data;
  } digest_t;

  // Squeezed words to sample, or to decode.
  typedef struct packed {
    logic        ball_start;  // the challenge's candidates follow
    logic        ball;
    logic        mask;        // a word of y
    logic [63:0] data;
  } words_t;

  // Seeds, and their valid flags, by rail.
  typedef struct packed {
    logic [1:0]      whole;     // xi, or rnd and sk
    logic [1:0]      expanded;  // rho, and rho' and K
    logic [1:0]      masked;    // rho'', in the place of rho'
    logic [1:0]      head;      // all of a private key up to tr
    logic [1:0][1:0] digests;   // number received; two with mu
    logic [255:0] xi;          // or rnd
    logic [255:0] rho;
    logic [511:0] rho_secret;  // rho', or rho''
  } seeds_t;

  // Sixteen coefficients of s1 or s2, as eta minus the coefficient.
  typedef struct packed {
    logic             go;  // write enable
    logic [3:0]       slot;
    logic [3:0]       word;
    logic [15:0][3:0] data;
  } small_t;

  // Eight consecutive coefficients of a public key, a signature or a mask.
  typedef struct packed {
    place_t           key_to;
    logic [7:0][9:0]  key;          // t1
    place_t           vector_to;
    logic [1:0]       vector_bank;  // of a try
    logic [BeatW-1:0] vector;       // z, or y
  } decoded_t;

  // Whether `want` digests were received, on both rails.
  function automatic logic digested(logic [1:0][1:0] digests, logic [1:0] want);
    return (digests[0] >= want) & (digests[1] >= want);
  endfunction

  // A hint of a signature.
  typedef struct packed {
    logic       set;
    logic [2:0] slot;
    logic [7:0] at;
  } hint_t;

  // The received or computed c~, and Verify's verdict.
  typedef struct packed {
    logic         valid;
    logic [511:0] challenge;  // zeros above it
    logic         decided;
    logic [1:0]   accepted;   // by rail
  } verdict_t;

  // The verdict's word, one half from each rail: any other value is illegal.
  localparam logic [31:0] Accepted = 32'h600D_516E;
  localparam logic [31:0] Refused  = ~Accepted;

endpackage
