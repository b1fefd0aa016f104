(** * Scales come out of sums of products

    Integers that stand for numbers are multiplied by a scale; in a convolution and in a product of matrices the scales of
    both operands may as well be multiplied after the sum. *)

From Coq Require Import Bool Lia List Arith NArith ZArith Ring_theory Ring.
From Calque Require Import base.Lists tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.IndexProof tensor.Shapes.
From Calque Require tensor.OpSumProof.
From Calque Require Import tensor.Ops tensor.OpsWindow tensor.Algebra tensor.Channel tensor.Factors.
Import ListNotations.
Open Scope nat_scope.

Section Ring.
  Variable S : arith.
  Variable laws : ring_laws S.
  Notation num := (num S).
  Notation tensor := (tensor num).
  Notation at_ := (at_ S).
  Local Notation "0" := (s_zero S).
  Local Infix "+" := (s_add S).
  Local Infix "*" := (s_mul S).

  Add Ring numbers : (ring_is S laws).

  (** [y] is [x] times [a], everywhere: outside too, where both are 0. *)
  Definition scaled (x : tensor) (a : num) (y : tensor) : Prop := dims y = dims x /\ forall i, at_ y i = at_ x i * a.

  Lemma scaled_map2 (x s y : tensor) : dims s = [] -> map2 S (s_mul S) x s = Some y -> scaled x (at_ s []) y.
  Proof.
    intros D M. rewrite (map2_scalar_r S _ x s D) in M. injection M as <-. split; [reflexivity |]. intros i.
    destruct (in_box (dims x) i) eqn:B; [now rewrite at_tabulate by exact B |].
    rewrite (at_outside S (tabulate _ _)), (at_outside S x) by exact B. ring.
  Qed.

  (** Along dimension 0: [y] at [o :: k] is [x] times [f o]. *)
  Definition scaled_front (x : tensor) (f : Z -> num) (y : tensor) : Prop :=
    dims y = dims x /\ forall o k, at_ y (o :: k) = at_ x (o :: k) * f o.

  Lemma scaled_all (x : tensor) a y : scaled x a y -> scaled_front x (fun _ => a) y.
  Proof. intros [D E]. split; [exact D |]. intros o k. apply E. Qed.

  Lemma scaled_channels (x t y : tensor) c ks : dims x = c :: ks -> dims t = c :: repeat 1 (length ks) ->
    map2 S (s_mul S) x t = Some y -> scaled_front x (chan S t) y.
  Proof.
    intros Dx Dt M. rewrite (map2_front S _ x t c ks Dx Dt) in M. injection M as <-. split; [reflexivity |]. intros o k.
    destruct (in_box (dims x) (o :: k)) eqn:B; [now rewrite at_tabulate by exact B |].
    rewrite (at_outside S (tabulate _ _)), (at_outside S x) by exact B. ring.
  Qed.

  (** ** Convolution *)

  Lemma conv_cell_data w g x xs f a i : scaled x a xs -> conv_cell S w g xs f i = conv_cell S w g x f i * a.
  Proof.
    intros [D E]. unfold conv_cell. destruct i as [| n [| o y]]; try ring.
    rewrite (s_sum_scale S laws). apply s_sum_ext. intros k _. unfold conv_term. rewrite D.
    destruct (in_box (dims x) _); [rewrite E; ring | ring].
  Qed.

  (** The convolution of what is not scaled, and the other one from it. *)
  Theorem conv_unscaled w g x xs f ft b u a t c ks :
    scaled x a xs -> scaled_front f t ft -> conv S w g xs ft b = Some u -> dims f = c :: ks ->
    exists u0 n ys, conv S w g x f None = Some u0 /\ dims u0 = n :: c :: ys /\ length ks = Datatypes.S (length ys) /\
      u = tabulate (dims u0) (fun i => at_ u0 i * a * t (nth 1 i 0%Z) + bias S b i).
  Proof.
    intros X [Dt Et] H Df. pose proof X as [Dx _].
    apply (conv_iff S laws) in H. destruct H as (out & D & _ & ->). rewrite Dx, Dt in D.
    destruct (conv_out S w g x f out D) as (n & o & ys & fs & -> & E). assert (o = c) as -> by congruence.
    exists (tabulate (n :: c :: ys) (fun i => conv_cell S w g x f i + bias S None i)), n, ys.
    split; [apply (conv_iff S laws); exists (n :: c :: ys); repeat split; assumption |]. split; [reflexivity |]. split.
    - unfold conv_dims in D. destruct (dims x) as [| n' [| c' ns]]; try discriminate. rewrite Df in D.
      destruct ks as [| k0 ks]; [discriminate |]. unfold guard in D. destruct (_ && _); [| discriminate].
      destruct (spatial_dims false w ks ns) as [l |] eqn:L; [| discriminate]. injection D as _ <-.
      apply OpSumProof.spatial_facts in L. cbn [length]. lia.
    - cbn [dims tabulate]. apply tabulate_ext. intros i I. rewrite at_tabulate by exact I. f_equal.
      destruct i as [| z [| o i]]; try discriminate; [apply in_box_cons in I; destruct I; discriminate |]. cbn [nth bias].
      rewrite (conv_cell_scale S laws w g xs f ft t z o i Dt (Et o)), (conv_cell_data w g x xs f a _ X). ring.
  Qed.

  (** The same by the operators that the rules build: one factor for all, then [t], which is [k]'s, then the bias. *)
  Theorem conv_rescaled w g x xs f ft b u s k t c ks :
    dims s = [] -> map2 S (s_mul S) x s = Some xs -> scaled_front f t ft -> conv S w g xs ft b = Some u -> dims f = c :: ks ->
    (forall n ys (y : tensor), dims y = n :: c :: ys -> length ks = Datatypes.S (length ys) ->
       map2 S (s_mul S) y k = Some (tabulate (dims y) (fun i => at_ y i * t (nth 1 i 0%Z)))) ->
    exists u0 u1 u2, conv S w g x f None = Some u0 /\ map2 S (s_mul S) u0 s = Some u1 /\ map2 S (s_mul S) u1 k = Some u2 /\
      match b with
      | None => u2 = u
      | Some b => good b -> exists b', recast (c :: repeat 1%nat (length ks - 1)) b = Some b' /\ map2 S (s_add S) u2 b' = Some u
      end.
  Proof.
    intros Ds Ms F H Df K.
    destruct (conv_unscaled w g x xs f ft b u _ t c ks (scaled_map2 x s xs Ds Ms) F H Df) as (u0 & n & ys & H0 & D0 & Ly & ->).
    pose proof (conv_bias S laws w g xs ft b _ H) as Db. rewrite (proj1 F), Df in Db. cbn [nth] in Db.
    exists u0. eexists. eexists. split; [exact H0 |]. split; [exact (map2_scalar_r S _ u0 s Ds) |].
    split; [apply (K n ys); [exact D0 | exact Ly] |]. cbn [dims tabulate].
    destruct b as [b |].
    - intros Gb. exists (Tensor (c :: repeat 1%nat (length ks - 1)) (cells b)).
      replace (length ks - 1) with (length ys) by lia.
      assert (recast (c :: repeat 1%nat (length ys)) b = Some (Tensor (c :: repeat 1%nat (length ys)) (cells b))) as R.
      { apply recast_iff. split; [| reflexivity]. cbn. rewrite cell_count_ones, Gb, Db. cbn. lia. }
      split; [exact R |]. rewrite map2_channel by (cbn [dims tabulate]; rewrite D0; now apply (Channel_Rank _ n)).
      f_equal. cbn [dims tabulate]. apply tabulate_ext. intros i I. rewrite !at_tabulate by exact I. f_equal. cbn [bias].
      rewrite (chan_recast S _ b _ _ R). symmetry. apply (at_chan_vector S b c); [exact Db |].
      rewrite D0 in I. exact (second_in n c ys i I).
    - apply tabulate_ext. intros i I. rewrite !at_tabulate by exact I. cbn [bias]. ring.
  Qed.

  (** ** Products of matrices *)

  Theorem matmul_rescaled x xs f ft s t u :
    dims s = [] -> map2 S (s_mul S) x s = Some xs -> dims t = [] -> map2 S (s_mul S) f t = Some ft -> matmul S xs ft = Some u ->
    exists u0 u1, matmul S x f = Some u0 /\ map2 S (s_mul S) u0 s = Some u1 /\ map2 S (s_mul S) u1 t = Some u.
  Proof.
    intros Ds Ms Dt Mt H. destruct (scaled_map2 x s xs Ds Ms) as [Dx Ex]. destruct (scaled_map2 f t ft Dt Mt) as [Df Ef].
    unfold matmul in *. rewrite Dx, Df in H.
    destruct (matmul_left (dims x)) as [[[pa rows] inner] |]; [| discriminate].
    destruct (matmul_right (dims f)) as [[[pb k] cols] |]; [| discriminate].
    apply table_iff in H. destruct H as (out & D & ->). rewrite D. eexists. eexists. split; [reflexivity |].
    split; [exact (map2_scalar_r S _ _ s Ds) |]. rewrite (map2_scalar_r S _ _ t Dt). f_equal. cbn [dims tabulate].
    apply tabulate_ext. intros i I. rewrite !at_tabulate by exact I.
    rewrite !(s_sum_scale S laws). apply s_sum_ext. intros j _. rewrite Ex, Ef. ring.
  Qed.
End Ring.
