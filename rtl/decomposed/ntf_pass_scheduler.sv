// SPDX-License-Identifier: Apache-2.0

/// Selects the kernel's next block: the next one of the oldest group that is ready. Four contexts
/// track the landed beats and the started blocks of a group. A block of a group's first pass is
/// ready when its unit is loaded, one of a further pass when the previous pass is completely back
/// in the buffer, and any block only when its tables are complete and there is room after the
/// kernel. Blocks are consecutive. It reports the progress of the last pass to the unloading. It
/// does NOT compute places: the walkers do.
///
/// A decision takes three cycles, during which the previous block is read: blocks have four beats
/// or more. This leaves one or two cycles for everything derived from the chosen block.
/// Limits: of the sizes see legal_sizes in ntf_decomposed_pkg; `LogBlowup` up to `LogKernel`.
module ntf_pass_scheduler import ntf_decomposed_pkg::*; import ntf_walk_pkg::*; #(
  parameter  stage_e      Stage     = StageWhole,
  parameter  int unsigned LogKernel = 4,  // log2 of the kernel's size
  parameter  int unsigned LogBeat   = 2,  // log2 of the words of a beat
  parameter  int unsigned LogBurst  = 4,  // log2 of the words of a burst
  parameter  int unsigned LogBlowup = 0,  // maximum log2 of words per loaded word
  localparam int unsigned BeatW     = 2 * LogKernel + LogBurst - LogBeat  // of the beats of a group
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  input  logic            alloc_i,        // the group's load starts
  input  round_t          round_i,        // of that group
  input  logic [1:0]      number_i,       // its context
  input  logic [3:0][2:0] version_i,      // of the tables it reads
  input  logic            load_landed_i,  // a beat, in order
  input  logic [3:0][2:0] tables_i,       // versions completed of each, modulo 8
  input  logic            room_i,         // after the kernel, for a block
  // The chosen block.
  output logic            block_valid_o,
  output block_t          block_o,
  output logic            retire_o,       // the oldest group with passes left has ended its passes
  input  logic            block_landed_i, // in the order in which they started
  input  logic [1:0]      block_landed_number_i,
  // For the unloading: its context.
  input  logic [1:0]      unload_context_i,
  output progress_t       unload_o,
  input  logic            release_i       // the oldest group is unloaded
);

  if (!legal_sizes(LogKernel, LogBeat, LogBurst)) begin : gen_wrong_shape
    $error("ntf_pass_scheduler: LogKernel, LogBeat and LogBurst must be legal: see legal_sizes");
  end
  if (LogBlowup > LogKernel) begin : gen_wrong_blowup
    $error("ntf_pass_scheduler: LogBlowup must be LogKernel or less");
  end

  localparam int unsigned BlockShift = LogKernel - LogBeat;             // log2 of a block's beats
  localparam int unsigned BlockW     = BeatW - BlockShift;  // of the blocks of a group
  localparam int unsigned Pace       = 1 << BlockShift;

  typedef logic [BeatW:0]    beats_t;
  typedef logic [BlockW-1:0] blocks_t;

  // Of each context.
  logic    [3:0]      valid_q, taken_q, told_q;     // in use; all blocks started; reported
  round_t  [3:0]      round_q;
  logic    [3:0][1:0] slot_q;
  logic    [3:0][3:0][2:0] version_q;
  pass_e   [3:0]      pass_q;                       // of the next block
  logic    [3:0][1:0] begun_q, back_q;              // passes completely started, completely landed
  blocks_t [3:0]      next_q, landed_q, unit_q, all_q;  // next block; landed; masks
  count_t  [3:0]      count_q;                      // place of the next block
  beats_t  [3:0]      loaded_q;                     // including omitted zeros
  // Derived values, a cycle later.
  logic    [3:0]      final_block_q, final_pass_q;  // the next block is the last one
  logic    [3:0]      last_back_q;                  // the block that lands next is the pass's last
  logic    [3:0]      whole_q, some_q;              // landed passes: all, all but the last
  form_t   [3:0]      form_q;                       // of the next block's pass

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Contexts that are ready.

  logic [1:0] alloc;  // the context that starts

  assign alloc = number_i;

  logic [3:0] go_d, go_q, table_made;

  for (genvar i = 0; i < 4; i++) begin : gen_go
    logic [3:0] made;  // by table

    for (genvar j = 0; j < 4; j++) begin : gen_made
      // Completed versions are at most three ahead, and at most four late.
      assign made[j] = (tables_i[j] - version_q[i][j]) < 3'd4;
    end

    always_comb begin
      unique case (pass_q[i])
        PassP:   table_made[i] = made[TableA0];
        PassC:   table_made[i] = made[TableA1];
        default: table_made[i] = made[TableA2] & made[TableB];
      endcase
    end

    assign go_d[i] = valid_q[i] & ~taken_q[i] & table_made[i] &
                     (begun_q[i] == '0 ? loaded_q[i][BeatW:BlockShift] >
                                         (BlockW + 1)'(next_q[i] | unit_q[i])
                                       : begun_q[i] == back_q[i]);
  end

  // Oldest first.
  logic [1:0] old_q, pick;  // context of the oldest group
  logic       any, picked;

  always_comb begin
    pick = old_q;
    any  = 1'b0;
    for (int i = 3; i >= 0; i--) begin
      if (go_q[old_q+2'(i)]) begin
        pick = old_q + 2'(i);
        any  = 1'b1;
      end
    end
  end

  logic [BlockShift-1:0] pace_q;  // cycles until the next block may be picked
  logic                  picked_q, final_block, final_pass;
  block_t                block_q;
  logic [1:0]            retire_q;

  assign picked      = any & (pace_q == '0) & room_i;
  assign final_block = final_block_q[block_q.number];
  assign final_pass  = final_pass_q[block_q.number];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      go_q     <= '0;
      pace_q   <= '0;
      picked_q <= 1'b0;
    end else begin
      go_q     <= go_d;
      picked_q <= picked;
      if (picked) pace_q <= BlockShift'(Pace - 1);
      else if (pace_q != '0) pace_q <= pace_q - BlockShift'(1);
    end
  end

  // The previous block has updated its context by now.
  always_ff @(posedge clk_i) begin
    if (picked) begin
      block_q.number <= pick;
      block_q.slot   <= slot_q[pick];
      block_q.round  <= round_q[pick];
      block_q.pass   <= pass_q[pick];
      block_q.form   <= form_q[pick];
      block_q.count  <= count_q[pick];
      for (int unsigned j = 0; j < 4; j++) block_q.sets[j] <= version_q[pick][j][0];
    end
  end

  assign block_valid_o = picked_q;
  assign block_o       = block_q;

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Contexts.

  function automatic blocks_t block_mask(logic [LogW-1:0] beats);
    return blocks_t'(mask_of(beats) >> BlockShift);
  endfunction

  for (genvar i = 0; i < 4; i++) begin : gen_follow
    logic [1:0] passes;
    logic       idle;  // no blocks

    assign idle   = Stage == StageRest && passes == '0;
    assign passes = stage_passes(round_q[i], Stage);

    always_ff @(posedge clk_i) begin
      final_block_q[i] <= next_q[i] == all_q[i];
      final_pass_q[i]  <= pass_q[i] == stage_last(round_q[i], Stage);
      last_back_q[i]   <= landed_q[i] == all_q[i];
      form_q[i]        <= pass_form(round_q[i], pass_q[i]);
    end

    // A starting group has no landed pass, regardless of the context's old state.
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        whole_q[i] <= 1'b0;
        some_q[i]  <= 1'b0;
      end else begin
        whole_q[i] <= (back_q[i] == passes) & ~idle & ~(alloc_i & (alloc == 2'(i)));
        some_q[i]  <= ((back_q[i] + 2'd1 == passes) | idle) & ~(alloc_i & (alloc == 2'(i)));
      end
    end
  end

  // The place of the next block of a pass.
  logic       step_q, step_final_q;
  logic [1:0] step_context_q;
  count_t     steps_q, step_count_q;  // counters of the blocks

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) step_q <= 1'b0;
    else step_q <= picked_q;
  end

  always_ff @(posedge clk_i) begin
    step_final_q   <= final_block;
    step_context_q <= block_q.number;
    step_count_q   <= block_q.count;
    steps_q        <= block_steps(block_q.form, LogKernel, LogBeat);
  end

  logic [1:0] loading_q;  // the context in which beats land
  beats_t     loaded;

  // A landed beat also counts the omitted zeros.
  if (LogBlowup == 0) begin : gen_all_loaded
    assign loaded = loaded_q[loading_q];
  end else begin : gen_zeros
    logic [3:0][LogBlowup-1:0] zeros_q;  // of each context

    always_ff @(posedge clk_i) begin
      if (alloc_i) zeros_q[alloc] <= LogBlowup'(bits_below(round_i.load.pad));
    end
    assign loaded = loaded_q[loading_q] | beats_t'(zeros_q[loading_q]);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q   <= '0;
      old_q     <= '0;
      loading_q <= '0;
      retire_q  <= '0;
      retire_o  <= 1'b0;
      taken_q   <= '0;
      told_q    <= '0;
    end else begin
      if (release_i) begin
        valid_q[old_q] <= 1'b0;
        old_q          <= old_q + 2'd1;
      end
      if (alloc_i) begin
        valid_q[alloc] <= 1'b1;
        taken_q[alloc] <= stage_passes(round_i, Stage) == '0;
        told_q[alloc]  <= 1'b0;
      end
      if (load_landed_i && loaded == {1'b0, all_q[loading_q], {BlockShift{1'b1}}}) begin
        loading_q <= loading_q + 2'd1;
      end
      if (picked_q & final_block & final_pass) taken_q[block_q.number] <= 1'b1;
      retire_o <= 1'b0;
      if (valid_q[retire_q] & taken_q[retire_q] & ~told_q[retire_q]) begin
        retire_o         <= 1'b1;
        told_q[retire_q] <= 1'b1;
        retire_q         <= retire_q + 2'd1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (load_landed_i) loaded_q[loading_q] <= loaded + beats_t'(1);
    if (block_landed_i) begin
      landed_q[block_landed_number_i] <= landed_q[block_landed_number_i] + blocks_t'(1);
      if (last_back_q[block_landed_number_i]) begin
        landed_q[block_landed_number_i] <= '0;
        back_q[block_landed_number_i]   <= back_q[block_landed_number_i] + 2'd1;
      end
    end
    if (picked_q) begin
      next_q[block_q.number] <= next_q[block_q.number] + blocks_t'(1);
      if (final_block) begin
        next_q[block_q.number]  <= '0;
        begun_q[block_q.number] <= begun_q[block_q.number] + 2'd1;
        pass_q[block_q.number]  <= next_pass(round_q[block_q.number], pass_q[block_q.number]);
      end
    end
    if (step_q) begin
      count_q[step_context_q] <= step_final_q ? '0 : next_count(step_count_q, steps_q);
    end
    if (alloc_i) begin
      round_q[alloc]   <= round_i;
      slot_q[alloc]    <= {number_i[1] & (round_i.slots == 2'd2), number_i[0]};
      version_q[alloc] <= version_i;
      pass_q[alloc]    <= stage_first(round_i, Stage);
      begun_q[alloc]   <= '0;
      back_q[alloc]    <= '0;
      next_q[alloc]    <= '0;
      landed_q[alloc]  <= '0;
      count_q[alloc]   <= '0;
      loaded_q[alloc]  <= '0;
      unit_q[alloc]    <= block_mask(Stage == StageRest ? round_i.beats : round_i.load.unit);
      all_q[alloc]     <= block_mask(round_i.beats);
    end
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Unloading.

  beats_t unloadable;

  // Without a pass loaded beats may leave.
  if (Stage == StageRest) begin : gen_loaded
    assign unloadable = round_q[unload_context_i].still ? loaded_q[unload_context_i]
                      : beats_t'({landed_q[unload_context_i], BlockShift'(0)});
  end else begin : gen_landed
    assign unloadable = beats_t'({landed_q[unload_context_i], BlockShift'(0)});
  end

  assign unload_o = '{
    valid: valid_q[unload_context_i],
    round: round_q[unload_context_i],
    slot:  slot_q[unload_context_i],
    all:   whole_q[unload_context_i],
    some:  some_q[unload_context_i],
    beats: 32'(unloadable)
  };

`ifndef SYNTHESIS
  // A group's contexts are used in turn.
  ContextIsFree_A :
  assert property (@(posedge clk_i) disable iff (!rst_ni) !alloc_i || !valid_q[alloc]);
  LoadHasAContext_A :
  assert property (@(posedge clk_i) disable iff (!rst_ni) !load_landed_i || valid_q[loading_q]);
`endif

endmodule
