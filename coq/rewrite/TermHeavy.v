(** * Arithmetic above convolutions and normalisations

    Every +, -, * and / counts 4 to the power of its height, so that one of them is
    more than three that are lower: [heavy].  The text of a rule says when a rewrite
    does not make that greater ([weighs_less], [weighs_no_more]). *)

From Coq Require Import Arith Bool Lia List NArith String ZArith.
From Calque Require Import base.Lists attr.Attr graph.Graph.
From Calque Require Import pattern.Pattern pattern.PatternProof pattern.Match pattern.MatchProof pattern.Forward pattern.ForwardProof.
From Calque Require Import rewrite.Rewrite rewrite.RewriteProof rewrite.Check rewrite.Facts rewrite.Sound rewrite.SoundRule.
From Calque Require Import rewrite.TermImage rewrite.TermMatch rewrite.TermBuild rewrite.TermBuildProof rewrite.TermStep rewrite.TermHeight rewrite.TermBounds.
Import ListNotations.
Open Scope list_scope.
Open Scope nat_scope.

Definition is_one_of (l : list string) (s : string) : bool := existsb (String.eqb s) l.
Definition arithmetic : list string := ["Add"; "Sub"; "Mul"; "Div"]%string.
Definition deep_op (s : string) : bool := is_one_of ["Conv"; "BatchNormalization"]%string s.

Definition bulk (F : tgraph) (i : nat) : nat :=
  match nth_error F i with
  | Some n => match what (op n) with
              | KCall s => if is_one_of arithmetic s then 4 ^ height deep_op F i else 0
              | _ => 0
              end
  | None => 0
  end.

Definition heavy (g : tgraph) : nat := total (bulk g) (seq 0 (List.length g)).

(** Arithmetic, once each. *)
Definition sums : weight := Weight (fun s => if is_one_of arithmetic s then 1 else 0) 0.

(** ** Read off the text *)

Section Text.
  Variables (r : rule) (name : string).
  Notation pats := (patterns r).

  Definition target_roots : list nat :=
    match target r with [p] => match variadic pats p with Some f => [f] | None => [p] end | ps => ps end.
  Definition source_roots : list bgoal :=
    match output_field r with Some f => [(Some 0, f); (Some 1, f)] | None => map (pair None) (source r) end.

  Definition above (p : nat) : option (list bound_) :=
    ups pats (reached_sources r) (depth r) deep_op name (S (List.length pats)) p.
  Definition beneath (i : option nat) (p : nat) : list bound_ :=
    if Nat.ltb p (depth r) then downs pats deep_op name (S (List.length pats)) i p else [].

  Definition under (U D : list bound_) : bool :=
    forallb (fun b => covers D b || match fst b with None => Nat.eqb (snd b) 0 | Some _ => false end) U.
  Definition far_under (U D : list bound_) : bool := forallb (covers D) ((None, 1) :: bump 1 U).

  Definition single : bool := match source r, output_field r with [_], None => true | _, _ => false end.

  (** No instance stands for another pattern, and what takes the place of an output is not higher. *)
  Definition not_higher : bool :=
    forallb (fun q => match first q with None => true | Some _ => false end) pats &&
    forallb (fun t => match above t with
                      | Some U => (single && forallb (fun b => Nat.eqb (snd b) 0) U) ||
                                  forallb (fun x => under U (beneath (fst x) (snd x))) source_roots
                      | None => false
                      end) target_roots.

  Definition sum_at (p : nat) : bool := negb (Nat.eqb (pattern_weight pats sums name p) 0).

  Definition once_made : bool :=
    forallb (fun p => negb (sum_at p) || existsb (Nat.eqb p) (reached_sources r) || negb (template_at pats p))
      (seq 0 (List.length pats)).

  Definition replaced (most : nat) (fit : list bound_ -> list bound_ -> bool) : bool :=
    not_higher && once_made &&
    match sim_roots pats (reached_sources r) (depth r) sums name (target r) with
    | Some Bs =>
        forallb (fun B => let new := filter sum_at B in
          Nat.leb (List.length new) most &&
          forallb (fun l => existsb (fun a => sum_at (fst a) &&
                              forallb (fun p => match above p with Some U => fit U (beneath (snd a) (fst a)) | None => false end) new) l)
            (uses r)) Bs
    | None => false
    end.

  Definition weighs_less : bool := replaced 3 far_under.
  Definition adds_none : bool :=
    not_higher && once_made &&
    match sim_roots pats (reached_sources r) (depth r) sums name (target r) with
    | Some Bs => forallb (fun B => Nat.eqb (List.length (filter sum_at B)) 0) Bs
    | None => false
    end.
  Definition weighs_no_more : bool := adds_none || replaced 1 under.
End Text.

Lemma height_same (G F : tgraph) : wf G -> wf F ->
  (forall i n, nth_error F i = Some n -> exists n', nth_error G i = Some n' /\ what (op n') = what (op n) /\ args n' = args n) ->
  forall i, i < List.length F -> height deep_op G i = height deep_op F i.
Proof.
  intros okG okF same i. induction i as [i IH] using (well_founded_induction lt_wf). intros lt.
  destruct (nth_error F i) as [n |] eqn:at_i; [| apply nth_error_None in at_i; lia].
  destruct (same i n at_i) as (n' & at_i' & W & A).
  rewrite (height_at deep_op G i n' okG at_i'), (height_at deep_op F i n okF at_i). unfold node_height. rewrite W, A.
  destruct (is_op _); [| reflexivity]. do 2 f_equal. apply map_ext_in. intros j inj. pose proof (okF i n at_i j inj).
  apply IH; lia.
Qed.

Section Step.
  Variable commutes : string -> bool.
  Variables (r : rule) (g : tgraph) (outputs : list nat).
  Notation pats := (patterns r).
  Hypothesis text : readable r = true.
  Hypothesis wf_g : wf g.
  Hypothesis grounded_g : grounded g.
  Variables (M : mstate) (outs : list nat).
  Hypothesis K : known commutes r g outputs M outs.
  Variable name : string.
  Hypothesis named : forall p q o l s, nth_error pats p = Some q -> form q = PCall o l -> target_op g M o = Some s ->
    s = call_name name o.
  Variables (h : tgraph) (outputs' : list nat) (es : list nat) (st : bstate) (new : tgraph).
  Hypothesis built_ : build_roots r g M (List.length outs) = Some (es, st).
  Hypothesis whole_ : whole st = g ++ new.
  Hypothesis done : rewrite_match r g outputs M outs = Some (h, outputs').
  Hypothesis wf_h : wf h.
  Variable from : nat -> nat.
  Hypothesis im : image (after g st outs es) h (moved (combine outs es)) (inside r M) from.
  Variable l : list addr.
  Hypothesis in_l : In l (uses r).
  Hypothesis nd_l : NoDup l.
  Hypothesis musts_l : forall a, In a l -> must commutes r g M a.

  Notation F := (whole st).
  Notation G := (after g st outs es).
  Notation H := (height deep_op F).

  Lemma wf_G : wf G.
  Proof.
    pose proof done as D. unfold rewrite_match in D. rewrite built_ in D.
    destruct (Nat.eqb _ _ && _); [| discriminate].
    destruct (place_target g _ (combine outs es)) as [[h1 f] |] eqn:P; [| discriminate].
    unfold place_target in P. destruct (wfb _ && _ && _) eqn:C; [| discriminate].
    rewrite !andb_true_iff in C. destruct C as [[W _] _]. now apply wfb_iff in W.
  Qed.

  Lemma wf_F : wf F.
  Proof.
    intros i n at_i j inj. destruct (after_kind g outs es st new whole_ i n at_i) as (n' & at_i' & _ & A).
    apply (wf_G i n' at_i' j). now rewrite A.
  Qed.

  Lemma height_G i : i < List.length F -> height deep_op G i = H i.
  Proof. apply (height_same G F wf_G wf_F). exact (after_kind g outs es st new whole_). Qed.

  Hypothesis lower : not_higher r name = true.

  Lemma firsts p q : nth_error pats p = Some q -> first q = None.
  Proof.
    intros at_p. unfold not_higher in lower. apply andb_true_iff in lower. destruct lower as [fs _].
    rewrite forallb_forall in fs. specialize (fs q (nth_error_In _ _ at_p)). now destruct (first q).
  Qed.

  Lemma ok_pats : ordered pats.
  Proof. exact (proj1 (text_ok r text)). Qed.

  Notation up := (up r M deep_op name F).
  Notation peak := (peak M deep_op F).

  Lemma roots_up : Forall (fun e => exists t, In t (target_roots r) /\ up t e) es /\ high r g M deep_op name F st.
  Proof.
    pose proof (build_up commutes r g outputs M outs K grounded_g deep_op name named F new whole_ wf_F firsts
      (List.length pats)) as IH.
    assert (prefix F st) as P by (exists []; now rewrite app_nil_r).
    assert (high r g M deep_op name F (BState [] g)) as H0.
    { constructor; [intros a e [] |]. intros i m s le at_i _. cbn in at_i.
      assert (nth_error g i = None) by now apply nth_error_None. congruence. }
    pose proof built_ as B. unfold build_roots in B.
    destruct (collects_up r g M deep_op name F (List.length pats) IH _ _ _ _ B P H0) as [us Hi]. split; [| exact Hi].
    assert (forall x, In x (roots r (List.length outs)) -> In (snd x) (target_roots r)) as tr.
    { unfold roots, target_roots, variadic. destruct (target r) as [| p [| p' ps]].
      - easy.
      - destruct (nth_error pats p) as [q |]; [| easy].
        destruct (form q); intros x inx; try (destruct inx as [<- | []]; now left).
        apply in_map_iff in inx. destruct inx as (k & <- & _). now left.
      - intros x inx. apply in_map_iff in inx. destruct inx as (k & <- & ink). exact ink. }
    clear - us tr. induction us as [| x e xs es u _ IHu]; constructor.
    - exists (snd x). split; [apply tr; now left | exact u].
    - apply IHu. intros y iny. apply tr. now right.
  Qed.

  Lemma peak_le U b : (forall x, In x U -> value_of M deep_op F x <= b) -> peak U <= b.
  Proof. intros all. unfold TermBounds.peak. apply greatest_le. intros x inx. apply in_map_iff in inx. destruct inx as (y & <- & iny). now apply all. Qed.

  Lemma beneath_le i p e : sees pats M i p e -> forall b, In b (beneath r name i p) -> value_of M deep_op F b <= H e.
  Proof.
    intros D b inb. unfold beneath in inb. destruct (Nat.ltb_spec p (depth r)) as [lt | ge_]; [| easy].
    exact (downs_le commutes r g outputs ok_pats M outs K grounded_g deep_op name named F new whole_ wf_F _ i p e lt D b inb).
  Qed.

  Lemma under_le U i p e : sees pats M i p e -> under U (beneath r name i p) = true -> peak U <= H e.
  Proof.
    intros D Un. apply peak_le. intros b inb. unfold under in Un. rewrite forallb_forall in Un. specialize (Un b inb).
    apply orb_true_iff in Un. destruct Un as [C | Z].
    - exact (covers_le g M deep_op F new whole_ wf_F _ b (H e) C (beneath_le i p e D)).
    - unfold value_of. destruct (fst b); [discriminate |]. apply Nat.eqb_eq in Z. rewrite Z. lia.
  Qed.

  Lemma far_under_lt U i p e : sees pats M i p e -> far_under U (beneath r name i p) = true -> peak U < H e.
  Proof.
    intros D Un. unfold far_under in Un. rewrite forallb_forall in Un.
    assert (peak ((None, 1) :: bump 1 U) <= H e) as X.
    { apply peak_le. intros b inb. exact (covers_le g M deep_op F new whole_ wf_F _ b (H e) (Un b inb) (beneath_le i p e D)). }
    pose proof (peak_bump M deep_op F 1 U). lia.
  Qed.

  Theorem moved_lower j : j < List.length G -> height deep_op G (moved (combine outs es) j) <= height deep_op G j.
  Proof.
    intros lt. destruct (moved_cases (combine outs es) j) as [Hm | [_ ->]]; [| lia].
    pose proof (in_combine_l _ _ _ _ Hm) as inj. pose proof (in_combine_r _ _ _ _ Hm) as int.
    set (t := moved (combine outs es) j) in *.
    assert (List.length G = List.length F) as LG by exact (after_length g outs es st new whole_).
    assert (height deep_op G t <= H t) as Ht.
    { destruct (Nat.lt_ge_cases t (List.length F)) as [lt' | ge_]; [now rewrite height_G |].
      unfold height at 1. rewrite nth_overflow; [lia | now rewrite heights_length, LG]. }
    rewrite (height_G j) by (now rewrite <- LG). transitivity (H t); [exact Ht |].
    destruct roots_up as [ups_ _]. rewrite Forall_forall in ups_. destruct (ups_ t int) as (p & inp & u).
    pose proof lower as Lo. unfold not_higher in Lo. apply andb_true_iff in Lo. destruct Lo as [_ Lo].
    rewrite forallb_forall in Lo. specialize (Lo p inp). destruct (above r name p) as [U |] eqn:Ab; [| discriminate].
    specialize (u _ U Ab). transitivity (peak U); [exact u |]. clear u.
    apply orb_true_iff in Lo. destruct Lo as [Lo | Lo].
    - apply andb_true_iff in Lo. destruct Lo as [Si Z]. rewrite forallb_forall in Z. unfold single in Si.
      destruct (source r) as [| p0 [| ? ?]] eqn:Src; try discriminate.
      destruct (output_field r) eqn:O; [discriminate |].
      destruct (known_single commutes r g outputs M outs K p0 Src O) as (o & Eo & pm0).
      rewrite Eo in inj. destruct inj as [<- | []]. apply peak_le. intros b inb. specialize (Z b inb). apply Nat.eqb_eq in Z.
      unfold value_of. rewrite Z. destruct (fst b) as [x |]; [| lia]. rewrite Nat.add_0_r. unfold node_at.
      destruct (get M (x, None)) as [y |] eqn:Gy.
      + destruct (pm_low deep_op commutes pats g ok_pats wf_g grounded_g p0 None empty o M pm0 (x, None) y (get_in M _ _ Gy)) as [[] | le].
        assert (forall z, z < List.length g -> H z = height deep_op g z) as Hg by (intros z lz; rewrite whole_; now apply height_app).
        assert (y < List.length g /\ o < List.length g) as [ly lo].
        { split; [exact (proj1 (proj2 (known_neat commutes r g outputs M outs K _ _ (get_in M _ _ Gy)))) |].
          inversion pm0; subst; apply nth_error_Some; congruence. }
        now rewrite !Hg.
      + rewrite (H_zero g grounded_g deep_op F new whole_ wf_F). lia.
    - rewrite forallb_forall in Lo. pose proof (known_outs commutes r g outputs M outs K) as D.
      apply In_nth_error in inj. destruct inj as [c at_c].
      assert (exists x, In x (source_goals r (List.length outs)) /\ sees pats M (fst x) (snd x) j) as (x & inx & Dx).
      { clear - D at_c. revert c at_c. induction D as [| y o xs os here _ IHd]; intros [| c] at_c; try discriminate.
        - injection at_c as ->. exists y. split; [now left | exact here].
        - destruct (IHd c at_c) as (x & inx & Dx). exists x. split; [now right | exact Dx]. }
      unfold source_goals in inx. destruct (output_field r) as [f |] eqn:O.
      + apply in_map_iff in inx. destruct inx as (k & <- & _). cbn [fst snd] in Dx.
        assert (forall q, nth_error pats f = Some q -> at_ (Some k) f q = (f, if template q then Some k else None)) as A.
        { intros q at_f. unfold at_, first_of. rewrite (firsts f q at_f). now destruct k, (template q). }
        assert (forall n k p, downs pats deep_op name n (Some (S k)) p = downs pats deep_op name n (Some 1) p) as later.
        { induction n as [| n IH]; intros k' p'; [reflexivity |]. cbn [downs]. destruct (nth_error pats p') as [q |]; [| reflexivity].
          cbn [first_of]. destruct (is_inst q); [reflexivity |].
          assert (forall l0 c0, flat_map (fun k0 => bump c0 (downs pats deep_op name n (Some (S k')) k0)) l0 =
                              flat_map (fun k0 => bump c0 (downs pats deep_op name n (Some 1) k0)) l0) as fm.
          { intros l0 c0. apply flat_map_ext. intros k0. now rewrite IH. }
          destruct (form q) as [| | | o l0 | l0 | k0 c0 | k0 d | | l0 | | | | |]; try reflexivity.
          - destruct (listed pats l0); [| reflexivity]. now rewrite fm.
          - destruct (listed pats l0); [| reflexivity]. apply flat_map_ext. intros k0. apply IH.
          - apply IH.
          - destruct l0 as [| k0 l0]; [reflexivity |]. rewrite IH. apply filter_ext. intros b.
            induction l0 as [| k1 l0 IHl]; [reflexivity |]. cbn [forallb]. now rewrite IH, IHl. }
        destruct k as [| k].
        * apply (under_le U (Some 0) f j Dx). apply (Lo (Some 0, f)). unfold source_roots. rewrite O. now left.
        * assert (beneath r name (Some (S k)) f = beneath r name (Some 1) f) as Eb by (unfold beneath; now rewrite later).
          apply (under_le U (Some (S k)) f j Dx). rewrite Eb. apply (Lo (Some 1, f)). unfold source_roots. rewrite O. right. now left.
      + apply (under_le U (fst x) (snd x) j Dx). apply Lo. unfold source_roots. now rewrite O.
  Qed.

  (** ** The sums *)

  Lemma H_g i : i < List.length g -> H i = height deep_op g i.
  Proof. intros lt. rewrite whole_. now apply height_app. Qed.

  Lemma heavy_image : heavy h + total (fun a => bulk F (node_at M a)) l
    <= heavy g + total (bulk F) (seq (List.length g) (List.length new)).
  Proof.
    assert (total (bulk F) (seq 0 (List.length g)) = heavy g) as Eg.
    { unfold heavy, total. f_equal. apply map_ext_in. intros i ini. apply in_seq in ini. unfold bulk.
      rewrite (H_g i) by lia. rewrite whole_, nth_error_app1 by lia. reflexivity. }
    rewrite <- Eg. unfold heavy.
    apply (image_total commutes r g outputs text M outs K h es st new whole_ from (bulk h) (bulk F) l im); try assumption.
    intros p lt.
    assert (height deep_op h p <= H (from p)) as le.
    { destruct (image_live G h _ _ from im p lt) as [ltG _].
      rewrite <- height_G by (now rewrite <- (after_length g outs es st new whole_)).
      exact (image_height deep_op G h _ _ from wf_G wf_h im moved_lower p lt). }
    unfold bulk. destruct (nth_error h p) as [m |] eqn:at_p; [| apply Nat.le_0_l].
    destruct (image_node G h _ _ from im p m at_p) as (n & at_n & Eo & _).
    rewrite (after_nth g st outs es new whole_) in at_n. destruct (nth_error F (from p)) as [n' |] eqn:at_n'; [| discriminate].
    injection at_n as <-. rewrite Eo. rewrite (proj1 (proj2 (retyped_same g (combine outs es) (from p) n'))).
    destruct (what (op n')) as [| | | s | |]; try apply Nat.le_0_l. destruct (is_one_of arithmetic s); [| lia].
    apply Nat.pow_le_mono_r; [lia | exact le].
  Qed.

  Lemma new_sum X : (forall i, List.length g <= i -> bulk F i <> 0 -> H i <= X) ->
    total (bulk F) (seq (List.length g) (List.length new)) <= total (weigh sums) new * 4 ^ X.
  Proof.
    intros low.
    assert (forall n k, total (bulk F) (seq (List.length g + k) n) <= total (fun i => weigh sums (nth i new blank)) (seq k n) * 4 ^ X) as go.
    { induction n as [| n IH]; intros k; [apply Nat.le_0_l |]. cbn [seq]. rewrite !total_cons.
      specialize (IH (S k)). rewrite Nat.add_succ_r in IH. rewrite Nat.mul_add_distr_r. apply Nat.add_le_mono; [| exact IH].
      specialize (low (List.length g + k) ltac:(lia)). unfold bulk in *. rewrite whole_, nth_error_app2 in * by lia.
      replace (List.length g + k - List.length g) with k in * by lia.
      destruct (nth_error new k) as [m |] eqn:at_k; [| apply Nat.le_0_l]. rewrite (nth_error_nth _ _ blank at_k).
      unfold weigh. destruct (what (op m)) as [| | | s | |]; try apply Nat.le_0_l. cbn [of_call sums].
      destruct (is_one_of arithmetic s); [| apply Nat.le_0_l]. rewrite Nat.mul_1_l.
      apply Nat.pow_le_mono_r; [lia |]. apply low. apply Nat.pow_nonzero. lia. }
    specialize (go (List.length new) 0). rewrite Nat.add_0_r in go. rewrite (total_nth (weigh sums) blank new). exact go.
  Qed.

  Lemma used_sum a : In a l -> sum_at r name (fst a) = true ->
    4 ^ H (node_at M a) <= total (fun a => bulk F (node_at M a)) l.
  Proof.
    intros ina S. destruct (must_weight commutes r g M sums name a named (musts_l a ina)) as (n & at_x & le).
    unfold sum_at in S. apply negb_true_iff, Nat.eqb_neq in S.
    assert (bulk F (node_at M a) = 4 ^ H (node_at M a)) as <-.
    { unfold bulk. rewrite whole_ at 1. rewrite nth_error_app1, at_x by (apply nth_error_Some; congruence).
      unfold weigh in le. destruct (what (op n)) as [| | | s | |]; try (cbn in le; lia). cbn [of_call sums] in le.
      destruct (is_one_of arithmetic s); [reflexivity | lia]. }
    clear - ina. induction l as [| b l0 IH]; [easy |]. rewrite total_cons. destruct ina as [-> | ina]; [lia |].
    specialize (IH ina). lia.
  Qed.

  Lemma must_sees a : In a l -> sees pats M (snd a) (fst a) (node_at M a).
  Proof.
    intros ina. destruct (musts_l a ina) as (i & q & x & Ea & Gx & at_a & _ & _). unfold node_at. rewrite Gx.
    intros q' at_q'. right. assert (q' = q) as -> by congruence.
    assert (at_ (snd a) (fst a) q = a) as ->; [| exact Gx].
    rewrite Ea at 3. rewrite Ea. cbn [fst snd]. unfold at_, first_of, inst_of. rewrite (firsts _ q at_a).
    now destruct i as [[|] |], (template q).
  Qed.

  Section Sums.
    Variable Bs : list (list nat).
    Hypothesis sims_ : sim_roots pats (reached_sources r) (depth r) sums name (target r) = Some Bs.
    Hypothesis once : once_made r name = true.

    Lemma new_known : exists B, In B Bs /\ total (weigh sums) new <= List.length (filter (sum_at r name) B) /\
      forall i, List.length g <= i -> bulk F i <> 0 -> exists p, In p (filter (sum_at r name) B) /\ up p i.
    Proof.
      destruct (roots_bounded commutes r g outputs ok_pats M outs K grounded_g sums name named _ es st Bs built_ sims_)
        as ([new' Fn] & inB & _).
      assert (new' = new) as ->.
      { pose proof (fine_whole _ _ _ _ _ _ _ Fn) as X. rewrite whole_ in X. now apply app_inv_head in X. }
      exists (keys r st). split; [exact inB |]. split.
      - pose proof (fine_weight _ _ _ _ _ _ _ Fn) as le. transitivity (total (pattern_weight pats sums name) (keys r st)); [exact le |].
        clear. induction (keys r st) as [| p B IH]; [reflexivity |]. rewrite total_cons. cbn [filter].
        assert (pattern_weight pats sums name p <= 1) as one.
        { unfold pattern_weight, weight_of. destruct (nth_error pats p) as [q |]; [| lia].
          destruct (form q); cbn [of_call of_tuple sums]; try lia. destruct (is_one_of arithmetic (call_name name o)); lia. }
        unfold sum_at at 1. destruct (Nat.eqb_spec (pattern_weight pats sums name p) 0); cbn [negb List.length]; lia.
      - intros i le nz. destruct roots_up as [_ Hi]. unfold bulk in nz. destruct (nth_error F i) as [m |] eqn:at_i; [| easy].
        destruct (what (op m)) as [| | | s | |] eqn:W; try easy. destruct (is_one_of arithmetic s) eqn:Ar; [| easy].
        destruct (high_calls _ _ _ _ _ _ _ Hi i m s le at_i W) as (a & o & l' & q & ina & at_a & Fq & Es).
        exists (fst a). split; [| exact (high_up _ _ _ _ _ _ _ Hi a i ina)].
        assert (sum_at r name (fst a) = true) as Sa.
        { unfold sum_at, pattern_weight. rewrite at_a. unfold weight_of. rewrite Fq, <- Es. cbn [of_call sums]. now rewrite Ar. }
        apply filter_In. split; [| exact Sa].
        pose proof (fine_made _ _ _ _ _ _ _ Fn a i q o l' ina at_a Fq) as ns.
        unfold once_made in once. rewrite forallb_forall in once. specialize (once (fst a)).
        assert (In (fst a) (seq 0 (List.length pats))) as ins.
        { apply in_seq. assert (fst a < List.length pats) by (apply nth_error_Some; congruence). lia. }
        specialize (once ins). rewrite Sa in once. cbn [negb orb] in once. apply orb_true_iff in once.
        destruct once as [src | nt]; [now apply existsb_in in src |].
        unfold keys. apply in_map_iff. exists (a, i). split; [reflexivity |]. apply filter_In. now split.
    Qed.
  End Sums.

  Lemma replaced_parts most fit : replaced r name most fit = true -> exists Bs,
    sim_roots pats (reached_sources r) (depth r) sums name (target r) = Some Bs /\ once_made r name = true /\
    forall B, In B Bs -> List.length (filter (sum_at r name) B) <= most /\
      exists a, In a l /\ sum_at r name (fst a) = true /\
        forall p, In p (filter (sum_at r name) B) -> exists U, above r name p = Some U /\ fit U (beneath r name (snd a) (fst a)) = true.
  Proof.
    intros R. unfold replaced in R. rewrite !andb_true_iff in R. destruct R as [[_ On] R].
    destruct (sim_roots _ _ _ sums name (target r)) as [Bs |] eqn:Sm; [| discriminate].
    exists Bs. split; [reflexivity |]. split; [exact On |]. intros B inB. rewrite forallb_forall in R. specialize (R B inB).
    apply andb_true_iff in R. destruct R as [Le R]. apply Nat.leb_le in Le. split; [exact Le |].
    rewrite forallb_forall in R. specialize (R l in_l). apply existsb_exists in R. destruct R as (a & ina & R).
    apply andb_true_iff in R. destruct R as [Sa R]. exists a. split; [exact ina |]. split; [exact Sa |].
    intros p inp. rewrite forallb_forall in R. specialize (R p inp). destruct (above r name p) as [U |]; [| discriminate]. now exists U.
  Qed.

  Theorem weighs_less_right : weighs_less r name = true -> heavy h < heavy g.
  Proof.
    intros R. destruct (replaced_parts 3 far_under R) as (Bs & Sm & On & parts_).
    destruct (new_known Bs Sm On) as (B & inB & cnt & low). destruct (parts_ B inB) as (most & a & ina & Sa & fit_).
    pose proof heavy_image as I. pose proof (used_sum a ina Sa) as Us.
    assert (forall i, List.length g <= i -> bulk F i <> 0 -> H i < H (node_at M a)) as lt.
    { intros i le nz. destruct (low i le nz) as (p & inp & u). destruct (fit_ p inp) as (U & Ab & Fu).
      specialize (u _ U Ab). pose proof (far_under_lt U (snd a) (fst a) (node_at M a) (must_sees a ina) Fu). lia. }
    destruct (H (node_at M a)) as [| X] eqn:Ha.
    - assert (total (bulk F) (seq (List.length g) (List.length new)) <= total (fun _ => 0) (seq (List.length g) (List.length new))) as Z.
      { apply total_le. intros i ini. apply in_seq in ini. destruct (Nat.eq_dec (bulk F i) 0) as [-> | nz]; [lia |].
        specialize (lt i ltac:(lia) nz). lia. }
      assert (total (fun _ : nat => 0) (seq (List.length g) (List.length new)) = 0) as Z0.
      { clear. generalize (List.length g). induction (List.length new) as [| n IH]; intros k; [reflexivity |]. cbn [seq].
        rewrite total_cons. now rewrite IH. }
      cbn in Us. lia.
    - pose proof (new_sum X) as N. specialize (N (fun i le nz => proj1 (Nat.lt_succ_r _ _) (lt i le nz))).
      assert (total (weigh sums) new * 4 ^ X <= 3 * 4 ^ X) by (apply Nat.mul_le_mono_r; lia).
      cbn [Nat.pow] in Us. assert (4 ^ X <> 0) by (apply Nat.pow_nonzero; lia). lia.
  Qed.

  Theorem weighs_no_more_right : weighs_no_more r name = true -> heavy h <= heavy g.
  Proof.
    intros R. unfold weighs_no_more in R. apply orb_true_iff in R. pose proof heavy_image as I. destruct R as [R | R].
    - unfold adds_none in R. rewrite !andb_true_iff in R. destruct R as [[_ On] R].
      destruct (sim_roots _ _ _ sums name (target r)) as [Bs |] eqn:Sm; [| discriminate].
      destruct (new_known Bs Sm On) as (B & inB & cnt & low). rewrite forallb_forall in R. specialize (R B inB).
      apply Nat.eqb_eq in R. pose proof (new_sum 0) as N.
      assert (total (weigh sums) new = 0) as Z by lia. rewrite Z in N. cbn in N.
      assert (forall i, List.length g <= i -> bulk F i <> 0 -> H i <= 0) as none.
      { intros i le nz. destruct (low i le nz) as (p & inp & _). destruct (filter (sum_at r name) B); [easy | discriminate]. }
      specialize (N none). lia.
    - destruct (replaced_parts 1 under R) as (Bs & Sm & On & parts_).
      destruct (new_known Bs Sm On) as (B & inB & cnt & low). destruct (parts_ B inB) as (most & a & ina & Sa & fit_).
      pose proof (used_sum a ina Sa) as Us. pose proof (new_sum (H (node_at M a))) as N.
      assert (total (bulk F) (seq (List.length g) (List.length new)) <= total (weigh sums) new * 4 ^ H (node_at M a)) as N'.
      { apply N. intros i le nz. destruct (low i le nz) as (p & inp & u). destruct (fit_ p inp) as (U & Ab & Fu).
        specialize (u _ U Ab). pose proof (under_le U (snd a) (fst a) (node_at M a) (must_sees a ina) Fu). lia. }
      assert (total (weigh sums) new * 4 ^ H (node_at M a) <= 1 * 4 ^ H (node_at M a)) by (apply Nat.mul_le_mono_r; lia). lia.
  Qed.
End Step.
