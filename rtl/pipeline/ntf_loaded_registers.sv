// SPDX-License-Identifier: Apache-2.0

/// Registers of an engine with loaded moduli: what each place holds, and why a load was refused, as
/// `report_i` of ntf_pipeline says. A place's modulus is that of its last load, refused ones
/// included, and 0 before the first one.
///
///   0x00  {bits of a modulus, 8 bits of places}
///   0x04  the last load: {place, 8 bits of status}
///   0x08  bit 0: a transform named a place that is not loaded; write 1 to clear
///   0x0c  place that the registers below are of; one that does not exist is refused
///   0x10  its status, see load_status_e
///   0x18  its modulus, and at 0x1c the bits above 31
///
/// Other addresses, and writes to what is read only, are answered with an error. It does NOT write
/// places: loads of the stream do.
/// Limits: of `Moduli` legal_moduli in ntf_arith_pkg, up to 64 bits; `Places` from 1 to 255.
module ntf_loaded_registers
  import ntf_arith_pkg::*; import ntf_pipeline_pkg::*; import ntf_shell_pkg::*; #(
  parameter  loaded_moduli_t Moduli  = LoadedModuliDefault,
  parameter  int unsigned    Places  = 1,
  localparam int unsigned    ReportW = report_width(Moduli, Places)
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  lite_req_t          ctrl_req_i,
  output lite_rsp_t          ctrl_rsp_o,
  input  logic [ReportW-1:0] report_i
);

  if (!legal_moduli(Moduli) || Moduli.bits > 64) begin : gen_wrong_moduli
    $error("ntf_loaded_registers: Moduli must be legal, of up to 64 bits: see legal_moduli");
  end
  if (Places == 0 || Places > 255) begin : gen_wrong_places
    $error("ntf_loaded_registers: Places must be from 1 to 255");
  end

  localparam int unsigned W      = int'(Moduli.bits);
  localparam int unsigned PlaceW = ntf_prim_pkg::idx_width(Places);

  localparam logic [RegAddrW-1:0] AddrShape    = 12'h000;
  localparam logic [RegAddrW-1:0] AddrLast     = 12'h004;
  localparam logic [RegAddrW-1:0] AddrFaults   = 12'h008;
  localparam logic [RegAddrW-1:0] AddrPlace    = 12'h00c;
  localparam logic [RegAddrW-1:0] AddrStatus   = 12'h010;
  localparam logic [RegAddrW-1:0] AddrModulus  = 12'h018;
  localparam logic [RegAddrW-1:0] AddrModulusH = 12'h01c;

  logic              unloaded, changes, writes_place, write_error, read_error, unloaded_q;
  load_status_e      status, last_q, shown_q;
  logic [PlaceW-1:0] place, last_place_q, place_q;
  logic [W-1:0]      modulus, held, held_q;
  logic [63:0]       shown_modulus;
  logic [31:0]       rdata;
  access_t           access;

  load_status_e [Places-1:0] statuses_q;

  assign {unloaded, changes, status, place, modulus} = report_i;

  ntf_axi_lite_port u_port (
    .clk_i, .rst_ni, .ctrl_req_i, .ctrl_rsp_o,
    .access_o     (access),
    .write_error_i(write_error),
    .rdata_i      (rdata),
    .read_error_i (read_error)
  );

  assign writes_place = access.waddr == AddrPlace && access.wdata < 32'(Places);
  assign write_error  = access.waddr != AddrFaults && !writes_place;

  always_comb begin
    rdata      = '0;
    read_error = 1'b0;
    unique case (access.raddr)
      AddrShape:    rdata = 32'({8'(W), 8'(Places)});
      AddrLast:     rdata = 32'({8'(last_place_q), 8'(last_q)});
      AddrFaults:   rdata = 32'(unloaded_q);
      AddrPlace:    rdata = 32'(place_q);
      AddrStatus:   rdata = 32'(shown_q);
      AddrModulus:  rdata = shown_modulus[31:0];
      AddrModulusH: rdata = shown_modulus[63:32];
      default:      read_error = 1'b1;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      unloaded_q   <= 1'b0;
      last_q       <= LoadNone;
      last_place_q <= '0;
      place_q      <= '0;
      statuses_q   <= {Places{LoadNone}};
    end else begin
      // Set has priority over clear.
      if (access.write && access.waddr == AddrFaults && access.wdata[0]) unloaded_q <= 1'b0;
      if (unloaded) unloaded_q <= 1'b1;
      if (access.write && writes_place) place_q <= access.wdata[PlaceW-1:0];
      if (changes) begin
        last_q       <= status;
        last_place_q <= place;
        if (32'(place) < Places) statuses_q[place] <= status;
      end
    end
  end

  // Read a clock after `place_q`, before the response to its write lets another access come.
  always_ff @(posedge clk_i) begin
    shown_q <= statuses_q[place_q];
    held_q  <= held;
  end

  ntf_prim_ram_1r1w #(.Width(W), .Depth(Places)) u_moduli (
    .clk_i,
    .en_i   (1'b1),
    .we_i   (changes && 32'(place) < Places),
    .waddr_i(place),
    .wdata_i(modulus),
    .raddr_i(place_q),
    .rdata_o(held)
  );

  assign shown_modulus = (shown_q == LoadNone) ? '0 : 64'(held_q);

  logic unused;
  assign unused = ^{access.wstrb, access.read};

endmodule
