/* recycled-handle, variant default, queues 2, handles 2, slots 3 */
/* exported by fencepost; model 553e82f27faac4c7 */

#define none (-1)
#define PacketKind_NONE 0
#define PacketKind_KERNEL 1
#define PacketKind_TRANSITION 2
#define Signal_FREE 0
#define Signal_ARMED 1
#define Signal_COMPLETE 2

typedef Queues_Packets {
  byte kind;  /* PacketKind */
  short waits_for;  /* Maybe[Handle] */
}

typedef Queues {
  Queues_Packets packets[3];
  short transition;  /* Maybe[Handle] */
}

typedef Barriers {
  byte signal;  /* Signal */
  byte in_flight[2];  /* Range(0..3) */
}

bool enabled2;  /* Bool */
Queues queues[2];
Barriers barriers[2];

/* Values on the way: 0 between steps. */
int t1, t2, t3, t4, t5, t6, queue2, slot;
int handle2, queue3, old_queues_packets_kind[6];

/* WriteInterceptor (by dispatcher, environment) */
/* Push a kernel, or first the transition packet that the queue owes. */
inline dispatch(queue) {
  /* room */
  ((queues[queue].packets[2].kind == PacketKind_NONE));
  printf("step dispatch(queue=%d)\n", queue);
  for (queue2 : 0 .. 1) {
    for (slot : 0 .. 2) {
      old_queues_packets_kind[(queue2) * 3 + slot] = queues[queue2].packets[slot].kind;
    }
  }
  if
  :: (queues[queue].transition == none) ->
    /* count slot: Slot. queues[queue].packets[slot].kind != NONE */
    t1 = 0;
    for (slot : 0 .. 2) {
      t1 = t1 + ((queues[queue].packets[slot].kind != PacketKind_NONE) -> 1 : 0);
    }
    t2 = t1;
    if :: (t2 <= 2) :: else -> printf("broken range:dispatch/Slot\n"); assert(false) fi;
    queues[queue].packets[t2].kind = PacketKind_KERNEL;
    /* kernel on queue <queue> */
  :: else ->
    /* transition packet on queue <queue> */
    /* count slot: Slot. queues[queue].packets[slot].kind != NONE */
    t1 = 0;
    for (slot : 0 .. 2) {
      t1 = t1 + ((queues[queue].packets[slot].kind != PacketKind_NONE) -> 1 : 0);
    }
    t2 = t1;
    if :: (t2 <= 2) :: else -> printf("broken range:dispatch/Slot\n"); assert(false) fi;
    queues[queue].packets[t2].kind = PacketKind_TRANSITION;
    /* count slot: Slot. old queues[queue].packets[slot].kind != NONE */
    t1 = 0;
    for (slot : 0 .. 2) {
      t1 = t1 + ((old_queues_packets_kind[(queue) * 3 + slot] != PacketKind_NONE) -> 1 : 0);
    }
    t2 = t1;
    if :: (t2 <= 2) :: else -> printf("broken range:dispatch/Slot\n"); assert(false) fi;
    queues[queue].packets[t2].waits_for = queues[queue].transition;
    queues[queue].transition = none;
  fi;
  queue2 = 0;
  slot = 0;
  t1 = 0;
  t2 = 0;
  t1 = 0;
  for (t1 : 0 .. 5) { old_queues_packets_kind[t1] = 0 }
  t1 = 0;
}

/* HSA packet processor (by packet processor, progress) */
/* Run or pass the head; a kernel that ends is counted off in every barrier that counted it. */
inline execute(queue) {
  skip;
  /* head can run */
  t2 = (queues[queue].packets[0].kind == PacketKind_KERNEL);
  if
  :: !t2 ->
    t3 = (queues[queue].packets[0].waits_for != none);
    if
    :: t3 ->
      t4 = queues[queue].packets[0].waits_for;
      if :: (t4 >= 0) :: else -> printf("step execute(queue=%d)\n", queue); printf("broken range:execute/Handle\n"); assert(false) fi;
      t3 = (barriers[t4].signal != Signal_ARMED);
    :: else
    fi;
    t2 = t3;
  :: else
  fi;
  t1 = t2;
  if
  :: t1 ->
    printf("step execute(queue=%d)\n", queue);
    if
    :: (queues[queue].packets[0].kind == PacketKind_KERNEL) ->
      for (handle2 : 0 .. 1) {
        if
        :: (barriers[handle2].in_flight[queue] > 0) ->
          t2 = (barriers[handle2].in_flight[queue] - 1);
          if :: (t2 >= 0) :: else -> printf("broken range:execute/barriers[].in_flight[]\n"); assert(false) fi;
          barriers[handle2].in_flight[queue] = t2;
        :: else
        fi;
      }
    :: else
    fi;
    for (slot : 0 .. 2) {
      if
      :: (slot != 2) ->
        if
        :: (slot == 2) ->
          t2 = 0;
        :: else ->
          t3 = (slot + 1);
          if :: (t3 <= 2) :: else -> printf("broken range:execute/next\n"); assert(false) fi;
          t2 = t3;
        fi;
        queues[queue].packets[slot].kind = queues[queue].packets[t2].kind;
        if
        :: (slot == 2) ->
          t2 = 0;
        :: else ->
          t3 = (slot + 1);
          if :: (t3 <= 2) :: else -> printf("broken range:execute/next\n"); assert(false) fi;
          t2 = t3;
        fi;
        queues[queue].packets[slot].waits_for = queues[queue].packets[t2].waits_for;
      :: else
      fi;
    }
    queues[queue].packets[2].kind = PacketKind_NONE;
    queues[queue].packets[2].waits_for = none;
  :: else
  fi;
  t1 = 0;
  t2 = 0;
  t3 = 0;
  t4 = 0;
  handle2 = 0;
  slot = 0;
}

/* hsa_barrier::register_completion (by signal, progress) */
/* Every kernel that the barrier counted has ended: the signal goes to 0. */
inline complete(handle) {
  /* armed */
  ((barriers[handle].signal == Signal_ARMED));
  /* drained */
  /* forall queue: Queue. barriers[handle].in_flight[queue] == 0 */
  t2 = 1;
  for (queue2 : 0 .. 1) {
    t2 = (t2 && (barriers[handle].in_flight[queue2] == 0));
  }
  t1 = t2;
  if
  :: t1 ->
    printf("step complete(handle=%d)\n", handle);
    /* CLEARED(0) */
    barriers[handle].signal = Signal_COMPLETE;
  :: else
  fi;
  t1 = 0;
  t2 = 0;
  queue2 = 0;
}

/* profiler_serializer::disable (by serializer, environment) */
/* Disable serialization while no kernel runs: no barrier is needed. */
inline disable_idle() {
  /* enabled */
  (enabled2);
  /* idle */
  /* exists queue: Queue. (count slot: Slot. queues[queue].packets[slot].kind == KERNEL) > 0 */
  t2 = 0;
  for (queue2 : 0 .. 1) {
    /* count slot: Slot. queues[queue].packets[slot].kind == KERNEL */
    t3 = 0;
    for (slot : 0 .. 2) {
      t3 = t3 + ((queues[queue2].packets[slot].kind == PacketKind_KERNEL) -> 1 : 0);
    }
    t2 = (t2 || (t3 > 0));
  }
  t1 = (!t2);
  if
  :: t1 ->
    printf("step disable_idle()\n");
    enabled2 = false;
  :: else
  fi;
  t1 = 0;
  t2 = 0;
  queue2 = 0;
  t3 = 0;
  slot = 0;
}

/* profiler_serializer::disable (by serializer, environment) */
/* Disable serialization: arm a barrier on the kernels in flight; queues beside a busy one must wait for it. */
inline disable(handle) {
  /* enabled */
  (enabled2);
  /* busy */
  /* exists queue: Queue. (count slot: Slot. queues[queue].packets[slot].kind == KERNEL) > 0 */
  t2 = 0;
  for (queue2 : 0 .. 1) {
    /* count slot: Slot. queues[queue].packets[slot].kind == KERNEL */
    t3 = 0;
    for (slot : 0 .. 2) {
      t3 = t3 + ((queues[queue2].packets[slot].kind == PacketKind_KERNEL) -> 1 : 0);
    }
    t2 = (t2 || (t3 > 0));
  }
  t1 = t2;
  /* handle free */
  if
  :: t1 ->
    t1 = (barriers[handle].signal == Signal_FREE);
  :: else
  fi;
  /* lowest free handle */
  if
  :: t1 ->
    /* forall handle: Handle. handle < handle implies barriers[handle].signal != FREE */
    t2 = 1;
    for (handle2 : 0 .. 1) {
      t2 = (t2 && ((!(handle2 < handle)) || (barriers[handle2].signal != Signal_FREE)));
    }
    t1 = t2;
  :: else
  fi;
  if
  :: t1 ->
    printf("step disable(handle=%d)\n", handle);
    enabled2 = false;
    barriers[handle].signal = Signal_ARMED;
    /* ARMED(1) */
    for (queue2 : 0 .. 1) {
      /* count slot: Slot. queues[queue].packets[slot].kind == KERNEL */
      t2 = 0;
      for (slot : 0 .. 2) {
        t2 = t2 + ((queues[queue2].packets[slot].kind == PacketKind_KERNEL) -> 1 : 0);
      }
      barriers[handle].in_flight[queue2] = t2;
      /* exists queue: Queue. queue != queue and (count slot: Slot. queues[queue].packets[slot].kind == KERNEL) > 0 */
      t2 = 0;
      for (queue3 : 0 .. 1) {
        t3 = (queue3 != queue2);
        if
        :: t3 ->
          /* count slot: Slot. queues[queue].packets[slot].kind == KERNEL */
          t4 = 0;
          for (slot : 0 .. 2) {
            t4 = t4 + ((queues[queue3].packets[slot].kind == PacketKind_KERNEL) -> 1 : 0);
          }
          t3 = (t4 > 0);
        :: else
        fi;
        t2 = (t2 || t3);
      }
      if
      :: t2 ->
        queues[queue2].transition = handle;
      :: else
      fi;
    }
  :: else
  fi;
  t1 = 0;
  t2 = 0;
  queue2 = 0;
  t3 = 0;
  slot = 0;
  handle2 = 0;
  queue3 = 0;
  t4 = 0;
}

/* profiler_serializer::enable (by serializer, environment) */
/* Enable serialization: destroy the handles that are complete and, as fixed, no longer referred to. */
inline enable() {
  /* disabled */
  ((!enabled2));
  printf("step enable()\n");
  enabled2 = true;
  for (handle2 : 0 .. 1) {
    t1 = (barriers[handle2].signal == Signal_COMPLETE);
    if
    :: t1 ->
      /* exists queue: Queue, slot: Slot. queues[queue].packets[slot].waits_for == handle */
      t2 = 0;
      for (queue2 : 0 .. 1) {
        /* exists slot: Slot. queues[queue].packets[slot].waits_for == handle */
        t3 = 0;
        for (slot : 0 .. 2) {
          t3 = (t3 || (queues[queue2].packets[slot].waits_for == handle2));
        }
        t2 = (t2 || t3);
      }
      t1 = (!t2);
    :: else
    fi;
    if
    :: t1 ->
      /* DESTROYED */
      barriers[handle2].signal = Signal_FREE;
      for (queue2 : 0 .. 1) {
        if
        :: (queues[queue2].transition == handle2) ->
          queues[queue2].transition = none;
        :: else
        fi;
      }
    :: else
    fi;
  }
  handle2 = 0;
  t1 = 0;
  t2 = 0;
  queue2 = 0;
  t3 = 0;
  slot = 0;
}

/* A handle that a packet in a queue waits for is not destroyed. */
inline check_no_handle_destroyed_while_referenced() {
  skip;
  /* forall handle: Handle. (exists queue: Queue, slot: Slot. queues[queue].packets[slot].waits_for == handle) implies barriers[handle].signal != FREE */
  t1 = 1;
  for (handle2 : 0 .. 1) {
    /* exists queue: Queue, slot: Slot. queues[queue].packets[slot].waits_for == handle */
    t3 = 0;
    for (queue2 : 0 .. 1) {
      /* exists slot: Slot. queues[queue].packets[slot].waits_for == handle */
      t4 = 0;
      for (slot : 0 .. 2) {
        t4 = (t4 || (queues[queue2].packets[slot].waits_for == handle2));
      }
      t3 = (t3 || t4);
    }
    t2 = (!t3);
    if
    :: !t2 ->
      t2 = (barriers[handle2].signal != Signal_FREE);
    :: else
    fi;
    t1 = (t1 && t2);
  }
  if :: t1 :: else -> printf("broken no-handle-destroyed-while-referenced\n"); assert(false) fi;
  t1 = 0;
  handle2 = 0;
  t2 = 0;
  t3 = 0;
  queue2 = 0;
  t4 = 0;
  slot = 0;
}

/* While a packet lies in some queue, some step other than the application's can be taken. */
inline check_no_hang() {
  skip;
  /* exists queue: Queue. queues[queue].packets[0].kind != NONE */
  t2 = 0;
  for (queue2 : 0 .. 1) {
    t2 = (t2 || (queues[queue2].packets[0].kind != PacketKind_NONE));
  }
  t1 = (!t2);
  if
  :: !t1 ->
    /* exists queue: Queue. queues[queue].packets[0].kind == KERNEL or queues[queue].packets[0].waits_for != none and barriers[queues[queue].packets[0].waits_for].signal != ARMED */
    t3 = 0;
    for (queue2 : 0 .. 1) {
      t4 = (queues[queue2].packets[0].kind == PacketKind_KERNEL);
      if
      :: !t4 ->
        t5 = (queues[queue2].packets[0].waits_for != none);
        if
        :: t5 ->
          t6 = queues[queue2].packets[0].waits_for;
          if :: (t6 >= 0) :: else -> printf("broken range:no-hang/Handle\n"); assert(false) fi;
          t5 = (barriers[t6].signal != Signal_ARMED);
        :: else
        fi;
        t4 = t5;
      :: else
      fi;
      t3 = (t3 || t4);
    }
    t1 = t3;
  :: else
  fi;
  if
  :: !t1 ->
    /* exists handle: Handle. barriers[handle].signal == ARMED and (forall queue: Queue. barriers[handle].in_flight[queue] == 0) */
    t3 = 0;
    for (handle2 : 0 .. 1) {
      t4 = (barriers[handle2].signal == Signal_ARMED);
      if
      :: t4 ->
        /* forall queue: Queue. barriers[handle].in_flight[queue] == 0 */
        t5 = 1;
        for (queue2 : 0 .. 1) {
          t5 = (t5 && (barriers[handle2].in_flight[queue2] == 0));
        }
        t4 = t5;
      :: else
      fi;
      t3 = (t3 || t4);
    }
    t1 = t3;
  :: else
  fi;
  if :: t1 :: else -> printf("broken no-hang\n"); assert(false) fi;
  t1 = 0;
  t2 = 0;
  queue2 = 0;
  t3 = 0;
  t4 = 0;
  t5 = 0;
  t6 = 0;
  handle2 = 0;
}

active proctype protocol() {
  d_step {
    skip;
    enabled2 = true;
    queues[0].packets[0].waits_for = none;
    queues[0].packets[1].waits_for = none;
    queues[0].packets[2].waits_for = none;
    queues[1].packets[0].waits_for = none;
    queues[1].packets[1].waits_for = none;
    queues[1].packets[2].waits_for = none;
    queues[0].transition = none;
    queues[1].transition = none;
  }
end:
  do
  :: d_step { dispatch(0) }
  :: d_step { dispatch(1) }
  :: d_step { execute(0) }
  :: d_step { execute(1) }
  :: d_step { complete(0) }
  :: d_step { complete(1) }
  :: d_step { disable_idle() }
  :: d_step { disable(0) }
  :: d_step { disable(1) }
  :: d_step { enable() }
  :: d_step { check_no_handle_destroyed_while_referenced() }
  :: d_step { check_no_hang() }
  od
}
