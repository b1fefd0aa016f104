(** * Kernels of operators read inside of their tensors: the parts *)

From Coq Require Import Bool List Lia Arith NArith ZArith.
From Calque Require Import base.Lists kernel.Kernel kernel.Wf kernel.Numbers.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.Index tensor.Shapes tensor.Ops.
From Calque Require Import tensor.OpIndex tensor.OpIndexProof tensor.OpKernel tensor.OpEval tensor.OpMapProof.
From Calque Require Import tensor.OpSumProof tensor.OpPadProof.
From Calque Require Import tensor.IndexProof.
Import ListNotations.
Open Scope nat_scope.

(** ** Sizes that broadcast to others *)

Definition side_fits (m n : nat) : Prop := m = n \/ m = 1.

Definition fits_in (s out : sizes) : Prop :=
  length s <= length out /\ Forall2 side_fits s (skipn (length out - length s) out).

Lemma Forall2_skipn {B C} (R : B -> C -> Prop) k l m : Forall2 R l m -> Forall2 R (skipn k l) (skipn k m).
Proof. intros H. revert k. induction H as [| a b l m r H IH]; intros [| k]; cbn [skipn]; auto using Forall2_cons. Qed.

Lemma fits_refl s : fits_in s s.
Proof.
  unfold fits_in. rewrite Nat.sub_diag. split; [lia |]. cbn [skipn].
  induction s; constructor; auto. now left.
Qed.

Lemma skipn_add {B} a b (l : list B) : skipn a (skipn b l) = skipn (b + a) l.
Proof. revert l. induction b as [| b IH]; intros [| c l]; cbn [skipn Nat.add]; auto. apply skipn_nil. Qed.

Lemma fits_trans a b c : fits_in a b -> fits_in b c -> fits_in a c.
Proof.
  intros [L H] [M K]. split; [lia |].
  apply (Forall2_skipn _ (length b - length a)) in K. rewrite skipn_add in K.
  replace (length c - length b + (length b - length a)) with (length c - length a) in K by lia.
  revert H K. generalize (skipn (length b - length a) b), (skipn (length c - length a) c). clear.
  intros l m H. revert m. induction H as [| x y a l r H IH]; intros [| z m] K; inversion K; subst; constructor; auto.
  unfold side_fits in *. lia.
Qed.

Lemma agree_fits a : forall b c, agree a b = Some c -> Forall2 side_fits a c /\ Forall2 side_fits b c.
Proof.
  unfold side_fits. induction a as [| m a IH]; intros [| n b] c E; try discriminate; cbn [agree] in E.
  - injection E as <-. split; constructor.
  - destruct (agree a b) as [r |] eqn:R; [| discriminate]. destruct (IH b r R) as [Fa Fb].
    destruct ((m =? n) || (m =? 1)) eqn:E1.
    + injection E as <-. apply orb_true_iff in E1. rewrite !Nat.eqb_eq in E1. split; constructor; auto.
    + destruct (Nat.eqb_spec n 1); [| discriminate]. injection E as <-. split; constructor; auto.
Qed.

Lemma lead_fits r s c : length s <= r -> Forall2 side_fits (lead r s) c -> fits_in s c.
Proof.
  intros le F. pose proof (Forall2_length F) as L. unfold lead in *. rewrite app_length, repeat_length in L.
  apply (Forall2_skipn _ (r - length s)) in F.
  rewrite skipn_app, repeat_length, Nat.sub_diag, skipn_all2 in F by (rewrite repeat_length; lia).
  split; [lia |]. now replace (length c - length s) with (r - length s) by lia.
Qed.

Lemma broadcast_fits a b c : broadcast a b = Some c -> fits_in a c /\ fits_in b c.
Proof.
  unfold broadcast. intros E. apply agree_fits in E. destruct E as [Fa Fb].
  split; [apply (lead_fits (Nat.max (length a) (length b))) | apply (lead_fits (Nat.max (length a) (length b)))]; auto; lia.
Qed.

Lemma broadcasts_fits a b : broadcasts a b = true -> fits_in a b.
Proof.
  unfold broadcasts. destruct (broadcast a b) as [c |] eqn:E; [| discriminate]. unfold sizes_eqb.
  destruct (list_eq_dec Nat.eq_dec c b) as [-> |]; [| discriminate]. intros _. now apply broadcast_fits in E.
Qed.

Lemma broadcast_all_fits l : forall a c, broadcast_all a l = Some c -> fits_in a c /\ forall b, In b l -> fits_in b c.
Proof.
  induction l as [| b l IH]; intros a c E; cbn [broadcast_all] in E.
  - injection E as <-. split; [apply fits_refl | easy].
  - destruct (broadcast a b) as [d |] eqn:D; [| discriminate]. apply broadcast_fits in D. destruct D as [Fa Fb].
    destruct (IH d c E) as [Fd Fl]. split; [now apply (fits_trans _ d) |].
    intros e [<- | ine]; [now apply (fits_trans _ d) | now apply Fl].
Qed.

Lemma clip_inside s d i : Forall2 side_fits s d -> in_box d i = true -> in_box s (clip s d i) = true.
Proof.
  intros F. revert i. induction F as [| m n s d r F IH]; intros [| z i] I; try discriminate; [reflexivity |].
  apply in_box_cons in I. destruct I as [b I]. cbn [clip]. apply in_box_cons. split; [| now apply IH].
  unfold side_fits in r. destruct (Nat.eqb_spec m n); lia.
Qed.

Lemma spread_inside s out i : fits_in s out -> in_box out i = true -> in_box s (spread s out i) = true.
Proof. intros [_ F] I. unfold spread. apply clip_inside; [exact F | now apply in_box_skipn]. Qed.

(** ** Expressions *)

Section Safe.
  Variable A : arith.
  Notation K := (kernel_scalars A).
  Notation num := (num A).
  Notation tensor := (tensor num).
  Notation ex := (Kernel.ex K).
  Variable shapes : tid -> sizes.
  Notation safe := (Wf.safe (S := K) shapes).

  (** The inputs' tensors have their sizes. *)
  Definition sized (ts : list tensor) : Prop := forall k t, nth_error ts k = Some t -> shapes (tX k) = dims t.

  (** Every load of every statement is in its tensor, if what is stored has its sizes. *)
  Definition all_safe (p : prog K) : Prop :=
    (forall s, In s p -> shapes (out s) = Kernel.dims s) ->
    forall s, In s p -> forall i, in_box (Kernel.dims s) i = true -> safe i (body s).

  Lemma safe_lit rho c : safe rho (lit A c).
  Proof. intros t. exact I. Qed.

  Lemma safe_load rho t l j : all_see rho l j -> in_box (shapes t) j = true -> safe rho (load A t l).
  Proof. intros V B u. cbn. intros <-. now rewrite (all_see_eval _ _ _ V). Qed.

  Lemma safe_bin rho o a b : safe rho a -> safe rho b -> safe rho (bin A o a b).
  Proof. intros H J u. split; [apply H | apply J]. Qed.

  Lemma safe_call1 rho f a : safe rho a -> safe rho (call1 A f a).
  Proof. intros H u. split; [apply H | exact I]. Qed.

  Lemma safe_call2 rho f a b : safe rho a -> safe rho b -> safe rho (call2 A f a b).
  Proof. intros H J u. split; [apply H |]. split; [apply J | exact I]. Qed.

  Lemma safe_over_n rho n e : safe rho e -> safe rho (over_n A n e).
  Proof. intros H. unfold over_n. destruct (n =? 1); [exact H | apply safe_bin; [exact H | apply safe_lit]]. Qed.

  Lemma safe_sel rho c a b :
    (eval_cond rho c = true -> safe rho a) -> (eval_cond rho c = false -> safe rho b) -> safe rho (ESel c a b).
  Proof. intros H J u. cbn [in_bounds]. destruct (eval_cond rho c); [now apply H | now apply J]. Qed.

  Lemma safe_guarded rho l j d cs a b :
    all_see rho l j -> length l = length d -> guards l d = Some cs ->
    (in_box d j = true -> safe rho a) -> safe rho b -> safe rho (select A cs a b).
  Proof.
    intros V len G H J. pose proof (guards_spec rho d l j V len) as E. rewrite G in E.
    destruct cs as [| c cs]; [now apply H |]. cbn [select]. apply safe_sel; [| auto].
    rewrite (eval_all_of rho cs c). intros C. apply H. now rewrite E.
  Qed.

  Lemma safe_reduced r i d es e : no_zero es = true -> in_box d i = true ->
    (forall rho x, in_box es x = true -> all_see rho (bound 0 es) x -> all_see rho (outer es d) i -> safe rho e) ->
    safe i (reduced A r es e).
  Proof.
    intros nz B H. unfold reduced. destruct (live es) as [| n ns] eqn:L.
    - apply (H i (widen es [])).
      + apply widen_in_box; [exact nz | now rewrite L].
      + pose proof (all_see_bound es 0 [] [] i) as Bd. cbn [app] in Bd. apply Bd; [now rewrite L | reflexivity].
      + apply (all_see_outer es d [] i); [now rewrite L | exact B].
    - intros u. cbn [in_bounds]. intros k Kb. rewrite <- L in Kb. apply (H (k ++ i) (widen es k)).
      + now apply widen_in_box.
      + exact (all_see_bound es 0 k [] i Kb eq_refl).
      + apply all_see_outer; [now apply in_box_length | exact B].
  Qed.

  Lemma safe_sum_or_zero i d es e : in_box d i = true ->
    (forall rho x, in_box es x = true -> all_see rho (bound 0 es) x -> all_see rho (outer es d) i -> safe rho e) ->
    safe i (sum_or_zero A es e).
  Proof.
    intros B H. unfold sum_or_zero. destruct (existsb (Nat.eqb 0) es) eqn:Z; [apply safe_lit |].
    apply (safe_reduced KSum i d); auto. now apply no_zero_iff.
  Qed.

  Lemma all_safe_one t d e : (shapes t = d -> forall i, in_box d i = true -> safe i e) -> all_safe [stored A t d e].
  Proof. intros H S s [<- | []] i B. apply H; [exact (S _ (or_introl eq_refl)) | exact B]. Qed.

  Lemma all_safe_stores out e p : stores A out e = Some p -> (forall i, in_box out i = true -> safe i e) -> all_safe p.
  Proof. intros P H. apply some_inj in P. subst p. apply all_safe_one. auto. Qed.

  Lemma all_safe_cons t d e p :
    (shapes t = d -> all_safe p) -> (shapes t = d -> forall i, in_box d i = true -> safe i e) ->
    all_safe (stored A t d e :: p).
  Proof.
    intros H J S s ins i B. pose proof (S _ (or_introl eq_refl)) as D. destruct ins as [<- | ins].
    - now apply J.
    - apply (H D); auto. intros u inu. apply S. now right.
  Qed.

  Lemma all_safe_nil : all_safe [].
  Proof. intros _ s []. Qed.

  (** ** Inputs *)

  Lemma safe_spread ts ins k t out i :
    sized ts -> nth_error ts k = Some t -> in_ ins k = dims t -> fits_in (dims t) out -> in_box out i = true ->
    safe i (spread_in A ins out k).
  Proof.
    intros S at_k D F B. unfold spread_in. rewrite D. apply (safe_load _ _ _ (spread (dims t) out i)).
    - apply all_see_spread. now apply all_see_vars.
    - rewrite (S k t at_k). now apply spread_inside.
  Qed.

  Lemma safe_vector ts k b i j (a : ixs) n :
    sized ts -> nth_error ts k = Some b -> dims b = [n] -> sees i a j -> (0 <= j < Z.of_nat n)%Z ->
    safe i (load A (tX k) [a]).
  Proof.
    intros S at_k D V B. apply (safe_load _ _ _ [j]).
    - constructor; [exact V | constructor].
    - rewrite (S k b at_k), D. apply in_box_cons. split; [exact B | reflexivity].
  Qed.

  (** ** Elementwise *)

  Ltac by_parts := repeat (apply safe_bin || apply safe_call1 || apply safe_call2 || apply safe_lit).

  (** Functions of expressions that keep being safe. *)
  Definition keeps_safe (f : ex -> ex) : Prop := forall rho e, safe rho e -> safe rho (f e).

  Lemma keeps_relu : keeps_safe (relu A).
  Proof. intros rho e H. unfold relu. by_parts. exact H. Qed.
  Lemma keeps_sigmoid : keeps_safe (sigmoid A).
  Proof. intros rho e H. unfold sigmoid. by_parts. exact H. Qed.
  Lemma keeps_clipped lo hi : keeps_safe (clipped A lo hi).
  Proof. intros rho e H. unfold clipped. destruct (is_minus_infinity lo), (is_infinity hi); by_parts; exact H. Qed.
  Lemma keeps_leaky alpha : keeps_safe (leaky_relu A alpha).
  Proof. intros rho e H. unfold leaky_relu. by_parts; exact H. Qed.
  Lemma keeps_call1 f : keeps_safe (call1 A f).
  Proof. intros rho e H. by_parts. exact H. Qed.
  Lemma keeps_same : keeps_safe (fun e => e).
  Proof. intros rho e H. exact H. Qed.

  Theorem k_map_safe f (x : tensor) more out p : keeps_safe f -> fits_in (dims x) out ->
    k_map A (dims x :: more) out f = Some p -> sized [x] -> all_safe p.
  Proof.
    intros F B P S. apply (all_safe_stores _ _ _ P). intros i I. apply F.
    now apply (safe_spread [x] _ 0 x).
  Qed.

  Lemma safe_divided rho b e f : safe rho e -> safe rho f -> safe rho (divided A b e f).
  Proof. intros H J. unfold divided. destruct b; by_parts; assumption. Qed.

  Definition keeps_safe2 (f : ex -> ex -> ex) : Prop := forall rho a b, safe rho a -> safe rho b -> safe rho (f a b).

  Lemma keeps_not : keeps_safe (is_not A).
  Proof. intros rho e H. unfold is_not. by_parts. exact H. Qed.
  Lemma keeps_at_most : keeps_safe2 (at_most A).
  Proof. intros rho a b H J. unfold at_most. by_parts; assumption. Qed.
  Lemma keeps_xor : keeps_safe2 (fun a b => is_not A (call2 A FEqual a b)).
  Proof. intros rho a b H J. unfold is_not. by_parts; assumption. Qed.

  Theorem k_pair_safe f (x y : tensor) out p : keeps_safe2 f -> broadcast (dims x) (dims y) = Some out ->
    k_map2 A (map dims [x; y]) out f = Some p -> sized [x; y] -> all_safe p.
  Proof.
    intros F B P S. apply broadcast_fits in B. destruct B as [Bx By]. apply (all_safe_stores _ _ _ P). intros i I.
    apply F; [now apply (safe_spread [x; y] _ 0 x) | now apply (safe_spread [x; y] _ 1 y)].
  Qed.

  Theorem k_where_safe (c x y : tensor) out p : broadcast_all (dims c) [dims x; dims y] = Some out ->
    k_where A (map dims [c; x; y]) out = Some p -> sized [c; x; y] -> all_safe p.
  Proof.
    intros B P S. apply broadcast_all_fits in B. destruct B as [Bc Bl].
    assert (fits_in (dims x) out) as Bx by (apply Bl; now left).
    assert (fits_in (dims y) out) as By by (apply Bl; right; now left).
    apply (all_safe_stores _ _ _ P). intros i I. unfold chosen, is_not.
    by_parts; (now apply (safe_spread [c; x; y] _ 0 c)) || (now apply (safe_spread [c; x; y] _ 1 x)) ||
      now apply (safe_spread [c; x; y] _ 2 y).
  Qed.

  Lemma fold_from_safe f ts out : keeps_safe2 f -> sized ts -> (forall t, In t ts -> fits_in (dims t) out) ->
    forall fuel part from, from < length ts ->
      match part with O => from = 0 | S q => shapes (tT q) = out end ->
      all_safe (fold_from A (map dims ts) out f fuel part from).
  Proof.
    intros F S B.
    assert (forall k i, k < length ts -> in_box out i = true -> safe i (spread_in A (map dims ts) out k)) as one.
    { intros k i lt I. destruct (nth_error ts k) as [t |] eqn:E; [| apply nth_error_None in E; lia].
      apply (safe_spread ts _ k t); auto; [now apply in_dims | apply B; now apply nth_error_In in E]. }
    assert (forall i l, in_box out i = true -> (forall k, In k l -> k < length ts) -> forall e, safe i e ->
              safe i (fold_left (fun a k => f a (spread_in A (map dims ts) out k)) l e)) as more.
    { intros i l I. induction l as [| k l IH]; intros lt e H; [exact H |]. cbn [fold_left]. apply IH.
      - intros j inj. apply lt. now right.
      - apply F; [exact H |]. apply one; [apply lt; now left | exact I]. }
    induction fuel as [| fuel IH]; intros part from lt before; [apply all_safe_nil |].
    cbn [fold_from]. rewrite map_length. set (to := if 128 <? length ts - from then from + 128 else length ts).
    assert (from < to /\ to <= length ts) as [lo hi]
      by (unfold to; destruct (Nat.ltb_spec 128 (length ts - from)); lia).
    apply all_safe_cons.
    - intros D. destruct (Nat.ltb_spec 128 (length ts - from)); [| apply all_safe_nil].
      apply IH; [unfold to; lia | exact D].
    - intros _ i I. destruct part as [| q].
      + subst from. apply more; [exact I | | now apply one]. intros k ink. apply in_seq in ink. lia.
      + apply more; [exact I | |].
        * intros k ink. apply in_seq in ink. lia.
        * apply (safe_load _ _ _ i); [now apply all_see_vars | now rewrite before].
  Qed.

  Theorem k_fold_safe f x l out p : keeps_safe2 f -> broadcast_all (dims x) (map dims l) = Some out ->
    k_fold A (map dims (x :: l)) out f = Some p -> sized (x :: l) -> all_safe p.
  Proof.
    intros F B P S. apply some_inj in P. subst p. rewrite map_length. apply broadcast_all_fits in B. destruct B as [Bx Bl].
    apply fold_from_safe; auto; [| cbn [length]; lia]. intros t [<- | int_]; [exact Bx |]. apply Bl. now apply in_map.
  Qed.
End Safe.
