// SPDX-License-Identifier: Apache-2.0

/// Input of a chain of two pipelines with loaded moduli, forward and inverse, and
/// ntf_loaded_product between them. `s_user_i` of a packet's first beat is {load, place,
/// operation}. A transform goes to the first pipeline, and its operation, {constant, last, first},
/// to the product as a command. A load goes to the first pipeline, and its modulus to the product,
/// or on l to the second one, by the lowest bit of its operation; it waits until all earlier
/// results have left, counted by `leaves_i`. It does NOT check packets: the pipelines do.
/// Limits: of `Moduli` legal_moduli in ntf_arith_pkg; `Places` and `Lanes` of 1 or more; `Depth`,
/// of the command queue, a power of two.
module ntf_chain_input import ntf_arith_pkg::*; import ntf_pipeline_pkg::*; #(
  parameter  loaded_moduli_t Moduli = LoadedModuliDefault,
  parameter  int unsigned    Places = 1,
  parameter  int unsigned    Lanes  = 2,
  parameter  int unsigned    Depth  = 16,
  localparam int unsigned    W      = int'(Moduli.bits),
  localparam int unsigned    PlaceW = ntf_prim_pkg::idx_width(Places),
  localparam int unsigned    InvW   = int'(Moduli.inverse)
) (
  input  logic                           clk_i,
  input  logic                           rst_ni,

  input  logic                           s_valid_i,
  output logic                           s_ready_o,
  input  logic                           s_last_i,
  input  logic [PlaceW+3:0]              s_user_i,
  input  logic [Lanes-1:0][W-1:0]        s_data_i,
  input  logic                           leaves_i,  // a result's last beat leaves

  output logic                           a_valid_o,  // to the first pipeline
  input  logic                           a_ready_i,
  output logic                           a_last_o,
  output logic [PlaceW+1:0]              a_user_o,  // {load, place, 0}
  output logic [Lanes-1:0][W-1:0]        a_data_o,

  output logic                           l_valid_o,  // loads of the second one, a word per beat
  input  logic                           l_ready_i,

  output logic                           c_valid_o,
  input  logic                           c_ready_i,
  output product_cmd_t                   c_data_o,

  output logic                           write_o,
  output logic [given_width(Moduli)-1:0] given_o
);

  if (!legal_moduli(Moduli)) begin : gen_wrong_moduli
    $error("ntf_chain_input: Moduli must be legal: see ntf_arith_pkg::legal_moduli");
  end
  if (Places == 0 || Lanes == 0) begin : gen_wrong_size
    $error("ntf_chain_input: Places and Lanes must be 1 or more");
  end

  localparam int unsigned Zeros   = int'(Moduli.zeros);
  localparam int unsigned InsideW = 16;  // counts more results than a chain holds

  logic               first_q, load_q, load, second_q, second, load_may, room, command, take;
  logic [PlaceW-1:0]  place_q, place;
  logic [1:0]         word_q;  // of a load, up to 2
  logic [InsideW-1:0] inside_q;
  product_cmd_t       cmd;

  assign load     = first_q ? s_user_i[PlaceW+3] : load_q;
  assign place    = first_q ? s_user_i[3+:PlaceW] : place_q;
  assign second   = first_q ? s_user_i[0] : second_q;
  assign cmd      = product_cmd_t'(s_user_i[2:0]);
  assign load_may = inside_q == '0;
  assign command  = s_valid_i && first_q && !load;

  assign a_valid_o = s_valid_i && (load ? !second && load_may : !first_q || room);
  assign a_last_o  = s_last_i;
  assign a_user_o  = {load, place, 1'b0};
  assign a_data_o  = s_data_i;
  assign l_valid_o = s_valid_i && load && second && load_may;
  assign s_ready_o = (load && second) ? load_may && l_ready_i
                                      : a_ready_i && (load ? load_may : !first_q || room);
  assign take      = s_valid_i && s_ready_o;

  logic [$clog2(Depth):0] unused_count;

  ntf_prim_fifo #(.Width($bits(product_cmd_t)), .Depth(Depth)) u_commands (
    .clk_i, .rst_ni,
    .valid_i(command && a_ready_i),
    .ready_o(room),
    .data_i (cmd),
    .valid_o(c_valid_o),
    .ready_i(c_ready_i),
    .data_o (c_data_o),
    .count_o(unused_count)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      first_q  <= 1'b1;
      load_q   <= 1'b0;
      second_q <= 1'b0;
      place_q  <= '0;
      word_q   <= '0;
      inside_q <= '0;
    end else begin
      if (take) begin
        first_q  <= s_last_i;
        load_q   <= load;
        second_q <= second;
        place_q  <= place;
        word_q   <= s_last_i ? 2'd0 : (word_q == 2'd2) ? 2'd2 : word_q + 2'd1;
      end
      inside_q <= inside_q + InsideW'(command && take && cmd.last) - InsideW'(leaves_i);
    end
  end

  // The product's constants are a load's first word, or its first two.
  logic writes;
  assign writes = take && load && !second;

  if (InvW == 0) begin : gen_no_inverse
    assign write_o = writes && word_q == 2'd0;
    assign given_o = s_data_i[0][W-1:Zeros];
  end else begin : gen_inverse
    logic [factor_width(Moduli)-1:0] factor_q;

    always_ff @(posedge clk_i) if (writes && word_q == 2'd0) factor_q <= s_data_i[0][W-1:Zeros];

    assign write_o = writes && word_q == 2'd1;
    assign given_o = {s_data_i[0][InvW-1:0], factor_q};
  end

endmodule
