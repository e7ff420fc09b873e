-- recycled-handle, variant default, queues 2, handles 2, slots 3
-- exported by fencepost; model 553e82f27faac4c7

const
  none: -1;

type
  PacketKind: enum { PacketKind_NONE, PacketKind_KERNEL, PacketKind_TRANSITION };
  Signal: enum { Signal_FREE, Signal_ARMED, Signal_COMPLETE };
  Handle: 0..1;
  Queue: scalarset(2);
  Slot: 0..2;
  MaybeHandle: -1..1;

var
  enabled: boolean;
  queues: array [Queue] of record
    packets: array [Slot] of record
      kind: PacketKind;
      waits_for: MaybeHandle;
    end;
    transition: MaybeHandle;
  end;
  barriers: array [Handle] of record
    signal: Signal;
    in_flight: array [Queue] of 0..3;
  end;

function as_Slot_in_dispatch(value: 0..3): Slot;
begin
  assert value <= 2 "range:dispatch/Slot";
  return value;
end;

-- count slot: Slot. queues[queue].packets[slot].kind != NONE
function count_slot(queue: Queue): 0..3;
var total: 0..3;
begin
  total := 0;
  for slot: Slot do
    total := total + (queues[queue].packets[slot].kind != PacketKind_NONE ? 1 : 0);
  end;
  return total;
end;

-- count slot: Slot. old queues[queue].packets[slot].kind != NONE
function count_slot2(old_queues_packets_kind: array [Queue] of array [Slot] of PacketKind; queue: Queue): 0..3;
var total: 0..3;
begin
  total := 0;
  for slot: Slot do
    total := total + (old_queues_packets_kind[queue][slot] != PacketKind_NONE ? 1 : 0);
  end;
  return total;
end;

function as_Handle_in_execute(value: -1..1): Handle;
begin
  assert value >= 0 "range:execute/Handle";
  return value;
end;

function as_Slot_in_execute(value: 1..3): Slot;
begin
  assert value <= 2 "range:execute/next";
  return value;
end;

-- count slot: Slot. queues[queue].packets[slot].kind == KERNEL
function count_slot3(queue: Queue): 0..3;
var total: 0..3;
begin
  total := 0;
  for slot: Slot do
    total := total + (queues[queue].packets[slot].kind = PacketKind_KERNEL ? 1 : 0);
  end;
  return total;
end;

-- count slot: Slot. queues[queue].packets[slot].kind == KERNEL
function count_slot4(queue2: Queue): 0..3;
var total: 0..3;
begin
  total := 0;
  for slot: Slot do
    total := total + (queues[queue2].packets[slot].kind = PacketKind_KERNEL ? 1 : 0);
  end;
  return total;
end;

function as_Handle_in_no_hang(value: -1..1): Handle;
begin
  assert value >= 0 "range:no-hang/Handle";
  return value;
end;

-- exists queue: Queue. queues[queue].packets[0].kind == KERNEL or queues[queue].packets[0].waits_for != none and barriers[queues[queue].packets[0].waits_for].signal != ARMED
function some_queue(): boolean;
var holds: boolean;
begin
  holds := false;
  for queue: Queue do
    if (queues[queue].packets[0].kind = PacketKind_KERNEL | (queues[queue].packets[0].waits_for != none & barriers[as_Handle_in_no_hang(queues[queue].packets[0].waits_for)].signal != Signal_ARMED)) then holds := true; end;
  end;
  return holds;
end;

startstate "initial"
  enabled := true;
  for queue: Queue do
    for slot: Slot do
      queues[queue].packets[slot].kind := PacketKind_NONE;
      queues[queue].packets[slot].waits_for := none;
    end;
    queues[queue].transition := none;
  end;
  for handle: Handle do
    barriers[handle].signal := Signal_FREE;
    for queue: Queue do
      barriers[handle].in_flight[queue] := 0;
    end;
  end;
end;

-- WriteInterceptor (by dispatcher, environment)
-- Push a kernel, or first the transition packet that the queue owes.
ruleset queue: Queue do
  rule "dispatch"
    -- room
    (queues[queue].packets[2].kind = PacketKind_NONE)
  ==>
  var
    old_queues_packets_kind: array [Queue] of array [Slot] of PacketKind;
  begin
    for queue2: Queue do
      for slot: Slot do
        old_queues_packets_kind[queue2][slot] := queues[queue2].packets[slot].kind;
      end;
    end;
    if queues[queue].transition = none then
      queues[queue].packets[as_Slot_in_dispatch(count_slot(queue))].kind := PacketKind_KERNEL;
      -- note: kernel on queue <queue>
    else
      -- note: transition packet on queue <queue>
      queues[queue].packets[as_Slot_in_dispatch(count_slot(queue))].kind := PacketKind_TRANSITION;
      queues[queue].packets[as_Slot_in_dispatch(count_slot2(old_queues_packets_kind, queue))].waits_for := queues[queue].transition;
      queues[queue].transition := none;
    end;
  end;
end;

-- HSA packet processor (by packet processor, progress)
-- Run or pass the head; a kernel that ends is counted off in every barrier that counted it.
ruleset queue: Queue do
  rule "execute"
    -- head can run
    (queues[queue].packets[0].kind = PacketKind_KERNEL | (queues[queue].packets[0].waits_for != none & barriers[as_Handle_in_execute(queues[queue].packets[0].waits_for)].signal != Signal_ARMED))
  ==>
  begin
    if queues[queue].packets[0].kind = PacketKind_KERNEL then
      for handle: Handle do
        if barriers[handle].in_flight[queue] > 0 then
          assert (barriers[handle].in_flight[queue] - 1) >= 0 "range:execute/barriers[].in_flight[]";
          barriers[handle].in_flight[queue] := barriers[handle].in_flight[queue] - 1;
        end;
      end;
    end;
    for slot: Slot do
      if slot != 2 then
        queues[queue].packets[slot].kind := queues[queue].packets[(slot = 2 ? 0 : as_Slot_in_execute(slot + 1))].kind;
        queues[queue].packets[slot].waits_for := queues[queue].packets[(slot = 2 ? 0 : as_Slot_in_execute(slot + 1))].waits_for;
      end;
    end;
    queues[queue].packets[2].kind := PacketKind_NONE;
    queues[queue].packets[2].waits_for := none;
  end;
end;

-- hsa_barrier::register_completion (by signal, progress)
-- Every kernel that the barrier counted has ended: the signal goes to 0.
ruleset handle: Handle do
  rule "complete"
    -- armed
    (barriers[handle].signal = Signal_ARMED)
    -- drained
    & forall queue: Queue do barriers[handle].in_flight[queue] = 0 end
  ==>
  begin
    -- note: CLEARED(0)
    barriers[handle].signal := Signal_COMPLETE;
  end;
end;

-- profiler_serializer::disable (by serializer, environment)
-- Disable serialization while no kernel runs: no barrier is needed.
rule "disable_idle"
  -- enabled
  enabled
  -- idle
  & (!exists queue: Queue do count_slot3(queue) > 0 end)
==>
begin
  enabled := false;
end;

-- profiler_serializer::disable (by serializer, environment)
-- Disable serialization: arm a barrier on the kernels in flight; queues beside a busy one must wait for it.
ruleset handle: Handle do
  rule "disable"
    -- enabled
    enabled
    -- busy
    & exists queue: Queue do count_slot3(queue) > 0 end
    -- handle free
    & (barriers[handle].signal = Signal_FREE)
    -- lowest free handle
    & forall handle2: Handle do handle2 < handle -> barriers[handle2].signal != Signal_FREE end
  ==>
  begin
    enabled := false;
    barriers[handle].signal := Signal_ARMED;
    -- note: ARMED(1)
    for queue: Queue do
      barriers[handle].in_flight[queue] := count_slot3(queue);
      if exists queue2: Queue do queue2 != queue & count_slot4(queue2) > 0 end then
        queues[queue].transition := handle;
      end;
    end;
  end;
end;

-- profiler_serializer::enable (by serializer, environment)
-- Enable serialization: destroy the handles that are complete and, as fixed, no longer referred to.
rule "enable"
  -- disabled
  (!enabled)
==>
begin
  enabled := true;
  for handle: Handle do
    if barriers[handle].signal = Signal_COMPLETE & !exists queue: Queue do exists slot: Slot do queues[queue].packets[slot].waits_for = handle end end then
      -- note: DESTROYED
      barriers[handle].signal := Signal_FREE;
      for queue: Queue do
        if queues[queue].transition = handle then
          queues[queue].transition := none;
        end;
      end;
    end;
  end;
end;

-- A handle that a packet in a queue waits for is not destroyed.
invariant "no-handle-destroyed-while-referenced"
  forall handle: Handle do exists queue: Queue do exists slot: Slot do queues[queue].packets[slot].waits_for = handle end end -> barriers[handle].signal != Signal_FREE end;

-- While a packet lies in some queue, some step other than the application's can be taken.
invariant "no-hang"
  exists queue: Queue do queues[queue].packets[0].kind != PacketKind_NONE end -> (some_queue() | exists handle: Handle do barriers[handle].signal = Signal_ARMED & forall queue: Queue do barriers[handle].in_flight[queue] = 0 end end);
