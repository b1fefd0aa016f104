(** * Headline theorems: parallel loops as interleavings

    [thread ie c]: the program [c] with its parallel loops as threads, whose reads and
    writes of single scalars interleave in any way; the variable of a block is private
    ([emit/Threads.v]). *)

From Coq Require Import List ZArith.
From Calque Require Import dpia.Syntax dpia.Typing dpia.Values dpia.Target dpia.Scalars.
From Calque Require Import emit.MiniC emit.Flat emit.FlatProof emit.Threads.
From Calque Require emit.ThreadsProof emit.ThreadsExample emit.Tidy emit.TidyProof.
Import ListNotations.

(** A program that runs in sequence, [frun], which asks of each parallel loop that no
    iteration writes what another touches: every execution in threads takes at most
    [work] steps, never comes to a data race, is not stuck before its end, and ends in
    the store of the sequential run. *)
Theorem par_interleaving :
  forall A N (s : sizing N) (c : fstm A N) ie m m',
    frun ie c m = Some m' ->
    forall n m1 c1, steps n (m, thread ie c) (m1, c1) ->
      n + work c1 <= work (thread ie c) /\ ~ race c1 /\
      ((exists next, step (m1, c1) next) \/ (c1 = TDone /\ forall r o, m1 r o = m' r o)).
Proof. exact @ThreadsProof.par_interleaving. Qed.

(** A well-typed program, as it is printed: every execution in threads ends, and in the
    value of the program. *)
Theorem par_interleaving_printed :
  forall A N (s : sizing N) G (e : exp A N) d ws fm ie,
    ty (closed G) e d -> flat_ready G ws d fm ->
    let t := thread ie (Tidy.tidy (flat_program G e d)) in
    forall n m1 c1, steps n (fm, t) (m1, c1) ->
      n + work c1 <= work t /\ ~ race c1 /\
      ((exists next, step (m1, c1) next) \/
       (c1 = TDone /\
        forall p, leaf d p -> m1 (List.length G) (offset d p) = Some (look (eval ws e) p))).
Proof.
  intros A N s G e d ws fm ie T H t n m1 c1 R.
  destruct (flat_program_correct ie T H) as (m' & E & out & _).
  destruct (TidyProof.tidy_correct _ _ (fun _ _ => eq_refl) E) as [(fm' & X & same) _].
  destruct (@ThreadsProof.par_interleaving _ _ _ _ ie fm fm' X n m1 c1 R) as (W & no & fin).
  split; [exact W |]. split; [exact no |]. destruct fin as [more | [done eq]]; [now left | right].
  split; [exact done |]. intros p lf. rewrite eq, <- same. now apply out.
Qed.

(** A loop with a private variable, over integers; the hypothesis is computed. *)
Theorem par_interleaving_example : forall n m c,
  steps n (ThreadsExample.start,
           thread (s := numbers_sizing) ThreadsExample.no_loops ThreadsExample.doubled) (m, c) ->
  n <= 27 /\ ~ race c /\
  ((exists next, step (m, c) next) \/
   (c = TDone /\ map (m 1) [0; 1; 2] = [Some (Some 10%Z); Some (Some 12%Z); Some (Some 14%Z)])).
Proof. exact ThreadsExample.doubled_interleaving. Qed.

(** Without race freedom there are several results: two iterations that set one place. *)
Theorem par_interleaving_needs_apart :
  frun (s := numbers_sizing) ThreadsExample.no_loops ThreadsExample.raced ThreadsExample.start = None /\
  (exists m c,
    steps 2 (ThreadsExample.start,
             thread (s := numbers_sizing) ThreadsExample.no_loops ThreadsExample.raced) (m, c) /\
    race c) /\
  ThreadsExample.ends_with 6 ThreadsExample.raced 6 /\
  ThreadsExample.ends_with 6 ThreadsExample.raced 5.
Proof. exact ThreadsExample.raced_results. Qed.
