(** * LSTM

    With the gates i, o, f and c in this order, each at its rows of W, R and the biases, and peepholes of i, o and f:

<<
      i_t = sigmoid (X_t * Wi^T + Wbi + Rbi + H_(t-1) * Ri^T + Pi . C_(t-1))
      f_t = sigmoid (X_t * Wf^T + Wbf + Rbf + H_(t-1) * Rf^T + Pf . C_(t-1))
      c_t = tanh    (X_t * Wc^T + Wbc + Rbc + H_(t-1) * Rc^T)
      C_t = f_t . C_(t-1) + i_t . c_t
      o_t = sigmoid (X_t * Wo^T + Wbo + Rbo + H_(t-1) * Ro^T + Po . C_t)
      H_t = o_t . tanh C_t
>>

    (opset 7, 14 and 22).  ONNX says no order of the additions: here it is ((X W + (Wb + Rb)) + H R) + P C, and what an absent
    input would add is not added.  All directions and both layouts ([first]: the batch comes first), optional
    biases, initial states and peepholes; results Y, Y_h and Y_c. *)

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

  (** With the weighted cell at peephole [n] of i, o, f. *)
  Definition peeped (p : recurrence) (q : option tensor) (k n : nat) (c : tensor) (b j : Z) (a : num) : num :=
    match q with
    | Some q => s_add S a (s_mul S (at_ S q [Z.of_nat k; column p n j]) (at_ S c [b; j]))
    | None => a
    end.

  (** Hidden state and cell after time [t] in direction [k]. *)
  Definition lstm_next (p : recurrence) (x w r : tensor) (bias q : option tensor) (k t : nat) (s : tensor * tensor) :
      tensor * tensor :=
    let (h, c) := s in
    let sum g b j := s_add S (input_part S p x w (option_map (both_biases S p 4) bias) k t b (column p g j))
                             (state_part S p h r k b (column p g j)) in
    let i b j := sigmoid_cell S (peeped p q k 0 c b j (sum 0 b j)) in
    let f b j := sigmoid_cell S (peeped p q k 2 c b j (sum 2 b j)) in
    let g b j := s_tanh S (sum 3 b j) in
    let c' := cellwise S p (fun b j => s_add S (s_mul S (f b j) (at_ S c [b; j])) (s_mul S (i b j) (g b j))) in
    let o b j := sigmoid_cell S (peeped p q k 1 c' b j (sum 1 b j)) in
    (cellwise S p (fun b j => s_mul S (o b j) (s_tanh S (at_ S c' [b; j]))), c').

  Definition lstm_sized (p : recurrence) (b h c q : option sizes) : bool :=
    let d := directions (toward p) in
    let n := hidden_size p in
    sized [d; 2 * (4 * n)] b && sized (state_sizes p) h && sized (state_sizes p) c && sized [d; 3 * n] q.

  (** Y, Y_h and Y_c from X, W, R, B, initial_h, initial_c and P; [zero] is of their element type. *)
  Definition onnx_lstm (zero : num) (d : direction) (first : bool) (x w r : tensor) (b h c q : option tensor) :
      option (list tensor) :=
    let? p := recurrence_of 4 d first (dims x) (dims w) (dims r) in
    guard (lstm_sized p (option_map dims b) (option_map dims h) (option_map dims c) (option_map dims q))
      (Some (outputs S p fst [fst; snd] (lstm_next p x w r b q)
               (fun k => (initial_state S p zero h k, initial_state S p zero c k)))).
End Formula.

(** ** The composition *)

(** What a direction has: R as it multiplies, the sum of the biases, the peepholes. *)
Record lstm_reads := LstmReads { lstm_weights : nat; lstm_bias : option nat; lstm_peepholes : option (list nat) }.

Definition peepholes (p : recurrence) (o : option nat) (k : nat) : build (option (list nat)) :=
  let n := hidden_size p in
  match o with
  | Some q => l <- in_turn (fun g => v <- element [directions (toward p); 3 * n] k q ;; piece [3 * n] 0 (g * n) n v) [0; 1; 2] ;;
              Return (Some l)
  | None => Return None
  end.

Definition lstm_start (type : Z) (p : recurrence) (b h c q : option nat) (k : nat) : build (lstm_reads * (nat * nat)) :=
  m <- turned_weights p (4 * hidden_size p) (hidden_size p) k 2 ;;
  bias <- bias_sum p 4 b k ;;
  peep <- peepholes p q k ;;
  h0 <- initial type p h k ;;
  c0 <- initial type p c k ;;
  Return (LstmReads m bias peep, (h0, c0)).

Definition peeping (peep : option (list nat)) (x n c : nat) : build nat :=
  match peep with Some l => m <- times (nth n l 0) c ;; plus x m | None => Return x end.

Definition lstm_step (p : recurrence) (reads : lstm_reads) (xw : nat) (s : nat * nat) : build (nat * nat) :=
  let (h, c) := s in
  let peep := lstm_peepholes reads in
  hw <- product h (lstm_weights reads) ;; sum <- plus xw hw ;;
  gi <- gate p 4 sum 0 ;; pi <- peeping peep gi 0 c ;; i <- apply "Sigmoid" [] [pi] ;;
  gf <- gate p 4 sum 2 ;; pf <- peeping peep gf 2 c ;; f <- apply "Sigmoid" [] [pf] ;;
  gg <- gate p 4 sum 3 ;; g <- apply "Tanh" [] [gg] ;;
  ig <- times i g ;; fc <- times f c ;; c' <- plus fc ig ;;
  go <- gate p 4 sum 1 ;; po <- peeping peep go 1 c' ;; o <- apply "Sigmoid" [] [po] ;;
  th <- apply "Tanh" [] [c'] ;; h' <- times o th ;;
  Return (h', c').

(** The inputs that are there are numbered in this order: X, W, R, B, initial_h, initial_c, P. *)
Definition lstm_composition (type : Z) (d : direction) (first : bool) (x w r : sizes) (b h c q : option sizes) :
    option (build (list nat)) :=
  let? p := recurrence_of 4 d first x w r in
  let at_place n := nth n (places 3 [b; h; c; q]) None in
  guard (unrolls 4 p && lstm_sized p b h c q)
    (Some (recurrent p 4 (lstm_start type p (at_place 0) (at_place 1) (at_place 2) (at_place 3)) lstm_bias (lstm_step p)
             fst [fst; snd])).

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
  Variables (x w r : tensor) (bias q : option tensor).
  Implicit Types (vs ws us : values).

  Definition peeps vs (k : nat) (o : option (list nat)) : Prop :=
    match o, q with
    | Some l, Some t => forall n, n < 3 -> shows vs (nth n l 0) [H] (fun i => at_ S t [Z.of_nat k; column p n (nth 0 i 0%Z)])
    | None, None => True
    | _, _ => False
    end.

  Lemma peeps_extends vs ws k o : peeps vs k o -> extends vs ws -> peeps ws k o.
  Proof.
    unfold peeps. intros P X. destruct o, q; try exact P. intros n lt. exact (shows_extends _ _ _ _ _ _ (P n lt) X).
  Qed.

  Lemma runs_peepholes vs o k : k < D ->
    input_shown S vs o [D; 3 * H] q -> runs vs (peepholes p o k) (fun ws l => peeps ws k l).
  Proof.
    unfold input_shown. intros lt X. unfold peepholes, peeps.
    destruct o as [n |], q as [t |]; try contradiction; [| now apply runs_return].
    eapply runs_bind.
    - apply (runs_in_turn S typed vs _ (fun _ g g' => g = g' /\ g < 3)
        (fun ws y g => shows ws y [H] (fun i => at_ S t [Z.of_nat k; column p g (nth 0 i 0%Z)])) _ [0; 1; 2]).
      + intros ws us g g' E _. exact E.
      + intros ws us y g E Y. exact (shows_extends _ _ _ _ _ _ E Y).
      + intros ws g g' Y [<- lg]. apply (fun F => shows_extends _ _ _ _ _ _ F Y) in X.
        eapply runs_bind; [apply runs_element; [exact lt | exact X] |]. intros us v _ V. cbn beta in V.
        eapply runs_weaken; [refine (runs_piece S typed us v [3 * H] _ 0 (g * H) H _ _ V); [cbn; lia | cbn [nth]; nia] |].
        intros zs y _. cbn [set_nth]. apply shows_ext. intros i I. apply in_box_one in I. now destruct I as (z & -> & _).
      + repeat constructor.
    - intros ws l _ L. cbn beta in L. apply runs_return. intros g lg.
      inversion L as [| y0 ? l0 ? E0 L0]; subst. inversion L0 as [| y1 ? l1 ? E1 L1]; subst.
      inversion L1 as [| y2 ? l2 ? E2 L2]; subst. destruct g as [| [| [| g]]]; [exact E0 | exact E1 | exact E2 | lia].
  Qed.

  Lemma runs_peeping vs peep y n k c f (t : tensor) : n < 3 -> peeps vs k peep -> holds S p vs c t -> shows vs y [B; H] f ->
    runs vs (peeping peep y n c)
      (fun ws m => shows ws m [B; H] (fun i => peeped S p q k n t (nth 0 i 0%Z) (nth 1 i 0%Z) (f i))).
  Proof.
    unfold peeps, peeping, peeped. intros lt P C Y. destruct peep as [l |], q as [s |]; try contradiction.
    - apply holds_shows in C. specialize (P n lt).
      eapply runs_bind; [exact (runs_row_times S typed vs (nth n l 0) c [B] H _ _ P C) |]. intros v1 m X1 M. grow X1.
      eapply runs_weaken; [exact (runs_plus S typed _ _ _ _ _ _ Y M) |]. intros v2 z _. apply shows_ext. intros i I.
      apply in_box_two in I. now destruct I as (a & b & -> & _).
    - now apply runs_return.
  Qed.

  Definition lstm_ready vs (k : nat) (c : lstm_reads) : Prop :=
    shows vs (lstm_weights c) [H; 4 * H] (fun i => at_ S r [Z.of_nat k; nth 1 i 0%Z; nth 0 i 0%Z]) /\
    match lstm_bias c, option_map (both_biases S p 4) bias with
    | Some b, Some f => shows vs b [4 * H] (fun i => f k (nth 0 i 0%Z))
    | None, None => True
    | _, _ => False
    end /\
    peeps vs k (lstm_peepholes c).

  Definition lstm_same vs (n : nat * nat) (s : tensor * tensor) : Prop :=
    holds S p vs (fst n) (fst s) /\ holds S p vs (snd n) (snd s).

  Lemma lstm_ready_extends vs ws k c : lstm_ready vs k c -> extends vs ws -> lstm_ready ws k c.
  Proof.
    intros (W & Bi & P) X. split; [exact (shows_extends _ _ _ _ _ _ W X) |]. split; [| exact (peeps_extends _ _ _ _ P X)].
    destruct (lstm_bias c), (option_map (both_biases S p 4) bias); try exact Bi. exact (shows_extends _ _ _ _ _ _ Bi X).
  Qed.

  Lemma lstm_same_extends vs ws n s : lstm_same vs n s -> extends vs ws -> lstm_same ws n s.
  Proof. intros [E F] X. split; eapply holds_extends; eauto. Qed.

  Ltac peep_grow X :=
    grow X;
    repeat match goal with
           | K : peeps ?vs _ _ |- _ =>
               match type of X with Composition.extends _ vs _ => apply (fun F => peeps_extends _ _ _ _ F X) in K end
           end.

  Lemma runs_lstm_step vs k c t n s xw : lstm_ready vs k c -> lstm_same vs n s ->
    shows vs xw [B; 4 * H]
      (fun i => input_part S p x w (option_map (both_biases S p 4) bias) k t (nth 0 i 0%Z) (nth 1 i 0%Z)) ->
    runs vs (lstm_step p c xw n) (fun ws m => lstm_same ws m (lstm_next S p x w r bias q k t s)).
  Proof.
    intros (W & _ & P) [Hh Hc] X. destruct n as [h c0], s as [th tc]. cbn [fst snd] in Hh, Hc.
    unfold lstm_step. pose proof (holds_shows S p _ _ _ Hh) as Sh. pose proof (holds_shows S p _ _ _ Hc) as Sc.
    eapply runs_bind; [exact (runs_product S typed _ _ _ _ _ _ _ _ Sh W) |]. intros v1 hw X1 HW. peep_grow X1.
    eapply runs_bind; [exact (runs_plus S typed _ _ _ _ _ _ X HW) |]. intros v2 sum X2 Su. peep_grow X2.
    eapply runs_bind; [exact (runs_gate S typed p _ 4 sum 0 _ ltac:(lia) Su) |]. intros v3 gi X3 Gi. peep_grow X3.
    eapply runs_bind; [exact (runs_peeping _ _ _ 0 k _ _ _ ltac:(lia) P Hc Gi) |]. intros v4 pi X4 Pi. peep_grow X4.
    eapply runs_bind; [exact (runs_unary S typed _ "Sigmoid" (sigmoid_cell S) _ _ _ eq_refl Pi) |]. intros v5 i X5 I.
    peep_grow X5.
    eapply runs_bind; [exact (runs_gate S typed p _ 4 sum 2 _ ltac:(lia) Su) |]. intros v6 gf X6 Gf. peep_grow X6.
    eapply runs_bind; [exact (runs_peeping _ _ _ 2 k _ _ _ ltac:(lia) P Hc Gf) |]. intros v7 pf X7 Pf. peep_grow X7.
    eapply runs_bind; [exact (runs_unary S typed _ "Sigmoid" (sigmoid_cell S) _ _ _ eq_refl Pf) |]. intros v8 f X8 F.
    peep_grow X8.
    eapply runs_bind; [exact (runs_gate S typed p _ 4 sum 3 _ ltac:(lia) Su) |]. intros v9 gg X9 Gg. peep_grow X9.
    eapply runs_bind; [exact (runs_unary S typed _ "Tanh" (s_tanh S) _ _ _ eq_refl Gg) |]. intros v10 g X10 G. peep_grow X10.
    eapply runs_bind; [exact (runs_times S typed _ _ _ _ _ _ I G) |]. intros v11 ig X11 Ig. peep_grow X11.
    eapply runs_bind; [exact (runs_times S typed _ _ _ _ _ _ F Sc) |]. intros v12 fc X12 Fc. peep_grow X12.
    eapply runs_bind; [exact (runs_plus S typed _ _ _ _ _ _ Fc Ig) |]. intros v13 c' X13 C'. peep_grow X13.
    apply shows_holds in C'.
    eapply runs_bind; [exact (runs_gate S typed p _ 4 sum 1 _ ltac:(lia) Su) |]. intros v14 go X14 Go. peep_grow X14.
    eapply runs_bind; [exact (runs_peeping _ _ _ 1 k _ _ _ ltac:(lia) P C' Go) |]. intros v15 po X15 Po. peep_grow X15.
    eapply runs_bind; [exact (runs_unary S typed _ "Sigmoid" (sigmoid_cell S) _ _ _ eq_refl Po) |]. intros v16 o X16 O.
    peep_grow X16.
    pose proof (holds_shows S p _ _ _ C') as Sc'.
    eapply runs_bind; [exact (runs_unary S typed _ "Tanh" (s_tanh S) _ _ _ eq_refl Sc') |]. intros v17 th' X17 Th. peep_grow X17.
    eapply runs_bind; [exact (runs_times S typed _ _ _ _ _ _ O Th) |]. intros v18 h' X18 H'. peep_grow X18.
    apply shows_holds in H'. apply runs_return. split; [exact H' | exact C'].
  Qed.

  Lemma runs_lstm_start vs type b h c q' k (th tc : option tensor) : k < D ->
    shows vs 2 [D; 4 * H; H] (at_ S r) ->
    input_shown S vs b [D; 2 * (4 * H)] bias -> input_shown S vs h (state_sizes p) th -> input_shown S vs c (state_sizes p) tc ->
    input_shown S vs q' [D; 3 * H] q ->
    runs vs (lstm_start type p b h c q' k) (fun ws n => lstm_ready ws k (fst n) /\
      lstm_same ws (snd n) (initial_state S p (typed type (LInt 0)) th k, initial_state S p (typed type (LInt 0)) tc k)).
  Proof.
    intros lt R Bi Hh Hc Q. unfold lstm_start.
    eapply runs_bind; [exact (runs_turned_weights S typed _ p _ _ k 2 _ lt R) |]. intros v1 m X1 M. cbn beta in M.
    eapply runs_bind; [exact (runs_bias_sum S typed p _ 4 b bias k lt (input_extends S _ _ _ _ _ Bi X1)) |].
    intros v2 bi X2 Bs. cbn beta in Bs.
    pose proof (extends_trans _ _ _ _ X1 X2) as Y2.
    eapply runs_bind; [exact (runs_peepholes v2 q' k lt (input_extends S _ _ _ _ _ Q Y2)) |]. intros v3 peep X3 P. cbn beta in P.
    pose proof (extends_trans _ _ _ _ Y2 X3) as Y3.
    eapply runs_bind; [exact (runs_initial S typed p v3 type h th k lt (input_extends S _ _ _ _ _ Hh Y3)) |].
    intros v4 h0 X4 H0. cbn beta in H0.
    pose proof (extends_trans _ _ _ _ Y3 X4) as Y4.
    eapply runs_bind; [exact (runs_initial S typed p v4 type c tc k lt (input_extends S _ _ _ _ _ Hc Y4)) |].
    intros v5 c0 X5 C0. cbn beta in C0.
    apply runs_return. cbn [fst snd]. split.
    - pose proof (extends_trans _ _ _ _ X4 X5) as Y5.
      assert (lstm_ready v3 k (LstmReads m bi peep)) as L; [| exact (lstm_ready_extends _ _ _ _ L Y5)].
      split; [exact (shows_extends _ _ _ _ _ _ M (extends_trans _ _ _ _ X2 X3)) |]. split; [| exact P]. cbn [lstm_bias].
      destruct bi, (option_map (both_biases S p 4) bias); try exact Bs. exact (shows_extends _ _ _ _ _ _ Bs X3).
    - split; cbn [fst snd]; [exact (holds_extends _ _ _ _ _ _ H0 X5) | exact C0].
  Qed.
End Proof.

Theorem lstm_correct S typed type d first x w r b h c q program :
  Forall good (x :: w :: r :: present [b; h; c; q]) ->
  lstm_composition type d first (dims x) (dims w) (dims r) (option_map dims b) (option_map dims h) (option_map dims c)
    (option_map dims q) = Some program ->
  exists ys, onnx_lstm S (typed type (LInt 0)) d first x w r b h c q = Some ys /\
    composed_all S typed program (x :: w :: r :: present [b; h; c; q]) = Some ys.
Proof.
  intros G E. unfold lstm_composition in E. unfold onnx_lstm.
  destruct (recurrence_of 4 d first (dims x) (dims w) (dims r)) as [p |] eqn:P; [| discriminate].
  apply recurrence_sizes in P. destruct P as (Dx & Dw & Dr). unfold guard in *.
  destruct (unrolls 4 p) eqn:U; [| discriminate]. apply unrolls_steps in U.
  destruct (lstm_sized p _ _ _ _) eqn:Z; [| discriminate]. cbn [andb] in E. apply some_same in E. subst program. eexists.
  split; [reflexivity |].
  apply runs_composed_all.
  pose proof (places_map (@dims (num S)) [b; h; c; q] 3) as Pl. cbn [map] in Pl. rewrite Pl. clear Pl.
  inversion G as [| ? ? Gx G1]; subst. inversion G1 as [| ? ? Gw G2]; subst. inversion G2 as [| ? ? Gr Go]; subst.
  unfold lstm_sized in Z. rewrite !andb_true_iff in Z. destruct Z as (((Zb & Zh) & Zc) & Zq).
  change (x :: w :: r :: present [b; h; c; q]) with ([x; w; r] ++ present [b; h; c; q]).
  assert (I : forall n ds, sized ds (option_map dims (nth n [b; h; c; q] None)) = true ->
    input_shown S (map GTensor ([x; w; r] ++ present [b; h; c; q])) (nth n (places 3 [b; h; c; q]) None) ds
      (nth n [b; h; c; q] None)).
  { intros n ds F. exact (input_places S [x; w; r] [b; h; c; q] n ds Go F). }
  apply (runs_recurrent S typed p 4 _ lstm_bias (lstm_step p) fst [fst; snd] x w (option_map (both_biases S p 4) b)
    (lstm_next S p x w r b q) _ fst [fst; snd] (lstm_ready S p r b q) (lstm_same S p)).
  - apply lstm_ready_extends.
  - apply lstm_same_extends.
  - intros vs n a F. apply F.
  - apply Forall2_cons; [intros vs n a F; apply F |]. apply Forall2_cons; [intros vs n a F; apply F | apply Forall2_nil].
  - intros vs k c0 F. apply F.
  - intros vs k c0 t n a xw _ _ R F X. exact (runs_lstm_step S typed p x w r b q vs k c0 t n a xw R F X).
  - exact U.
  - rewrite <- Dx. now apply shows_tensor.
  - rewrite <- Dw. now apply shows_tensor.
  - intros ws k X lt. apply runs_lstm_start; [exact lt | | | | |].
    + rewrite <- Dr. refine (shows_extends _ _ _ _ _ _ _ X). now apply shows_tensor.
    + exact (input_extends S _ _ _ _ _ (I 0 _ Zb) X).
    + exact (input_extends S _ _ _ _ _ (I 1 _ Zh) X).
    + exact (input_extends S _ _ _ _ _ (I 2 _ Zc) X).
    + exact (input_extends S _ _ _ _ _ (I 3 _ Zq) X).
Qed.

(** Two steps in both directions, the batch of three first. *)
Example lstm_example :
  let at_ n ds := Tensor ds (map (fun i => (Z.of_nat i * 7 + n) mod 5 - 2)%Z (seq 0 (cell_count ds))) in
  let x := at_ 1%Z [3; 2; 3] in
  let w := at_ 2%Z [2; 8; 3] in
  let r := at_ 3%Z [2; 8; 2] in
  let b := at_ 0%Z [2; 16] in
  let h := at_ 4%Z [3; 2; 2] in
  let q := at_ 1%Z [2; 6] in
  let program := lstm_composition f32_code Bidirectional true [3; 2; 3] [2; 8; 3] [2; 8; 2] (Some [2; 16]) (Some [3; 2; 2]) None
    (Some [2; 6]) in
  let ys := onnx_lstm integers 0%Z Bidirectional true x w r (Some b) (Some h) None (Some q) in
  option_map (map dims) ys = Some [[3; 2; 2; 2]; [3; 2; 2]; [3; 2; 2]] /\
  (let? m := program in composed_all integers (fun _ => literal_value integers) m [x; w; r; b; h; q]) = ys.
Proof. split; vm_compute; reflexivity. Qed.
