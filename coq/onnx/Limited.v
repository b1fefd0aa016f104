(** * Floats kept finite

    What c/onnx/expand_reduce.c calls finite: an infinity becomes the greatest finite number of its element type, or the least. *)

From Coq Require Import String Bool List Lia Arith NArith ZArith.
From Calque Require Import base.Lists attr.Attr tensor.Tensor tensor.Scalars tensor.Attrs tensor.Ops tensor.OpTable.
From Calque Require Import onnx.Composition onnx.Steps onnx.Tables onnx.Reduced onnx.ReduceMin.
Import ListNotations.
Open Scope string_scope.
Open Scope list_scope.
Open Scope nat_scope.

(** The greatest finite numbers, and the least. *)
Definition most32 : N := 5183643170566569984.
Definition least32_bits : N := 14407015207421345792.
Definition most64 : N := 9218868437227405311.
Definition least64_bits : N := 18442240474082181119.

Definition apply_with (name : string) (type : Z) (c : literal) (x : nat) : build nat :=
  k <- constant type [] [c] ;; apply name [] [x; k].

Definition limited (type : Z) (x : nat) : build nat :=
  if (type =? f64_code)%Z then y <- apply_with "Max" type (LReal least64_bits) x ;; apply_with "Min" type (LReal most64) y
  else apply "Clip" [("min", VFloat least32_bits); ("max", VFloat most32)] [x].

Section Limited.
  Variable S : arith.
  Variable typed : Z -> literal -> num S.
  Notation tensor := (tensor (num S)).
  Notation knows := (knows S).
  Notation runs := (runs S typed).

  Definition limited_cell (type : Z) (a : num S) : num S :=
    if (type =? f64_code)%Z then s_min S (s_max S a (typed type (LReal least64_bits))) (typed type (LReal most64))
    else clip_cell S least32_bits most32 a.

  Lemma runs_with vs name f type c (y : tensor) k :
    (forall z, op_value S name [] [GTensor y; GTensor (scalar S z)] = Some (GTensor (mapped S (fun a => f a z) y))) ->
    knows vs k (GTensor y) ->
    runs vs (apply_with name type c k) (fun ws j => knows ws j (GTensor (mapped S (fun a => f a (typed type c)) y))).
  Proof.
    intros V K. eapply runs_bind; [apply (runs_constant S typed _ type [] [c]); reflexivity |]. intros ws j X J. cbv beta in J.
    apply (runs_apply S typed ws _ _ _ [GTensor y; GTensor (scalar S (typed type c))]); [| apply V].
    constructor; [eapply knows_extends; eassumption | constructor; [exact J | constructor]].
  Qed.

  Lemma runs_limited vs type (y : tensor) k : knows vs k (GTensor y) ->
    runs vs (limited type k) (fun ws j => knows ws j (GTensor (mapped S (limited_cell type) y))).
  Proof.
    intros K. unfold limited, limited_cell. destruct (type =? f64_code)%Z.
    - eapply runs_bind; [apply (runs_with vs "Max" (s_max S)); [intros z; now apply folded_with | exact K] |].
      intros ws j _ J. cbv beta in J.
      eapply runs_weaken; [apply (runs_with ws "Min" (s_min S)); [intros z; now apply folded_with | exact J] |].
      intros us i _ I. cbv beta in I. now rewrite mapped_mapped in I.
    - apply (runs_apply S typed vs _ _ _ [GTensor y]); [repeat constructor; exact K | apply clip_value].
  Qed.
End Limited.
