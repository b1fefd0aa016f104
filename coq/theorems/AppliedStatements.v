(** * Instances: the premises of the theorems on merged statements hold together

    A shift with a border, [y[i] = i >= 1 ? x[i - 1] + 1 : 7], under a loop of one iteration; two
    nested loops whose inner one begins at the outer one's variable.  Over the integers. *)

From Coq Require Import List Arith Lia Bool ZArith String.
From Calque Require Import dpia.Syntax dpia.Values dpia.Target dpia.Scalars.
From Calque Require Import emit.MiniC emit.Flat emit.Statements.
From Calque Require kernel.Kernel dpia.CellsNormal emit.StatementsJudge emit.StatementsParts emit.StatementsWords.
From Calque Require kernel.Lower kernel.ValidateWords theorems.Statements.
From Calque Require Import emit.Calls.
Import ListNotations.
Open Scope string_scope.
Open Scope nat_scope.

Definition unary_same (a b : unary_z) : bool :=
  match a, b with NegZ, NegZ | AbsZ, AbsZ => true | _, _ => false end.
Definition binary_same (a b : binary) : bool :=
  match a, b with
  | Add, Add | Scalars.Sub, Scalars.Sub | Mul, Mul | Div, Div | Mod, Mod | Max, Max | Min, Min | Less, Less | Equal, Equal
  | When, When | Orelse, Orelse => true
  | _, _ => false
  end.

Definition plain_laws : CellsNormal.laws integers.
Proof.
  refine (@CellsNormal.Laws integers Z.eqb unary_same binary_same (fun _ _ => None) (fun _ => True) _ _ _ _ _ _ _).
  - intros a b E. now apply Z.eqb_eq in E.
  - intros [] []; (reflexivity || discriminate).
  - intros [] [] x y; (reflexivity || discriminate).
  - exact (fun _ => I).
  - exact (fun _ _ _ => I).
  - exact (fun _ _ _ _ _ => I).
  - discriminate.
Defined.

Notation stm := (fstm integers numbers).
Notation merged := (list (mstm integers numbers)).
Definition judge_ranges : judge integers numbers := @StatementsJudge.ranges integers numbers numbers_sizing plain_laws.

Definition var (l : nat) : cindex numbers := KVar l.
Definition cst (z : Z) : cindex numbers := KCst z.
Definition size4 : cindex numbers := @KSize numbers 4.
Definition lit (z : Z) : fexp integers numbers := @FLit integers numbers z.
Definition load (k : cindex numbers) : fexp integers numbers := @FLoad integers numbers 0 k.
Definition next (e : fexp integers numbers) : fexp integers numbers := @FBin integers numbers Add e (lit 1).

Definition at_ : cindex numbers := KAdd (KMul (var 5) size4) (var 6).
Definition shift : stm :=
  @FFor integers numbers Par 5 1
    (@FFor integers numbers Par 6 4
       (FIf (KCmp Kernel.CGe (KSub (var 6) (cst 1)) (cst 0))
          (FSet 1 at_ (next (load (KSub (var 6) (cst 1))))) (FSet 1 at_ (lit 7)))).

Definition rest (lo hi : Z) : mstm integers numbers :=
  MFor 7 lo hi [] [] [MSet 1 (var 7) (next (load (KAdd (cst (-1)) (var 7))))].
Definition first : mstm integers numbers := MSet 1 (cst 0) (lit 7).

(** The input holds 10 .. 13, the output has places. *)
Definition given : fstore integers := fun r k =>
  if k <? 4 then match r with 0 => Some (Some (Z.of_nat (10 + k))) | 1 => Some None | _ => None end else None.

Example emit_statements_correct_applies ie :
  exists m', frun ie shift given = Some m' /\ mruns ie [first; rest 1 4] given = Some m' /\
    map (m' 1) [0; 1; 2; 3] = [Some (Some 7); Some (Some 11); Some (Some 12); Some (Some 13)]%Z.
Proof.
  eexists. split; [reflexivity |]. split; [| reflexivity].
  eapply Statements.emit_statements_correct with (W := plain_laws) (c := shift); reflexivity.
Qed.

(** A range that is one short, one too long, twice, or before what comes first; a border that is gone; another offset. *)
Example others_refused :
  map (statements judge_ranges shift)
    [[first; rest 1 3]; [first; rest 1 5]; [first; rest 0 4]; [first; rest 1 4; rest 1 4]; [rest 1 4; first]; [rest 1 4];
     [MSet 1 (cst 1) (lit 7); rest 1 4]] = [false; false; false; false; false; false; false].
Proof. reflexivity. Qed.

(** A condition that is a bound, which is no number. *)
Definition triangle : stm :=
  @FFor integers numbers Seq 5 4
    (@FFor integers numbers Seq 6 4
       (FIf (KCmp Kernel.CGe (var 6) (var 5))
          (FSet 1 (var 6) (next (load (KQuot (KAdd (KMul (var 6) size4) (var 5)) size4)))) FSkip)).
Definition above (low : list (cindex numbers)) : merged :=
  [MFor 8 0 4 [] [] [MFor 9 0 4 low [] [MSet 1 (var 9) (next (load (var 9)))]]].

Example triangle_accepted : statements judge_ranges triangle (above [var 8]) = true /\
  statements judge_ranges triangle (above []) = false /\ statements judge_ranges triangle (above [KAdd (var 8) (cst 1)]) = false.
Proof. repeat split; reflexivity. Qed.

(** A parallel nest, cut at its diagonal: [y[i, j] = j <= i ? x[j] + 1 : 7], as two nests. *)
Definition corner : stm :=
  @FFor integers numbers Par 5 4
    (@FFor integers numbers Par 6 4
       (FIf (KCmp Kernel.CLe (var 6) (var 5)) (FSet 1 at_ (next (load (var 6)))) (FSet 1 at_ (lit 7)))).
Definition diagonal : StatementsParts.tree numbers :=
  StatementsParts.At 5 (StatementsParts.Cut 6 (KAdd (var 5) (cst 1)) StatementsParts.Leaf StatementsParts.Leaf)
    StatementsParts.Leaf.
Definition nest (low high : list (cindex numbers)) (e : fexp integers numbers) : mstm integers numbers :=
  MFor 8 0 4 [] [] [MFor 9 0 4 low high [MSet 1 (KAdd (KMul (cst 4) (var 8)) (var 9)) e]].
Definition past : cindex numbers := KAdd (cst 1) (var 8).
Definition corners : merged := [nest [] [past] (next (load (var 9))); nest [past] [] (lit 7)].
Definition square : fstore integers := fun r k =>
  match r with
  | 0 => if k <? 4 then Some (Some (Z.of_nat (10 + k))) else None
  | 1 => if k <? 16 then Some None else None
  | _ => None
  end.

Example emit_statements_in_parts_applies ie :
  exists m' m1, frun ie corner square = Some m' /\ mruns ie corners square = Some m1 /\ (forall r k, m' r k = m1 r k) /\
    map (m' 1) [0; 1; 4; 5; 6] = [Some (Some 11); Some (Some 7); Some (Some 11); Some (Some 12); Some (Some 7)]%Z.
Proof.
  assert (E : exists m', frun ie corner square = Some m' /\
    map (m' 1) [0; 1; 4; 5; 6] = [Some (Some 11); Some (Some 7); Some (Some 11); Some (Some 12); Some (Some 7)]%Z).
  { eexists. split; reflexivity. }
  destruct E as (m' & E & V).
  destruct (@Statements.emit_statements_in_parts integers numbers numbers_sizing plain_laws diagonal corner corners ie square m')
    as (m1 & E1 & S); [reflexivity | exact E |].
  now exists m', m1.
Qed.

(** Without the cut, with the nests exchanged, or a bound moved, it is not seen; nor where the outer loop is not parallel. *)
Example parts_refused :
  StatementsParts.statements_in_parts judge_ranges StatementsParts.Leaf corner corners = false /\
  StatementsParts.statements_in_parts judge_ranges diagonal corner (rev corners) = false /\
  StatementsParts.statements_in_parts judge_ranges diagonal corner
    [nest [] [var 8] (next (load (var 9))); nest [var 8] [] (lit 7)] = false /\
  StatementsParts.statements_in_parts judge_ranges diagonal
    (match corner with FFor _ l n b => FFor Seq l n b | c => c end) corners = false.
Proof. repeat split; reflexivity. Qed.

(** The same of words, which mean nothing here: a loop that stores [1]. *)
Section OfWords.
  Notation M := (ValidateWords.nothing (fun _ _ => None)).
  Notation A := (Lower.scalar_algebra (ValidateWords.words M)).
  Definition one : fexp A numbers := @FLit A numbers (inl "1").
  Definition ones : fstm A numbers := @FFor A numbers Par 2 3 (FSet 1 (var 2) one).
  Definition ones_merged : list (mstm A numbers) := [MFor 4 0 3 [] [] [MSet 1 (var 4) one]].

  Example emit_statements_words_applies ie :
    exists m' m1, frun (s := numbers_sizing) ie ones (fun _ _ => Some None) = Some m' /\
      mruns (s := numbers_sizing) ie ones_merged (fun _ _ => Some None) = Some m1 /\ (forall r k, m' r k = m1 r k) /\
      m' 1 2 <> None /\ m' 1 2 <> Some None /\ m' 1 3 = Some None.
  Proof.
    assert (E : exists m', frun (s := numbers_sizing) ie ones (fun _ _ => Some None) = Some m' /\
      m' 1 2 <> None /\ m' 1 2 <> Some None /\ m' 1 3 = Some None).
    { eexists. split; [reflexivity |]. repeat split; discriminate. }
    destruct E as (m' & E & V).
    destruct (@Statements.emit_statements_words M StatementsParts.Leaf ones ones_merged ie (fun _ _ => Some None) m')
      as (m1 & E1 & S); [reflexivity | exact E |].
    now exists m', m1.
  Qed.
End OfWords.

(** The calls of [emit/Calls.v]'s example, of bytes that are numbers and functions that add what they read. *)
Definition example_meaning (f : N) (read : list (list N)) (k : nat) (i : N) : N := fold_left N.add (List.concat read) (f + i)%N.
Definition example_given : memory N := fun k i => if N.eqb k 1 then (7 + i)%N else 0%N.
Definition example_tensors : memory N := fun k i => if N.eqb k 0 then (7 + i)%N else 0%N.

Lemma example_stands a b : In (a, b) [(Range 0 0 4, Range 1 0 4)] -> contents example_given b = contents example_tensors a.
Proof. intros [E | []]. injection E as <- <-. reflexivity. Qed.

Definition emit_calls_correct_applies :=
  theorems.Statements.emit_calls_correct N example_meaning [(0, 16); (1, 4)]%N [(Range 0 0 4, Range 1 0 4)] example_calls
    (example_items (words - 8)) [(Range 3 0 4, Range 0 0 4)] example_tensors example_given example_accepted example_stands
    (Range 3 0 4) (Range 0 0 4) (or_introl eq_refl).

Definition emit_calls_inside_applies :=
  theorems.Statements.emit_calls_inside [(0, 16); (1, 4)]%N [(Range 0 0 4, Range 1 0 4)] example_calls
    (example_items (words - 8)) [(Range 3 0 4, Range 0 0 4)] example_accepted.
