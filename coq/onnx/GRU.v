(** * GRU

    With the gates z, r and h in this order, each at its rows of W, R and the biases:

<<
      z_t = sigmoid (X_t * Wz^T + Wbz + H_(t-1) * Rz^T + Rbz)
      r_t = sigmoid (X_t * Wr^T + Wbr + H_(t-1) * Rr^T + Rbr)
      h_t = tanh    (X_t * Wh^T + Wbh + (r_t . H_(t-1)) * Rh^T + Rbh)       linear_before_reset = 0
      h_t = tanh    (X_t * Wh^T + Wbh + r_t . (H_(t-1) * Rh^T + Rbh))       linear_before_reset = 1
      H_t = (1 - z_t) . h_t + z_t . H_(t-1)
>>

    (opset 7, 14 and 22).  ONNX says no order of the additions: here it is (X W + (Wb + Rb)) + H R, of linear_before_reset
    = 1 (X W + Wb) + (H R + Rb), 1 - z is - z + 1, and what an absent input would add is not added.  All directions and
    both layouts ([first]: the batch comes first), optional biases and initial states; results Y and Y_h. *)

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

  (** What is added to X W: both biases, or of linear_before_reset Wb alone. *)
  Definition gru_bias (p : recurrence) (late : bool) (b : tensor) (k : nat) (g : Z) : num :=
    if late then at_ S b [Z.of_nat k; g] else both_biases S p 3 b k g.

  (** H R, and of linear_before_reset Rb. *)
  Definition gru_state_part (p : recurrence) (late : bool) (h r : tensor) (bias : option tensor) (k : nat) (b g : Z) : num :=
    let s := state_part S p h r k b g in
    match bias with
    | Some q => if late then s_add S s (at_ S q [Z.of_nat k; column p 3 g]) else s
    | None => s
    end.

  (** The hidden state after time [t] in direction [k]. *)
  Definition gru_next (p : recurrence) (one : num) (late : bool) (x w r : tensor) (bias : option tensor) (k t : nat)
      (h : tensor) : tensor :=
    let from_x g b j := input_part S p x w (option_map (gru_bias p late) bias) k t b (column p g j) in
    let from_h g b j := gru_state_part p late h r bias k b (column p g j) in
    let z := cellwise S p (fun b j => sigmoid_cell S (s_add S (from_x 0 b j) (from_h 0 b j))) in
    let reset b j := sigmoid_cell S (s_add S (from_x 1 b j) (from_h 1 b j)) in
    let hidden :=
      if late then fun b j => s_mul S (reset b j) (from_h 2 b j)
      else let rh := cellwise S p (fun b j => s_mul S (reset b j) (at_ S h [b; j])) in
           fun b j => state_part S p rh r k b (column p 2 j) in
    let g b j := s_tanh S (s_add S (from_x 2 b j) (hidden b j)) in
    cellwise S p (fun b j => s_add S (s_mul S (s_add S (s_neg S (at_ S z [b; j])) one) (g b j))
                                     (s_mul S (at_ S z [b; j]) (at_ S h [b; j]))).

  Definition gru_sized (p : recurrence) (b h : option sizes) : bool :=
    let d := directions (toward p) in
    sized [d; 2 * (3 * hidden_size p)] b && sized (state_sizes p) h.

  (** Y and Y_h from X, W, R, B and initial_h; [zero] and [one] are of their element type. *)
  Definition onnx_gru (zero one : num) (late : bool) (d : direction) (first : bool) (x w r : tensor) (b h : option tensor) :
      option (list tensor) :=
    let? p := recurrence_of 3 d first (dims x) (dims w) (dims r) in
    guard (gru_sized p (option_map dims b) (option_map dims h))
      (Some (outputs S p (fun s => s) [fun s => s] (gru_next p one late x w r b) (initial_state S p zero h))).
End Formula.

(** ** The composition *)

(** What a direction has: R as it multiplies, what is added to X W, and what to H R. *)
Record gru_reads := GruReads { gru_weights : nat; gru_input_bias : option nat; gru_state_bias : option nat }.

Definition gru_biases (p : recurrence) (late : bool) (o : option nat) (k : nat) : build (option nat * option nat) :=
  if late then
    match o with
    | Some b => v <- biases p 3 b k ;; Return (Some (fst v), Some (snd v))
    | None => Return (None, None)
    end
  else b <- bias_sum p 3 o k ;; Return (b, None).

Definition gru_start (type : Z) (p : recurrence) (late : bool) (b h : option nat) (k : nat) : build (gru_reads * nat) :=
  m <- turned_weights p (3 * hidden_size p) (hidden_size p) k 2 ;;
  bias <- gru_biases p late b k ;;
  h0 <- initial type p h k ;;
  Return (GruReads m (fst bias) (snd bias), h0).

Definition gru_step (type : Z) (p : recurrence) (late : bool) (reads : gru_reads) (xw h : nat) : build nat :=
  let n := hidden_size p in
  hm <- product h (gru_weights reads) ;; hw <- plus_optional hm (gru_state_bias reads) ;;
  hz <- gate p 3 hw 0 ;; xz <- gate p 3 xw 0 ;; sz <- plus xz hz ;; z <- apply "Sigmoid" [] [sz] ;;
  hr <- gate p 3 hw 1 ;; xr <- gate p 3 xw 1 ;; sr <- plus xr hr ;; reset <- apply "Sigmoid" [] [sr] ;;
  hidden <- (if late then hh <- gate p 3 hw 2 ;; times reset hh
             else m <- piece [n; 3 * n] 1 (2 * n) n (gru_weights reads) ;; rh <- times reset h ;; product rh m) ;;
  xh <- gate p 3 xw 2 ;; sh <- plus xh hidden ;; g <- apply "Tanh" [] [sh] ;;
  zh <- times z h ;; nz <- apply "Neg" [] [z] ;; c <- constant type [] [LInt 1] ;; rest <- plus nz c ;;
  zg <- times rest g ;; plus zg zh.

(** The inputs that are there are numbered in this order: X, W, R, B, initial_h. *)
Definition gru_composition (type : Z) (late : bool) (d : direction) (first : bool) (x w r : sizes) (b h : option sizes) :
    option (build (list nat)) :=
  let? p := recurrence_of 3 d first x w r in
  let at_place n := nth n (places 3 [b; h]) None in
  guard (unrolls 3 p && gru_sized p b h)
    (Some (recurrent p 3 (gru_start type p late (at_place 0) (at_place 1)) gru_input_bias (gru_step type p late)
             (fun n => n) [fun n => n])).

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
  Variables (late : bool) (x w r : tensor) (bias : option tensor).
  Implicit Types (vs ws us : values).

  Definition input_bias_shown vs (k : nat) (o : option nat) : Prop :=
    match o, option_map (gru_bias S p late) bias with
    | Some b, Some f => shows vs b [3 * H] (fun i => f k (nth 0 i 0%Z))
    | None, None => True
    | _, _ => False
    end.

  Definition state_bias_shown vs (k : nat) (o : option nat) : Prop :=
    match o, (if late then bias else None) with
    | Some b, Some t => shows vs b [3 * H] (fun i => at_ S t [Z.of_nat k; column p 3 (nth 0 i 0%Z)])
    | None, None => True
    | _, _ => False
    end.

  Definition gru_ready vs (k : nat) (c : gru_reads) : Prop :=
    shows vs (gru_weights c) [H; 3 * H] (fun i => at_ S r [Z.of_nat k; nth 1 i 0%Z; nth 0 i 0%Z]) /\
    input_bias_shown vs k (gru_input_bias c) /\ state_bias_shown vs k (gru_state_bias c).

  Lemma biases_extend vs ws k o o' : input_bias_shown vs k o /\ state_bias_shown vs k o' -> extends vs ws ->
    input_bias_shown ws k o /\ state_bias_shown ws k o'.
  Proof.
    unfold input_bias_shown, state_bias_shown. intros [I St] X. split.
    - destruct o, (option_map (gru_bias S p late) bias); try exact I. exact (shows_extends _ _ _ _ _ _ I X).
    - destruct o', (if late then bias else None); try exact St. exact (shows_extends _ _ _ _ _ _ St X).
  Qed.

  Lemma gru_ready_extends vs ws k c : gru_ready vs k c -> extends vs ws -> gru_ready ws k c.
  Proof. intros (W & Bs) X. split; [exact (shows_extends _ _ _ _ _ _ W X) | exact (biases_extend _ _ _ _ _ Bs X)]. Qed.

  Lemma runs_gru_biases vs o k : k < D -> input_shown S vs o [D; 2 * (3 * H)] bias ->
    runs vs (gru_biases p late o k) (fun ws v => input_bias_shown ws k (fst v) /\ state_bias_shown ws k (snd v)).
  Proof.
    intros lt X. unfold gru_biases, input_bias_shown, state_bias_shown, gru_bias. destruct late.
    - unfold input_shown in X. destruct o as [b |], bias as [t |]; try contradiction; [| now apply runs_return].
      eapply runs_bind; [exact (runs_biases S typed p vs 3 b t k lt X) |]. intros v1 v X1 V. now apply runs_return.
    - eapply runs_bind; [exact (runs_bias_sum S typed p vs 3 o bias k lt X) |]. intros v1 v X1 V. cbn beta in V.
      apply runs_return. cbn [fst snd]. split; [| exact I]. destruct v, bias; exact V.
  Qed.

  (** H R with what is added to it. *)
  Lemma runs_state_part vs k c hm h : gru_ready vs k c ->
    shows vs hm [B; 3 * H] (fun i => state_part S p h r k (nth 0 i 0%Z) (nth 1 i 0%Z)) ->
    runs vs (plus_optional hm (gru_state_bias c))
      (fun ws m => shows ws m [B; 3 * H] (fun i => gru_state_part S p late h r bias k (nth 0 i 0%Z) (nth 1 i 0%Z))).
  Proof.
    intros (_ & _ & St) K. unfold state_bias_shown in St. unfold plus_optional, gru_state_part.
    destruct (gru_state_bias c) as [b |], late, bias as [t |]; try contradiction.
    - eapply runs_weaken; [exact (runs_plus_row S typed vs hm b [B] (3 * H) _ _ K St) |]. intros ws m _ L. exact L.
    - now apply runs_return.
    - now apply runs_return.
    - now apply runs_return.
  Qed.

  Lemma runs_gru_step vs type k c t h xw (th : tensor) : gru_ready vs k c ->
    holds S p vs h th ->
    shows vs xw [B; 3 * H]
      (fun i => input_part S p x w (option_map (gru_bias S p late) bias) k t (nth 0 i 0%Z) (nth 1 i 0%Z)) ->
    runs vs (gru_step type p late c xw h) (fun ws m =>
      holds S p ws m (gru_next S p (typed type (LInt 1)) late x w r bias k t th)).
  Proof.
    intros R Hh X. pose proof R as (W & _). unfold gru_step. pose proof (holds_shows S p _ _ _ Hh) as Sh.
    eapply runs_bind; [exact (runs_product S typed _ _ _ _ _ _ _ _ Sh W) |]. intros v1 hm X1 Hm. grow X1.
    apply (fun F => gru_ready_extends _ _ _ _ F X1) in R.
    eapply runs_bind; [exact (runs_state_part _ k c hm th R Hm) |]. intros v2 hw X2 Hw. grow X2. clear R.
    eapply runs_bind; [exact (runs_gate S typed p _ 3 hw 0 _ ltac:(lia) Hw) |]. intros v3 hz X3 Hz. grow X3.
    eapply runs_bind; [exact (runs_gate S typed p _ 3 xw 0 _ ltac:(lia) X) |]. intros v4 xz X4 Xz. grow X4.
    eapply runs_bind; [exact (runs_plus S typed _ _ _ _ _ _ Xz Hz) |]. intros v5 sz X5 Sz. grow X5.
    eapply runs_bind; [exact (runs_unary S typed _ "Sigmoid" (sigmoid_cell S) _ _ _ eq_refl Sz) |]. intros v6 z X6 Z. grow X6.
    apply shows_holds, holds_shows in Z.
    eapply runs_bind; [exact (runs_gate S typed p _ 3 hw 1 _ ltac:(lia) Hw) |]. intros v7 hr X7 Hr. grow X7.
    eapply runs_bind; [exact (runs_gate S typed p _ 3 xw 1 _ ltac:(lia) X) |]. intros v8 xr X8 Xr. grow X8.
    eapply runs_bind; [exact (runs_plus S typed _ _ _ _ _ _ Xr Hr) |]. intros v9 sr X9 Sr. grow X9.
    eapply runs_bind; [exact (runs_unary S typed _ "Sigmoid" (sigmoid_cell S) _ _ _ eq_refl Sr) |]. intros v10 reset X10 Re.
    grow X10.
    set (from_x := fun g b j => input_part S p x w (option_map (gru_bias S p late) bias) k t b (column p g j)).
    set (from_h := fun g b j => gru_state_part S p late th r bias k b (column p g j)).
    set (reset' := fun b j => sigmoid_cell S (s_add S (from_x 1 b j) (from_h 1 b j))).
    eapply runs_bind with (Q := fun ws m => shows ws m [B; H] (fun i => (if late
      then fun b j => s_mul S (reset' b j) (from_h 2 b j)
      else let rh := cellwise S p (fun b j => s_mul S (reset' b j) (at_ S th [b; j])) in
           fun b j => state_part S p rh r k b (column p 2 j)) (nth 0 i 0%Z) (nth 1 i 0%Z))).
    { destruct late.
      - eapply runs_bind; [exact (runs_gate S typed p _ 3 hw 2 _ ltac:(lia) Hw) |]. intros v11 hh X11 Hg. grow X11.
        exact (runs_times S typed _ _ _ _ _ _ Re Hg).
      - eapply runs_bind.
        + refine (runs_piece S typed v10 _ [H; 3 * H] _ 1 (2 * H) H _ _ W); [cbn; lia | cbn [nth]; lia].
        + intros v11 m X11 M. grow X11. cbn [set_nth] in M.
          eapply runs_bind; [exact (runs_times S typed _ _ _ _ _ _ Re Sh) |]. intros v12 rh X12 Rh. grow X12.
          apply shows_holds, holds_shows in Rh.
          exact (runs_product S typed _ _ _ _ _ _ _ _ Rh M). }
    intros v11 hidden X11 Hi. grow X11.
    eapply runs_bind; [exact (runs_gate S typed p _ 3 xw 2 _ ltac:(lia) X) |]. intros v12 xh X12 Xh. grow X12.
    eapply runs_bind; [exact (runs_plus S typed _ _ _ _ _ _ Xh Hi) |]. intros v13 sh X13 Ss. grow X13.
    eapply runs_bind; [exact (runs_unary S typed _ "Tanh" (s_tanh S) _ _ _ eq_refl Ss) |]. intros v14 g X14 G. grow X14.
    eapply runs_bind; [exact (runs_times S typed _ _ _ _ _ _ Z Sh) |]. intros v15 zh X15 Zh. grow X15.
    eapply runs_bind; [exact (runs_unary S typed _ "Neg" (s_neg S) _ _ _ eq_refl Z) |]. intros v16 nz X16 Nz. grow X16.
    eapply runs_bind; [exact (runs_filled S typed _ type [] (LInt 1) _ eq_refl) |]. intros v17 one X17 O. grow X17.
    eapply runs_bind; [exact (runs_plus_scalar S typed _ _ _ _ _ _ Nz O) |]. intros v18 rest X18 Rs. grow X18.
    eapply runs_bind; [exact (runs_times S typed _ _ _ _ _ _ Rs G) |]. intros v19 zg X19 Zg. grow X19.
    eapply runs_weaken; [exact (runs_plus S typed _ _ _ _ _ _ Zg Zh) |]. intros v20 h' _ H'. cbn beta in H'.
    apply shows_holds in H'. exact H'.
  Qed.

  Lemma runs_gru_start vs type b h k (th : option tensor) : k < D ->
    shows vs 2 [D; 3 * H; H] (at_ S r) ->
    input_shown S vs b [D; 2 * (3 * H)] bias -> input_shown S vs h (state_sizes p) th ->
    runs vs (gru_start type p late b h k) (fun ws n => gru_ready ws k (fst n) /\
      holds S p ws (snd n) (initial_state S p (typed type (LInt 0)) th k)).
  Proof.
    intros lt R Bi Hh. unfold gru_start.
    eapply runs_bind; [exact (runs_turned_weights S typed _ p _ _ k 2 _ lt R) |]. intros v1 m X1 M. cbn beta in M.
    eapply runs_bind; [exact (runs_gru_biases v1 b k lt (input_extends S _ _ _ _ _ Bi X1)) |]. intros v2 bi X2 Bs.
    cbn beta in Bs.
    pose proof (extends_trans _ _ _ _ X1 X2) as Y2.
    eapply runs_bind; [exact (runs_initial S typed p v2 type h th k lt (input_extends S _ _ _ _ _ Hh Y2)) |].
    intros v3 h0 X3 H0. cbn beta in H0. apply runs_return. cbn [fst snd]. split; [| exact H0].
    split; [exact (shows_extends _ _ _ _ _ _ M (extends_trans _ _ _ _ X2 X3)) |]. exact (biases_extend _ _ _ _ _ Bs X3).
  Qed.
End Proof.

Theorem gru_correct S typed type late d first x w r b h program :
  Forall good (x :: w :: r :: present [b; h]) ->
  gru_composition type late d first (dims x) (dims w) (dims r) (option_map dims b) (option_map dims h) = Some program ->
  exists ys, onnx_gru S (typed type (LInt 0)) (typed type (LInt 1)) late d first x w r b h = Some ys /\
    composed_all S typed program (x :: w :: r :: present [b; h]) = Some ys.
Proof.
  intros G E. unfold gru_composition in E. unfold onnx_gru.
  destruct (recurrence_of 3 d first (dims x) (dims w) (dims r)) as [p |] eqn:P; [| discriminate].
  apply recurrence_sizes in P. destruct P as (Dx & Dw & Dr). unfold guard in *.
  destruct (unrolls 3 p) eqn:U; [| discriminate]. apply unrolls_steps in U.
  destruct (gru_sized p _ _) eqn:Z; [| discriminate]. cbn [andb] in E. apply some_same in E. subst program. eexists.
  split; [reflexivity |].
  apply runs_composed_all.
  pose proof (places_map (@dims (num S)) [b; h] 3) as Pl. cbn [map] in Pl. rewrite Pl. clear Pl.
  inversion G as [| ? ? Gx G1]; subst. inversion G1 as [| ? ? Gw G2]; subst. inversion G2 as [| ? ? Gr Go]; subst.
  unfold gru_sized in Z. rewrite !andb_true_iff in Z. destruct Z as (Zb & Zh).
  change (x :: w :: r :: present [b; h]) with ([x; w; r] ++ present [b; h]).
  assert (I : forall n ds, sized ds (option_map dims (nth n [b; h] None)) = true -> input_shown S (map GTensor ([x; w; r] ++
    present [b; h])) (nth n (places 3 [b; h]) None) ds (nth n [b; h] None)).
  { intros n ds F. exact (input_places S [x; w; r] [b; h] n ds Go F). }
  apply (runs_recurrent S typed p 3 _ gru_input_bias (gru_step type p late) (fun n => n) [fun n => n] x w
    (option_map (gru_bias S p late) b) (gru_next S p (typed type (LInt 1)) late x w r b) _ (fun s => s) [fun s => s]
    (gru_ready S p late r b) (holds S p)).
  - apply gru_ready_extends.
  - apply holds_extends.
  - intros vs n a F. exact F.
  - apply Forall2_cons; [intros vs n a F; exact F | apply Forall2_nil].
  - intros vs k c0 F. apply F.
  - intros vs k c0 t n a xw _ _ R F X. exact (runs_gru_step S typed p late x w r b vs type k c0 t n xw a R F X).
  - exact U.
  - rewrite <- Dx. now apply shows_tensor.
  - rewrite <- Dw. now apply shows_tensor.
  - intros ws k X lt. apply runs_gru_start; [exact lt | | |].
    + rewrite <- Dr. refine (shows_extends _ _ _ _ _ _ _ X). now apply shows_tensor.
    + exact (input_extends S _ _ _ _ _ (I 0 _ Zb) X).
    + exact (input_extends S _ _ _ _ _ (I 1 _ Zh) X).
Qed.

(** Two steps: backwards, and in both directions with linear_before_reset, the batch of three first. *)
Example gru_example :
  let at_ n ds := Tensor ds (map (fun i => (Z.of_nat i * 7 + n) mod 5 - 2)%Z (seq 0 (cell_count ds))) in
  let run (first : bool) late d k b h :=
    let ds := if first then [3; 2; 3] else [2; 3; 3] in
    let x := at_ 1%Z ds in
    let w := at_ 2%Z [k; 6; 3] in
    let r := at_ 3%Z [k; 6; 2] in
    let ys := onnx_gru integers 0%Z 1%Z late d first x w r b h in
    (option_map (map dims) ys,
     let? m := gru_composition f32_code late d first ds [k; 6; 3] [k; 6; 2] (option_map dims b) (option_map dims h) in
     composed_all integers (fun _ => literal_value integers) m (x :: w :: r :: present [b; h]), ys) in
  let ok r d := match r with (ds, m, ys) => ds = Some d /\ m = ys end in
  ok (run false false Reverse 1 (Some (at_ 0%Z [1; 12])) (Some (at_ 4%Z [1; 3; 2]))) [[2; 1; 3; 2]; [1; 3; 2]] /\
  ok (run true true Bidirectional 2 (Some (at_ 0%Z [2; 12])) (Some (at_ 4%Z [3; 2; 2]))) [[3; 2; 2; 2]; [3; 2; 2]].
Proof. split; split; vm_compute; reflexivity. Qed.
