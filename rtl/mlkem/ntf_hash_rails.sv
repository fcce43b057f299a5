// SPDX-License-Identifier: Apache-2.0

/// State of the hash job on two rails: the next block and its content, and the use of the
/// permutation in progress. A block without its seed, or a result used for another digest, would
/// give digests that anyone can compute. Rail 0 follows the requests to the sponge, rail 1 the
/// sponge's responses. Rail 0 selects data; both rails report a digest. Rails that differ, or J
/// ending with a block other than its last, are a fault, which is registered. It does NOT start
/// permutations.
module ntf_hash_rails import ntf_mlkem_pkg::*; (
  input  logic            clk_i,
  input  logic            rst_ni,
  input  logic            run_i,
  input  logic [2:0]      rank_i,
  input  hash_job_t       job_i,
  input  logic            last_block_i,  // the absorbed message ends with the block
  input  logic [3:0]      skip_i,        // blocks of the job that are not delivered
  input  logic            short_i,       // the list jumps back to another job
  input  logic [1:0]      started_i,     // by rail: a permutation starts,
  input  logic [1:0]      loaded_i,      // and its result is loaded
  output logic [3:0]      block_o,
  output logic            last_o,        // stable once the job is ready
  output logic            fresh_o,
  output block_from_t     from_o,
  output logic            pending_o,     // a result will follow,
  output logic            digest_o,      // a digest, not a block for the samplers
  output logic [1:0][3:0] digests_o,     // by rail: of D, G, H, J, in the cycle after it was loaded
  output logic            fault_o
);

  typedef enum logic [2:0] {
    ResultNone, ResultBuffer, ResultD, ResultG, ResultH, ResultJ
  } result_e;

  // The block; a cycle later what depends on it and the job; and the result.
  typedef struct packed {
    logic [3:0]  block;
    logic        last;
    logic        fresh;
    block_from_t from;
    result_e     result;
  } rail_t;

  rail_t [1:0]     rail_d, rail_q;
  logic [1:0][3:0] digests_d;
  logic            differ, wrong_j;
  logic            unused_differ;  // checked by the unit that stores the digest

  // Whether block `block` of the job is its last, and the use of its result.
  function automatic logic ends_with(logic [3:0] block);
    unique case (job_i.kind)
      HashH, HashJ: return last_block_i;
      HashPrf:      return block == {3'd0, job_i.eta3};
      HashXof:      return (block >= 4'd2) & (block >= skip_i);
      default:      return 1'b1;
    endcase
  endfunction

  function automatic result_e result_of(logic [3:0] block);
    unique case (job_i.kind)
      HashD:   return ResultD;
      HashG:   return ResultG;
      HashH:   return last_block_i ? ResultH : ResultNone;
      HashJ:   return last_block_i ? ResultJ : ResultNone;
      HashPrf: return ResultBuffer;
      HashXof: return (block >= skip_i) ? ResultBuffer : ResultNone;
      default: return ResultNone;
    endcase
  endfunction

  for (genvar r = 0; r < 2; r++) begin : gen_rail
    always_comb begin
      rail_d[r]       = rail_q[r];
      rail_d[r].last  = ends_with(rail_q[r].block);
      rail_d[r].fresh = rail_q[r].block == '0;
      rail_d[r].from  = '{
        g: (job_i.kind == HashG) | (job_i.kind == HashD),
        message: (job_i.kind == HashH) | (job_i.kind == HashJ),
        prf: (job_i.kind == HashPrf) & (rail_q[r].block == '0),
        xof: (job_i.kind == HashXof) & (rail_q[r].block == '0)
      };
      if (!run_i || short_i) begin
        rail_d[r].block  = '0;
        rail_d[r].result = ResultNone;
      end else if (started_i[r]) begin
        rail_d[r].block  = rail_q[r].last ? '0 : rail_q[r].block + 4'd1;
        rail_d[r].result = result_of(rail_q[r].block);
      end else if (loaded_i[r]) begin
        rail_d[r].result = ResultNone;
      end
    end

    // The state output passes a round's logic: digests are read from the buffer's copy.
    assign digests_d[r] = {
      rail_q[r].result == ResultD, rail_q[r].result == ResultG, rail_q[r].result == ResultH,
      rail_q[r].result == ResultJ
    } & {4{loaded_i[r]}};
  end

  ntf_prim_rails #(.Width($bits(rail_t))) u_rails (
    .clk_i, .rst_ni, .d_i(rail_d), .q_o(rail_q), .fault_o(differ)
  );

  ntf_prim_rails #(.Width(4)) u_digest (
    .clk_i, .rst_ni, .d_i(digests_d), .q_o(digests_o), .fault_o(unused_differ)
  );

  // Blocks of J, from the lengths of z and the ciphertext: a J that started late has fewer.
  logic [3:0] last_of_j;

  always_comb begin
    unique case (rank_i)
      3'd2:    last_of_j = 4'd5;
      3'd3:    last_of_j = 4'd8;
      default: last_of_j = 4'd11;
    endcase
  end

  assign wrong_j = (job_i.kind == HashJ) & rail_q[0].last & (rail_q[0].block != last_of_j);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) fault_o <= 1'b0;
    else begin
      fault_o <= differ | (run_i & ((started_i[0] & wrong_j) | (started_i[0] != started_i[1])
                                    | (loaded_i[0] != loaded_i[1])));
    end
  end

  assign block_o   = rail_q[0].block;
  assign last_o    = rail_q[0].last;
  assign fresh_o   = rail_q[0].fresh;
  assign from_o    = rail_q[0].from;
  assign pending_o = rail_q[0].result != ResultNone;
  assign digest_o  = rail_q[0].result != ResultBuffer;

  logic unused;
  assign unused = ^job_i;

endmodule
