(** * RotaryEmbedding (opset 23 and on)

    Each pair of places of a head is turned by the angle of its step: (cos * a - sin * b, sin * a + cos * b).  The pairs
    are those of the two halves of the first [size] places, or the even and the odd ones ([interleaved]); places behind
    them stay.  All forms are covered: three and four dimensions, with [position_ids] and without, a part of the head.
    Left out: caches that are broadcast, and empty tensors, which C does not read either. *)

From Coq Require Import Bool List Lia Arith NArith String ZArith.
From Calque Require Import base.Lists attr.Attr tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.IndexProof.
From Calque Require Import tensor.Shapes tensor.Ops tensor.OpsNorm tensor.OpTable tensor.Instances.
From Calque Require Import onnx.Composition onnx.Steps onnx.Heads.
Import ListNotations.
Open Scope string_scope.
Open Scope list_scope.
Open Scope nat_scope.

(** How many places of a head are turned: all if ONNX's [rotary_embedding_dim] is 0. *)
Definition turned (size d : nat) : nat := if size =? 0 then d else size.

(** The angle of place [k], and whether it is the second one that has it. *)
Definition angle_of (interleaved : bool) (half k : nat) : nat * bool :=
  if interleaved then (k / 2, negb (k mod 2 =? 0)) else if k <? half then (k, false) else (k - half, true).

(** The two places that have angle [j]. *)
Definition first_place (interleaved : bool) (j : nat) : nat := if interleaved then j * 2 else j.
Definition second_place (interleaved : bool) (half j : nat) : nat := if interleaved then j * 2 + 1 else half + j.

Definition rotary_fits (size b h s d : nat) : bool :=
  let n := turned size d in
  (0 <? b) && (0 <? h) && (0 <? s) && (2 <=? n) && (n mod 2 =? 0) && (n <=? d).

(** A row for each step of each batch, or rows that the positions choose. *)
Definition cache_fits (b s half : nat) (cache : sizes) (ids : option sizes) : bool :=
  match ids with
  | None => sizes_eqb cache [b; s; half]
  | Some p => sizes_eqb p [b; s] && match cache with [_; k] => k =? half | _ => false end
  end.

Section Formula.
  Variable S : arith.
  Notation num := (num S).
  Notation tensor := (tensor num).

  (** The positions are rows of the cache. *)
  Definition ids_in (rows : nat) (ids : option tensor) : bool :=
    match ids with
    | None => true
    | Some p => forallb (fun i => match index_of S rows (at_ S p i) with Some _ => true | None => false end) (box (dims p))
    end.

  (** Number [j] of the row for step [s] of batch [b]. *)
  Definition cache_cell (cache : tensor) (ids : option tensor) (b s j : nat) : num :=
    match ids with
    | None => cell S cache [b; s; j]
    | Some p => match index_of S (nth 0 (dims cache) 0) (cell S p [b; s]) with
                | Some z => at_ S cache [z; Z.of_nat j]
                | None => s_zero S
                end
    end.

  Definition onnx_rotary (interleaved : bool) (heads size : nat) (x cos sin : tensor) (ids : option tensor) : option tensor :=
    let? (b, h, s, d) := head_sizes heads (dims x) in
    let n := turned size d in
    let half := n / 2 in
    guard (rotary_fits size b h s d && cache_fits b s half (dims cos) (option_map dims ids) &&
           cache_fits b s half (dims sin) (option_map dims ids) &&
           ids_in (nth 0 (dims cos) 0) ids && ids_in (nth 0 (dims sin) 0) ids)
      (Some (of_heads S (is_flat (dims x)) b h s d (fun b h s k =>
         if n <=? k then head_cell S d x b h s k else
         let (j, second) := angle_of interleaved half k in
         let c := cache_cell cos ids b s j in
         let t := cache_cell sin ids b s j in
         let a := head_cell S d x b h s (first_place interleaved j) in
         let e := head_cell S d x b h s (second_place interleaved half j) in
         if second then s_add S (s_mul S t a) (s_mul S c e) else s_sub S (s_mul S c a) (s_mul S t e)))).
End Formula.

(** ** Builders *)

Definition slice_last (b h s start step size : nat) (x : nat) : build nat :=
  apply "Slice" [("starts", ints_value [0%Z; 0%Z; 0%Z; Z.of_nat start]); ("steps", ints_value [1%Z; 1%Z; 1%Z; Z.of_nat step]);
                 ("sizes", nats_value [b; h; s; size])] [x].

Definition concat (axis : nat) (args : list nat) : build nat := apply "Concat" [("axis", nat_value axis)] args.

Definition cache_rows (b s half cache : nat) (ids : option nat) : build nat :=
  match ids with
  | None => reshape [b; 1; s; half] cache
  | Some p => y <- apply "Gather" [("axis", nat_value 0)] [cache; p] ;; reshape [b; 1; s; half] y
  end.

Definition interleave (b h s half : nat) (x y : nat) : build nat :=
  x' <- reshape [b; h; s; half; 1] x ;;
  y' <- reshape [b; h; s; half; 1] y ;;
  z <- concat 4 [x'; y'] ;;
  reshape [b; h; s; half * 2] z.

Definition rotation (interleaved : bool) (b h s d n : nat) (x cos sin : nat) : build nat :=
  let half := n / 2 in
  p <- slice_last b h s 0 (if interleaved then 2 else 1) half x ;;
  q <- slice_last b h s (if interleaved then 1 else half) (if interleaved then 2 else 1) half x ;;
  tq <- apply "Mul" [] [sin; q] ;;
  cp <- apply "Mul" [] [cos; p] ;;
  u <- apply "Sub" [] [cp; tq] ;;
  cq <- apply "Mul" [] [cos; q] ;;
  tp <- apply "Mul" [] [sin; p] ;;
  v <- apply "Add" [] [tp; cq] ;;
  y <- (if interleaved then interleave b h s half u v else concat 3 [u; v]) ;;
  if n <? d then r <- slice_last b h s n 1 (d - n) x ;; concat 3 [y; r] else Return y.

(** Inputs: X, the caches, and the positions if they are there. *)
Definition rotary_composition (interleaved : bool) (heads size : nat) (x cos sin : sizes) (ids : option sizes) :
    option (build nat) :=
  let? (b, h, s, d) := head_sizes heads x in
  let half := turned size d / 2 in
  guard (rotary_fits size b h s d && cache_fits b s half cos ids && cache_fits b s half sin ids)
    (Some (x' <- by_head heads x 0 ;;
           c <- cache_rows b s half 1 (option_map (fun _ => 3) ids) ;;
           t <- cache_rows b s half 2 (option_map (fun _ => 3) ids) ;;
           y <- rotation interleaved b h s d (turned size d) x' c t ;;
           if is_flat x then by_step b h s d y else Return y)).

(** ** The composition computes the formula *)

Lemma slice_fits_some n start step size : 0 < step -> start + (size - 1) * step < n ->
  slice_fits n (Z.of_nat start) (Z.of_nat step) size = true.
Proof.
  intros P lt. unfold slice_fits. rewrite (proj2 (Z.eqb_neq (Z.of_nat step) 0)) by lia.
  rewrite (proj2 (Z.leb_le 0 (Z.of_nat start))) by lia. destruct size as [| m]; [reflexivity |]. cbn [negb andb Nat.eqb orb].
  replace (Z.of_nat (Datatypes.S m) - 1)%Z with (Z.of_nat m) by lia. replace (Datatypes.S m - 1) with m in lt by lia.
  rewrite !andb_true_iff, !Z.ltb_lt, Z.leb_le. repeat split; nia.
Qed.

Lemma slice_fits_all n : slice_fits n 0 1 n = true.
Proof. destruct n as [| n]; [reflexivity |]. apply (slice_fits_some (Datatypes.S n) 0 1); lia. Qed.

Lemma even_half n : n mod 2 = 0 -> n = n / 2 * 2.
Proof. intros E. rewrite Nat.mul_comm. now apply Nat.div_exact. Qed.

Section Proofs.
  Variable S : arith.
  Variable typed : Z -> literal -> num S.
  Notation num := (num S).
  Notation tensor := (tensor num).
  Notation shows := (shows S).
  Notation table4 := (table4 S).

  Lemma runs_slice b h s d start step size f g : 0 < step -> start + (size - 1) * step < d ->
    (forall i j k m, i < b -> j < h -> k < s -> m < size -> f i j k (start + m * step) = g i j k m) ->
    forall vs k, shows vs k (table4 b h s d f) ->
    runs S typed vs (slice_last b h s start step size k) (fun ws r => shows ws r (table4 b h s size g)).
  Proof.
    intros P lt E vs k K. eapply runs_apply; [constructor; [exact K | constructor] |]. rewrite slice_value.
    2: { change (dims (table4 b h s d f)) with [b; h; s; d]. cbn [slices_fit].
         now rewrite !slice_fits_all, slice_fits_some. }
    do 2 f_equal. apply tabulate_table4. intros i j q m I J Q M. cbn [slice_at].
    rewrite <- (E i j q m) by assumption. rewrite <- (at_table4 S b h s d f i j q (start + m * step)) by nia.
    f_equal. repeat (f_equal; try lia).
  Qed.

  Lemma runs_concat b h s d e f g u : (forall i j k m, i < b -> j < h -> k < s -> m < d + e ->
      (if m <? d then f i j k m else g i j k (m - d)) = u i j k m) ->
    forall vs j k, shows vs j (table4 b h s d f) -> shows vs k (table4 b h s e g) ->
    runs S typed vs (concat 3 [j; k]) (fun ws r => shows ws r (table4 b h s (d + e) u)).
  Proof.
    intros E vs j k J K. eapply runs_apply; [constructor; [exact J | constructor; [exact K | constructor]] |].
    change [GTensor (table4 b h s d f); GTensor (table4 b h s e g)] with (map GTensor [table4 b h s d f; table4 b h s e g]).
    rewrite (concat_value S 3 _ [table4 b h s e g] [b; h; s; d + e]).
    2: { cbn. lia. }
    2: { unfold concat_dims. cbn. now rewrite sizes_eqb_refl. }
    do 2 f_equal. apply tabulate_table4. intros i j' q m I J' Q M. rewrite <- E by assumption.
    cbn [concat_cell]. change (dims (table4 b h s d f)) with [b; h; s; d]. cbn [nth set_nth].
    destruct (Z.ltb_spec (Z.of_nat m) (Z.of_nat d)) as [lt | ge].
    - rewrite (proj2 (Nat.ltb_lt m d)) by lia. apply at_table4; lia.
    - rewrite (proj2 (Nat.ltb_ge m d)) by lia. rewrite <- Nat2Z.inj_sub by lia. apply at_table4; lia.
  Qed.

  (** Cells of a fifth dimension: the first tensor's, then the second's. *)
  Lemma runs_interleave b h s half f g u : (forall i j k m, i < b -> j < h -> k < s -> m < half * 2 ->
      (if m mod 2 =? 0 then f i j k (m / 2) else g i j k (m / 2)) = u i j k m) ->
    forall vs j k, shows vs j (table4 b h s half f) -> shows vs k (table4 b h s half g) ->
    runs S typed vs (interleave b h s half j k) (fun ws r => shows ws r (table4 b h s (half * 2) u)).
  Proof.
    intros E vs j k J K.
    assert (R : forall f, Tensor [b; h; s; half; 1] (cells (table4 b h s half f)) =
      grid [b; h; s; half; 1] (fun l => match l with [i; j; k; m; _] => f i j k m | _ => s_zero S end)).
    { intros p. apply grid_recast; [cbn [cell_count fold_right]; lia |]. intros l W.
      destruct (within_5 _ _ _ _ _ _ W) as (i & j' & q & m & z & -> & I & J' & Q & M & Z).
      exists [i; j'; q; m]. split; [now apply within_of_4 | split; [| reflexivity]].
      cbn [map position cell_count fold_right]. rewrite !Nat2Z.id. replace z with 0 by lia. ring. }
    unfold interleave.
    assert (C : forall p, cell_count [b; h; s; half; 1] = cell_count (dims (table4 b h s half p)))
      by (intros p; cbn [dims Heads.table4 grid tabulate cell_count fold_right]; lia).
    eapply runs_bind; [eapply runs_reshape; [exact J | apply good_grid | apply C | apply R] |].
    intros ws j' X J'. apply (shows_extends S _ ws) in K; [| exact X].
    eapply runs_bind; [eapply runs_reshape; [exact K | apply good_grid | apply C | apply R] |]. clear C R.
    intros ws' k' X' K'. apply (shows_extends S _ ws') in J'; [| exact X'].
    set (x := grid [b; h; s; half; 1] _) in J'. set (y := grid [b; h; s; half; 1] _) in K'.
    set (z := grid [b; h; s; half; 2] (fun l => match l with
      [i; j; k; m; n] => if n =? 0 then f i j k m else g i j k m | _ => s_zero S end)).
    apply (runs_bind _ _ _ _ _ (fun ws r => shows ws r z)).
    - eapply runs_apply; [constructor; [exact J' | constructor; [exact K' | constructor]] |].
      change [GTensor x; GTensor y] with (map GTensor [x; y]).
      rewrite (concat_value S 4 x [y] [b; h; s; half; 2]).
      2: { cbn. lia. }
      2: { unfold concat_dims. cbn. now rewrite sizes_eqb_refl. }
      do 2 f_equal. apply tabulate_grid. intros l W.
      destruct (within_5 _ _ _ _ _ _ W) as (i & n & q & m & o & -> & I & N & Q & M & O).
      cbn [concat_cell]. change (dims x) with [b; h; s; half; 1]. cbn [map nth set_nth].
      destruct (Z.ltb_spec (Z.of_nat o) (Z.of_nat 1)) as [lt | ge].
      + rewrite (proj2 (Nat.eqb_eq o 0)) by lia.
        exact (cell_grid S [b; h; s; half; 1] _ [i; n; q; m; o] ltac:(apply within_of_5; lia)).
      + rewrite (proj2 (Nat.eqb_neq o 0)) by lia. replace (Z.of_nat o - Z.of_nat 1)%Z with (Z.of_nat 0) by lia.
        exact (cell_grid S [b; h; s; half; 1] _ [i; n; q; m; 0] ltac:(apply within_of_5; lia)).
    - intros us r _ Z. eapply runs_reshape; [exact Z | apply good_grid | |].
      { cbn [dims z grid tabulate cell_count fold_right]. lia. }
      apply grid_recast; [cbn [cell_count fold_right]; lia |]. intros l W.
      destruct (within_4 _ _ _ _ _ W) as (i & n & q & m & -> & I & N & Q & M).
      destruct (row_div half 2 m M) as (A & B & C).
      exists [i; n; q; m / 2; m mod 2]. split; [now apply within_of_5 | split; [| now apply E]].
      cbn [map position cell_count fold_right]. rewrite !Nat2Z.id. rewrite C at 3. ring.
  Qed.

  Lemma runs_rows b s half cache ids vs k p : cache_fits b s half (dims cache) (option_map dims ids) = true ->
    ids_in S (nth 0 (dims cache) 0) ids = true -> good cache -> shows vs k cache ->
    (match ids, p with None, None => True | Some t, Some j => shows vs j t | _, _ => False end) ->
    runs S typed vs (cache_rows b s half k p)
      (fun ws r => shows ws r (table4 b 1 s half (fun i _ q m => cache_cell S cache ids i q m))).
  Proof.
    intros F In G K P. destruct ids as [t |], p as [j |]; try contradiction;
      cbn [option_map cache_fits cache_rows cache_cell] in *.
    - apply andb_true_iff in F. destruct F as [Dt F]. apply sizes_eqb_iff in Dt.
      destruct (dims cache) as [| n [| m [| z ds]]] eqn:D; try discriminate. apply Nat.eqb_eq in F. subst m. cbn [nth] in *.
      set (y := grid [b; s; half] (on3 (fun i q m => match index_of S n (cell S t [i; q]) with
        Some z => at_ S cache [z; Z.of_nat m] | None => s_zero S end) (s_zero S))).
      apply (runs_bind _ _ _ _ _ (fun ws r => shows ws r y)).
      + eapply runs_apply; [constructor; [exact K | constructor; [exact P | constructor]] |].
        transitivity (one (let? axis := axis_of (List.length (dims cache)) (List.length (dims cache)) (Z.of_nat 0) in
          gather S axis cache t)); [reflexivity |].
        rewrite axis_of_nat by (rewrite D; cbn; lia). unfold gather. rewrite D. cbn [nth].
        unfold ids_in in In. rewrite Dt in In |- *. cbn [List.length] in *. cbn [guard]. rewrite In. cbn [guard table one].
        do 2 f_equal. cbn [gather_dims firstn skipn app]. apply tabulate_grid. intros l W.
        destruct (within_3 _ _ _ _ W) as (i & q & m & -> & I & Q & M). reflexivity.
      + intros ws r _ R. eapply runs_reshape; [exact R | apply good_grid | |].
        { cbn [dims y grid tabulate cell_count fold_right]. lia. }
        apply grid_recast; [cbn [cell_count fold_right]; lia |]. intros l W.
        destruct (within_4 _ _ _ _ _ W) as (i & n1 & q & m & -> & I & N & Q & M).
        exists [i; q; m]. split; [now apply within_of_3 | split; [| reflexivity]].
        cbn [map position cell_count fold_right]. rewrite !Nat2Z.id. replace n1 with 0 by lia. ring.
    - apply sizes_eqb_iff in F. eapply runs_reshape; [exact K | exact G | rewrite F; cbn [cell_count fold_right]; lia |].
      rewrite <- (grid_cell S cache G) at 1. rewrite F. apply grid_recast; [cbn [cell_count fold_right]; lia |]. intros l W.
      destruct (within_4 _ _ _ _ _ W) as (i & n1 & q & m & -> & I & N & Q & M).
      exists [i; q; m]. split; [now apply within_of_3 | split; [| reflexivity]].
      cbn [map position cell_count fold_right]. rewrite !Nat2Z.id. replace n1 with 0 by lia. ring.
  Qed.

  (** The cells of a head that is turned. *)
  Definition turn (interleaved : bool) (n : nat) (f c t : nat -> nat -> nat -> nat -> num) (b h s k : nat) : num :=
    if n <=? k then f b h s k else
    let (j, second) := angle_of interleaved (n / 2) k in
    let a := f b h s (first_place interleaved j) in
    let e := f b h s (second_place interleaved (n / 2) j) in
    if second then s_add S (s_mul S (t b 0 s j) a) (s_mul S (c b 0 s j) e)
    else s_sub S (s_mul S (c b 0 s j) a) (s_mul S (t b 0 s j) e).

  Lemma runs_rotation interleaved b h s d n f c t vs x k l : 2 <= n -> n mod 2 = 0 -> n <= d ->
    shows vs x (table4 b h s d f) -> shows vs k (table4 b 1 s (n / 2) c) -> shows vs l (table4 b 1 s (n / 2) t) ->
    runs S typed vs (rotation interleaved b h s d n x k l) (fun ws r => shows ws r (table4 b h s d (turn interleaved n f c t))).
  Proof.
    intros n2 even le X K L. apply even_half in even. set (half := n / 2) in *.
    assert (half <> 0) as H0 by lia.
    assert (Last : 0 < (if interleaved then 2 else 1)) by (destruct interleaved; lia).
    unfold rotation. fold half.
    eapply runs_bind; [eapply runs_slice with (d := d) (f := f) (g := fun i j k m => f i j k (first_place interleaved m));
      [exact Last | destruct interleaved; lia | intros; unfold first_place; destruct interleaved; f_equal; lia | exact X] |].
    intros vs1 p E P. apply (shows_extends S _ vs1) in X, K, L; try exact E. clear E.
    eapply runs_bind; [eapply runs_slice with (d := d) (f := f) (g := fun i j k m => f i j k (second_place interleaved half m));
      [exact Last | destruct interleaved; lia | intros; unfold second_place; destruct interleaved; f_equal; lia | exact X] |].
    intros vs2 q E Q. apply (shows_extends S _ vs2) in X, K, L, P; try exact E. clear E.
    eapply runs_bind; [eapply (runs_one_head S typed _ _ (mul_step S)); [exact L | exact Q] |].
    intros vs3 tq E TQ. apply (shows_extends S _ vs3) in X, K, L, P, Q; try exact E. clear E.
    eapply runs_bind; [eapply (runs_one_head S typed _ _ (mul_step S)); [exact K | exact P] |].
    intros vs4 cp E CP. apply (shows_extends S _ vs4) in X, K, L, P, Q, TQ; try exact E. clear E.
    eapply runs_bind; [eapply (runs_binary S typed _ _ (sub_step S)); [exact CP | exact TQ] |].
    intros vs5 u E U. apply (shows_extends S _ vs5) in X, K, L, P, Q; try exact E. clear E CP TQ.
    eapply runs_bind; [eapply (runs_one_head S typed _ _ (mul_step S)); [exact K | exact Q] |].
    intros vs6 cq E CQ. apply (shows_extends S _ vs6) in X, L, P, U; try exact E. clear E K Q.
    eapply runs_bind; [eapply (runs_one_head S typed _ _ (mul_step S)); [exact L | exact P] |].
    intros vs7 tp E TP. apply (shows_extends S _ vs7) in X, CQ, U; try exact E. clear E L P.
    eapply runs_bind; [eapply (runs_binary S typed _ _ (add_step S)); [exact TP | exact CQ] |].
    intros vs8 v E V. apply (shows_extends S _ vs8) in X, U; try exact E. clear E TP CQ.
    apply (runs_bind _ _ _ _ _ (fun ws r => shows ws r (table4 b h s n (turn interleaved n f c t)))).
    - replace (table4 b h s n (turn interleaved n f c t)) with (table4 b h s (half * 2) (turn interleaved n f c t))
        by now rewrite <- even.
      destruct interleaved.
      + eapply runs_interleave; [| exact U | exact V]. intros i j k' m I J K' M. cbv beta. unfold turn, angle_of. fold half.
        rewrite (proj2 (Nat.leb_gt n m)) by lia. now destruct (m mod 2 =? 0).
      + replace (half * 2) with (half + half) by lia.
        eapply runs_concat; [| exact U | exact V]. intros i j k' m I J K' M. cbv beta. unfold turn, angle_of. fold half.
        rewrite (proj2 (Nat.leb_gt n m)) by lia. now destruct (m <? half).
    - intros vs9 y E Y. apply (shows_extends S _ vs9) in X; [| exact E]. clear E.
      destruct (Nat.ltb_spec n d) as [lt | ge].
      + eapply runs_bind; [eapply runs_slice with (d := d) (f := f) (g := fun i j k m => f i j k (n + m));
          [lia | lia | intros; f_equal; lia | exact X] |].
        intros vs10 r E R. apply (shows_extends S _ vs10) in Y; [| exact E].
        replace (table4 b h s d (turn interleaved n f c t)) with (table4 b h s (n + (d - n)) (turn interleaved n f c t))
          by now replace (n + (d - n)) with d by lia.
        eapply runs_concat; [| exact Y | exact R].
        intros i j k' m I J K' M. cbv beta. unfold turn at 2. rewrite Nat.leb_antisym. unfold turn.
        destruct (Nat.ltb_spec m n) as [a | a]; cbn [negb].
        * now rewrite (proj2 (Nat.leb_gt n m)) by lia.
        * f_equal. lia.
      + apply runs_return. now replace d with n by lia.
  Qed.

  Local Opaque rotation cache_rows Nat.div.

  Theorem rotary_correct interleaved heads size x cos sin ids b :
    rotary_composition interleaved heads size (dims x) (dims cos) (dims sin) (option_map dims ids) = Some b ->
    good x -> good cos -> good sin ->
    ids_in S (nth 0 (dims cos) 0) ids = true -> ids_in S (nth 0 (dims sin) 0) ids = true ->
    exists y, onnx_rotary S interleaved heads size x cos sin ids = Some y /\
      composed S typed b ([x; cos; sin] ++ match ids with Some p => [p] | None => [] end) = Some y.
  Proof.
    unfold rotary_composition, onnx_rotary.
    destruct (head_sizes heads (dims x)) as [[[[n h] s] d] |] eqn:H; [| discriminate].
    intros B Gx Gc Gs Ic Is. rewrite Ic, Is, !andb_true_r. unfold guard in *.
    destruct (_ && _) eqn:Ok in B; [| discriminate]. rewrite Ok. injection B as <-.
    rewrite !andb_true_iff in Ok. destruct Ok as [[R Fc] Fs]. unfold rotary_fits in R.
    rewrite !andb_true_iff in R. destruct R as [[[_ n2] even] le].
    apply Nat.leb_le in n2, le. apply Nat.eqb_eq in even.
    eexists. split; [reflexivity |]. apply runs_composed.
    set (ts := [x; cos; sin] ++ _).
    assert (X : shows (map GTensor ts) 0 x) by now apply knows_inputs.
    assert (C : shows (map GTensor ts) 1 cos) by now apply knows_inputs.
    assert (N : shows (map GTensor ts) 2 sin) by now apply knows_inputs.
    assert (P : match ids with Some p => shows (map GTensor ts) 3 p | None => True end)
      by (destruct ids; [now apply knows_inputs | exact I]).
    clearbody ts.
    eapply runs_bind; [eapply runs_by_head; eassumption |].
    intros vs1 x' E X'. apply (shows_extends S _ vs1) in C, N; try exact E.
    assert (P1 : match ids with Some p => shows vs1 3 p | None => True end)
      by (destruct ids; [eapply shows_extends; eassumption | exact I]). clear E P.
    eapply runs_bind; [eapply runs_rows; [exact Fc | exact Ic | exact Gc | exact C | now destruct ids] |].
    intros vs2 c E C'. apply (shows_extends S _ vs2) in X', N; try exact E.
    assert (P2 : match ids with Some p => shows vs2 3 p | None => True end)
      by (destruct ids; [eapply shows_extends; eassumption | exact I]). clear E P1.
    eapply runs_bind; [eapply runs_rows; [exact Fs | exact Is | exact Gs | exact N | now destruct ids] |].
    intros vs3 t E T. apply (shows_extends S _ vs3) in X', C'; try exact E. clear E P2.
    eapply runs_bind; [eapply runs_rotation; [exact n2 | exact even | exact le | exact X' | exact C' | exact T] |].
    intros vs4 y _ Y.
    destruct (is_flat (dims x)); [eapply runs_by_step; exact Y | now apply runs_return].
  Qed.

  Local Transparent rotation cache_rows Nat.div.
End Proofs.

(** ** An instance: two batches, two heads, three steps, four of six places *)

Definition rotary_x : tensor Z := tabulate [2; 3; 12] (fun i => Z.of_nat (position [2; 3; 12] i)).
Definition rotary_cache (k : Z) : tensor Z := tabulate [4; 2] (fun i => Z.sub (Z.of_nat (position [4; 2] i)) k).
Definition rotary_ids : tensor Z := Tensor [2; 3] [0; 1; 2; 1; 2; 3]%Z.

Example rotary_example : forall interleaved, exists b y,
  rotary_composition interleaved 2 4 [2; 3; 12] [4; 2] [4; 2] (Some [2; 3]) = Some b /\
  onnx_rotary integers interleaved 2 4 rotary_x (rotary_cache 1) (rotary_cache 3) (Some rotary_ids) = Some y /\
  composed integers (fun _ => literal_value integers) b [rotary_x; rotary_cache 1; rotary_cache 3; rotary_ids] = Some y.
Proof. intros [|]; eexists; eexists; (split; [reflexivity | split; vm_compute; reflexivity]). Qed.
