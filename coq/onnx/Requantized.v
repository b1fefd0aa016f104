(** * Sums of products of integers, requantised

    What QLinearMatMul and QLinearConv do with the integers that they sum (c/onnx/expand_quant.c, [requantized]).  ONNX says
    that the result is saturate(round(sum * x_scale * w_scale / y_scale) + y_zero_point), and leaves open in which order that
    is computed and how it is rounded.  Here the scales are put together first, (x_scale * w_scale) / y_scale, and the sum, as
    float32, is multiplied by the result; each of the four is a float32, rounded to the nearest.  Scales that are constant are
    put together when the file is read.  [round] is to the nearest integer, the even one of two; what is not a number becomes
    the zero point. *)

From Coq Require Import Bool List Lia Arith NArith String ZArith.
From Coq.Floats Require Import SpecFloat.
From Calque Require Import base.Lists attr.Attr tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.IndexProof.
From Calque Require Import tensor.Ops tensor.OpTable tensor.Instances tensor.Mixed tensor.Convert tensor.Channel.
From Calque Require tensor.OpSafe.
From Calque Require Import tensor.FloatIntegers onnx.Composition onnx.Steps onnx.Range onnx.Elements onnx.Bytes
  onnx.QuantizeLinear.
Import ListNotations.
Open Scope string_scope.
Open Scope list_scope.
Open Scope Z_scope.

(** ** The formula *)

(** The scale of the first factor is one for all, or one for each place along [first]; that of the second along [second]. *)
Definition scale_cell (first second : option nat) (sx sw sy : tensor spec_float) (i : list Z) : spec_float :=
  let at_axis axis t := parameter not_a_number (match axis with Some k => k | None => O end) t i in
  SFdiv 24 128 (SFmul 24 128 (at_axis first sx) (at_axis second sw)) (at_axis None sy).

Definition requantised_cell (signed : bool) (scale : spec_float) (zero v : Z) : Z :=
  saturate signed (nearest_integer (SFmul 24 128 (float v) scale) + zero).

(** Of the sums [v], in a tensor of sizes [ds]. *)
Definition onnx_requantize (signed : bool) (first second : option nat) (ds : sizes) (sx sw sy : tensor spec_float)
  (zero : tensor Z) (v : list Z -> Z) : option (tensor Z) :=
  guard (fits first ds (dims sx) && fits second ds (dims sw) && fits None [] (dims sy) && fits None [] (dims zero))
    (Some (tabulate ds (fun i =>
      requantised_cell signed (scale_cell first second sx sw sy i) (zero_at None (Some zero) i) (v i)))).

(** ** The composition *)

(** A scale: its sizes, and its cells if it is constant. *)
Definition scale_point : Type := sizes * option (list spec_float).
Definition scale_input (known : bool) (t : tensor spec_float) : scale_point :=
  (dims t, if known then Some (cells t) else None).

Definition map_floats (f : spec_float -> spec_float -> spec_float) : tensor spec_float -> tensor spec_float ->
  option (tensor spec_float) :=
  map2 binary32 f.

(** A constant is read back from its bits, which is tested; [FloatLiterals] proves that the test succeeds. *)
Definition float_literal (x : spec_float) : option literal :=
  let y := rounded 53 1024 x in let? l := real_literal y in guard (same_float (rounded 24 128 y) x) (Some l).

(** (x_scale * w_scale) / y_scale: inputs [kx], [kw] and [ky]. *)
Definition scaled (first second : option nat) (ds : sizes) (sx sw sy : scale_point) (kx kw ky : nat) : option (build nat) :=
  let? qx := parameter_dims first ds (fst sx) in
  let? qw := parameter_dims second ds (fst sw) in
  let? qy := parameter_dims None [] (fst sy) in
  match snd sx, snd sw, snd sy with
  | Some x, Some w, Some y =>
      let? p := map_floats (SFmul 24 128) (Tensor qx x) (Tensor qw w) in
      let? t := map_floats (SFdiv 24 128) p (Tensor qy y) in
      let? l := traverse float_literal (cells t) in
      Some (constant f32_code (dims t) l)
  | _, _, _ =>
      Some (w <- reshaped kw (fst sw) qw ;; x <- reshaped kx (fst sx) qx ;; p <- apply "Mul" [] [x; w] ;;
            y <- reshaped ky (fst sy) qy ;; apply "Div" [] [p; y])
  end.

(** Sums of which float64 holds more than int32: the low 32 bits. *)
Definition low_bits_of (sums : nat) : build nat := l <- cast i64_code sums ;; cast i32_code l.

(** What becomes of the node of the sums.  [wide]: some may be beyond int32. *)
Definition requantize (signed wide : bool) (first second : option nat) (ds : sizes) (sx sw sy : scale_point)
  (zero : zero_point) (kx kw ky kz : nat) : option (nat -> build nat) :=
  let? scale := scaled first second ds sx sw sy kx kw ky in
  let? q := zero_dims None [] zero in
  Some (fun sums => scale <- scale ;; sums <- (if wide then low_bits_of sums else Return sums) ;; v <- cast f32_code sums ;;
                    z <- as_zero kz zero q ;; y <- apply "Mul" [] [v; scale] ;; saturated signed q y z).

(** ** Broadcasting twice *)

Lemma clip_clip a : forall q ds i, Forall2 OpSafe.side_fits a q -> Forall2 OpSafe.side_fits q ds -> in_box ds i = true ->
  clip a q (clip q ds i) = clip a ds i.
Proof.
  induction a as [| m a IH]; intros q ds i A Q I; inversion A as [| ? n ? q' R A']; subst;
    inversion Q as [| ? d ? ds' R' Q']; subst.
  - reflexivity.
  - destruct i as [| z i]; [discriminate |]. apply in_box_cons in I. destruct I as [B I]. cbn [clip].
    rewrite (IH q' ds' i A' Q' I).
    f_equal. unfold OpSafe.side_fits in *.
    destruct (Nat.eqb_spec m n), (Nat.eqb_spec n d), (Nat.eqb_spec m d); try reflexivity; lia.
Qed.

Lemma skipn_clip n : forall ds out i, skipn n (clip ds out i) = clip (skipn n ds) (skipn n out) (skipn n i).
Proof.
  induction n as [| n IH]; [reflexivity |].
  intros [| d ds] [| o out] [| z i]; cbn [clip skipn]; try reflexivity; try apply IH.
  - now destruct (skipn n ds).
  - now destruct (skipn n ds).
  - now destruct (skipn n ds), (skipn n out).
Qed.

Lemma spread_spread a q ds i : OpSafe.fits_in a q -> OpSafe.fits_in q ds -> in_box ds i = true ->
  spread a q (spread q ds i) = spread a ds i.
Proof.
  intros [L A] [M Q] I. unfold spread. rewrite skipn_clip, !OpSafe.skipn_add.
  replace (List.length ds - List.length q + (List.length q - List.length a))%nat with (List.length ds - List.length a)%nat
    by lia.
  apply clip_clip.
  - exact A.
  - apply (OpSafe.Forall2_skipn _ (List.length q - List.length a)) in Q. rewrite OpSafe.skipn_add in Q.
    now replace (List.length ds - List.length q + (List.length q - List.length a))%nat
      with (List.length ds - List.length a)%nat in Q by lia.
  - now apply in_box_skipn.
Qed.

Lemma fits_broadcast q ds : OpSafe.fits_in q ds -> broadcast ds q = Some ds.
Proof.
  intros [L F]. unfold broadcast. rewrite Nat.max_l by exact L. rewrite lead_same. apply agree_or_one. unfold lead.
  rewrite <- (firstn_skipn (List.length ds - List.length q) ds) at 1. apply Forall2_app.
  - assert (List.length (firstn (List.length ds - List.length q) ds) = (List.length ds - List.length q)%nat) as E
      by (rewrite firstn_length; lia).
    rewrite <- E at 2. generalize (firstn (List.length ds - List.length q) ds). clear. intros l.
    induction l; constructor; auto.
  - clear L. induction F as [| m n l r E F IH]; constructor; auto.
Qed.

(** Sizes of two that are broadcast to [ds] are broadcast there, too. *)
Lemma agree_least a : forall b c ds, agree a b = Some c -> Forall2 OpSafe.side_fits a ds -> Forall2 OpSafe.side_fits b ds ->
  Forall2 OpSafe.side_fits c ds.
Proof.
  induction a as [| m a IH]; intros [| n b] c ds E A B; try discriminate; cbn [agree] in E.
  - injection E as <-. exact A.
  - destruct (agree a b) as [r |] eqn:R; [| discriminate]. inversion A as [| ? d ? ds' Am A']; subst.
    inversion B as [| ? ? ? ? Bn B']; subst. specialize (IH b r ds' R A' B').
    destruct ((m =? n)%nat || (m =? 1)%nat); [injection E as <-; now constructor |].
    destruct (n =? 1)%nat; [injection E as <-; now constructor | discriminate].
Qed.

Lemma lead_sides s r ds : OpSafe.fits_in s ds -> (List.length s <= r <= List.length ds)%nat ->
  Forall2 OpSafe.side_fits (lead r s) (skipn (List.length ds - r) ds).
Proof.
  intros [_ F] L. unfold lead. set (l := skipn (List.length ds - r) ds).
  assert (skipn (r - List.length s) l = skipn (List.length ds - List.length s) ds) as K
    by (unfold l; rewrite OpSafe.skipn_add; f_equal; lia).
  rewrite <- (firstn_skipn (r - List.length s) l), K. apply Forall2_app; [| exact F].
  assert (List.length (firstn (r - List.length s) l) = (r - List.length s)%nat) as E
    by (rewrite firstn_length; unfold l; rewrite skipn_length; lia).
  rewrite <- E at 1. generalize (firstn (r - List.length s) l). clear. intros m. induction m; constructor; auto. now right.
Qed.

Lemma broadcast_least a b c ds : broadcast a b = Some c -> OpSafe.fits_in a ds -> OpSafe.fits_in b ds -> OpSafe.fits_in c ds.
Proof.
  intros E A B. pose proof (broadcast_length _ _ _ E) as L. pose proof A as [La _]. pose proof B as [Lb _].
  split; [lia |]. unfold broadcast in E. rewrite <- L in E. apply (agree_least _ _ _ _ E); apply lead_sides; auto; lia.
Qed.

Lemma broadcast_there a b ds : OpSafe.fits_in a ds -> OpSafe.fits_in b ds -> exists c, broadcast a b = Some c.
Proof.
  intros A B. pose proof A as [La _]. pose proof B as [Lb _]. unfold broadcast.
  set (r := Nat.max (List.length a) (List.length b)).
  pose proof (lead_sides a r ds A ltac:(lia)) as Fa. pose proof (lead_sides b r ds B ltac:(lia)) as Fb.
  revert Fa Fb. generalize (lead r a), (lead r b), (skipn (List.length ds - r) ds). clear. intros l m k H. revert m.
  induction H as [| x z l k R H IH]; intros m K; inversion K as [| y ? m' ? R' K']; subst; [now exists [] |].
  destruct (IH m' K') as [c E]. cbn [agree]. rewrite E. unfold OpSafe.side_fits in *.
  destruct (Nat.eqb_spec x y), (Nat.eqb_spec x 1), (Nat.eqb_spec y 1); cbn [orb]; eauto; lia.
Qed.

Lemma shows_fits {A} ds (t : tensor A) g : shows ds t g -> OpSafe.fits_in (dims t) ds.
Proof. intros (_ & B & _). now apply OpSafe.broadcast_fits in B. Qed.

Lemma shows_get {A} d ds (t : tensor A) g i : shows ds t g -> in_box ds i = true -> get d t (spread (dims t) ds i) = g i.
Proof.
  intros H I. pose proof (shows_in _ _ _ _ H I) as J. destruct H as (G & B & H). unfold get. rewrite J.
  exact (nth_error_nth _ _ d (H i I)).
Qed.

(** Two that are smaller than [ds] may be put together before they are broadcast. *)
Lemma shows_map2 f ds x y g h t : shows ds x g -> shows ds y h -> map_floats f x y = Some t ->
  shows ds t (fun i => f (g i) (h i)).
Proof.
  intros X Y E. unfold map_floats, map2, table in E. change (num binary32) with spec_float in E.
  destruct (broadcast (dims x) (dims y)) as [q |] eqn:B; [| discriminate E]. apply some_is in E. subst t.
  pose proof (OpSafe.broadcast_fits _ _ _ B) as [Fx Fy].
  pose proof (broadcast_least _ _ _ ds B (shows_fits _ _ _ X) (shows_fits _ _ _ Y)) as Fq.
  split; [apply good_tabulate |]. split; [exact (fits_broadcast q ds Fq) |]. intros i I. cbn [dims cells tabulate].
  assert (J : in_box q (spread q ds i) = true) by now apply OpSafe.spread_inside.
  rewrite (nth_error_box q _ _ J). f_equal. unfold spread_at, at_.
  change (num binary32) with spec_float.
  rewrite (spread_spread (dims x) q ds i Fx Fq I), (spread_spread (dims y) q ds i Fy Fq I).
  now rewrite (shows_get _ ds x g i X I), (shows_get _ ds y h i Y I).
Qed.

Lemma map_floats_there f ds x y g h : shows ds x g -> shows ds y h -> exists t, map_floats f x y = Some t.
Proof.
  intros X Y. unfold map_floats, map2, table. change (num binary32) with spec_float.
  destruct (broadcast_there _ _ ds (shows_fits _ _ _ X) (shows_fits _ _ _ Y)) as [c E].
  rewrite E. eauto.
Qed.

(** The operator on tensors of float32. *)
Lemma map_floats_op name f vs m n x y t : look_up String.eqb (operators S) name = Some (binary S f) -> good x -> good y ->
  forall g, (forall a b, f (scalar_of (F32 a)) (scalar_of (F32 b)) = scalar_of (F32 (g a b))) -> map_floats g x y = Some t ->
  knows vs m (GTensor (of_cells F32 x)) -> knows vs n (GTensor (of_cells F32 y)) ->
  runs vs (apply name [] [m; n]) (fun ws k => knows ws k (GTensor (of_cells F32 t))).
Proof.
  intros N Gx Gy g H E K L. unfold map_floats, map2, table in E. change (num binary32) with spec_float in E.
  destruct (broadcast (dims x) (dims y)) as [q |] eqn:B; [| discriminate E]. apply some_is in E. subst t.
  eapply runs_apply; [constructor; [exact K |]; constructor; [exact L | constructor] |].
  rewrite (binary_value S name f [] (of_cells F32 x) (of_cells F32 y) q N B). do 2 f_equal. rewrite <- of_tabulate.
  apply tabulate_ext. intros i I. unfold spread_at. cbn [of_cells dims].
  rewrite (at_of F32 (s_zero binary32) x _ Gx) by exact (spread_in_box _ _ _ _ B I).
  rewrite (at_of F32 (s_zero binary32) y _ Gy) by exact (spread_in_box_r _ _ _ _ B I). apply H.
Qed.

(** ** The scales *)

Lemma literal_read x l : float_literal x = Some l -> typed f32_code l = scalar_of (F32 x).
Proof.
  unfold float_literal, guard. set (y := rounded 53 1024 x). destruct (real_literal y) as [c |] eqn:R; [| discriminate].
  destruct (same_float (rounded 24 128 y) x) eqn:E; [| discriminate]. intros L. apply some_is in L. subst c.
  apply same_float_eq in E. rewrite (literal_cell f32_code y l (or_introl eq_refl) R).
  change (scalar_of (F32 (rounded 24 128 y)) = scalar_of (F32 x)). now rewrite E.
Qed.

Lemma literals_read l : forall m, traverse float_literal l = Some m ->
  map (typed f32_code) m = map (fun x => scalar_of (F32 x)) l.
Proof.
  induction l as [| x l IH]; intros m E; cbn [traverse] in E; [apply some_is in E; now subst |].
  destruct (float_literal x) as [c |] eqn:R; [| discriminate]. destruct (traverse float_literal l) as [k |]; [| discriminate].
  apply some_is in E. subst m. cbn [map]. now rewrite (literal_read x c R), (IH k eq_refl).
Qed.

Lemma literals_length l : forall m, traverse float_literal l = Some m -> List.length m = List.length l.
Proof.
  intros m E. apply literals_read in E. apply (f_equal (@List.length _)) in E. now rewrite !map_length in E.
Qed.

(** The scale of the result shows anywhere. *)
Lemma parameter_one {A} (d : A) p q ds : good p -> parameter_dims None [] (dims p) = Some q ->
  shows ds (Tensor q (cells p)) (parameter d 0 p).
Proof.
  intros G E. apply (parameter_shows d None ds p q G). unfold parameter_dims in *.
  destruct (dims p) as [| n [| ? ?]]; auto.
Qed.

Section Scales.
  Variables (first second : option nat) (ds : sizes) (sx sw sy : tensor spec_float).
  Hypotheses (Gx : good sx) (Gw : good sw) (Gy : good sy).

  Lemma scaled_fits (kx kw ky : bool) nx nw ny b :
    scaled first second ds (scale_input kx sx) (scale_input kw sw) (scale_input ky sy) nx nw ny = Some b ->
    fits first ds (dims sx) && fits second ds (dims sw) && fits None [] (dims sy) = true.
  Proof.
    unfold scaled, fits. cbn [scale_input fst].
    destruct (parameter_dims first ds (dims sx)); [| discriminate].
    destruct (parameter_dims second ds (dims sw)); [| discriminate].
    destruct (parameter_dims None [] (dims sy)); [reflexivity | discriminate].
  Qed.

  Lemma scaled_runs vs (kx kw ky : bool) nx nw ny b :
    scaled first second ds (scale_input kx sx) (scale_input kw sw) (scale_input ky sy) nx nw ny = Some b ->
    knows vs nx (GTensor (of_cells F32 sx)) -> knows vs nw (GTensor (of_cells F32 sw)) ->
      knows vs ny (GTensor (of_cells F32 sy)) ->
    runs vs b (fun ws k => exists t, knows ws k (GTensor (of_cells F32 t)) /\ shows ds t (scale_cell first second sx sw sy)).
  Proof.
    unfold scaled. cbn [scale_input fst snd]. destruct (parameter_dims first ds (dims sx)) as [qx |] eqn:Qx; [| discriminate].
    destruct (parameter_dims second ds (dims sw)) as [qw |] eqn:Qw; [| discriminate].
    destruct (parameter_dims None [] (dims sy)) as [qy |] eqn:Qy; [| discriminate]. intros E Kx Kw Ky.
    destruct (parameter_shows not_a_number first ds sx qx Gx Qx) as [Cx Hx].
    destruct (parameter_shows not_a_number second ds sw qw Gw Qw) as [Cw Hw].
    pose proof (parameter_one not_a_number sy qy ds Gy Qy) as Hy.
    destruct (map_floats_there (SFmul 24 128) ds _ _ _ _ Hx Hw) as [p P].
    pose proof (shows_map2 _ ds _ _ _ _ p Hx Hw P) as Hp.
    destruct (map_floats_there (SFdiv 24 128) ds _ _ _ _ Hp Hy) as [t T].
    pose proof (shows_map2 _ ds _ _ _ _ t Hp Hy T) as Ht.
    assert (Folded : (let? p := map_floats (SFmul 24 128) (Tensor qx (cells sx)) (Tensor qw (cells sw)) in
        let? t := map_floats (SFdiv 24 128) p (Tensor qy (cells sy)) in
        let? l := traverse float_literal (cells t) in Some (constant f32_code (dims t) l)) = Some b ->
      runs vs b (fun ws k => exists t, knows ws k (GTensor (of_cells F32 t)) /\
        shows ds t (scale_cell first second sx sw sy))).
    { rewrite P, T. destruct (traverse float_literal (cells t)) as [l |] eqn:L; [| discriminate]. intros F.
      apply some_is in F. subst b.
      destruct Ht as (Gt & Rest). eapply runs_weaken.
      { apply runs_constant. rewrite (literals_length _ _ L). now symmetry. }
      intros ws k _ K. cbv beta in K. exists t. split; [| exact (conj Gt Rest)]. rewrite (literals_read _ _ L) in K. exact K. }
    assert (Built : runs vs (w <- reshaped nw (dims sw) qw ;; x <- reshaped nx (dims sx) qx ;; p <- apply "Mul" [] [x; w] ;;
        y <- reshaped ny (dims sy) qy ;; apply "Div" [] [p; y])
      (fun ws k => exists t, knows ws k (GTensor (of_cells F32 t)) /\ shows ds t (scale_cell first second sx sw sy))).
    { eapply runs_bind; [exact (reshaped_runs F32 vs nw sw qw Gw Cw Kw) |]. intros w1 w X1 Lw. cbv beta in Lw.
      eapply runs_bind; [exact (reshaped_runs F32 w1 nx sx qx Gx Cx (knows_later _ _ _ _ Kx X1)) |]. intros w2 x X2 Lx.
      cbv beta in Lx.
      eapply runs_bind.
      { exact (map_floats_op "Mul" (s_mul S) w2 x w _ _ p eq_refl (proj1 Hx) (proj1 Hw) (SFmul 24 128) (fun _ _ => eq_refl) P
          Lx (knows_later _ _ _ _ Lw X2)). }
      intros w3 n X3 Ln. cbv beta in Ln. assert (X : extends S vs w3) by (eapply extends_trans; [exact X1 |];
        eapply extends_trans; [exact X2 | exact X3]).
      assert (Cy : cell_count qy = cell_count (dims sy)) by exact (proj1 (parameter_shows not_a_number None [] sy qy Gy Qy)).
      eapply runs_bind; [exact (reshaped_runs F32 w3 ny sy qy Gy Cy (knows_later _ _ _ _ Ky X)) |]. intros w4 y X4 Ly.
      cbv beta in Ly.
      eapply runs_weaken.
      { exact (map_floats_op "Div" (s_div S) w4 n y _ _ t eq_refl (proj1 Hp) (proj1 Hy) (SFdiv 24 128) (fun _ _ => eq_refl) T
          (knows_later _ _ _ _ Ln X4) Ly). }
      intros ws k _ K. cbv beta in K. now exists t. }
    destruct kx, kw, ky; try (apply some_is in E; subst b; exact Built). exact (Folded E).
  Qed.
End Scales.

(** ** The sums *)

(** The same number; a zero has either sign. *)
Definition alike (x y : spec_float) : Prop := x = y \/ exists s t, x = S754_zero s /\ y = S754_zero t.

(** As float32, by the steps, [a] is the integer [v]. *)
Definition sums_to (wide : bool) (a : num S) (v : Z) : Prop :=
  exists x, s_cast S f32_code (if wide then s_cast S i32_code (s_cast S i64_code a) else a) = scalar_of (F32 x) /\
    alike x (float v).

(** What is exact in float32. *)
Lemma sums_float32 x v : stands 24 128 x v -> Z.abs v < 2 ^ 24 -> sums_to false (scalar_of (F32 x)) v.
Proof.
  intros H L. exists x. split; [reflexivity |].
  destruct (stands_one 24 128 ltac:(easy) _ _ _ H (stands_float v L)) as [-> | [_ E]]; [now left | now right].
Qed.

(** A sum of no terms. *)
Lemma sums_nothing : sums_to false (s_zero S) 0.
Proof. exists (S754_zero false). split; [reflexivity | now left]. Qed.

Lemma sums_nothing_wide : sums_to true (s_zero S) 0.
Proof. exists (S754_zero false). split; [reflexivity | now left]. Qed.

Lemma rounded_stands x v : stands 53 1024 x v -> alike (rounded 24 128 x) (float v).
Proof.
  intros H. destruct x as [s | s | | s m e]; try contradiction; cbn [rounded].
  - cbn [stands] in H. subst v. right. now exists s, false.
  - destruct H as [B V]. left. pose proof (low_exponent 53 1024 ltac:(easy) _ _ B). unfold float.
    set (z := if s then Zneg m else Zpos m). assert (z * 2 ^ (e + scale_) = v * 2 ^ scale_) as W
      by (rewrite <- V; now destruct s).
    assert (v <> 0) as N.
    { pose proof scale_pos. pose proof (Z.pow_pos_nonneg 2 (e + scale_) ltac:(lia) ltac:(unfold scale_; lia)).
      assert (z <> 0) by (unfold z; destruct s; lia). intros ->. nia. }
    rewrite (normalize_same 24 128 ltac:(easy) z e v s ltac:(unfold scale_; lia) N W).
    destruct v; [easy | reflexivity | reflexivity].
Qed.

(** What is exact in float64, rounded once. *)
Lemma sums_float64 x v : stands 53 1024 x v -> sums_to false (scalar_of (F64 x)) v.
Proof. intros H. exists (rounded 24 128 x). split; [reflexivity | exact (rounded_stands x v H)]. Qed.

(** The low 32 bits of it. *)
Lemma sums_wide x v : stands 53 1024 x v -> Z.abs v < 2 ^ 53 -> sums_to true (scalar_of (F64 x)) (wrap32 v).
Proof.
  intros H L. exists (float (wrap32 v)). split; [| now left].
  change (scalar_of (F32 (float (wrap32 (cut x)))) = scalar_of (F32 (float (wrap32 v)))).
  now rewrite (cut_stands 53 1024 ltac:(easy) x v H L).
Qed.

Lemma nearest_alike x y u : alike x y -> nearest_integer (SFmul 24 128 x u) = nearest_integer (SFmul 24 128 y u).
Proof. intros [-> | (s & t & -> & ->)]; [reflexivity |]. now destruct u as [r | r | | r m e], s, t. Qed.

(** ** The theorem *)

Notation good_scale t := (good t /\ valid32 (cells t)).

Lemma scale_valid first second ds sx sw sy qx qw qy i : good_scale sx -> good_scale sw -> good_scale sy ->
  parameter_dims first ds (dims sx) = Some qx -> parameter_dims second ds (dims sw) = Some qw ->
  parameter_dims None [] (dims sy) = Some qy -> in_box ds i = true ->
  valid_binary 24 128 (scale_cell first second sx sw sy i) = true.
Proof.
  intros [Gx Vx] [Gw Vw] [Gy Vy] Qx Qw Qy I. unfold scale_cell. apply div_valid; try easy. apply mul_valid; try easy.
  - destruct (parameter_shows not_a_number first ds sx qx Gx Qx) as [_ H]. exact (shows_all _ _ _ _ i H Vx I).
  - destruct (parameter_shows not_a_number second ds sw qw Gw Qw) as [_ H]. exact (shows_all _ _ _ _ i H Vw I).
  - exact (shows_all _ _ _ _ i (parameter_one not_a_number sy qy ds Gy Qy) Vy I).
Qed.

Lemma alike_valid x v : alike x (float v) -> valid_binary 24 128 x = true.
Proof. intros [-> | (s & t & -> & _)]; [now apply normalize_valid | reflexivity]. Qed.

Section Requantize.
  Variables (signed wide : bool) (first second : option nat) (ds : sizes) (sx sw sy : tensor spec_float) (zero : tensor Z).
  Variables (known_x known_w known_y known_zero : bool) (kx kw ky kz : nat) (build_ : nat -> build nat).
  Hypothesis there : requantize signed wide first second ds (scale_input known_x sx) (scale_input known_w sw)
    (scale_input known_y sy) (zero_input known_zero (Some zero)) kx kw ky kz = Some build_.

  Lemma requantize_formula v : onnx_requantize signed first second ds sx sw sy zero v =
    Some (tabulate ds (fun i =>
      requantised_cell signed (scale_cell first second sx sw sy i) (zero_at None (Some zero) i) (v i))).
  Proof.
    unfold requantize in there. destruct (scaled _ _ _ _ _ _ _ _ _) as [b |] eqn:E; [| discriminate there].
    destruct (zero_dims None [] (zero_input known_zero (Some zero))) as [q |] eqn:Q; [| discriminate there].
    unfold onnx_requantize. rewrite (scaled_fits _ _ _ _ _ _ _ _ _ _ _ _ _ E). cbn [zero_input option_map zero_dims] in Q.
    unfold fits. now rewrite Q.
  Qed.

  Hypotheses (Gx : good_scale sx) (Gw : good_scale sw) (Gy : good_scale sy).
  Hypothesis Gz : good zero /\ Forall (in_range signed) (cells zero).

  (** The sums are in the node [sums]: their cells are the integers [v]. *)
  Theorem requantize_runs vs sums t v : dims t = ds -> knows vs sums (GTensor t) ->
    (forall i, in_box ds i = true -> sums_to wide (at_ S t i) (v i)) ->
    knows vs kx (GTensor (of_cells F32 sx)) -> knows vs kw (GTensor (of_cells F32 sw)) ->
    knows vs ky (GTensor (of_cells F32 sy)) -> knows vs kz (GTensor (of_cells (byte signed) zero)) ->
    exists y, onnx_requantize signed first second ds sx sw sy zero v = Some y /\
      runs vs (build_ sums) (fun ws k => knows ws k (GTensor (of_cells (byte signed) y))).
  Proof.
    intros D Ks Hs Kx Kw Ky Kz. rewrite requantize_formula. eexists. split; [reflexivity |].
    unfold requantize in there. destruct (scaled _ _ _ _ _ _ _ _ _) as [b |] eqn:E; [| discriminate there].
    destruct (zero_dims None [] (zero_input known_zero (Some zero))) as [q |] eqn:Q; [| discriminate there].
    apply some_is in there. subst build_.
    eapply runs_bind.
    { exact (scaled_runs _ _ _ _ _ _ (proj1 Gx) (proj1 Gw) (proj1 Gy) vs _ _ _ _ _ _ b E Kx Kw Ky). }
    intros w1 scale X1 (ts & Kt & Ht).
    set (narrow := fun a : num S => if wide then s_cast S i32_code (s_cast S i64_code a) else a).
    eapply (runs_bind S typed w1 _ _ (fun ws k => exists u, knows ws k (GTensor u) /\ dims u = ds /\
      forall i, in_box ds i = true -> at_ S u i = narrow (at_ S t i))).
    { unfold narrow. destruct wide.
      - unfold low_bits_of. eapply runs_bind.
        { eapply runs_apply; [constructor; [exact (knows_later _ _ _ _ Ks X1) | constructor] | apply cast_value; easy]. }
        intros w2 l _ Kl. cbv beta in Kl. eapply runs_weaken.
        { eapply runs_apply; [constructor; [exact Kl | constructor] | apply cast_value; easy]. }
        intros w3 k _ K. cbv beta in K. eexists. split; [exact K |]. cbn [dims tabulate]. split; [exact D |].
        rewrite D. intros i I. unfold at_. now rewrite !get_tabulate by exact I.
      - apply runs_return. exists t. split; [exact (knows_later _ _ _ _ Ks X1) |]. now split. }
    intros w2 n X2 (u & Ku & Du & Hu). eapply runs_bind.
    { eapply runs_apply; [constructor; [exact Ku | constructor] | apply cast_value; easy]. }
    intros w3 f X3 Kf. cbv beta in Kf. set (x := fun i => real_of (s_cast S f32_code (at_ S u i))).
    assert (Hx : forall i, in_box ds i = true ->
      s_cast S f32_code (at_ S u i) = scalar_of (F32 (x i)) /\ alike (x i) (float (v i))).
    { intros i I. unfold x. rewrite (Hu i I). destruct (Hs i I) as (a & Ea & A). fold (narrow (at_ S t i)) in Ea. rewrite Ea.
      now split. }
    assert (X13 : extends S w1 w3) by (eapply extends_trans; eassumption).
    assert (Kf' : knows w3 f (GTensor (of_cells F32 (tabulate ds x)))).
    { rewrite <- of_tabulate. replace (tabulate ds (fun i => scalar_of (F32 (x i)))) with
        (tabulate (dims u) (fun i => s_cast S f32_code (at_ S u i))); [exact Kf |].
      rewrite Du. apply tabulate_ext. intros i I. exact (proj1 (Hx i I)). }
    eapply runs_bind.
    { apply (as_zero_runs signed None ds w3 kz known_zero (Some zero) q Gz).
      - cbn [zero_input option_map zero_dims] in Q |- *. revert Q. unfold parameter_dims.
        now destruct (dims zero) as [| ? [| ? ?]].
      - intros t' Et. injection Et as <-. exact (knows_later _ _ _ _ Kz (extends_trans S _ _ _ X1 X13)). }
    intros w4 o X4 Ko. cbv beta in Ko. eapply runs_bind.
    { apply (binary_runs F32 F32 F32 (s_mul S) ds w4 "Mul" [] f scale _ ts _ _
        (fun i => SFmul 24 128 (x i) (scale_cell first second sx sw sy i)) eq_refl (knows_later _ _ _ _ Kf' X4)
        (knows_later _ _ _ _ Kt (extends_trans S _ _ _ X13 X4)) (shows_tabulate ds x) Ht); [now left | reflexivity]. }
    intros w5 y X5 Ky'. cbv beta in Ky'.
    replace (tabulate ds (fun i =>
        requantised_cell signed (scale_cell first second sx sw sy i) (zero_at None (Some zero) i) (v i)))
      with (tabulate ds (fun i => quantised signed (SFmul 24 128 (x i) (scale_cell first second sx sw sy i))
        (zero_at None (Some zero) i))).
    2: { apply tabulate_ext. intros i I. unfold quantised, requantised_cell.
         now rewrite (nearest_alike _ _ _ (proj2 (Hx i I))). }
    apply (saturated_runs signed ds w5 q y _ o (zero_at None (Some zero)) Ky').
    - intros i I. apply mul_valid; try easy; [exact (alike_valid _ _ (proj2 (Hx i I))) |].
      clear - E Gx Gw Gy I. unfold scaled in E. cbn [scale_input fst] in E.
      destruct (parameter_dims first ds (dims sx)) as [qx |] eqn:Qx; [| discriminate E].
      destruct (parameter_dims second ds (dims sw)) as [qw |] eqn:Qw; [| discriminate E].
      destruct (parameter_dims None [] (dims sy)) as [qy |] eqn:Qy; [| discriminate E].
      exact (scale_valid _ _ _ _ _ _ _ _ _ i Gx Gw Gy Qx Qw Qy I).
    - exact (zero_known_later _ _ _ _ _ _ _ Ko X5).
    - intros i I. destruct Gz as [G R]. cbn [zero_input option_map zero_dims] in Q.
      apply (shows_all ds (Tensor q (cells zero)) _ (in_range signed) i (parameter_one 0 zero q ds G Q) R I).
  Qed.
End Requantize.

(** An instance: 20 * (1/2 * 1/4) / (1/2) + 3 = 8; of 6 * 1/4 the half goes to even. *)
Example requantize_example :
  let quarter := SFdiv 24 128 (float 1) (float 4) in
  let half := SFdiv 24 128 (float 1) (float 2) in
  let sx := Tensor [] [half] in
  let sw := Tensor [2]%nat [quarter; float 100] in
  let sy := Tensor [1]%nat [half] in
  let zero := Tensor [] [3] in
  shown_tensor (let? b := requantize true false None (Some 1%nat) [2; 2]%nat (scale_input true sx) (scale_input true sw)
      (scale_input true sy) (zero_input true (Some zero)) 1 2 3 4 in
    composed S typed (b 0%nat) [of_cells F32 (Tensor [2; 2]%nat [float 20; float (-7); float 6; float 1]); of_cells F32 sx;
      of_cells F32 sw; of_cells F32 sy; of_cells I8 zero]) =
  Some ([2; 2]%nat, map (fun z => Some (I8 z)) [8; -128; 5; 103]).
Proof. vm_compute. reflexivity. Qed.
