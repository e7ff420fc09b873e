---- MODULE recycled_handle ----
\* recycled-handle, variant default, queues 2, handles 2, slots 3
\* exported by fencepost; model 553e82f27faac4c7
\* The sizes are those of the model as it was built: another size is another export.
EXTENDS Integers, FiniteSets

None == -1
PacketKind == {"NONE", "KERNEL", "TRANSITION"}
Handle == 0..1
Slot == 0..2
Queue == 0..1
Signal == {"FREE", "ARMED", "COMPLETE"}

VARIABLES
    \* @type: Bool;
    enabled,
    \* @type: Int -> { packets: Int -> { kind: Str, waits_for: Int }, transition: Int };
    queues,
    \* @type: Int -> { signal: Str, in_flight: Int -> Int };
    barriers

vars == <<enabled, queues, barriers>>

TypeOK ==
    /\ enabled \in BOOLEAN
    /\ queues \in [Queue -> [packets: [Slot -> [kind: PacketKind, waits_for: Handle \cup {None}]], transition: Handle \cup {None}]]
    /\ barriers \in [Handle -> [signal: Signal, in_flight: [Queue -> 0..3]]]

Init ==
    /\ enabled = TRUE
    /\ queues = [i \in Queue |-> [packets |-> [j \in Slot |-> [kind |-> "NONE", waits_for |-> None]], transition |-> None]]
    /\ barriers = [i \in Handle |-> [signal |-> "FREE", in_flight |-> [j \in Queue |-> 0]]]

\* Push a kernel, or first the transition packet that the queue owes.
\* By dispatcher queue, environment; for WriteInterceptor
\*   queue: Queue
\* Every value and index of the step below is within its range.
dispatch_obliges(queue) ==
    queues[queue].packets[2].kind = "NONE"
    => /\ queues[queue].transition = None
          => Cardinality({slot \in Slot : queues[queue].packets[slot].kind # "NONE"}) \in Slot
       /\ queues[queue].transition # None
          => Cardinality({slot \in Slot : queues[queue].packets[slot].kind # "NONE"}) \in Slot

dispatch(queue) ==
    /\ queues[queue].packets[2].kind = "NONE"  \* room
    /\ dispatch_obliges(queue)
    /\ LET slot_at == Cardinality({slot \in Slot : queues[queue].packets[slot].kind # "NONE"})
           queues_3 == [queues EXCEPT ![queue].packets[slot_at].kind = "TRANSITION"]
       IN  /\ queues' = IF queues[queue].transition = None
                        THEN [queues EXCEPT ![queue].packets[slot_at].kind = "KERNEL"]
                        ELSE [queues_3 EXCEPT
                                 ![queue].packets[slot_at].waits_for = queues_3[queue].transition,
                                 ![queue].transition = None]
    /\ UNCHANGED <<enabled, barriers>>

\* Run or pass the head; a kernel that ends is counted off in every barrier that counted it.
\* By packet processor queue, progress; for HSA packet processor
\*   queue: Queue
\* Every value and index of the step below is within its range.
execute_obliges(queue) ==
    \/ queues[queue].packets[0].kind = "KERNEL"
    \/ /\ queues[queue].packets[0].waits_for # None
       /\ barriers[queues[queue].packets[0].waits_for].signal # "ARMED"
    => LET turn_1(handle, barriers_1) ==
               IF 0 < barriers_1[handle].in_flight[queue]
               THEN [barriers_1 EXCEPT ![handle].in_flight[queue] = barriers_1[handle].in_flight[queue] - 1]
               ELSE barriers_1
           turn_1_obliges(handle, barriers_1) ==
               0 < barriers_1[handle].in_flight[queue] => barriers_1[handle].in_flight[queue] - 1 \in 0..3
           turn_1_0 == turn_1(0, barriers)
           turn_6(slot, queues_6) ==
               LET queues_7 ==
                       [queues_6 EXCEPT
                           ![queue].packets[slot].kind = queues_6[queue].packets[IF slot = 2 THEN 0 ELSE slot + 1].kind]
               IN  IF slot # 2
                   THEN [queues_7 EXCEPT
                            ![queue].packets[slot].waits_for = queues_7[queue].packets[IF slot = 2 THEN 0 ELSE slot + 1].waits_for]
                   ELSE queues_6
           turn_6_obliges(slot, queues_6) == slot # 2 => slot + 1 \in Slot
           turn_6_0 == turn_6(0, queues)
           turn_6_1 == turn_6(1, turn_6_0)
       IN  /\ queues[queue].packets[0].kind = "KERNEL"
              => turn_1_obliges(0, barriers) /\ turn_1_obliges(1, turn_1_0)
           /\ turn_6_obliges(0, queues)
           /\ turn_6_obliges(1, turn_6_0)
           /\ turn_6_obliges(2, turn_6_1)

execute(queue) ==
    /\ \/ queues[queue].packets[0].kind = "KERNEL"  \* head can run
       \/ queues[queue].packets[0].waits_for # None /\ barriers[queues[queue].packets[0].waits_for].signal # "ARMED"
    /\ execute_obliges(queue)
    /\ LET turn_1(handle, barriers_1) ==
               IF 0 < barriers_1[handle].in_flight[queue]
               THEN [barriers_1 EXCEPT ![handle].in_flight[queue] = barriers_1[handle].in_flight[queue] - 1]
               ELSE barriers_1
           turn_1_0 == turn_1(0, barriers)
           turn_6(slot, queues_6) ==
               LET queues_7 ==
                       [queues_6 EXCEPT
                           ![queue].packets[slot].kind = queues_6[queue].packets[IF slot = 2 THEN 0 ELSE slot + 1].kind]
               IN  IF slot # 2
                   THEN [queues_7 EXCEPT
                            ![queue].packets[slot].waits_for = queues_7[queue].packets[IF slot = 2 THEN 0 ELSE slot + 1].waits_for]
                   ELSE queues_6
           turn_6_0 == turn_6(0, queues)
           turn_6_1 == turn_6(1, turn_6_0)
           end_6 == turn_6(2, turn_6_1)
       IN  /\ queues' = [end_6 EXCEPT ![queue].packets[2].kind = "NONE", ![queue].packets[2].waits_for = None]
           /\ barriers' = IF queues[queue].packets[0].kind = "KERNEL" THEN turn_1(1, turn_1_0) ELSE barriers
    /\ UNCHANGED <<enabled>>

\* Every kernel that the barrier counted has ended: the signal goes to 0.
\* By signal handle, progress; for hsa_barrier::register_completion
\*   handle: Handle
complete(handle) ==
    /\ barriers[handle].signal = "ARMED"  \* armed
    /\ \A queue \in Queue : barriers[handle].in_flight[queue] = 0  \* drained
    /\ barriers' = [barriers EXCEPT ![handle].signal = "COMPLETE"]
    /\ UNCHANGED <<enabled, queues>>

\* Disable serialization while no kernel runs: no barrier is needed.
\* By serializer, environment; for profiler_serializer::disable
disable_idle ==
    /\ enabled  \* enabled
    /\ ~(\E queue \in Queue : 0 < Cardinality({slot \in Slot : queues[queue].packets[slot].kind = "KERNEL"}))  \* idle
    /\ enabled' = FALSE
    /\ UNCHANGED <<queues, barriers>>

\* Disable serialization: arm a barrier on the kernels in flight; queues beside a busy one must wait for it.
\* By serializer, environment; for profiler_serializer::disable
\*   handle: Handle
disable(handle) ==
    /\ enabled  \* enabled
    /\ \E queue2 \in Queue : 0 < Cardinality({slot \in Slot : queues[queue2].packets[slot].kind = "KERNEL"})  \* busy
    /\ barriers[handle].signal = "FREE"  \* handle free
    /\ \A handle2 \in Handle : handle2 < handle => barriers[handle2].signal # "FREE"  \* lowest free handle
    /\ LET barriers_2 == [barriers EXCEPT ![handle].signal = "ARMED"]
           turn_3(queue, queues_3, barriers_3) ==
               LET barriers_4 ==
                       [barriers_3 EXCEPT
                           ![handle].in_flight[queue] = Cardinality({slot \in Slot : queues_3[queue].packets[slot].kind = "KERNEL"})]
                   queues_6 ==
                       IF \E queue2 \in Queue :
                              /\ queue2 # queue
                              /\ 0 < Cardinality({slot \in Slot : queues_3[queue2].packets[slot].kind = "KERNEL"})
                       THEN [queues_3 EXCEPT ![queue].transition = handle]
                       ELSE queues_3
               IN  [queues |-> queues_6, barriers |-> barriers_4]
           turn_3_0 == turn_3(0, queues, barriers_2)
           end_3 == turn_3(1, turn_3_0.queues, turn_3_0.barriers)
       IN  /\ enabled' = FALSE
           /\ queues' = end_3.queues
           /\ barriers' = end_3.barriers

\* Enable serialization: destroy the handles that are complete and, as fixed, no longer referred to.
\* By serializer, environment; for profiler_serializer::enable
enable ==
    /\ ~enabled  \* disabled
    /\ LET turn_2(handle, queues_2, barriers_2) ==
               LET turn_4(queue, queues_4) ==
                       IF queues_4[queue].transition = handle
                       THEN [queues_4 EXCEPT ![queue].transition = None]
                       ELSE queues_4
                   turn_4_0 == turn_4(0, queues_2)
                   queues_8 ==
                       IF /\ barriers_2[handle].signal = "COMPLETE"
                          /\ ~(\E queue \in Queue :
                                   \E slot \in Slot : queues_2[queue].packets[slot].waits_for = handle)
                       THEN turn_4(1, turn_4_0)
                       ELSE queues_2
                   barriers_8 ==
                       IF /\ barriers_2[handle].signal = "COMPLETE"
                          /\ ~(\E queue \in Queue :
                                   \E slot \in Slot : queues_2[queue].packets[slot].waits_for = handle)
                       THEN [barriers_2 EXCEPT ![handle].signal = "FREE"]
                       ELSE barriers_2
               IN  [queues |-> queues_8, barriers |-> barriers_8]
           turn_2_0 == turn_2(0, queues, barriers)
           end_2 == turn_2(1, turn_2_0.queues, turn_2_0.barriers)
       IN  /\ enabled' = TRUE
           /\ queues' = end_2.queues
           /\ barriers' = end_2.barriers

Next ==
    \/ \E queue \in Queue : dispatch(queue)
    \/ \E queue \in Queue : execute(queue)
    \/ \E handle \in Handle : complete(handle)
    \/ disable_idle
    \/ \E handle \in Handle : disable(handle)
    \/ enable

\* What a scheduler owes: a turn to whoever is enabled for ever (WF) or again and again (SF).
Fairness ==
    /\ \A queue \in Queue : WF_vars(execute(queue))
    /\ \A handle \in Handle : WF_vars(complete(handle))

Spec == Init /\ [][Next]_vars /\ Fairness

\* No step that can be taken, and no property, takes a value or an index out of its range.
Obligations ==
    /\ \A queue \in Queue : dispatch_obliges(queue)
    /\ \A queue \in Queue : execute_obliges(queue)

\* no-handle-destroyed-while-referenced: A handle that a packet in a queue waits for is not destroyed.
\* Protects hsa_barrier::~hsa_barrier.
no_handle_destroyed_while_referenced ==
    \A handle \in Handle :
        (\E queue \in Queue : \E slot \in Slot : queues[queue].packets[slot].waits_for = handle)
        => barriers[handle].signal # "FREE"
\* The situation it is about; reached if its negation is violated as an invariant.
no_handle_destroyed_while_referenced_twin ==
    \E handle \in Handle :
        \E queue \in Queue : \E slot \in Slot : queues[queue].packets[slot].waits_for = handle

\* no-hang: While a packet lies in some queue, some step other than the application's can be taken.
\* Protects profiler_serializer::enable.
no_hang ==
    (\E queue \in Queue : queues[queue].packets[0].kind # "NONE")
    => \/ \E queue \in Queue :
              \/ queues[queue].packets[0].kind = "KERNEL"
              \/ /\ queues[queue].packets[0].waits_for # None
                 /\ barriers[queues[queue].packets[0].waits_for].signal # "ARMED"
       \/ \E handle \in Handle :
              /\ barriers[handle].signal = "ARMED"
              /\ \A queue \in Queue : barriers[handle].in_flight[queue] = 0
\* The situation it is about; reached if its negation is violated as an invariant.
no_hang_twin == \E queue \in Queue : queues[queue].packets[0].kind # "NONE"

====
