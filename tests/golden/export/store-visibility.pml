/* store-visibility, variant default, cores 2, handles 2, queues 1, slots 2, places 4 */
/* with barriers, copy, hdp */
/* exported by fencepost; model c13d23bc375fc088 */

#define none (-1)
#define PacketPart_HEADER 0
#define PacketPart_BODY 1
#define Life_COMPLETE 0
#define Life_STORED 1
#define Life_ARMED 2
#define Life_USED 3
#define SlotPhase_FREE 0
#define SlotPhase_RESERVED 1
#define SlotPhase_VALID 2
#define SlotPhase_LAUNCHED 3
#define Pc_IDLE 0
#define Pc_FLUSH 1
#define Pc_RESERVED 2
#define Pc_FLUSH_ADD 3
#define Pc_BODY 4
#define Pc_HEADER 5
#define Pc_COPY 6

typedef Device_Cores {
  byte signals;  /* SetOf[Handle] */
  byte bodies[1];  /* SetOf[PacketSlot] */
  byte headers[1];  /* SetOf[PacketSlot] */
}

typedef Device_Posted {
  short signal;  /* Maybe[Handle] */
  short above_one;  /* Range(-1..1) */
  short queue;  /* Maybe[HwQueue] */
  byte slot;  /* PacketSlot */
  byte writes;  /* PacketPart */
}

typedef Device_Signals {
  byte life;  /* Life */
  short value;  /* Range(-1..2) */
  bool running;  /* Bool */
  byte queue;  /* HwQueue */
  short dep;  /* Maybe[Handle] */
}

typedef Rings_Slots {
  byte phase;  /* SlotPhase */
  bool rung;  /* Bool */
  byte signal;  /* Handle */
  short dep;  /* Maybe[Handle] */
}

typedef Device_Rings {
  Rings_Slots slots[2];
  byte head;  /* PacketSlot */
  byte tail;  /* PacketSlot */
}

typedef Device {
  Device_Cores cores[2];
  Device_Posted posted[4];
  bool decremented_unarmed;  /* ghost, Bool */
  Device_Signals signals[2];
  Device_Rings rings[1];
  bool torn_launch;  /* ghost, Bool */
  bool slot_overwritten;  /* ghost, Bool */
  bool packet_passed_early;  /* ghost, Bool */
}

typedef Producers {
  byte pc;  /* Pc */
  byte stored;  /* SetOf[Handle] */
  byte queue;  /* HwQueue */
  byte slot;  /* PacketSlot */
  byte signal;  /* Handle */
  bool launched;  /* Bool */
}

typedef Copy {
  short signal;  /* Maybe[Handle] */
  short dep;  /* Maybe[Handle] */
  bool submitted;  /* Bool */
}

Device device;
Producers producers[2];
Copy copy;
bool host_passed_early;  /* ghost, Bool */

/* Values on the way: 0 between steps. */
int t1, t2, t3, t4, t5, t6, t7, t8;
int t9, t10, t11, t12, busplace, hwqueue, packetslot, handle2;
int core2, busplace2, queue3, slot3, handle3, core3, device_posted_signal_then[4], device_posted_queue_then[4];
int device_posted_queue_then_2[4], old_device_rings_tail, producers_pc_then, old_device_rings_head, device_rings_slots_phase_then[2];

/* write-combining buffer: a signal's store leaves by itself (by memory, environment) */
/* A store to a signal leaves the core's write-combining buffer, which it may do at any time or never. */
inline signal_leaves(core, handle) {
  /* signals in device memory */
  /* held back */
  /* room on the bus */
  (true && ((device.cores[core].signals >> handle) & 1) && (!((device.posted[3].signal != none) || (device.posted[3].queue != none))));
  printf("step signal_leaves(core=%d, handle=%d)\n", core, handle);
  device.cores[core].signals = (device.cores[core].signals & ~(1 << handle));
  for (busplace : 0 .. 3) {
    device_posted_signal_then[busplace] = device.posted[busplace].signal;
  }
  /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue != none */
  t1 = 0;
  for (busplace : 0 .. 3) {
    t1 = t1 + (((device.posted[busplace].signal != none) || (device.posted[busplace].queue != none)) -> 1 : 0);
  }
  t2 = t1;
  if :: (t2 <= 3) :: else -> printf("broken range:signal_leaves/BusPlace\n"); assert(false) fi;
  device.posted[t2].signal = handle;
  /* count busplace: BusPlace. device.posted[busplace].signal then == none implies device.posted[busplace].queue != none */
  t1 = 0;
  for (busplace : 0 .. 3) {
    t1 = t1 + (((device_posted_signal_then[busplace] != none) || (device.posted[busplace].queue != none)) -> 1 : 0);
  }
  t2 = t1;
  if :: (t2 <= 3) :: else -> printf("broken range:signal_leaves/BusPlace\n"); assert(false) fi;
  if
  :: (device.posted[t2].signal == none) ->
    /* count busplace: BusPlace. device.posted[busplace].signal then == none implies device.posted[busplace].queue != none */
    t3 = 0;
    for (busplace : 0 .. 3) {
      t3 = t3 + (((device_posted_signal_then[busplace] != none) || (device.posted[busplace].queue != none)) -> 1 : 0);
    }
    t4 = t3;
    if :: (t4 <= 3) :: else -> printf("broken range:signal_leaves/BusPlace\n"); assert(false) fi;
    device.posted[t4].above_one = 0;
  :: else
  fi;
  /* count busplace: BusPlace. device.posted[busplace].signal then == none implies device.posted[busplace].queue != none */
  t1 = 0;
  for (busplace : 0 .. 3) {
    t1 = t1 + (((device_posted_signal_then[busplace] != none) || (device.posted[busplace].queue != none)) -> 1 : 0);
  }
  t2 = t1;
  if :: (t2 <= 3) :: else -> printf("broken range:signal_leaves/BusPlace\n"); assert(false) fi;
  if
  :: (device.posted[t2].queue == none) ->
    /* count busplace: BusPlace. device.posted[busplace].signal then == none implies device.posted[busplace].queue != none */
    t3 = 0;
    for (busplace : 0 .. 3) {
      t3 = t3 + (((device_posted_signal_then[busplace] != none) || (device.posted[busplace].queue != none)) -> 1 : 0);
    }
    t4 = t3;
    if :: (t4 <= 3) :: else -> printf("broken range:signal_leaves/BusPlace\n"); assert(false) fi;
    device.posted[t4].slot = 0;
    /* count busplace: BusPlace. device.posted[busplace].signal then == none implies device.posted[busplace].queue != none */
    t3 = 0;
    for (busplace : 0 .. 3) {
      t3 = t3 + (((device_posted_signal_then[busplace] != none) || (device.posted[busplace].queue != none)) -> 1 : 0);
    }
    t4 = t3;
    if :: (t4 <= 3) :: else -> printf("broken range:signal_leaves/BusPlace\n"); assert(false) fi;
    device.posted[t4].writes = PacketPart_HEADER;
  :: else
  fi;
  busplace = 0;
  t1 = 0;
  t2 = 0;
  t3 = 0;
  t4 = 0;
  t1 = 0;
  for (t1 : 0 .. 3) { device_posted_signal_then[t1] = 0 }
  t1 = 0;
}

/* write-combining buffer: a packet's body leaves by itself (by memory, environment) */
/* The body of a packet leaves the core's write-combining buffer. */
inline body_leaves(core, queue2, slot2) {
  /* rings in device memory */
  /* held back */
  /* room on the bus */
  (true && ((device.cores[core].bodies[queue2] >> slot2) & 1) && (!((device.posted[3].signal != none) || (device.posted[3].queue != none))));
  printf("step body_leaves(core=%d, queue=%d, slot=%d)\n", core, queue2, slot2);
  device.cores[core].bodies[queue2] = (device.cores[core].bodies[queue2] & ~(1 << slot2));
  for (busplace : 0 .. 3) {
    device_posted_queue_then[busplace] = device.posted[busplace].queue;
  }
  /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue != none */
  t1 = 0;
  for (busplace : 0 .. 3) {
    t1 = t1 + (((device.posted[busplace].signal != none) || (device.posted[busplace].queue != none)) -> 1 : 0);
  }
  t2 = t1;
  if :: (t2 <= 3) :: else -> printf("broken range:body_leaves/BusPlace\n"); assert(false) fi;
  device.posted[t2].queue = queue2;
  /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue then != none */
  t1 = 0;
  for (busplace : 0 .. 3) {
    t1 = t1 + (((device.posted[busplace].signal != none) || (device_posted_queue_then[busplace] != none)) -> 1 : 0);
  }
  t2 = t1;
  if :: (t2 <= 3) :: else -> printf("broken range:body_leaves/BusPlace\n"); assert(false) fi;
  device.posted[t2].slot = slot2;
  /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue then != none */
  t1 = 0;
  for (busplace : 0 .. 3) {
    t1 = t1 + (((device.posted[busplace].signal != none) || (device_posted_queue_then[busplace] != none)) -> 1 : 0);
  }
  t2 = t1;
  if :: (t2 <= 3) :: else -> printf("broken range:body_leaves/BusPlace\n"); assert(false) fi;
  device.posted[t2].writes = PacketPart_BODY;
  /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue then != none */
  t1 = 0;
  for (busplace : 0 .. 3) {
    t1 = t1 + (((device.posted[busplace].signal != none) || (device_posted_queue_then[busplace] != none)) -> 1 : 0);
  }
  t2 = t1;
  if :: (t2 <= 3) :: else -> printf("broken range:body_leaves/BusPlace\n"); assert(false) fi;
  if
  :: (device.posted[t2].signal == none) ->
    /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue then != none */
    t3 = 0;
    for (busplace : 0 .. 3) {
      t3 = t3 + (((device.posted[busplace].signal != none) || (device_posted_queue_then[busplace] != none)) -> 1 : 0);
    }
    t4 = t3;
    if :: (t4 <= 3) :: else -> printf("broken range:body_leaves/BusPlace\n"); assert(false) fi;
    device.posted[t4].above_one = 0;
  :: else
  fi;
  /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue then != none */
  t1 = 0;
  for (busplace : 0 .. 3) {
    t1 = t1 + (((device.posted[busplace].signal != none) || (device_posted_queue_then[busplace] != none)) -> 1 : 0);
  }
  t2 = t1;
  if :: (t2 <= 3) :: else -> printf("broken range:body_leaves/BusPlace\n"); assert(false) fi;
  if
  :: (device.posted[t2].queue == none) ->
    /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue then != none */
    t3 = 0;
    for (busplace : 0 .. 3) {
      t3 = t3 + (((device.posted[busplace].signal != none) || (device_posted_queue_then[busplace] != none)) -> 1 : 0);
    }
    t4 = t3;
    if :: (t4 <= 3) :: else -> printf("broken range:body_leaves/BusPlace\n"); assert(false) fi;
    device.posted[t4].slot = 0;
    /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue then != none */
    t3 = 0;
    for (busplace : 0 .. 3) {
      t3 = t3 + (((device.posted[busplace].signal != none) || (device_posted_queue_then[busplace] != none)) -> 1 : 0);
    }
    t4 = t3;
    if :: (t4 <= 3) :: else -> printf("broken range:body_leaves/BusPlace\n"); assert(false) fi;
    device.posted[t4].writes = PacketPart_HEADER;
  :: else
  fi;
  busplace = 0;
  t1 = 0;
  t2 = 0;
  t3 = 0;
  t4 = 0;
  t1 = 0;
  for (t1 : 0 .. 3) { device_posted_queue_then[t1] = 0 }
  t1 = 0;
}

/* write-combining buffer: a packet's header leaves by itself (by memory, environment) */
/* The header of a packet leaves the core's write-combining buffer, perhaps before its body. */
inline header_leaves(core, queue2, slot2) {
  /* rings in device memory */
  /* held back */
  /* room on the bus */
  (true && ((device.cores[core].headers[queue2] >> slot2) & 1) && (!((device.posted[3].signal != none) || (device.posted[3].queue != none))));
  printf("step header_leaves(core=%d, queue=%d, slot=%d)\n", core, queue2, slot2);
  device.cores[core].headers[queue2] = (device.cores[core].headers[queue2] & ~(1 << slot2));
  for (busplace : 0 .. 3) {
    device_posted_queue_then[busplace] = device.posted[busplace].queue;
  }
  /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue != none */
  t1 = 0;
  for (busplace : 0 .. 3) {
    t1 = t1 + (((device.posted[busplace].signal != none) || (device.posted[busplace].queue != none)) -> 1 : 0);
  }
  t2 = t1;
  if :: (t2 <= 3) :: else -> printf("broken range:header_leaves/BusPlace\n"); assert(false) fi;
  device.posted[t2].queue = queue2;
  /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue then != none */
  t1 = 0;
  for (busplace : 0 .. 3) {
    t1 = t1 + (((device.posted[busplace].signal != none) || (device_posted_queue_then[busplace] != none)) -> 1 : 0);
  }
  t2 = t1;
  if :: (t2 <= 3) :: else -> printf("broken range:header_leaves/BusPlace\n"); assert(false) fi;
  device.posted[t2].slot = slot2;
  /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue then != none */
  t1 = 0;
  for (busplace : 0 .. 3) {
    t1 = t1 + (((device.posted[busplace].signal != none) || (device_posted_queue_then[busplace] != none)) -> 1 : 0);
  }
  t2 = t1;
  if :: (t2 <= 3) :: else -> printf("broken range:header_leaves/BusPlace\n"); assert(false) fi;
  device.posted[t2].writes = PacketPart_HEADER;
  /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue then != none */
  t1 = 0;
  for (busplace : 0 .. 3) {
    t1 = t1 + (((device.posted[busplace].signal != none) || (device_posted_queue_then[busplace] != none)) -> 1 : 0);
  }
  t2 = t1;
  if :: (t2 <= 3) :: else -> printf("broken range:header_leaves/BusPlace\n"); assert(false) fi;
  if
  :: (device.posted[t2].signal == none) ->
    /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue then != none */
    t3 = 0;
    for (busplace : 0 .. 3) {
      t3 = t3 + (((device.posted[busplace].signal != none) || (device_posted_queue_then[busplace] != none)) -> 1 : 0);
    }
    t4 = t3;
    if :: (t4 <= 3) :: else -> printf("broken range:header_leaves/BusPlace\n"); assert(false) fi;
    device.posted[t4].above_one = 0;
  :: else
  fi;
  /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue then != none */
  t1 = 0;
  for (busplace : 0 .. 3) {
    t1 = t1 + (((device.posted[busplace].signal != none) || (device_posted_queue_then[busplace] != none)) -> 1 : 0);
  }
  t2 = t1;
  if :: (t2 <= 3) :: else -> printf("broken range:header_leaves/BusPlace\n"); assert(false) fi;
  if
  :: (device.posted[t2].queue == none) ->
    /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue then != none */
    t3 = 0;
    for (busplace : 0 .. 3) {
      t3 = t3 + (((device.posted[busplace].signal != none) || (device_posted_queue_then[busplace] != none)) -> 1 : 0);
    }
    t4 = t3;
    if :: (t4 <= 3) :: else -> printf("broken range:header_leaves/BusPlace\n"); assert(false) fi;
    device.posted[t4].slot = 0;
    /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue then != none */
    t3 = 0;
    for (busplace : 0 .. 3) {
      t3 = t3 + (((device.posted[busplace].signal != none) || (device_posted_queue_then[busplace] != none)) -> 1 : 0);
    }
    t4 = t3;
    if :: (t4 <= 3) :: else -> printf("broken range:header_leaves/BusPlace\n"); assert(false) fi;
    device.posted[t4].writes = PacketPart_HEADER;
  :: else
  fi;
  busplace = 0;
  t1 = 0;
  t2 = 0;
  t3 = 0;
  t4 = 0;
  t1 = 0;
  for (t1 : 0 .. 3) { device_posted_queue_then[t1] = 0 }
  t1 = 0;
}

/* PCIe posted write, HDP: a store reaches device memory (by memory, progress) */
/* The store that was posted first reaches memory. */
inline store_lands() {
  /* memory behind the HDP */
  /* something is posted */
  (true && ((device.posted[0].signal != none) || (device.posted[0].queue != none)));
  printf("step store_lands()\n");
  if
  :: (device.posted[0].signal != none) ->
    /* <device.posted[0].above_one + 1> reaches memory */
    t1 = device.posted[0].signal;
    if :: (t1 >= 0) :: else -> printf("broken range:store_lands/Handle\n"); assert(false) fi;
    if :: (device.posted[0].signal != none) :: else -> printf("broken dead:store_lands/device.posted[].above_one\n"); assert(false) fi;
    device.signals[t1].value = (device.posted[0].above_one + 1);
  :: else
  fi;
  for (busplace : 0 .. 3) {
    if
    :: (busplace != 3) ->
      if
      :: (busplace == 3) ->
        t1 = 0;
      :: else ->
        t2 = (busplace + 1);
        if :: (t2 <= 3) :: else -> printf("broken range:store_lands/next\n"); assert(false) fi;
        t1 = t2;
      fi;
      device.posted[busplace].signal = device.posted[t1].signal;
      if
      :: (busplace == 3) ->
        t1 = 0;
      :: else ->
        t2 = (busplace + 1);
        if :: (t2 <= 3) :: else -> printf("broken range:store_lands/next\n"); assert(false) fi;
        t1 = t2;
      fi;
      device.posted[busplace].above_one = ((t1 == 0) -> 0 : 0);
      if
      :: (busplace == 3) ->
        t1 = 0;
      :: else ->
        t2 = (busplace + 1);
        if :: (t2 <= 3) :: else -> printf("broken range:store_lands/next\n"); assert(false) fi;
        t1 = t2;
      fi;
      device.posted[busplace].queue = device.posted[t1].queue;
      if
      :: (busplace == 3) ->
        t1 = 0;
      :: else ->
        t2 = (busplace + 1);
        if :: (t2 <= 3) :: else -> printf("broken range:store_lands/next\n"); assert(false) fi;
        t1 = t2;
      fi;
      device.posted[busplace].slot = device.posted[t1].slot;
      if
      :: (busplace == 3) ->
        t1 = 0;
      :: else ->
        t2 = (busplace + 1);
        if :: (t2 <= 3) :: else -> printf("broken range:store_lands/next\n"); assert(false) fi;
        t1 = t2;
      fi;
      device.posted[busplace].writes = device.posted[t1].writes;
    :: else
    fi;
  }
  device.posted[3].signal = none;
  device.posted[3].above_one = 0;
  device.posted[3].queue = none;
  device.posted[3].slot = 0;
  device.posted[3].writes = PacketPart_HEADER;
  t1 = 0;
  busplace = 0;
  t2 = 0;
}

/* described: RetiringSignalTracker::Reclaim (arm), ResetHwEvents (by app, environment) */
/* Store 1 to a signal that is complete and that nobody waits for. */
inline arm(core, handle) {
  /* not in a call */
  /* complete */
  ((producers[core].pc == Pc_IDLE) && (device.signals[handle].life == Life_COMPLETE));
  /* nobody waits */
  /* exists hwqueue: HwQueue, packetslot: PacketSlot. (device.rings[hwqueue].slots[packetslot].phase == RESERVED or device.rings[hwqueue].slots[packetslot].phase == VALID) and device.rings[hwqueue].slots[packetslot].dep == handle */
  t3 = 0;
  for (hwqueue : 0 .. 0) {
    /* exists packetslot: PacketSlot. (device.rings[hwqueue].slots[packetslot].phase == RESERVED or device.rings[hwqueue].slots[packetslot].phase == VALID) and device.rings[hwqueue].slots[packetslot].dep == handle */
    t4 = 0;
    for (packetslot : 0 .. 1) {
      t4 = (t4 || (((device.rings[hwqueue].slots[packetslot].phase == SlotPhase_RESERVED) || (device.rings[hwqueue].slots[packetslot].phase == SlotPhase_VALID)) && (device.rings[hwqueue].slots[packetslot].dep == handle)));
    }
    t3 = (t3 || t4);
  }
  t2 = t3;
  if
  :: !t2 ->
    /* exists handle: Handle. device.signals[handle].dep == handle */
    t4 = 0;
    for (handle2 : 0 .. 1) {
      t4 = (t4 || (device.signals[handle2].dep == handle));
    }
    t2 = t4;
  :: else
  fi;
  if
  :: !t2 ->
    t2 = (copy.dep == handle);
  :: else
  fi;
  if
  :: !t2 ->
    t2 = (handle == none);
  :: else
  fi;
  t1 = (!t2);
  if
  :: t1 ->
    printf("step arm(core=%d, handle=%d)\n", core, handle);
    /* ARMED (stores 1) */
    device.cores[core].signals = (device.cores[core].signals | (1 << handle));
    device.signals[handle].life = Life_STORED;
    producers[core].stored = (producers[core].stored | (1 << handle));
  :: else
  fi;
  t1 = 0;
  t2 = 0;
  t3 = 0;
  hwqueue = 0;
  t4 = 0;
  packetslot = 0;
  handle2 = 0;
}

/* described: Device::FlushSignalStores (store fence) (by app, progress) */
/* FlushStores: fence the stores of this core. Then flush the HDP, or hand the signals out. */
inline fence_stores(core) {
  /* not in a call */
  /* signals in device memory */
  /* has stored */
  ((producers[core].pc == Pc_IDLE) && true && (producers[core].stored != 0));
  /* room on the bus */
  /* count handle: Handle. handle in device.cores[core].signals */
  t2 = 0;
  for (handle2 : 0 .. 1) {
    t2 = t2 + (((device.cores[core].signals >> handle2) & 1) -> 1 : 0);
  }
  /* sum hwqueue: HwQueue. (count packetslot: PacketSlot. packetslot in device.cores[core].bodies[hwqueue]) + (count packetslot: PacketSlot. packetslot in device.cores[core].headers[hwqueue]) */
  t3 = 0;
  for (hwqueue : 0 .. 0) {
    /* count packetslot: PacketSlot. packetslot in device.cores[core].bodies[hwqueue] */
    t4 = 0;
    for (packetslot : 0 .. 1) {
      t4 = t4 + (((device.cores[core].bodies[hwqueue] >> packetslot) & 1) -> 1 : 0);
    }
    /* count packetslot: PacketSlot. packetslot in device.cores[core].headers[hwqueue] */
    t5 = 0;
    for (packetslot : 0 .. 1) {
      t5 = t5 + (((device.cores[core].headers[hwqueue] >> packetslot) & 1) -> 1 : 0);
    }
    t3 = t3 + (t4 + t5);
  }
  /* count busplace: BusPlace. not (device.posted[busplace].signal == none implies device.posted[busplace].queue != none) */
  t4 = 0;
  for (busplace : 0 .. 3) {
    t4 = t4 + ((!((device.posted[busplace].signal != none) || (device.posted[busplace].queue != none))) -> 1 : 0);
  }
  t1 = (((t2 + t3) + 0) <= t4);
  if
  :: t1 ->
    printf("step fence_stores(core=%d)\n", core);
    for (handle2 : 0 .. 1) {
      for (busplace : 0 .. 3) {
        device_posted_signal_then[busplace] = device.posted[busplace].signal;
      }
      if
      :: ((device.cores[core].signals >> handle2) & 1) ->
        /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue != none */
        t2 = 0;
        for (busplace : 0 .. 3) {
          t2 = t2 + (((device.posted[busplace].signal != none) || (device.posted[busplace].queue != none)) -> 1 : 0);
        }
        t3 = t2;
        if :: (t3 <= 3) :: else -> printf("broken range:fence_stores/BusPlace\n"); assert(false) fi;
        device.posted[t3].signal = handle2;
        device.cores[core].signals = (device.cores[core].signals & ~(1 << handle2));
        /* count busplace: BusPlace. device.posted[busplace].signal then == none implies device.posted[busplace].queue != none */
        t2 = 0;
        for (busplace : 0 .. 3) {
          t2 = t2 + (((device_posted_signal_then[busplace] != none) || (device.posted[busplace].queue != none)) -> 1 : 0);
        }
        t3 = t2;
        if :: (t3 <= 3) :: else -> printf("broken range:fence_stores/BusPlace\n"); assert(false) fi;
        if
        :: (device.posted[t3].signal == none) ->
          /* count busplace: BusPlace. device.posted[busplace].signal then == none implies device.posted[busplace].queue != none */
          t4 = 0;
          for (busplace : 0 .. 3) {
            t4 = t4 + (((device_posted_signal_then[busplace] != none) || (device.posted[busplace].queue != none)) -> 1 : 0);
          }
          t5 = t4;
          if :: (t5 <= 3) :: else -> printf("broken range:fence_stores/BusPlace\n"); assert(false) fi;
          device.posted[t5].above_one = 0;
        :: else
        fi;
        /* count busplace: BusPlace. device.posted[busplace].signal then == none implies device.posted[busplace].queue != none */
        t2 = 0;
        for (busplace : 0 .. 3) {
          t2 = t2 + (((device_posted_signal_then[busplace] != none) || (device.posted[busplace].queue != none)) -> 1 : 0);
        }
        t3 = t2;
        if :: (t3 <= 3) :: else -> printf("broken range:fence_stores/BusPlace\n"); assert(false) fi;
        if
        :: (device.posted[t3].queue == none) ->
          /* count busplace: BusPlace. device.posted[busplace].signal then == none implies device.posted[busplace].queue != none */
          t4 = 0;
          for (busplace : 0 .. 3) {
            t4 = t4 + (((device_posted_signal_then[busplace] != none) || (device.posted[busplace].queue != none)) -> 1 : 0);
          }
          t5 = t4;
          if :: (t5 <= 3) :: else -> printf("broken range:fence_stores/BusPlace\n"); assert(false) fi;
          device.posted[t5].slot = 0;
          /* count busplace: BusPlace. device.posted[busplace].signal then == none implies device.posted[busplace].queue != none */
          t4 = 0;
          for (busplace : 0 .. 3) {
            t4 = t4 + (((device_posted_signal_then[busplace] != none) || (device.posted[busplace].queue != none)) -> 1 : 0);
          }
          t5 = t4;
          if :: (t5 <= 3) :: else -> printf("broken range:fence_stores/BusPlace\n"); assert(false) fi;
          device.posted[t5].writes = PacketPart_HEADER;
        :: else
        fi;
      :: else
      fi;
    }
    for (hwqueue : 0 .. 0) {
      for (packetslot : 0 .. 1) {
        for (busplace : 0 .. 3) {
          device_posted_queue_then[busplace] = device.posted[busplace].queue;
        }
        if
        :: ((device.cores[core].bodies[hwqueue] >> packetslot) & 1) ->
          /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue != none */
          t2 = 0;
          for (busplace : 0 .. 3) {
            t2 = t2 + (((device.posted[busplace].signal != none) || (device.posted[busplace].queue != none)) -> 1 : 0);
          }
          t3 = t2;
          if :: (t3 <= 3) :: else -> printf("broken range:fence_stores/BusPlace\n"); assert(false) fi;
          device.posted[t3].queue = hwqueue;
          /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue then != none */
          t2 = 0;
          for (busplace : 0 .. 3) {
            t2 = t2 + (((device.posted[busplace].signal != none) || (device_posted_queue_then[busplace] != none)) -> 1 : 0);
          }
          t3 = t2;
          if :: (t3 <= 3) :: else -> printf("broken range:fence_stores/BusPlace\n"); assert(false) fi;
          device.posted[t3].slot = packetslot;
          /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue then != none */
          t2 = 0;
          for (busplace : 0 .. 3) {
            t2 = t2 + (((device.posted[busplace].signal != none) || (device_posted_queue_then[busplace] != none)) -> 1 : 0);
          }
          t3 = t2;
          if :: (t3 <= 3) :: else -> printf("broken range:fence_stores/BusPlace\n"); assert(false) fi;
          device.posted[t3].writes = PacketPart_BODY;
          device.cores[core].bodies[hwqueue] = (device.cores[core].bodies[hwqueue] & ~(1 << packetslot));
          /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue then != none */
          t2 = 0;
          for (busplace : 0 .. 3) {
            t2 = t2 + (((device.posted[busplace].signal != none) || (device_posted_queue_then[busplace] != none)) -> 1 : 0);
          }
          t3 = t2;
          if :: (t3 <= 3) :: else -> printf("broken range:fence_stores/BusPlace\n"); assert(false) fi;
          if
          :: (device.posted[t3].signal == none) ->
            /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue then != none */
            t4 = 0;
            for (busplace : 0 .. 3) {
              t4 = t4 + (((device.posted[busplace].signal != none) || (device_posted_queue_then[busplace] != none)) -> 1 : 0);
            }
            t5 = t4;
            if :: (t5 <= 3) :: else -> printf("broken range:fence_stores/BusPlace\n"); assert(false) fi;
            device.posted[t5].above_one = 0;
          :: else
          fi;
          /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue then != none */
          t2 = 0;
          for (busplace : 0 .. 3) {
            t2 = t2 + (((device.posted[busplace].signal != none) || (device_posted_queue_then[busplace] != none)) -> 1 : 0);
          }
          t3 = t2;
          if :: (t3 <= 3) :: else -> printf("broken range:fence_stores/BusPlace\n"); assert(false) fi;
          if
          :: (device.posted[t3].queue == none) ->
            /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue then != none */
            t4 = 0;
            for (busplace : 0 .. 3) {
              t4 = t4 + (((device.posted[busplace].signal != none) || (device_posted_queue_then[busplace] != none)) -> 1 : 0);
            }
            t5 = t4;
            if :: (t5 <= 3) :: else -> printf("broken range:fence_stores/BusPlace\n"); assert(false) fi;
            device.posted[t5].slot = 0;
            /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue then != none */
            t4 = 0;
            for (busplace : 0 .. 3) {
              t4 = t4 + (((device.posted[busplace].signal != none) || (device_posted_queue_then[busplace] != none)) -> 1 : 0);
            }
            t5 = t4;
            if :: (t5 <= 3) :: else -> printf("broken range:fence_stores/BusPlace\n"); assert(false) fi;
            device.posted[t5].writes = PacketPart_HEADER;
          :: else
          fi;
        :: else
        fi;
        for (busplace : 0 .. 3) {
          device_posted_queue_then_2[busplace] = device.posted[busplace].queue;
        }
        if
        :: ((device.cores[core].headers[hwqueue] >> packetslot) & 1) ->
          /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue != none */
          t2 = 0;
          for (busplace : 0 .. 3) {
            t2 = t2 + (((device.posted[busplace].signal != none) || (device.posted[busplace].queue != none)) -> 1 : 0);
          }
          t3 = t2;
          if :: (t3 <= 3) :: else -> printf("broken range:fence_stores/BusPlace\n"); assert(false) fi;
          device.posted[t3].queue = hwqueue;
          /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue then 2 != none */
          t2 = 0;
          for (busplace : 0 .. 3) {
            t2 = t2 + (((device.posted[busplace].signal != none) || (device_posted_queue_then_2[busplace] != none)) -> 1 : 0);
          }
          t3 = t2;
          if :: (t3 <= 3) :: else -> printf("broken range:fence_stores/BusPlace\n"); assert(false) fi;
          device.posted[t3].slot = packetslot;
          /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue then 2 != none */
          t2 = 0;
          for (busplace : 0 .. 3) {
            t2 = t2 + (((device.posted[busplace].signal != none) || (device_posted_queue_then_2[busplace] != none)) -> 1 : 0);
          }
          t3 = t2;
          if :: (t3 <= 3) :: else -> printf("broken range:fence_stores/BusPlace\n"); assert(false) fi;
          device.posted[t3].writes = PacketPart_HEADER;
          device.cores[core].headers[hwqueue] = (device.cores[core].headers[hwqueue] & ~(1 << packetslot));
          /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue then 2 != none */
          t2 = 0;
          for (busplace : 0 .. 3) {
            t2 = t2 + (((device.posted[busplace].signal != none) || (device_posted_queue_then_2[busplace] != none)) -> 1 : 0);
          }
          t3 = t2;
          if :: (t3 <= 3) :: else -> printf("broken range:fence_stores/BusPlace\n"); assert(false) fi;
          if
          :: (device.posted[t3].signal == none) ->
            /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue then 2 != none */
            t4 = 0;
            for (busplace : 0 .. 3) {
              t4 = t4 + (((device.posted[busplace].signal != none) || (device_posted_queue_then_2[busplace] != none)) -> 1 : 0);
            }
            t5 = t4;
            if :: (t5 <= 3) :: else -> printf("broken range:fence_stores/BusPlace\n"); assert(false) fi;
            device.posted[t5].above_one = 0;
          :: else
          fi;
          /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue then 2 != none */
          t2 = 0;
          for (busplace : 0 .. 3) {
            t2 = t2 + (((device.posted[busplace].signal != none) || (device_posted_queue_then_2[busplace] != none)) -> 1 : 0);
          }
          t3 = t2;
          if :: (t3 <= 3) :: else -> printf("broken range:fence_stores/BusPlace\n"); assert(false) fi;
          if
          :: (device.posted[t3].queue == none) ->
            /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue then 2 != none */
            t4 = 0;
            for (busplace : 0 .. 3) {
              t4 = t4 + (((device.posted[busplace].signal != none) || (device_posted_queue_then_2[busplace] != none)) -> 1 : 0);
            }
            t5 = t4;
            if :: (t5 <= 3) :: else -> printf("broken range:fence_stores/BusPlace\n"); assert(false) fi;
            device.posted[t5].slot = 0;
            /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue then 2 != none */
            t4 = 0;
            for (busplace : 0 .. 3) {
              t4 = t4 + (((device.posted[busplace].signal != none) || (device_posted_queue_then_2[busplace] != none)) -> 1 : 0);
            }
            t5 = t4;
            if :: (t5 <= 3) :: else -> printf("broken range:fence_stores/BusPlace\n"); assert(false) fi;
            device.posted[t5].writes = PacketPart_HEADER;
          :: else
          fi;
        :: else
        fi;
      }
    }
    for (handle2 : 0 .. 1) {
      if
      :: ((producers[core].stored >> handle2) & 1) ->
        device.signals[handle2].life = Life_ARMED;
      :: else
      fi;
    }
    producers[core].stored = 0;
  :: else
  fi;
  t1 = 0;
  t2 = 0;
  handle2 = 0;
  t3 = 0;
  hwqueue = 0;
  t4 = 0;
  packetslot = 0;
  t5 = 0;
  busplace = 0;
  t1 = 0;
  for (t1 : 0 .. 3) { device_posted_signal_then[t1] = 0 }
  t1 = 0;
  t1 = 0;
  for (t1 : 0 .. 3) { device_posted_queue_then[t1] = 0 }
  t1 = 0;
  t1 = 0;
  for (t1 : 0 .. 3) { device_posted_queue_then_2[t1] = 0 }
  t1 = 0;
}

/* described: RetiringSignalTracker::Reclaim (confirm), CpuWaitForSignal (by app, progress) */
/* A load of the signal gives less than 1: its use is complete. */
inline see_complete(core, handle) {
  /* not in a call */
  ((producers[core].pc == Pc_IDLE));
  /* in use */
  t2 = (device.signals[handle].life == Life_USED);
  if
  :: t2 ->
    /* exists core: Core. (producers[core].pc == RESERVED or producers[core].pc == FLUSH_ADD or producers[core].pc == BODY or producers[core].pc == HEADER) and producers[core].signal == handle */
    t4 = 0;
    for (core2 : 0 .. 1) {
      t4 = (t4 || (((producers[core2].pc == Pc_RESERVED) || (producers[core2].pc == Pc_FLUSH_ADD) || (producers[core2].pc == Pc_BODY) || (producers[core2].pc == Pc_HEADER)) && (producers[core2].signal == handle)));
    }
    t3 = t4;
    if
    :: !t3 ->
      t3 = ((copy.signal == handle) && (!copy.submitted));
    :: else
    fi;
    t2 = (!t3);
  :: else
  fi;
  t1 = t2;
  /* complete */
  if
  :: t1 ->
    if
    :: ((device.cores[core].signals >> handle) & 1) ->
      t2 = 1;
    :: else ->
      /* exists busplace: BusPlace. device.posted[busplace].signal == handle */
      t3 = 0;
      for (busplace : 0 .. 3) {
        t3 = (t3 || (device.posted[busplace].signal == handle));
      }
      if
      :: t3 ->
        /* sum busplace: BusPlace. device.posted[busplace].above_one if device.posted[busplace].signal == handle and not (exists busplace2: BusPlace. busplace < busplace2 and device.posted[busplace2].signal == handle) else 0 */
        t5 = 0;
        for (busplace : 0 .. 3) {
          t6 = (device.posted[busplace].signal == handle);
          if
          :: t6 ->
            /* exists busplace: BusPlace. busplace < busplace and device.posted[busplace].signal == handle */
            t7 = 0;
            for (busplace2 : 0 .. 3) {
              t7 = (t7 || ((busplace < busplace2) && (device.posted[busplace2].signal == handle)));
            }
            t6 = (!t7);
          :: else
          fi;
          if
          :: t6 ->
            if :: (device.posted[busplace].signal != none) :: else -> printf("step see_complete(core=%d, handle=%d)\n", core, handle); printf("broken dead:see_complete/device.posted[].above_one\n"); assert(false) fi;
            t7 = device.posted[busplace].above_one;
          :: else ->
            t7 = 0;
          fi;
          t5 = t5 + t7;
        }
        t4 = (t5 + 1);
      :: else ->
        t4 = device.signals[handle].value;
      fi;
      t2 = t4;
    fi;
    t1 = (t2 < 1);
  :: else
  fi;
  if
  :: t1 ->
    printf("step see_complete(core=%d, handle=%d)\n", core, handle);
    t2 = host_passed_early;
    if
    :: !t2 ->
      /* exists hwqueue: HwQueue, packetslot: PacketSlot. (device.rings[hwqueue].slots[packetslot].phase == RESERVED or device.rings[hwqueue].slots[packetslot].phase == VALID) and device.rings[hwqueue].slots[packetslot].signal == handle */
      t3 = 0;
      for (hwqueue : 0 .. 0) {
        /* exists packetslot: PacketSlot. (device.rings[hwqueue].slots[packetslot].phase == RESERVED or device.rings[hwqueue].slots[packetslot].phase == VALID) and device.rings[hwqueue].slots[packetslot].signal == handle */
        t4 = 0;
        for (packetslot : 0 .. 1) {
          t4 = (t4 || (((device.rings[hwqueue].slots[packetslot].phase == SlotPhase_RESERVED) || (device.rings[hwqueue].slots[packetslot].phase == SlotPhase_VALID)) && (device.rings[hwqueue].slots[packetslot].signal == handle)));
        }
        t3 = (t3 || t4);
      }
      t2 = t3;
    :: else
    fi;
    if
    :: !t2 ->
      t2 = device.signals[handle].running;
    :: else
    fi;
    if
    :: !t2 ->
      t2 = (copy.signal == handle);
    :: else
    fi;
    host_passed_early = t2;
    /* seen complete */
    device.signals[handle].life = Life_COMPLETE;
  :: else
  fi;
  t1 = 0;
  t2 = 0;
  t3 = 0;
  t4 = 0;
  core2 = 0;
  busplace = 0;
  t5 = 0;
  t6 = 0;
  t7 = 0;
  busplace2 = 0;
  hwqueue = 0;
  packetslot = 0;
}

/* VirtualGPU::dispatchGenericAqlPacket (reserve) (by app, environment) */
/* Reserve a slot that the read index has passed, for a packet with an armed signal; a barrier has a dependency. */
inline reserve(core, queue2, handle, dep2) {
  /* not in a call */
  /* armed */
  (((producers[core].pc == Pc_IDLE) && (producers[core].stored == 0)) && (device.signals[handle].life == Life_ARMED));
  /* waits for a use */
  t2 = (dep2 == none);
  if
  :: !t2 ->
    t3 = (dep2 != none);
    if
    :: t3 ->
      t4 = dep2;
      if :: (t4 >= 0) :: else -> printf("step reserve(core=%d, queue=%d, handle=%d, dep=%d)\n", core, queue2, handle, dep2); printf("broken range:reserve/Handle\n"); assert(false) fi;
      t3 = (device.signals[t4].life == Life_USED);
    :: else
    fi;
    if
    :: t3 ->
      /* exists core: Core. (producers[core].pc == RESERVED or producers[core].pc == FLUSH_ADD or producers[core].pc == BODY or producers[core].pc == HEADER) and producers[core].signal == dep */
      t5 = 0;
      for (core2 : 0 .. 1) {
        t6 = ((producers[core2].pc == Pc_RESERVED) || (producers[core2].pc == Pc_FLUSH_ADD) || (producers[core2].pc == Pc_BODY) || (producers[core2].pc == Pc_HEADER));
        if
        :: t6 ->
          t7 = dep2;
          if :: (t7 >= 0) :: else -> printf("step reserve(core=%d, queue=%d, handle=%d, dep=%d)\n", core, queue2, handle, dep2); printf("broken range:reserve/Handle\n"); assert(false) fi;
          t6 = (producers[core2].signal == t7);
        :: else
        fi;
        t5 = (t5 || t6);
      }
      t4 = t5;
      if
      :: !t4 ->
        t7 = dep2;
        if :: (t7 >= 0) :: else -> printf("step reserve(core=%d, queue=%d, handle=%d, dep=%d)\n", core, queue2, handle, dep2); printf("broken range:reserve/Handle\n"); assert(false) fi;
        t6 = (copy.signal == t7);
        if
        :: t6 ->
          t6 = (!copy.submitted);
        :: else
        fi;
        t4 = t6;
      :: else
      fi;
      t3 = (!t4);
    :: else
    fi;
    t2 = t3;
  :: else
  fi;
  t1 = t2;
  /* room in the ring */
  if
  :: t1 ->
    t1 = (device.rings[queue2].slots[device.rings[queue2].tail].phase == SlotPhase_FREE);
  :: else
  fi;
  if
  :: t1 ->
    printf("step reserve(core=%d, queue=%d, handle=%d, dep=%d)\n", core, queue2, handle, dep2);
    old_device_rings_tail = device.rings[queue2].tail;
    /* packet with signal <handle> */
    device.slot_overwritten = (device.slot_overwritten || (device.rings[queue2].slots[device.rings[queue2].tail].phase == SlotPhase_LAUNCHED));
    device.signals[handle].life = Life_USED;
    producers[core].pc = Pc_RESERVED;
    producers[core].queue = queue2;
    producers[core].slot = device.rings[queue2].tail;
    producers[core].signal = handle;
    device.rings[queue2].slots[device.rings[queue2].tail].phase = SlotPhase_RESERVED;
    device.rings[queue2].slots[device.rings[queue2].tail].signal = handle;
    device.rings[queue2].slots[device.rings[queue2].tail].dep = dep2;
    if
    :: (device.rings[queue2].tail == 1) ->
      t2 = 0;
    :: else ->
      t3 = (device.rings[queue2].tail + 1);
      if :: (t3 <= 1) :: else -> printf("broken range:reserve/next\n"); assert(false) fi;
      t2 = t3;
    fi;
    device.rings[queue2].tail = t2;
    if
    :: (!((device.rings[queue2].slots[old_device_rings_tail].phase == SlotPhase_RESERVED) || (device.rings[queue2].slots[old_device_rings_tail].phase == SlotPhase_VALID))) ->
      device.rings[queue2].slots[old_device_rings_tail].rung = false;
      device.rings[queue2].slots[old_device_rings_tail].signal = 0;
      device.rings[queue2].slots[old_device_rings_tail].dep = none;
    :: else
    fi;
  :: else
  fi;
  t1 = 0;
  t2 = 0;
  t3 = 0;
  t4 = 0;
  t5 = 0;
  core2 = 0;
  t6 = 0;
  t7 = 0;
  old_device_rings_tail = 0;
}

/* VirtualGPU::dispatchGenericAqlPacket (body) (by app, progress) */
/* Write all of the packet but its header. In system memory the order of the stores is the CPU's, and kept. */
inline write_body(core) {
  /* slot reserved */
  ((producers[core].pc == Pc_RESERVED));
  printf("step write_body(core=%d)\n", core);
  device.cores[core].bodies[producers[core].queue] = (device.cores[core].bodies[producers[core].queue] | (1 << producers[core].slot));
  producers[core].pc = Pc_BODY;
}

/* VirtualGPU::dispatchGenericAqlPacket (store fence, header) (by app, progress) */
/* Fence the body where the ring is in device memory, then write the header. */
inline write_header(core) {
  /* body written */
  ((producers[core].pc == Pc_BODY));
  /* room on the bus */
  /* count handle: Handle. handle in device.cores[core].signals */
  t2 = 0;
  for (handle2 : 0 .. 1) {
    t2 = t2 + (((device.cores[core].signals >> handle2) & 1) -> 1 : 0);
  }
  /* sum hwqueue: HwQueue. (count packetslot: PacketSlot. packetslot in device.cores[core].bodies[hwqueue]) + (count packetslot: PacketSlot. packetslot in device.cores[core].headers[hwqueue]) */
  t3 = 0;
  for (hwqueue : 0 .. 0) {
    /* count packetslot: PacketSlot. packetslot in device.cores[core].bodies[hwqueue] */
    t4 = 0;
    for (packetslot : 0 .. 1) {
      t4 = t4 + (((device.cores[core].bodies[hwqueue] >> packetslot) & 1) -> 1 : 0);
    }
    /* count packetslot: PacketSlot. packetslot in device.cores[core].headers[hwqueue] */
    t5 = 0;
    for (packetslot : 0 .. 1) {
      t5 = t5 + (((device.cores[core].headers[hwqueue] >> packetslot) & 1) -> 1 : 0);
    }
    t3 = t3 + (t4 + t5);
  }
  /* count busplace: BusPlace. not (device.posted[busplace].signal == none implies device.posted[busplace].queue != none) */
  t4 = 0;
  for (busplace : 0 .. 3) {
    t4 = t4 + ((!((device.posted[busplace].signal != none) || (device.posted[busplace].queue != none))) -> 1 : 0);
  }
  t1 = (((t2 + t3) + 0) <= t4);
  if
  :: t1 ->
    printf("step write_header(core=%d)\n", core);
    for (handle2 : 0 .. 1) {
      for (busplace : 0 .. 3) {
        device_posted_signal_then[busplace] = device.posted[busplace].signal;
      }
      if
      :: ((device.cores[core].signals >> handle2) & 1) ->
        /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue != none */
        t2 = 0;
        for (busplace : 0 .. 3) {
          t2 = t2 + (((device.posted[busplace].signal != none) || (device.posted[busplace].queue != none)) -> 1 : 0);
        }
        t3 = t2;
        if :: (t3 <= 3) :: else -> printf("broken range:write_header/BusPlace\n"); assert(false) fi;
        device.posted[t3].signal = handle2;
        device.cores[core].signals = (device.cores[core].signals & ~(1 << handle2));
        /* count busplace: BusPlace. device.posted[busplace].signal then == none implies device.posted[busplace].queue != none */
        t2 = 0;
        for (busplace : 0 .. 3) {
          t2 = t2 + (((device_posted_signal_then[busplace] != none) || (device.posted[busplace].queue != none)) -> 1 : 0);
        }
        t3 = t2;
        if :: (t3 <= 3) :: else -> printf("broken range:write_header/BusPlace\n"); assert(false) fi;
        if
        :: (device.posted[t3].signal == none) ->
          /* count busplace: BusPlace. device.posted[busplace].signal then == none implies device.posted[busplace].queue != none */
          t4 = 0;
          for (busplace : 0 .. 3) {
            t4 = t4 + (((device_posted_signal_then[busplace] != none) || (device.posted[busplace].queue != none)) -> 1 : 0);
          }
          t5 = t4;
          if :: (t5 <= 3) :: else -> printf("broken range:write_header/BusPlace\n"); assert(false) fi;
          device.posted[t5].above_one = 0;
        :: else
        fi;
        /* count busplace: BusPlace. device.posted[busplace].signal then == none implies device.posted[busplace].queue != none */
        t2 = 0;
        for (busplace : 0 .. 3) {
          t2 = t2 + (((device_posted_signal_then[busplace] != none) || (device.posted[busplace].queue != none)) -> 1 : 0);
        }
        t3 = t2;
        if :: (t3 <= 3) :: else -> printf("broken range:write_header/BusPlace\n"); assert(false) fi;
        if
        :: (device.posted[t3].queue == none) ->
          /* count busplace: BusPlace. device.posted[busplace].signal then == none implies device.posted[busplace].queue != none */
          t4 = 0;
          for (busplace : 0 .. 3) {
            t4 = t4 + (((device_posted_signal_then[busplace] != none) || (device.posted[busplace].queue != none)) -> 1 : 0);
          }
          t5 = t4;
          if :: (t5 <= 3) :: else -> printf("broken range:write_header/BusPlace\n"); assert(false) fi;
          device.posted[t5].slot = 0;
          /* count busplace: BusPlace. device.posted[busplace].signal then == none implies device.posted[busplace].queue != none */
          t4 = 0;
          for (busplace : 0 .. 3) {
            t4 = t4 + (((device_posted_signal_then[busplace] != none) || (device.posted[busplace].queue != none)) -> 1 : 0);
          }
          t5 = t4;
          if :: (t5 <= 3) :: else -> printf("broken range:write_header/BusPlace\n"); assert(false) fi;
          device.posted[t5].writes = PacketPart_HEADER;
        :: else
        fi;
      :: else
      fi;
    }
    for (hwqueue : 0 .. 0) {
      for (packetslot : 0 .. 1) {
        for (busplace : 0 .. 3) {
          device_posted_queue_then[busplace] = device.posted[busplace].queue;
        }
        if
        :: ((device.cores[core].bodies[hwqueue] >> packetslot) & 1) ->
          /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue != none */
          t2 = 0;
          for (busplace : 0 .. 3) {
            t2 = t2 + (((device.posted[busplace].signal != none) || (device.posted[busplace].queue != none)) -> 1 : 0);
          }
          t3 = t2;
          if :: (t3 <= 3) :: else -> printf("broken range:write_header/BusPlace\n"); assert(false) fi;
          device.posted[t3].queue = hwqueue;
          /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue then != none */
          t2 = 0;
          for (busplace : 0 .. 3) {
            t2 = t2 + (((device.posted[busplace].signal != none) || (device_posted_queue_then[busplace] != none)) -> 1 : 0);
          }
          t3 = t2;
          if :: (t3 <= 3) :: else -> printf("broken range:write_header/BusPlace\n"); assert(false) fi;
          device.posted[t3].slot = packetslot;
          /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue then != none */
          t2 = 0;
          for (busplace : 0 .. 3) {
            t2 = t2 + (((device.posted[busplace].signal != none) || (device_posted_queue_then[busplace] != none)) -> 1 : 0);
          }
          t3 = t2;
          if :: (t3 <= 3) :: else -> printf("broken range:write_header/BusPlace\n"); assert(false) fi;
          device.posted[t3].writes = PacketPart_BODY;
          device.cores[core].bodies[hwqueue] = (device.cores[core].bodies[hwqueue] & ~(1 << packetslot));
          /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue then != none */
          t2 = 0;
          for (busplace : 0 .. 3) {
            t2 = t2 + (((device.posted[busplace].signal != none) || (device_posted_queue_then[busplace] != none)) -> 1 : 0);
          }
          t3 = t2;
          if :: (t3 <= 3) :: else -> printf("broken range:write_header/BusPlace\n"); assert(false) fi;
          if
          :: (device.posted[t3].signal == none) ->
            /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue then != none */
            t4 = 0;
            for (busplace : 0 .. 3) {
              t4 = t4 + (((device.posted[busplace].signal != none) || (device_posted_queue_then[busplace] != none)) -> 1 : 0);
            }
            t5 = t4;
            if :: (t5 <= 3) :: else -> printf("broken range:write_header/BusPlace\n"); assert(false) fi;
            device.posted[t5].above_one = 0;
          :: else
          fi;
          /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue then != none */
          t2 = 0;
          for (busplace : 0 .. 3) {
            t2 = t2 + (((device.posted[busplace].signal != none) || (device_posted_queue_then[busplace] != none)) -> 1 : 0);
          }
          t3 = t2;
          if :: (t3 <= 3) :: else -> printf("broken range:write_header/BusPlace\n"); assert(false) fi;
          if
          :: (device.posted[t3].queue == none) ->
            /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue then != none */
            t4 = 0;
            for (busplace : 0 .. 3) {
              t4 = t4 + (((device.posted[busplace].signal != none) || (device_posted_queue_then[busplace] != none)) -> 1 : 0);
            }
            t5 = t4;
            if :: (t5 <= 3) :: else -> printf("broken range:write_header/BusPlace\n"); assert(false) fi;
            device.posted[t5].slot = 0;
            /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue then != none */
            t4 = 0;
            for (busplace : 0 .. 3) {
              t4 = t4 + (((device.posted[busplace].signal != none) || (device_posted_queue_then[busplace] != none)) -> 1 : 0);
            }
            t5 = t4;
            if :: (t5 <= 3) :: else -> printf("broken range:write_header/BusPlace\n"); assert(false) fi;
            device.posted[t5].writes = PacketPart_HEADER;
          :: else
          fi;
        :: else
        fi;
        for (busplace : 0 .. 3) {
          device_posted_queue_then_2[busplace] = device.posted[busplace].queue;
        }
        if
        :: ((device.cores[core].headers[hwqueue] >> packetslot) & 1) ->
          /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue != none */
          t2 = 0;
          for (busplace : 0 .. 3) {
            t2 = t2 + (((device.posted[busplace].signal != none) || (device.posted[busplace].queue != none)) -> 1 : 0);
          }
          t3 = t2;
          if :: (t3 <= 3) :: else -> printf("broken range:write_header/BusPlace\n"); assert(false) fi;
          device.posted[t3].queue = hwqueue;
          /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue then 2 != none */
          t2 = 0;
          for (busplace : 0 .. 3) {
            t2 = t2 + (((device.posted[busplace].signal != none) || (device_posted_queue_then_2[busplace] != none)) -> 1 : 0);
          }
          t3 = t2;
          if :: (t3 <= 3) :: else -> printf("broken range:write_header/BusPlace\n"); assert(false) fi;
          device.posted[t3].slot = packetslot;
          /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue then 2 != none */
          t2 = 0;
          for (busplace : 0 .. 3) {
            t2 = t2 + (((device.posted[busplace].signal != none) || (device_posted_queue_then_2[busplace] != none)) -> 1 : 0);
          }
          t3 = t2;
          if :: (t3 <= 3) :: else -> printf("broken range:write_header/BusPlace\n"); assert(false) fi;
          device.posted[t3].writes = PacketPart_HEADER;
          device.cores[core].headers[hwqueue] = (device.cores[core].headers[hwqueue] & ~(1 << packetslot));
          /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue then 2 != none */
          t2 = 0;
          for (busplace : 0 .. 3) {
            t2 = t2 + (((device.posted[busplace].signal != none) || (device_posted_queue_then_2[busplace] != none)) -> 1 : 0);
          }
          t3 = t2;
          if :: (t3 <= 3) :: else -> printf("broken range:write_header/BusPlace\n"); assert(false) fi;
          if
          :: (device.posted[t3].signal == none) ->
            /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue then 2 != none */
            t4 = 0;
            for (busplace : 0 .. 3) {
              t4 = t4 + (((device.posted[busplace].signal != none) || (device_posted_queue_then_2[busplace] != none)) -> 1 : 0);
            }
            t5 = t4;
            if :: (t5 <= 3) :: else -> printf("broken range:write_header/BusPlace\n"); assert(false) fi;
            device.posted[t5].above_one = 0;
          :: else
          fi;
          /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue then 2 != none */
          t2 = 0;
          for (busplace : 0 .. 3) {
            t2 = t2 + (((device.posted[busplace].signal != none) || (device_posted_queue_then_2[busplace] != none)) -> 1 : 0);
          }
          t3 = t2;
          if :: (t3 <= 3) :: else -> printf("broken range:write_header/BusPlace\n"); assert(false) fi;
          if
          :: (device.posted[t3].queue == none) ->
            /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue then 2 != none */
            t4 = 0;
            for (busplace : 0 .. 3) {
              t4 = t4 + (((device.posted[busplace].signal != none) || (device_posted_queue_then_2[busplace] != none)) -> 1 : 0);
            }
            t5 = t4;
            if :: (t5 <= 3) :: else -> printf("broken range:write_header/BusPlace\n"); assert(false) fi;
            device.posted[t5].slot = 0;
            /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue then 2 != none */
            t4 = 0;
            for (busplace : 0 .. 3) {
              t4 = t4 + (((device.posted[busplace].signal != none) || (device_posted_queue_then_2[busplace] != none)) -> 1 : 0);
            }
            t5 = t4;
            if :: (t5 <= 3) :: else -> printf("broken range:write_header/BusPlace\n"); assert(false) fi;
            device.posted[t5].writes = PacketPart_HEADER;
          :: else
          fi;
        :: else
        fi;
      }
    }
    producers_pc_then = Pc_BODY;
    device.rings[producers[core].queue].slots[producers[core].slot].phase = SlotPhase_VALID;
    device.cores[core].headers[producers[core].queue] = (device.cores[core].headers[producers[core].queue] | (1 << producers[core].slot));
    producers[core].pc = Pc_HEADER;
    if
    :: (!((device.rings[producers[core].queue].slots[producers[core].slot].phase == SlotPhase_RESERVED) || (device.rings[producers[core].queue].slots[producers[core].slot].phase == SlotPhase_VALID))) ->
      device.rings[producers[core].queue].slots[producers[core].slot].rung = false;
      device.rings[producers[core].queue].slots[producers[core].slot].signal = 0;
      device.rings[producers[core].queue].slots[producers[core].slot].dep = none;
    :: else
    fi;
  :: else
  fi;
  t1 = 0;
  t2 = 0;
  handle2 = 0;
  t3 = 0;
  hwqueue = 0;
  t4 = 0;
  packetslot = 0;
  t5 = 0;
  busplace = 0;
  t1 = 0;
  for (t1 : 0 .. 3) { device_posted_signal_then[t1] = 0 }
  t1 = 0;
  t1 = 0;
  for (t1 : 0 .. 3) { device_posted_queue_then[t1] = 0 }
  t1 = 0;
  t1 = 0;
  for (t1 : 0 .. 3) { device_posted_queue_then_2[t1] = 0 }
  t1 = 0;
  producers_pc_then = 0;
}

/* AqlQueue::StoreRelaxed (store fence, doorbell) (by app, progress) */
/* Fence, then store to the doorbell. It covers the packet and every earlier slot, whoever writes there. */
inline ring_doorbell(core) {
  /* header written */
  ((producers[core].pc == Pc_HEADER));
  /* room on the bus */
  /* count handle: Handle. handle in device.cores[core].signals */
  t2 = 0;
  for (handle2 : 0 .. 1) {
    t2 = t2 + (((device.cores[core].signals >> handle2) & 1) -> 1 : 0);
  }
  /* sum hwqueue: HwQueue. (count packetslot: PacketSlot. packetslot in device.cores[core].bodies[hwqueue]) + (count packetslot: PacketSlot. packetslot in device.cores[core].headers[hwqueue]) */
  t3 = 0;
  for (hwqueue : 0 .. 0) {
    /* count packetslot: PacketSlot. packetslot in device.cores[core].bodies[hwqueue] */
    t4 = 0;
    for (packetslot : 0 .. 1) {
      t4 = t4 + (((device.cores[core].bodies[hwqueue] >> packetslot) & 1) -> 1 : 0);
    }
    /* count packetslot: PacketSlot. packetslot in device.cores[core].headers[hwqueue] */
    t5 = 0;
    for (packetslot : 0 .. 1) {
      t5 = t5 + (((device.cores[core].headers[hwqueue] >> packetslot) & 1) -> 1 : 0);
    }
    t3 = t3 + (t4 + t5);
  }
  /* count busplace: BusPlace. not (device.posted[busplace].signal == none implies device.posted[busplace].queue != none) */
  t4 = 0;
  for (busplace : 0 .. 3) {
    t4 = t4 + ((!((device.posted[busplace].signal != none) || (device.posted[busplace].queue != none))) -> 1 : 0);
  }
  t1 = (((t2 + t3) + 0) <= t4);
  if
  :: t1 ->
    printf("step ring_doorbell(core=%d)\n", core);
    for (handle2 : 0 .. 1) {
      for (busplace : 0 .. 3) {
        device_posted_signal_then[busplace] = device.posted[busplace].signal;
      }
      if
      :: ((device.cores[core].signals >> handle2) & 1) ->
        /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue != none */
        t2 = 0;
        for (busplace : 0 .. 3) {
          t2 = t2 + (((device.posted[busplace].signal != none) || (device.posted[busplace].queue != none)) -> 1 : 0);
        }
        t3 = t2;
        if :: (t3 <= 3) :: else -> printf("broken range:ring_doorbell/BusPlace\n"); assert(false) fi;
        device.posted[t3].signal = handle2;
        device.cores[core].signals = (device.cores[core].signals & ~(1 << handle2));
        /* count busplace: BusPlace. device.posted[busplace].signal then == none implies device.posted[busplace].queue != none */
        t2 = 0;
        for (busplace : 0 .. 3) {
          t2 = t2 + (((device_posted_signal_then[busplace] != none) || (device.posted[busplace].queue != none)) -> 1 : 0);
        }
        t3 = t2;
        if :: (t3 <= 3) :: else -> printf("broken range:ring_doorbell/BusPlace\n"); assert(false) fi;
        if
        :: (device.posted[t3].signal == none) ->
          /* count busplace: BusPlace. device.posted[busplace].signal then == none implies device.posted[busplace].queue != none */
          t4 = 0;
          for (busplace : 0 .. 3) {
            t4 = t4 + (((device_posted_signal_then[busplace] != none) || (device.posted[busplace].queue != none)) -> 1 : 0);
          }
          t5 = t4;
          if :: (t5 <= 3) :: else -> printf("broken range:ring_doorbell/BusPlace\n"); assert(false) fi;
          device.posted[t5].above_one = 0;
        :: else
        fi;
        /* count busplace: BusPlace. device.posted[busplace].signal then == none implies device.posted[busplace].queue != none */
        t2 = 0;
        for (busplace : 0 .. 3) {
          t2 = t2 + (((device_posted_signal_then[busplace] != none) || (device.posted[busplace].queue != none)) -> 1 : 0);
        }
        t3 = t2;
        if :: (t3 <= 3) :: else -> printf("broken range:ring_doorbell/BusPlace\n"); assert(false) fi;
        if
        :: (device.posted[t3].queue == none) ->
          /* count busplace: BusPlace. device.posted[busplace].signal then == none implies device.posted[busplace].queue != none */
          t4 = 0;
          for (busplace : 0 .. 3) {
            t4 = t4 + (((device_posted_signal_then[busplace] != none) || (device.posted[busplace].queue != none)) -> 1 : 0);
          }
          t5 = t4;
          if :: (t5 <= 3) :: else -> printf("broken range:ring_doorbell/BusPlace\n"); assert(false) fi;
          device.posted[t5].slot = 0;
          /* count busplace: BusPlace. device.posted[busplace].signal then == none implies device.posted[busplace].queue != none */
          t4 = 0;
          for (busplace : 0 .. 3) {
            t4 = t4 + (((device_posted_signal_then[busplace] != none) || (device.posted[busplace].queue != none)) -> 1 : 0);
          }
          t5 = t4;
          if :: (t5 <= 3) :: else -> printf("broken range:ring_doorbell/BusPlace\n"); assert(false) fi;
          device.posted[t5].writes = PacketPart_HEADER;
        :: else
        fi;
      :: else
      fi;
    }
    for (hwqueue : 0 .. 0) {
      for (packetslot : 0 .. 1) {
        for (busplace : 0 .. 3) {
          device_posted_queue_then[busplace] = device.posted[busplace].queue;
        }
        if
        :: ((device.cores[core].bodies[hwqueue] >> packetslot) & 1) ->
          /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue != none */
          t2 = 0;
          for (busplace : 0 .. 3) {
            t2 = t2 + (((device.posted[busplace].signal != none) || (device.posted[busplace].queue != none)) -> 1 : 0);
          }
          t3 = t2;
          if :: (t3 <= 3) :: else -> printf("broken range:ring_doorbell/BusPlace\n"); assert(false) fi;
          device.posted[t3].queue = hwqueue;
          /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue then != none */
          t2 = 0;
          for (busplace : 0 .. 3) {
            t2 = t2 + (((device.posted[busplace].signal != none) || (device_posted_queue_then[busplace] != none)) -> 1 : 0);
          }
          t3 = t2;
          if :: (t3 <= 3) :: else -> printf("broken range:ring_doorbell/BusPlace\n"); assert(false) fi;
          device.posted[t3].slot = packetslot;
          /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue then != none */
          t2 = 0;
          for (busplace : 0 .. 3) {
            t2 = t2 + (((device.posted[busplace].signal != none) || (device_posted_queue_then[busplace] != none)) -> 1 : 0);
          }
          t3 = t2;
          if :: (t3 <= 3) :: else -> printf("broken range:ring_doorbell/BusPlace\n"); assert(false) fi;
          device.posted[t3].writes = PacketPart_BODY;
          device.cores[core].bodies[hwqueue] = (device.cores[core].bodies[hwqueue] & ~(1 << packetslot));
          /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue then != none */
          t2 = 0;
          for (busplace : 0 .. 3) {
            t2 = t2 + (((device.posted[busplace].signal != none) || (device_posted_queue_then[busplace] != none)) -> 1 : 0);
          }
          t3 = t2;
          if :: (t3 <= 3) :: else -> printf("broken range:ring_doorbell/BusPlace\n"); assert(false) fi;
          if
          :: (device.posted[t3].signal == none) ->
            /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue then != none */
            t4 = 0;
            for (busplace : 0 .. 3) {
              t4 = t4 + (((device.posted[busplace].signal != none) || (device_posted_queue_then[busplace] != none)) -> 1 : 0);
            }
            t5 = t4;
            if :: (t5 <= 3) :: else -> printf("broken range:ring_doorbell/BusPlace\n"); assert(false) fi;
            device.posted[t5].above_one = 0;
          :: else
          fi;
          /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue then != none */
          t2 = 0;
          for (busplace : 0 .. 3) {
            t2 = t2 + (((device.posted[busplace].signal != none) || (device_posted_queue_then[busplace] != none)) -> 1 : 0);
          }
          t3 = t2;
          if :: (t3 <= 3) :: else -> printf("broken range:ring_doorbell/BusPlace\n"); assert(false) fi;
          if
          :: (device.posted[t3].queue == none) ->
            /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue then != none */
            t4 = 0;
            for (busplace : 0 .. 3) {
              t4 = t4 + (((device.posted[busplace].signal != none) || (device_posted_queue_then[busplace] != none)) -> 1 : 0);
            }
            t5 = t4;
            if :: (t5 <= 3) :: else -> printf("broken range:ring_doorbell/BusPlace\n"); assert(false) fi;
            device.posted[t5].slot = 0;
            /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue then != none */
            t4 = 0;
            for (busplace : 0 .. 3) {
              t4 = t4 + (((device.posted[busplace].signal != none) || (device_posted_queue_then[busplace] != none)) -> 1 : 0);
            }
            t5 = t4;
            if :: (t5 <= 3) :: else -> printf("broken range:ring_doorbell/BusPlace\n"); assert(false) fi;
            device.posted[t5].writes = PacketPart_HEADER;
          :: else
          fi;
        :: else
        fi;
        for (busplace : 0 .. 3) {
          device_posted_queue_then_2[busplace] = device.posted[busplace].queue;
        }
        if
        :: ((device.cores[core].headers[hwqueue] >> packetslot) & 1) ->
          /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue != none */
          t2 = 0;
          for (busplace : 0 .. 3) {
            t2 = t2 + (((device.posted[busplace].signal != none) || (device.posted[busplace].queue != none)) -> 1 : 0);
          }
          t3 = t2;
          if :: (t3 <= 3) :: else -> printf("broken range:ring_doorbell/BusPlace\n"); assert(false) fi;
          device.posted[t3].queue = hwqueue;
          /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue then 2 != none */
          t2 = 0;
          for (busplace : 0 .. 3) {
            t2 = t2 + (((device.posted[busplace].signal != none) || (device_posted_queue_then_2[busplace] != none)) -> 1 : 0);
          }
          t3 = t2;
          if :: (t3 <= 3) :: else -> printf("broken range:ring_doorbell/BusPlace\n"); assert(false) fi;
          device.posted[t3].slot = packetslot;
          /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue then 2 != none */
          t2 = 0;
          for (busplace : 0 .. 3) {
            t2 = t2 + (((device.posted[busplace].signal != none) || (device_posted_queue_then_2[busplace] != none)) -> 1 : 0);
          }
          t3 = t2;
          if :: (t3 <= 3) :: else -> printf("broken range:ring_doorbell/BusPlace\n"); assert(false) fi;
          device.posted[t3].writes = PacketPart_HEADER;
          device.cores[core].headers[hwqueue] = (device.cores[core].headers[hwqueue] & ~(1 << packetslot));
          /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue then 2 != none */
          t2 = 0;
          for (busplace : 0 .. 3) {
            t2 = t2 + (((device.posted[busplace].signal != none) || (device_posted_queue_then_2[busplace] != none)) -> 1 : 0);
          }
          t3 = t2;
          if :: (t3 <= 3) :: else -> printf("broken range:ring_doorbell/BusPlace\n"); assert(false) fi;
          if
          :: (device.posted[t3].signal == none) ->
            /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue then 2 != none */
            t4 = 0;
            for (busplace : 0 .. 3) {
              t4 = t4 + (((device.posted[busplace].signal != none) || (device_posted_queue_then_2[busplace] != none)) -> 1 : 0);
            }
            t5 = t4;
            if :: (t5 <= 3) :: else -> printf("broken range:ring_doorbell/BusPlace\n"); assert(false) fi;
            device.posted[t5].above_one = 0;
          :: else
          fi;
          /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue then 2 != none */
          t2 = 0;
          for (busplace : 0 .. 3) {
            t2 = t2 + (((device.posted[busplace].signal != none) || (device_posted_queue_then_2[busplace] != none)) -> 1 : 0);
          }
          t3 = t2;
          if :: (t3 <= 3) :: else -> printf("broken range:ring_doorbell/BusPlace\n"); assert(false) fi;
          if
          :: (device.posted[t3].queue == none) ->
            /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue then 2 != none */
            t4 = 0;
            for (busplace : 0 .. 3) {
              t4 = t4 + (((device.posted[busplace].signal != none) || (device_posted_queue_then_2[busplace] != none)) -> 1 : 0);
            }
            t5 = t4;
            if :: (t5 <= 3) :: else -> printf("broken range:ring_doorbell/BusPlace\n"); assert(false) fi;
            device.posted[t5].slot = 0;
            /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue then 2 != none */
            t4 = 0;
            for (busplace : 0 .. 3) {
              t4 = t4 + (((device.posted[busplace].signal != none) || (device_posted_queue_then_2[busplace] != none)) -> 1 : 0);
            }
            t5 = t4;
            if :: (t5 <= 3) :: else -> printf("broken range:ring_doorbell/BusPlace\n"); assert(false) fi;
            device.posted[t5].writes = PacketPart_HEADER;
          :: else
          fi;
        :: else
        fi;
      }
    }
    if
    :: (!producers[core].launched) ->
      for (packetslot : 0 .. 1) {
        if
        :: (((device.rings[producers[core].queue].slots[packetslot].phase == SlotPhase_RESERVED) || (device.rings[producers[core].queue].slots[packetslot].phase == SlotPhase_VALID)) && (((packetslot < device.rings[producers[core].queue].head) -> (packetslot + 2) : packetslot) <= ((producers[core].slot < device.rings[producers[core].queue].head) -> (producers[core].slot + 2) : producers[core].slot))) ->
          device.rings[producers[core].queue].slots[packetslot].rung = true;
        :: else
        fi;
        if
        :: (!((device.rings[producers[core].queue].slots[packetslot].phase == SlotPhase_RESERVED) || (device.rings[producers[core].queue].slots[packetslot].phase == SlotPhase_VALID))) ->
          device.rings[producers[core].queue].slots[packetslot].rung = false;
          device.rings[producers[core].queue].slots[packetslot].signal = 0;
          device.rings[producers[core].queue].slots[packetslot].dep = none;
        :: else
        fi;
      }
    :: else
    fi;
    /* doorbell, up to the packet with signal <producers[core].signal@43> */
    producers[core].pc = Pc_IDLE;
    producers[core].queue = 0;
    producers[core].slot = 0;
    producers[core].signal = 0;
    producers[core].launched = false;
  :: else
  fi;
  t1 = 0;
  t2 = 0;
  handle2 = 0;
  t3 = 0;
  hwqueue = 0;
  t4 = 0;
  packetslot = 0;
  t5 = 0;
  busplace = 0;
  t1 = 0;
  for (t1 : 0 .. 3) { device_posted_signal_then[t1] = 0 }
  t1 = 0;
  t1 = 0;
  for (t1 : 0 .. 3) { device_posted_queue_then[t1] = 0 }
  t1 = 0;
  t1 = 0;
  for (t1 : 0 .. 3) { device_posted_queue_then_2[t1] = 0 }
  t1 = 0;
}

/* described: VirtualGPU::CommitAqlSlots (no doorbell) (by app, progress) */
/* A later slot is reserved, and the doorbell for it covers this packet: only fence. */
inline leave_doorbell(core) {
  /* header written */
  ((producers[core].pc == Pc_HEADER));
  /* a later slot is reserved */
  if :: ((producers[core].pc == Pc_RESERVED) || (producers[core].pc == Pc_FLUSH_ADD) || (producers[core].pc == Pc_BODY) || (producers[core].pc == Pc_HEADER)) :: else -> printf("step leave_doorbell(core=%d)\n", core); printf("broken dead:leave_doorbell/producers[].launched\n"); assert(false) fi;
  t2 = (!producers[core].launched);
  if
  :: t2 ->
    if :: ((producers[core].pc == Pc_RESERVED) || (producers[core].pc == Pc_FLUSH_ADD) || (producers[core].pc == Pc_BODY) || (producers[core].pc == Pc_HEADER)) :: else -> printf("step leave_doorbell(core=%d)\n", core); printf("broken dead:leave_doorbell/producers[].queue\n"); assert(false) fi;
    if :: ((producers[core].pc == Pc_RESERVED) || (producers[core].pc == Pc_FLUSH_ADD) || (producers[core].pc == Pc_BODY) || (producers[core].pc == Pc_HEADER)) :: else -> printf("step leave_doorbell(core=%d)\n", core); printf("broken dead:leave_doorbell/producers[].slot\n"); assert(false) fi;
    if
    :: (producers[core].slot == 1) ->
      t3 = 0;
    :: else ->
      if :: ((producers[core].pc == Pc_RESERVED) || (producers[core].pc == Pc_FLUSH_ADD) || (producers[core].pc == Pc_BODY) || (producers[core].pc == Pc_HEADER)) :: else -> printf("step leave_doorbell(core=%d)\n", core); printf("broken dead:leave_doorbell/producers[].slot\n"); assert(false) fi;
      t4 = (producers[core].slot + 1);
      if :: (t4 <= 1) :: else -> printf("step leave_doorbell(core=%d)\n", core); printf("broken range:leave_doorbell/next\n"); assert(false) fi;
      t3 = t4;
    fi;
    t2 = (device.rings[producers[core].queue].tail != t3);
  :: else
  fi;
  t1 = t2;
  /* room on the bus */
  if
  :: t1 ->
    /* count handle: Handle. handle in device.cores[core].signals */
    t2 = 0;
    for (handle2 : 0 .. 1) {
      t2 = t2 + (((device.cores[core].signals >> handle2) & 1) -> 1 : 0);
    }
    /* sum hwqueue: HwQueue. (count packetslot: PacketSlot. packetslot in device.cores[core].bodies[hwqueue]) + (count packetslot: PacketSlot. packetslot in device.cores[core].headers[hwqueue]) */
    t3 = 0;
    for (hwqueue : 0 .. 0) {
      /* count packetslot: PacketSlot. packetslot in device.cores[core].bodies[hwqueue] */
      t4 = 0;
      for (packetslot : 0 .. 1) {
        t4 = t4 + (((device.cores[core].bodies[hwqueue] >> packetslot) & 1) -> 1 : 0);
      }
      /* count packetslot: PacketSlot. packetslot in device.cores[core].headers[hwqueue] */
      t5 = 0;
      for (packetslot : 0 .. 1) {
        t5 = t5 + (((device.cores[core].headers[hwqueue] >> packetslot) & 1) -> 1 : 0);
      }
      t3 = t3 + (t4 + t5);
    }
    /* count busplace: BusPlace. not (device.posted[busplace].signal == none implies device.posted[busplace].queue != none) */
    t4 = 0;
    for (busplace : 0 .. 3) {
      t4 = t4 + ((!((device.posted[busplace].signal != none) || (device.posted[busplace].queue != none))) -> 1 : 0);
    }
    t1 = (((t2 + t3) + 0) <= t4);
  :: else
  fi;
  if
  :: t1 ->
    printf("step leave_doorbell(core=%d)\n", core);
    for (handle2 : 0 .. 1) {
      for (busplace : 0 .. 3) {
        device_posted_signal_then[busplace] = device.posted[busplace].signal;
      }
      if
      :: ((device.cores[core].signals >> handle2) & 1) ->
        /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue != none */
        t2 = 0;
        for (busplace : 0 .. 3) {
          t2 = t2 + (((device.posted[busplace].signal != none) || (device.posted[busplace].queue != none)) -> 1 : 0);
        }
        t3 = t2;
        if :: (t3 <= 3) :: else -> printf("broken range:leave_doorbell/BusPlace\n"); assert(false) fi;
        device.posted[t3].signal = handle2;
        device.cores[core].signals = (device.cores[core].signals & ~(1 << handle2));
        /* count busplace: BusPlace. device.posted[busplace].signal then == none implies device.posted[busplace].queue != none */
        t2 = 0;
        for (busplace : 0 .. 3) {
          t2 = t2 + (((device_posted_signal_then[busplace] != none) || (device.posted[busplace].queue != none)) -> 1 : 0);
        }
        t3 = t2;
        if :: (t3 <= 3) :: else -> printf("broken range:leave_doorbell/BusPlace\n"); assert(false) fi;
        if
        :: (device.posted[t3].signal == none) ->
          /* count busplace: BusPlace. device.posted[busplace].signal then == none implies device.posted[busplace].queue != none */
          t4 = 0;
          for (busplace : 0 .. 3) {
            t4 = t4 + (((device_posted_signal_then[busplace] != none) || (device.posted[busplace].queue != none)) -> 1 : 0);
          }
          t5 = t4;
          if :: (t5 <= 3) :: else -> printf("broken range:leave_doorbell/BusPlace\n"); assert(false) fi;
          device.posted[t5].above_one = 0;
        :: else
        fi;
        /* count busplace: BusPlace. device.posted[busplace].signal then == none implies device.posted[busplace].queue != none */
        t2 = 0;
        for (busplace : 0 .. 3) {
          t2 = t2 + (((device_posted_signal_then[busplace] != none) || (device.posted[busplace].queue != none)) -> 1 : 0);
        }
        t3 = t2;
        if :: (t3 <= 3) :: else -> printf("broken range:leave_doorbell/BusPlace\n"); assert(false) fi;
        if
        :: (device.posted[t3].queue == none) ->
          /* count busplace: BusPlace. device.posted[busplace].signal then == none implies device.posted[busplace].queue != none */
          t4 = 0;
          for (busplace : 0 .. 3) {
            t4 = t4 + (((device_posted_signal_then[busplace] != none) || (device.posted[busplace].queue != none)) -> 1 : 0);
          }
          t5 = t4;
          if :: (t5 <= 3) :: else -> printf("broken range:leave_doorbell/BusPlace\n"); assert(false) fi;
          device.posted[t5].slot = 0;
          /* count busplace: BusPlace. device.posted[busplace].signal then == none implies device.posted[busplace].queue != none */
          t4 = 0;
          for (busplace : 0 .. 3) {
            t4 = t4 + (((device_posted_signal_then[busplace] != none) || (device.posted[busplace].queue != none)) -> 1 : 0);
          }
          t5 = t4;
          if :: (t5 <= 3) :: else -> printf("broken range:leave_doorbell/BusPlace\n"); assert(false) fi;
          device.posted[t5].writes = PacketPart_HEADER;
        :: else
        fi;
      :: else
      fi;
    }
    for (hwqueue : 0 .. 0) {
      for (packetslot : 0 .. 1) {
        for (busplace : 0 .. 3) {
          device_posted_queue_then[busplace] = device.posted[busplace].queue;
        }
        if
        :: ((device.cores[core].bodies[hwqueue] >> packetslot) & 1) ->
          /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue != none */
          t2 = 0;
          for (busplace : 0 .. 3) {
            t2 = t2 + (((device.posted[busplace].signal != none) || (device.posted[busplace].queue != none)) -> 1 : 0);
          }
          t3 = t2;
          if :: (t3 <= 3) :: else -> printf("broken range:leave_doorbell/BusPlace\n"); assert(false) fi;
          device.posted[t3].queue = hwqueue;
          /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue then != none */
          t2 = 0;
          for (busplace : 0 .. 3) {
            t2 = t2 + (((device.posted[busplace].signal != none) || (device_posted_queue_then[busplace] != none)) -> 1 : 0);
          }
          t3 = t2;
          if :: (t3 <= 3) :: else -> printf("broken range:leave_doorbell/BusPlace\n"); assert(false) fi;
          device.posted[t3].slot = packetslot;
          /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue then != none */
          t2 = 0;
          for (busplace : 0 .. 3) {
            t2 = t2 + (((device.posted[busplace].signal != none) || (device_posted_queue_then[busplace] != none)) -> 1 : 0);
          }
          t3 = t2;
          if :: (t3 <= 3) :: else -> printf("broken range:leave_doorbell/BusPlace\n"); assert(false) fi;
          device.posted[t3].writes = PacketPart_BODY;
          device.cores[core].bodies[hwqueue] = (device.cores[core].bodies[hwqueue] & ~(1 << packetslot));
          /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue then != none */
          t2 = 0;
          for (busplace : 0 .. 3) {
            t2 = t2 + (((device.posted[busplace].signal != none) || (device_posted_queue_then[busplace] != none)) -> 1 : 0);
          }
          t3 = t2;
          if :: (t3 <= 3) :: else -> printf("broken range:leave_doorbell/BusPlace\n"); assert(false) fi;
          if
          :: (device.posted[t3].signal == none) ->
            /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue then != none */
            t4 = 0;
            for (busplace : 0 .. 3) {
              t4 = t4 + (((device.posted[busplace].signal != none) || (device_posted_queue_then[busplace] != none)) -> 1 : 0);
            }
            t5 = t4;
            if :: (t5 <= 3) :: else -> printf("broken range:leave_doorbell/BusPlace\n"); assert(false) fi;
            device.posted[t5].above_one = 0;
          :: else
          fi;
          /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue then != none */
          t2 = 0;
          for (busplace : 0 .. 3) {
            t2 = t2 + (((device.posted[busplace].signal != none) || (device_posted_queue_then[busplace] != none)) -> 1 : 0);
          }
          t3 = t2;
          if :: (t3 <= 3) :: else -> printf("broken range:leave_doorbell/BusPlace\n"); assert(false) fi;
          if
          :: (device.posted[t3].queue == none) ->
            /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue then != none */
            t4 = 0;
            for (busplace : 0 .. 3) {
              t4 = t4 + (((device.posted[busplace].signal != none) || (device_posted_queue_then[busplace] != none)) -> 1 : 0);
            }
            t5 = t4;
            if :: (t5 <= 3) :: else -> printf("broken range:leave_doorbell/BusPlace\n"); assert(false) fi;
            device.posted[t5].slot = 0;
            /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue then != none */
            t4 = 0;
            for (busplace : 0 .. 3) {
              t4 = t4 + (((device.posted[busplace].signal != none) || (device_posted_queue_then[busplace] != none)) -> 1 : 0);
            }
            t5 = t4;
            if :: (t5 <= 3) :: else -> printf("broken range:leave_doorbell/BusPlace\n"); assert(false) fi;
            device.posted[t5].writes = PacketPart_HEADER;
          :: else
          fi;
        :: else
        fi;
        for (busplace : 0 .. 3) {
          device_posted_queue_then_2[busplace] = device.posted[busplace].queue;
        }
        if
        :: ((device.cores[core].headers[hwqueue] >> packetslot) & 1) ->
          /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue != none */
          t2 = 0;
          for (busplace : 0 .. 3) {
            t2 = t2 + (((device.posted[busplace].signal != none) || (device.posted[busplace].queue != none)) -> 1 : 0);
          }
          t3 = t2;
          if :: (t3 <= 3) :: else -> printf("broken range:leave_doorbell/BusPlace\n"); assert(false) fi;
          device.posted[t3].queue = hwqueue;
          /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue then 2 != none */
          t2 = 0;
          for (busplace : 0 .. 3) {
            t2 = t2 + (((device.posted[busplace].signal != none) || (device_posted_queue_then_2[busplace] != none)) -> 1 : 0);
          }
          t3 = t2;
          if :: (t3 <= 3) :: else -> printf("broken range:leave_doorbell/BusPlace\n"); assert(false) fi;
          device.posted[t3].slot = packetslot;
          /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue then 2 != none */
          t2 = 0;
          for (busplace : 0 .. 3) {
            t2 = t2 + (((device.posted[busplace].signal != none) || (device_posted_queue_then_2[busplace] != none)) -> 1 : 0);
          }
          t3 = t2;
          if :: (t3 <= 3) :: else -> printf("broken range:leave_doorbell/BusPlace\n"); assert(false) fi;
          device.posted[t3].writes = PacketPart_HEADER;
          device.cores[core].headers[hwqueue] = (device.cores[core].headers[hwqueue] & ~(1 << packetslot));
          /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue then 2 != none */
          t2 = 0;
          for (busplace : 0 .. 3) {
            t2 = t2 + (((device.posted[busplace].signal != none) || (device_posted_queue_then_2[busplace] != none)) -> 1 : 0);
          }
          t3 = t2;
          if :: (t3 <= 3) :: else -> printf("broken range:leave_doorbell/BusPlace\n"); assert(false) fi;
          if
          :: (device.posted[t3].signal == none) ->
            /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue then 2 != none */
            t4 = 0;
            for (busplace : 0 .. 3) {
              t4 = t4 + (((device.posted[busplace].signal != none) || (device_posted_queue_then_2[busplace] != none)) -> 1 : 0);
            }
            t5 = t4;
            if :: (t5 <= 3) :: else -> printf("broken range:leave_doorbell/BusPlace\n"); assert(false) fi;
            device.posted[t5].above_one = 0;
          :: else
          fi;
          /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue then 2 != none */
          t2 = 0;
          for (busplace : 0 .. 3) {
            t2 = t2 + (((device.posted[busplace].signal != none) || (device_posted_queue_then_2[busplace] != none)) -> 1 : 0);
          }
          t3 = t2;
          if :: (t3 <= 3) :: else -> printf("broken range:leave_doorbell/BusPlace\n"); assert(false) fi;
          if
          :: (device.posted[t3].queue == none) ->
            /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue then 2 != none */
            t4 = 0;
            for (busplace : 0 .. 3) {
              t4 = t4 + (((device.posted[busplace].signal != none) || (device_posted_queue_then_2[busplace] != none)) -> 1 : 0);
            }
            t5 = t4;
            if :: (t5 <= 3) :: else -> printf("broken range:leave_doorbell/BusPlace\n"); assert(false) fi;
            device.posted[t5].slot = 0;
            /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue then 2 != none */
            t4 = 0;
            for (busplace : 0 .. 3) {
              t4 = t4 + (((device.posted[busplace].signal != none) || (device_posted_queue_then_2[busplace] != none)) -> 1 : 0);
            }
            t5 = t4;
            if :: (t5 <= 3) :: else -> printf("broken range:leave_doorbell/BusPlace\n"); assert(false) fi;
            device.posted[t5].writes = PacketPart_HEADER;
          :: else
          fi;
        :: else
        fi;
      }
    }
    /* leaves the doorbell to the next packet's producer */
    producers[core].pc = Pc_IDLE;
    producers[core].queue = 0;
    producers[core].slot = 0;
    producers[core].signal = 0;
    producers[core].launched = false;
  :: else
  fi;
  t1 = 0;
  t2 = 0;
  t3 = 0;
  t4 = 0;
  handle2 = 0;
  hwqueue = 0;
  packetslot = 0;
  t5 = 0;
  busplace = 0;
  t1 = 0;
  for (t1 : 0 .. 3) { device_posted_signal_then[t1] = 0 }
  t1 = 0;
  t1 = 0;
  for (t1 : 0 .. 3) { device_posted_queue_then[t1] = 0 }
  t1 = 0;
  t1 = 0;
  for (t1 : 0 .. 3) { device_posted_queue_then_2[t1] = 0 }
  t1 = 0;
}

/* described: RetiringSignalTracker::BeginUse (copy) (by app, environment) */
/* An armed signal goes to a copy that ROCr makes: fence, then flush the HDP. The copy may wait for another use. */
inline begin_copy(core, handle, dep2) {
  /* copies are on */
  /* not in a call */
  /* one copy at a time */
  /* armed */
  (true && ((producers[core].pc == Pc_IDLE) && (producers[core].stored == 0)) && (copy.signal == none) && (device.signals[handle].life == Life_ARMED));
  /* waits for a use */
  t2 = (dep2 == none);
  if
  :: !t2 ->
    t3 = (dep2 != none);
    if
    :: t3 ->
      t4 = dep2;
      if :: (t4 >= 0) :: else -> printf("step begin_copy(core=%d, handle=%d, dep=%d)\n", core, handle, dep2); printf("broken range:begin_copy/Handle\n"); assert(false) fi;
      t3 = (device.signals[t4].life == Life_USED);
    :: else
    fi;
    if
    :: t3 ->
      /* exists core: Core. (producers[core].pc == RESERVED or producers[core].pc == FLUSH_ADD or producers[core].pc == BODY or producers[core].pc == HEADER) and producers[core].signal == dep */
      t5 = 0;
      for (core2 : 0 .. 1) {
        t6 = ((producers[core2].pc == Pc_RESERVED) || (producers[core2].pc == Pc_FLUSH_ADD) || (producers[core2].pc == Pc_BODY) || (producers[core2].pc == Pc_HEADER));
        if
        :: t6 ->
          t7 = dep2;
          if :: (t7 >= 0) :: else -> printf("step begin_copy(core=%d, handle=%d, dep=%d)\n", core, handle, dep2); printf("broken range:begin_copy/Handle\n"); assert(false) fi;
          t6 = (producers[core2].signal == t7);
        :: else
        fi;
        t5 = (t5 || t6);
      }
      t4 = t5;
      if
      :: !t4 ->
        t7 = dep2;
        if :: (t7 >= 0) :: else -> printf("step begin_copy(core=%d, handle=%d, dep=%d)\n", core, handle, dep2); printf("broken range:begin_copy/Handle\n"); assert(false) fi;
        t6 = (copy.signal == t7);
        if
        :: t6 ->
          t6 = (!copy.submitted);
        :: else
        fi;
        t4 = t6;
      :: else
      fi;
      t3 = (!t4);
    :: else
    fi;
    t2 = t3;
  :: else
  fi;
  t1 = t2;
  /* room on the bus */
  if
  :: t1 ->
    /* count handle: Handle. handle in device.cores[core].signals */
    t2 = 0;
    for (handle2 : 0 .. 1) {
      t2 = t2 + (((device.cores[core].signals >> handle2) & 1) -> 1 : 0);
    }
    /* sum hwqueue: HwQueue. (count packetslot: PacketSlot. packetslot in device.cores[core].bodies[hwqueue]) + (count packetslot: PacketSlot. packetslot in device.cores[core].headers[hwqueue]) */
    t3 = 0;
    for (hwqueue : 0 .. 0) {
      /* count packetslot: PacketSlot. packetslot in device.cores[core].bodies[hwqueue] */
      t4 = 0;
      for (packetslot : 0 .. 1) {
        t4 = t4 + (((device.cores[core].bodies[hwqueue] >> packetslot) & 1) -> 1 : 0);
      }
      /* count packetslot: PacketSlot. packetslot in device.cores[core].headers[hwqueue] */
      t5 = 0;
      for (packetslot : 0 .. 1) {
        t5 = t5 + (((device.cores[core].headers[hwqueue] >> packetslot) & 1) -> 1 : 0);
      }
      t3 = t3 + (t4 + t5);
    }
    /* count busplace: BusPlace. not (device.posted[busplace].signal == none implies device.posted[busplace].queue != none) */
    t4 = 0;
    for (busplace : 0 .. 3) {
      t4 = t4 + ((!((device.posted[busplace].signal != none) || (device.posted[busplace].queue != none))) -> 1 : 0);
    }
    t1 = (((t2 + t3) + 0) <= t4);
  :: else
  fi;
  if
  :: t1 ->
    printf("step begin_copy(core=%d, handle=%d, dep=%d)\n", core, handle, dep2);
    for (handle2 : 0 .. 1) {
      for (busplace : 0 .. 3) {
        device_posted_signal_then[busplace] = device.posted[busplace].signal;
      }
      if
      :: ((device.cores[core].signals >> handle2) & 1) ->
        /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue != none */
        t2 = 0;
        for (busplace : 0 .. 3) {
          t2 = t2 + (((device.posted[busplace].signal != none) || (device.posted[busplace].queue != none)) -> 1 : 0);
        }
        t3 = t2;
        if :: (t3 <= 3) :: else -> printf("broken range:begin_copy/BusPlace\n"); assert(false) fi;
        device.posted[t3].signal = handle2;
        device.cores[core].signals = (device.cores[core].signals & ~(1 << handle2));
        /* count busplace: BusPlace. device.posted[busplace].signal then == none implies device.posted[busplace].queue != none */
        t2 = 0;
        for (busplace : 0 .. 3) {
          t2 = t2 + (((device_posted_signal_then[busplace] != none) || (device.posted[busplace].queue != none)) -> 1 : 0);
        }
        t3 = t2;
        if :: (t3 <= 3) :: else -> printf("broken range:begin_copy/BusPlace\n"); assert(false) fi;
        if
        :: (device.posted[t3].signal == none) ->
          /* count busplace: BusPlace. device.posted[busplace].signal then == none implies device.posted[busplace].queue != none */
          t4 = 0;
          for (busplace : 0 .. 3) {
            t4 = t4 + (((device_posted_signal_then[busplace] != none) || (device.posted[busplace].queue != none)) -> 1 : 0);
          }
          t5 = t4;
          if :: (t5 <= 3) :: else -> printf("broken range:begin_copy/BusPlace\n"); assert(false) fi;
          device.posted[t5].above_one = 0;
        :: else
        fi;
        /* count busplace: BusPlace. device.posted[busplace].signal then == none implies device.posted[busplace].queue != none */
        t2 = 0;
        for (busplace : 0 .. 3) {
          t2 = t2 + (((device_posted_signal_then[busplace] != none) || (device.posted[busplace].queue != none)) -> 1 : 0);
        }
        t3 = t2;
        if :: (t3 <= 3) :: else -> printf("broken range:begin_copy/BusPlace\n"); assert(false) fi;
        if
        :: (device.posted[t3].queue == none) ->
          /* count busplace: BusPlace. device.posted[busplace].signal then == none implies device.posted[busplace].queue != none */
          t4 = 0;
          for (busplace : 0 .. 3) {
            t4 = t4 + (((device_posted_signal_then[busplace] != none) || (device.posted[busplace].queue != none)) -> 1 : 0);
          }
          t5 = t4;
          if :: (t5 <= 3) :: else -> printf("broken range:begin_copy/BusPlace\n"); assert(false) fi;
          device.posted[t5].slot = 0;
          /* count busplace: BusPlace. device.posted[busplace].signal then == none implies device.posted[busplace].queue != none */
          t4 = 0;
          for (busplace : 0 .. 3) {
            t4 = t4 + (((device_posted_signal_then[busplace] != none) || (device.posted[busplace].queue != none)) -> 1 : 0);
          }
          t5 = t4;
          if :: (t5 <= 3) :: else -> printf("broken range:begin_copy/BusPlace\n"); assert(false) fi;
          device.posted[t5].writes = PacketPart_HEADER;
        :: else
        fi;
      :: else
      fi;
    }
    for (hwqueue : 0 .. 0) {
      for (packetslot : 0 .. 1) {
        for (busplace : 0 .. 3) {
          device_posted_queue_then[busplace] = device.posted[busplace].queue;
        }
        if
        :: ((device.cores[core].bodies[hwqueue] >> packetslot) & 1) ->
          /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue != none */
          t2 = 0;
          for (busplace : 0 .. 3) {
            t2 = t2 + (((device.posted[busplace].signal != none) || (device.posted[busplace].queue != none)) -> 1 : 0);
          }
          t3 = t2;
          if :: (t3 <= 3) :: else -> printf("broken range:begin_copy/BusPlace\n"); assert(false) fi;
          device.posted[t3].queue = hwqueue;
          /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue then != none */
          t2 = 0;
          for (busplace : 0 .. 3) {
            t2 = t2 + (((device.posted[busplace].signal != none) || (device_posted_queue_then[busplace] != none)) -> 1 : 0);
          }
          t3 = t2;
          if :: (t3 <= 3) :: else -> printf("broken range:begin_copy/BusPlace\n"); assert(false) fi;
          device.posted[t3].slot = packetslot;
          /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue then != none */
          t2 = 0;
          for (busplace : 0 .. 3) {
            t2 = t2 + (((device.posted[busplace].signal != none) || (device_posted_queue_then[busplace] != none)) -> 1 : 0);
          }
          t3 = t2;
          if :: (t3 <= 3) :: else -> printf("broken range:begin_copy/BusPlace\n"); assert(false) fi;
          device.posted[t3].writes = PacketPart_BODY;
          device.cores[core].bodies[hwqueue] = (device.cores[core].bodies[hwqueue] & ~(1 << packetslot));
          /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue then != none */
          t2 = 0;
          for (busplace : 0 .. 3) {
            t2 = t2 + (((device.posted[busplace].signal != none) || (device_posted_queue_then[busplace] != none)) -> 1 : 0);
          }
          t3 = t2;
          if :: (t3 <= 3) :: else -> printf("broken range:begin_copy/BusPlace\n"); assert(false) fi;
          if
          :: (device.posted[t3].signal == none) ->
            /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue then != none */
            t4 = 0;
            for (busplace : 0 .. 3) {
              t4 = t4 + (((device.posted[busplace].signal != none) || (device_posted_queue_then[busplace] != none)) -> 1 : 0);
            }
            t5 = t4;
            if :: (t5 <= 3) :: else -> printf("broken range:begin_copy/BusPlace\n"); assert(false) fi;
            device.posted[t5].above_one = 0;
          :: else
          fi;
          /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue then != none */
          t2 = 0;
          for (busplace : 0 .. 3) {
            t2 = t2 + (((device.posted[busplace].signal != none) || (device_posted_queue_then[busplace] != none)) -> 1 : 0);
          }
          t3 = t2;
          if :: (t3 <= 3) :: else -> printf("broken range:begin_copy/BusPlace\n"); assert(false) fi;
          if
          :: (device.posted[t3].queue == none) ->
            /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue then != none */
            t4 = 0;
            for (busplace : 0 .. 3) {
              t4 = t4 + (((device.posted[busplace].signal != none) || (device_posted_queue_then[busplace] != none)) -> 1 : 0);
            }
            t5 = t4;
            if :: (t5 <= 3) :: else -> printf("broken range:begin_copy/BusPlace\n"); assert(false) fi;
            device.posted[t5].slot = 0;
            /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue then != none */
            t4 = 0;
            for (busplace : 0 .. 3) {
              t4 = t4 + (((device.posted[busplace].signal != none) || (device_posted_queue_then[busplace] != none)) -> 1 : 0);
            }
            t5 = t4;
            if :: (t5 <= 3) :: else -> printf("broken range:begin_copy/BusPlace\n"); assert(false) fi;
            device.posted[t5].writes = PacketPart_HEADER;
          :: else
          fi;
        :: else
        fi;
        for (busplace : 0 .. 3) {
          device_posted_queue_then_2[busplace] = device.posted[busplace].queue;
        }
        if
        :: ((device.cores[core].headers[hwqueue] >> packetslot) & 1) ->
          /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue != none */
          t2 = 0;
          for (busplace : 0 .. 3) {
            t2 = t2 + (((device.posted[busplace].signal != none) || (device.posted[busplace].queue != none)) -> 1 : 0);
          }
          t3 = t2;
          if :: (t3 <= 3) :: else -> printf("broken range:begin_copy/BusPlace\n"); assert(false) fi;
          device.posted[t3].queue = hwqueue;
          /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue then 2 != none */
          t2 = 0;
          for (busplace : 0 .. 3) {
            t2 = t2 + (((device.posted[busplace].signal != none) || (device_posted_queue_then_2[busplace] != none)) -> 1 : 0);
          }
          t3 = t2;
          if :: (t3 <= 3) :: else -> printf("broken range:begin_copy/BusPlace\n"); assert(false) fi;
          device.posted[t3].slot = packetslot;
          /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue then 2 != none */
          t2 = 0;
          for (busplace : 0 .. 3) {
            t2 = t2 + (((device.posted[busplace].signal != none) || (device_posted_queue_then_2[busplace] != none)) -> 1 : 0);
          }
          t3 = t2;
          if :: (t3 <= 3) :: else -> printf("broken range:begin_copy/BusPlace\n"); assert(false) fi;
          device.posted[t3].writes = PacketPart_HEADER;
          device.cores[core].headers[hwqueue] = (device.cores[core].headers[hwqueue] & ~(1 << packetslot));
          /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue then 2 != none */
          t2 = 0;
          for (busplace : 0 .. 3) {
            t2 = t2 + (((device.posted[busplace].signal != none) || (device_posted_queue_then_2[busplace] != none)) -> 1 : 0);
          }
          t3 = t2;
          if :: (t3 <= 3) :: else -> printf("broken range:begin_copy/BusPlace\n"); assert(false) fi;
          if
          :: (device.posted[t3].signal == none) ->
            /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue then 2 != none */
            t4 = 0;
            for (busplace : 0 .. 3) {
              t4 = t4 + (((device.posted[busplace].signal != none) || (device_posted_queue_then_2[busplace] != none)) -> 1 : 0);
            }
            t5 = t4;
            if :: (t5 <= 3) :: else -> printf("broken range:begin_copy/BusPlace\n"); assert(false) fi;
            device.posted[t5].above_one = 0;
          :: else
          fi;
          /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue then 2 != none */
          t2 = 0;
          for (busplace : 0 .. 3) {
            t2 = t2 + (((device.posted[busplace].signal != none) || (device_posted_queue_then_2[busplace] != none)) -> 1 : 0);
          }
          t3 = t2;
          if :: (t3 <= 3) :: else -> printf("broken range:begin_copy/BusPlace\n"); assert(false) fi;
          if
          :: (device.posted[t3].queue == none) ->
            /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue then 2 != none */
            t4 = 0;
            for (busplace : 0 .. 3) {
              t4 = t4 + (((device.posted[busplace].signal != none) || (device_posted_queue_then_2[busplace] != none)) -> 1 : 0);
            }
            t5 = t4;
            if :: (t5 <= 3) :: else -> printf("broken range:begin_copy/BusPlace\n"); assert(false) fi;
            device.posted[t5].slot = 0;
            /* count busplace: BusPlace. device.posted[busplace].signal == none implies device.posted[busplace].queue then 2 != none */
            t4 = 0;
            for (busplace : 0 .. 3) {
              t4 = t4 + (((device.posted[busplace].signal != none) || (device_posted_queue_then_2[busplace] != none)) -> 1 : 0);
            }
            t5 = t4;
            if :: (t5 <= 3) :: else -> printf("broken range:begin_copy/BusPlace\n"); assert(false) fi;
            device.posted[t5].writes = PacketPart_HEADER;
          :: else
          fi;
        :: else
        fi;
      }
    }
    /* copy with signal <handle> */
    device.signals[handle].life = Life_USED;
    copy.signal = handle;
    copy.dep = dep2;
    producers[core].pc = Pc_COPY;
    producers[core].queue = 0;
    producers[core].slot = 0;
    producers[core].signal = 0;
    producers[core].launched = false;
  :: else
  fi;
  t1 = 0;
  t2 = 0;
  t3 = 0;
  t4 = 0;
  t5 = 0;
  core2 = 0;
  t6 = 0;
  t7 = 0;
  handle2 = 0;
  hwqueue = 0;
  packetslot = 0;
  busplace = 0;
  t1 = 0;
  for (t1 : 0 .. 3) { device_posted_signal_then[t1] = 0 }
  t1 = 0;
  t1 = 0;
  for (t1 : 0 .. 3) { device_posted_queue_then[t1] = 0 }
  t1 = 0;
  t1 = 0;
  for (t1 : 0 .. 3) { device_posted_queue_then_2[t1] = 0 }
  t1 = 0;
}

/* hsa_amd_memory_async_copy_on_engine (by app, progress) */
/* The HDP is flushed; ROCr writes the copy to the engine's ring, in system memory, and rings its doorbell. */
inline submit_copy(core) {
  /* copies are on */
  /* begins a copy */
  /* all stores landed */
  (true && (producers[core].pc == Pc_COPY) && (!((device.posted[0].signal != none) || (device.posted[0].queue != none))));
  printf("step submit_copy(core=%d)\n", core);
  copy.submitted = true;
  producers[core].pc = Pc_IDLE;
  producers[core].queue = 0;
  producers[core].slot = 0;
  producers[core].signal = 0;
  producers[core].launched = false;
}

/* packet processor: fetch and launch (by packet processor, progress) */
/* The packet at the head is under a doorbell and its header has reached the ring: launch it. */
inline launch(queue2) {
  skip;
  /* valid and under a doorbell */
  t2 = (device.rings[queue2].slots[device.rings[queue2].head].phase == SlotPhase_VALID);
  if
  :: t2 ->
    if :: ((device.rings[queue2].slots[device.rings[queue2].head].phase == SlotPhase_RESERVED) || (device.rings[queue2].slots[device.rings[queue2].head].phase == SlotPhase_VALID)) :: else -> printf("step launch(queue=%d)\n", queue2); printf("broken dead:launch/device.rings[].slots[].rung\n"); assert(false) fi;
    t2 = device.rings[queue2].slots[device.rings[queue2].head].rung;
  :: else
  fi;
  t1 = t2;
  /* header in the ring */
  if
  :: t1 ->
    /* exists core: Core. device.rings[queue].head in device.cores[core].headers[queue] */
    t3 = 0;
    for (core2 : 0 .. 1) {
      t3 = (t3 || ((device.cores[core2].headers[queue2] >> device.rings[queue2].head) & 1));
    }
    t2 = (!t3);
    if
    :: t2 ->
      /* exists busplace: BusPlace. device.posted[busplace].queue == queue and device.posted[busplace].slot == device.rings[queue].head and device.posted[busplace].writes == HEADER */
      t4 = 0;
      for (busplace : 0 .. 3) {
        t5 = (device.posted[busplace].queue == queue2);
        if
        :: t5 ->
          if :: (device.posted[busplace].queue != none) :: else -> printf("step launch(queue=%d)\n", queue2); printf("broken dead:launch/device.posted[].slot\n"); assert(false) fi;
          t5 = (device.posted[busplace].slot == device.rings[queue2].head);
        :: else
        fi;
        if
        :: t5 ->
          if :: (device.posted[busplace].queue != none) :: else -> printf("step launch(queue=%d)\n", queue2); printf("broken dead:launch/device.posted[].writes\n"); assert(false) fi;
          t5 = (device.posted[busplace].writes == PacketPart_HEADER);
        :: else
        fi;
        t4 = (t4 || t5);
      }
      t2 = (!t4);
    :: else
    fi;
    t1 = t2;
  :: else
  fi;
  /* no unsatisfied barrier ahead */
  if
  :: t1 ->
    /* exists handle: Handle. device.signals[handle].dep != none and device.signals[handle].queue == queue */
    t2 = 0;
    for (handle2 : 0 .. 1) {
      t3 = (device.signals[handle2].dep != none);
      if
      :: t3 ->
        if :: device.signals[handle2].running :: else -> printf("step launch(queue=%d)\n", queue2); printf("broken dead:launch/device.signals[].queue\n"); assert(false) fi;
        t3 = (device.signals[handle2].queue == queue2);
      :: else
      fi;
      t2 = (t2 || t3);
    }
    t1 = (!t2);
  :: else
  fi;
  if
  :: t1 ->
    printf("step launch(queue=%d)\n", queue2);
    old_device_rings_head = device.rings[queue2].head;
    t2 = device.torn_launch;
    if
    :: !t2 ->
      /* exists core: Core. device.rings[queue].head in device.cores[core].bodies[queue] */
      t4 = 0;
      for (core2 : 0 .. 1) {
        t4 = (t4 || ((device.cores[core2].bodies[queue2] >> device.rings[queue2].head) & 1));
      }
      t3 = (!t4);
      if
      :: t3 ->
        /* exists busplace: BusPlace. device.posted[busplace].queue == queue and device.posted[busplace].slot == device.rings[queue].head and device.posted[busplace].writes == BODY */
        t5 = 0;
        for (busplace : 0 .. 3) {
          t6 = (device.posted[busplace].queue == queue2);
          if
          :: t6 ->
            if :: (device.posted[busplace].queue != none) :: else -> printf("broken dead:launch/device.posted[].slot\n"); assert(false) fi;
            t6 = (device.posted[busplace].slot == device.rings[queue2].head);
          :: else
          fi;
          if
          :: t6 ->
            if :: (device.posted[busplace].queue != none) :: else -> printf("broken dead:launch/device.posted[].writes\n"); assert(false) fi;
            t6 = (device.posted[busplace].writes == PacketPart_BODY);
          :: else
          fi;
          t5 = (t5 || t6);
        }
        t3 = (!t5);
      :: else
      fi;
      t2 = (!t3);
    :: else
    fi;
    device.torn_launch = t2;
    for (hwqueue : 0 .. 0) {
      for (packetslot : 0 .. 1) {
        device_rings_slots_phase_then[(hwqueue) * 2 + packetslot] = device.rings[hwqueue].slots[packetslot].phase;
      }
    }
    /* launched with signal <device.rings[queue].slots[device.rings[queue].head].signal@1> */
    if :: ((device.rings[queue2].slots[device.rings[queue2].head].phase == SlotPhase_RESERVED) || (device.rings[queue2].slots[device.rings[queue2].head].phase == SlotPhase_VALID)) :: else -> printf("broken dead:launch/device.rings[].slots[].signal\n"); assert(false) fi;
    device.signals[device.rings[queue2].slots[device.rings[queue2].head].signal].running = true;
    if :: ((device.rings[queue2].slots[device.rings[queue2].head].phase == SlotPhase_RESERVED) || (device.rings[queue2].slots[device.rings[queue2].head].phase == SlotPhase_VALID)) :: else -> printf("broken dead:launch/device.rings[].slots[].signal\n"); assert(false) fi;
    device.signals[device.rings[queue2].slots[device.rings[queue2].head].signal].queue = queue2;
    if :: ((device.rings[queue2].slots[device.rings[queue2].head].phase == SlotPhase_RESERVED) || (device.rings[queue2].slots[device.rings[queue2].head].phase == SlotPhase_VALID)) :: else -> printf("broken dead:launch/device.rings[].slots[].signal\n"); assert(false) fi;
    if :: ((device.rings[queue2].slots[device.rings[queue2].head].phase == SlotPhase_RESERVED) || (device.rings[queue2].slots[device.rings[queue2].head].phase == SlotPhase_VALID)) :: else -> printf("broken dead:launch/device.rings[].slots[].dep\n"); assert(false) fi;
    device.signals[device.rings[queue2].slots[device.rings[queue2].head].signal].dep = device.rings[queue2].slots[device.rings[queue2].head].dep;
    device.rings[queue2].slots[device.rings[queue2].head].phase = SlotPhase_LAUNCHED;
    if
    :: (device.rings[queue2].head == 1) ->
      t2 = 0;
    :: else ->
      t3 = (device.rings[queue2].head + 1);
      if :: (t3 <= 1) :: else -> printf("broken range:launch/next\n"); assert(false) fi;
      t2 = t3;
    fi;
    device.rings[queue2].head = t2;
    for (core2 : 0 .. 1) {
      if
      :: (((producers[core2].pc == Pc_RESERVED) || (producers[core2].pc == Pc_FLUSH_ADD) || (producers[core2].pc == Pc_BODY) || (producers[core2].pc == Pc_HEADER)) && (producers[core2].queue == queue2) && (producers[core2].slot == old_device_rings_head)) ->
        producers[core2].launched = true;
      :: else
      fi;
      if
      :: (!((producers[core2].pc == Pc_RESERVED) || (producers[core2].pc == Pc_FLUSH_ADD) || (producers[core2].pc == Pc_BODY) || (producers[core2].pc == Pc_HEADER))) ->
        producers[core2].queue = 0;
        producers[core2].slot = 0;
        producers[core2].signal = 0;
        producers[core2].launched = false;
      :: else
      fi;
    }
    if :: ((device_rings_slots_phase_then[(queue2) * 2 + old_device_rings_head] == SlotPhase_RESERVED) || (device_rings_slots_phase_then[(queue2) * 2 + old_device_rings_head] == SlotPhase_VALID)) :: else -> printf("broken dead:launch/device.rings[].slots[].signal\n"); assert(false) fi;
    if
    :: (!device.signals[device.rings[queue2].slots[old_device_rings_head].signal].running) ->
      if :: ((device_rings_slots_phase_then[(queue2) * 2 + old_device_rings_head] == SlotPhase_RESERVED) || (device_rings_slots_phase_then[(queue2) * 2 + old_device_rings_head] == SlotPhase_VALID)) :: else -> printf("broken dead:launch/device.rings[].slots[].signal\n"); assert(false) fi;
      device.signals[device.rings[queue2].slots[old_device_rings_head].signal].queue = 0;
    :: else
    fi;
    if
    :: (!((device.rings[queue2].slots[old_device_rings_head].phase == SlotPhase_RESERVED) || (device.rings[queue2].slots[old_device_rings_head].phase == SlotPhase_VALID))) ->
      device.rings[queue2].slots[old_device_rings_head].rung = false;
      device.rings[queue2].slots[old_device_rings_head].signal = 0;
      device.rings[queue2].slots[old_device_rings_head].dep = none;
    :: else
    fi;
  :: else
  fi;
  t1 = 0;
  t2 = 0;
  t3 = 0;
  core2 = 0;
  t4 = 0;
  busplace = 0;
  t5 = 0;
  handle2 = 0;
  t6 = 0;
  hwqueue = 0;
  packetslot = 0;
  old_device_rings_head = 0;
  t1 = 0;
  for (t1 : 0 .. 1) { device_rings_slots_phase_then[t1] = 0 }
  t1 = 0;
}

/* packet processor: advance the read index (by packet processor, progress) */
/* The read index passes a launched packet, in order, complete or not. */
inline release_slot(queue2, slot2) {
  /* launched */
  ((device.rings[queue2].slots[slot2].phase == SlotPhase_LAUNCHED));
  /* in order */
  t2 = (slot2 == device.rings[queue2].head);
  if
  :: !t2 ->
    /* forall packetslot: PacketSlot. (0 if packetslot == 1 else packetslot + 1) == slot implies device.rings[queue].slots[packetslot].phase != LAUNCHED */
    t3 = 1;
    for (packetslot : 0 .. 1) {
      if
      :: (packetslot == 1) ->
        t5 = 0;
      :: else ->
        t6 = (packetslot + 1);
        if :: (t6 <= 1) :: else -> printf("step release_slot(queue=%d, slot=%d)\n", queue2, slot2); printf("broken range:release_slot/next\n"); assert(false) fi;
        t5 = t6;
      fi;
      t4 = (t5 != slot2);
      if
      :: !t4 ->
        t4 = (device.rings[queue2].slots[packetslot].phase != SlotPhase_LAUNCHED);
      :: else
      fi;
      t3 = (t3 && t4);
    }
    t2 = t3;
  :: else
  fi;
  t1 = t2;
  if
  :: t1 ->
    printf("step release_slot(queue=%d, slot=%d)\n", queue2, slot2);
    device.rings[queue2].slots[slot2].phase = SlotPhase_FREE;
    device.rings[queue2].slots[slot2].rung = false;
    device.rings[queue2].slots[slot2].signal = 0;
    device.rings[queue2].slots[slot2].dep = none;
  :: else
  fi;
  t1 = 0;
  t2 = 0;
  t3 = 0;
  packetslot = 0;
  t4 = 0;
  t5 = 0;
  t6 = 0;
}

/* packet processor: barrier-AND condition (by launched packet, progress) */
/* The barrier that completes `handle` reads its dependency in memory, and finds 0. */
inline pass_barrier(handle) {
  /* barriers are on */
  /* waits */
  (true && (device.signals[handle].dep != none));
  /* satisfied */
  t2 = device.signals[handle].dep;
  if :: (t2 >= 0) :: else -> printf("step pass_barrier(handle=%d)\n", handle); printf("broken range:pass_barrier/Handle\n"); assert(false) fi;
  t1 = (device.signals[t2].value == 0);
  if
  :: t1 ->
    printf("step pass_barrier(handle=%d)\n", handle);
    t2 = device.packet_passed_early;
    if
    :: !t2 ->
      /* exists hwqueue: HwQueue, packetslot: PacketSlot. (device.rings[hwqueue].slots[packetslot].phase == RESERVED or device.rings[hwqueue].slots[packetslot].phase == VALID) and device.rings[hwqueue].slots[packetslot].signal == device.signals[handle].dep */
      t3 = 0;
      for (hwqueue : 0 .. 0) {
        /* exists packetslot: PacketSlot. (device.rings[hwqueue].slots[packetslot].phase == RESERVED or device.rings[hwqueue].slots[packetslot].phase == VALID) and device.rings[hwqueue].slots[packetslot].signal == device.signals[handle].dep */
        t4 = 0;
        for (packetslot : 0 .. 1) {
          t5 = ((device.rings[hwqueue].slots[packetslot].phase == SlotPhase_RESERVED) || (device.rings[hwqueue].slots[packetslot].phase == SlotPhase_VALID));
          if
          :: t5 ->
            t6 = device.signals[handle].dep;
            if :: (t6 >= 0) :: else -> printf("broken range:pass_barrier/Handle\n"); assert(false) fi;
            t5 = (device.rings[hwqueue].slots[packetslot].signal == t6);
          :: else
          fi;
          t4 = (t4 || t5);
        }
        t3 = (t3 || t4);
      }
      t2 = t3;
    :: else
    fi;
    if
    :: !t2 ->
      t3 = device.signals[handle].dep;
      if :: (t3 >= 0) :: else -> printf("broken range:pass_barrier/Handle\n"); assert(false) fi;
      t2 = device.signals[t3].running;
    :: else
    fi;
    if
    :: !t2 ->
      t3 = device.signals[handle].dep;
      if :: (t3 >= 0) :: else -> printf("broken range:pass_barrier/Handle\n"); assert(false) fi;
      t2 = (copy.signal == t3);
    :: else
    fi;
    device.packet_passed_early = t2;
    /* a packet's wait for signal <device.signals[handle].dep> is satisfied */
    device.signals[handle].dep = none;
  :: else
  fi;
  t1 = 0;
  t2 = 0;
  t3 = 0;
  hwqueue = 0;
  t4 = 0;
  packetslot = 0;
  t5 = 0;
  t6 = 0;
}

/* packet processor: completion (by launched packet, progress) */
/* A launched packet ends and decrements its signal in memory. Packets end in any order. */
inline complete(handle) {
  /* runs */
  ((device.signals[handle].running && (device.signals[handle].dep == none)));
  printf("step complete(handle=%d)\n", handle);
  /* decremented */
  t1 = device.packet_passed_early;
  if
  :: !t1 ->
    /* exists handle: Handle. handle == none and ((exists hwqueue: HwQueue, packetslot: PacketSlot. (device.rings[hwqueue].slots[packetslot].phase == RESERVED or device.rings[hwqueue].slots[packetslot].phase == VALID) and device.rings[hwqueue].slots[packetslot].signal == handle) or device.signals[handle].running or copy.signal == handle) */
    t2 = 0;
    for (handle2 : 0 .. 1) {
      t3 = (handle2 == none);
      if
      :: t3 ->
        /* exists hwqueue: HwQueue, packetslot: PacketSlot. (device.rings[hwqueue].slots[packetslot].phase == RESERVED or device.rings[hwqueue].slots[packetslot].phase == VALID) and device.rings[hwqueue].slots[packetslot].signal == handle */
        t5 = 0;
        for (hwqueue : 0 .. 0) {
          /* exists packetslot: PacketSlot. (device.rings[hwqueue].slots[packetslot].phase == RESERVED or device.rings[hwqueue].slots[packetslot].phase == VALID) and device.rings[hwqueue].slots[packetslot].signal == handle */
          t6 = 0;
          for (packetslot : 0 .. 1) {
            t6 = (t6 || (((device.rings[hwqueue].slots[packetslot].phase == SlotPhase_RESERVED) || (device.rings[hwqueue].slots[packetslot].phase == SlotPhase_VALID)) && (device.rings[hwqueue].slots[packetslot].signal == handle2)));
          }
          t5 = (t5 || t6);
        }
        t4 = t5;
        if
        :: !t4 ->
          t4 = device.signals[handle2].running;
        :: else
        fi;
        if
        :: !t4 ->
          t4 = (copy.signal == handle2);
        :: else
        fi;
        t3 = t4;
      :: else
      fi;
      t2 = (t2 || t3);
    }
    t1 = t2;
  :: else
  fi;
  device.packet_passed_early = t1;
  t1 = device.decremented_unarmed;
  if
  :: !t1 ->
    /* exists core: Core. handle in device.cores[core].signals */
    t2 = 0;
    for (core2 : 0 .. 1) {
      t2 = (t2 || ((device.cores[core2].signals >> handle) & 1));
    }
    t1 = t2;
  :: else
  fi;
  if
  :: !t1 ->
    /* exists busplace: BusPlace. device.posted[busplace].signal == handle */
    t2 = 0;
    for (busplace : 0 .. 3) {
      t2 = (t2 || (device.posted[busplace].signal == handle));
    }
    t1 = t2;
  :: else
  fi;
  device.decremented_unarmed = t1;
  t1 = (device.signals[handle].value - 1);
  if :: (t1 >= -1) :: else -> printf("broken range:complete/device.signals[].value\n"); assert(false) fi;
  device.signals[handle].value = t1;
  device.signals[handle].running = false;
  device.signals[handle].queue = 0;
  t1 = 0;
  t2 = 0;
  handle2 = 0;
  t3 = 0;
  t4 = 0;
  t5 = 0;
  hwqueue = 0;
  t6 = 0;
  packetslot = 0;
  core2 = 0;
  busplace = 0;
}

/* SDMA: poll (by sdma, progress) */
/* The engine polls the copy's dependency in memory, and finds 0. */
inline pass_copy_poll() {
  /* copies are on */
  /* polls */
  (true && (copy.submitted && (copy.dep != none)));
  /* satisfied */
  t2 = copy.dep;
  if :: (t2 >= 0) :: else -> printf("step pass_copy_poll()\n"); printf("broken range:pass_copy_poll/Handle\n"); assert(false) fi;
  t1 = (device.signals[t2].value == 0);
  if
  :: t1 ->
    printf("step pass_copy_poll()\n");
    t2 = device.packet_passed_early;
    if
    :: !t2 ->
      /* exists hwqueue: HwQueue, packetslot: PacketSlot. (device.rings[hwqueue].slots[packetslot].phase == RESERVED or device.rings[hwqueue].slots[packetslot].phase == VALID) and device.rings[hwqueue].slots[packetslot].signal == copy.dep */
      t3 = 0;
      for (hwqueue : 0 .. 0) {
        /* exists packetslot: PacketSlot. (device.rings[hwqueue].slots[packetslot].phase == RESERVED or device.rings[hwqueue].slots[packetslot].phase == VALID) and device.rings[hwqueue].slots[packetslot].signal == copy.dep */
        t4 = 0;
        for (packetslot : 0 .. 1) {
          t5 = ((device.rings[hwqueue].slots[packetslot].phase == SlotPhase_RESERVED) || (device.rings[hwqueue].slots[packetslot].phase == SlotPhase_VALID));
          if
          :: t5 ->
            t6 = copy.dep;
            if :: (t6 >= 0) :: else -> printf("broken range:pass_copy_poll/Handle\n"); assert(false) fi;
            t5 = (device.rings[hwqueue].slots[packetslot].signal == t6);
          :: else
          fi;
          t4 = (t4 || t5);
        }
        t3 = (t3 || t4);
      }
      t2 = t3;
    :: else
    fi;
    if
    :: !t2 ->
      t3 = copy.dep;
      if :: (t3 >= 0) :: else -> printf("broken range:pass_copy_poll/Handle\n"); assert(false) fi;
      t2 = device.signals[t3].running;
    :: else
    fi;
    if
    :: !t2 ->
      t3 = copy.dep;
      if :: (t3 >= 0) :: else -> printf("broken range:pass_copy_poll/Handle\n"); assert(false) fi;
      t2 = (copy.signal == t3);
    :: else
    fi;
    device.packet_passed_early = t2;
    /* the copy's wait for signal <copy.dep> is satisfied */
    copy.dep = none;
  :: else
  fi;
  t1 = 0;
  t2 = 0;
  t3 = 0;
  hwqueue = 0;
  t4 = 0;
  packetslot = 0;
  t5 = 0;
  t6 = 0;
}

/* SDMA: atomic decrement (by sdma, progress) */
/* The copy is made: decrement its signal in memory. */
inline complete_copy() {
  /* copies are on */
  /* copies */
  (true && (copy.submitted && (copy.dep == none)));
  printf("step complete_copy()\n");
  /* decremented by the copy */
  t1 = device.packet_passed_early;
  if
  :: !t1 ->
    /* exists handle: Handle. handle == none and ((exists hwqueue: HwQueue, packetslot: PacketSlot. (device.rings[hwqueue].slots[packetslot].phase == RESERVED or device.rings[hwqueue].slots[packetslot].phase == VALID) and device.rings[hwqueue].slots[packetslot].signal == handle) or device.signals[handle].running or copy.signal == handle) */
    t2 = 0;
    for (handle2 : 0 .. 1) {
      t3 = (handle2 == none);
      if
      :: t3 ->
        /* exists hwqueue: HwQueue, packetslot: PacketSlot. (device.rings[hwqueue].slots[packetslot].phase == RESERVED or device.rings[hwqueue].slots[packetslot].phase == VALID) and device.rings[hwqueue].slots[packetslot].signal == handle */
        t5 = 0;
        for (hwqueue : 0 .. 0) {
          /* exists packetslot: PacketSlot. (device.rings[hwqueue].slots[packetslot].phase == RESERVED or device.rings[hwqueue].slots[packetslot].phase == VALID) and device.rings[hwqueue].slots[packetslot].signal == handle */
          t6 = 0;
          for (packetslot : 0 .. 1) {
            t6 = (t6 || (((device.rings[hwqueue].slots[packetslot].phase == SlotPhase_RESERVED) || (device.rings[hwqueue].slots[packetslot].phase == SlotPhase_VALID)) && (device.rings[hwqueue].slots[packetslot].signal == handle2)));
          }
          t5 = (t5 || t6);
        }
        t4 = t5;
        if
        :: !t4 ->
          t4 = device.signals[handle2].running;
        :: else
        fi;
        if
        :: !t4 ->
          t4 = (copy.signal == handle2);
        :: else
        fi;
        t3 = t4;
      :: else
      fi;
      t2 = (t2 || t3);
    }
    t1 = t2;
  :: else
  fi;
  device.packet_passed_early = t1;
  t1 = device.decremented_unarmed;
  if
  :: !t1 ->
    /* exists core: Core. copy.signal in device.cores[core].signals */
    t2 = 0;
    for (core2 : 0 .. 1) {
      t3 = copy.signal;
      if :: (t3 >= 0) :: else -> printf("broken range:complete_copy/Handle\n"); assert(false) fi;
      t2 = (t2 || ((device.cores[core2].signals >> t3) & 1));
    }
    t1 = t2;
  :: else
  fi;
  if
  :: !t1 ->
    /* exists busplace: BusPlace. device.posted[busplace].signal == copy.signal */
    t2 = 0;
    for (busplace : 0 .. 3) {
      t3 = copy.signal;
      if :: (t3 >= 0) :: else -> printf("broken range:complete_copy/Handle\n"); assert(false) fi;
      t2 = (t2 || (device.posted[busplace].signal == t3));
    }
    t1 = t2;
  :: else
  fi;
  device.decremented_unarmed = t1;
  t1 = copy.signal;
  if :: (t1 >= 0) :: else -> printf("broken range:complete_copy/Handle\n"); assert(false) fi;
  t2 = copy.signal;
  if :: (t2 >= 0) :: else -> printf("broken range:complete_copy/Handle\n"); assert(false) fi;
  t3 = (device.signals[t2].value - 1);
  if :: (t3 >= -1) :: else -> printf("broken range:complete_copy/device.signals[].value\n"); assert(false) fi;
  device.signals[t1].value = t3;
  copy.signal = none;
  copy.dep = none;
  copy.submitted = false;
  t1 = 0;
  t2 = 0;
  handle2 = 0;
  t3 = 0;
  t4 = 0;
  t5 = 0;
  hwqueue = 0;
  t6 = 0;
  packetslot = 0;
  core2 = 0;
  busplace = 0;
}

/* The store that arms a signal is in memory before an operation decrements it. */
inline check_armed_before_decremented() {
  skip;
  /* forall handle: Handle. not device.decremented_unarmed */
  t1 = 1;
  for (handle2 : 0 .. 1) {
    t1 = (t1 && (!device.decremented_unarmed));
  }
  if :: t1 :: else -> printf("broken armed-before-decremented\n"); assert(false) fi;
  t1 = 0;
  handle2 = 0;
}

/* A packet or a copy of this device passes its wait, and ends, only after what it waits for has ended. */
inline check_packet_wait_not_early() {
  skip;
  /* forall handle: Handle. not device.packet_passed_early */
  t1 = 1;
  for (handle2 : 0 .. 1) {
    t1 = (t1 && (!device.packet_passed_early));
  }
  if :: t1 :: else -> printf("broken packet-wait-not-early\n"); assert(false) fi;
  t1 = 0;
  handle2 = 0;
}

/* A use that a host thread takes for complete is complete: no operation has still to decrement its signal. */
inline check_complete_implies_not_owed() {
  skip;
  /* forall handle: Handle. not host_passed_early and (device.signals[handle].life == USED or not ((exists hwqueue: HwQueue, packetslot: PacketSlot. (device.rings[hwqueue].slots[packetslot].phase == RESERVED or device.rings[hwqueue].slots[packetslot].phase == VALID) and device.rings[hwqueue].slots[packetslot].signal == handle) or device.signals[handle].running or copy.signal == handle)) */
  t1 = 1;
  for (handle2 : 0 .. 1) {
    t2 = (!host_passed_early);
    if
    :: t2 ->
      t3 = (device.signals[handle2].life == Life_USED);
      if
      :: !t3 ->
        /* exists hwqueue: HwQueue, packetslot: PacketSlot. (device.rings[hwqueue].slots[packetslot].phase == RESERVED or device.rings[hwqueue].slots[packetslot].phase == VALID) and device.rings[hwqueue].slots[packetslot].signal == handle */
        t5 = 0;
        for (hwqueue : 0 .. 0) {
          /* exists packetslot: PacketSlot. (device.rings[hwqueue].slots[packetslot].phase == RESERVED or device.rings[hwqueue].slots[packetslot].phase == VALID) and device.rings[hwqueue].slots[packetslot].signal == handle */
          t6 = 0;
          for (packetslot : 0 .. 1) {
            t6 = (t6 || (((device.rings[hwqueue].slots[packetslot].phase == SlotPhase_RESERVED) || (device.rings[hwqueue].slots[packetslot].phase == SlotPhase_VALID)) && (device.rings[hwqueue].slots[packetslot].signal == handle2)));
          }
          t5 = (t5 || t6);
        }
        t4 = t5;
        if
        :: !t4 ->
          t4 = device.signals[handle2].running;
        :: else
        fi;
        if
        :: !t4 ->
          t4 = (copy.signal == handle2);
        :: else
        fi;
        t3 = (!t4);
      :: else
      fi;
      t2 = t3;
    :: else
    fi;
    t1 = (t1 && t2);
  }
  if :: t1 :: else -> printf("broken complete-implies-not-owed\n"); assert(false) fi;
  t1 = 0;
  handle2 = 0;
  t2 = 0;
  t3 = 0;
  t4 = 0;
  t5 = 0;
  hwqueue = 0;
  t6 = 0;
  packetslot = 0;
}

/* One arming is decremented once: no signal's value goes below 0. */
inline check_value_not_negative() {
  skip;
  /* forall handle: Handle. device.signals[handle].value >= 0 */
  t1 = 1;
  for (handle2 : 0 .. 1) {
    t1 = (t1 && (device.signals[handle2].value >= 0));
  }
  if :: t1 :: else -> printf("broken value-not-negative\n"); assert(false) fi;
  t1 = 0;
  handle2 = 0;
}

/* Once a use's operation has ended and nothing is on its way to its signal, whoever waits for that can go on. */
inline check_completion_not_lost() {
  skip;
  /* forall handle: Handle. device.signals[handle].life == USED and not ((exists hwqueue: HwQueue, packetslot: PacketSlot. (device.rings[hwqueue].slots[packetslot].phase == RESERVED or device.rings[hwqueue].slots[packetslot].phase == VALID) and device.rings[hwqueue].slots[packetslot].signal == handle) or device.signals[handle].running or copy.signal == handle) and not ((exists core: Core. handle in device.cores[core].signals) or (exists busplace: BusPlace. device.posted[busplace].signal == handle)) implies device.signals[handle].value < 1 */
  t1 = 1;
  for (handle2 : 0 .. 1) {
    t3 = (device.signals[handle2].life == Life_USED);
    if
    :: t3 ->
      /* exists hwqueue: HwQueue, packetslot: PacketSlot. (device.rings[hwqueue].slots[packetslot].phase == RESERVED or device.rings[hwqueue].slots[packetslot].phase == VALID) and device.rings[hwqueue].slots[packetslot].signal == handle */
      t5 = 0;
      for (hwqueue : 0 .. 0) {
        /* exists packetslot: PacketSlot. (device.rings[hwqueue].slots[packetslot].phase == RESERVED or device.rings[hwqueue].slots[packetslot].phase == VALID) and device.rings[hwqueue].slots[packetslot].signal == handle */
        t6 = 0;
        for (packetslot : 0 .. 1) {
          t6 = (t6 || (((device.rings[hwqueue].slots[packetslot].phase == SlotPhase_RESERVED) || (device.rings[hwqueue].slots[packetslot].phase == SlotPhase_VALID)) && (device.rings[hwqueue].slots[packetslot].signal == handle2)));
        }
        t5 = (t5 || t6);
      }
      t4 = t5;
      if
      :: !t4 ->
        t4 = device.signals[handle2].running;
      :: else
      fi;
      if
      :: !t4 ->
        t4 = (copy.signal == handle2);
      :: else
      fi;
      t3 = (!t4);
    :: else
    fi;
    if
    :: t3 ->
      /* exists core: Core. handle in device.cores[core].signals */
      t5 = 0;
      for (core2 : 0 .. 1) {
        t5 = (t5 || ((device.cores[core2].signals >> handle2) & 1));
      }
      t4 = t5;
      if
      :: !t4 ->
        /* exists busplace: BusPlace. device.posted[busplace].signal == handle */
        t6 = 0;
        for (busplace : 0 .. 3) {
          t6 = (t6 || (device.posted[busplace].signal == handle2));
        }
        t4 = t6;
      :: else
      fi;
      t3 = (!t4);
    :: else
    fi;
    t2 = (!t3);
    if
    :: !t2 ->
      t2 = (device.signals[handle2].value < 1);
    :: else
    fi;
    t1 = (t1 && t2);
  }
  if :: t1 :: else -> printf("broken completion-not-lost\n"); assert(false) fi;
  t1 = 0;
  handle2 = 0;
  t2 = 0;
  t3 = 0;
  t4 = 0;
  t5 = 0;
  hwqueue = 0;
  t6 = 0;
  packetslot = 0;
  core2 = 0;
  busplace = 0;
}

/* A packet is launched with the body that it was published with, not with what the slot held before. */
inline check_launched_packet_is_whole() {
  skip;
  /* forall handle: Handle. not device.torn_launch */
  t1 = 1;
  for (handle2 : 0 .. 1) {
    t1 = (t1 && (!device.torn_launch));
  }
  if :: t1 :: else -> printf("broken launched-packet-is-whole\n"); assert(false) fi;
  t1 = 0;
  handle2 = 0;
}

/* No packet is written to a slot that the read index has not passed. */
inline check_slot_not_overwritten() {
  skip;
  /* forall queue: HwQueue, slot: PacketSlot. not device.slot_overwritten */
  t1 = 1;
  for (queue3 : 0 .. 0) {
    /* forall slot: PacketSlot. not device.slot_overwritten */
    t2 = 1;
    for (slot3 : 0 .. 1) {
      t2 = (t2 && (!device.slot_overwritten));
    }
    t1 = (t1 && t2);
  }
  if :: t1 :: else -> printf("broken slot-not-overwritten\n"); assert(false) fi;
  t1 = 0;
  queue3 = 0;
  t2 = 0;
  slot3 = 0;
}

/* While a signal is in use, a call under way or a wait open, some step can be taken that will be taken. */
inline check_no_hang() {
  skip;
  /* exists handle: Handle. device.signals[handle].life == USED or (exists hwqueue: HwQueue, packetslot: PacketSlot. (device.rings[hwqueue].slots[packetslot].phase == RESERVED or device.rings[hwqueue].slots[packetslot].phase == VALID) and device.rings[hwqueue].slots[packetslot].dep == handle) or (exists handle2: Handle. device.signals[handle2].dep == handle) or copy.dep == handle or handle == none */
  t3 = 0;
  for (handle2 : 0 .. 1) {
    t4 = (device.signals[handle2].life == Life_USED);
    if
    :: !t4 ->
      /* exists hwqueue: HwQueue, packetslot: PacketSlot. (device.rings[hwqueue].slots[packetslot].phase == RESERVED or device.rings[hwqueue].slots[packetslot].phase == VALID) and device.rings[hwqueue].slots[packetslot].dep == handle */
      t5 = 0;
      for (hwqueue : 0 .. 0) {
        /* exists packetslot: PacketSlot. (device.rings[hwqueue].slots[packetslot].phase == RESERVED or device.rings[hwqueue].slots[packetslot].phase == VALID) and device.rings[hwqueue].slots[packetslot].dep == handle */
        t6 = 0;
        for (packetslot : 0 .. 1) {
          t6 = (t6 || (((device.rings[hwqueue].slots[packetslot].phase == SlotPhase_RESERVED) || (device.rings[hwqueue].slots[packetslot].phase == SlotPhase_VALID)) && (device.rings[hwqueue].slots[packetslot].dep == handle2)));
        }
        t5 = (t5 || t6);
      }
      t4 = t5;
    :: else
    fi;
    if
    :: !t4 ->
      /* exists handle: Handle. device.signals[handle].dep == handle */
      t5 = 0;
      for (handle3 : 0 .. 1) {
        t5 = (t5 || (device.signals[handle3].dep == handle2));
      }
      t4 = t5;
    :: else
    fi;
    if
    :: !t4 ->
      t4 = (copy.dep == handle2);
    :: else
    fi;
    if
    :: !t4 ->
      t4 = (handle2 == none);
    :: else
    fi;
    t3 = (t3 || t4);
  }
  t2 = t3;
  if
  :: !t2 ->
    /* exists core: Core. producers[core].pc == IDLE implies producers[core].stored != {} */
    t4 = 0;
    for (core2 : 0 .. 1) {
      t4 = (t4 || ((producers[core2].pc != Pc_IDLE) || (producers[core2].stored != 0)));
    }
    t2 = t4;
  :: else
  fi;
  t1 = (!t2);
  if
  :: !t1 ->
    t1 = (device.posted[0].signal != none);
  :: else
  fi;
  if
  :: !t1 ->
    t1 = (device.posted[0].queue != none);
  :: else
  fi;
  if
  :: !t1 ->
    /* exists core: Core. producers[core].pc == IDLE and producers[core].stored != {} and (count handle: Handle. handle in device.cores[core].signals) + (sum hwqueue: HwQueue. (count packetslot: PacketSlot. packetslot in device.cores[core].bodies[hwqueue]) + (count packetslot: PacketSlot. packetslot in device.cores[core].headers[hwqueue])) + 0 <= (count busplace: BusPlace. not (device.posted[busplace].signal == none implies device.posted[busplace].queue != none)) */
    t4 = 0;
    for (core2 : 0 .. 1) {
      t5 = (producers[core2].pc == Pc_IDLE);
      if
      :: t5 ->
        t5 = (producers[core2].stored != 0);
      :: else
      fi;
      if
      :: t5 ->
        /* count handle: Handle. handle in device.cores[core].signals */
        t6 = 0;
        for (handle2 : 0 .. 1) {
          t6 = t6 + (((device.cores[core2].signals >> handle2) & 1) -> 1 : 0);
        }
        /* sum hwqueue: HwQueue. (count packetslot: PacketSlot. packetslot in device.cores[core].bodies[hwqueue]) + (count packetslot: PacketSlot. packetslot in device.cores[core].headers[hwqueue]) */
        t7 = 0;
        for (hwqueue : 0 .. 0) {
          /* count packetslot: PacketSlot. packetslot in device.cores[core].bodies[hwqueue] */
          t8 = 0;
          for (packetslot : 0 .. 1) {
            t8 = t8 + (((device.cores[core2].bodies[hwqueue] >> packetslot) & 1) -> 1 : 0);
          }
          /* count packetslot: PacketSlot. packetslot in device.cores[core].headers[hwqueue] */
          t9 = 0;
          for (packetslot : 0 .. 1) {
            t9 = t9 + (((device.cores[core2].headers[hwqueue] >> packetslot) & 1) -> 1 : 0);
          }
          t7 = t7 + (t8 + t9);
        }
        /* count busplace: BusPlace. not (device.posted[busplace].signal == none implies device.posted[busplace].queue != none) */
        t8 = 0;
        for (busplace : 0 .. 3) {
          t8 = t8 + ((!((device.posted[busplace].signal != none) || (device.posted[busplace].queue != none))) -> 1 : 0);
        }
        t5 = (((t6 + t7) + 0) <= t8);
      :: else
      fi;
      t4 = (t4 || t5);
    }
    t1 = t4;
  :: else
  fi;
  if
  :: !t1 ->
    /* exists core: Core, handle: Handle. producers[core].pc == IDLE and device.signals[handle].life == USED and not ((exists core2: Core. (producers[core2].pc == RESERVED or producers[core2].pc == FLUSH_ADD or producers[core2].pc == BODY or producers[core2].pc == HEADER) and producers[core2].signal == handle) or copy.signal == handle and not copy.submitted) and (1 if handle in device.cores[core].signals else ((sum busplace: BusPlace. device.posted[busplace].above_one if device.posted[busplace].signal == handle and not (exists busplace2: BusPlace. busplace < busplace2 and device.posted[busplace2].signal == handle) else 0) + 1 if (exists busplace: BusPlace. device.posted[busplace].signal == handle) else device.signals[handle].value)) < 1 */
    t4 = 0;
    for (core2 : 0 .. 1) {
      /* exists handle: Handle. producers[core].pc == IDLE and device.signals[handle].life == USED and not ((exists core: Core. (producers[core].pc == RESERVED or producers[core].pc == FLUSH_ADD or producers[core].pc == BODY or producers[core].pc == HEADER) and producers[core].signal == handle) or copy.signal == handle and not copy.submitted) and (1 if handle in device.cores[core].signals else ((sum busplace: BusPlace. device.posted[busplace].above_one if device.posted[busplace].signal == handle and not (exists busplace2: BusPlace. busplace < busplace2 and device.posted[busplace2].signal == handle) else 0) + 1 if (exists busplace: BusPlace. device.posted[busplace].signal == handle) else device.signals[handle].value)) < 1 */
      t5 = 0;
      for (handle2 : 0 .. 1) {
        t6 = (producers[core2].pc == Pc_IDLE);
        if
        :: t6 ->
          t6 = (device.signals[handle2].life == Life_USED);
        :: else
        fi;
        if
        :: t6 ->
          /* exists core: Core. (producers[core].pc == RESERVED or producers[core].pc == FLUSH_ADD or producers[core].pc == BODY or producers[core].pc == HEADER) and producers[core].signal == handle */
          t8 = 0;
          for (core3 : 0 .. 1) {
            t8 = (t8 || (((producers[core3].pc == Pc_RESERVED) || (producers[core3].pc == Pc_FLUSH_ADD) || (producers[core3].pc == Pc_BODY) || (producers[core3].pc == Pc_HEADER)) && (producers[core3].signal == handle2)));
          }
          t7 = t8;
          if
          :: !t7 ->
            t7 = ((copy.signal == handle2) && (!copy.submitted));
          :: else
          fi;
          t6 = (!t7);
        :: else
        fi;
        if
        :: t6 ->
          if
          :: ((device.cores[core2].signals >> handle2) & 1) ->
            t7 = 1;
          :: else ->
            /* exists busplace: BusPlace. device.posted[busplace].signal == handle */
            t8 = 0;
            for (busplace : 0 .. 3) {
              t8 = (t8 || (device.posted[busplace].signal == handle2));
            }
            if
            :: t8 ->
              /* sum busplace: BusPlace. device.posted[busplace].above_one if device.posted[busplace].signal == handle and not (exists busplace2: BusPlace. busplace < busplace2 and device.posted[busplace2].signal == handle) else 0 */
              t10 = 0;
              for (busplace : 0 .. 3) {
                t11 = (device.posted[busplace].signal == handle2);
                if
                :: t11 ->
                  /* exists busplace: BusPlace. busplace < busplace and device.posted[busplace].signal == handle */
                  t12 = 0;
                  for (busplace2 : 0 .. 3) {
                    t12 = (t12 || ((busplace < busplace2) && (device.posted[busplace2].signal == handle2)));
                  }
                  t11 = (!t12);
                :: else
                fi;
                if
                :: t11 ->
                  if :: (device.posted[busplace].signal != none) :: else -> printf("broken dead:no-hang/device.posted[].above_one\n"); assert(false) fi;
                  t12 = device.posted[busplace].above_one;
                :: else ->
                  t12 = 0;
                fi;
                t10 = t10 + t12;
              }
              t9 = (t10 + 1);
            :: else ->
              t9 = device.signals[handle2].value;
            fi;
            t7 = t9;
          fi;
          t6 = (t7 < 1);
        :: else
        fi;
        t5 = (t5 || t6);
      }
      t4 = (t4 || t5);
    }
    t1 = t4;
  :: else
  fi;
  if
  :: !t1 ->
    /* exists core: Core. producers[core].pc == RESERVED */
    t4 = 0;
    for (core2 : 0 .. 1) {
      t4 = (t4 || (producers[core2].pc == Pc_RESERVED));
    }
    t1 = t4;
  :: else
  fi;
  if
  :: !t1 ->
    /* exists core: Core. producers[core].pc == BODY and (count handle: Handle. handle in device.cores[core].signals) + (sum hwqueue: HwQueue. (count packetslot: PacketSlot. packetslot in device.cores[core].bodies[hwqueue]) + (count packetslot: PacketSlot. packetslot in device.cores[core].headers[hwqueue])) + 0 <= (count busplace: BusPlace. not (device.posted[busplace].signal == none implies device.posted[busplace].queue != none)) */
    t4 = 0;
    for (core2 : 0 .. 1) {
      t5 = (producers[core2].pc == Pc_BODY);
      if
      :: t5 ->
        /* count handle: Handle. handle in device.cores[core].signals */
        t6 = 0;
        for (handle2 : 0 .. 1) {
          t6 = t6 + (((device.cores[core2].signals >> handle2) & 1) -> 1 : 0);
        }
        /* sum hwqueue: HwQueue. (count packetslot: PacketSlot. packetslot in device.cores[core].bodies[hwqueue]) + (count packetslot: PacketSlot. packetslot in device.cores[core].headers[hwqueue]) */
        t7 = 0;
        for (hwqueue : 0 .. 0) {
          /* count packetslot: PacketSlot. packetslot in device.cores[core].bodies[hwqueue] */
          t8 = 0;
          for (packetslot : 0 .. 1) {
            t8 = t8 + (((device.cores[core2].bodies[hwqueue] >> packetslot) & 1) -> 1 : 0);
          }
          /* count packetslot: PacketSlot. packetslot in device.cores[core].headers[hwqueue] */
          t9 = 0;
          for (packetslot : 0 .. 1) {
            t9 = t9 + (((device.cores[core2].headers[hwqueue] >> packetslot) & 1) -> 1 : 0);
          }
          t7 = t7 + (t8 + t9);
        }
        /* count busplace: BusPlace. not (device.posted[busplace].signal == none implies device.posted[busplace].queue != none) */
        t8 = 0;
        for (busplace : 0 .. 3) {
          t8 = t8 + ((!((device.posted[busplace].signal != none) || (device.posted[busplace].queue != none))) -> 1 : 0);
        }
        t5 = (((t6 + t7) + 0) <= t8);
      :: else
      fi;
      t4 = (t4 || t5);
    }
    t1 = t4;
  :: else
  fi;
  if
  :: !t1 ->
    /* exists core: Core. producers[core].pc == HEADER and (count handle: Handle. handle in device.cores[core].signals) + (sum hwqueue: HwQueue. (count packetslot: PacketSlot. packetslot in device.cores[core].bodies[hwqueue]) + (count packetslot: PacketSlot. packetslot in device.cores[core].headers[hwqueue])) + 0 <= (count busplace: BusPlace. not (device.posted[busplace].signal == none implies device.posted[busplace].queue != none)) */
    t4 = 0;
    for (core2 : 0 .. 1) {
      t5 = (producers[core2].pc == Pc_HEADER);
      if
      :: t5 ->
        /* count handle: Handle. handle in device.cores[core].signals */
        t6 = 0;
        for (handle2 : 0 .. 1) {
          t6 = t6 + (((device.cores[core2].signals >> handle2) & 1) -> 1 : 0);
        }
        /* sum hwqueue: HwQueue. (count packetslot: PacketSlot. packetslot in device.cores[core].bodies[hwqueue]) + (count packetslot: PacketSlot. packetslot in device.cores[core].headers[hwqueue]) */
        t7 = 0;
        for (hwqueue : 0 .. 0) {
          /* count packetslot: PacketSlot. packetslot in device.cores[core].bodies[hwqueue] */
          t8 = 0;
          for (packetslot : 0 .. 1) {
            t8 = t8 + (((device.cores[core2].bodies[hwqueue] >> packetslot) & 1) -> 1 : 0);
          }
          /* count packetslot: PacketSlot. packetslot in device.cores[core].headers[hwqueue] */
          t9 = 0;
          for (packetslot : 0 .. 1) {
            t9 = t9 + (((device.cores[core2].headers[hwqueue] >> packetslot) & 1) -> 1 : 0);
          }
          t7 = t7 + (t8 + t9);
        }
        /* count busplace: BusPlace. not (device.posted[busplace].signal == none implies device.posted[busplace].queue != none) */
        t8 = 0;
        for (busplace : 0 .. 3) {
          t8 = t8 + ((!((device.posted[busplace].signal != none) || (device.posted[busplace].queue != none))) -> 1 : 0);
        }
        t5 = (((t6 + t7) + 0) <= t8);
      :: else
      fi;
      t4 = (t4 || t5);
    }
    t1 = t4;
  :: else
  fi;
  if
  :: !t1 ->
    /* exists core: Core. producers[core].pc == HEADER and not producers[core].launched and device.rings[producers[core].queue].tail != (0 if producers[core].slot == 1 else producers[core].slot + 1) and (count handle: Handle. handle in device.cores[core].signals) + (sum hwqueue: HwQueue. (count packetslot: PacketSlot. packetslot in device.cores[core].bodies[hwqueue]) + (count packetslot: PacketSlot. packetslot in device.cores[core].headers[hwqueue])) + 0 <= (count busplace: BusPlace. not (device.posted[busplace].signal == none implies device.posted[busplace].queue != none)) */
    t4 = 0;
    for (core2 : 0 .. 1) {
      t5 = (producers[core2].pc == Pc_HEADER);
      if
      :: t5 ->
        if :: ((producers[core2].pc == Pc_RESERVED) || (producers[core2].pc == Pc_FLUSH_ADD) || (producers[core2].pc == Pc_BODY) || (producers[core2].pc == Pc_HEADER)) :: else -> printf("broken dead:no-hang/producers[].launched\n"); assert(false) fi;
        t5 = (!producers[core2].launched);
      :: else
      fi;
      if
      :: t5 ->
        if :: ((producers[core2].pc == Pc_RESERVED) || (producers[core2].pc == Pc_FLUSH_ADD) || (producers[core2].pc == Pc_BODY) || (producers[core2].pc == Pc_HEADER)) :: else -> printf("broken dead:no-hang/producers[].queue\n"); assert(false) fi;
        if :: ((producers[core2].pc == Pc_RESERVED) || (producers[core2].pc == Pc_FLUSH_ADD) || (producers[core2].pc == Pc_BODY) || (producers[core2].pc == Pc_HEADER)) :: else -> printf("broken dead:no-hang/producers[].slot\n"); assert(false) fi;
        if
        :: (producers[core2].slot == 1) ->
          t6 = 0;
        :: else ->
          if :: ((producers[core2].pc == Pc_RESERVED) || (producers[core2].pc == Pc_FLUSH_ADD) || (producers[core2].pc == Pc_BODY) || (producers[core2].pc == Pc_HEADER)) :: else -> printf("broken dead:no-hang/producers[].slot\n"); assert(false) fi;
          t7 = (producers[core2].slot + 1);
          if :: (t7 <= 1) :: else -> printf("broken range:no-hang/next\n"); assert(false) fi;
          t6 = t7;
        fi;
        t5 = (device.rings[producers[core2].queue].tail != t6);
      :: else
      fi;
      if
      :: t5 ->
        /* count handle: Handle. handle in device.cores[core].signals */
        t6 = 0;
        for (handle2 : 0 .. 1) {
          t6 = t6 + (((device.cores[core2].signals >> handle2) & 1) -> 1 : 0);
        }
        /* sum hwqueue: HwQueue. (count packetslot: PacketSlot. packetslot in device.cores[core].bodies[hwqueue]) + (count packetslot: PacketSlot. packetslot in device.cores[core].headers[hwqueue]) */
        t7 = 0;
        for (hwqueue : 0 .. 0) {
          /* count packetslot: PacketSlot. packetslot in device.cores[core].bodies[hwqueue] */
          t8 = 0;
          for (packetslot : 0 .. 1) {
            t8 = t8 + (((device.cores[core2].bodies[hwqueue] >> packetslot) & 1) -> 1 : 0);
          }
          /* count packetslot: PacketSlot. packetslot in device.cores[core].headers[hwqueue] */
          t9 = 0;
          for (packetslot : 0 .. 1) {
            t9 = t9 + (((device.cores[core2].headers[hwqueue] >> packetslot) & 1) -> 1 : 0);
          }
          t7 = t7 + (t8 + t9);
        }
        /* count busplace: BusPlace. not (device.posted[busplace].signal == none implies device.posted[busplace].queue != none) */
        t8 = 0;
        for (busplace : 0 .. 3) {
          t8 = t8 + ((!((device.posted[busplace].signal != none) || (device.posted[busplace].queue != none))) -> 1 : 0);
        }
        t5 = (((t6 + t7) + 0) <= t8);
      :: else
      fi;
      t4 = (t4 || t5);
    }
    t1 = t4;
  :: else
  fi;
  if
  :: !t1 ->
    /* exists core: Core. producers[core].pc == COPY and not (device.posted[0].signal == none implies device.posted[0].queue != none) */
    t4 = 0;
    for (core2 : 0 .. 1) {
      t4 = (t4 || ((producers[core2].pc == Pc_COPY) && (!((device.posted[0].signal != none) || (device.posted[0].queue != none)))));
    }
    t1 = t4;
  :: else
  fi;
  if
  :: !t1 ->
    /* exists queue: HwQueue. device.rings[queue].slots[device.rings[queue].head].phase == VALID and device.rings[queue].slots[device.rings[queue].head].rung and not (exists core: Core. device.rings[queue].head in device.cores[core].headers[queue]) and not (exists busplace: BusPlace. device.posted[busplace].queue == queue and device.posted[busplace].slot == device.rings[queue].head and device.posted[busplace].writes == HEADER) and not (exists handle: Handle. device.signals[handle].dep != none and device.signals[handle].queue == queue) */
    t4 = 0;
    for (queue3 : 0 .. 0) {
      t5 = (device.rings[queue3].slots[device.rings[queue3].head].phase == SlotPhase_VALID);
      if
      :: t5 ->
        if :: ((device.rings[queue3].slots[device.rings[queue3].head].phase == SlotPhase_RESERVED) || (device.rings[queue3].slots[device.rings[queue3].head].phase == SlotPhase_VALID)) :: else -> printf("broken dead:no-hang/device.rings[].slots[].rung\n"); assert(false) fi;
        t5 = device.rings[queue3].slots[device.rings[queue3].head].rung;
      :: else
      fi;
      if
      :: t5 ->
        /* exists core: Core. device.rings[queue].head in device.cores[core].headers[queue] */
        t6 = 0;
        for (core2 : 0 .. 1) {
          t6 = (t6 || ((device.cores[core2].headers[queue3] >> device.rings[queue3].head) & 1));
        }
        t5 = (!t6);
      :: else
      fi;
      if
      :: t5 ->
        /* exists busplace: BusPlace. device.posted[busplace].queue == queue and device.posted[busplace].slot == device.rings[queue].head and device.posted[busplace].writes == HEADER */
        t6 = 0;
        for (busplace : 0 .. 3) {
          t7 = (device.posted[busplace].queue == queue3);
          if
          :: t7 ->
            if :: (device.posted[busplace].queue != none) :: else -> printf("broken dead:no-hang/device.posted[].slot\n"); assert(false) fi;
            t7 = (device.posted[busplace].slot == device.rings[queue3].head);
          :: else
          fi;
          if
          :: t7 ->
            if :: (device.posted[busplace].queue != none) :: else -> printf("broken dead:no-hang/device.posted[].writes\n"); assert(false) fi;
            t7 = (device.posted[busplace].writes == PacketPart_HEADER);
          :: else
          fi;
          t6 = (t6 || t7);
        }
        t5 = (!t6);
      :: else
      fi;
      if
      :: t5 ->
        /* exists handle: Handle. device.signals[handle].dep != none and device.signals[handle].queue == queue */
        t6 = 0;
        for (handle2 : 0 .. 1) {
          t7 = (device.signals[handle2].dep != none);
          if
          :: t7 ->
            if :: device.signals[handle2].running :: else -> printf("broken dead:no-hang/device.signals[].queue\n"); assert(false) fi;
            t7 = (device.signals[handle2].queue == queue3);
          :: else
          fi;
          t6 = (t6 || t7);
        }
        t5 = (!t6);
      :: else
      fi;
      t4 = (t4 || t5);
    }
    t1 = t4;
  :: else
  fi;
  if
  :: !t1 ->
    /* exists queue: HwQueue, slot: PacketSlot. device.rings[queue].slots[slot].phase == LAUNCHED and (slot == device.rings[queue].head or (forall packetslot: PacketSlot. (0 if packetslot == 1 else packetslot + 1) == slot implies device.rings[queue].slots[packetslot].phase != LAUNCHED)) */
    t4 = 0;
    for (queue3 : 0 .. 0) {
      /* exists slot: PacketSlot. device.rings[queue].slots[slot].phase == LAUNCHED and (slot == device.rings[queue].head or (forall packetslot: PacketSlot. (0 if packetslot == 1 else packetslot + 1) == slot implies device.rings[queue].slots[packetslot].phase != LAUNCHED)) */
      t5 = 0;
      for (slot3 : 0 .. 1) {
        t6 = (device.rings[queue3].slots[slot3].phase == SlotPhase_LAUNCHED);
        if
        :: t6 ->
          t7 = (slot3 == device.rings[queue3].head);
          if
          :: !t7 ->
            /* forall packetslot: PacketSlot. (0 if packetslot == 1 else packetslot + 1) == slot implies device.rings[queue].slots[packetslot].phase != LAUNCHED */
            t8 = 1;
            for (packetslot : 0 .. 1) {
              if
              :: (packetslot == 1) ->
                t10 = 0;
              :: else ->
                t11 = (packetslot + 1);
                if :: (t11 <= 1) :: else -> printf("broken range:no-hang/next\n"); assert(false) fi;
                t10 = t11;
              fi;
              t9 = (t10 != slot3);
              if
              :: !t9 ->
                t9 = (device.rings[queue3].slots[packetslot].phase != SlotPhase_LAUNCHED);
              :: else
              fi;
              t8 = (t8 && t9);
            }
            t7 = t8;
          :: else
          fi;
          t6 = t7;
        :: else
        fi;
        t5 = (t5 || t6);
      }
      t4 = (t4 || t5);
    }
    t1 = t4;
  :: else
  fi;
  if
  :: !t1 ->
    /* exists handle: Handle. device.signals[handle].dep != none and device.signals[device.signals[handle].dep].value == 0 */
    t4 = 0;
    for (handle2 : 0 .. 1) {
      t5 = (device.signals[handle2].dep != none);
      if
      :: t5 ->
        t6 = device.signals[handle2].dep;
        if :: (t6 >= 0) :: else -> printf("broken range:no-hang/Handle\n"); assert(false) fi;
        t5 = (device.signals[t6].value == 0);
      :: else
      fi;
      t4 = (t4 || t5);
    }
    t1 = t4;
  :: else
  fi;
  if
  :: !t1 ->
    /* exists handle: Handle. device.signals[handle].running and device.signals[handle].dep == none */
    t4 = 0;
    for (handle2 : 0 .. 1) {
      t4 = (t4 || (device.signals[handle2].running && (device.signals[handle2].dep == none)));
    }
    t1 = t4;
  :: else
  fi;
  if
  :: !t1 ->
    t4 = copy.submitted;
    if
    :: t4 ->
      t4 = (copy.dep != none);
    :: else
    fi;
    if
    :: t4 ->
      t5 = copy.dep;
      if :: (t5 >= 0) :: else -> printf("broken range:no-hang/Handle\n"); assert(false) fi;
      t4 = (device.signals[t5].value == 0);
    :: else
    fi;
    t1 = t4;
  :: else
  fi;
  if
  :: !t1 ->
    t1 = (copy.submitted && (copy.dep == none));
  :: else
  fi;
  if :: t1 :: else -> printf("broken no-hang\n"); assert(false) fi;
  t1 = 0;
  t2 = 0;
  t3 = 0;
  handle2 = 0;
  t4 = 0;
  t5 = 0;
  hwqueue = 0;
  t6 = 0;
  packetslot = 0;
  handle3 = 0;
  core2 = 0;
  t7 = 0;
  t8 = 0;
  t9 = 0;
  busplace = 0;
  core3 = 0;
  t10 = 0;
  t11 = 0;
  t12 = 0;
  busplace2 = 0;
  queue3 = 0;
  slot3 = 0;
}

active proctype protocol() {
  d_step {
    skip;
    device.posted[0].signal = none;
    device.posted[1].signal = none;
    device.posted[2].signal = none;
    device.posted[3].signal = none;
    device.posted[0].queue = none;
    device.posted[1].queue = none;
    device.posted[2].queue = none;
    device.posted[3].queue = none;
    device.signals[0].dep = none;
    device.signals[1].dep = none;
    device.rings[0].slots[0].dep = none;
    device.rings[0].slots[1].dep = none;
    copy.signal = none;
    copy.dep = none;
  }
end:
  do
  :: d_step { signal_leaves(0, 0) }
  :: d_step { signal_leaves(0, 1) }
  :: d_step { signal_leaves(1, 0) }
  :: d_step { signal_leaves(1, 1) }
  :: d_step { body_leaves(0, 0, 0) }
  :: d_step { body_leaves(0, 0, 1) }
  :: d_step { body_leaves(1, 0, 0) }
  :: d_step { body_leaves(1, 0, 1) }
  :: d_step { header_leaves(0, 0, 0) }
  :: d_step { header_leaves(0, 0, 1) }
  :: d_step { header_leaves(1, 0, 0) }
  :: d_step { header_leaves(1, 0, 1) }
  :: d_step { store_lands() }
  :: d_step { arm(0, 0) }
  :: d_step { arm(0, 1) }
  :: d_step { arm(1, 0) }
  :: d_step { arm(1, 1) }
  :: d_step { fence_stores(0) }
  :: d_step { fence_stores(1) }
  :: d_step { see_complete(0, 0) }
  :: d_step { see_complete(0, 1) }
  :: d_step { see_complete(1, 0) }
  :: d_step { see_complete(1, 1) }
  :: d_step { reserve(0, 0, 0, -1) }
  :: d_step { reserve(0, 0, 0, 0) }
  :: d_step { reserve(0, 0, 0, 1) }
  :: d_step { reserve(0, 0, 1, -1) }
  :: d_step { reserve(0, 0, 1, 0) }
  :: d_step { reserve(0, 0, 1, 1) }
  :: d_step { reserve(1, 0, 0, -1) }
  :: d_step { reserve(1, 0, 0, 0) }
  :: d_step { reserve(1, 0, 0, 1) }
  :: d_step { reserve(1, 0, 1, -1) }
  :: d_step { reserve(1, 0, 1, 0) }
  :: d_step { reserve(1, 0, 1, 1) }
  :: d_step { write_body(0) }
  :: d_step { write_body(1) }
  :: d_step { write_header(0) }
  :: d_step { write_header(1) }
  :: d_step { ring_doorbell(0) }
  :: d_step { ring_doorbell(1) }
  :: d_step { leave_doorbell(0) }
  :: d_step { leave_doorbell(1) }
  :: d_step { begin_copy(0, 0, -1) }
  :: d_step { begin_copy(0, 0, 0) }
  :: d_step { begin_copy(0, 0, 1) }
  :: d_step { begin_copy(0, 1, -1) }
  :: d_step { begin_copy(0, 1, 0) }
  :: d_step { begin_copy(0, 1, 1) }
  :: d_step { begin_copy(1, 0, -1) }
  :: d_step { begin_copy(1, 0, 0) }
  :: d_step { begin_copy(1, 0, 1) }
  :: d_step { begin_copy(1, 1, -1) }
  :: d_step { begin_copy(1, 1, 0) }
  :: d_step { begin_copy(1, 1, 1) }
  :: d_step { submit_copy(0) }
  :: d_step { submit_copy(1) }
  :: d_step { launch(0) }
  :: d_step { release_slot(0, 0) }
  :: d_step { release_slot(0, 1) }
  :: d_step { pass_barrier(0) }
  :: d_step { pass_barrier(1) }
  :: d_step { complete(0) }
  :: d_step { complete(1) }
  :: d_step { pass_copy_poll() }
  :: d_step { complete_copy() }
  :: d_step { check_armed_before_decremented() }
  :: d_step { check_packet_wait_not_early() }
  :: d_step { check_complete_implies_not_owed() }
  :: d_step { check_value_not_negative() }
  :: d_step { check_completion_not_lost() }
  :: d_step { check_launched_packet_is_whole() }
  :: d_step { check_slot_not_overwritten() }
  :: d_step { check_no_hang() }
  od
}
