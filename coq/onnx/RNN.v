(** * RNN

<<
      H_t = tanh (X_t * W^T + Wb + H_(t-1) * R^T + Rb)
>>

    (opset 7, 14 and 22).  ONNX says no order of the additions: here it is (X W + (Wb + Rb)) + H R, and what an absent input
    would add is not added.  All directions and both layouts ([first]: the batch comes first),
    optional biases and initial states; results Y and Y_h. *)

From Coq Require Import Bool List Lia Arith NArith String ZArith.
From Calque Require Import base.Lists attr.Attr tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.IndexProof.
From Calque Require Import tensor.Shapes tensor.Ops tensor.OpTable tensor.Instances.
From Calque Require Import onnx.Composition onnx.Steps onnx.Tables onnx.RecurrentSteps onnx.Recurrent.
Import ListNotations.
Open Scope string_scope.
Open Scope list_scope.
Open Scope nat_scope.

(** ** The formula *)

Section Formula.
  Variable S : arith.
  Notation num := (num S).
  Notation tensor := (tensor num).

  (** The hidden state after time [t] in direction [k]. *)
  Definition rnn_next (p : recurrence) (x w r : tensor) (bias : option tensor) (k t : nat) (h : tensor) : tensor :=
    cellwise S p (fun b j =>
      s_tanh S (s_add S (input_part S p x w (option_map (both_biases S p 1) bias) k t b j) (state_part S p h r k b j))).

  Definition rnn_sized (p : recurrence) (b h : option sizes) : bool :=
    let d := directions (toward p) in
    sized [d; 2 * (1 * hidden_size p)] b && sized (state_sizes p) h.

  (** Y and Y_h from X, W, R, B and initial_h; [zero] is of their element type. *)
  Definition onnx_rnn (zero : num) (d : direction) (first : bool) (x w r : tensor) (b h : option tensor) : option (list tensor) :=
    let? p := recurrence_of 1 d first (dims x) (dims w) (dims r) in
    guard (rnn_sized p (option_map dims b) (option_map dims h))
      (Some (outputs S p (fun s => s) [fun s => s] (rnn_next p x w r b) (initial_state S p zero h))).
End Formula.

(** ** The composition *)

(** What a direction has: R as it multiplies, and the sum of the biases. *)
Record rnn_reads := RnnReads { rnn_weights : nat; rnn_bias : option nat }.

Definition rnn_start (type : Z) (p : recurrence) (b h : option nat) (k : nat) : build (rnn_reads * nat) :=
  m <- turned_weights p (1 * hidden_size p) (hidden_size p) k 2 ;;
  bias <- bias_sum p 1 b k ;;
  h0 <- initial type p h k ;;
  Return (RnnReads m bias, h0).

Definition rnn_step (reads : rnn_reads) (xw h : nat) : build nat :=
  hw <- product h (rnn_weights reads) ;; s <- plus xw hw ;; apply "Tanh" [] [s].

(** The inputs that are there are numbered in this order: X, W, R, B, initial_h. *)
Definition rnn_composition (type : Z) (d : direction) (first : bool) (x w r : sizes) (b h : option sizes) :
    option (build (list nat)) :=
  let? p := recurrence_of 1 d first x w r in
  let at_place n := nth n (places 3 [b; h]) None in
  guard (unrolls 1 p && rnn_sized p b h)
    (Some (recurrent p 1 (rnn_start type p (at_place 0) (at_place 1)) rnn_bias rnn_step (fun n => n) [fun n => n])).

(** ** The composition computes the formula *)

Section Proof.
  Variable S : arith.
  Variable typed : Z -> literal -> num S.
  Notation num := (num S).
  Notation tensor := (tensor num).
  Notation values := (list (gvalue tensor)).
  Notation runs := (runs S typed).
  Notation shows := (shows S).
  Notation extends := (extends S).
  Variable p : recurrence.
  Notation B := (batch_size p).
  Notation H := (hidden_size p).
  Notation D := (directions (toward p)).
  Variables (x w r : tensor) (bias : option tensor).
  Implicit Types (vs ws us : values).

  Definition rnn_ready vs (k : nat) (c : rnn_reads) : Prop :=
    shows vs (rnn_weights c) [H; 1 * H] (fun i => at_ S r [Z.of_nat k; nth 1 i 0%Z; nth 0 i 0%Z]) /\
    match rnn_bias c, option_map (both_biases S p 1) bias with
    | Some b, Some f => shows vs b [1 * H] (fun i => f k (nth 0 i 0%Z))
    | None, None => True
    | _, _ => False
    end.

  Lemma rnn_ready_extends vs ws k c : rnn_ready vs k c -> extends vs ws -> rnn_ready ws k c.
  Proof.
    intros (W & Bi) X. split; [exact (shows_extends _ _ _ _ _ _ W X) |].
    destruct (rnn_bias c), (option_map (both_biases S p 1) bias); try exact Bi. exact (shows_extends _ _ _ _ _ _ Bi X).
  Qed.

  Lemma runs_rnn_step vs k c t h xw (th : tensor) : rnn_ready vs k c -> holds S p vs h th ->
    shows vs xw [B; 1 * H]
      (fun i => input_part S p x w (option_map (both_biases S p 1) bias) k t (nth 0 i 0%Z) (nth 1 i 0%Z)) ->
    runs vs (rnn_step c xw h) (fun ws m => holds S p ws m (rnn_next S p x w r bias k t th)).
  Proof.
    intros (W & _) Hh X. unfold rnn_step. pose proof (holds_shows S p _ _ _ Hh) as Sh. rewrite Nat.mul_1_l in *.
    eapply runs_bind; [exact (runs_product S typed _ _ _ _ _ _ _ _ Sh W) |]. intros v1 hw X1 Hw. grow X1.
    eapply runs_bind; [exact (runs_plus S typed _ _ _ _ _ _ X Hw) |]. intros v2 s X2 Su. grow X2.
    eapply runs_weaken; [exact (runs_unary S typed _ "Tanh" (s_tanh S) _ _ _ eq_refl Su) |]. intros v3 h' _ H'. cbn beta in H'.
    apply shows_holds in H'. exact H'.
  Qed.

  Lemma runs_rnn_start vs type b h k (th : option tensor) : k < D ->
    shows vs 2 [D; 1 * H; H] (at_ S r) ->
    input_shown S vs b [D; 2 * (1 * H)] bias -> input_shown S vs h (state_sizes p) th ->
    runs vs (rnn_start type p b h k) (fun ws n => rnn_ready ws k (fst n) /\
      holds S p ws (snd n) (initial_state S p (typed type (LInt 0)) th k)).
  Proof.
    intros lt R Bi Hh. unfold rnn_start.
    eapply runs_bind; [exact (runs_turned_weights S typed _ p _ _ k 2 _ lt R) |]. intros v1 m X1 M. cbn beta in M.
    eapply runs_bind; [exact (runs_bias_sum S typed p v1 1 b bias k lt (input_extends S _ _ _ _ _ Bi X1)) |].
    intros v2 bi X2 Bs. cbn beta in Bs.
    pose proof (extends_trans _ _ _ _ X1 X2) as Y2.
    eapply runs_bind; [exact (runs_initial S typed p v2 type h th k lt (input_extends S _ _ _ _ _ Hh Y2)) |].
    intros v3 h0 X3 H0. cbn beta in H0. apply runs_return. cbn [fst snd]. split; [| exact H0].
    assert (rnn_ready v2 k (RnnReads m bi)) as L; [| exact (rnn_ready_extends _ _ _ _ L X3)].
    split; [exact (shows_extends _ _ _ _ _ _ M X2) | exact Bs].
  Qed.
End Proof.

Theorem rnn_correct S typed type d first x w r b h program :
  Forall good (x :: w :: r :: present [b; h]) ->
  rnn_composition type d first (dims x) (dims w) (dims r) (option_map dims b) (option_map dims h) = Some program ->
  exists ys, onnx_rnn S (typed type (LInt 0)) d first x w r b h = Some ys /\
    composed_all S typed program (x :: w :: r :: present [b; h]) = Some ys.
Proof.
  intros G E. unfold rnn_composition in E. unfold onnx_rnn.
  destruct (recurrence_of 1 d first (dims x) (dims w) (dims r)) as [p |] eqn:P; [| discriminate].
  apply recurrence_sizes in P. destruct P as (Dx & Dw & Dr). unfold guard in *.
  destruct (unrolls 1 p) eqn:U; [| discriminate]. apply unrolls_steps in U.
  destruct (rnn_sized p _ _) eqn:Z; [| discriminate]. cbn [andb] in E. apply some_same in E. subst program. eexists.
  split; [reflexivity |].
  apply runs_composed_all.
  pose proof (places_map (@dims (num S)) [b; h] 3) as Pl. cbn [map] in Pl. rewrite Pl. clear Pl.
  inversion G as [| ? ? Gx G1]; subst. inversion G1 as [| ? ? Gw G2]; subst. inversion G2 as [| ? ? Gr Go]; subst.
  unfold rnn_sized in Z. rewrite !andb_true_iff in Z. destruct Z as (Zb & Zh).
  change (x :: w :: r :: present [b; h]) with ([x; w; r] ++ present [b; h]).
  assert (I : forall n ds, sized ds (option_map dims (nth n [b; h] None)) = true -> input_shown S (map GTensor ([x; w; r] ++
    present [b; h])) (nth n (places 3 [b; h]) None) ds (nth n [b; h] None)).
  { intros n ds F. exact (input_places S [x; w; r] [b; h] n ds Go F). }
  apply (runs_recurrent S typed p 1 _ rnn_bias rnn_step (fun n => n) [fun n => n] x w
    (option_map (both_biases S p 1) b) (rnn_next S p x w r b) _ (fun s => s) [fun s => s] (rnn_ready S p r b) (holds S p)).
  - apply rnn_ready_extends.
  - apply holds_extends.
  - intros vs n a F. exact F.
  - apply Forall2_cons; [intros vs n a F; exact F | apply Forall2_nil].
  - intros vs k c0 F. apply F.
  - intros vs k c0 t n a xw _ _ R F X. exact (runs_rnn_step S typed p x w r b vs k c0 t n xw a R F X).
  - exact U.
  - rewrite <- Dx. now apply shows_tensor.
  - rewrite <- Dw. now apply shows_tensor.
  - intros ws k X lt. apply runs_rnn_start; [exact lt | | |].
    + rewrite <- Dr. refine (shows_extends _ _ _ _ _ _ _ X). now apply shows_tensor.
    + exact (input_extends S _ _ _ _ _ (I 0 _ Zb) X).
    + exact (input_extends S _ _ _ _ _ (I 1 _ Zh) X).
Qed.

(** Three steps in both directions. *)
Example rnn_example :
  let at_ n ds := Tensor ds (map (fun i => (Z.of_nat i * 7 + n) mod 5 - 2)%Z (seq 0 (cell_count ds))) in
  let x := at_ 1%Z [3; 2; 3] in
  let w := at_ 2%Z [2; 2; 3] in
  let r := at_ 3%Z [2; 2; 2] in
  let b := at_ 0%Z [2; 4] in
  let ys := onnx_rnn integers 0%Z Bidirectional false x w r (Some b) None in
  option_map (map dims) ys = Some [[3; 2; 2; 2]; [2; 2; 2]] /\
  (let? m := rnn_composition f32_code Bidirectional false [3; 2; 3] [2; 2; 3] [2; 2; 2] (Some [2; 4]) None in
   composed_all integers (fun _ => literal_value integers) m [x; w; r; b]) = ys.
Proof. split; vm_compute; reflexivity. Qed.
