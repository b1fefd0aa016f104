(** * Trilu

    Y is X on and above diagonal k of its last two dimensions (on and below it, where [upper] is 0) and 0 elsewhere, whatever
    X has there: opset 14 on, k constant.  A tensor without cells, or of truth values, is left as it is. *)

From Coq Require Import Bool List Lia Arith NArith String ZArith.
From Coq.Floats Require Import SpecFloat.
From Calque Require Import base.Lists attr.Attr tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.IndexProof.
From Calque Require Import tensor.Shapes tensor.Ops tensor.OpTable onnx.Composition onnx.Steps.
From Calque Require tensor.Instances tensor.Mixed kernel.Numbers.
Import ListNotations.
Open Scope string_scope.
Open Scope list_scope.
Open Scope nat_scope.

(** ** The formula *)

Definition kept (upper : bool) (k row col : Z) : bool := if upper then (row + k <=? col)%Z else (col <=? row + k)%Z.

(** [zero]: of the element type. *)
Definition onnx_trilu (S : arith) (zero : num S) (upper : bool) (k : Z) (x : tensor (num S)) : option (tensor (num S)) :=
  let r := List.length (dims x) in
  guard (2 <=? r) (table S (Some (dims x))
    (fun _ i => if kept upper k (nth (r - 2) i 0%Z) (nth (r - 1) i 0%Z) then at_ S x i else zero)).

(** ** The composition: a choice by a constant *)

Definition triangle (upper : bool) (k : Z) (m n : nat) : list literal :=
  map (fun i => LInt (if kept upper k (nth 0 i 0%Z) (nth 1 i 0%Z) then 1 else 0)) (box [m; n]).

(** As many cells as a constant may have. *)
Definition most_triangle : N := 16777216.

Definition chosen (code : Z) (upper : bool) (k : Z) (m n : nat) : build nat :=
  mask <- constant bool_code [m; n] (triangle upper k m n) ;;
  zero <- constant code [] [LInt 0] ;;
  apply "Where" [] [mask; 0; zero].

Definition trilu_composition (code : Z) (upper : bool) (k : Z) (ds : sizes) : option (build nat) :=
  let two := skipn (List.length ds - 2) ds in
  match two with
  | [m; n] =>
      guard (forallb (Nat.ltb 0) ds && (N.of_nat m * N.of_nat n <=? most_triangle)%N && negb (code =? bool_code)%Z)
        (Some (chosen code upper k m n))
  | _ => None
  end.

Section Trilu.
  Variable S : arith.
  Variable typed : Z -> literal -> num S.
  Notation tensor := (tensor (num S)).

  (** [Where] is a choice between [a] and 0. *)
  Definition chooses (code : Z) (a : num S) : Prop :=
    let choose c := where_cell S (typed bool_code (LInt c)) a (typed code (LInt 0)) in
    choose 1%Z = a /\ choose 0%Z = typed code (LInt 0).

  Lemma agree_ones l : agree (repeat 1 (List.length l)) l = Some l.
  Proof. induction l as [| d l IH]; [reflexivity |]. cbn [List.length repeat agree]. rewrite IH. now rewrite orb_true_r. Qed.

  Lemma broadcast_last pre post : broadcast post (pre ++ post) = Some (pre ++ post).
  Proof.
    unfold broadcast. rewrite app_length, Nat.max_r by lia.
    assert (lead (List.length pre + List.length post) (pre ++ post) = pre ++ post) as ->
      by (rewrite <- app_length; apply lead_same).
    unfold lead. replace (List.length pre + List.length post - List.length post) with (List.length pre) by lia.
    induction pre as [| d pre IH]; cbn [List.length repeat app agree]; [apply agree_same |]. rewrite IH. now rewrite orb_true_r.
  Qed.

  Lemma spread_last pre post p q : List.length p = List.length pre -> in_box post q = true ->
    spread post (pre ++ post) (p ++ q) = q.
  Proof.
    intros L Q. unfold spread. rewrite app_length. replace (_ + _ - _) with (List.length pre) by lia.
    rewrite skipn_app, skipn_all, Nat.sub_diag. cbn [skipn app]. rewrite <- L, skipn_app, skipn_all, Nat.sub_diag.
    cbn [skipn app].
    apply clip_same, in_box_length, Q.
  Qed.

  Theorem trilu_correct code upper k x b : (forall i, in_box (dims x) i = true -> chooses code (at_ S x i)) ->
    trilu_composition code upper k (dims x) = Some b ->
    exists y, composed S typed b [x] = Some y /\ onnx_trilu S (typed code (LInt 0)) upper k x = Some y.
  Proof.
    intros C. unfold trilu_composition, onnx_trilu. set (r := List.length (dims x)).
    destruct (skipn (r - 2) (dims x)) as [| m [| n [|]]] eqn:T; try discriminate.
    unfold guard. destruct (_ && _ && _); [| discriminate]. intros E. injection E as <-.
    assert (2 <= r) as R.
    { pose proof (f_equal (@List.length nat) T) as L. rewrite skipn_length in L. cbn in L. fold r in L. lia. }
    rewrite (proj2 (Nat.leb_le 2 r) R). eexists. split; [| reflexivity]. cbv beta.
    pose proof (firstn_skipn (r - 2) (dims x)) as D. rewrite T in D. set (pre := firstn (r - 2) (dims x)) in *.
    assert (List.length pre = r - 2) as Lp by (unfold pre; rewrite firstn_length; fold r; lia).
    set (mask := Tensor [m; n] (map (typed bool_code) (triangle upper k m n))). set (zero := scalar S (typed code (LInt 0))).
    set (y := tabulate (dims x)
      (fun i => if kept upper k (nth (r - 2) i 0%Z) (nth (r - 1) i 0%Z) then at_ S x i else typed code (LInt 0))).
    apply runs_composed. unfold chosen. eapply runs_bind.
    { apply (runs_constant S typed). unfold triangle. now rewrite map_length, length_box. }
    intros vs a X K. cbv beta in K. fold mask in K. eapply runs_bind.
    { apply (runs_constant S typed vs code [] [LInt 0]). reflexivity. }
    intros ws z Y Z. cbv beta in Z. eapply runs_weaken.
    { apply (runs_apply S typed ws "Where" [] [a; 0; z] [GTensor mask; GTensor x; GTensor zero] (GTensor y)).
      - constructor; [eapply knows_extends; eassumption |]. constructor; [| constructor; [exact Z | constructor]].
        eapply knows_extends; [| exact Y]. eapply knows_extends; [| exact X]. reflexivity.
      - change (one (where_of S mask x zero) = Some (GTensor y)). unfold where_of, y. cbn [broadcast_all].
        change (dims mask) with [m; n]. change (dims zero) with (@nil nat).
        rewrite <- D, broadcast_last, broadcast_nil. cbn [table one]. do 2 f_equal. apply tabulate_ext. intros i I.
        destruct (in_box_split _ _ _ I) as (p & q & -> & P & Q). pose proof (in_box_length _ _ P) as Lq.
        destruct q as [| row [| col [|]]]; try discriminate; [now apply in_box_length in Q |
          | apply in_box_length in Q; discriminate].
        replace (nth (r - 2) (p ++ [row; col]) 0%Z) with row by (rewrite app_nth2 by lia; now replace (r - 2 - _) with 0 by lia).
        replace (nth (r - 1) (p ++ [row; col]) 0%Z) with col by (rewrite app_nth2 by lia; now replace (r - 1 - _) with 1 by lia).
        rewrite D in I |- *. rewrite spread_same_at by exact I. unfold zero at 1. rewrite spread_scalar.
        unfold spread_at. rewrite <- D. change (dims mask) with [m; n]. rewrite (spread_last pre [m; n] p [row; col] Lq Q).
        assert (at_ S mask [row; col] = typed bool_code (LInt (if kept upper k row col then 1 else 0))) as ->.
        { replace mask with (tabulate [m; n] (fun i =>
            typed bool_code (LInt (if kept upper k (nth 0 i 0%Z) (nth 1 i 0%Z) then 1 else 0)))).
          - unfold at_. now rewrite get_tabulate by exact Q.
          - unfold mask, triangle, tabulate. now rewrite map_map. }
        destruct (C _ I) as [one_ none]. now destruct (kept upper k row col). }
    intros us j _ H. exact H.
  Qed.
End Trilu.

(** ** Numbers of which it is a choice: floats, and integers that are in range *)

Lemma trilu_float32 a : chooses (Mixed.mixed Mixed.standard) (typed _) f32_code (Mixed.of_f32 Mixed.standard a).
Proof. split; destruct a as [[|] | | |]; reflexivity. Qed.

Lemma trilu_float64 a : chooses (Mixed.mixed Mixed.standard) (typed _) f64_code (Mixed.of_f64 Mixed.standard a).
Proof. split; destruct a as [[|] | | |]; reflexivity. Qed.

Lemma trilu_int64 a : Numbers.wrap a = a ->
  chooses (Mixed.mixed Mixed.standard) (typed _) i64_code (Mixed.of_i64 Mixed.standard (Some a)).
Proof.
  intros W. assert (forall b, Mixed.of_i64 Mixed.standard (Some (Numbers.wrap (if (a =? 0)%Z then b else a))) =
    Mixed.of_i64 Mixed.standard (Some (if (a =? 0)%Z then Numbers.wrap b else a))) as E.
  { intros b. destruct (a =? 0)%Z; [reflexivity | now rewrite W]. }
  split; [| reflexivity]. etransitivity; [exact (E 0%Z) |]. destruct (Z.eqb_spec a 0) as [-> |]; reflexivity.
Qed.

Example trilu_example :
  option_map (fun b => composed Instances.integers (typed _) b [Tensor [1; 2; 3] [1; 2; 3; 4; 5; 6]%Z])
    (trilu_composition i64_code true 1 [1; 2; 3]) = Some (Some (Tensor [1; 2; 3] [0; 2; 3; 0; 0; 6]%Z)).
Proof. vm_compute. reflexivity. Qed.
