// Drives the cache with MSHRs from both requesters, checks what it does, and reads the
// monitor as software would. The same in Icarus and Verilator, byte by byte.
// SPDX-License-Identifier: MIT OR Apache-2.0
//
//   +seed=N       of all that is random [1]
//   +stress=N     requests of the first part [4000]: few lines, one line, one set,
//                 invalidations, memory slow and fast; cache and monitor are compared
//   +requests=N   requests of the second part [6000], after a flush and a snapshot:
//                 four kernels, what they do is counted
//   +footprint=N  lines that K1 uses again and again, in % of the cache [50]
//   +trace=NAME   instead of these, NAME.0 and NAME.1: what each requester asks,
//                 lines "kernel R|W address", the address in hexadecimal
//   +inorder      memory gives lines back in the order in which they were asked
//   +out=NAME     NAME.csv: what the cache did in the second part, in its order;
//                 NAME.counters: what the monitor counted of it
//
// What is checked: the data of each read against the order in which requests were
// taken; one response per request; memory as it is at the end; that no line is asked
// of memory twice at a time; with LRU the monitor's answer to each access, and that it
// counted the fills and evictions that memory and cache have seen. With pseudo-LRU the
// difference is printed. The last line says PASS or FAIL.
`default_nettype none

module testbench #(
    parameter WAYS = 4,
    parameter SETS = 64,
    parameter TAG_W = 36,
    parameter CNT_W = 21,
    parameter STAGES = 1,
    parameter LINE = 32,
    parameter MSHRS = 8,
    parameter TARGETS = 4,
    parameter QUEUE = 8,
    parameter POLICY = 0
`ifdef VERILATOR
) (
    input wire clock
`endif
);
  localparam KERNELS = 4, KID_W = 2, REQ_W = 3, ID_W = 4, IDS = 1 << ID_W;
  localparam OFFSET_W = $clog2(LINE), MSHR_W = $clog2(MSHRS);
  localparam ADDRESS_W = TAG_W + $clog2(SETS) + OFFSET_W;
  localparam LINES = 65536;

`ifndef VERILATOR
  reg clock = 1'b0;
  always #5 clock = !clock;
`endif

  // ---- The design.
  reg reset = 1'b1, flush = 1'b0, snapshot = 1'b0;
  reg [1:0] valid = 2'b00, write;
  reg [2*ADDRESS_W-1:0] address;
  reg [63:0] data;
  reg [7:0] strobe;
  reg [2*REQ_W-1:0] source;
  reg [2*ID_W-1:0] id;
  reg invalidate = 1'b0;
  reg [ADDRESS_W-1:0] invalidate_address;
  reg memory_ready = 1'b0, fill_valid = 1'b0;
  reg [MSHR_W-1:0] fill_id;
  reg [8*LINE-1:0] fill_data;
  reg [1:0] read_matrix = 0;
  reg [KID_W-1:0] read_victim = 0, read_aggressor = 0;
  wire ready, invalidate_ready, memory_valid, memory_write, fill_ready, invalidated;
  wire [1:0] taken, response;
  wire [ID_W-1:0] response_id;
  wire [31:0] response_data, memory_data;
  wire [ADDRESS_W-1:0] memory_address, evict_address;
  wire [MSHR_W-1:0] memory_id;
  wire [3:0] memory_strobe;
  wire evict_valid, accept, accept_miss, accept_merge, refused, overflow;
  wire [2:0] refuse;
  wire [REQ_W-1:0] accept_source;
  wire [CNT_W-1:0] read_count;
  wire done_valid, agrees, same_hit;

  monitored_nonblocking_cache #(
      .WAYS(WAYS), .KERNELS(KERNELS), .SETS(SETS), .TAG_W(TAG_W), .CNT_W(CNT_W), .LINE(LINE),
      .ID_W(ID_W), .MSHRS(MSHRS), .TARGETS(TARGETS), .QUEUE(QUEUE), .POLICY(POLICY)
  ) dut (
      .clock(clock), .reset(reset), .ready(ready), .flush(flush),
      .request_valid(valid), .request_ready(taken), .request_write(write),
      .request_address(address), .request_data(data), .request_strobe(strobe),
      .request_source(source), .request_id(id), .response_valid(response),
      .response_id(response_id), .response_data(response_data),
      .invalidate_valid(invalidate), .invalidate_ready(invalidate_ready),
      .invalidate_address(invalidate_address), .memory_valid(memory_valid),
      .memory_ready(memory_ready), .memory_write(memory_write),
      .memory_address(memory_address), .memory_id(memory_id), .memory_data(memory_data),
      .memory_strobe(memory_strobe), .fill_valid(fill_valid), .fill_ready(fill_ready),
      .fill_id(fill_id), .fill_data(fill_data), .invalidated(invalidated),
      .evict_valid(evict_valid), .evict_address(evict_address), .accept(accept),
      .accept_miss(accept_miss), .accept_merge(accept_merge), .refused(refused),
      .refuse(refuse), .accept_source(accept_source), .snapshot(snapshot),
      .read_matrix(read_matrix), .read_victim(read_victim), .read_aggressor(read_aggressor),
      .read_count(read_count), .overflow(overflow), .done_valid(done_valid),
      .same_hit(same_hit), .agrees(agrees)
  );

  // ---- Random numbers, the same everywhere (xorshift): one call per statement, since
  // simulators evaluate the second operand of && or not.
  reg [31:0] random_state;
  function [31:0] random;
    input [31:0] below;
    begin
      random_state = random_state ^ (random_state << 13);
      random_state = random_state ^ (random_state >> 17);
      random_state = random_state ^ (random_state << 5);
      random = random_state % below;
    end
  endfunction

  integer errors = 0, shown = 0;
  task fail(input [8*60-1:0] what, input [63:0] got, input [63:0] wanted);
    begin
      errors = errors + 1;
      shown = shown + 1;
      if (shown <= 20)
        $display("cycle %0d: %0s: %h, expected %h", now, what, got, wanted);
    end
  endtask

  // ---- Lines, found by address: what memory holds, what reads are to give once all that
  // was taken is done, who used it last in the cache, and that it has just come.
  reg [LINES-1:0] known = 0, came = 0, asked = 0;
  reg [ADDRESS_W-1:0] line_address [0:LINES-1];
  reg [8*LINE-1:0] line_memory [0:LINES-1], line_expected [0:LINES-1];
  reg [KID_W-1:0] line_owner [0:LINES-1];
  integer at, lines_known = 0, n;
  reg [ADDRESS_W-1:0] base;
  task find(input [ADDRESS_W-1:0] of);
    begin
      base = of >> OFFSET_W << OFFSET_W;
      at = (base >> OFFSET_W) % LINES;
      while (known[at] && line_address[at] != base) at = (at + 1) % LINES;
      if (!known[at]) begin
        lines_known = lines_known + 1;
        if (lines_known == LINES) begin
          $display("FAIL: more than %0d lines", LINES - 1);
          $finish;
        end
        known[at] = 1'b1;
        line_address[at] = base;
        for (n = 0; n < LINE / 4; n = n + 1)
          line_memory[at][32*n +: 32] = (base[31:0] + 4 * n) * 32'h9e3779b1;
        line_expected[at] = line_memory[at];
        line_owner[at] = 0;
      end
    end
  endtask

  // ---- What each requester has asked for, by requester and number.
  reg [2*IDS-1:0] open = 0, open_write;
  reg [ADDRESS_W-1:0] open_address [0:2*IDS-1];
  reg [31:0] open_data [0:2*IDS-1];
  reg [KID_W-1:0] open_kernel [0:2*IDS-1];
  integer left [0:1];

  // The next request of each: kernel, what, and where.
  integer p, slot, mode = 0, mode_left = 0, trace_file [0:1], fields;
  integer position [0:KERNELS-1];
  reg [8*8-1:0] op;
  reg [ADDRESS_W-1:0] next_address;
  integer kernel, chance, random_place = 0;
  reg next_write, tracing = 1'b0;
  task random_line;
    begin
      next_address = random(2 * WAYS);
      chance = random(4);
      next_address = (next_address * SETS + chance) * LINE;
    end
  endtask
  task stress;
    begin
      kernel = random(KERNELS);
      next_write = random(3) == 0;
      if (mode_left == 0) begin
        mode = random(5);
        mode_left = 64;
      end
      mode_left = mode_left - 1;
      case (mode)
        // Few lines of few sets, one line, one set without end, all sets, both.
        0, 4: random_line;
        1: next_address = (position[0] % 7 * SETS + 1) * LINE;
        2: next_address = (100 + position[0] % 1000) * SETS * LINE;
        default: next_address = (SETS * 4 * WAYS + position[0] % (SETS * 8)) * LINE;
      endcase
      if (mode != 1 || mode_left == 0) position[0] = position[0] + 1;
      chance = random(8);
      if (mode == 4 && chance == 0) next_address = next_address + SETS * 64 * LINE;
      next_address = next_address + 4 * random(LINE / 4);
    end
  endtask
  // K0 uses a quarter of the cache again and again, word by word; K1 more of it, in random
  // order, two words of a line;
  // K2 reads every set and reuses nothing, seldom; K3 the same in two sets.
  task kernels(input integer of);
    begin
      kernel = 2 * of + random(2);
      chance = random(3);
      // Of the seldom ones a third.
      if (of == 1 && chance != 0) kernel = kernel - 2;
      next_write = random(4) == 0;
      position[kernel] = position[kernel] + 1;
      if (position[1] % 2 == 1) random_place = random(SETS * WAYS * footprint / 100);
      case (kernel)
        0: next_address = 32'h100000 + position[0] % (SETS * WAYS * LINE / 4 / 4) * 4;
        1: next_address = 32'h200000 + random_place * LINE + position[1] % 2 * 4;
        2: next_address = 32'h4000000 + position[2] * LINE;
        default: next_address = 32'h8000000 + (position[3] / 2 * SETS + position[3] % 2) * LINE;
      endcase
    end
  endtask

  // ---- Memory: does what it takes in order; a line comes back after a while.
  reg [MSHRS-1:0] memory_open = 0;
  reg [8*LINE-1:0] memory_line [0:MSHRS-1];
  reg [ADDRESS_W-1:0] memory_of [0:MSHRS-1];
  integer memory_due [0:MSHRS-1], memory_turn [0:MSHRS-1];
  integer now = 0, turn = 0, given = 0, first_turn = 0, latency = 20, speed = 2, pick, m, b;
  reg inorder;

  // ---- What is counted here: from responses and memory, not from the monitor.
  integer requests = 0, earlier = 0, accepted = 0, done = 0, compared = 0, differ = 0, hits_differ = 0;
  integer merges = 0, misses = 0, no_mshr = 0, mshr_full = 0, queue_full = 0, evictions = 0;
  integer invalidations = 0, overtaken = 0, contended = 0;
  integer own_access [0:KERNELS-1], own_miss [0:KERNELS-1];
  integer own_ike [0:KERNELS*KERNELS-1];
  integer victim_owner = -1, k, v, a;

  localparam RESET = 0, STRESS = 1, EMPTY = 2, KERNEL = 3, READ = 4;
  integer part = RESET, footprint, wait_for = 0, stressed, seed, want, csv, counters, reading = -8;
  integer got [0:5*KERNELS*KERNELS];
  reg [8*400-1:0] trace, out;
  reg [8*410-1:0] name;

  initial begin
    if (!$value$plusargs("seed=%d", seed)) seed = 1;
    random_state = seed * 32'h9e3779b1 + 32'd1;
    if (random_state == 0) random_state = 1;
    if (!$value$plusargs("stress=%d", stressed)) stressed = 4000;
    left[0] = stressed - stressed / 2;
    left[1] = stressed / 2;
    if (!$value$plusargs("requests=%d", want)) want = 6000;
    if (!$value$plusargs("footprint=%d", footprint)) footprint = 50;
    inorder = $test$plusargs("inorder");
    if ($value$plusargs("trace=%s", trace)) begin
      tracing = 1'b1;
      for (p = 0; p < 2; p = p + 1) begin
        $sformat(name, "%0s.%0d", trace, p);
        trace_file[p] = $fopen(name, "r");
        if (trace_file[p] == 0) begin
          $display("FAIL: %0s cannot be opened", name);
          $finish;
        end
      end
    end
    if (!$value$plusargs("out=%s", out)) out = "nonblocking";
    $sformat(name, "%0s.csv", out);
    csv = $fopen(name, "w");
    $sformat(name, "%0s.counters", out);
    counters = $fopen(name, "w");
    $fwrite(csv, "kernel,op,address\n");
    for (k = 0; k < KERNELS; k = k + 1) begin
      own_access[k] = 0;
      own_miss[k] = 0;
      position[k] = 0;
    end
    for (k = 0; k < KERNELS * KERNELS; k = k + 1) own_ike[k] = 0;
  end

  // ---- A cycle: first what the design did in it, then what it is given for the next.
  // Responses, before anything that the cache decides later.
  task responses;
    for (p = 0; p < 2; p = p + 1)
      if (response[p]) begin
        slot = p * IDS + response_id;
        done = done + 1;
        if (!open[slot]) fail("a response to nothing, number", response_id, 0);
        open[slot] = 1'b0;
        if (!open_write[slot] && response_data !== open_data[slot])
          fail("data read", response_data, open_data[slot]);
        find(open_address[slot]);
        kernel = open_kernel[slot];
        if (came[at]) begin
          if (part == KERNEL) begin
            own_miss[kernel] = own_miss[kernel] + 1;
            if (victim_owner >= 0)
              own_ike[victim_owner*KERNELS+kernel] = own_ike[victim_owner*KERNELS+kernel] + 1;
          end
          came[at] = 1'b0;
          victim_owner = -1;
        end
        line_owner[at] = kernel;
        if (part == KERNEL) begin
          own_access[kernel] = own_access[kernel] + 1;
          $fwrite(csv, "%0d,%s,0x%0h\n", kernel, open_write[slot] ? "W" : "R", open_address[slot]);
        end
      end
  endtask

  task statistics;
    if (part != RESET) begin
      if (evict_valid) begin
        evictions = evictions + 1;
        find(evict_address);
        victim_owner = line_owner[at];
      end
      accepted = accepted + {31'b0, accept};
      misses = misses + accept_miss;
      merges = merges + accept_merge;
      no_mshr = no_mshr + refuse[0];
      mshr_full = mshr_full + refuse[1];
      queue_full = queue_full + refuse[2];
      invalidations = invalidations + invalidated;
      contended = contended + (valid == 2'b11 && taken != 0);
      if (accept && refused) fail("accepted and refused", 1, 0);
      if (refuse != 0 && !refused) fail("a refusal that is none", refuse, 0);
      if (done_valid) compared = compared + 1;
      if (part == KERNEL && !same_hit) hits_differ = hits_differ + 1;
      if (agrees !== 1'b1) begin
        differ = differ + 1;
        if (POLICY == 0) begin
          if (differ <= 3) fail("cache and monitor differ; access", compared, 0);
          else errors = errors + 1;
        end
      end
    end
  endtask

  task memory;
    begin
      if (memory_valid && memory_ready) begin
        find(memory_address);
        if (memory_write) begin
          for (b = 0; b < 4; b = b + 1)
            if (memory_strobe[b])
              line_memory[at][8*(memory_address[OFFSET_W-1:0]+b) +: 8] = memory_data[8*b +: 8];
        end else begin
          if (asked[at]) fail("a line that is on its way asked for", memory_address, 0);
          if (memory_open[memory_id]) fail("an MSHR that is in use", memory_id, 0);
          asked[at] = 1'b1;
          memory_open[memory_id] = 1'b1;
          memory_line[memory_id] = line_memory[at];
          memory_of[memory_id] = memory_address;
          memory_due[memory_id] = now + latency / 2 + random(latency + 1);
          memory_turn[memory_id] = turn;
          turn = turn + 1;
        end
      end
      if (fill_valid && fill_ready) begin
        find(memory_of[fill_id]);
        asked[at] = 1'b0;
        came[at] = 1'b1;
        memory_open[fill_id] = 1'b0;
        for (m = 0; m < MSHRS; m = m + 1)
          if (memory_open[m] && memory_turn[m] < memory_turn[fill_id]) overtaken = overtaken + 1;
      end
      if (!fill_valid || fill_ready) begin
        fill_valid <= 1'b0;
        first_turn = turn;
        for (m = 0; m < MSHRS; m = m + 1)
          if (memory_open[m] && memory_turn[m] < first_turn) first_turn = memory_turn[m];
        pick = random(MSHRS);
        for (m = 0; m < MSHRS; m = m + 1) begin
          k = (pick + m) % MSHRS;
          if (memory_open[k] && memory_due[k] <= now && (!inorder || memory_turn[k] == first_turn))
          begin
            fill_valid <= 1'b1;
            fill_id <= k;
            fill_data <= memory_line[k];
          end
        end
      end
      chance = random(400);
      if (part == STRESS && chance == 0) begin
        latency = 2 << random(6);
        speed = 1 + random(6);
      end
      memory_ready <= random(speed) == 0;
    end
  endtask

  task requesters;
    for (p = 0; p < 2; p = p + 1) begin
      if (valid[p] && taken[p]) begin
        requests = requests + 1;
        slot = p * IDS + id[p*ID_W +: ID_W];
        find(address[p*ADDRESS_W +: ADDRESS_W]);
        b = address[p*ADDRESS_W +: OFFSET_W];
        open_data[slot] = line_expected[at] >> 8 * b;
        if (write[p])
          for (m = 0; m < 4; m = m + 1)
            if (strobe[4*p+m]) line_expected[at][8*(b+m) +: 8] = data[32*p+8*m +: 8];
      end
      if (!valid[p] || taken[p]) begin
        valid[p] <= 1'b0;
        slot = p * IDS + random(IDS);
        chance = random(8);
        if ((part == STRESS || part == KERNEL) && left[p] != 0 && !open[slot] && chance != 0)
        begin
          if (part == STRESS) stress;
          else if (!tracing) kernels(p);
          else begin
            fields = $fscanf(trace_file[p], "%d %s %h", kernel, op, next_address);
            next_write = op[7:0] == "W";
            if (fields != 3) left[p] = 0;
          end
          if (left[p] != 0) begin
            left[p] = left[p] - 1;
            valid[p] <= 1'b1;
            write[p] <= next_write;
            address[p*ADDRESS_W +: ADDRESS_W] <= {next_address[ADDRESS_W-1:2], 2'b00};
            data[32*p +: 32] <= random(32'hffffffff);
            strobe[4*p +: 4] <= 1 + random(15);
            source[p*REQ_W +: REQ_W] <= kernel;
            id[p*ID_W +: ID_W] <= slot;
            open[slot] = 1'b1;
            open_write[slot] = next_write;
            open_address[slot] = {next_address[ADDRESS_W-1:2], 2'b00};
            open_kernel[slot] = kernel;
          end
        end
      end
    end
  endtask

  // What the monitor counted beside what was counted here.
  task drift(input [8*10-1:0] what, input integer of, input integer monitor, input integer own);
    $display("%0s of K%0d: monitor %0d, cache %0d", what, of, monitor, own);
  endtask

  integer sum, own;
  task results;
    begin
      for (k = 0; k < KERNELS; k = k + 1) begin
        $fwrite(counters, "hits %0d %0d\n", k, got[2*16+k]);
        $fwrite(counters, "misses %0d %0d\n", k, got[2*16+4+k]);
        if (got[2*16+k] + got[2*16+4+k] !== own_access[k])
          fail("accesses counted, of a kernel", got[2*16+k] + got[2*16+4+k], own_access[k]);
        if (POLICY == 0 && got[2*16+4+k] !== own_miss[k])
          fail("misses counted, fills of the cache", got[2*16+4+k], own_miss[k]);
      end
      for (v = 0; v < KERNELS; v = v + 1)
        for (a = 0; a < KERNELS; a = a + 1) begin
          $fwrite(counters, "gdc %0d %0d %0d\n", v, a, got[4*v+a]);
          $fwrite(counters, "ike %0d %0d %0d\n", v, a, got[16+4*v+a]);
          if (POLICY == 0 && got[16+4*v+a] !== own_ike[4*v+a])
            fail("evictions counted, of the cache", got[16+4*v+a], own_ike[4*v+a]);
        end
      if (POLICY != 0) begin
        $display("hit or miss differ %0d of %0d", hits_differ, requests - earlier);
        for (k = 0; k < KERNELS; k = k + 1) begin
          drift("misses", k, got[2*16+4+k], own_miss[k]);
          sum = 0;
          own = 0;
          for (a = 0; a < KERNELS; a = a + 1) begin
            sum = sum + got[16+4*k+a];
            own = own + own_ike[4*k+a];
          end
          drift("evictions", k, sum, own);
        end
      end
      for (k = 0; k < LINES; k = k + 1)
        if (known[k] && line_memory[k] !== line_expected[k])
          fail("memory at the end, of line", line_address[k], 0);
      if (accepted !== requests) fail("requests accepted", accepted, requests);
      if (done !== requests) fail("responses", done, requests);
      if (compared !== requests) fail("accesses that the monitor heard", compared, requests);
      if (overflow !== 1'b0) fail("a counter saturated", 1, 0);
      $display("%0d requests of seed %0d: %0d misses, %0d merged, %0d evictions, %0d invalidations",
               requests, seed, misses, merges, evictions, invalidations);
      $display("refused: no MSHR %0d, MSHR full %0d, queue full %0d times; %0d lines overtaken",
               no_mshr, mshr_full, queue_full, overtaken);
      $display("cache and monitor compared at %0d accesses: %0d cycles differ", compared, differ);
      // A test of nothing would pass, too.
      if (requests == 0 || misses == 0 || evictions == 0)
        fail("requests, misses or evictions", 0, 1);
      if (stressed != 0 && (merges == 0 || no_mshr == 0 || mshr_full == 0 || queue_full == 0 ||
          invalidations == 0 || contended == 0 || (!inorder && overtaken == 0)))
        fail("a case that did not occur", 0, 1);
      $fclose(csv);
      $fclose(counters);
      $display("%0s", errors == 0 ? "PASS" : "FAIL");
      $finish;
    end
  endtask

  // Parts follow each other when nothing is open and the monitor has counted all.
  task parts;
    begin
      flush <= 1'b0;
      snapshot <= 1'b0;
      if (left[0] != 0 || left[1] != 0 || open != 0 || memory_valid || !ready) wait_for = 0;
      else wait_for = wait_for + 1;
      if (part == RESET) begin
        reset <= now < 2;
        if (now > 4 && ready) part = STRESS;
      end else if (part == STRESS && wait_for == 5 + STAGES) begin
        flush <= 1'b1;
        part = EMPTY;
        wait_for = -4;
      end else if (part == EMPTY && wait_for == 1) begin
        snapshot <= 1'b1;
        part = KERNEL;
        earlier = requests;
        left[0] = tracing ? -1 : want - want / 2;
        left[1] = tracing ? -1 : want / 2;
        latency = 30;
        speed = 2;
      end else if (part == KERNEL && wait_for == 5 + STAGES) begin
        snapshot <= 1'b1;
        part = READ;
      end else if (part == READ) begin
        // Addressed in one cycle, shown two later.
        reading = reading + 1;
        read_matrix <= reading / 4 / 16;
        read_victim <= reading / 4 / 4;
        read_aggressor <= reading / 4;
        if (reading % 4 == 3) got[reading/4] = read_count;
        if (reading / 4 == 3 * 16) results;
      end
      chance = random(16);
      invalidate <= part == STRESS && (invalidate && !invalidate_ready || chance == 0);
      random_line;
      if (!invalidate || invalidate_ready) invalidate_address <= next_address;
      now = now + 1;
      if (now > 100 * (requests + 1000)) begin
        $display("FAIL: nothing goes on; requests %0d, done %0d", requests, done);
        $finish;
      end
    end
  endtask

  always @(posedge clock) begin
    responses;
    statistics;
    memory;
    requesters;
    parts;
  end
endmodule
`default_nettype wire
