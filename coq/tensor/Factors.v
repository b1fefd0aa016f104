(** * Factors and shifts of channels

    What stands next to a convolution or a normalisation moves into its parameters. *)

From Coq Require Import Bool Lia List Arith NArith ZArith Ring_theory Ring.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.IndexProof tensor.Shapes.
From Calque Require Import tensor.Ops tensor.OpsWindow tensor.OpsNorm tensor.Algebra tensor.Channel.
Import ListNotations.
Open Scope nat_scope.

Section Scalar.
  Variable S : arith.
  Notation num := (num S).
  Notation tensor := (tensor num).
  Notation at_ := (at_ S).

  Lemma agree_scalar_r y : agree y (repeat 1 (length y)) = Some y.
  Proof. apply agree_ones. Qed.

  Lemma agree_scalar_l y : agree (repeat 1 (length y)) y = Some y.
  Proof.
    induction y as [| d y IH]; [reflexivity |]. cbn [length repeat agree]. rewrite IH.
    destruct (Nat.eqb_spec 1 d) as [<- |]; reflexivity.
  Qed.

  (** A tensor without dimensions is one value everywhere. *)
  Lemma map2_scalar_r f (y a : tensor) : dims a = [] ->
    map2 S f y a = Some (tabulate (dims y) (fun i => f (at_ y i) (at_ a []))).
  Proof.
    intros D. unfold map2. rewrite D. unfold broadcast. cbn [length]. rewrite Nat.max_0_r, lead_same.
    unfold lead. cbn [length]. rewrite Nat.sub_0_r, app_nil_r, agree_scalar_r. unfold table. f_equal.
    apply tabulate_ext. intros i I. unfold spread_at. rewrite spread_same by exact I. rewrite D. reflexivity.
  Qed.

  Lemma map2_scalar_l f (a y : tensor) : dims a = [] ->
    map2 S f a y = Some (tabulate (dims y) (fun i => f (at_ a []) (at_ y i))).
  Proof.
    intros D. unfold map2. rewrite D. unfold broadcast. cbn [length]. rewrite Nat.max_0_l, lead_same.
    unfold lead. cbn [length]. rewrite Nat.sub_0_r, app_nil_r, agree_scalar_l. unfold table. f_equal.
    apply tabulate_ext. intros i I. unfold spread_at. rewrite spread_same by exact I. rewrite D. reflexivity.
  Qed.

  (** ** Vectors by their elements *)

  Definition vector (n : nat) (t : tensor) (f : Z -> num) : Prop :=
    dims t = [n] /\ forall c, (0 <= c < Z.of_nat n)%Z -> at_ t [c] = f c.

  Lemma vector_of (t : tensor) n : dims t = [n] -> vector n t (fun c => at_ t [c]).
  Proof. now split. Qed.

  Lemma vector_recast (k u : tensor) n : recast [n] k = Some u -> vector n u (chan S k).
  Proof.
    intros R. pose proof (chan_recast S [n] k u) as E. apply recast_iff in R. destruct R as [_ ->].
    split; [reflexivity |]. intros c I. rewrite (at_chan_vector S _ n) by (reflexivity || exact I). reflexivity.
  Qed.

  Lemma vector_tabulate n f : vector n (tabulate [n] f) (fun c => f [c]).
  Proof.
    split; [reflexivity |]. intros c I. apply at_tabulate. apply in_box_cons. split; [exact I | reflexivity].
  Qed.

  Lemma vector_map2 op n t u f g : vector n t f -> vector n u g ->
    exists r, map2 S op t u = Some r /\ vector n r (fun c => op (f c) (g c)).
  Proof.
    intros [Dt F] [Du G]. eexists. split; [apply map2_same; congruence |]. rewrite Dt. split; [reflexivity |].
    intros c I. rewrite at_tabulate by (apply in_box_cons; split; [exact I | reflexivity]).
    now rewrite F, G.
  Qed.

  Lemma vector_map1 op n t f : vector n t f -> exists r, map1 S op t = Some r /\ vector n r (fun c => op (f c)).
  Proof.
    intros [Dt F]. unfold map1. rewrite Dt. eexists. split; [reflexivity |]. split; [reflexivity |].
    intros c I. rewrite at_tabulate by (apply in_box_cons; split; [exact I | reflexivity]). now rewrite F.
  Qed.

  Lemma vector_scalar_r op n t a f : vector n t f -> dims a = [] ->
    exists r, map2 S op t a = Some r /\ vector n r (fun c => op (f c) (at_ a [])).
  Proof.
    intros [Dt F] Da. eexists. split; [now apply map2_scalar_r |]. rewrite Dt. split; [reflexivity |].
    intros c I. rewrite at_tabulate by (apply in_box_cons; split; [exact I | reflexivity]). now rewrite F.
  Qed.

  Lemma vector_scalar_l op n t a f : vector n t f -> dims a = [] ->
    exists r, map2 S op a t = Some r /\ vector n r (fun c => op (at_ a []) (f c)).
  Proof.
    intros [Dt F] Da. eexists. split; [now apply map2_scalar_l |]. rewrite Dt. split; [reflexivity |].
    intros c I. rewrite at_tabulate by (apply in_box_cons; split; [exact I | reflexivity]). now rewrite F.
  Qed.

  Lemma vector_chan n t f c : vector n t f -> (0 <= c < Z.of_nat n)%Z -> chan S t c = f c.
  Proof. intros [D F] I. rewrite <- (F c I). symmetry. now apply (at_chan_vector S t n). Qed.

  (** The place of a cell of two dimensions and more. *)
  Lemma second_in n c ys i : in_box (n :: c :: ys) i = true -> (0 <= nth 1 i 0%Z < Z.of_nat c)%Z.
  Proof.
    destruct i as [| z [| o i]]; try discriminate; intros I; apply in_box_cons in I; destruct I as [_ I];
      [discriminate |]. apply in_box_cons in I. apply I.
  Qed.

  Lemma batch_norm_iff e (x g b m v u : tensor) n c ys : dims x = n :: c :: ys ->
    batch_norm S e x g b m v = Some u <->
    dims g = [c] /\ dims b = [c] /\ dims m = [c] /\ dims v = [c] /\
    u = tabulate (dims x) (fun i =>
      let o := nth 1 i 0%Z in
      s_add S (s_mul S (s_div S (s_sub S (at_ x i) (at_ m [o])) (s_sqrt S (s_add S (at_ v [o]) (s_real S e))))
                 (at_ g [o])) (at_ b [o])).
  Proof.
    intros D. unfold batch_norm. rewrite table_iff, D. unfold batch_norm_dims, channels, guard, is_vector, sizes_eqb. cbn.
    destruct (list_eq_dec Nat.eq_dec (dims g) [c]), (list_eq_dec Nat.eq_dec (dims b) [c]),
      (list_eq_dec Nat.eq_dec (dims m) [c]), (list_eq_dec Nat.eq_dec (dims v) [c]); cbn; split;
      try (intros (ds & E & _); discriminate E); try (intros (? & ? & ? & ? & _); congruence).
    - intros (ds & E & ->). injection E as <-. repeat (split; [assumption |]). reflexivity.
    - intros (_ & _ & _ & _ & ->). now eexists.
  Qed.
End Scalar.

Section Ring.
  Variable S : arith.
  Variable laws : ring_laws S.
  Notation num := (num S).
  Notation tensor := (tensor num).
  Notation at_ := (at_ S).
  Local Notation "0" := (s_zero S).
  Local Infix "+" := (s_add S).
  Local Infix "*" := (s_mul S).
  Local Infix "-" := (s_sub S).
  Local Infix "/" := (s_div S).

  Add Ring numbers : (ring_is S laws).

  Lemma zero_times a : 0 * a = 0.
  Proof. ring. Qed.

  (** ** Convolution with a factor for each output *)

  Lemma conv_cell_scale w g x f fk (s : Z -> num) n o y :
    dims fk = dims f -> (forall k, at_ fk (o :: k) = at_ f (o :: k) * s o) ->
    conv_cell S w g x fk (n :: o :: y) = conv_cell S w g x f (n :: o :: y) * s o.
  Proof.
    intros D F. unfold conv_cell. rewrite D, (s_sum_scale S laws). apply s_sum_ext. intros k _.
    unfold conv_term. rewrite D. destruct (in_box (dims x) _); [rewrite F; ring | ring].
  Qed.

  Lemma conv_out w g (x f : tensor) out : conv_dims w g (dims x) (dims f) None = Some out ->
    exists n o y fs, out = n :: o :: y /\ dims f = o :: fs.
  Proof.
    intros D. destruct (conv_dims_bias w g _ _ _ _ D) as (_ & _ & n & o & y & -> & E).
    unfold conv_dims in D. destruct (dims x) as [| ? [| ? ?]]; try discriminate.
    destruct (dims f) as [| o' fs]; [discriminate |]. simpl in E. subst o'. now exists n, o, y, fs.
  Qed.

  (** [kw] holds the factors, one for each output; [b'] is the new bias. *)
  Theorem conv_scale w g x f b u kw b' c fs :
    conv S w g x f b = Some u -> dims f = c :: fs -> dims kw = c :: repeat 1 (length fs) ->
    match b' with Some b' => dims b' = [c] | None => True end ->
    exists fk, map2 S (s_mul S) f kw = Some fk /\
      conv S w g x fk b' =
      Some (tabulate (dims u) (fun i => conv_cell S w g x f i * chan S kw (nth 1 i 0%Z) + bias S b' i)).
  Proof.
    intros H Df Dk Db. apply (conv_iff S laws) in H. destruct H as (out & D & _ & ->).
    eexists. split; [now apply (map2_front S _ f kw c fs) |]. apply (conv_iff S laws). exists out.
    cbn [dims tabulate]. split; [exact D |]. split; [now rewrite Df |]. apply tabulate_ext. intros i I.
    destruct (conv_out w g x f out D) as (n & o & y & fs' & -> & E). assert (o = c) as -> by congruence.
    destruct i as [| z [| a i]]; try discriminate; [apply in_box_cons in I; destruct I; discriminate |].
    cbn [nth]. f_equal. symmetry. apply conv_cell_scale; [reflexivity |]. intros k.
    destruct (in_box (dims f) (a :: k)) eqn:B.
    - now rewrite at_tabulate by exact B.
    - rewrite (at_outside S (tabulate _ _)), (at_outside S f) by exact B. ring.
  Qed.

  Theorem conv_mul w g x f b u k v c fs b' :
    conv S w g x f b = Some u -> dims f = c :: fs -> per_channel (dims u) (dims k) -> good k ->
    map2 S (s_mul S) u k = Some v ->
    match b' with Some b' => dims b' = [c] | None => True end ->
    (forall i, in_box (dims u) i = true -> bias S b' i = bias S b i * chan S k (nth 1 i 0%Z)) ->
    exists kw fk, recast (c :: repeat 1 (length fs)) k = Some kw /\ map2 S (s_mul S) f kw = Some fk /\
      conv S w g x fk b' = Some v.
  Proof.
    intros H Df P G V Db B. pose proof H as H'. apply (conv_iff S laws) in H'. destruct H' as (out & D & Bd & U).
    destruct (conv_out w g x f out D) as (n & o & y & fs' & Eo & E).
    assert (o = c) as -> by congruence. assert (fs' = fs) as -> by congruence.
    assert (dims u = n :: c :: y) as Du by now rewrite U, Eo.
    assert (cell_count (dims k) = c) as Ck by (rewrite (chan_count _ _ P), Du; reflexivity).
    exists (Tensor (c :: repeat 1 (length fs)) (cells k)).
    assert (recast (c :: repeat 1 (length fs)) k = Some (Tensor (c :: repeat 1 (length fs)) (cells k))) as R.
    { apply recast_iff. split; [| reflexivity]. cbn. rewrite cell_count_ones, G, Ck. lia. }
    destruct (conv_scale w g x f b u (Tensor (c :: repeat 1 (length fs)) (cells k)) b' c fs H Df eq_refl Db) as (fk & Fk & Ck').
    exists fk. split; [exact R |]. split; [exact Fk |]. rewrite Ck'. rewrite <- V, (map2_channel S _ u k P).
    f_equal. apply tabulate_ext. intros i I. rewrite (B i I), U in *. rewrite at_tabulate by exact I.
    unfold chan. cbn [cells]. ring.
  Qed.

  (** ** Optional biases, absent ones being 0 *)

  Definition zero_scalar : tensor := tabulate [] (fun _ => 0).
  Definition bias_or_zero (o : option tensor) : tensor := match o with Some b => b | None => zero_scalar end.

  Lemma bias_sum b1 b2 c :
    match b1 with Some b => dims b = [c] | None => True end -> match b2 with Some b => dims b = [c] | None => True end ->
    b1 <> None \/ b2 <> None ->
    exists b, map2 S (s_add S) (bias_or_zero b1) (bias_or_zero b2) = Some b /\ dims b = [c] /\
      forall i, (0 <= nth 1 i 0%Z < Z.of_nat c)%Z -> bias S (Some b) i = bias S b1 i + bias S b2 i.
  Proof.
    intros D1 D2 some. destruct b1 as [b1 |], b2 as [b2 |]; cbn [bias_or_zero].
    - destruct (vector_map2 S (s_add S) c b1 b2 _ _ (vector_of S b1 c D1) (vector_of S b2 c D2)) as (b & E & Db & F).
      exists b. split; [exact E |]. split; [exact Db |]. intros i I. cbn. now rewrite F.
    - destruct (vector_scalar_r S (s_add S) c b1 zero_scalar _ (vector_of S b1 c D1) eq_refl) as (b & E & Db & F).
      exists b. split; [exact E |]. split; [exact Db |]. intros i I. cbn. rewrite F by exact I. reflexivity.
    - destruct (vector_scalar_l S (s_add S) c b2 zero_scalar _ (vector_of S b2 c D2) eq_refl) as (b & E & Db & F).
      exists b. split; [exact E |]. split; [exact Db |]. intros i I. cbn. rewrite F by exact I. reflexivity.
    - now destruct some.
  Qed.

  Lemma conv_out_channel w g x f b u i : conv S w g x f b = Some u -> in_box (dims u) i = true ->
    (0 <= nth 1 i 0%Z < Z.of_nat (nth 0 (dims f) 0%nat))%Z.
  Proof.
    intros H I. apply (conv_iff S laws) in H. destruct H as (out & D & _ & ->).
    destruct (conv_out w g x f out D) as (n & o & y & fs & -> & ->). exact (second_in n o y i I).
  Qed.

  Lemma conv_bias w g x f b u : conv S w g x f b = Some u ->
    match b with Some b => dims b = [nth 0 (dims f) 0%nat] | None => True end.
  Proof. intros H. apply (conv_iff S laws) in H. destruct H as (out & _ & B & _). exact B. Qed.

  Theorem conv_sum w g x f1 f2 b1 b2 u1 u2 v :
    dims f1 = dims f2 -> conv S w g x f1 b1 = Some u1 -> conv S w g x f2 b2 = Some u2 ->
    map2 S (s_add S) u1 u2 = Some v ->
    exists f, map2 S (s_add S) f1 f2 = Some f /\ dims f = dims f1 /\
      (b1 = None -> b2 = None -> conv S w g x f None = Some v) /\
      (b1 <> None \/ b2 <> None -> exists b, map2 S (s_add S) (bias_or_zero b1) (bias_or_zero b2) = Some b /\
        conv S w g x f (Some b) = Some v).
  Proof.
    intros E H1 H2 V. pose proof (map2_same S (s_add S) f1 f2 E) as F.
    eexists. split; [exact F |]. split; [reflexivity |]. split.
    - intros -> ->. destruct (conv_add S laws w g x f1 f2 None None None u1 u2 v E H1 H2 V Logic.I) as (f & Ef & C).
      + intros i _. cbn. ring.
      + rewrite F in Ef. injection Ef as <-. exact C.
    - intros some. pose proof (conv_bias w g x f1 b1 u1 H1) as D1. pose proof (conv_bias w g x f2 b2 u2 H2) as D2.
      rewrite <- E in D2. destruct (bias_sum b1 b2 _ D1 D2 some) as (b & Eb & Db & B). exists b. split; [exact Eb |].
      destruct (conv_add S laws w g x f1 f2 b1 b2 (Some b) u1 u2 v E H1 H2 V Db) as (f & Ef & C).
      + intros i I. apply B. now apply (conv_out_channel w g x f1 b1 u1).
      + rewrite F in Ef. injection Ef as <-. exact C.
  Qed.

  (** ** Normalisations: the quotient is whatever it is *)

  Section Norm.
    Variables (e : N) (x g b m v u : tensor) (n c : nat) (ys : sizes).
    Hypothesis D : dims x = n :: c :: ys.
    Hypothesis H : batch_norm S e x g b m v = Some u.

    Theorem bn_mul k w kf : per_channel (dims x) (dims k) -> map2 S (s_mul S) u k = Some w -> recast [c] k = Some kf ->
      exists gk bk, map2 S (s_mul S) g kf = Some gk /\ map2 S (s_mul S) b kf = Some bk /\
        batch_norm S e x gk bk m v = Some w.
    Proof.
      intros P W R. apply (batch_norm_iff S e x g b m v u n c ys D) in H.
      destruct H as (Dg & Db & Dm & Dv & ->). pose proof (vector_recast S k kf c R) as K.
      destruct (vector_map2 S (s_mul S) c g kf _ _ (vector_of S g c Dg) K) as (gk & Egk & Vg).
      destruct (vector_map2 S (s_mul S) c b kf _ _ (vector_of S b c Db) K) as (bk & Ebk & Vb).
      exists gk, bk. split; [exact Egk |]. split; [exact Ebk |].
      apply (batch_norm_iff S e x gk bk m v w n c ys D). destruct Vg as [Dgk Vg], Vb as [Dbk Vb].
      repeat (split; [assumption |]). rewrite map2_channel in W by exact P. injection W as <-. cbn [dims tabulate].
      apply tabulate_ext. intros i I. cbv zeta. rewrite at_tabulate by exact I. cbv zeta.
      rewrite D in I. pose proof (second_in n c ys i I) as J. rewrite Vg, Vb by exact J. ring.
    Qed.

    Theorem bn_add a w af : per_channel (dims x) (dims a) -> map2 S (s_add S) u a = Some w -> recast [c] a = Some af ->
      exists ba, map2 S (s_add S) b af = Some ba /\ batch_norm S e x g ba m v = Some w.
    Proof.
      intros P W R. apply (batch_norm_iff S e x g b m v u n c ys D) in H.
      destruct H as (Dg & Db & Dm & Dv & ->). pose proof (vector_recast S a af c R) as K.
      destruct (vector_map2 S (s_add S) c b af _ _ (vector_of S b c Db) K) as (ba & Eba & Vb).
      exists ba. split; [exact Eba |].
      apply (batch_norm_iff S e x g ba m v w n c ys D). destruct Vb as [Dba Vb].
      repeat (split; [assumption |]). rewrite map2_channel in W by exact P. injection W as <-. cbn [dims tabulate].
      apply tabulate_ext. intros i I. cbv zeta. rewrite at_tabulate by exact I. cbv zeta.
      rewrite D in I. pose proof (second_in n c ys i I) as J. rewrite Vb by exact J. ring.
    Qed.
  End Norm.
End Ring.

(** ** With quotients *)

Record real_laws (S : arith) : Prop := {
  real_field : field_laws S;
  real_numbers : s_integer S = false             (** [Div] does not cut *)
}.

Section Field.
  Variable S : arith.
  Variable laws : real_laws S.
  Notation num := (num S).
  Notation tensor := (tensor num).
  Notation at_ := (at_ S).
  Local Notation "0" := (s_zero S).
  Local Infix "+" := (s_add S).
  Local Infix "*" := (s_mul S).
  Local Infix "-" := (s_sub S).
  Local Infix "/" := (s_div S).

  Definition real_ring : ring_laws S := field_ring S (real_field S laws).
  Add Ring numbers : (ring_is S real_ring).

  Lemma quotient a b : div_cell S a b = a / b.
  Proof. unfold div_cell. now rewrite (real_numbers S laws). Qed.

  Lemma div_is a b : a / b = a * (s_one S / b).
  Proof. apply (field_div S (real_field S laws)). Qed.

  (** k = g / sqrt (v + e), and (b - m) * k + beta. *)
  Section Scale.
    Variables (e : N) (epsilon g beta m v : tensor) (c : nat).
    Hypotheses (De : dims epsilon = []) (Ee : at_ epsilon [] = s_real S e)
      (Dg : dims g = [c]) (Dbeta : dims beta = [c]) (Dm : dims m = [c]) (Dv : dims v = [c]).

    Definition factor (o : Z) : num := at_ g [o] / s_sqrt S (at_ v [o] + s_real S e).

    Lemma factor_built : exists p q k, map2 S (s_add S) v epsilon = Some p /\ map1 S (s_sqrt S) p = Some q /\
      map2 S (div_cell S) g q = Some k /\ vector S c k factor.
    Proof.
      destruct (vector_scalar_r S (s_add S) c v epsilon _ (vector_of S v c Dv) De) as (p & Ep & Vp).
      destruct (vector_map1 S (s_sqrt S) c p _ Vp) as (q & Eq & Vq).
      destruct (vector_map2 S (div_cell S) c g q _ _ (vector_of S g c Dg) Vq) as (k & Ek & Vk).
      exists p, q, k. repeat (split; [assumption |]). destruct Vk as [Dk Vk]. split; [exact Dk |].
      intros o I. rewrite (Vk o I), quotient, Ee. reflexivity.
    Qed.

    (** beta + b * k, with [b] the bias less the mean. *)
    Lemma shift_built k b f : vector S c k factor -> vector S c b f ->
      exists p q r, map2 S (s_sub S) b m = Some p /\ map2 S (s_mul S) p k = Some q /\
        map2 S (s_add S) q beta = Some r /\ vector S c r (fun o => (f o - at_ m [o]) * factor o + at_ beta [o]).
    Proof.
      intros Vk Vb.
      destruct (vector_map2 S (s_sub S) c b m _ _ Vb (vector_of S m c Dm)) as (p & Ep & Vp).
      destruct (vector_map2 S (s_mul S) c p k _ _ Vp Vk) as (q & Eq & Vq).
      destruct (vector_map2 S (s_add S) c q beta _ _ Vq (vector_of S beta c Dbeta)) as (r & Er & Vr).
      exists p, q, r. now repeat (split; [assumption |]).
    Qed.

    Lemma shift_of_bias k o : vector S c k factor -> match o with Some b => dims b = [c] | None => True end ->
      exists p q r, map2 S (s_sub S) (bias_or_zero S o) m = Some p /\ map2 S (s_mul S) p k = Some q /\
        map2 S (s_add S) q beta = Some r /\
        vector S c r (fun a => (bias S o [0%Z; a] - at_ m [a]) * factor a + at_ beta [a]).
    Proof.
      intros Vk Do. destruct o as [b |]; cbn [bias_or_zero].
      - destruct (shift_built k b _ Vk (vector_of S b c Do)) as (p & q & r & H). now exists p, q, r.
      - destruct (vector_scalar_l S (s_sub S) c m (zero_scalar S) _ (vector_of S m c Dm) eq_refl) as (p & Ep & Vp).
        destruct (vector_map2 S (s_mul S) c p k _ _ Vp Vk) as (q & Eq & Vq).
        destruct (vector_map2 S (s_add S) c q beta _ _ Vq (vector_of S beta c Dbeta)) as (r & Er & Vr).
        exists p, q, r. now repeat (split; [assumption |]).
    Qed.

    Lemma norm_cell x o : (x - at_ m [o]) / s_sqrt S (at_ v [o] + s_real S e) * at_ g [o] + at_ beta [o] =
      x * factor o + (at_ beta [o] - at_ m [o] * factor o).
    Proof. unfold factor. rewrite (div_is (x - _)), (div_is (at_ g [o])). ring. Qed.

    Theorem conv_bn_fold w gr x f b u z fs k kw b' :
      conv S w gr x f b = Some u -> batch_norm S e u g beta m v = Some z -> dims f = c :: fs ->
      vector S c k factor -> good k -> recast (c :: repeat 1 (length fs)) k = Some kw ->
      vector S c b' (fun o => (bias S b [0%Z; o] - at_ m [o]) * factor o + at_ beta [o]) ->
      exists fk, map2 S (s_mul S) f kw = Some fk /\ conv S w gr x fk (Some b') = Some z.
    Proof.
      intros H Z Df Vk Gk R [Db Vb]. pose proof H as H'. apply (conv_iff S real_ring) in H'.
      destruct H' as (out & D & Bd & U). destruct (conv_out S w gr x f out D) as (n & o & y & fs' & Eo & E).
      assert (o = c) as -> by congruence. assert (fs' = fs) as -> by congruence.
      assert (dims u = n :: c :: y) as Du by now rewrite U, Eo.
      assert (dims kw = c :: repeat 1 (length fs)) as Dk by (apply recast_iff in R; now destruct R as [_ ->]).
      destruct (conv_scale S real_ring w gr x f b u kw (Some b') c fs H Df Dk Db) as (fk & Fk & Ck).
      exists fk. split; [exact Fk |]. rewrite Ck.
      apply (batch_norm_iff S e u g beta m v z n c y Du) in Z. destruct Z as (_ & _ & _ & _ & ->). f_equal.
      apply tabulate_ext. intros i I. cbv zeta. rewrite norm_cell. rewrite Du in I.
      pose proof (second_in n c y i I) as J. rewrite U, at_tabulate by (now rewrite Eo).
      rewrite (chan_recast S _ k kw _ R), (vector_chan S c k factor _ Vk J).
      change (bias S (Some b') i) with (at_ b' [nth 1 i 0%Z]). rewrite (Vb _ J).
      assert (bias S b [0%Z; nth 1 i 0%Z] = bias S b i) as -> by (unfold bias; now destruct b). ring.
    Qed.

    (** beta - m * k *)
    Lemma lower_shift k : vector S c k factor -> exists p r, map2 S (s_mul S) m k = Some p /\
      map2 S (s_sub S) beta p = Some r /\ vector S c r (fun o => at_ beta [o] - at_ m [o] * factor o).
    Proof.
      intros Vk. destruct (vector_map2 S (s_mul S) c m k _ _ (vector_of S m c Dm) Vk) as (p & Ep & Vp).
      destruct (vector_map2 S (s_sub S) c beta p _ _ (vector_of S beta c Dbeta) Vp) as (r & Er & Vr).
      exists p, r. now repeat (split; [assumption |]).
    Qed.

    Theorem lower_bn x u k r n ys kc rc t :
      dims x = n :: c :: ys -> batch_norm S e x g beta m v = Some u ->
      vector S c k factor -> vector S c r (fun o => at_ beta [o] - at_ m [o] * factor o) ->
      recast (c :: repeat 1 (length ys)) k = Some kc -> recast (c :: repeat 1 (length ys)) r = Some rc ->
      map2 S (s_mul S) x kc = Some t -> map2 S (s_add S) t rc = Some u.
    Proof.
      intros D U Vk Vr Rk Rr T. apply (batch_norm_iff S e x g beta m v u n c ys D) in U.
      destruct U as (_ & _ & _ & _ & ->).
      assert (dims kc = c :: repeat 1 (length ys)) as Dk by (apply recast_iff in Rk; now destruct Rk as [_ ->]).
      assert (dims rc = c :: repeat 1 (length ys)) as Dr by (apply recast_iff in Rr; now destruct Rr as [_ ->]).
      rewrite map2_channel in T by (rewrite Dk, D; now apply (Channel_Rank _ n)). injection T as <-.
      rewrite map2_channel by (cbn [dims tabulate]; rewrite Dr, D; now apply (Channel_Rank _ n)). f_equal. cbn [dims tabulate].
      apply tabulate_ext. intros i I. cbv zeta. rewrite norm_cell, at_tabulate by exact I. rewrite D in I.
      pose proof (second_in n c ys i I) as J.
      now rewrite (chan_recast S _ k kc _ Rk), (chan_recast S _ r rc _ Rr), (vector_chan S c k _ _ Vk J), (vector_chan S c r _ _ Vr J).
    Qed.
  End Scale.
End Field.
