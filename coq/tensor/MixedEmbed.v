(** * One element type at a time

    Where tensors are of one element type, [mixed] computes what the numbers of that type alone
    compute: each operator, each cell, by its reading.  [Cast] is [mixed]'s own, for numbers of
    one type have no conversions; on integers the operators that take means have no kernels, and
    [Div] is meant where [mixed] divides. *)

From Coq Require Import Bool List Lia NArith String ZArith.
From Coq.Floats Require Import SpecFloat.
From Calque Require Import attr.Attr kernel.Numbers tensor.Tensor tensor.Scalars tensor.Ops tensor.OpTable.
From Calque Require Import tensor.Instances tensor.Mixed tensor.Related.
Import ListNotations.
Open Scope Z_scope.

Lemma div_plain (S : arith) : s_integer S = false -> forall a b, div_cell S a b = s_div S a b.
Proof. intros P a b. unfold div_cell. now rewrite P. Qed.

(** ** Floats *)

Section Floats.
  Variable E : elements.

  Definition reads_f32 (x : num (f32 E)) (a : num (mixed E)) : Prop := as_f32 E a = Some x.
  Definition reads_f64 (x : num (f64 E)) (a : num (mixed E)) : Prop := as_f64 E a = Some x.

  Lemma simulates_f32 : s_integer (f32 E) = false -> (forall x, s_index (f32 E) x = None) ->
    simulates (f32 E) (mixed E) reads_f32.
  Proof.
    intros P N. split; unfold keeps1, keeps2, reads_f32; intros;
      rewrite ?(div_plain _ P), ?(div_plain (mixed E) eq_refl); cbn;
      repeat match goal with H : as_f32 E _ = Some _ |- _ => rewrite H; clear H end; try reflexivity.
    rewrite N in *. discriminate.
  Qed.

  Lemma simulates_f64 : s_integer (f64 E) = false -> (forall x, s_index (f64 E) x = None) ->
    simulates (f64 E) (mixed E) reads_f64.
  Proof.
    intros P N. split; unfold keeps1, keeps2, reads_f64; intros;
      rewrite ?(div_plain _ P), ?(div_plain (mixed E) eq_refl); cbn;
      repeat match goal with H : as_f64 E _ = Some _ |- _ => rewrite H; clear H end; try reflexivity.
    rewrite N in *. discriminate.
  Qed.

  (** For any functions exp, log .. of the element type. *)
  Theorem mixed_reads_f32 name l vs ws v :
    s_integer (f32 E) = false -> (forall x, s_index (f32 E) x = None) -> name <> "Cast"%string ->
    Forall2 (related_value _ _ reads_f32) vs ws -> op_value (f32 E) name l vs = Some v ->
    exists w, op_value (mixed E) name l ws = Some w /\ related_value _ _ reads_f32 v w.
  Proof.
    intros P N no_cast F. apply (op_value_related _ _ _ (simulates_f32 P N)); try assumption.
    intros _ a b c d H K. unfold reads_f32 in *. cbn. now rewrite H, K.
  Qed.

  Theorem mixed_reads_f64 name l vs ws v :
    s_integer (f64 E) = false -> (forall x, s_index (f64 E) x = None) -> name <> "Cast"%string ->
    Forall2 (related_value _ _ reads_f64) vs ws -> op_value (f64 E) name l vs = Some v ->
    exists w, op_value (mixed E) name l ws = Some w /\ related_value _ _ reads_f64 v w.
  Proof.
    intros P N no_cast F. apply (op_value_related _ _ _ (simulates_f64 P N)); try assumption.
    intros _ a b c d H K. unfold reads_f64 in *. cbn. now rewrite H, K.
  Qed.
End Floats.

(** ** int64 *)

Definition fine (x : option Z) : Prop := forall z, x = Some z -> wrap z = z.

Definition reads_int64 (x : num int64) (a : num (mixed standard)) : Prop := as_i64 standard a = Some x /\ fine x.

Lemma wrap_id z : least <= z < - least -> wrap z = z.
Proof. intros H. unfold wrap. rewrite Z.mod_small; [lia |]. unfold least in *. lia. Qed.

Lemma wrap_range z : least <= wrap z < - least.
Proof. unfold wrap. pose proof (Z.mod_pos_bound (z - least) (2 ^ 64) ltac:(lia)). unfold least in *. lia. Qed.

Lemma fine_wrap z : fine (Some (wrap z)).
Proof. intros y E. injection E as <-. apply wrap_id, wrap_range. Qed.

Lemma fine_none : fine None.
Proof. intros z E. discriminate. Qed.

Lemma fine_lift f a b : fine (Numbers.lift2 f a b).
Proof.
  destruct a as [a |]; [| exact fine_none]. destruct b as [b |]; [| exact fine_none]. cbn.
  destruct (f a b) as [c |]; [apply fine_wrap | exact fine_none].
Qed.

Lemma fine_cut x : fine (Some (cut x)).
Proof.
  intros z E. injection E as <-. apply wrap_id. unfold cut, least. destruct x as [| [|] | | s m e]; lia.
Qed.

Lemma add_fine a b : fine a -> fine b -> add_whole wrap a b = s_add int64 a b.
Proof.
  intros Fa Fb. destruct a as [a |], b as [b |]; [| now destruct a | now destruct b | reflexivity].
  specialize (Fa a eq_refl). specialize (Fb b eq_refl). destruct a as [| a | a]; cbn; [now rewrite Fb | |];
    (destruct b as [| b | b]; [cbn; now rewrite Fa | reflexivity | reflexivity]).
Qed.

Lemma simulates_int64 : simulates int64 (mixed standard) reads_int64.
Proof.
  split; unfold keeps1, keeps2, reads_int64.
  - intros z. split; [reflexivity | apply fine_wrap].
  - intros b. split; [reflexivity | apply fine_cut].
  - intros b z. split; [reflexivity | apply fine_none].
  - split; [reflexivity | apply fine_none].
  - split; [reflexivity |]. intros z E. injection E as <-. reflexivity.
  - intros a b c d [Ha Fa] [Hb Fb]. split; [| apply fine_lift]. cbn. rewrite Ha, Hb. cbn. f_equal. now apply add_fine.
  - intros a b c d [Ha Fa] [Hb Fb]. split; [| apply fine_lift]. cbn. now rewrite Ha, Hb.
  - intros a b c d [Ha Fa] [Hb Fb]. split; [| apply fine_lift]. cbn. now rewrite Ha, Hb.
  - intros a b c d [Ha Fa] [Hb Fb]. split; [| apply fine_lift]. rewrite (div_plain (mixed standard) eq_refl).
    unfold mixed at 1. cbn [s_div]. unfold on_both. now rewrite Ha, Hb.
  - intros a b c d [Ha Fa] [Hb Fb]. split; [| apply fine_lift]. cbn. now rewrite Ha, Hb.
  - intros a b c d [Ha Fa] [Hb Fb]. split; [| apply fine_lift]. cbn. now rewrite Ha, Hb.
  - intros a b c d [Ha Fa] [Hb Fb]. split; [| apply fine_lift]. cbn. now rewrite Ha, Hb.
  - intros a b c d [Ha Fa] [Hb Fb]. split; [| apply fine_lift]. cbn. now rewrite Ha, Hb.
  - intros a b c d [Ha Fa] [Hb Fb]. split; [| apply fine_lift]. cbn. now rewrite Ha, Hb.
  - intros a b c d [Ha Fa] [Hb Fb]. split; [| apply fine_lift]. cbn. now rewrite Ha, Hb.
  - intros a b c d [Ha Fa] [Hb Fb]. split; [| apply fine_lift]. cbn. now rewrite Ha, Hb.
  - intros a b c d [Ha Fa] [Hb Fb]. split; [cbn; now rewrite Ha, Hb |]. destruct a, c; exact fine_none.
  - intros a b [Ha Fa]. split; [cbn; now rewrite Ha |]. destruct a; [apply fine_wrap | exact fine_none].
  - intros a b [Ha Fa]. split; [cbn; now rewrite Ha |]. destruct a; [apply fine_wrap | exact fine_none].
  - intros a b [Ha Fa]. split; [cbn; now rewrite Ha |]. destruct a; exact fine_none.
  - intros a b [Ha Fa]. split; [cbn; now rewrite Ha |]. destruct a; exact fine_none.
  - intros a b [Ha Fa]. split; [cbn; now rewrite Ha |]. destruct a; exact fine_none.
  - intros a b [Ha Fa]. split; [cbn; now rewrite Ha |]. destruct a; exact fine_none.
  - intros a b [Ha Fa]. split; [cbn; now rewrite Ha |]. destruct a; exact fine_none.
  - intros a b [Ha Fa]. split; [cbn; now rewrite Ha |]. destruct a; exact fine_none.
  - intros a b z [Ha Fa] I. cbn. unfold index_in. now rewrite Ha.
Qed.

(** On cells in range; means apart. *)
Theorem mixed_reads_int64 name l vs ws v :
  name <> "Cast"%string -> ~ In name quotients ->
  Forall2 (related_value _ _ reads_int64) vs ws -> op_value int64 name l vs = Some v ->
  exists w, op_value (mixed standard) name l ws = Some w /\ related_value _ _ reads_int64 v w.
Proof.
  intros no_cast no_quot F. apply (op_value_related _ _ _ simulates_int64); try assumption. easy.
Qed.

(** Gather in a graph that mixes types: the index is the reading as int64. *)
Lemma index_of_int64 z : s_index (mixed standard) (of_i64 standard (Some z)) = Some z.
Proof. reflexivity. Qed.
