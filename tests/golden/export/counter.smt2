; tiny, variant default
; exported by fencepost; model 2d509aad48b010b2
; Run it incrementally. Answers come after the name of the question and its depth: `sat` is a violation
; after that many steps, `unsat` that there is no run of exactly that length to one.
(set-logic QF_BV)

; The elements of the state, each a parameter of the functions below under its name:
;   x: (_ BitVec 2), Range(0..3)

(define-fun |Init| ((|x| (_ BitVec 2))) Bool (= |x| #b00))

; tick(), by a, progress; for f
(define-fun |number of tick()| () (_ BitVec 1) #b0)
(define-fun |tick()| ((|x| (_ BitVec 2))) Bool (not (bvult #b10 |x|)))
(define-fun |tick() breaks an obligation| ((|x| (_ BitVec 2))) Bool (bvult #b10 |x|))

; What becomes of each element: what the chosen step makes of it, else it stays.
(define-fun |next x| ((|step| (_ BitVec 1)) (|x| (_ BitVec 2))) (_ BitVec 2)
  (ite (= |step| |number of tick()|)
    (bvadd |x| #b01)
    |x|))

(define-fun |Trans| ((|x| (_ BitVec 2)) (|step| (_ BitVec 1)) (|x'| (_ BitVec 2))) Bool
  (and
    (and (= |step| |number of tick()|) (|tick()| |x|))
    (= |x'| (|next x| |step| |x|))))

; It holds.
(define-fun |below-two| ((|x| (_ BitVec 2))) Bool (bvult |x| #b10))
(define-fun |below-two is exercised| () Bool true)

; After 0 steps
(declare-const |x@0| (_ BitVec 2))
(assert (|Init| |x@0|))
(push 1)
(assert (not (|below-two| |x@0|)))
(echo "below-two at 0")
(check-sat)
(pop 1)

; After 1 step
(declare-const |x@1| (_ BitVec 2))
(push 1)
(assert (|tick() breaks an obligation| |x@0|))
(echo "obligations at 1")
(check-sat)
(pop 1)
(declare-const |step@0| (_ BitVec 1))
(assert (|Trans| |x@0| |step@0| |x@1|))
(push 1)
(assert (not (|below-two| |x@1|)))
(echo "below-two at 1")
(check-sat)
(pop 1)

; After 2 steps
(declare-const |x@2| (_ BitVec 2))
(push 1)
(assert (|tick() breaks an obligation| |x@1|))
(echo "obligations at 2")
(check-sat)
(pop 1)
(declare-const |step@1| (_ BitVec 1))
(assert (|Trans| |x@1| |step@1| |x@2|))
(push 1)
(assert (not (|below-two| |x@2|)))
(echo "below-two at 2")
(check-sat)
(pop 1)
