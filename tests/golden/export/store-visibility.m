-- store-visibility, variant default, cores 2, handles 2, queues 1, slots 2, places 4
-- with barriers, copy, hdp
-- exported by fencepost; model c13d23bc375fc088

const
  none: -1;

type
  Life: enum { Life_COMPLETE, Life_STORED, Life_ARMED, Life_USED };
  PacketPart: enum { PacketPart_HEADER, PacketPart_BODY };
  Pc: enum { Pc_IDLE, Pc_FLUSH, Pc_RESERVED, Pc_FLUSH_ADD, Pc_BODY, Pc_HEADER, Pc_COPY };
  SlotPhase: enum { SlotPhase_FREE, SlotPhase_RESERVED, SlotPhase_VALID, SlotPhase_LAUNCHED };
  BusPlace: 0..3;
  Core: scalarset(2);
  Handle: 0..1;
  HwQueue: 0..0;
  PacketSlot: 0..1;
  MaybeHandle: -1..1;
  MaybeHwQueue: -1..0;
  SetOfHandle: 0..3;
  SetOfPacketSlot: 0..3;

var
  device: record
    cores: array [Core] of record
      signals: SetOfHandle;
      bodies: array [HwQueue] of SetOfPacketSlot;
      headers: array [HwQueue] of SetOfPacketSlot;
    end;
    posted: array [BusPlace] of record
      signal: MaybeHandle;
      above_one: -1..1;
      queue: MaybeHwQueue;
      slot: PacketSlot;
      writes: PacketPart;
    end;
    decremented_unarmed: boolean;  -- ghost
    signals: array [Handle] of record
      life: Life;
      value2: -1..2;
      running: boolean;
      queue: HwQueue;
      dep: MaybeHandle;
    end;
    rings: array [HwQueue] of record
      slots: array [PacketSlot] of record
        phase: SlotPhase;
        rung: boolean;
        signal: Handle;
        dep: MaybeHandle;
      end;
      head: PacketSlot;
      tail: PacketSlot;
    end;
    torn_launch: boolean;  -- ghost
    slot_overwritten: boolean;  -- ghost
    packet_passed_early: boolean;  -- ghost
  end;
  producers: array [Core] of record
    pc: Pc;
    stored: SetOfHandle;
    queue: HwQueue;
    slot: PacketSlot;
    signal: Handle;
    launched: boolean;
  end;
  copy: record
    signal: MaybeHandle;
    dep: MaybeHandle;
    submitted: boolean;
  end;
  host_passed_early: boolean;  -- ghost

function SetOfHandle_bit(item: Handle): 1..2;
begin
  if item = 0 then return 1; end;
  return 2;
end;

function SetOfHandle_has(members: SetOfHandle; item: Handle): boolean;
begin
  return (members / SetOfHandle_bit(item)) % 2 = 1;
end;

function SetOfHandle_removing(members: SetOfHandle; item: Handle): SetOfHandle;
begin
  return (members / SetOfHandle_bit(item)) % 2 = 1 ? members - SetOfHandle_bit(item) : members;
end;

function SetOfPacketSlot_bit(item: PacketSlot): 1..2;
begin
  if item = 0 then return 1; end;
  return 2;
end;

function SetOfPacketSlot_has(members: SetOfPacketSlot; item: PacketSlot): boolean;
begin
  return (members / SetOfPacketSlot_bit(item)) % 2 = 1;
end;

function SetOfPacketSlot_removing(members: SetOfPacketSlot; item: PacketSlot): SetOfPacketSlot;
begin
  return (members / SetOfPacketSlot_bit(item)) % 2 = 1 ? members - SetOfPacketSlot_bit(item) : members;
end;

function SetOfHandle_adding(members: SetOfHandle; item: Handle): SetOfHandle;
begin
  return (members / SetOfHandle_bit(item)) % 2 = 1 ? members : members + SetOfHandle_bit(item);
end;

function SetOfPacketSlot_adding(members: SetOfPacketSlot; item: PacketSlot): SetOfPacketSlot;
begin
  return (members / SetOfPacketSlot_bit(item)) % 2 = 1 ? members : members + SetOfPacketSlot_bit(item);
end;

function as_BusPlace_in_signal_leaves(value: 0..4): BusPlace;
begin
  assert value <= 3 "range:signal_leaves/BusPlace";
  return value;
end;

-- count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue != none
function count_busplace(): 0..4;
var total: 0..4;
begin
  total := 0;
  for busplace: BusPlace do
    total := total + ((device.posted[busplace].signal = none -> device.posted[busplace].queue != none) ? 1 : 0);
  end;
  return total;
end;

-- count busplace: BusPlace. device.posted[busplace].signal then == none implies device.posted[busplace].queue != none
function count_busplace2(device_posted_signal_then: array [BusPlace] of MaybeHandle): 0..4;
var total: 0..4;
begin
  total := 0;
  for busplace: BusPlace do
    total := total + ((device_posted_signal_then[busplace] = none -> device.posted[busplace].queue != none) ? 1 : 0);
  end;
  return total;
end;

function as_BusPlace_in_body_leaves(value: 0..4): BusPlace;
begin
  assert value <= 3 "range:body_leaves/BusPlace";
  return value;
end;

-- count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue then != none
function count_busplace3(device_posted_queue_then: array [BusPlace] of MaybeHwQueue): 0..4;
var total: 0..4;
begin
  total := 0;
  for busplace: BusPlace do
    total := total + ((device.posted[busplace].signal = none -> device_posted_queue_then[busplace] != none) ? 1 : 0);
  end;
  return total;
end;

function as_BusPlace_in_header_leaves(value: 0..4): BusPlace;
begin
  assert value <= 3 "range:header_leaves/BusPlace";
  return value;
end;

function dead_device_posted_above_one_in_store_lands(): -1..1;
begin
  error "dead:store_lands/device.posted[].above_one";
  return 0;
end;

function as_Handle_in_store_lands(value: -1..1): Handle;
begin
  assert value >= 0 "range:store_lands/Handle";
  return value;
end;

function as_BusPlace_in_store_lands(value: 1..4): BusPlace;
begin
  assert value <= 3 "range:store_lands/next";
  return value;
end;

-- count handle: Handle. handle in device.cores[core].signals
function count_handle(core: Core): 0..2;
var total: 0..2;
begin
  total := 0;
  for handle: Handle do
    total := total + (SetOfHandle_has(device.cores[core].signals, handle) ? 1 : 0);
  end;
  return total;
end;

-- count packetslot: PacketSlot. packetslot in device.cores[core].bodies[hwqueue]
function count_packetslot(core: Core; hwqueue: HwQueue): 0..2;
var total: 0..2;
begin
  total := 0;
  for packetslot: PacketSlot do
    total := total + (SetOfPacketSlot_has(device.cores[core].bodies[hwqueue], packetslot) ? 1 : 0);
  end;
  return total;
end;

-- count packetslot: PacketSlot. packetslot in device.cores[core].headers[hwqueue]
function count_packetslot2(core: Core; hwqueue: HwQueue): 0..2;
var total: 0..2;
begin
  total := 0;
  for packetslot: PacketSlot do
    total := total + (SetOfPacketSlot_has(device.cores[core].headers[hwqueue], packetslot) ? 1 : 0);
  end;
  return total;
end;

-- sum hwqueue: HwQueue. (count packetslot: PacketSlot. packetslot in device.cores[core].bodies[hwqueue]) + (count packetslot: PacketSlot. packetslot in device.cores[core].headers[hwqueue])
function sum_hwqueue(core: Core): 0..4;
var total: 0..4;
begin
  total := 0;
  for hwqueue: HwQueue do
    total := total + (count_packetslot(core, hwqueue) + count_packetslot2(core, hwqueue));
  end;
  return total;
end;

-- count busplace: BusPlace. not (device.posted[busplace].signal == none implies device.posted[busplace].queue != none)
function count_busplace4(): 0..4;
var total: 0..4;
begin
  total := 0;
  for busplace: BusPlace do
    total := total + ((!(device.posted[busplace].signal = none -> device.posted[busplace].queue != none)) ? 1 : 0);
  end;
  return total;
end;

function as_BusPlace_in_fence_stores(value: 0..4): BusPlace;
begin
  assert value <= 3 "range:fence_stores/BusPlace";
  return value;
end;

-- count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue then 2 != none
function count_busplace5(device_posted_queue_then_2: array [BusPlace] of MaybeHwQueue): 0..4;
var total: 0..4;
begin
  total := 0;
  for busplace: BusPlace do
    total := total + ((device.posted[busplace].signal = none -> device_posted_queue_then_2[busplace] != none) ? 1 : 0);
  end;
  return total;
end;

function dead_device_posted_above_one_in_see_complete(): -1..1;
begin
  error "dead:see_complete/device.posted[].above_one";
  return 0;
end;

-- sum busplace: BusPlace. device.posted[busplace].above_one if device.posted[busplace].signal == handle and not (exists busplace2: BusPlace. busplace < busplace2 and device.posted[busplace2].signal == handle) else 0
function sum_busplace(handle: Handle): -4..4;
var total: -4..4;
begin
  total := 0;
  for busplace: BusPlace do
    total := total + ((device.posted[busplace].signal = handle & !exists busplace2: BusPlace do busplace < busplace2 & device.posted[busplace2].signal = handle end) ? (device.posted[busplace].signal != none ? device.posted[busplace].above_one : dead_device_posted_above_one_in_see_complete()) : 0);
  end;
  return total;
end;

function as_Handle_in_reserve(value: -1..1): Handle;
begin
  assert value >= 0 "range:reserve/Handle";
  return value;
end;

-- exists core: Core. (producers[core].pc == RESERVED or producers[core].pc == FLUSH_ADD or producers[core].pc == BODY or producers[core].pc == HEADER) and producers[core].signal == dep
function some_core(dep: MaybeHandle): boolean;
var holds: boolean;
begin
  holds := false;
  for core2: Core do
    if ((producers[core2].pc = Pc_RESERVED | producers[core2].pc = Pc_FLUSH_ADD | producers[core2].pc = Pc_BODY | producers[core2].pc = Pc_HEADER) & producers[core2].signal = as_Handle_in_reserve(dep)) then holds := true; end;
  end;
  return holds;
end;

function as_PacketSlot_in_reserve(value: 1..2): PacketSlot;
begin
  assert value <= 1 "range:reserve/next";
  return value;
end;

function as_BusPlace_in_write_header(value: 0..4): BusPlace;
begin
  assert value <= 3 "range:write_header/BusPlace";
  return value;
end;

function as_BusPlace_in_ring_doorbell(value: 0..4): BusPlace;
begin
  assert value <= 3 "range:ring_doorbell/BusPlace";
  return value;
end;

function dead_producers_launched_in_leave_doorbell(): boolean;
begin
  error "dead:leave_doorbell/producers[].launched";
  return false;
end;

function dead_producers_queue_in_leave_doorbell(): HwQueue;
begin
  error "dead:leave_doorbell/producers[].queue";
  return 0;
end;

function dead_producers_slot_in_leave_doorbell(): PacketSlot;
begin
  error "dead:leave_doorbell/producers[].slot";
  return 0;
end;

function as_PacketSlot_in_leave_doorbell(value: 1..2): PacketSlot;
begin
  assert value <= 1 "range:leave_doorbell/next";
  return value;
end;

function as_BusPlace_in_leave_doorbell(value: 0..4): BusPlace;
begin
  assert value <= 3 "range:leave_doorbell/BusPlace";
  return value;
end;

function as_Handle_in_begin_copy(value: -1..1): Handle;
begin
  assert value >= 0 "range:begin_copy/Handle";
  return value;
end;

-- exists core: Core. (producers[core].pc == RESERVED or producers[core].pc == FLUSH_ADD or producers[core].pc == BODY or producers[core].pc == HEADER) and producers[core].signal == dep
function some_core2(dep: MaybeHandle): boolean;
var holds: boolean;
begin
  holds := false;
  for core2: Core do
    if ((producers[core2].pc = Pc_RESERVED | producers[core2].pc = Pc_FLUSH_ADD | producers[core2].pc = Pc_BODY | producers[core2].pc = Pc_HEADER) & producers[core2].signal = as_Handle_in_begin_copy(dep)) then holds := true; end;
  end;
  return holds;
end;

-- count handle: Handle. handle in device.cores[core].signals
function count_handle2(core: Core): 0..2;
var total: 0..2;
begin
  total := 0;
  for handle2: Handle do
    total := total + (SetOfHandle_has(device.cores[core].signals, handle2) ? 1 : 0);
  end;
  return total;
end;

function as_BusPlace_in_begin_copy(value: 0..4): BusPlace;
begin
  assert value <= 3 "range:begin_copy/BusPlace";
  return value;
end;

function dead_device_rings_slots_rung_in_launch(): boolean;
begin
  error "dead:launch/device.rings[].slots[].rung";
  return false;
end;

function dead_device_posted_slot_in_launch(): PacketSlot;
begin
  error "dead:launch/device.posted[].slot";
  return 0;
end;

function dead_device_posted_writes_in_launch(): PacketPart;
begin
  error "dead:launch/device.posted[].writes";
  return PacketPart_HEADER;
end;

-- exists busplace: BusPlace. device.posted[busplace].queue == queue and device.posted[busplace].slot == device.rings[queue].head and device.posted[busplace].writes == HEADER
function some_busplace(queue: HwQueue): boolean;
var holds: boolean;
begin
  holds := false;
  for busplace: BusPlace do
    if (device.posted[busplace].queue = queue & (device.posted[busplace].queue != none ? device.posted[busplace].slot : dead_device_posted_slot_in_launch()) = device.rings[queue].head & (device.posted[busplace].queue != none ? device.posted[busplace].writes : dead_device_posted_writes_in_launch()) = PacketPart_HEADER) then holds := true; end;
  end;
  return holds;
end;

function dead_device_signals_queue_in_launch(): HwQueue;
begin
  error "dead:launch/device.signals[].queue";
  return 0;
end;

-- exists handle: Handle. device.signals[handle].dep != none and device.signals[handle].queue == queue
function some_handle(queue: HwQueue): boolean;
var holds: boolean;
begin
  holds := false;
  for handle: Handle do
    if (device.signals[handle].dep != none & (device.signals[handle].running ? device.signals[handle].queue : dead_device_signals_queue_in_launch()) = queue) then holds := true; end;
  end;
  return holds;
end;

-- exists busplace: BusPlace. device.posted[busplace].queue == queue and device.posted[busplace].slot == device.rings[queue].head and device.posted[busplace].writes == BODY
function some_busplace2(queue: HwQueue): boolean;
var holds: boolean;
begin
  holds := false;
  for busplace: BusPlace do
    if (device.posted[busplace].queue = queue & (device.posted[busplace].queue != none ? device.posted[busplace].slot : dead_device_posted_slot_in_launch()) = device.rings[queue].head & (device.posted[busplace].queue != none ? device.posted[busplace].writes : dead_device_posted_writes_in_launch()) = PacketPart_BODY) then holds := true; end;
  end;
  return holds;
end;

function dead_device_rings_slots_signal_in_launch(): Handle;
begin
  error "dead:launch/device.rings[].slots[].signal";
  return 0;
end;

function dead_device_rings_slots_dep_in_launch(): MaybeHandle;
begin
  error "dead:launch/device.rings[].slots[].dep";
  return none;
end;

function as_PacketSlot_in_launch(value: 1..2): PacketSlot;
begin
  assert value <= 1 "range:launch/next";
  return value;
end;

function as_PacketSlot_in_release_slot(value: 1..2): PacketSlot;
begin
  assert value <= 1 "range:release_slot/next";
  return value;
end;

-- forall packetslot: PacketSlot. (0 if packetslot == 1 else packetslot + 1) == slot implies device.rings[queue].slots[packetslot].phase != LAUNCHED
function all_packetslot(slot: PacketSlot; queue: HwQueue): boolean;
var holds: boolean;
begin
  holds := true;
  for packetslot: PacketSlot do
    if !((packetslot = 1 ? 0 : as_PacketSlot_in_release_slot(packetslot + 1)) = slot -> device.rings[queue].slots[packetslot].phase != SlotPhase_LAUNCHED) then holds := false; end;
  end;
  return holds;
end;

function as_Handle_in_pass_barrier(value: -1..1): Handle;
begin
  assert value >= 0 "range:pass_barrier/Handle";
  return value;
end;

-- exists packetslot: PacketSlot. (device.rings[hwqueue].slots[packetslot].phase == RESERVED or device.rings[hwqueue].slots[packetslot].phase == VALID) and device.rings[hwqueue].slots[packetslot].signal == device.signals[handle].dep
function some_packetslot(hwqueue: HwQueue; handle: Handle): boolean;
var holds: boolean;
begin
  holds := false;
  for packetslot: PacketSlot do
    if ((device.rings[hwqueue].slots[packetslot].phase = SlotPhase_RESERVED | device.rings[hwqueue].slots[packetslot].phase = SlotPhase_VALID) & device.rings[hwqueue].slots[packetslot].signal = as_Handle_in_pass_barrier(device.signals[handle].dep)) then holds := true; end;
  end;
  return holds;
end;

-- exists hwqueue: HwQueue, packetslot: PacketSlot. (device.rings[hwqueue].slots[packetslot].phase == RESERVED or device.rings[hwqueue].slots[packetslot].phase == VALID) and device.rings[hwqueue].slots[packetslot].signal == device.signals[handle].dep
function some_hwqueue(handle: Handle): boolean;
var holds: boolean;
begin
  holds := false;
  for hwqueue: HwQueue do
    if some_packetslot(hwqueue, handle) then holds := true; end;
  end;
  return holds;
end;

function as_Handle_in_pass_copy_poll(value: -1..1): Handle;
begin
  assert value >= 0 "range:pass_copy_poll/Handle";
  return value;
end;

-- exists packetslot: PacketSlot. (device.rings[hwqueue].slots[packetslot].phase == RESERVED or device.rings[hwqueue].slots[packetslot].phase == VALID) and device.rings[hwqueue].slots[packetslot].signal == copy.dep
function some_packetslot2(hwqueue: HwQueue): boolean;
var holds: boolean;
begin
  holds := false;
  for packetslot: PacketSlot do
    if ((device.rings[hwqueue].slots[packetslot].phase = SlotPhase_RESERVED | device.rings[hwqueue].slots[packetslot].phase = SlotPhase_VALID) & device.rings[hwqueue].slots[packetslot].signal = as_Handle_in_pass_copy_poll(copy.dep)) then holds := true; end;
  end;
  return holds;
end;

-- exists hwqueue: HwQueue, packetslot: PacketSlot. (device.rings[hwqueue].slots[packetslot].phase == RESERVED or device.rings[hwqueue].slots[packetslot].phase == VALID) and device.rings[hwqueue].slots[packetslot].signal == copy.dep
function some_hwqueue2(): boolean;
var holds: boolean;
begin
  holds := false;
  for hwqueue: HwQueue do
    if some_packetslot2(hwqueue) then holds := true; end;
  end;
  return holds;
end;

function as_Handle_in_complete_copy(value: -1..1): Handle;
begin
  assert value >= 0 "range:complete_copy/Handle";
  return value;
end;

-- exists core: Core. copy.signal in device.cores[core].signals
function some_core3(): boolean;
var holds: boolean;
begin
  holds := false;
  for core: Core do
    if SetOfHandle_has(device.cores[core].signals, as_Handle_in_complete_copy(copy.signal)) then holds := true; end;
  end;
  return holds;
end;

-- exists busplace: BusPlace. device.posted[busplace].signal == copy.signal
function some_busplace3(): boolean;
var holds: boolean;
begin
  holds := false;
  for busplace: BusPlace do
    if (device.posted[busplace].signal = as_Handle_in_complete_copy(copy.signal)) then holds := true; end;
  end;
  return holds;
end;

function dead_device_posted_above_one_in_no_hang(): -1..1;
begin
  error "dead:no-hang/device.posted[].above_one";
  return 0;
end;

-- sum busplace: BusPlace. device.posted[busplace].above_one if device.posted[busplace].signal == handle and not (exists busplace2: BusPlace. busplace < busplace2 and device.posted[busplace2].signal == handle) else 0
function sum_busplace2(handle: Handle): -4..4;
var total: -4..4;
begin
  total := 0;
  for busplace: BusPlace do
    total := total + ((device.posted[busplace].signal = handle & !exists busplace2: BusPlace do busplace < busplace2 & device.posted[busplace2].signal = handle end) ? (device.posted[busplace].signal != none ? device.posted[busplace].above_one : dead_device_posted_above_one_in_no_hang()) : 0);
  end;
  return total;
end;

-- exists handle: Handle. producers[core].pc == IDLE and device.signals[handle].life == USED and not ((exists core: Core. (producers[core].pc == RESERVED or producers[core].pc == FLUSH_ADD or producers[core].pc == BODY or producers[core].pc == HEADER) and producers[core].signal == handle) or copy.signal == handle and not copy.submitted) and (1 if handle in device.cores[core].signals else ((sum busplace: BusPlace. device.posted[busplace].above_one if device.posted[busplace].signal == handle and not (exists busplace2: BusPlace. busplace < busplace2 and device.posted[busplace2].signal == handle) else 0) + 1 if (exists busplace: BusPlace. device.posted[busplace].signal == handle) else device.signals[handle].value)) < 1
function some_handle2(core: Core): boolean;
var holds: boolean;
begin
  holds := false;
  for handle: Handle do
    if (producers[core].pc = Pc_IDLE & device.signals[handle].life = Life_USED & !(exists core2: Core do (producers[core2].pc = Pc_RESERVED | producers[core2].pc = Pc_FLUSH_ADD | producers[core2].pc = Pc_BODY | producers[core2].pc = Pc_HEADER) & producers[core2].signal = handle end | (copy.signal = handle & !copy.submitted)) & (SetOfHandle_has(device.cores[core].signals, handle) ? 1 : (exists busplace: BusPlace do device.posted[busplace].signal = handle end ? sum_busplace2(handle) + 1 : device.signals[handle].value2)) < 1) then holds := true; end;
  end;
  return holds;
end;

-- exists core: Core, handle: Handle. producers[core].pc == IDLE and device.signals[handle].life == USED and not ((exists core2: Core. (producers[core2].pc == RESERVED or producers[core2].pc == FLUSH_ADD or producers[core2].pc == BODY or producers[core2].pc == HEADER) and producers[core2].signal == handle) or copy.signal == handle and not copy.submitted) and (1 if handle in device.cores[core].signals else ((sum busplace: BusPlace. device.posted[busplace].above_one if device.posted[busplace].signal == handle and not (exists busplace2: BusPlace. busplace < busplace2 and device.posted[busplace2].signal == handle) else 0) + 1 if (exists busplace: BusPlace. device.posted[busplace].signal == handle) else device.signals[handle].value)) < 1
function some_core4(): boolean;
var holds: boolean;
begin
  holds := false;
  for core: Core do
    if some_handle2(core) then holds := true; end;
  end;
  return holds;
end;

function dead_producers_launched_in_no_hang(): boolean;
begin
  error "dead:no-hang/producers[].launched";
  return false;
end;

function dead_producers_queue_in_no_hang(): HwQueue;
begin
  error "dead:no-hang/producers[].queue";
  return 0;
end;

function dead_producers_slot_in_no_hang(): PacketSlot;
begin
  error "dead:no-hang/producers[].slot";
  return 0;
end;

function as_PacketSlot_in_no_hang(value: 1..2): PacketSlot;
begin
  assert value <= 1 "range:no-hang/next";
  return value;
end;

-- exists core: Core. producers[core].pc == HEADER and not producers[core].launched and device.rings[producers[core].queue].tail != (0 if producers[core].slot == 1 else producers[core].slot + 1) and (count handle: Handle. handle in device.cores[core].signals) + (sum hwqueue: HwQueue. (count packetslot: PacketSlot. packetslot in device.cores[core].bodies[hwqueue]) + (count packetslot: PacketSlot. packetslot in device.cores[core].headers[hwqueue])) + 0 <= (count busplace: BusPlace. not (device.posted[busplace].signal == none implies device.posted[busplace].queue != none))
function some_core5(): boolean;
var holds: boolean;
begin
  holds := false;
  for core: Core do
    if (producers[core].pc = Pc_HEADER & !((producers[core].pc = Pc_RESERVED | producers[core].pc = Pc_FLUSH_ADD | producers[core].pc = Pc_BODY | producers[core].pc = Pc_HEADER) ? producers[core].launched : dead_producers_launched_in_no_hang()) & device.rings[((producers[core].pc = Pc_RESERVED | producers[core].pc = Pc_FLUSH_ADD | producers[core].pc = Pc_BODY | producers[core].pc = Pc_HEADER) ? producers[core].queue : dead_producers_queue_in_no_hang())].tail != (((producers[core].pc = Pc_RESERVED | producers[core].pc = Pc_FLUSH_ADD | producers[core].pc = Pc_BODY | producers[core].pc = Pc_HEADER) ? producers[core].slot : dead_producers_slot_in_no_hang()) = 1 ? 0 : as_PacketSlot_in_no_hang(((producers[core].pc = Pc_RESERVED | producers[core].pc = Pc_FLUSH_ADD | producers[core].pc = Pc_BODY | producers[core].pc = Pc_HEADER) ? producers[core].slot : dead_producers_slot_in_no_hang()) + 1)) & count_handle(core) + sum_hwqueue(core) + 0 <= count_busplace4()) then holds := true; end;
  end;
  return holds;
end;

function dead_device_rings_slots_rung_in_no_hang(): boolean;
begin
  error "dead:no-hang/device.rings[].slots[].rung";
  return false;
end;

function dead_device_posted_slot_in_no_hang(): PacketSlot;
begin
  error "dead:no-hang/device.posted[].slot";
  return 0;
end;

function dead_device_posted_writes_in_no_hang(): PacketPart;
begin
  error "dead:no-hang/device.posted[].writes";
  return PacketPart_HEADER;
end;

-- exists busplace: BusPlace. device.posted[busplace].queue == queue and device.posted[busplace].slot == device.rings[queue].head and device.posted[busplace].writes == HEADER
function some_busplace4(queue: HwQueue): boolean;
var holds: boolean;
begin
  holds := false;
  for busplace: BusPlace do
    if (device.posted[busplace].queue = queue & (device.posted[busplace].queue != none ? device.posted[busplace].slot : dead_device_posted_slot_in_no_hang()) = device.rings[queue].head & (device.posted[busplace].queue != none ? device.posted[busplace].writes : dead_device_posted_writes_in_no_hang()) = PacketPart_HEADER) then holds := true; end;
  end;
  return holds;
end;

function dead_device_signals_queue_in_no_hang(): HwQueue;
begin
  error "dead:no-hang/device.signals[].queue";
  return 0;
end;

-- exists handle: Handle. device.signals[handle].dep != none and device.signals[handle].queue == queue
function some_handle3(queue: HwQueue): boolean;
var holds: boolean;
begin
  holds := false;
  for handle: Handle do
    if (device.signals[handle].dep != none & (device.signals[handle].running ? device.signals[handle].queue : dead_device_signals_queue_in_no_hang()) = queue) then holds := true; end;
  end;
  return holds;
end;

-- exists queue: HwQueue. device.rings[queue].slots[device.rings[queue].head].phase == VALID and device.rings[queue].slots[device.rings[queue].head].rung and not (exists core: Core. device.rings[queue].head in device.cores[core].headers[queue]) and not (exists busplace: BusPlace. device.posted[busplace].queue == queue and device.posted[busplace].slot == device.rings[queue].head and device.posted[busplace].writes == HEADER) and not (exists handle: Handle. device.signals[handle].dep != none and device.signals[handle].queue == queue)
function some_queue(): boolean;
var holds: boolean;
begin
  holds := false;
  for queue: HwQueue do
    if (device.rings[queue].slots[device.rings[queue].head].phase = SlotPhase_VALID & ((device.rings[queue].slots[device.rings[queue].head].phase = SlotPhase_RESERVED | device.rings[queue].slots[device.rings[queue].head].phase = SlotPhase_VALID) ? device.rings[queue].slots[device.rings[queue].head].rung : dead_device_rings_slots_rung_in_no_hang()) & !exists core: Core do SetOfPacketSlot_has(device.cores[core].headers[queue], device.rings[queue].head) end & !some_busplace4(queue) & !some_handle3(queue)) then holds := true; end;
  end;
  return holds;
end;

-- forall packetslot: PacketSlot. (0 if packetslot == 1 else packetslot + 1) == slot implies device.rings[queue].slots[packetslot].phase != LAUNCHED
function all_packetslot2(slot: PacketSlot; queue: HwQueue): boolean;
var holds: boolean;
begin
  holds := true;
  for packetslot: PacketSlot do
    if !((packetslot = 1 ? 0 : as_PacketSlot_in_no_hang(packetslot + 1)) = slot -> device.rings[queue].slots[packetslot].phase != SlotPhase_LAUNCHED) then holds := false; end;
  end;
  return holds;
end;

-- exists slot: PacketSlot. device.rings[queue].slots[slot].phase == LAUNCHED and (slot == device.rings[queue].head or (forall packetslot: PacketSlot. (0 if packetslot == 1 else packetslot + 1) == slot implies device.rings[queue].slots[packetslot].phase != LAUNCHED))
function some_slot(queue: HwQueue): boolean;
var holds: boolean;
begin
  holds := false;
  for slot: PacketSlot do
    if (device.rings[queue].slots[slot].phase = SlotPhase_LAUNCHED & (slot = device.rings[queue].head | all_packetslot2(slot, queue))) then holds := true; end;
  end;
  return holds;
end;

-- exists queue: HwQueue, slot: PacketSlot. device.rings[queue].slots[slot].phase == LAUNCHED and (slot == device.rings[queue].head or (forall packetslot: PacketSlot. (0 if packetslot == 1 else packetslot + 1) == slot implies device.rings[queue].slots[packetslot].phase != LAUNCHED))
function some_queue2(): boolean;
var holds: boolean;
begin
  holds := false;
  for queue: HwQueue do
    if some_slot(queue) then holds := true; end;
  end;
  return holds;
end;

function as_Handle_in_no_hang(value: -1..1): Handle;
begin
  assert value >= 0 "range:no-hang/Handle";
  return value;
end;

-- exists handle: Handle. device.signals[handle].dep != none and device.signals[device.signals[handle].dep].value == 0
function some_handle4(): boolean;
var holds: boolean;
begin
  holds := false;
  for handle: Handle do
    if (device.signals[handle].dep != none & device.signals[as_Handle_in_no_hang(device.signals[handle].dep)].value2 = 0) then holds := true; end;
  end;
  return holds;
end;

startstate "initial"
  for core: Core do
    device.cores[core].signals := 0;
    for hwqueue: HwQueue do
      device.cores[core].bodies[hwqueue] := 0;
    end;
    for hwqueue: HwQueue do
      device.cores[core].headers[hwqueue] := 0;
    end;
  end;
  for busplace: BusPlace do
    device.posted[busplace].signal := none;
    device.posted[busplace].above_one := 0;
    device.posted[busplace].queue := none;
    device.posted[busplace].slot := 0;
    device.posted[busplace].writes := PacketPart_HEADER;
  end;
  device.decremented_unarmed := false;
  for handle: Handle do
    device.signals[handle].life := Life_COMPLETE;
    device.signals[handle].value2 := 0;
    device.signals[handle].running := false;
    device.signals[handle].queue := 0;
    device.signals[handle].dep := none;
  end;
  for hwqueue: HwQueue do
    for packetslot: PacketSlot do
      device.rings[hwqueue].slots[packetslot].phase := SlotPhase_FREE;
      device.rings[hwqueue].slots[packetslot].rung := false;
      device.rings[hwqueue].slots[packetslot].signal := 0;
      device.rings[hwqueue].slots[packetslot].dep := none;
    end;
    device.rings[hwqueue].head := 0;
    device.rings[hwqueue].tail := 0;
  end;
  device.torn_launch := false;
  device.slot_overwritten := false;
  device.packet_passed_early := false;
  for core: Core do
    producers[core].pc := Pc_IDLE;
    producers[core].stored := 0;
    producers[core].queue := 0;
    producers[core].slot := 0;
    producers[core].signal := 0;
    producers[core].launched := false;
  end;
  copy.signal := none;
  copy.dep := none;
  copy.submitted := false;
  host_passed_early := false;
end;

-- write-combining buffer: a signal's store leaves by itself (by memory, environment)
-- A store to a signal leaves the core's write-combining buffer, which it may do at any time or never.
ruleset core: Core; handle: Handle do
  rule "signal_leaves"
    -- signals in device memory
    true
    -- held back
    & SetOfHandle_has(device.cores[core].signals, handle)
    -- room on the bus
    & (!(device.posted[3].signal = none -> device.posted[3].queue != none))
  ==>
  var
    device_posted_signal_then: array [BusPlace] of MaybeHandle;
  begin
    device.cores[core].signals := SetOfHandle_removing(device.cores[core].signals, handle);
    for busplace: BusPlace do
      device_posted_signal_then[busplace] := device.posted[busplace].signal;
    end;
    device.posted[as_BusPlace_in_signal_leaves(count_busplace())].signal := handle;
    if device.posted[as_BusPlace_in_signal_leaves(count_busplace2(device_posted_signal_then))].signal = none then
      device.posted[as_BusPlace_in_signal_leaves(count_busplace2(device_posted_signal_then))].above_one := 0;
    end;
    if device.posted[as_BusPlace_in_signal_leaves(count_busplace2(device_posted_signal_then))].queue = none then
      device.posted[as_BusPlace_in_signal_leaves(count_busplace2(device_posted_signal_then))].slot := 0;
      device.posted[as_BusPlace_in_signal_leaves(count_busplace2(device_posted_signal_then))].writes := PacketPart_HEADER;
    end;
  end;
end;

-- write-combining buffer: a packet's body leaves by itself (by memory, environment)
-- The body of a packet leaves the core's write-combining buffer.
ruleset core: Core; queue: HwQueue; slot: PacketSlot do
  rule "body_leaves"
    -- rings in device memory
    true
    -- held back
    & SetOfPacketSlot_has(device.cores[core].bodies[queue], slot)
    -- room on the bus
    & (!(device.posted[3].signal = none -> device.posted[3].queue != none))
  ==>
  var
    device_posted_queue_then: array [BusPlace] of MaybeHwQueue;
  begin
    device.cores[core].bodies[queue] := SetOfPacketSlot_removing(device.cores[core].bodies[queue], slot);
    for busplace: BusPlace do
      device_posted_queue_then[busplace] := device.posted[busplace].queue;
    end;
    device.posted[as_BusPlace_in_body_leaves(count_busplace())].queue := queue;
    device.posted[as_BusPlace_in_body_leaves(count_busplace3(device_posted_queue_then))].slot := slot;
    device.posted[as_BusPlace_in_body_leaves(count_busplace3(device_posted_queue_then))].writes := PacketPart_BODY;
    if device.posted[as_BusPlace_in_body_leaves(count_busplace3(device_posted_queue_then))].signal = none then
      device.posted[as_BusPlace_in_body_leaves(count_busplace3(device_posted_queue_then))].above_one := 0;
    end;
    if device.posted[as_BusPlace_in_body_leaves(count_busplace3(device_posted_queue_then))].queue = none then
      device.posted[as_BusPlace_in_body_leaves(count_busplace3(device_posted_queue_then))].slot := 0;
      device.posted[as_BusPlace_in_body_leaves(count_busplace3(device_posted_queue_then))].writes := PacketPart_HEADER;
    end;
  end;
end;

-- write-combining buffer: a packet's header leaves by itself (by memory, environment)
-- The header of a packet leaves the core's write-combining buffer, perhaps before its body.
ruleset core: Core; queue: HwQueue; slot: PacketSlot do
  rule "header_leaves"
    -- rings in device memory
    true
    -- held back
    & SetOfPacketSlot_has(device.cores[core].headers[queue], slot)
    -- room on the bus
    & (!(device.posted[3].signal = none -> device.posted[3].queue != none))
  ==>
  var
    device_posted_queue_then: array [BusPlace] of MaybeHwQueue;
  begin
    device.cores[core].headers[queue] := SetOfPacketSlot_removing(device.cores[core].headers[queue], slot);
    for busplace: BusPlace do
      device_posted_queue_then[busplace] := device.posted[busplace].queue;
    end;
    device.posted[as_BusPlace_in_header_leaves(count_busplace())].queue := queue;
    device.posted[as_BusPlace_in_header_leaves(count_busplace3(device_posted_queue_then))].slot := slot;
    device.posted[as_BusPlace_in_header_leaves(count_busplace3(device_posted_queue_then))].writes := PacketPart_HEADER;
    if device.posted[as_BusPlace_in_header_leaves(count_busplace3(device_posted_queue_then))].signal = none then
      device.posted[as_BusPlace_in_header_leaves(count_busplace3(device_posted_queue_then))].above_one := 0;
    end;
    if device.posted[as_BusPlace_in_header_leaves(count_busplace3(device_posted_queue_then))].queue = none then
      device.posted[as_BusPlace_in_header_leaves(count_busplace3(device_posted_queue_then))].slot := 0;
      device.posted[as_BusPlace_in_header_leaves(count_busplace3(device_posted_queue_then))].writes := PacketPart_HEADER;
    end;
  end;
end;

-- PCIe posted write, HDP: a store reaches device memory (by memory, progress)
-- The store that was posted first reaches memory.
rule "store_lands"
  -- memory behind the HDP
  true
  -- something is posted
  & (device.posted[0].signal = none -> device.posted[0].queue != none)
==>
begin
  if device.posted[0].signal != none then
    -- note: <device.posted[0].above_one + 1> reaches memory
    device.signals[as_Handle_in_store_lands(device.posted[0].signal)].value2 := (device.posted[0].signal != none ? device.posted[0].above_one : dead_device_posted_above_one_in_store_lands()) + 1;
  end;
  for busplace: BusPlace do
    if busplace != 3 then
      device.posted[busplace].signal := device.posted[(busplace = 3 ? 0 : as_BusPlace_in_store_lands(busplace + 1))].signal;
      device.posted[busplace].above_one := ((busplace = 3 ? 0 : as_BusPlace_in_store_lands(busplace + 1)) = 0 ? 0 : 0);
      device.posted[busplace].queue := device.posted[(busplace = 3 ? 0 : as_BusPlace_in_store_lands(busplace + 1))].queue;
      device.posted[busplace].slot := device.posted[(busplace = 3 ? 0 : as_BusPlace_in_store_lands(busplace + 1))].slot;
      device.posted[busplace].writes := device.posted[(busplace = 3 ? 0 : as_BusPlace_in_store_lands(busplace + 1))].writes;
    end;
  end;
  device.posted[3].signal := none;
  device.posted[3].above_one := 0;
  device.posted[3].queue := none;
  device.posted[3].slot := 0;
  device.posted[3].writes := PacketPart_HEADER;
end;

-- described: RetiringSignalTracker::Reclaim (arm), ResetHwEvents (by app, environment)
-- Store 1 to a signal that is complete and that nobody waits for.
ruleset core: Core; handle: Handle do
  rule "arm"
    -- not in a call
    (producers[core].pc = Pc_IDLE)
    -- complete
    & (device.signals[handle].life = Life_COMPLETE)
    -- nobody waits
    & (!(exists hwqueue: HwQueue do exists packetslot: PacketSlot do (device.rings[hwqueue].slots[packetslot].phase = SlotPhase_RESERVED | device.rings[hwqueue].slots[packetslot].phase = SlotPhase_VALID) & device.rings[hwqueue].slots[packetslot].dep = handle end end | exists handle2: Handle do device.signals[handle2].dep = handle end | copy.dep = handle | handle = none))
  ==>
  begin
    -- note: ARMED (stores 1)
    device.cores[core].signals := SetOfHandle_adding(device.cores[core].signals, handle);
    device.signals[handle].life := Life_STORED;
    producers[core].stored := SetOfHandle_adding(producers[core].stored, handle);
  end;
end;

-- described: Device::FlushSignalStores (store fence) (by app, progress)
-- FlushStores: fence the stores of this core. Then flush the HDP, or hand the signals out.
ruleset core: Core do
  rule "fence_stores"
    -- not in a call
    (producers[core].pc = Pc_IDLE)
    -- signals in device memory
    & true
    -- has stored
    & (producers[core].stored != 0)
    -- room on the bus
    & (count_handle(core) + sum_hwqueue(core) + 0 <= count_busplace4())
  ==>
  var
    device_posted_signal_then: array [BusPlace] of MaybeHandle;
    device_posted_queue_then: array [BusPlace] of MaybeHwQueue;
    device_posted_queue_then_2: array [BusPlace] of MaybeHwQueue;
  begin
    for handle: Handle do
      for busplace: BusPlace do
        device_posted_signal_then[busplace] := device.posted[busplace].signal;
      end;
      if SetOfHandle_has(device.cores[core].signals, handle) then
        device.posted[as_BusPlace_in_fence_stores(count_busplace())].signal := handle;
        device.cores[core].signals := SetOfHandle_removing(device.cores[core].signals, handle);
        if device.posted[as_BusPlace_in_fence_stores(count_busplace2(device_posted_signal_then))].signal = none then
          device.posted[as_BusPlace_in_fence_stores(count_busplace2(device_posted_signal_then))].above_one := 0;
        end;
        if device.posted[as_BusPlace_in_fence_stores(count_busplace2(device_posted_signal_then))].queue = none then
          device.posted[as_BusPlace_in_fence_stores(count_busplace2(device_posted_signal_then))].slot := 0;
          device.posted[as_BusPlace_in_fence_stores(count_busplace2(device_posted_signal_then))].writes := PacketPart_HEADER;
        end;
      end;
    end;
    for hwqueue: HwQueue do
      for packetslot: PacketSlot do
        for busplace: BusPlace do
          device_posted_queue_then[busplace] := device.posted[busplace].queue;
        end;
        if SetOfPacketSlot_has(device.cores[core].bodies[hwqueue], packetslot) then
          device.posted[as_BusPlace_in_fence_stores(count_busplace())].queue := hwqueue;
          device.posted[as_BusPlace_in_fence_stores(count_busplace3(device_posted_queue_then))].slot := packetslot;
          device.posted[as_BusPlace_in_fence_stores(count_busplace3(device_posted_queue_then))].writes := PacketPart_BODY;
          device.cores[core].bodies[hwqueue] := SetOfPacketSlot_removing(device.cores[core].bodies[hwqueue], packetslot);
          if device.posted[as_BusPlace_in_fence_stores(count_busplace3(device_posted_queue_then))].signal = none then
            device.posted[as_BusPlace_in_fence_stores(count_busplace3(device_posted_queue_then))].above_one := 0;
          end;
          if device.posted[as_BusPlace_in_fence_stores(count_busplace3(device_posted_queue_then))].queue = none then
            device.posted[as_BusPlace_in_fence_stores(count_busplace3(device_posted_queue_then))].slot := 0;
            device.posted[as_BusPlace_in_fence_stores(count_busplace3(device_posted_queue_then))].writes := PacketPart_HEADER;
          end;
        end;
        for busplace: BusPlace do
          device_posted_queue_then_2[busplace] := device.posted[busplace].queue;
        end;
        if SetOfPacketSlot_has(device.cores[core].headers[hwqueue], packetslot) then
          device.posted[as_BusPlace_in_fence_stores(count_busplace())].queue := hwqueue;
          device.posted[as_BusPlace_in_fence_stores(count_busplace5(device_posted_queue_then_2))].slot := packetslot;
          device.posted[as_BusPlace_in_fence_stores(count_busplace5(device_posted_queue_then_2))].writes := PacketPart_HEADER;
          device.cores[core].headers[hwqueue] := SetOfPacketSlot_removing(device.cores[core].headers[hwqueue], packetslot);
          if device.posted[as_BusPlace_in_fence_stores(count_busplace5(device_posted_queue_then_2))].signal = none then
            device.posted[as_BusPlace_in_fence_stores(count_busplace5(device_posted_queue_then_2))].above_one := 0;
          end;
          if device.posted[as_BusPlace_in_fence_stores(count_busplace5(device_posted_queue_then_2))].queue = none then
            device.posted[as_BusPlace_in_fence_stores(count_busplace5(device_posted_queue_then_2))].slot := 0;
            device.posted[as_BusPlace_in_fence_stores(count_busplace5(device_posted_queue_then_2))].writes := PacketPart_HEADER;
          end;
        end;
      end;
    end;
    for handle: Handle do
      if SetOfHandle_has(producers[core].stored, handle) then
        device.signals[handle].life := Life_ARMED;
      end;
    end;
    producers[core].stored := 0;
  end;
end;

-- described: RetiringSignalTracker::Reclaim (confirm), CpuWaitForSignal (by app, progress)
-- A load of the signal gives less than 1: its use is complete.
ruleset core: Core; handle: Handle do
  rule "see_complete"
    -- not in a call
    (producers[core].pc = Pc_IDLE)
    -- in use
    & (device.signals[handle].life = Life_USED & !(exists core2: Core do (producers[core2].pc = Pc_RESERVED | producers[core2].pc = Pc_FLUSH_ADD | producers[core2].pc = Pc_BODY | producers[core2].pc = Pc_HEADER) & producers[core2].signal = handle end | (copy.signal = handle & !copy.submitted)))
    -- complete
    & ((SetOfHandle_has(device.cores[core].signals, handle) ? 1 : (exists busplace: BusPlace do device.posted[busplace].signal = handle end ? sum_busplace(handle) + 1 : device.signals[handle].value2)) < 1)
  ==>
  begin
    host_passed_early := host_passed_early | exists hwqueue: HwQueue do exists packetslot: PacketSlot do (device.rings[hwqueue].slots[packetslot].phase = SlotPhase_RESERVED | device.rings[hwqueue].slots[packetslot].phase = SlotPhase_VALID) & device.rings[hwqueue].slots[packetslot].signal = handle end end | device.signals[handle].running | copy.signal = handle;
    -- note: seen complete
    device.signals[handle].life := Life_COMPLETE;
  end;
end;

-- VirtualGPU::dispatchGenericAqlPacket (reserve) (by app, environment)
-- Reserve a slot that the read index has passed, for a packet with an armed signal; a barrier has a dependency.
ruleset core: Core; queue: HwQueue; handle: Handle; dep: MaybeHandle do
  rule "reserve"
    -- not in a call
    (producers[core].pc = Pc_IDLE & producers[core].stored = 0)
    -- armed
    & (device.signals[handle].life = Life_ARMED)
    -- waits for a use
    & (dep = none | (dep != none & device.signals[as_Handle_in_reserve(dep)].life = Life_USED & !(some_core(dep) | (copy.signal = as_Handle_in_reserve(dep) & !copy.submitted))))
    -- room in the ring
    & (device.rings[queue].slots[device.rings[queue].tail].phase = SlotPhase_FREE)
  ==>
  var
    old_device_rings_tail: PacketSlot;
  begin
    old_device_rings_tail := device.rings[queue].tail;
    -- note: packet with signal <handle>
    device.slot_overwritten := device.slot_overwritten | device.rings[queue].slots[device.rings[queue].tail].phase = SlotPhase_LAUNCHED;
    device.signals[handle].life := Life_USED;
    producers[core].pc := Pc_RESERVED;
    producers[core].queue := queue;
    producers[core].slot := device.rings[queue].tail;
    producers[core].signal := handle;
    device.rings[queue].slots[device.rings[queue].tail].phase := SlotPhase_RESERVED;
    device.rings[queue].slots[device.rings[queue].tail].signal := handle;
    device.rings[queue].slots[device.rings[queue].tail].dep := dep;
    device.rings[queue].tail := (device.rings[queue].tail = 1 ? 0 : as_PacketSlot_in_reserve(device.rings[queue].tail + 1));
    if !(device.rings[queue].slots[old_device_rings_tail].phase = SlotPhase_RESERVED | device.rings[queue].slots[old_device_rings_tail].phase = SlotPhase_VALID) then
      device.rings[queue].slots[old_device_rings_tail].rung := false;
      device.rings[queue].slots[old_device_rings_tail].signal := 0;
      device.rings[queue].slots[old_device_rings_tail].dep := none;
    end;
  end;
end;

-- VirtualGPU::dispatchGenericAqlPacket (body) (by app, progress)
-- Write all of the packet but its header. In system memory the order of the stores is the CPU's, and kept.
ruleset core: Core do
  rule "write_body"
    -- slot reserved
    (producers[core].pc = Pc_RESERVED)
  ==>
  begin
    device.cores[core].bodies[producers[core].queue] := SetOfPacketSlot_adding(device.cores[core].bodies[producers[core].queue], producers[core].slot);
    producers[core].pc := Pc_BODY;
  end;
end;

-- VirtualGPU::dispatchGenericAqlPacket (store fence, header) (by app, progress)
-- Fence the body where the ring is in device memory, then write the header.
ruleset core: Core do
  rule "write_header"
    -- body written
    (producers[core].pc = Pc_BODY)
    -- room on the bus
    & (count_handle(core) + sum_hwqueue(core) + 0 <= count_busplace4())
  ==>
  var
    device_posted_signal_then: array [BusPlace] of MaybeHandle;
    device_posted_queue_then: array [BusPlace] of MaybeHwQueue;
    device_posted_queue_then_2: array [BusPlace] of MaybeHwQueue;
    producers_pc_then: Pc;
  begin
    for handle: Handle do
      for busplace: BusPlace do
        device_posted_signal_then[busplace] := device.posted[busplace].signal;
      end;
      if SetOfHandle_has(device.cores[core].signals, handle) then
        device.posted[as_BusPlace_in_write_header(count_busplace())].signal := handle;
        device.cores[core].signals := SetOfHandle_removing(device.cores[core].signals, handle);
        if device.posted[as_BusPlace_in_write_header(count_busplace2(device_posted_signal_then))].signal = none then
          device.posted[as_BusPlace_in_write_header(count_busplace2(device_posted_signal_then))].above_one := 0;
        end;
        if device.posted[as_BusPlace_in_write_header(count_busplace2(device_posted_signal_then))].queue = none then
          device.posted[as_BusPlace_in_write_header(count_busplace2(device_posted_signal_then))].slot := 0;
          device.posted[as_BusPlace_in_write_header(count_busplace2(device_posted_signal_then))].writes := PacketPart_HEADER;
        end;
      end;
    end;
    for hwqueue: HwQueue do
      for packetslot: PacketSlot do
        for busplace: BusPlace do
          device_posted_queue_then[busplace] := device.posted[busplace].queue;
        end;
        if SetOfPacketSlot_has(device.cores[core].bodies[hwqueue], packetslot) then
          device.posted[as_BusPlace_in_write_header(count_busplace())].queue := hwqueue;
          device.posted[as_BusPlace_in_write_header(count_busplace3(device_posted_queue_then))].slot := packetslot;
          device.posted[as_BusPlace_in_write_header(count_busplace3(device_posted_queue_then))].writes := PacketPart_BODY;
          device.cores[core].bodies[hwqueue] := SetOfPacketSlot_removing(device.cores[core].bodies[hwqueue], packetslot);
          if device.posted[as_BusPlace_in_write_header(count_busplace3(device_posted_queue_then))].signal = none then
            device.posted[as_BusPlace_in_write_header(count_busplace3(device_posted_queue_then))].above_one := 0;
          end;
          if device.posted[as_BusPlace_in_write_header(count_busplace3(device_posted_queue_then))].queue = none then
            device.posted[as_BusPlace_in_write_header(count_busplace3(device_posted_queue_then))].slot := 0;
            device.posted[as_BusPlace_in_write_header(count_busplace3(device_posted_queue_then))].writes := PacketPart_HEADER;
          end;
        end;
        for busplace: BusPlace do
          device_posted_queue_then_2[busplace] := device.posted[busplace].queue;
        end;
        if SetOfPacketSlot_has(device.cores[core].headers[hwqueue], packetslot) then
          device.posted[as_BusPlace_in_write_header(count_busplace())].queue := hwqueue;
          device.posted[as_BusPlace_in_write_header(count_busplace5(device_posted_queue_then_2))].slot := packetslot;
          device.posted[as_BusPlace_in_write_header(count_busplace5(device_posted_queue_then_2))].writes := PacketPart_HEADER;
          device.cores[core].headers[hwqueue] := SetOfPacketSlot_removing(device.cores[core].headers[hwqueue], packetslot);
          if device.posted[as_BusPlace_in_write_header(count_busplace5(device_posted_queue_then_2))].signal = none then
            device.posted[as_BusPlace_in_write_header(count_busplace5(device_posted_queue_then_2))].above_one := 0;
          end;
          if device.posted[as_BusPlace_in_write_header(count_busplace5(device_posted_queue_then_2))].queue = none then
            device.posted[as_BusPlace_in_write_header(count_busplace5(device_posted_queue_then_2))].slot := 0;
            device.posted[as_BusPlace_in_write_header(count_busplace5(device_posted_queue_then_2))].writes := PacketPart_HEADER;
          end;
        end;
      end;
    end;
    producers_pc_then := Pc_BODY;
    device.rings[producers[core].queue].slots[producers[core].slot].phase := SlotPhase_VALID;
    device.cores[core].headers[producers[core].queue] := SetOfPacketSlot_adding(device.cores[core].headers[producers[core].queue], producers[core].slot);
    producers[core].pc := Pc_HEADER;
    if !(device.rings[producers[core].queue].slots[producers[core].slot].phase = SlotPhase_RESERVED | device.rings[producers[core].queue].slots[producers[core].slot].phase = SlotPhase_VALID) then
      device.rings[producers[core].queue].slots[producers[core].slot].rung := false;
      device.rings[producers[core].queue].slots[producers[core].slot].signal := 0;
      device.rings[producers[core].queue].slots[producers[core].slot].dep := none;
    end;
  end;
end;

-- AqlQueue::StoreRelaxed (store fence, doorbell) (by app, progress)
-- Fence, then store to the doorbell. It covers the packet and every earlier slot, whoever writes there.
ruleset core: Core do
  rule "ring_doorbell"
    -- header written
    (producers[core].pc = Pc_HEADER)
    -- room on the bus
    & (count_handle(core) + sum_hwqueue(core) + 0 <= count_busplace4())
  ==>
  var
    device_posted_signal_then: array [BusPlace] of MaybeHandle;
    device_posted_queue_then: array [BusPlace] of MaybeHwQueue;
    device_posted_queue_then_2: array [BusPlace] of MaybeHwQueue;
  begin
    for handle: Handle do
      for busplace: BusPlace do
        device_posted_signal_then[busplace] := device.posted[busplace].signal;
      end;
      if SetOfHandle_has(device.cores[core].signals, handle) then
        device.posted[as_BusPlace_in_ring_doorbell(count_busplace())].signal := handle;
        device.cores[core].signals := SetOfHandle_removing(device.cores[core].signals, handle);
        if device.posted[as_BusPlace_in_ring_doorbell(count_busplace2(device_posted_signal_then))].signal = none then
          device.posted[as_BusPlace_in_ring_doorbell(count_busplace2(device_posted_signal_then))].above_one := 0;
        end;
        if device.posted[as_BusPlace_in_ring_doorbell(count_busplace2(device_posted_signal_then))].queue = none then
          device.posted[as_BusPlace_in_ring_doorbell(count_busplace2(device_posted_signal_then))].slot := 0;
          device.posted[as_BusPlace_in_ring_doorbell(count_busplace2(device_posted_signal_then))].writes := PacketPart_HEADER;
        end;
      end;
    end;
    for hwqueue: HwQueue do
      for packetslot: PacketSlot do
        for busplace: BusPlace do
          device_posted_queue_then[busplace] := device.posted[busplace].queue;
        end;
        if SetOfPacketSlot_has(device.cores[core].bodies[hwqueue], packetslot) then
          device.posted[as_BusPlace_in_ring_doorbell(count_busplace())].queue := hwqueue;
          device.posted[as_BusPlace_in_ring_doorbell(count_busplace3(device_posted_queue_then))].slot := packetslot;
          device.posted[as_BusPlace_in_ring_doorbell(count_busplace3(device_posted_queue_then))].writes := PacketPart_BODY;
          device.cores[core].bodies[hwqueue] := SetOfPacketSlot_removing(device.cores[core].bodies[hwqueue], packetslot);
          if device.posted[as_BusPlace_in_ring_doorbell(count_busplace3(device_posted_queue_then))].signal = none then
            device.posted[as_BusPlace_in_ring_doorbell(count_busplace3(device_posted_queue_then))].above_one := 0;
          end;
          if device.posted[as_BusPlace_in_ring_doorbell(count_busplace3(device_posted_queue_then))].queue = none then
            device.posted[as_BusPlace_in_ring_doorbell(count_busplace3(device_posted_queue_then))].slot := 0;
            device.posted[as_BusPlace_in_ring_doorbell(count_busplace3(device_posted_queue_then))].writes := PacketPart_HEADER;
          end;
        end;
        for busplace: BusPlace do
          device_posted_queue_then_2[busplace] := device.posted[busplace].queue;
        end;
        if SetOfPacketSlot_has(device.cores[core].headers[hwqueue], packetslot) then
          device.posted[as_BusPlace_in_ring_doorbell(count_busplace())].queue := hwqueue;
          device.posted[as_BusPlace_in_ring_doorbell(count_busplace5(device_posted_queue_then_2))].slot := packetslot;
          device.posted[as_BusPlace_in_ring_doorbell(count_busplace5(device_posted_queue_then_2))].writes := PacketPart_HEADER;
          device.cores[core].headers[hwqueue] := SetOfPacketSlot_removing(device.cores[core].headers[hwqueue], packetslot);
          if device.posted[as_BusPlace_in_ring_doorbell(count_busplace5(device_posted_queue_then_2))].signal = none then
            device.posted[as_BusPlace_in_ring_doorbell(count_busplace5(device_posted_queue_then_2))].above_one := 0;
          end;
          if device.posted[as_BusPlace_in_ring_doorbell(count_busplace5(device_posted_queue_then_2))].queue = none then
            device.posted[as_BusPlace_in_ring_doorbell(count_busplace5(device_posted_queue_then_2))].slot := 0;
            device.posted[as_BusPlace_in_ring_doorbell(count_busplace5(device_posted_queue_then_2))].writes := PacketPart_HEADER;
          end;
        end;
      end;
    end;
    if !producers[core].launched then
      for packetslot: PacketSlot do
        if (device.rings[producers[core].queue].slots[packetslot].phase = SlotPhase_RESERVED | device.rings[producers[core].queue].slots[packetslot].phase = SlotPhase_VALID) & (packetslot < device.rings[producers[core].queue].head ? packetslot + 2 : packetslot) <= (producers[core].slot < device.rings[producers[core].queue].head ? producers[core].slot + 2 : producers[core].slot) then
          device.rings[producers[core].queue].slots[packetslot].rung := true;
        end;
        if !(device.rings[producers[core].queue].slots[packetslot].phase = SlotPhase_RESERVED | device.rings[producers[core].queue].slots[packetslot].phase = SlotPhase_VALID) then
          device.rings[producers[core].queue].slots[packetslot].rung := false;
          device.rings[producers[core].queue].slots[packetslot].signal := 0;
          device.rings[producers[core].queue].slots[packetslot].dep := none;
        end;
      end;
    end;
    -- note: doorbell, up to the packet with signal <producers[core].signal@43>
    producers[core].pc := Pc_IDLE;
    producers[core].queue := 0;
    producers[core].slot := 0;
    producers[core].signal := 0;
    producers[core].launched := false;
  end;
end;

-- described: VirtualGPU::CommitAqlSlots (no doorbell) (by app, progress)
-- A later slot is reserved, and the doorbell for it covers this packet: only fence.
ruleset core: Core do
  rule "leave_doorbell"
    -- header written
    (producers[core].pc = Pc_HEADER)
    -- a later slot is reserved
    & (!((producers[core].pc = Pc_RESERVED | producers[core].pc = Pc_FLUSH_ADD | producers[core].pc = Pc_BODY | producers[core].pc = Pc_HEADER) ? producers[core].launched : dead_producers_launched_in_leave_doorbell()) & device.rings[((producers[core].pc = Pc_RESERVED | producers[core].pc = Pc_FLUSH_ADD | producers[core].pc = Pc_BODY | producers[core].pc = Pc_HEADER) ? producers[core].queue : dead_producers_queue_in_leave_doorbell())].tail != (((producers[core].pc = Pc_RESERVED | producers[core].pc = Pc_FLUSH_ADD | producers[core].pc = Pc_BODY | producers[core].pc = Pc_HEADER) ? producers[core].slot : dead_producers_slot_in_leave_doorbell()) = 1 ? 0 : as_PacketSlot_in_leave_doorbell(((producers[core].pc = Pc_RESERVED | producers[core].pc = Pc_FLUSH_ADD | producers[core].pc = Pc_BODY | producers[core].pc = Pc_HEADER) ? producers[core].slot : dead_producers_slot_in_leave_doorbell()) + 1)))
    -- room on the bus
    & (count_handle(core) + sum_hwqueue(core) + 0 <= count_busplace4())
  ==>
  var
    device_posted_signal_then: array [BusPlace] of MaybeHandle;
    device_posted_queue_then: array [BusPlace] of MaybeHwQueue;
    device_posted_queue_then_2: array [BusPlace] of MaybeHwQueue;
  begin
    for handle: Handle do
      for busplace: BusPlace do
        device_posted_signal_then[busplace] := device.posted[busplace].signal;
      end;
      if SetOfHandle_has(device.cores[core].signals, handle) then
        device.posted[as_BusPlace_in_leave_doorbell(count_busplace())].signal := handle;
        device.cores[core].signals := SetOfHandle_removing(device.cores[core].signals, handle);
        if device.posted[as_BusPlace_in_leave_doorbell(count_busplace2(device_posted_signal_then))].signal = none then
          device.posted[as_BusPlace_in_leave_doorbell(count_busplace2(device_posted_signal_then))].above_one := 0;
        end;
        if device.posted[as_BusPlace_in_leave_doorbell(count_busplace2(device_posted_signal_then))].queue = none then
          device.posted[as_BusPlace_in_leave_doorbell(count_busplace2(device_posted_signal_then))].slot := 0;
          device.posted[as_BusPlace_in_leave_doorbell(count_busplace2(device_posted_signal_then))].writes := PacketPart_HEADER;
        end;
      end;
    end;
    for hwqueue: HwQueue do
      for packetslot: PacketSlot do
        for busplace: BusPlace do
          device_posted_queue_then[busplace] := device.posted[busplace].queue;
        end;
        if SetOfPacketSlot_has(device.cores[core].bodies[hwqueue], packetslot) then
          device.posted[as_BusPlace_in_leave_doorbell(count_busplace())].queue := hwqueue;
          device.posted[as_BusPlace_in_leave_doorbell(count_busplace3(device_posted_queue_then))].slot := packetslot;
          device.posted[as_BusPlace_in_leave_doorbell(count_busplace3(device_posted_queue_then))].writes := PacketPart_BODY;
          device.cores[core].bodies[hwqueue] := SetOfPacketSlot_removing(device.cores[core].bodies[hwqueue], packetslot);
          if device.posted[as_BusPlace_in_leave_doorbell(count_busplace3(device_posted_queue_then))].signal = none then
            device.posted[as_BusPlace_in_leave_doorbell(count_busplace3(device_posted_queue_then))].above_one := 0;
          end;
          if device.posted[as_BusPlace_in_leave_doorbell(count_busplace3(device_posted_queue_then))].queue = none then
            device.posted[as_BusPlace_in_leave_doorbell(count_busplace3(device_posted_queue_then))].slot := 0;
            device.posted[as_BusPlace_in_leave_doorbell(count_busplace3(device_posted_queue_then))].writes := PacketPart_HEADER;
          end;
        end;
        for busplace: BusPlace do
          device_posted_queue_then_2[busplace] := device.posted[busplace].queue;
        end;
        if SetOfPacketSlot_has(device.cores[core].headers[hwqueue], packetslot) then
          device.posted[as_BusPlace_in_leave_doorbell(count_busplace())].queue := hwqueue;
          device.posted[as_BusPlace_in_leave_doorbell(count_busplace5(device_posted_queue_then_2))].slot := packetslot;
          device.posted[as_BusPlace_in_leave_doorbell(count_busplace5(device_posted_queue_then_2))].writes := PacketPart_HEADER;
          device.cores[core].headers[hwqueue] := SetOfPacketSlot_removing(device.cores[core].headers[hwqueue], packetslot);
          if device.posted[as_BusPlace_in_leave_doorbell(count_busplace5(device_posted_queue_then_2))].signal = none then
            device.posted[as_BusPlace_in_leave_doorbell(count_busplace5(device_posted_queue_then_2))].above_one := 0;
          end;
          if device.posted[as_BusPlace_in_leave_doorbell(count_busplace5(device_posted_queue_then_2))].queue = none then
            device.posted[as_BusPlace_in_leave_doorbell(count_busplace5(device_posted_queue_then_2))].slot := 0;
            device.posted[as_BusPlace_in_leave_doorbell(count_busplace5(device_posted_queue_then_2))].writes := PacketPart_HEADER;
          end;
        end;
      end;
    end;
    -- note: leaves the doorbell to the next packet's producer
    producers[core].pc := Pc_IDLE;
    producers[core].queue := 0;
    producers[core].slot := 0;
    producers[core].signal := 0;
    producers[core].launched := false;
  end;
end;

-- described: RetiringSignalTracker::BeginUse (copy) (by app, environment)
-- An armed signal goes to a copy that ROCr makes: fence, then flush the HDP. The copy may wait for another use.
ruleset core: Core; handle: Handle; dep: MaybeHandle do
  rule "begin_copy"
    -- copies are on
    true
    -- not in a call
    & (producers[core].pc = Pc_IDLE & producers[core].stored = 0)
    -- one copy at a time
    & (copy.signal = none)
    -- armed
    & (device.signals[handle].life = Life_ARMED)
    -- waits for a use
    & (dep = none | (dep != none & device.signals[as_Handle_in_begin_copy(dep)].life = Life_USED & !(some_core2(dep) | (copy.signal = as_Handle_in_begin_copy(dep) & !copy.submitted))))
    -- room on the bus
    & (count_handle2(core) + sum_hwqueue(core) + 0 <= count_busplace4())
  ==>
  var
    device_posted_signal_then: array [BusPlace] of MaybeHandle;
    device_posted_queue_then: array [BusPlace] of MaybeHwQueue;
    device_posted_queue_then_2: array [BusPlace] of MaybeHwQueue;
  begin
    for handle2: Handle do
      for busplace: BusPlace do
        device_posted_signal_then[busplace] := device.posted[busplace].signal;
      end;
      if SetOfHandle_has(device.cores[core].signals, handle2) then
        device.posted[as_BusPlace_in_begin_copy(count_busplace())].signal := handle2;
        device.cores[core].signals := SetOfHandle_removing(device.cores[core].signals, handle2);
        if device.posted[as_BusPlace_in_begin_copy(count_busplace2(device_posted_signal_then))].signal = none then
          device.posted[as_BusPlace_in_begin_copy(count_busplace2(device_posted_signal_then))].above_one := 0;
        end;
        if device.posted[as_BusPlace_in_begin_copy(count_busplace2(device_posted_signal_then))].queue = none then
          device.posted[as_BusPlace_in_begin_copy(count_busplace2(device_posted_signal_then))].slot := 0;
          device.posted[as_BusPlace_in_begin_copy(count_busplace2(device_posted_signal_then))].writes := PacketPart_HEADER;
        end;
      end;
    end;
    for hwqueue: HwQueue do
      for packetslot: PacketSlot do
        for busplace: BusPlace do
          device_posted_queue_then[busplace] := device.posted[busplace].queue;
        end;
        if SetOfPacketSlot_has(device.cores[core].bodies[hwqueue], packetslot) then
          device.posted[as_BusPlace_in_begin_copy(count_busplace())].queue := hwqueue;
          device.posted[as_BusPlace_in_begin_copy(count_busplace3(device_posted_queue_then))].slot := packetslot;
          device.posted[as_BusPlace_in_begin_copy(count_busplace3(device_posted_queue_then))].writes := PacketPart_BODY;
          device.cores[core].bodies[hwqueue] := SetOfPacketSlot_removing(device.cores[core].bodies[hwqueue], packetslot);
          if device.posted[as_BusPlace_in_begin_copy(count_busplace3(device_posted_queue_then))].signal = none then
            device.posted[as_BusPlace_in_begin_copy(count_busplace3(device_posted_queue_then))].above_one := 0;
          end;
          if device.posted[as_BusPlace_in_begin_copy(count_busplace3(device_posted_queue_then))].queue = none then
            device.posted[as_BusPlace_in_begin_copy(count_busplace3(device_posted_queue_then))].slot := 0;
            device.posted[as_BusPlace_in_begin_copy(count_busplace3(device_posted_queue_then))].writes := PacketPart_HEADER;
          end;
        end;
        for busplace: BusPlace do
          device_posted_queue_then_2[busplace] := device.posted[busplace].queue;
        end;
        if SetOfPacketSlot_has(device.cores[core].headers[hwqueue], packetslot) then
          device.posted[as_BusPlace_in_begin_copy(count_busplace())].queue := hwqueue;
          device.posted[as_BusPlace_in_begin_copy(count_busplace5(device_posted_queue_then_2))].slot := packetslot;
          device.posted[as_BusPlace_in_begin_copy(count_busplace5(device_posted_queue_then_2))].writes := PacketPart_HEADER;
          device.cores[core].headers[hwqueue] := SetOfPacketSlot_removing(device.cores[core].headers[hwqueue], packetslot);
          if device.posted[as_BusPlace_in_begin_copy(count_busplace5(device_posted_queue_then_2))].signal = none then
            device.posted[as_BusPlace_in_begin_copy(count_busplace5(device_posted_queue_then_2))].above_one := 0;
          end;
          if device.posted[as_BusPlace_in_begin_copy(count_busplace5(device_posted_queue_then_2))].queue = none then
            device.posted[as_BusPlace_in_begin_copy(count_busplace5(device_posted_queue_then_2))].slot := 0;
            device.posted[as_BusPlace_in_begin_copy(count_busplace5(device_posted_queue_then_2))].writes := PacketPart_HEADER;
          end;
        end;
      end;
    end;
    -- note: copy with signal <handle>
    device.signals[handle].life := Life_USED;
    copy.signal := handle;
    copy.dep := dep;
    producers[core].pc := Pc_COPY;
    producers[core].queue := 0;
    producers[core].slot := 0;
    producers[core].signal := 0;
    producers[core].launched := false;
  end;
end;

-- hsa_amd_memory_async_copy_on_engine (by app, progress)
-- The HDP is flushed; ROCr writes the copy to the engine's ring, in system memory, and rings its doorbell.
ruleset core: Core do
  rule "submit_copy"
    -- copies are on
    true
    -- begins a copy
    & (producers[core].pc = Pc_COPY)
    -- all stores landed
    & (!(device.posted[0].signal = none -> device.posted[0].queue != none))
  ==>
  begin
    copy.submitted := true;
    producers[core].pc := Pc_IDLE;
    producers[core].queue := 0;
    producers[core].slot := 0;
    producers[core].signal := 0;
    producers[core].launched := false;
  end;
end;

-- packet processor: fetch and launch (by packet processor, progress)
-- The packet at the head is under a doorbell and its header has reached the ring: launch it.
ruleset queue: HwQueue do
  rule "launch"
    -- valid and under a doorbell
    (device.rings[queue].slots[device.rings[queue].head].phase = SlotPhase_VALID & ((device.rings[queue].slots[device.rings[queue].head].phase = SlotPhase_RESERVED | device.rings[queue].slots[device.rings[queue].head].phase = SlotPhase_VALID) ? device.rings[queue].slots[device.rings[queue].head].rung : dead_device_rings_slots_rung_in_launch()))
    -- header in the ring
    & (!exists core: Core do SetOfPacketSlot_has(device.cores[core].headers[queue], device.rings[queue].head) end & !some_busplace(queue))
    -- no unsatisfied barrier ahead
    & (!some_handle(queue))
  ==>
  var
    old_device_rings_head: PacketSlot;
    device_rings_slots_phase_then: array [HwQueue] of array [PacketSlot] of SlotPhase;
  begin
    old_device_rings_head := device.rings[queue].head;
    device.torn_launch := device.torn_launch | !(!exists core: Core do SetOfPacketSlot_has(device.cores[core].bodies[queue], device.rings[queue].head) end & !some_busplace2(queue));
    for hwqueue: HwQueue do
      for packetslot: PacketSlot do
        device_rings_slots_phase_then[hwqueue][packetslot] := device.rings[hwqueue].slots[packetslot].phase;
      end;
    end;
    -- note: launched with signal <device.rings[queue].slots[device.rings[queue].head].signal@1>
    device.signals[((device.rings[queue].slots[device.rings[queue].head].phase = SlotPhase_RESERVED | device.rings[queue].slots[device.rings[queue].head].phase = SlotPhase_VALID) ? device.rings[queue].slots[device.rings[queue].head].signal : dead_device_rings_slots_signal_in_launch())].running := true;
    device.signals[((device.rings[queue].slots[device.rings[queue].head].phase = SlotPhase_RESERVED | device.rings[queue].slots[device.rings[queue].head].phase = SlotPhase_VALID) ? device.rings[queue].slots[device.rings[queue].head].signal : dead_device_rings_slots_signal_in_launch())].queue := queue;
    device.signals[((device.rings[queue].slots[device.rings[queue].head].phase = SlotPhase_RESERVED | device.rings[queue].slots[device.rings[queue].head].phase = SlotPhase_VALID) ? device.rings[queue].slots[device.rings[queue].head].signal : dead_device_rings_slots_signal_in_launch())].dep := ((device.rings[queue].slots[device.rings[queue].head].phase = SlotPhase_RESERVED | device.rings[queue].slots[device.rings[queue].head].phase = SlotPhase_VALID) ? device.rings[queue].slots[device.rings[queue].head].dep : dead_device_rings_slots_dep_in_launch());
    device.rings[queue].slots[device.rings[queue].head].phase := SlotPhase_LAUNCHED;
    device.rings[queue].head := (device.rings[queue].head = 1 ? 0 : as_PacketSlot_in_launch(device.rings[queue].head + 1));
    for core: Core do
      if (producers[core].pc = Pc_RESERVED | producers[core].pc = Pc_FLUSH_ADD | producers[core].pc = Pc_BODY | producers[core].pc = Pc_HEADER) & producers[core].queue = queue & producers[core].slot = old_device_rings_head then
        producers[core].launched := true;
      end;
      if !(producers[core].pc = Pc_RESERVED | producers[core].pc = Pc_FLUSH_ADD | producers[core].pc = Pc_BODY | producers[core].pc = Pc_HEADER) then
        producers[core].queue := 0;
        producers[core].slot := 0;
        producers[core].signal := 0;
        producers[core].launched := false;
      end;
    end;
    if !device.signals[((device_rings_slots_phase_then[queue][old_device_rings_head] = SlotPhase_RESERVED | device_rings_slots_phase_then[queue][old_device_rings_head] = SlotPhase_VALID) ? device.rings[queue].slots[old_device_rings_head].signal : dead_device_rings_slots_signal_in_launch())].running then
      device.signals[((device_rings_slots_phase_then[queue][old_device_rings_head] = SlotPhase_RESERVED | device_rings_slots_phase_then[queue][old_device_rings_head] = SlotPhase_VALID) ? device.rings[queue].slots[old_device_rings_head].signal : dead_device_rings_slots_signal_in_launch())].queue := 0;
    end;
    if !(device.rings[queue].slots[old_device_rings_head].phase = SlotPhase_RESERVED | device.rings[queue].slots[old_device_rings_head].phase = SlotPhase_VALID) then
      device.rings[queue].slots[old_device_rings_head].rung := false;
      device.rings[queue].slots[old_device_rings_head].signal := 0;
      device.rings[queue].slots[old_device_rings_head].dep := none;
    end;
  end;
end;

-- packet processor: advance the read index (by packet processor, progress)
-- The read index passes a launched packet, in order, complete or not.
ruleset queue: HwQueue; slot: PacketSlot do
  rule "release_slot"
    -- launched
    (device.rings[queue].slots[slot].phase = SlotPhase_LAUNCHED)
    -- in order
    & (slot = device.rings[queue].head | all_packetslot(slot, queue))
  ==>
  begin
    device.rings[queue].slots[slot].phase := SlotPhase_FREE;
    device.rings[queue].slots[slot].rung := false;
    device.rings[queue].slots[slot].signal := 0;
    device.rings[queue].slots[slot].dep := none;
  end;
end;

-- packet processor: barrier-AND condition (by launched packet, progress)
-- The barrier that completes `handle` reads its dependency in memory, and finds 0.
ruleset handle: Handle do
  rule "pass_barrier"
    -- barriers are on
    true
    -- waits
    & (device.signals[handle].dep != none)
    -- satisfied
    & (device.signals[as_Handle_in_pass_barrier(device.signals[handle].dep)].value2 = 0)
  ==>
  begin
    device.packet_passed_early := device.packet_passed_early | some_hwqueue(handle) | device.signals[as_Handle_in_pass_barrier(device.signals[handle].dep)].running | copy.signal = as_Handle_in_pass_barrier(device.signals[handle].dep);
    -- note: a packet's wait for signal <device.signals[handle].dep> is satisfied
    device.signals[handle].dep := none;
  end;
end;

-- packet processor: completion (by launched packet, progress)
-- A launched packet ends and decrements its signal in memory. Packets end in any order.
ruleset handle: Handle do
  rule "complete"
    -- runs
    (device.signals[handle].running & device.signals[handle].dep = none)
  ==>
  begin
    -- note: decremented
    device.packet_passed_early := device.packet_passed_early | exists handle2: Handle do handle2 = none & (exists hwqueue: HwQueue do exists packetslot: PacketSlot do (device.rings[hwqueue].slots[packetslot].phase = SlotPhase_RESERVED | device.rings[hwqueue].slots[packetslot].phase = SlotPhase_VALID) & device.rings[hwqueue].slots[packetslot].signal = handle2 end end | device.signals[handle2].running | copy.signal = handle2) end;
    device.decremented_unarmed := device.decremented_unarmed | exists core: Core do SetOfHandle_has(device.cores[core].signals, handle) end | exists busplace: BusPlace do device.posted[busplace].signal = handle end;
    assert (device.signals[handle].value2 - 1) >= -1 "range:complete/device.signals[].value";
    device.signals[handle].value2 := device.signals[handle].value2 - 1;
    device.signals[handle].running := false;
    device.signals[handle].queue := 0;
  end;
end;

-- SDMA: poll (by sdma, progress)
-- The engine polls the copy's dependency in memory, and finds 0.
rule "pass_copy_poll"
  -- copies are on
  true
  -- polls
  & (copy.submitted & copy.dep != none)
  -- satisfied
  & (device.signals[as_Handle_in_pass_copy_poll(copy.dep)].value2 = 0)
==>
begin
  device.packet_passed_early := device.packet_passed_early | some_hwqueue2() | device.signals[as_Handle_in_pass_copy_poll(copy.dep)].running | copy.signal = as_Handle_in_pass_copy_poll(copy.dep);
  -- note: the copy's wait for signal <copy.dep> is satisfied
  copy.dep := none;
end;

-- SDMA: atomic decrement (by sdma, progress)
-- The copy is made: decrement its signal in memory.
rule "complete_copy"
  -- copies are on
  true
  -- copies
  & (copy.submitted & copy.dep = none)
==>
begin
  -- note: decremented by the copy
  device.packet_passed_early := device.packet_passed_early | exists handle: Handle do handle = none & (exists hwqueue: HwQueue do exists packetslot: PacketSlot do (device.rings[hwqueue].slots[packetslot].phase = SlotPhase_RESERVED | device.rings[hwqueue].slots[packetslot].phase = SlotPhase_VALID) & device.rings[hwqueue].slots[packetslot].signal = handle end end | device.signals[handle].running | copy.signal = handle) end;
  device.decremented_unarmed := device.decremented_unarmed | some_core3() | some_busplace3();
  assert (device.signals[as_Handle_in_complete_copy(copy.signal)].value2 - 1) >= -1 "range:complete_copy/device.signals[].value";
  device.signals[as_Handle_in_complete_copy(copy.signal)].value2 := device.signals[as_Handle_in_complete_copy(copy.signal)].value2 - 1;
  copy.signal := none;
  copy.dep := none;
  copy.submitted := false;
end;

-- The store that arms a signal is in memory before an operation decrements it.
invariant "armed-before-decremented"
  forall handle: Handle do !device.decremented_unarmed end;

-- A packet or a copy of this device passes its wait, and ends, only after what it waits for has ended.
invariant "packet-wait-not-early"
  forall handle: Handle do !device.packet_passed_early end;

-- A use that a host thread takes for complete is complete: no operation has still to decrement its signal.
invariant "complete-implies-not-owed"
  forall handle: Handle do !host_passed_early & (device.signals[handle].life = Life_USED | !(exists hwqueue: HwQueue do exists packetslot: PacketSlot do (device.rings[hwqueue].slots[packetslot].phase = SlotPhase_RESERVED | device.rings[hwqueue].slots[packetslot].phase = SlotPhase_VALID) & device.rings[hwqueue].slots[packetslot].signal = handle end end | device.signals[handle].running | copy.signal = handle)) end;

-- One arming is decremented once: no signal's value goes below 0.
invariant "value-not-negative"
  forall handle: Handle do device.signals[handle].value2 >= 0 end;

-- Once a use's operation has ended and nothing is on its way to its signal, whoever waits for that can go on.
invariant "completion-not-lost"
  forall handle: Handle do (device.signals[handle].life = Life_USED & !(exists hwqueue: HwQueue do exists packetslot: PacketSlot do (device.rings[hwqueue].slots[packetslot].phase = SlotPhase_RESERVED | device.rings[hwqueue].slots[packetslot].phase = SlotPhase_VALID) & device.rings[hwqueue].slots[packetslot].signal = handle end end | device.signals[handle].running | copy.signal = handle) & !(exists core: Core do SetOfHandle_has(device.cores[core].signals, handle) end | exists busplace: BusPlace do device.posted[busplace].signal = handle end)) -> device.signals[handle].value2 < 1 end;

-- A packet is launched with the body that it was published with, not with what the slot held before.
invariant "launched-packet-is-whole"
  forall handle: Handle do !device.torn_launch end;

-- No packet is written to a slot that the read index has not passed.
invariant "slot-not-overwritten"
  forall queue: HwQueue do forall slot: PacketSlot do !device.slot_overwritten end end;

-- While a signal is in use, a call under way or a wait open, some step can be taken that will be taken.
invariant "no-hang"
  (exists handle: Handle do device.signals[handle].life = Life_USED | exists hwqueue: HwQueue do exists packetslot: PacketSlot do (device.rings[hwqueue].slots[packetslot].phase = SlotPhase_RESERVED | device.rings[hwqueue].slots[packetslot].phase = SlotPhase_VALID) & device.rings[hwqueue].slots[packetslot].dep = handle end end | exists handle2: Handle do device.signals[handle2].dep = handle end | copy.dep = handle | handle = none end | exists core: Core do producers[core].pc = Pc_IDLE -> producers[core].stored != 0 end) -> (device.posted[0].signal = none -> (device.posted[0].queue = none -> (exists core: Core do producers[core].pc = Pc_IDLE & producers[core].stored != 0 & count_handle(core) + sum_hwqueue(core) + 0 <= count_busplace4() end | some_core4() | exists core: Core do producers[core].pc = Pc_RESERVED end | exists core: Core do producers[core].pc = Pc_BODY & count_handle(core) + sum_hwqueue(core) + 0 <= count_busplace4() end | exists core: Core do producers[core].pc = Pc_HEADER & count_handle(core) + sum_hwqueue(core) + 0 <= count_busplace4() end | some_core5() | exists core: Core do producers[core].pc = Pc_COPY & !(device.posted[0].signal = none -> device.posted[0].queue != none) end | some_queue() | some_queue2() | some_handle4() | exists handle: Handle do device.signals[handle].running & device.signals[handle].dep = none end | (copy.submitted & copy.dep != none & device.signals[as_Handle_in_no_hang(copy.dep)].value2 = 0) | (copy.submitted & copy.dep = none))));
