(** * Index functions stay inside, and what they do together *)

From Coq Require Import Bool List Lia Arith ZArith.
From Calque Require Import base.Lists tensor.Tensor tensor.Attrs tensor.Index.
Import ListNotations.
Open Scope nat_scope.

(** ** Boxes and lists of axes *)

Lemma in_box_set ds k n i z : in_box ds i = true -> (0 <= z < Z.of_nat n)%Z ->
  in_box (set_nth k n ds) (set_nth k z i) = true.
Proof.
  intros I lt. apply in_box_nth in I. destruct I as [len I]. apply in_box_nth. rewrite !set_nth_length.
  split; [exact len |]. intros j ltj. destruct (Nat.eq_dec j k) as [-> | ne].
  - rewrite !nth_set_same by lia. exact lt.
  - rewrite !nth_set_other by exact ne. now apply I.
Qed.

Lemma marks_length r axes : length (marks r axes) = r.
Proof. unfold marks. now rewrite map_length, seq_length. Qed.

(** ** Broadcasting *)

Lemma lead_length r ds : length ds <= r -> length (lead r ds) = r.
Proof. intros le. unfold lead. rewrite app_length, repeat_length. lia. Qed.

Lemma lead_same ds : lead (length ds) ds = ds.
Proof. unfold lead. now rewrite Nat.sub_diag. Qed.

Lemma agree_same ds : agree ds ds = Some ds.
Proof. induction ds as [| d ds IH]; [reflexivity |]. simpl. now rewrite IH, Nat.eqb_refl. Qed.

Lemma agree_comm a : forall b, agree a b = agree b a.
Proof.
  induction a as [| m a IH]; intros [| n b]; try reflexivity. simpl. rewrite IH.
  destruct (agree b a); [| reflexivity].
  destruct (Nat.eqb_spec m n), (Nat.eqb_spec n m), (Nat.eqb_spec m 1), (Nat.eqb_spec n 1); subst; try reflexivity; lia.
Qed.

Lemma agree_length a : forall b c, agree a b = Some c -> length c = length a /\ length c = length b.
Proof.
  induction a as [| m a IH]; intros [| n b] c H; simpl in H; try discriminate; [now injection H as <- |].
  destruct (agree a b) as [r |] eqn:E; [| discriminate]. destruct (IH _ _ E) as [la lb].
  destruct ((m =? n) || (m =? 1)); [| destruct (n =? 1); [| discriminate]]; injection H as <-; simpl; lia.
Qed.

(** What a size is, against that of the result. *)
Lemma agree_nth a : forall b c k, agree a b = Some c -> k < length c ->
  (nth k a 0 = nth k c 0 \/ nth k a 0 = 1) /\ (nth k b 0 = nth k c 0 \/ nth k b 0 = 1).
Proof.
  induction a as [| m a IH]; intros [| n b] c k H lt; simpl in H; try discriminate.
  - injection H as <-. simpl in lt. lia.
  - destruct (agree a b) as [r |] eqn:E; [| discriminate].
    destruct (Nat.eqb_spec m n) as [-> |]; simpl in H.
    + injection H as <-. destruct k; simpl in *; [auto | apply IH; [exact E | lia]].
    + destruct (Nat.eqb_spec m 1) as [-> |].
      * injection H as <-. destruct k; simpl in *; [auto | apply IH; [exact E | lia]].
      * destruct (Nat.eqb_spec n 1) as [-> |]; [| discriminate].
        injection H as <-. destruct k; simpl in *; [auto | apply IH; [exact E | lia]].
Qed.

Lemma broadcast_comm a b : broadcast a b = broadcast b a.
Proof. unfold broadcast. rewrite Nat.max_comm. apply agree_comm. Qed.

Lemma broadcast_same ds : broadcast ds ds = Some ds.
Proof. unfold broadcast. rewrite Nat.max_id, lead_same. apply agree_same. Qed.

Lemma broadcast_nil a : broadcast a [] = Some a.
Proof.
  unfold broadcast. rewrite Nat.max_0_r, lead_same. unfold lead. rewrite Nat.sub_0_r, app_nil_r.
  induction a as [| m a IH]; [reflexivity |]. simpl. rewrite IH.
  destruct (Nat.eqb_spec m 1) as [-> |]; [reflexivity |]. now rewrite orb_false_r.
Qed.

Lemma broadcast_length a b c : broadcast a b = Some c -> length c = Nat.max (length a) (length b).
Proof. intros H. apply agree_length in H. destruct H as [-> _]. apply lead_length. lia. Qed.

Lemma sizes_eqb_iff a b : sizes_eqb a b = true <-> a = b.
Proof. unfold sizes_eqb. destruct (list_eq_dec Nat.eq_dec a b); split; congruence. Qed.

Lemma sizes_eqb_refl a : sizes_eqb a a = true.
Proof. now apply sizes_eqb_iff. Qed.

Lemma broadcasts_iff a b : broadcasts a b = true <-> broadcast a b = Some b.
Proof.
  unfold broadcasts. destruct (broadcast a b) as [c |].
  - rewrite sizes_eqb_iff. split; intros H; [now subst | now injection H].
  - split; discriminate.
Qed.

Lemma broadcasts_same ds : broadcasts ds ds = true.
Proof. apply broadcasts_iff, broadcast_same. Qed.

Lemma clip_in_box ds : forall out i,
  length ds = length out -> (forall k, k < length out -> nth k ds 0 = nth k out 0 \/ nth k ds 0 = 1) ->
  in_box out i = true -> in_box ds (clip ds out i) = true.
Proof.
  induction ds as [| d ds IH]; intros [| o out] [| k i] len H I; try discriminate; [reflexivity |].
  apply in_box_cons in I. destruct I as [h t]. cbn [clip]. apply in_box_cons. split.
  - specialize (H 0). simpl in H. destruct (Nat.eqb_spec d o) as [-> |]; [exact h |].
    destruct H as [| ->]; [lia | contradiction | lia].
  - apply IH; [simpl in len; lia | | exact t].
    intros j lt. apply (H (S j)). simpl. lia.
Qed.

Lemma in_box_skipn n out i : in_box out i = true -> in_box (skipn n out) (skipn n i) = true.
Proof.
  revert out i. induction n as [| n IH]; intros [| o out] [| k i] H; try discriminate; try exact H.
  simpl. apply IH. now apply in_box_cons in H.
Qed.

Lemma in_box_firstn n out i : in_box out i = true -> in_box (firstn n out) (firstn n i) = true.
Proof.
  revert out i. induction n as [| n IH]; intros [| o out] [| k i] H; try discriminate; try reflexivity.
  simpl firstn. apply in_box_cons in H. apply in_box_cons. split; [easy |]. now apply IH.
Qed.

Lemma nth_lead r ds k : length ds <= r -> nth k ds 0 = nth (r - length ds + k) (lead r ds) 0.
Proof.
  intros le. unfold lead. rewrite app_nth2; rewrite repeat_length; [f_equal; lia | lia].
Qed.

Theorem spread_in_box a b c i :
  broadcast a b = Some c -> in_box c i = true -> in_box a (spread a c i) = true.
Proof.
  intros B I. pose proof (broadcast_length _ _ _ B) as len. unfold spread.
  apply clip_in_box.
  - rewrite skipn_length. lia.
  - intros k lt. rewrite skipn_length in lt. rewrite nth_skipn. unfold broadcast in B.
    destruct (agree_nth _ _ _ (length c - length a + k) B) as [H _]; [lia |].
    rewrite len in H. rewrite <- nth_lead in H by lia. now rewrite len.
  - now apply in_box_skipn.
Qed.

Corollary spread_in_box_r a b c i :
  broadcast a b = Some c -> in_box c i = true -> in_box b (spread b c i) = true.
Proof. rewrite broadcast_comm. apply spread_in_box. Qed.

Lemma clip_same ds i : length i = length ds -> clip ds ds i = i.
Proof.
  revert i. induction ds as [| d ds IH]; intros [| k i] len; try discriminate; [reflexivity |].
  simpl. rewrite Nat.eqb_refl, IH by (simpl in len; lia). reflexivity.
Qed.

(** Without broadcasting. *)
Lemma spread_same ds i : in_box ds i = true -> spread ds ds i = i.
Proof.
  intros I. unfold spread. rewrite Nat.sub_diag. apply clip_same. now apply in_box_length.
Qed.

(** ** Permutations *)

Lemma has_in k l : has k l = true <-> In k l.
Proof. apply existsb_eqb. Qed.

Lemma distinct_iff l : distinct l = true <-> NoDup l.
Proof.
  induction l as [| a l IH]; simpl; [split; [constructor | reflexivity] |].
  rewrite andb_true_iff, negb_true_iff, IH. split.
  - intros [nin nd]. constructor; [| exact nd]. intros ina. apply has_in in ina. congruence.
  - intros nd. inversion nd; subst. split; [| assumption]. destruct (has a l) eqn:E; [| reflexivity].
    apply has_in in E. contradiction.
Qed.

Lemma permutes_iff r p : permutes r p = true <-> length p = r /\ NoDup p /\ forall k, In k p -> k < r.
Proof.
  unfold permutes. rewrite !andb_true_iff, Nat.eqb_eq, distinct_iff, forallb_forall. split.
  - intros [[len nd] lt]. repeat split; try assumption. intros k ink. now apply Nat.ltb_lt, lt.
  - intros (len & nd & lt). repeat split; try assumption. intros k ink. now apply Nat.ltb_lt, lt.
Qed.

Lemma permutes_all r p k : permutes r p = true -> k < r -> In k p.
Proof.
  intros P lt. apply permutes_iff in P. destruct P as (len & nd & less).
  assert (incl (seq 0 r) p) as I; [| apply I, in_seq; lia].
  apply NoDup_length_incl; [exact nd | rewrite seq_length; lia |]. intros x inx. apply in_seq. specialize (less x inx). lia.
Qed.

Lemma unpermute_length p i : length (unpermute p i) = length p.
Proof. unfold unpermute. now rewrite map_length, seq_length. Qed.

Lemma nth_unpermute p i k : k < length p -> nth k (unpermute p i) 0%Z = nth (place_of k p) i 0%Z.
Proof. intros lt. unfold unpermute. rewrite (nth_map_lt _ _ _ 0) by now rewrite seq_length. now rewrite seq_nth. Qed.

Lemma unpermute_in_box r p ds i : permutes r p = true -> length ds = r ->
  in_box (permuted ds p) i = true -> in_box ds (unpermute p i) = true.
Proof.
  intros P len I. apply in_box_nth in I. destruct I as [li I]. unfold permuted in li, I. rewrite map_length in li, I.
  pose proof P as P'. apply permutes_iff in P'. destruct P' as (lp & _ & ltp).
  apply in_box_nth. rewrite unpermute_length. split; [lia |]. intros k lt. rewrite nth_unpermute by lia.
  pose proof (permutes_all r p k P ltac:(lia)) as ink. pose proof (place_of_lt k p ink) as ltk.
  specialize (I (place_of k p) ltk). rewrite (nth_map_lt _ _ _ 0) in I by exact ltk.
  now rewrite nth_place_of in I by exact ink.
Qed.
