(** * Equations of operators over a commutative ring

    What rules that reassociate rest on: sums over a box are linear, and with them
    convolution in its kernel. *)

From Coq Require Import Bool Lia List Arith NArith ZArith Ring_theory Ring.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.IndexProof tensor.Shapes.
From Calque Require Import tensor.Ops tensor.OpsWindow.
Import ListNotations.
Open Scope nat_scope.

Section Cells.
  Variable S : arith.
  Notation tensor := (tensor (num S)).
  Notation at_ := (at_ S).

  Lemma table_iff o f u : table S o f = Some u <-> exists ds, o = Some ds /\ u = tabulate ds (f ds).
  Proof.
    unfold table. destruct o as [ds |]; split.
    - intros E. injection E as <-. now exists ds.
    - intros (ds' & E & ->). now injection E as <-.
    - discriminate.
    - now intros (ds & E & _).
  Qed.

  Lemma map2_same f (x y : tensor) :
    dims x = dims y -> map2 S f x y = Some (tabulate (dims x) (fun i => f (at_ x i) (at_ y i))).
  Proof.
    intros E. unfold map2. rewrite <- E, broadcast_same. unfold table. f_equal. apply tabulate_ext.
    intros i I. unfold spread_at. now rewrite <- E, spread_same.
  Qed.

  Lemma at_tabulate ds f i : in_box ds i = true -> at_ (tabulate ds f) i = f i.
  Proof. intros I. unfold Ops.at_. now apply get_tabulate. Qed.

  Lemma at_outside (x : tensor) i : in_box (dims x) i = false -> at_ x i = s_zero S.
  Proof. intros O. unfold Ops.at_. now apply get_outside. Qed.

  Lemma conv_dims_bias w g x f b out :
    conv_dims w g x f b = Some out ->
    conv_dims w g x f None = Some out /\
    match b with Some ds => ds = [nth 0 f 0] | None => True end /\
    exists n o y, out = n :: o :: y /\ nth 0 f 0 = o.
  Proof.
    unfold conv_dims. destruct x as [| n [| c ns]]; try discriminate. destruct f as [| o [| c' kernel]]; try discriminate.
    unfold guard. intros E.
    destruct ((0 <? length ns) && (0 <? g) && (c mod g =? 0) && (c / g =? c') && (o mod g =? 0)); [| discriminate].
    cbn [andb] in *.
    assert (match b with Some ds => ds = [o] | None => True end) as B.
    { destruct b as [ds |]; [| exact I]. unfold sizes_eqb in E. destruct (list_eq_dec Nat.eq_dec ds [o]); [assumption | discriminate]. }
    destruct (match b with Some ds => sizes_eqb ds [o] | None => true end); [| discriminate].
    split; [exact E |]. split; [exact B |].
    destruct (spatial_dims false w kernel ns) as [l |]; [| discriminate]. injection E as <-.
    now exists n, o, l.
  Qed.

  Lemma conv_dims_with w g x f b out :
    conv_dims w g x f None = Some out -> match b with Some ds => ds = [nth 0 f 0] | None => True end ->
    conv_dims w g x f b = Some out.
  Proof.
    destruct b as [ds |]; [| easy]. unfold conv_dims.
    destruct x as [| n [| c ns]]; try discriminate. destruct f as [| o [| c' kernel]]; try discriminate.
    simpl nth. intros E ->. unfold sizes_eqb. destruct (list_eq_dec Nat.eq_dec [o] [o]) as [_ | no]; [exact E | easy].
  Qed.
End Cells.

Section Ring.
  Variable S : arith.
  Variable laws : ring_laws S.
  Notation num := (num S).
  Notation tensor := (tensor num).
  Notation at_ := (at_ S).
  Local Notation "0" := (s_zero S).
  Local Notation "1" := (s_one S).
  Local Infix "+" := (s_add S).
  Local Infix "*" := (s_mul S).
  Local Infix "-" := (s_sub S).

  Definition ring_of := ring_is S laws.
  Add Ring numbers : ring_of.

  (** ** Sums *)

  Lemma sum_is ns f : s_sum S ns f = reduce (s_add S) 0 ns f.
  Proof. apply s_sum_reduce. intros x. ring. Qed.

  Lemma s_sum_add ns f g : s_sum S ns f + s_sum S ns g = s_sum S ns (fun k => f k + g k).
  Proof.
    rewrite !sum_is. unfold reduce.
    assert (forall l a b, fold_left (fun acc k => acc + f k) l a + fold_left (fun acc k => acc + g k) l b =
                          fold_left (fun acc k => acc + (f k + g k)) l (a + b)) as H.
    { induction l as [| k l IH]; intros a b; simpl; [reflexivity |]. rewrite IH. f_equal. ring. }
    rewrite H. f_equal. ring.
  Qed.

  Lemma s_sum_scale ns f c : s_sum S ns f * c = s_sum S ns (fun k => f k * c).
  Proof.
    rewrite !sum_is. unfold reduce.
    assert (forall l a, fold_left (fun acc k => acc + f k) l a * c = fold_left (fun acc k => acc + f k * c) l (a * c)) as H.
    { induction l as [| k l IH]; intros a; simpl; [reflexivity |]. rewrite IH. f_equal. ring. }
    rewrite H. f_equal. ring.
  Qed.

  (** ** Elementwise sums, everywhere *)

  Lemma at_sum x y s i : dims x = dims y -> map2 S (s_add S) x y = Some s -> at_ s i = at_ x i + at_ y i.
  Proof.
    intros E H. rewrite map2_same in H by exact E. injection H as <-.
    destruct (in_box (dims x) i) eqn:B; [now rewrite at_tabulate |].
    rewrite !at_outside by (simpl; congruence). ring.
  Qed.

  Lemma sum_dims x y s : dims x = dims y -> map2 S (s_add S) x y = Some s -> dims s = dims x.
  Proof. intros E H. rewrite map2_same in H by exact E. now injection H as <-. Qed.

  (** ** Biases *)

  Lemma bias_add_iff axis x b u :
    bias_add S axis x b = Some u <->
    dims b = [nth axis (dims x) 0%nat] /\ u = tabulate (dims x) (fun i => at_ x i + at_ b [nth axis i 0%Z]).
  Proof.
    unfold bias_add. rewrite table_iff. unfold bias_add_dims, guard, is_vector, sizes_eqb.
    destruct (list_eq_dec Nat.eq_dec (dims b) [nth axis (dims x) 0%nat]) as [E | no]; split.
    - intros (ds & D & ->). now injection D as <-.
    - intros (_ & ->). now exists (dims x).
    - now intros (ds & D & _).
    - now intros (D & _).
  Qed.

  Theorem bias_add_add axis x1 x2 b1 b2 u1 u2 v :
    dims x1 = dims x2 -> bias_add S axis x1 b1 = Some u1 -> bias_add S axis x2 b2 = Some u2 ->
    map2 S (s_add S) u1 u2 = Some v ->
    exists s t, map2 S (s_add S) x1 x2 = Some s /\ map2 S (s_add S) b1 b2 = Some t /\ bias_add S axis s t = Some v.
  Proof.
    intros E H1 H2 V. apply bias_add_iff in H1. apply bias_add_iff in H2.
    destruct H1 as [D1 ->], H2 as [D2 ->].
    assert (dims b1 = dims b2) as Eb by now rewrite D1, D2, E.
    eexists. eexists. split; [apply map2_same, E |]. split; [apply map2_same, Eb |].
    apply bias_add_iff. split; [exact D1 |].
    rewrite map2_same in V by exact E. injection V as <-. cbn [dims tabulate].
    apply tabulate_ext. intros i I. rewrite !at_tabulate by (try rewrite <- E; exact I).
    assert (in_box (dims b1) [nth axis i 0%Z] = true \/ in_box (dims b1) [nth axis i 0%Z] = false) as [B | B]
      by (destruct (in_box (dims b1) [nth axis i 0%Z]); auto).
    - rewrite at_tabulate by exact B. ring.
    - rewrite (at_outside S (tabulate _ _)) by exact B.
      rewrite (at_outside S b1), (at_outside S b2) by (try rewrite <- Eb; exact B). ring.
  Qed.

  (** ** Convolution *)

  Definition bias (b : option tensor) (i : list Z) : num :=
    match b with Some b => at_ b [nth 1 i 0%Z] | None => 0 end.

  Lemma conv_iff w g x f b u :
    conv S w g x f b = Some u <->
    exists out, conv_dims w g (dims x) (dims f) None = Some out /\
      match b with Some b => dims b = [nth 0 (dims f) 0%nat] | None => True end /\
      u = tabulate out (fun i => conv_cell S w g x f i + bias b i).
  Proof.
    unfold conv. rewrite table_iff.
    assert (forall out, tabulate out (fun i => match b with
              | Some b => conv_cell S w g x f i + at_ b [nth 1 i 0%Z] | None => conv_cell S w g x f i end) =
            tabulate out (fun i => conv_cell S w g x f i + bias b i)) as same.
    { intros out. apply tabulate_ext. intros i _. unfold bias. destruct b; [reflexivity | ring]. }
    split; intros (out & D & H).
    - exists out. rewrite same in H. apply conv_dims_bias in D. destruct D as (D & B & _).
      split; [exact D |]. split; [| exact H]. now destruct b.
    - destruct H as [B ->]. exists out. split; [| now rewrite same]. apply conv_dims_with; [exact D |]. now destruct b.
  Qed.

  (** A kernel whose cells are sums. *)
  Lemma conv_cell_add w g x f1 f2 f i :
    dims f = dims f1 -> dims f2 = dims f1 -> (forall k, at_ f k = at_ f1 k + at_ f2 k) ->
    conv_cell S w g x f i = conv_cell S w g x f1 i + conv_cell S w g x f2 i.
  Proof.
    intros D1 D2 F. unfold conv_cell. destruct i as [| n [| o y]]; try ring.
    rewrite D1, D2, s_sum_add. apply s_sum_ext. intros k _. unfold conv_term. rewrite D1, D2.
    destruct (in_box (dims x) _); [rewrite F; ring | ring].
  Qed.

  Theorem conv_add w g x f1 f2 b1 b2 b u1 u2 v :
    dims f1 = dims f2 -> conv S w g x f1 b1 = Some u1 -> conv S w g x f2 b2 = Some u2 ->
    map2 S (s_add S) u1 u2 = Some v ->
    match b with Some b => dims b = [nth 0 (dims f1) 0%nat] | None => True end ->
    (forall i, in_box (dims u1) i = true -> bias b i = bias b1 i + bias b2 i) ->
    exists f, map2 S (s_add S) f1 f2 = Some f /\ conv S w g x f b = Some v.
  Proof.
    intros E H1 H2 V Db B. apply conv_iff in H1. apply conv_iff in H2.
    destruct H1 as (o1 & D1 & _ & ->), H2 as (o2 & D2 & _ & ->).
    assert (o2 = o1) as -> by congruence.
    pose proof (map2_same S (s_add S) f1 f2 E) as F.
    eexists. split; [exact F |]. apply conv_iff. exists o1. cbn [dims tabulate].
    split; [exact D1 |]. split; [exact Db |].
    rewrite map2_same in V by reflexivity. injection V as <-. cbn [dims tabulate].
    apply tabulate_ext. intros i I. rewrite !at_tabulate by exact I. rewrite B by exact I.
    rewrite (conv_cell_add w g x f1 f2 (tabulate (dims f1) (fun i => at_ f1 i + at_ f2 i)));
      [ring | reflexivity | now symmetry | intros k; exact (at_sum f1 f2 _ k E F)].
  Qed.
End Ring.
