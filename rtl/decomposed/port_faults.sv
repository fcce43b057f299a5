// SPDX-License-Identifier: Apache-2.0

/// What the memory ports of all engines say together, and which of them has an error, or else owes
/// an answer: the first one. It does NOT remember anything.
module port_faults import decomposed_pkg::*; import shell_pkg::*; #(
  parameter int unsigned NumPorts = 1  // of all engines
) (
  input  port_t [NumPorts-1:0] ports_i,
  output channels_t            channels_o
);

  localparam int unsigned PortIdxW = prim_pkg::idx_width(NumPorts);

  logic [NumPorts-1:0]      moved;
  logic [1:0][NumPorts-1:0] pending, error;
  logic [1:0][6:0]          port;

  for (genvar p = 0; p < NumPorts; p++) begin : gen_port
    assign moved[p] = ports_i[p].moved;
    for (genvar w = 0; w < 2; w++) begin : gen_way
      assign pending[w][p] = ports_i[p].pending[w];
      assign error[w][p]   = ports_i[p].error[w];
    end
  end

  function automatic logic [6:0] first(logic [NumPorts-1:0] of, logic [NumPorts-1:0] otherwise);
    first = '0;
    for (int p = NumPorts - 1; p >= 0; p--) if (otherwise[p]) first = 7'(p);
    for (int p = NumPorts - 1; p >= 0; p--) if (of[p]) first = 7'(p);
  endfunction

  assign port = {first(error[1], pending[1]), first(error[0], pending[0])};

  assign channels_o = '{
    moved:      |moved,
    pending:    {|pending[1], |pending[0]},
    error:      {|error[1], |error[0]},
    error_addr: {ports_i[PortIdxW'(port[1])].error_addr[1],
                 ports_i[PortIdxW'(port[0])].error_addr[0]},
    port:       port
  };

  if (NumPorts > 128) begin : gen_wrong_ports
    $error("port_faults: a status names one of 128 ports, not of %0d", NumPorts);
  end

endmodule
