// SPDX-License-Identifier: Apache-2.0

/// Registers of an engine with loaded moduli: what each place holds, why a load was refused, as
/// `report_i` of ntf_pipeline says, and loads word by word. A place's modulus is that of its last
/// load, refused ones included, and 0 before the first one. A chain has two pipelines, forward and
/// inverse, with the same places.
///
///   0x00  {bits of a modulus, 8 bits of places}
///   0x04  the last load that began: {pipeline, 8 bits of place, 8 bits of status}
///   0x08  bit 0: a transform named a place that is not loaded; write 1 to clear
///   0x0c  {pipeline, 8 bits of place} that the registers below are of, and loads that begin; one
///         that does not exist is refused
///   0x10  its status, see load_status_e
///   0x18  its modulus, and at 0x1c the bits above 31
///   0x20  {a load lacks its last word, 8 bits of words that there is room for}
///   0x28  a word of a load: its low half is kept, the high one at 0x2c sends both
///   0x30  its last word, and at 0x34
///
/// Words leave as a stream, to ntf_loaded_entry. One without room, or with more bits than a modulus,
/// is refused and changes nothing. Other addresses, and writes to what is read only, are answered
/// with an error.
/// Limits: of `Moduli` legal_moduli in ntf_arith_pkg, up to 64 bits; `Places` from 1 to 255;
/// `Pipelines` 1 or 2.
module ntf_loaded_registers
  import ntf_arith_pkg::*; import ntf_pipeline_pkg::*; import ntf_shell_pkg::*; #(
  parameter  loaded_moduli_t Moduli    = LoadedModuliDefault,
  parameter  int unsigned    Places    = 1,
  parameter  int unsigned    Pipelines = 1,
  localparam int unsigned    W         = int'(Moduli.bits),
  localparam int unsigned    PlaceW    = ntf_prim_pkg::idx_width(Places),
  localparam int unsigned    ReportW   = report_width(Moduli, Places)
) (
  input  logic                              clk_i,
  input  logic                              rst_ni,
  input  lite_req_t                         ctrl_req_i,
  output lite_rsp_t                         ctrl_rsp_o,
  input  logic [Pipelines-1:0][ReportW-1:0] report_i,

  output logic                              load_valid_o,
  input  logic                              load_ready_i,
  output logic                              load_last_o,
  output logic                              load_second_o,  // the inverse pipeline
  output logic [PlaceW-1:0]                 load_place_o,
  output logic [W-1:0]                      load_word_o
);

  if (!legal_moduli(Moduli) || Moduli.bits > 64) begin : gen_wrong_moduli
    $error("ntf_loaded_registers: Moduli must be legal, of up to 64 bits: see legal_moduli");
  end
  if (Places == 0 || Places > 255) begin : gen_wrong_places
    $error("ntf_loaded_registers: Places must be from 1 to 255");
  end
  if (Pipelines != 1 && Pipelines != 2) begin : gen_wrong_pipelines
    $error("ntf_loaded_registers: Pipelines must be 1 or 2");
  end

  localparam int unsigned Depth = 16;  // words of loads that wait

  localparam logic [RegAddrW-1:0] AddrShape    = 12'h000;
  localparam logic [RegAddrW-1:0] AddrLast     = 12'h004;
  localparam logic [RegAddrW-1:0] AddrFaults   = 12'h008;
  localparam logic [RegAddrW-1:0] AddrPlace    = 12'h00c;
  localparam logic [RegAddrW-1:0] AddrStatus   = 12'h010;
  localparam logic [RegAddrW-1:0] AddrModulus  = 12'h018;
  localparam logic [RegAddrW-1:0] AddrModulusH = 12'h01c;
  localparam logic [RegAddrW-1:0] AddrLoad     = 12'h020;
  localparam logic [RegAddrW-1:0] AddrWord     = 12'h028;
  localparam logic [RegAddrW-1:0] AddrWordH    = 12'h02c;
  localparam logic [RegAddrW-1:0] AddrLastWord = 12'h030;
  localparam logic [RegAddrW-1:0] AddrLastWordH = 12'h034;

  logic              writes_place, write_error, read_error, unloaded_q;
  logic              second_q, last_second_q;
  logic [PlaceW-1:0] place_q, last_place_q;
  load_status_e      last_q, shown_q;
  logic [W-1:0]      held_q;
  logic [63:0]       shown_modulus;
  logic [31:0]       rdata;
  access_t           access;

  logic         [Pipelines-1:0]             unloaded, begins, changes;
  load_status_e [Pipelines-1:0]             status;
  logic         [Pipelines-1:0][PlaceW-1:0] place;
  logic         [Pipelines-1:0][W-1:0]      modulus, held;
  load_status_e [Pipelines-1:0]             shown;

  ntf_axi_lite_port u_port (
    .clk_i, .rst_ni, .ctrl_req_i, .ctrl_rsp_o,
    .access_o     (access),
    .write_error_i(write_error),
    .rdata_i      (rdata),
    .read_error_i (read_error)
  );

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Words of loads.

  logic                   high, last_word, fits, room, sends, wrong_word, open_q;
  logic [31:0]            low_q;
  logic [63:0]            word;
  logic [$clog2(Depth):0] waiting;

  assign high       = access.waddr == AddrWordH || access.waddr == AddrLastWordH;
  assign last_word  = access.waddr == AddrLastWordH;
  assign word       = {access.wdata, low_q};
  assign fits       = W == 64 || (word >> W) == '0;
  assign wrong_word = high && !(fits && room);
  assign sends      = access.write && high && fits;

  // The place is that of the moment in which a load's first word is written.
  ntf_prim_fifo #(.Width(2 + PlaceW + W), .Depth(Depth)) u_words (
    .clk_i, .rst_ni,
    .valid_i(sends),
    .ready_o(room),
    .data_i ({last_word, second_q, place_q, word[W-1:0]}),
    .valid_o(load_valid_o),
    .ready_i(load_ready_i),
    .data_o ({load_last_o, load_second_o, load_place_o, load_word_o}),
    .count_o(waiting)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) open_q <= 1'b0;
    else if (sends && room) open_q <= !last_word;
  end

  always_ff @(posedge clk_i) begin
    if (access.write && (access.waddr == AddrWord || access.waddr == AddrLastWord)) begin
      low_q <= access.wdata;
    end
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // Accesses.

  logic second_exists;

  assign second_exists = Pipelines == 2 || !access.wdata[8];
  assign writes_place  = access.waddr == AddrPlace && 32'(access.wdata[7:0]) < 32'(Places) &&
                         access.wdata[31:9] == '0 && second_exists;

  always_comb begin
    unique case (access.waddr)
      AddrFaults, AddrWord, AddrLastWord: write_error = 1'b0;
      AddrPlace:                          write_error = !writes_place;
      AddrWordH, AddrLastWordH:           write_error = wrong_word;
      default:                            write_error = 1'b1;
    endcase
  end

  always_comb begin
    rdata      = '0;
    read_error = 1'b0;
    unique case (access.raddr)
      AddrShape:    rdata = 32'({8'(W), 8'(Places)});
      AddrLast:     rdata = 32'({last_second_q, 8'(last_place_q), 8'(last_q)});
      AddrFaults:   rdata = 32'(unloaded_q);
      AddrPlace:    rdata = 32'({second_q, 8'(place_q)});
      AddrStatus:   rdata = 32'(shown_q);
      AddrModulus:  rdata = shown_modulus[31:0];
      AddrModulusH: rdata = shown_modulus[63:32];
      AddrLoad:     rdata = 32'({open_q, 8'(Depth) - 8'(waiting)});
      default:      read_error = 1'b1;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      unloaded_q    <= 1'b0;
      last_q        <= LoadNone;
      last_place_q  <= '0;
      last_second_q <= 1'b0;
      place_q       <= '0;
      second_q      <= 1'b0;
    end else begin
      // Set has priority over clear.
      if (access.write && access.waddr == AddrFaults && access.wdata[0]) unloaded_q <= 1'b0;
      if (unloaded != '0) unloaded_q <= 1'b1;
      if (access.write && writes_place) begin
        place_q  <= access.wdata[PlaceW-1:0];
        second_q <= access.wdata[8];
      end
      // A root may be checked in one pipeline while the next load comes to the other one.
      for (int unsigned p = 0; p < Pipelines; p++) begin
        if (changes[p] && (begins[p] || last_second_q == 1'(p))) begin
          last_q        <= status[p];
          last_place_q  <= place[p];
          last_second_q <= 1'(p);
        end
      end
    end
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // What places hold.

  for (genvar p = 0; p < Pipelines; p++) begin : gen_pipeline
    load_status_e [Places-1:0] statuses_q;

    assign {unloaded[p], begins[p], changes[p], status[p], place[p], modulus[p]} = report_i[p];
    assign shown[p] = statuses_q[place_q];

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) statuses_q <= {Places{LoadNone}};
      else if (changes[p] && 32'(place[p]) < Places) statuses_q[place[p]] <= status[p];
    end

    ntf_prim_ram_1r1w #(.Width(W), .Depth(Places)) u_moduli (
      .clk_i,
      .en_i   (1'b1),
      .we_i   (changes[p] && 32'(place[p]) < Places),
      .waddr_i(place[p]),
      .wdata_i(modulus[p]),
      .raddr_i(place_q),
      .rdata_o(held[p])
    );
  end

  // Read a clock after `place_q`, before the response to its write lets another access come.
  always_ff @(posedge clk_i) begin
    shown_q <= shown[(Pipelines == 2) && second_q];
    held_q  <= held[(Pipelines == 2) && second_q];
  end

  assign shown_modulus = (shown_q == LoadNone) ? '0 : 64'(held_q);

  logic unused;
  assign unused = ^{access.wstrb, access.read, word};

endmodule
