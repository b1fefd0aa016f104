(** * Look-ups: statements that read a tensor at an index which is data

    Beside the assignments of [Kernel] a program may have look-ups:
    out<d>[i..] = from<..>[before, at(where<..>[place]), after].  An index from 0 on
    is itself, a negative one counts from the end, and one outside of the dimension
    is an error of the run, which is a value here; then nothing is stored. *)

From Coq Require Import Bool List Lia Arith ZArith.
From Calque Require Import kernel.Kernel kernel.KernelProof kernel.Numbers.
Import ListNotations.
Open Scope Z_scope.

(** Index [z] of a dimension of size [n], counted from its front. *)
Definition counted (n : nat) (z : Z) : option Z :=
  let z' := if z <? 0 then z + Z.of_nat n else z in
  if (0 <=? z') && (z' <? Z.of_nat n) then Some z' else None.

Lemma counted_front n z : 0 <= z < Z.of_nat n -> counted n z = Some z.
Proof.
  intros b. unfold counted. destruct (Z.ltb_spec z 0); [lia |].
  now destruct (Z.leb_spec 0 z), (Z.ltb_spec z (Z.of_nat n)); try lia.
Qed.

Lemma counted_end n z : - Z.of_nat n <= z < 0 -> counted n z = Some (z + Z.of_nat n).
Proof.
  intros b. unfold counted. destruct (Z.ltb_spec z 0); [| lia].
  now destruct (Z.leb_spec 0 (z + Z.of_nat n)), (Z.ltb_spec (z + Z.of_nat n) (Z.of_nat n)); try lia.
Qed.

Lemma counted_outside n z : counted n z = None <-> ~ (- Z.of_nat n <= z < Z.of_nat n).
Proof.
  split.
  - intros N b. destruct (Z.ltb_spec z 0).
    + rewrite counted_end in N by lia. discriminate.
    + rewrite counted_front in N by lia. discriminate.
  - intros b. unfold counted. destruct (Z.ltb_spec z 0).
    + destruct (Z.leb_spec 0 (z + Z.of_nat n)), (Z.ltb_spec (z + Z.of_nat n) (Z.of_nat n)); try reflexivity; lia.
    + destruct (Z.leb_spec 0 z), (Z.ltb_spec z (Z.of_nat n)); try reflexivity; lia.
Qed.

Record look := Look {
  lout : tid; ldims : list nat;
  lfrom : tid; lsize : nat;              (** the size of the dimension that is looked up *)
  before : list ix; after : list ix;     (** the indices of the other dimensions *)
  lwhere : tid; lplace : list ix }.

Section Lookup.
  Variable S : scalars.
  (** The integer that a number is, if it is one. *)
  Variable index : carrier S -> option Z.

  Definition where_at (l : look) (i : list Z) : list Z := map (eval_ix i) (lplace l).
  Definition number (st : store S) (l : look) (i : list Z) : carrier S := st (lwhere l) (where_at l i).
  Definition from_at (l : look) (i : list Z) (z : Z) : list Z :=
    map (eval_ix i) (before l) ++ z :: map (eval_ix i) (after l).

  (** ** The judgement: cell [i] of the output, or no cell *)

  Inductive looked (st : store S) (l : look) (i : list Z) : carrier S -> Prop :=
    | KL_Lookup z :                                                  (* KL-Lookup *)
        index (number st l i) = Some z -> 0 <= z < Z.of_nat (lsize l) ->
        looked st l i (st (lfrom l) (from_at l i z))
    | KL_Negative z :                                                (* KL-Negative *)
        index (number st l i) = Some z -> - Z.of_nat (lsize l) <= z < 0 ->
        looked st l i (st (lfrom l) (from_at l i (z + Z.of_nat (lsize l)))).

  Inductive outside (st : store S) (l : look) (i : list Z) : Prop :=
    | KL_Range z :                                                   (* KL-Range *)
        index (number st l i) = Some z -> ~ (- Z.of_nat (lsize l) <= z < Z.of_nat (lsize l)) -> outside st l i
    | KL_Number : index (number st l i) = None -> outside st l i.   (** it is no integer *)

  (** ** The function *)

  Definition look_cell (st : store S) (l : look) (i : list Z) : option (carrier S) :=
    match index (number st l i) with
    | Some z => option_map (fun z' => st (lfrom l) (from_at l i z')) (counted (lsize l) z)
    | None => None
    end.

  Theorem looked_iff st l i x : look_cell st l i = Some x <-> looked st l i x.
  Proof.
    unfold look_cell. split.
    - destruct (index (number st l i)) as [z |] eqn:E; [| discriminate]. intros H.
      destruct (counted (lsize l) z) as [z' |] eqn:C; [| discriminate]. injection H as <-.
      assert (- Z.of_nat (lsize l) <= z < Z.of_nat (lsize l)) as b.
      { destruct (Z_le_dec (- Z.of_nat (lsize l)) z), (Z_lt_dec z (Z.of_nat (lsize l))); try lia;
          assert (counted (lsize l) z = None) as N by (apply counted_outside; lia); congruence. }
      destruct (Z.ltb_spec z 0).
      + rewrite counted_end in C by lia. injection C as <-. apply (KL_Negative _ _ _ z E). lia.
      + rewrite counted_front in C by lia. injection C as <-. apply (KL_Lookup _ _ _ z E). lia.
    - intros [z E b | z E b]; rewrite E; [now rewrite counted_front | now rewrite counted_end].
  Qed.

  Theorem outside_iff st l i : look_cell st l i = None <-> outside st l i.
  Proof.
    unfold look_cell. split.
    - destruct (index (number st l i)) as [z |] eqn:E; [| now intros _; apply KL_Number].
      intros H. apply (KL_Range _ _ _ z E). apply counted_outside. destruct (counted (lsize l) z); [discriminate | reflexivity].
    - intros [z E b | E]; rewrite E; [| reflexivity]. apply counted_outside in b. now rewrite b.
  Qed.

  (** What a run leaves: a store, or the look-up, the place of the index and the number there. *)
  Inductive ended :=
    | Filled (st : store S)
    | Outside (l : look) (place : list Z) (x : carrier S).

  Definition is_outside (st : store S) (l : look) (i : list Z) : bool :=
    match look_cell st l i with Some _ => false | None => true end.

  (** All indices are looked at before anything is stored; the first one outside is told. *)
  Definition exec_look (l : look) (st : store S) : ended :=
    match find (is_outside st l) (box (ldims l)) with
    | Some i => Outside l (where_at l i) (number st l i)
    | None =>
        Filled (upd st (lout l)
                (tabulate (ldims l) (fun i => match look_cell st l i with Some x => x | None => zero S end)))
    end.

  (** A program: assignments and look-ups. *)
  Inductive line := Assign (s : stmt S) | LookUp (l : look).

  Definition exec_line (c : line) (st : store S) : ended :=
    match c with Assign s => Filled (exec s st) | LookUp l => exec_look l st end.

  Fixpoint exec_lines (p : list line) (st : store S) : ended :=
    match p with
    | [] => Filled st
    | c :: p' => match exec_line c st with Filled st' => exec_lines p' st' | Outside l i x => Outside l i x end
    end.

  (** ** What is stored *)

  Lemma find_first {A} (f : A -> bool) l x :
    find f l = Some x <-> exists a b, l = a ++ x :: b /\ f x = true /\ forall y, In y a -> f y = false.
  Proof.
    induction l as [| y l IH]; simpl.
    - split; [discriminate |]. intros (a & b & E & _). now destruct a.
    - destruct (f y) eqn:F.
      + split.
        * intros E. injection E as ->. exists [], l. repeat split; [exact F | intros z []].
        * intros (a & b & E & Fx & N). destruct a as [| z a]; simpl in E; injection E as -> E; [reflexivity |].
          rewrite (N z (or_introl eq_refl)) in F. discriminate.
      + rewrite IH. split; intros (a & b & E & Fx & N).
        * subst l. exists (y :: a), b. repeat split; [exact Fx |]. intros z [<- | I]; [exact F | now apply N].
        * destruct a as [| z a]; simpl in E; injection E as -> E; [congruence |].
          exists a, b. repeat split; [exact E | exact Fx |]. intros w I. apply N. now right.
  Qed.

  (** It is done where no index is outside; then the cells are those of the judgement, and nothing else changes. *)
  Theorem exec_look_done l st :
    (exists st', exec_look l st = Filled st') <-> (forall i, in_box (ldims l) i = true -> ~ outside st l i).
  Proof.
    unfold exec_look. destruct (find (is_outside st l) (box (ldims l))) as [i |] eqn:F.
    - apply find_first in F. destruct F as (a & b & E & O & _). split; [intros [st' H]; discriminate |].
      intros N. exfalso. apply (N i).
      + apply in_box_box. rewrite E. apply in_or_app. right. now left.
      + apply outside_iff. unfold is_outside in O. now destruct (look_cell st l i).
    - split; [| now intros _; eexists]. intros _ i I O. apply in_box_box in I.
      pose proof (find_none _ _ F i I) as N. apply outside_iff in O. unfold is_outside in N. now rewrite O in N.
  Qed.

  Theorem exec_look_cell l st st' i x :
    exec_look l st = Filled st' -> in_box (ldims l) i = true -> (st' (lout l) i = x <-> looked st l i x).
  Proof.
    intros E I. assert (exists y, look_cell st l i = Some y) as [y C].
    { destruct (look_cell st l i) as [y |] eqn:C; [now exists y |]. exfalso. apply outside_iff in C.
      exact (proj1 (exec_look_done l st) (ex_intro _ st' E) i I C). }
    unfold exec_look in E. destruct (find _ _); [discriminate |]. injection E as <-.
    rewrite <- looked_iff. unfold upd, tabulate. rewrite Nat.eqb_refl, I, C. split; congruence.
  Qed.

  Theorem exec_look_frame l st st' t : exec_look l st = Filled st' -> t <> lout l -> st' t = st t.
  Proof.
    unfold exec_look. destruct (find _ _); [discriminate |]. intros E N. injection E as <-. unfold upd.
    destruct (Nat.eqb_spec t (lout l)); [contradiction | reflexivity].
  Qed.

  (** The error is of the first cell, in the order of the box, whose index is outside. *)
  Theorem exec_look_outside l st m p x :
    exec_look l st = Outside m p x <->
    m = l /\ exists a i b, box (ldims l) = a ++ i :: b /\ outside st l i /\
      (forall j, In j a -> ~ outside st l j) /\ p = where_at l i /\ x = number st l i.
  Proof.
    assert (forall j, is_outside st l j = true <-> outside st l j) as O.
    { intros j. rewrite <- outside_iff. unfold is_outside. destruct (look_cell st l j); split; congruence. }
    unfold exec_look. split.
    - destruct (find (is_outside st l) (box (ldims l))) as [i |] eqn:F; [| discriminate]. intros E. injection E as <- <- <-.
      apply find_first in F. destruct F as (a & b & E & T & N). split; [reflexivity |].
      exists a, i, b. repeat split; [exact E | now apply O |]. intros j I B. apply O in B. now rewrite (N j I) in B.
    - intros [-> (a & i & b & E & T & N & -> & ->)].
      assert (find (is_outside st l) (box (ldims l)) = Some i) as ->; [| reflexivity].
      apply find_first. exists a, b. repeat split; [exact E | now apply O |]. intros j I.
      destruct (is_outside st l j) eqn:B; [| reflexivity]. apply O in B. destruct (N j I B).
  Qed.

  (** Without look-ups a program is one of [Kernel]; programs compose. *)
  Theorem exec_lines_assign p st : exec_lines (map Assign p) st = Filled (exec_prog p st).
  Proof. revert st. induction p as [| s p IH]; intros st; [reflexivity |]. simpl. apply IH. Qed.

  Theorem exec_lines_app p q st :
    exec_lines (p ++ q) st =
    match exec_lines p st with Filled st' => exec_lines q st' | Outside l i x => Outside l i x end.
  Proof.
    revert st. induction p as [| c p IH]; intros st; [reflexivity |]. simpl.
    destruct (exec_line c st); [apply IH | reflexivity].
  Qed.
End Lookup.

Arguments Filled {S}.
Arguments Outside {S}.
Arguments Assign {S}.
Arguments LookUp {S}.
Arguments exec_look {S}.
Arguments exec_lines {S}.
Arguments look_cell {S}.
Arguments looked {S}.
Arguments outside {S}.
Arguments number {S}.

(** What the oracle runs: an undefined number is no index. *)
Definition kernel_look : look -> store int64s -> ended int64s := exec_look (S := int64s) (fun a => a).
