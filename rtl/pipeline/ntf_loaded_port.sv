// SPDX-License-Identifier: Apache-2.0

/// Extracts loads from a stream of packets, and passes transforms on. A packet is a load if the
/// highest bit of its first beat's `user_i`, {load, place, operation}, is set: its beats carry a
/// word each, in the lowest lane, the modulus, the inverse if there is one, the root, then the
/// factors of every stage, table and path. It waits until no transform is in progress (`busy_i`
/// low), and writes a word in every enabled clock. With `Made` a stage has other tables, see
/// ntf_loaded_maker. A place is loaded from then on, until its next load starts, if the number of
/// words was right, the modulus is 1 modulo 2^zeros, and the root, squared zeros - 1 times, is -1;
/// no packet is accepted during that check. Every packet is accepted up to its last beat. `ready_o`
/// of a transform is `ready_i`; `loaded_o` is high if its place is loaded. `event_o` is high for a
/// clock after the status of a load has changed, with what it has become.
///
/// It does NOT check that the modulus is prime, nor that the factors belong to it.
/// Limits: of `Cfg` see legal_pipeline in ntf_pipeline_pkg, of `Moduli` legal_moduli; `Places` of 1
/// or more.
module ntf_loaded_port import ntf_arith_pkg::*; import ntf_pipeline_pkg::*; #(
  parameter  pipeline_cfg_t  Cfg       = PipelineDefault,
  parameter  loaded_moduli_t Moduli    = LoadedModuliDefault,
  parameter  int unsigned    Places    = 1,
  localparam int unsigned    NumPaths  = int'(Cfg.num_paths),
  localparam int unsigned    NumStages = int'(Cfg.num_stages),
  localparam int unsigned    W         = int'(Moduli.bits),
  localparam int unsigned    BeatW     = ntf_prim_pkg::idx_width(int'(Cfg.beats)),
  localparam int unsigned    PathW     = ntf_prim_pkg::idx_width(NumPaths),
  localparam int unsigned    PlaceW    = ntf_prim_pkg::idx_width(Places),
  localparam int unsigned    StageW    = ntf_prim_pkg::idx_width(NumStages),
  localparam int unsigned    UserW     = 1 + PlaceW + PathW,
  localparam int unsigned    LoadW     = load_width(Cfg, Moduli, Places),
  parameter  op_cfg_t [NumPaths-1:0] Ops = '0,
  parameter  made_t [NumStages-1:0] Made = '0
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic                 en_i,

  input  logic                 valid_i,
  output logic                 ready_o,  // a beat is taken if `en_i` is high, too
  input  logic                 last_i,
  input  logic [UserW-1:0]     user_i,
  input  logic [W-1:0]         word_i,

  output logic                 valid_o,  // of a transform
  input  logic                 ready_i,
  output logic                 loaded_o,
  input  logic                 busy_i,

  output logic [PlaceW-1:0]    place_o,
  output logic [NumStages-1:0][LoadW-1:0] load_o,  // to each stage's tables

  output logic                 begins_o,  // the event is the first one of a load
  output logic                 event_o,
  output load_status_e         status_o,
  output logic [PlaceW-1:0]    status_place_o,
  output logic [W-1:0]         modulus_o
);

  if (!legal_pipeline(Cfg) || Cfg.mul.mod_width != Moduli.bits) begin : gen_wrong_cfg
    $error("ntf_loaded_port: Cfg must be legal, and of Moduli: see legal_pipeline");
  end
  if (!legal_moduli(Moduli) || Places == 0) begin : gen_wrong_moduli
    $error("ntf_loaded_port: Moduli must be legal, and Places 1 or more");
  end

  // By table, where number 2 covers all further ones; and by path.
  typedef logic [NumStages-1:0][2:0][NumPaths-1:0][BeatW-1:0] ends_t;

  /// The last word of each stage's tables.
  function automatic ends_t last_factors();
    for (int unsigned s = 0; s < NumStages; s++) begin
      for (int unsigned p = 0; p < NumPaths; p++) begin
        for (int unsigned r = 0; r < 3; r++) begin
          last_factors[s][r][p] = BeatW'((32'(Cfg.beats) >> Ops[p].stages[s].shift) - 1);
        end
        if (Made[s].on) begin
          last_factors[s][0][p] = last_factors[s][0][p] >> Made[s].low[p];
          last_factors[s][1][p] = BeatW'((32'd1 << Made[s].low[p]) - 1);
          last_factors[s][2][p] = '0;
        end
      end
    end
  endfunction

  function automatic logic [NumStages-1:0][15:0] last_tables();
    for (int unsigned s = 0; s < NumStages; s++) begin
      last_tables[s] = Cfg.stages[s].num_roms - 16'(!Made[s].on);
    end
  endfunction

  localparam ends_t                      LastFactor = last_factors();
  localparam logic [NumStages-1:0][15:0] LastTable  = last_tables();
  localparam int unsigned                Zeros      = int'(Moduli.zeros);
  localparam int unsigned                InvW       = int'(Moduli.inverse);

  // What comes next in a load.
  typedef enum logic [2:0] {
    StModulus = 3'b000,
    StInverse = 3'b001,
    StRoot    = 3'b011,
    StFactors = 3'b010,
    StOver    = 3'b110   // surplus words, or no load
  } state_e;

  state_e             state_q, state_d;
  logic               first_q, load_q, pending_q;
  logic [PlaceW-1:0]  place_q, place, write_place_q;
  logic [StageW-1:0]  stage_q;
  logic [15:0]        rom_q;
  logic [PathW-1:0]   path_q;
  logic [BeatW-1:0]   addr_q;
  logic [Places-1:0]  loaded_q;
  logic               load, take, pass, modulus_fits, place_fits, last_addr, last_path, last_rom;
  logic               last_factor, good, root_busy, root_good, checked;
  logic [W-1:0]       modulus_q;
  logic [NumStages-1:0] write_factor_q;

  assign load       = first_q ? user_i[UserW-1] : load_q;
  assign place      = first_q ? user_i[PathW+:PlaceW] : place_q;
  assign place_fits = 32'(place) < Places;

  assign place_o  = place;
  // No packet is accepted while the root of a complete load is checked.
  assign valid_o  = valid_i && !load && !pending_q;
  assign ready_o  = !pending_q && (load ? !busy_i : ready_i);
  assign take     = valid_i && load && !busy_i && !pending_q;
  assign pass     = valid_i && ready_o;
  assign loaded_o = place_fits && loaded_q[place];

  // The last word, too, is in its table when transforms pass again: ntf_loaded_maker has a register.
  assign checked  = pending_q && !root_busy && write_factor_q == '0;

  assign modulus_fits = word_i[Zeros-1:0] == Zeros'(1) && word_i[W-1:Zeros] != '0;

  assign last_addr   = addr_q == LastFactor[stage_q][(rom_q < 16'd2) ? rom_q[1:0] : 2'd2][path_q];
  assign last_path   = 32'(path_q) == NumPaths - 1;
  assign last_rom    = rom_q == LastTable[stage_q];
  assign last_factor = last_addr && last_path && last_rom && 32'(stage_q) == NumStages - 1;

  always_comb begin
    state_d = state_q;
    good    = 1'b0;
    unique case (state_q)
      StModulus: begin
        state_d = !(modulus_fits && place_fits) ? StOver : (InvW != 0) ? StInverse : StRoot;
      end
      StInverse: state_d = StRoot;
      StRoot:    state_d = StFactors;
      StFactors: begin
        if (last_factor) state_d = StOver;
        good = last_factor && last_i;
      end
      default: state_d = StOver;
    endcase
    if (last_i) state_d = StModulus;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q  <= StModulus;
      first_q  <= 1'b1;
      load_q   <= 1'b0;
      pending_q <= 1'b0;
      place_q  <= '0;
      stage_q  <= '0;
      rom_q    <= '0;
      path_q   <= '0;
      addr_q   <= '0;
      loaded_q <= '0;
    end else if (en_i) begin
      if (pass) begin
        first_q <= last_i;
        load_q  <= load;
        place_q <= place;
      end
      if (take && good) pending_q <= 1'b1;
      if (checked) begin
        pending_q <= 1'b0;
        loaded_q[place_q] <= root_good;
      end
      if (take) begin
        state_q <= state_d;
        if (state_q == StModulus && place_fits) loaded_q[place] <= 1'b0;
        if (state_q == StModulus || last_i) begin
          stage_q <= '0;
          rom_q   <= '0;
          path_q  <= '0;
          addr_q  <= '0;
        end else if (state_q == StFactors) begin
          addr_q <= last_addr ? '0 : addr_q + BeatW'(1);
          if (last_addr) path_q <= last_path ? '0 : path_q + PathW'(1);
          if (last_addr && last_path) rom_q <= last_rom ? '0 : rom_q + 16'd1;
          if (last_addr && last_path && last_rom) stage_q <= stage_q + StageW'(1);
        end
      end
    end
  end

  ntf_loaded_root #(.W(W), .Squarings(Zeros - 1)) u_root (
    .clk_i, .rst_ni, .en_i,
    .start_i(take && state_q == StRoot),
    .q_i    (modulus_q),
    .root_i (word_i),
    .busy_o (root_busy),
    .good_o (root_good)
  );

  always_ff @(posedge clk_i) begin
    if (en_i && take && state_q == StModulus) modulus_q <= word_i;
  end

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // The status of the load. A refused modulus is the reason whatever the number of words.

  load_status_e status_q, status_d;
  logic         begins, begins_q, event_q;

  assign begins = take && state_q == StModulus;

  always_comb begin
    status_d = status_q;
    if (take) begin
      if (begins) begin
        status_d = !place_fits ? LoadPlace
                 : modulus_fits ? LoadUnderWay : word_i[0] ? LoadForm : LoadEven;
      end
      if (status_d == LoadUnderWay) begin
        if (state_q == StOver) status_d = LoadLong;
        else if (last_i && !good) status_d = LoadShort;
      end
    end else if (checked) begin
      status_d = root_good ? LoadReady : LoadRoot;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      status_q <= LoadNone;
      begins_q <= 1'b0;
      event_q  <= 1'b0;
    end else begin
      begins_q <= en_i && begins;
      event_q  <= en_i && (begins || status_d != status_q);
      if (en_i) status_q <= status_d;
    end
  end

  assign begins_o       = begins_q;
  assign event_o        = event_q;
  assign status_o       = status_q;
  assign status_place_o = place_q;
  assign modulus_o      = modulus_q;

  /////////////////////////////////////////////////////////////////////////////////////////////////
  // A register before the tables.

  logic                         write_mod_q;
  logic [15:0]                  write_rom_q;
  logic [PathW-1:0]             write_path_q;
  logic [BeatW-1:0]             write_addr_q;
  logic [W-1:0]                 write_data_q;
  logic [given_width(Moduli)-1:0] write_given;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      write_mod_q    <= 1'b0;
      write_factor_q <= '0;
    end else if (en_i) begin
      write_mod_q    <= take && (state_q == ((InvW != 0) ? StInverse : StModulus)) && place_fits;
      write_factor_q <= NumStages'(take && state_q == StFactors) << stage_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (en_i) begin
      write_place_q <= place;
      write_rom_q   <= rom_q;
      write_path_q  <= path_q;
      write_addr_q  <= addr_q;
      write_data_q  <= word_i;
    end
  end

  if (InvW == 0) begin : gen_no_inverse
    assign write_given = write_data_q[W-1:Zeros];
  end else begin : gen_inverse
    assign write_given = {write_data_q[InvW-1:0], modulus_q[W-1:Zeros]};
  end

  for (genvar s = 0; s < NumStages; s++) begin : gen_stage
    assign load_o[s] = {write_mod_q, write_factor_q[s], write_place_q, write_rom_q, write_path_q,
                        write_addr_q, write_given, write_data_q};
  end

endmodule
