// SPDX-License-Identifier: Apache-2.0

/// Combined status of the memory ports of all engines, and the first port with an error, or else
/// with an outstanding response. After a stop, errors are already reported: then it is the first
/// port with an outstanding response. The addresses are those of the port in `named_i`, since
/// another port may have an error a cycle later. It holds no state.
module ntf_port_faults import ntf_decomposed_pkg::*; import ntf_shell_pkg::*; #(
  parameter int unsigned NumPorts = 1  // of all engines
) (
  input  logic                 stop_i,
  input  logic [6:0]           named_i,  // selects the port of the addresses
  input  port_t [NumPorts-1:0] ports_i,
  output channels_t            channels_o
);

  localparam int unsigned PortIdxW = ntf_prim_pkg::idx_width(NumPorts);

  logic [NumPorts-1:0]      moved;
  logic [1:0][NumPorts-1:0] pending, error, news;
  logic [1:0][6:0]          port;
  logic [PortIdxW-1:0]      at;

  for (genvar p = 0; p < NumPorts; p++) begin : gen_port
    assign moved[p] = ports_i[p].moved;
    for (genvar w = 0; w < 2; w++) begin : gen_way
      assign pending[w][p] = ports_i[p].pending[w];
      assign error[w][p]   = ports_i[p].error[w];
      assign news[w][p]    = error[w][p] & ~stop_i;
    end
  end

  function automatic logic [6:0] first(logic [NumPorts-1:0] of, logic [NumPorts-1:0] otherwise);
    first = '0;
    for (int p = NumPorts - 1; p >= 0; p--) if (otherwise[p]) first = 7'(p);
    for (int p = NumPorts - 1; p >= 0; p--) if (of[p]) first = 7'(p);
  endfunction

  assign port = {first(news[1], pending[1]), first(news[0], pending[0])};

  // A single port needs no multiplexer.
  assign at = NumPorts == 1 ? '0 : PortIdxW'(named_i);

  assign channels_o = '{
    moved:      |moved,
    pending:    {|pending[1], |pending[0]},
    error:      {|error[1], |error[0]},
    error_addr: ports_i[at].error_addr,
    port:       port
  };

  logic [6:0] unused_named;  // bits above the number of ports
  assign unused_named = named_i;

  if (NumPorts == 0 || NumPorts > 128) begin : gen_wrong_ports
    $error("ntf_port_faults: NumPorts must be 1 to 128, as a status names one of so many");
  end

endmodule
