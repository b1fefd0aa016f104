(** * Roots, levels and places: what views and acceptors can touch *)

From Coq Require Import List Arith Lia Bool ZArith.
From Calque Require Import dpia.Syntax dpia.Nth dpia.Values dpia.Target dpia.Match.
Import ListNotations.
Set Implicit Arguments.

Definition below (l : nat) : nat -> Prop := fun k => k < l.
(** [P], or made since level [l]. *)
Definition extend (P : nat -> Prop) (l l' : nat) : nat -> Prop := fun r => P r \/ l <= r < l'.

Section Access.
  Context {A : algebra} {N : sizes} {s : sizing N}.
  Notation data := (data N). Notation vexp := (vexp A N). Notation vacc := (vacc N).
  Notation comm := (comm A N).
  Implicit Types (d : data) (v : vexp) (a : vacc) (c : comm) (ie : ienv) (m : store A)
    (P V : nat -> Prop).

  (** ** Scopes: all roots of a view are in [P], all its levels in [V] *)

  Fixpoint vscope P V v : Prop :=
    match v with
    | VRoot r => P r
    | VLit _ => True
    | VUn _ v | VSplit _ v | VJoin _ v | VFst v | VSnd v | VRev _ v | VTr v => vscope P V v
    | VBin _ v1 v2 | VZip v1 v2 | VPair v1 v2 => vscope P V v1 /\ vscope P V v2
    | VIdx v i => vscope P V v /\ ix_all V i
    | VIte c v1 v2 => cond_all V c /\ vscope P V v1 /\ vscope P V v2
    | VIx i => ix_all V i
    end.

  Fixpoint ascope V a : Prop :=
    match a with
    | ARoot _ => True
    | AIdx a i => ascope V a /\ ix_all V i
    | AZip1 a | AZip2 a | ASplit _ a | AJoin _ a | APair1 a | APair2 a | ARev _ a |
      ATr a => ascope V a
    end.

  Lemma vscope_mono P P' V V' v : (forall r, P r -> P' r) -> (forall k, V k -> V' k) ->
    vscope P V v -> vscope P' V' v.
  Proof.
    intros HP HV. induction v; cbn; auto; intuition eauto using ix_all_mono, cond_all_mono.
  Qed.

  Lemma ascope_mono V V' a : (forall k, V k -> V' k) -> ascope V a -> ascope V' a.
  Proof. intros HV. induction a; cbn; auto; intuition eauto using ix_all_mono. Qed.

  Lemma ascope_le l l' a : l <= l' -> ascope (below l) a -> ascope (below l') a.
  Proof. intros le. apply ascope_mono. unfold below. lia. Qed.

  Lemma vscope_le P l l' v : l <= l' -> vscope P (below l) v -> vscope P (below l') v.
  Proof. intros le. apply vscope_mono; unfold below; [auto | lia]. Qed.

  Lemma vscope_extend P l1 l2 l3 v : l1 <= l2 <= l3 ->
    vscope (extend P l1 l2) (below l2) v -> vscope (extend P l1 l3) (below l3) v.
  Proof. intros le. apply vscope_mono; unfold extend, below; intros; intuition lia. Qed.

  (** ** Values of indices that differ out of scope only *)

  Lemma index_scope V ie ie' (i : ix N) :
    ix_all V i -> (forall k, V k -> ie k = ie' k) -> index ie i = index ie' i.
  Proof. intros scope same. apply index_ext. eapply ix_all_mono; [exact same | exact scope]. Qed.

  Lemma holds_scope V ie ie' (c : cond N) :
    cond_all V c -> (forall k, V k -> ie k = ie' k) -> holds ie c = holds ie' c.
  Proof. intros scope same. apply holds_ext. eapply cond_all_mono; [exact same | exact scope]. Qed.

  Ltac split_scope := repeat match goal with H : _ /\ _ |- _ => destruct H end.
  Ltac by_step p := destruct p as [| [? | |] p]; auto.

  Lemma rd_ext P V ie ie' m m' v : vscope P V v ->
    (forall r q, P r -> m r q = m' r q) -> (forall k, V k -> ie k = ie' k) ->
    forall p, rd ie m v p = rd ie' m' v p.
  Proof.
    intros scope same_m same_ie. induction v; cbn in scope; intros p; cbn [rd]; split_scope; auto.
    - now rewrite same_m.
    - by_step p. now rewrite IHv.
    - by_step p. now rewrite IHv1, IHv2.
    - by_step p. by_step p.
    - by_step p. by_step p.
    - by_step p. now rewrite IHv.
    - rewrite (index_scope V ie ie' i) by auto.
      destruct (index ie' i); cbn; auto.
    - by_step p.
    - by_step p. now rewrite IHv.
    - by_step p. by_step p.
    - rewrite (holds_scope V ie ie' c) by auto. now rewrite IHv1, IHv2.
  Qed.

  Lemma reads_ext P V ie ie' v : vscope P V v -> (forall k, V k -> ie k = ie' k) ->
    forall p, reads ie v p = reads ie' v p.
  Proof.
    intros scope same. induction v; cbn in scope; intros p; cbn [reads]; split_scope; auto.
    - now rewrite IHv1, IHv2.
    - by_step p. by_step p.
    - by_step p. by_step p.
    - by_step p. now rewrite IHv.
    - rewrite (index_scope V ie ie' i) by auto. destruct (index ie' i); auto.
    - by_step p.
    - by_step p. now rewrite IHv.
    - by_step p. by_step p.
    - rewrite (holds_scope V ie ie' c) by auto. now rewrite IHv1, IHv2.
  Qed.

  Lemma reads_roots P V ie v : vscope P V v -> forall p r q, In (r, q) (reads ie v p) -> P r.
  Proof.
    induction v; cbn [vscope reads]; intros scope p r' q HI; split_scope; try (now destruct HI);
      eauto.
    - destruct HI as [E | []]. now injection E as <- <-.
    - apply in_app_iff in HI as [HI | HI]; eauto.
    - destruct p as [| [? | |] p]; cbn [In] in HI; try tauto.
      destruct p as [| [? | |] p]; cbn [In] in HI; try tauto; eauto.
    - destruct p as [| [? | |] p]; cbn [In] in HI; try tauto.
      destruct p as [| [? | |] p]; cbn [In] in HI; try tauto; eauto.
    - destruct p as [| [? | |] p]; cbn [In] in HI; try tauto.
      destruct (_ =? 0); cbn [In] in HI; [tauto | eauto].
    - destruct (index ie i); cbn [In] in HI; [eauto | tauto].
    - destruct p as [| [? | |] p]; cbn [In] in HI; try tauto; eauto.
    - destruct p as [| [? | |] p]; cbn [In] in HI; try tauto.
      destruct (_ <? _); cbn [In] in HI; [eauto | tauto].
    - destruct p as [| [? | |] p]; cbn [In] in HI; try tauto.
      destruct p as [| [? | |] p]; cbn [In] in HI; try tauto; eauto.
    - destruct (holds ie c); eauto.
  Qed.

  Lemma wr_ext V ie ie' a : ascope V a -> (forall k, V k -> ie k = ie' k) ->
    forall p, wr ie a p = wr ie' a p.
  Proof.
    intros scope same. induction a; cbn in scope; intros p; cbn [wr]; split_scope; auto.
    - by_step p.
    - by_step p.
    - by_step p. now rewrite IHa.
    - by_step p. by_step p.
    - rewrite (index_scope V ie ie' i) by auto. destruct (index ie' i); cbn; auto.
    - by_step p. now rewrite IHa.
    - by_step p. by_step p.
  Qed.

  (** ** Loop variables *)

  Lemma upi_below ie l i k : k < l -> upi ie l i k = ie k.
  Proof. intros lt. unfold upi. destruct (Nat.eqb_spec k l); auto; lia. Qed.

  Lemma upi_at ie l i : upi ie l i l = Z.of_nat i.
  Proof. unfold upi. now rewrite Nat.eqb_refl. Qed.

  Lemma index_upi ie l i : index (upi ie l i) (XVar l) = Some i.
  Proof. apply index_some. cbn. apply upi_at. Qed.

  Lemma index_const ie i : index ie (XCst (Z.of_nat i)) = Some i.
  Proof. now apply index_some. Qed.

  Lemma wr_upi ie l i a p : ascope (below l) a -> wr (upi ie l i) a p = wr ie a p.
  Proof. intros scope. eapply wr_ext; [exact scope |]. intros k lt. now apply upi_below. Qed.

  Lemma wr_loop ie l i a p :
    ascope (below l) a -> wr (upi ie l i) (AIdx a (XVar l)) p = wr ie a (At i :: p).
  Proof. intros scope. cbn [wr]. rewrite index_upi. cbn. now apply wr_upi. Qed.

  (** ** The places of an acceptor of type [d] *)

  Definition target_of ie (Lf : path -> Prop) a (q : path) : Prop := exists p, Lf p /\
    wr ie a p = Some q.
  Definition target ie d : vacc -> path -> Prop := target_of ie (leaf d).
  Definition injective ie d a : Prop :=
    forall p p' q, leaf d p -> leaf d p' -> wr ie a p = Some q -> wr ie a p' = Some q -> p = p'.

  (** Writes fall into the acceptor, reads into the roots [P]. *)
  Definition within ie d a P (x : access) : Prop :=
    (exists q, x = (true, (aroot a, q)) /\ target ie d a q) \/
      (exists r q, x = (false, (r, q)) /\ P r).

  Lemma within_mono ie d a P P' x : (forall r, P r -> P' r) -> within ie d a P x ->
    within ie d a P' x.
  Proof. intros HP [W | (r & q & -> & HR)]; [left; exact W | right; eauto]. Qed.

  (** ** Parts: [a'] at [d'] is [a] at [d], seen through an injective map of leaves *)

  Definition part ie d' a' d a (f : path -> path) : Prop :=
    aroot a' = aroot a /\
    (forall p, leaf d' p -> leaf d (f p) /\ wr ie a' p = wr ie a (f p)) /\
    (forall p p', leaf d' p -> leaf d' p' -> f p = f p' -> p = p').

  Lemma part_target ie d' a' d a f q : part ie d' a' d a f -> target ie d' a' q -> target ie d a q.
  Proof. intros (_ & each & _) (p & lf & E). exists (f p). destruct (each p lf) as [lf' <-].
  auto. Qed.

  Lemma part_injective ie d' a' d a f : part ie d' a' d a f -> injective ie d a ->
    injective ie d' a'.
  Proof.
    intros (_ & each & inj) J p p' q lf lf' E E'.
    destruct (each p lf) as [lf1 W1], (each p' lf') as [lf2 W2].
    apply inj; auto. apply (J _ _ q); auto; congruence.
  Qed.

  Lemma part_within ie d' a' d a f P x : part ie d' a' d a f -> within ie d' a' P x ->
    within ie d a P x.
  Proof.
    intros H [(q & -> & W) | HR]; [left | right; exact HR].
    exists q. split; [now rewrite (proj1 H) | eauto using part_target].
  Qed.

  Definition under (f : path -> path) (p : path) : path :=
    match p with x :: p => x :: f p | [] => [] end.
  Definition split_path n (p : path) : path :=
    match p with At i :: p => At (i / n) :: At (i mod n) :: p | _ => p end.
  Definition join_path n (p : path) : path :=
    match p with At i :: At j :: p => At (i * n + j) :: p | _ => p end.
  Definition rev_path n (p : path) : path :=
    match p with At i :: p => At (n - 1 - i) :: p | _ => p end.
  Definition tr_path (p : path) : path :=
    match p with At i :: At j :: p => At j :: At i :: p | _ => p end.

  Lemma part_zip1 ie n d1 d2 a :
    part ie (DAry n d1) (AZip1 a) (DAry n (DPair d1 d2)) a (under (cons L)).
  Proof.
    split; [reflexivity | split].
    - intros p lf. path_cases p i. cbn. auto.
    - intros p p' lf lf' E. path_cases p i; path_cases p' i'. cbn in E. now injection E as -> ->.
  Qed.

  Lemma part_zip2 ie n d1 d2 a :
    part ie (DAry n d2) (AZip2 a) (DAry n (DPair d1 d2)) a (under (cons R)).
  Proof.
    split; [reflexivity | split].
    - intros p lf. path_cases p i. cbn. auto.
    - intros p p' lf lf' E. path_cases p i; path_cases p' i'. cbn in E. now injection E as -> ->.
  Qed.

  Lemma part_pair1 ie d1 d2 a : part ie d1 (APair1 a) (DPair d1 d2) a (cons L).
  Proof. repeat split; auto. intros p p' _ _ E. now injection E. Qed.

  Lemma part_pair2 ie d1 d2 a : part ie d2 (APair2 a) (DPair d1 d2) a (cons R).
  Proof. repeat split; auto. intros p p' _ _ E. now injection E. Qed.

  Lemma part_idx ie n d a i k : index ie i = Some k -> k < #n ->
    part ie d (AIdx a i) (DAry n d) a (cons (At k)).
  Proof.
    intros E lt. split; [reflexivity | split].
    - intros p lf. cbn [leaf wr]. rewrite E. cbn. auto.
    - intros p p' _ _ E'. now injection E'.
  Qed.

  Lemma part_split ie n k d a :
    part ie (DAry (mul N n k) d) (ASplit n a) (DAry k (DAry n d)) a (split_path #n).
  Proof.
    split; [reflexivity | split].
    - intros p lf. path_cases p i. rewrite count_mul in lf. destruct lf as [lt lf].
      assert (nz : #n <> 0) by nia. cbn. apply Nat.eqb_neq in nz as nzb. rewrite nzb.
      repeat split; auto; [apply Nat.div_lt_upper_bound; lia | now apply Nat.mod_upper_bound].
    - intros p p' lf lf' E. path_cases p i; path_cases p' i'. rewrite count_mul in lf, lf'.
      cbn in E. injection E as E1 E2 ->. destruct lf, lf'. assert (nz : #n <> 0) by nia.
      rewrite (Nat.div_mod i #n), (Nat.div_mod i' #n) by auto. now rewrite E1, E2.
  Qed.

  Lemma part_join ie n k d a :
    part ie (DAry k (DAry n d)) (AJoin n a) (DAry (mul N n k) d) a (join_path #n).
  Proof.
    split; [reflexivity | split].
    - intros p lf. path_cases p i. destruct lf as [lt_i lf]. path_cases p j. rewrite count_mul. cbn.
      intuition nia.
    - intros p p' lf lf' E. path_cases p i; path_cases p' i'.
      destruct lf as [lt_i lf], lf' as [lt_i' lf'].
      path_cases p j; path_cases p' j'. cbn in E. injection E as E1 ->.
      destruct lf as [lt_j _], lf' as [lt_j' _].
      destruct (divmod_join i lt_j) as [D M], (divmod_join i' lt_j') as [D' M'].
      rewrite E1 in D, M. congruence.
  Qed.

  Lemma part_rev ie n d a : part ie (DAry n d) (ARev n a) (DAry n d) a (rev_path #n).
  Proof.
    split; [reflexivity | split].
    - intros p lf. path_cases p i. destruct lf as [lt lf]. apply Nat.ltb_lt in lt as ltb.
      cbn [leaf wr rev_path]. rewrite ltb. repeat split; auto. lia.
    - intros p p' lf lf' E. path_cases p i; path_cases p' i'. cbn in E. injection E as E1 ->.
      do 2 f_equal. lia.
  Qed.

  Lemma part_tr ie n k d a : part ie (DAry n (DAry k d)) (ATr a) (DAry k (DAry n d)) a tr_path.
  Proof.
    split; [reflexivity | split].
    - intros p lf. path_cases p i. destruct lf as [lt_i lf]. path_cases p j. cbn. tauto.
    - intros p p' lf lf' E. path_cases p i; path_cases p' i'.
      destruct lf as [lt_i lf], lf' as [lt_i' lf'].
      path_cases p j; path_cases p' j'. cbn in E. now injection E as -> -> ->.
  Qed.

  (** One iteration of a loop over [a]. *)
  Lemma part_loop ie l i n d a : ascope (below l) a -> i < #n ->
    part (upi ie l i) d (AIdx a (XVar l)) (DAry n d) a (cons (At i)).
  Proof. intros _ lt. apply part_idx; [apply index_upi | exact lt]. Qed.

  Lemma target_upi ie l i d a q : ascope (below l) a -> target (upi ie l i) d a q <->
    target ie d a q.
  Proof.
    intros scope; unfold target; split; intros (p & lf & E); exists p; split; auto;
      [rewrite wr_upi in E | rewrite wr_upi]; auto.
  Qed.
End Access.
