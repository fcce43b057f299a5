// SPDX-License-Identifier: Apache-2.0

/// Delay commutator: exchanges the pair lane of a stream with one of its time bits, on `Lines`
/// pairs of lanes at once. Depth[path] = 2^t beats exchanges time bit t, Depth[path] = 0 passes the
/// stream through; the path is a property of a transform and accompanies each of its beats. Gaps in
/// the stream are allowed, and the last Depth beats of a transform leave without further input.
///
/// The memory is the minimum for an exchange: max(Depth) words per lane, each address read and
/// rewritten in the same cycle. The first half-period is stored; in the second one the arriving
/// upper words replace the stored lower words, which leave together with the arriving lower ones.
///
/// One enabled cycle of latency on top of Depth. It does NOT separate transforms of different
/// depths: the input framer must prevent one from overtaking another.
/// Limits: `Width`, `Lines`, `TagW` and `BeatW` of 1 or more, one or two paths, each `Depth` 0 or a
/// power of two.
module ntf_commutator import ntf_pipeline_pkg::*; #(
  parameter int unsigned Width     = 8,   // bits of a word
  parameter int unsigned Lines     = 1,   // pairs of lanes
  parameter int unsigned TagW      = 1,
  parameter int unsigned NumPaths  = 1,
  parameter int unsigned BeatW     = 7,   // log2 of the beats of a transform
  parameter depths_t     Depth     = '{default: 16'd1},
  parameter int unsigned BlockFrom = 256, // depth from which the memory is block RAM
  parameter int unsigned UltraFrom = 0,   // and from which it is UltraRAM; 0: never
  parameter bit          ReadReg   = 1'b0, // always register its output, for timing,
  parameter bit          AddrReg   = 1'b0, // and its address
  localparam int unsigned PathW   = ntf_prim_pkg::idx_width(NumPaths)
) (
  input  logic                              clk_i,
  input  logic                              rst_ni,
  input  logic                              clear_i,  // discards its beats, even without `en_i`
  input  logic                              en_i,
  input  logic                              valid_i,
  input  logic [PathW-1:0]                  path_i,
  input  logic [TagW-1:0]                   tag_i,
  input  logic [Lines-1:0][1:0][Width-1:0]  data_i,
  output logic                              valid_o,
  output logic [TagW-1:0]                   tag_o,
  output logic [Lines-1:0][1:0][Width-1:0]  data_o
);

  if (Width == 0 || Lines == 0 || TagW == 0 || BeatW == 0) begin : gen_wrong_size
    $error("ntf_commutator: Width, Lines, TagW and BeatW must be 1 or more");
  end
  if (NumPaths == 0 || NumPaths > MaxPaths) begin : gen_wrong_paths
    $error("ntf_commutator: NumPaths must be 1 or 2");
  end
  if (!legal_depths(Depth)) begin : gen_wrong_depth
    $error("ntf_commutator: each Depth must be 0 or a power of two");
  end

  localparam int unsigned MaxDepth = max_depth(Depth);

  function automatic bit any_of_one();
    any_of_one = 1'b0;
    for (int unsigned p = 0; p < NumPaths; p++) any_of_one |= Depth[p] == 16'd1;
  endfunction

  if (MaxDepth == 0) begin : gen_register
    logic unused_path;
    assign unused_path = ^path_i;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) valid_o <= 1'b0;
      else if (clear_i) valid_o <= 1'b0;
      else if (en_i) valid_o <= valid_i;
    end

    always_ff @(posedge clk_i) begin
      if (en_i) begin
        tag_o  <= tag_i;
        data_o <= data_i;
      end
    end
  end else begin : gen_exchange
    localparam int unsigned SlotW   = ntf_prim_pkg::idx_width(MaxDepth);
    localparam bit          Ultra   = UltraFrom != 0 && MaxDepth >= UltraFrom && MaxDepth > 1;
    localparam bit          Block   = !Ultra && MaxDepth >= BlockFrom;
    localparam bit          Late    = Ultra || Block || ReadReg;
    localparam int unsigned CountW  = BeatW > SlotW ? BeatW : SlotW + 1;

    ///////////////////////////////////////////////////////////////////////////////////////////////
    // Control: the arriving beat's role, and beats that leave without input.

    logic [CountW-1:0] depth, beat_q;
    logic [SlotW-1:0]  last, slot, drain_slot_q, drain_last_q, raddr;
    logic              pass, store, swap, drain_q, drain_d;
    logic [TagW-1:0]   drain_tag_q, tag_d;
    logic              valid_d;

    assign depth = CountW'(Depth[path_i]);
    assign last  = SlotW'(depth - CountW'(1));
    assign slot  = beat_q[SlotW-1:0] & last;

    assign pass  = valid_i & (depth == '0);
    assign swap  = valid_i & |(beat_q & depth);
    assign store = valid_i & ~pass & ~swap;

    // The words stored in the second half-period leave in the cycles that follow it.
    assign drain_d = (swap & (slot == last)) | (drain_q & (drain_slot_q != drain_last_q));

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        beat_q  <= '0;
        drain_q <= 1'b0;
      end else if (clear_i) begin
        beat_q  <= '0;
        drain_q <= 1'b0;
      end else if (en_i) begin
        if (valid_i) beat_q <= beat_q + CountW'(1);
        drain_q <= drain_d;
      end
    end

    always_ff @(posedge clk_i) begin
      if (en_i) begin
        if (swap) begin
          drain_slot_q <= '0;
          drain_last_q <= last;
          drain_tag_q  <= tag_i;
        end else begin
          drain_slot_q <= drain_slot_q + SlotW'(1);
        end
      end
    end

    assign valid_d = pass | swap | drain_q;
    assign tag_d   = drain_q ? drain_tag_q : tag_i;

    if (AddrReg) begin : gen_ahead
      // Address of the next beat's read. The first beat of a transform reads nothing, so the
      // previous beat's path applies.
      logic [SlotW-1:0] next_q, next_slot, next_drain, next_last;
      logic [PathW-1:0] path_q, path;

      assign path       = (NumPaths == 1) ? '0 : valid_i ? path_i : path_q;
      assign next_last  = SlotW'(Depth[path] - 16'd1);
      assign next_slot  = beat_q[SlotW-1:0] + SlotW'(valid_i);
      assign next_drain = drain_q ? drain_slot_q + SlotW'(1) : '0;

      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) next_q <= '0;
        else if (clear_i) next_q <= '0;
        else if (en_i) next_q <= drain_d ? next_drain : next_slot & next_last;
      end

      always_ff @(posedge clk_i) begin
        if (en_i) path_q <= path;
      end

      assign raddr = next_q;

`ifndef SYNTHESIS
      ReadsInTime_A :
      assert property (@(posedge clk_i) disable iff (!rst_ni)
        !(en_i && (swap || drain_q) && raddr != (drain_q ? drain_slot_q : slot)));
`endif
    end else begin : gen_at_once
      assign raddr = drain_q ? drain_slot_q : slot;
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) valid_o <= 1'b0;
      else if (clear_i) valid_o <= 1'b0;
      else if (en_i) valid_o <= valid_d;
    end

    always_ff @(posedge clk_i) begin
      if (en_i) tag_o <= tag_d;
    end

    ///////////////////////////////////////////////////////////////////////////////////////////////
    // Data. Either the memory is read combinationally and the result registered, or it is read into
    // its own register while the arriving beat is delayed by another one. Both take one cycle.

    logic                             swap_x, pass_x, write_x;
    logic [SlotW-1:0]                 slot_x;
    logic [Lines-1:0][1:0][Width-1:0] data_x, stored, stored_ram, wdata, data_d;

    for (genvar l = 0; l < Lines; l++) begin : gen_line
      assign wdata[l]  = {data_x[l][1], swap_x ? stored[l][1] : data_x[l][0]};
      assign data_d[l] = pass_x ? data_x[l] : {swap_x ? data_x[l][0] : stored[l][1], stored[l][0]};
    end

    if (Ultra) begin : gen_ultra
      ntf_prim_ram_ultra #(.Width(Lines * 2 * Width), .Depth(MaxDepth)) u_ram (
        .clk_i,
        .en_i,
        .we_i   (write_x),
        .waddr_i(slot_x),
        .wdata_i(wdata),
        .raddr_i(raddr),
        .rdata_o(stored_ram)
      );
    end else begin : gen_ram
      ntf_prim_ram_1r1w #(
        .Width     (Lines * 2 * Width),
        .Depth     (MaxDepth),
        .Block     (Block),
        .Registered(Late)
      ) u_ram (
        .clk_i,
        .en_i,
        .we_i   (write_x),
        .waddr_i(slot_x),
        .wdata_i(wdata),
        .raddr_i(raddr),
        .rdata_o(stored_ram)
      );
    end

    if (Late) begin : gen_late
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) write_x <= 1'b0;
        else if (clear_i) write_x <= 1'b0;
        else if (en_i) write_x <= store | swap;
      end

      always_ff @(posedge clk_i) begin
        if (en_i) begin
          swap_x <= swap;
          pass_x <= pass;
          slot_x <= slot;
          data_x <= data_i;
        end
      end

      // At depth 1 an address is read in the cycle in which it is written: forward the written
      // word.
      if (any_of_one()) begin : gen_forward
        logic                             forward_q;
        logic [Lines-1:0][1:0][Width-1:0] forward_data_q;

        always_ff @(posedge clk_i) begin
          if (en_i) begin
            forward_q      <= write_x & (slot_x == raddr);
            forward_data_q <= wdata;
          end
        end

        assign stored = forward_q ? forward_data_q : stored_ram;
      end else begin : gen_apart
        assign stored = stored_ram;

`ifndef SYNTHESIS
        ReadIsNotWritten_A :
        assert property (@(posedge clk_i) disable iff (!rst_ni)
          !(en_i && write_x && (swap || drain_q) && slot_x == raddr));
`endif
      end

      assign data_o = data_d;
    end else begin : gen_direct
      assign swap_x  = swap;
      assign pass_x  = pass;
      assign write_x = store | swap;
      assign slot_x  = slot;
      assign data_x  = data_i;
      assign stored  = stored_ram;

      always_ff @(posedge clk_i) begin
        if (en_i) data_o <= data_d;
      end
    end

`ifndef SYNTHESIS
    // Two beats never leave in one cycle.
    OneLeaves_A :
    assert property (@(posedge clk_i) disable iff (!rst_ni) !(en_i && drain_q && (swap || pass)));
`endif
  end

endmodule
