(** * Steps of recurrent operators: one for each element of a list, and layouts

    Layout 0 has the steps or the directions before the batch, layout 1 the batch before all.  The composition computes in
    layout 0: it exchanges the first two dimensions of what comes and of what goes (c/onnx/expand_rnn.c). *)

From Coq Require Import Bool List Lia Arith NArith String ZArith.
From Calque Require Import base.Lists attr.Attr tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.IndexProof.
From Calque Require Import tensor.Ops tensor.OpTable onnx.Composition onnx.Steps onnx.Tables.
Import ListNotations.
Open Scope string_scope.
Open Scope list_scope.
Open Scope nat_scope.

(** ** One step after the other *)

Fixpoint in_turn {A B} (f : A -> build B) (l : list A) : build (list B) :=
  match l with
  | [] => Return []
  | a :: l' => b <- f a ;; m <- in_turn f l' ;; Return (b :: m)
  end.

(** ** Layouts: sizes and places *)

(** Sizes, or the place of a cell: steps or directions, batch, and the last dimension. *)
Definition laid {A} (by_batch : bool) (steps batch last : A) : list A :=
  if by_batch then [batch; steps; last] else [steps; batch; last].

(** The place in layout 0 of a place of three dimensions. *)
Definition laid_place (by_batch : bool) (i : list Z) : list Z := laid by_batch (nth 0 i 0%Z) (nth 1 i 0%Z) (nth 2 i 0%Z).

(** Y has directions, too: [steps, directions, batch, hidden] or [batch, steps, directions, hidden]. *)
Definition laid_all (by_batch : bool) (steps ways batch hidden : nat) : sizes :=
  if by_batch then [batch; steps; ways; hidden] else [steps; ways; batch; hidden].

Definition laid_all_place (by_batch : bool) (i : list Z) : list Z :=
  if by_batch then [nth 1 i 0%Z; nth 2 i 0%Z; nth 0 i 0%Z; nth 3 i 0%Z] else i.

(** ** Layouts: steps *)

(** From a layout to layout 0, or back: the first two dimensions are exchanged. *)
Definition swapped (by_batch : bool) (x : nat) : build nat :=
  if by_batch then apply "Transpose" [("perm", nats_value [1; 0; 2])] [x] else Return x.

Definition swapped_all (by_batch : bool) (x : nat) : build nat :=
  if by_batch then apply "Transpose" [("perm", nats_value [2; 0; 1; 3])] [x] else Return x.

(** What direction [k] has of [ways, batch, hidden] in its layout. *)
Definition laid_element (by_batch : bool) (ways batch hidden k x : nat) : build nat :=
  if by_batch
  then p <- piece [batch; ways; hidden] 1 k 1 x ;; apply "Reshape" [("shape", nats_value [batch; hidden])] [p]
  else element [ways; batch; hidden] k x.

Section Steps.
  Variable S : arith.
  Variable typed : Z -> literal -> num S.
  Notation num := (num S).
  Notation values := (list (gvalue (tensor num))).
  Notation runs := (runs S typed).
  Notation shows := (shows S).
  Notation extends := (extends S).
  Implicit Types (vs ws us : values) (f : list Z -> num) (by_batch : bool).

  (** Each of them gives a [b] that is related to the [k] its [a] is related to. *)
  Lemma runs_in_turn {A B K} vs (f : A -> build B) (P : values -> A -> K -> Prop) (Q : values -> B -> K -> Prop) l ks :
    (forall ws us a k, P ws a k -> extends ws us -> P us a k) ->
    (forall ws us b k, Q ws b k -> extends ws us -> Q us b k) ->
    (forall ws a k, extends vs ws -> P ws a k -> runs ws (f a) (fun us b => Q us b k)) ->
    Forall2 (P vs) l ks -> runs vs (in_turn f l) (fun ws m => Forall2 (Q ws) m ks).
  Proof.
    intros mP mQ H F. revert vs ks H F. induction l as [| a l IH]; intros vs ks H F; inversion F as [| ? k ? ks' E F']; subst;
      cbn [in_turn]; [now apply runs_return |].
    eapply runs_bind; [exact (H vs a k (extends_refl _ _) E) |]. intros ws b X B0. cbn beta in B0.
    eapply runs_bind; [apply (IH ws ks') |].
    - intros us a' k' Y. apply H. exact (extends_trans _ _ _ _ X Y).
    - clear - F' X mP. induction F' as [| a' k' l ks E' _ IH']; constructor; [exact (mP _ _ _ _ E' X) | exact IH'].
    - intros us m Y M. apply runs_return. constructor; [exact (mQ _ _ _ _ B0 Y) | exact M].
  Qed.

  (** ** Layouts *)

  Lemma in_box_three a b n i : in_box [a; b; n] i = true -> exists u v w, i = [u; v; w] /\
    (0 <= u < Z.of_nat a)%Z /\ (0 <= v < Z.of_nat b)%Z /\ (0 <= w < Z.of_nat n)%Z.
  Proof.
    intros I. apply in_box_head in I. destruct I as (u & j & -> & U & I). apply in_box_two in I.
    destruct I as (v & w & -> & V & W). now exists u, v, w.
  Qed.

  Lemma in_box_triple a b n u v w : (0 <= u < Z.of_nat a)%Z -> (0 <= v < Z.of_nat b)%Z -> (0 <= w < Z.of_nat n)%Z ->
    in_box [a; b; n] [u; v; w] = true.
  Proof. intros U V W. apply in_box_cons. split; [exact U | now apply in_box_pair]. Qed.

  Lemma runs_exchanged vs x a b n f : shows vs x [a; b; n] f ->
    runs vs (apply "Transpose" [("perm", nats_value [1; 0; 2])] [x]) (fun ws k => shows ws k [b; a; n]
      (fun i => f [nth 1 i 0%Z; nth 0 i 0%Z; nth 2 i 0%Z])).
  Proof.
    intros X. eapply runs_shows.
    - eapply (runs_value S typed vs "Transpose" _ [x] [_]); [repeat constructor; exact X |]. cbn [map].
      now apply transpose_value.
    - intros ws k. apply shows_ext. cbn [dims tabulate permuted map nth]. intros i I. apply in_box_three in I.
      destruct I as (u & v & w & -> & U & V & W). apply at_table. now apply in_box_triple.
  Qed.

  (** To layout 0. *)
  Lemma runs_swapped vs by_batch x a b n f : shows vs x (laid by_batch a b n) f ->
    runs vs (swapped by_batch x) (fun ws k => shows ws k [a; b; n] (fun i => f (laid_place by_batch i))).
  Proof.
    intros X. unfold swapped. destruct by_batch; [now apply runs_exchanged |]. apply runs_return. revert X. apply shows_ext.
    intros i I. apply in_box_three in I. now destruct I as (u & v & w & -> & _).
  Qed.

  (** From layout 0. *)
  Lemma runs_swapped_back vs by_batch x a b n f : shows vs x [a; b; n] f ->
    runs vs (swapped by_batch x) (fun ws k => shows ws k (laid by_batch a b n) (fun i => f (laid_place by_batch i))).
  Proof.
    intros X. unfold swapped. destruct by_batch; [now apply runs_exchanged |]. apply runs_return. revert X. apply shows_ext.
    intros i I. apply in_box_three in I. now destruct I as (u & v & w & -> & _).
  Qed.

  Lemma runs_swapped_all vs by_batch x t d b n f : shows vs x [t; d; b; n] f ->
    runs vs (swapped_all by_batch x) (fun ws k =>
      shows ws k (laid_all by_batch t d b n) (fun i => f (laid_all_place by_batch i))).
  Proof.
    intros X. unfold swapped_all. destruct by_batch; [| now apply runs_return]. eapply runs_shows.
    - eapply (runs_value S typed vs "Transpose" _ [x] [_]); [repeat constructor; exact X |]. cbn [map].
      now apply transpose_value.
    - intros ws k. apply shows_ext. cbn [dims tabulate permuted map nth laid_all]. intros i I. apply in_box_head in I.
      destruct I as (u & j & -> & U & I). apply in_box_three in I. destruct I as (v & w & y & -> & V & W & Y).
      apply at_table. apply in_box_cons. split; [exact V |]. now apply in_box_triple.
  Qed.

  (** A dimension of size 1 in the middle goes. *)
  Lemma tabulate_middle a n f : tabulate [a; n] (fun i => f [nth 0 i 0%Z; 0%Z; nth 1 i 0%Z]) =
    Tensor [a; n] (cells (tabulate [a; 1; n] f)).
  Proof.
    rewrite <- (tabulate_get (s_zero S) (Tensor [a; n] _)).
    2: { unfold good. cbn [dims cells tabulate]. rewrite map_length, length_box. cbn [cell_count fold_right]. lia. }
    cbn [dims]. apply tabulate_ext. intros i I. pose proof I as J. apply in_box_two in J. destruct J as (u & v & -> & U & V).
    cbn [nth]. change (get (s_zero S)) with (at_ S).
    assert (in_box [a; 1; n] [u; 0%Z; v] = true) as K by (apply in_box_triple; auto; lia).
    rewrite (at_recast S [a; n] (tabulate [a; 1; n] f) _ [u; 0%Z; v] I K); [symmetry; now apply at_table |].
    cbn [dims tabulate position cell_count fold_right]. lia.
  Qed.

  Lemma runs_laid_element vs by_batch x d b n f k : k < d -> shows vs x (laid by_batch d b n) f ->
    runs vs (laid_element by_batch d b n k x)
      (fun ws y => shows ws y [b; n] (fun i => f (laid by_batch (Z.of_nat k) (nth 0 i 0%Z) (nth 1 i 0%Z)))).
  Proof.
    intros lt X. unfold laid_element. destruct by_batch; cbn [laid] in *.
    - eapply runs_bind.
      { apply (runs_piece S typed vs x [b; d; n] f 1 k 1); [cbn; lia | cbn [nth]; lia | exact X]. }
      cbn [set_nth]. intros ws p _ P. cbn beta in P.
      eapply (runs_value S typed ws "Reshape" _ [p] [_]); [repeat constructor; exact P |]. cbn [map].
      rewrite reshape_value; [| apply good_tabulate | cbn [dims tabulate cell_count fold_right]; lia].
      rewrite <- tabulate_middle. do 2 f_equal. apply tabulate_ext. intros i _. cbn [nth set_nth]. do 4 f_equal. lia.
    - eapply runs_weaken; [apply runs_element; [exact lt | exact X] |]. intros ws y _. apply shows_ext. intros i I.
      apply in_box_two in I. now destruct I as (u & v & -> & _).
  Qed.
End Steps.
