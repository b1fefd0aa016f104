(** * The semantic check is sound *)

From Coq Require Import Bool Lia List NArith String ZArith.
From Calque Require Import base.Lists attr.Attr attr.AttrProof graph.Graph.
From Calque Require Import pattern.Pattern pattern.PatternProof pattern.Match pattern.MatchProof.
From Calque Require Import pattern.Forward pattern.ForwardProof.
From Calque Require Import rewrite.Rewrite rewrite.Check rewrite.Settled rewrite.CheckProof.
Import ListNotations.
Open Scope nat_scope.

(** ** An expression whose references are defined does not depend on the others *)

Section Irrelevant.
  Variables (pats : list pattern) (M : mstate).

  (** Environments that agree where [M] defines something. *)
  Definition agree (i : option nat) (syms : list symbol) (G H : env) : Prop :=
    (forall p l, access_defined pats M i p l = true -> access G p l = access H p l) /\
    (forall p k l, instances_defined pats M (N.to_nat p) = true -> inst G p k l = inst H p k l) /\
    (forall s, some i || existsb (N.eqb s) syms = true -> value_of G s = value_of H s) /\
    (forall p, taken G p = look_up Nat.eqb (alts M) (N.to_nat p) \/ look_up Nat.eqb (alts M) (N.to_nat p) = None) /\
    (forall p, taken H p = look_up Nat.eqb (alts M) (N.to_nat p) \/ look_up Nat.eqb (alts M) (N.to_nat p) = None).

  Lemma agree_bind i syms G H s v :
    agree i syms G H -> agree i (s :: syms) (bind G s v) (bind H s v).
  Proof.
    intros (a & b & c & d & e). split; [exact a |]. split; [exact b |]. split; [| now split].
    intros t. cbn [bind value_of existsb]. destruct (N.eqb_spec t s) as [-> | ne]; [reflexivity |]. apply c.
  Qed.

  (** Its value is the same whatever an undefined reference would be. *)
  Theorem defined_irrelevant a : forall i syms G H,
    agree i syms G H -> defined pats M i syms a = true -> eval G a = eval H a.
  Proof.
    induction a as [w | | p l | o a IHa | o a b IHa IHb | l IH | a b IHa IHb
        | s | p a l IHa | s n a IHn IHa | s t a IHt IHa | o t IHt | c a b IHc IHa IHb
        | p l IH | f l IH] using attr_nested_ind;
      intros i syms G H ag; cbn [defined eval]; rewrite ?andb_true_iff; intros D;
      repeat match goal with H : _ /\ _ |- _ => lazymatch type of H with agree _ _ _ _ => fail | _ => destruct H end end;
      try (rewrite (IHa i syms G H ag) by assumption); try (rewrite (IHb i syms G H ag) by assumption);
      try (rewrite (IHc i syms G H ag) by assumption); try (rewrite (IHn i syms G H ag) by assumption);
      try (rewrite (IHt i syms G H ag) by assumption); try reflexivity.
    - now apply ag.
    - rewrite forallb_forall in D. rewrite Forall_forall in IH.
      rewrite (traverse_ext _ (eval H)); [reflexivity |]. intros b inb. apply (IH b inb i syms G H ag), D, inb.
    - now apply ag.
    - destruct (eval H a) as [[| | k | | |] |]; try reflexivity. now apply ag.
    - destruct (eval H n) as [[| | k | | |] |]; try reflexivity. destruct (count k); [| reflexivity].
      f_equal. apply traverse_ext. intros c _. apply (IHa i (s :: syms)); [now apply agree_bind | assumption].
    - destruct (eval H t) as [[| | | | | ws] |]; try reflexivity.
      f_equal. apply traverse_ext. intros w _. apply (IHa i (s :: syms)); [now apply agree_bind | assumption].
    - destruct ag as (a1 & a2 & a3 & a4 & a5).
      destruct (look_up Nat.eqb (alts M) (N.to_nat p)) as [k |] eqn:L; [| discriminate].
      destruct (a4 p) as [-> | E]; [| congruence]. destruct (a5 p) as [-> | E]; [| congruence]. rewrite L.
      rewrite !eval_alternative. rewrite nth_error_map in D.
      destruct (nth_error l k) as [b |] eqn:at_k; [| discriminate]. cbn [option_map] in D.
      apply nth_error_In in at_k. rewrite Forall_forall in IH. now apply (IH b at_k i syms).
    - rewrite forallb_forall in D. rewrite Forall_forall in IH.
      rewrite (traverse_ext _ (eval H)); [reflexivity |]. intros b inb. apply (IH b inb i syms G H ag), D, inb.
  Qed.
End Irrelevant.

(** ** Matches of a rule, before their conditions are asked for *)

Section Sound.
  Variable commutes : string -> bool.
  Variables (r : rule) (g : tgraph).
  Notation pats := (patterns r).
  Notation pm := (pm commutes pats g).
  Notation top := (S (List.length pats)).

  (** [M]: a map for the outputs; of a variadic source, with its length. *)
  Definition whole_match (M : mstate) (outs : list nat) : Prop :=
    match output_field r with
    | None => outputs_match commutes r g empty (source r) outs M
    | Some f => exists M0, branches commutes r g f outs M0 /\ outs <> [] /\
                  M = put_len M0 (hd 0 (source r)) (List.length outs)
    end.

  (** What the patterns say about attributes refers to nothing that is not defined. *)
  Definition claims_defined (M : mstate) : Prop :=
    (forall a e q l c, In (a, e) (bound M) -> nth_error pats (fst a) = Some q ->
       In (l, c) (claims q) -> defined pats M (snd a) [] c = true) /\
    (forall v n q f least a ix, In (v, n) (lens M) -> nth_error pats v = Some q ->
       form q = PVariadic f least (Some a) ix -> defined pats M None [] a = true).

  Hypothesis accepted : rule_check r = true.

  Definition from_source (p : nat) : Prop := exists o, In o (source r) /\ In p (reached pats top o).

  Lemma accepted_parts :
    ordered pats /\ source r <> [] /\
    (forall o, In o (source r) -> plain pats o = true /\ o < List.length pats) /\
    (forall q, In q pats -> layered pats q = true) /\
    (forall p q, nth_error pats p = Some q -> from_source p ->
       claims_ok pats (source_bound r) (source_met r) (p, q) = true) /\
    (let V := match output_field r with Some _ => source r ++ source_met r | None => source_met r end in
     (forall c, In c (conditions r) -> refers pats (source_bound r) V None false [] c = true) /\
     match target r with
     | [p] => match variadic pats p with
              | Some f => some (output_field r) && builds pats top (source_bound r) V (hd_error (source r)) true f
              | None => builds pats top (source_bound r) V None false p
              end
     | ps => forallb (builds pats top (source_bound r) V None false) ps
     end = true).
  Proof.
    unfold rule_check in accepted. rewrite !andb_true_iff in accepted.
    destruct accepted as [[[[[[[c1 c2] c3] c4] c5] c6] c7] c8].
    split; [now apply orderedb_iff |].
    split; [now destruct (source r) |].
    split.
    { rewrite forallb_forall in c3. intros o ino. specialize (c3 o ino). apply andb_true_iff in c3.
      destruct c3 as [P L]. split; [exact P | now apply Nat.ltb_lt]. }
    split; [now rewrite forallb_forall in c4 |].
    split.
    { intros p q at_p (o & ino & inp). rewrite forallb_forall in c5.
      assert (In (p, q) (combine (seq 0 (List.length pats)) pats)) as inc
        by (apply in_combine_seq; rewrite Nat.sub_0_r; split; [lia | exact at_p]).
      specialize (c5 _ inc). cbn [fst] in c5. apply orb_true_iff in c5. destruct c5 as [N | C]; [| exact C].
      apply negb_true_iff in N.
      assert (existsb (fun o => mem p (reached pats top o)) (source r) = true); [| congruence].
      apply existsb_exists. exists o. split; [exact ino | now apply mem_iff]. }
    split; [now rewrite forallb_forall in c6 | exact c8].
  Qed.

  Lemma ord : ordered pats. Proof. apply accepted_parts. Qed.
  Lemma lay : forall q, In q pats -> layered pats q = true. Proof. apply accepted_parts. Qed.

  Lemma from_source_closed p q :
    from_source p -> nth_error pats p = Some q ->
    (forall k, In k (children (form q)) -> from_source k) /\ (forall f, first q = Some f -> from_source f).
  Proof.
    intros (o & ino & inp) at_p.
    destruct accepted_parts as (_ & _ & inside & _). destruct (inside o ino) as [_ lt].
    split; [intros k ink | intros f F]; exists o; (split; [exact ino |]);
      apply (reached_closed pats ord top o p q); auto; lia.
  Qed.

  (** What is needed of a match to answer the claims. *)
  Definition ready (M : mstate) : Prop :=
    (forall n, settled pats n M) /\
    forall a, get M a <> None -> from_source (fst a) /\
      (exists q, nth_error pats (fst a) = Some q /\ template q = some (snd a)) /\
      forall k, snd a = Some k -> exists f v, variadic pats v = Some f /\
        In (fst a) (reached pats top f) /\ done pats M (Some k) f.

  Lemma ready_of (branch : nat -> Prop) field M :
    (forall n, settled pats n M) -> from pats from_source branch field M ->
    (forall k, branch k -> done pats M (Some k) field) -> ready M.
  Proof.
    intros S [fa _] B. split; [exact S |]. intros a Ba. destruct (fa a Ba) as (Ra & Ta & Wa).
    split; [exact Ra |]. split; [exact Ta |]. intros k Ek.
    destruct (Wa k Ek) as (f & v & V & [inf W]). exists f, v. split; [exact V |]. split; [exact inf |].
    destruct W as [[-> bk] | (i & o & q & w & n & at_o & F & Bo & P & V' & L & lt)]; [now apply B |].
    destruct (S (Datatypes.S o) i o q (Nat.lt_succ_diag_r o) at_o F Bo) as (_ & _ & c & _).
    destruct (c w f P) as (_ & m & L' & all). apply all. congruence.
  Qed.

  Lemma in_bound_get M a e : In (a, e) (bound M) -> get M a <> None.
  Proof.
    unfold get, look_up. intros ina. destruct (find _ (bound M)) eqn:F; [discriminate |].
    apply (find_none _ _ F) in ina. cbn [fst] in ina.
    assert (addr_eqb a a = true) by now apply addr_eqb_eq. congruence.
  Qed.

  Lemma in_lens M v n : In (v, n) (lens M) -> exists m, look_up Nat.eqb (lens M) v = Some m.
  Proof.
    unfold look_up. intros inv. destruct (find _ (lens M)) as [b |] eqn:F; [now exists (snd b) |].
    apply (find_none _ _ F) in inv. cbn [fst] in inv. now rewrite Nat.eqb_refl in inv.
  Qed.

  Theorem claims_sound M :
    ready M -> filled M -> (forall v n, look_up Nat.eqb (lens M) v = Some n -> from_source v) ->
    knows M (source_bound r) -> (forall v, In v (source_met r) -> counted pats M v) ->
    claims_defined M.
  Proof.
    intros [complete bindings] full lengths K Vs.
    destruct accepted_parts as (_ & _ & _ & _ & claim & _). split.
    - intros a e q l c ina at_p inc. destruct (bindings a (in_bound_get M a e ina)) as (Ra & (q' & at_q & T) & W).
      assert (q' = q) as -> by congruence. specialize (claim (fst a) q at_p Ra).
      unfold claims_ok in claim. apply andb_true_iff in claim. destruct claim as [_ claim].
      rewrite T in claim. destruct a as [p [k |]]; cbn [fst snd some] in *.
      + destruct (W k eq_refl) as (f & v & V & inf & D).
        rewrite forallb_forall in claim.
        assert (In v (seq 0 (List.length pats))) as inv.
        { apply in_seq. unfold variadic in V. destruct (nth_error pats v) eqn:at_v; [| discriminate].
          assert (v < List.length pats) by (apply nth_error_Some; congruence). lia. }
        specialize (claim v inv). rewrite V in claim. apply orb_true_iff in claim.
        destruct claim as [N | claim].
        { apply negb_true_iff, not_mem_iff in N. easy. }
        rewrite forallb_forall in claim. specialize (claim _ inc). cbn [snd] in claim.
        apply (refers_sound pats M complete full (source_met r) c (source_bound r) (Some v) (Some k) true);
          try assumption; [| discriminate].
        intros v' E. injection E as <-. now exists k, f.
      + rewrite forallb_forall in claim. specialize (claim _ inc). cbn [snd] in claim.
        apply (refers_sound pats M complete full (source_met r) c (source_bound r) None None false);
          try assumption; discriminate.
    - intros v n q f least a ix inv at_v F. destruct (in_lens M v n inv) as [m L].
      specialize (claim v q at_v (lengths v m L)). unfold claims_ok in claim. rewrite F in claim.
      apply andb_true_iff in claim. destruct claim as [claim _].
      apply (refers_sound pats M complete full (source_met r) a (source_bound r) None None false);
        try assumption; discriminate.
  Qed.

  (** *** Fixed outputs *)

  Lemma settled_empty n : settled pats n empty.
  Proof. intros i p q _ _ _ H. now elim H. Qed.

  Lemma from_empty branch field : from pats from_source branch field empty.
  Proof. split; [intros a H; now elim H | discriminate]. Qed.

  Lemma plain_not_template p : plain pats p = true -> forall q, nth_error pats p = Some q -> template q = false.
  Proof. unfold plain. intros P q at_p. rewrite at_p in P. now apply negb_true_iff. Qed.

  Lemma thread_settled branch field : forall (l : list (option nat * nat * nat)) M M',
    (forall i p e, In (i, p, e) l -> from_source p /\
       (i = None -> forall q, nth_error pats p = Some q -> template q = false) /\
       (forall k, i = Some k -> p = field /\ branch k /\ exists v, variadic pats v = Some field)) ->
    thread (fun M x M' => pm (fst (fst x)) M (snd (fst x)) (snd x) M') M l M' ->
    (forall n, settled pats n M) -> from pats from_source branch field M ->
    (forall n, settled pats n M') /\ from pats from_source branch field M' /\ steady pats M M' /\
    forall i p e, In (i, p, e) l -> done pats M' i p.
  Proof.
    induction l as [| [[i p] e] l IH]; intros M M' src T S F; inversion T as [| ? ? M1 ? ? here rest]; subst.
    - split; [exact S |]. split; [exact F |]. split; [apply steady_refl | easy].
    - cbn [fst snd] in here. destruct (src i p e (or_introl eq_refl)) as (Rp & nt & ctx).
      assert (exists q, nth_error pats p = Some q) as [q at_p] by (inversion here; subst; eauto).
      assert (forall n, settled pats n M1) as S1.
      { intros n. apply settled_less with (Datatypes.S (Nat.max n p)); [lia |].
        apply (pm_settled commutes pats g ord lay p i M e M1 q); try assumption; [lia | apply S]. }
      assert (done pats M1 i p) as D1.
      { apply (pm_settled commutes pats g ord lay p i M e M1 q (Datatypes.S p)); try assumption; [lia | apply S]. }
      assert (from pats from_source branch field M1) as F1.
      { apply (pm_from commutes pats g ord lay from_source from_source_closed branch field p i M e M1); try assumption.
        intros k Ek. destruct (ctx k Ek) as (-> & bk & v & V). exists field, v. split; [exact V |].
        split; [apply reached_self | left; now split]. }
      destruct (IH M1 M') as (S2 & F2 & St & D2); [| exact rest | exact S1 | exact F1 |].
      { intros i' p' e' inl. apply (src i' p' e'). now right. }
      split; [exact S2 |]. split; [exact F2 |].
      split; [apply steady_trans with M1; [now apply (pm_steady commutes pats g ord p i M e M1) | exact St] |].
      intros i' p' e' [E | inl]; [injection E as <- <- <-; now apply done_steady with M1 | now apply (D2 i' p' e')].
  Qed.

  (** The facts that hold of a match, for the claims, the conditions and the target. *)
  Definition facts (M : mstate) (V : list nat) : Prop :=
    ready M /\ (forall v n, look_up Nat.eqb (lens M) v = Some n -> from_source v) /\
    knows M (source_bound r) /\ (forall v, In v V -> counted pats M v).

  Lemma outputs_facts M outs :
    output_field r = None -> outputs_match commutes r g empty (source r) outs M -> filled M ->
    facts M (source_met r).
  Proof.
    intros O [len T] full. destruct accepted_parts as (_ & _ & inside & _).
    destruct (thread_settled (fun _ => False) 0 (map (fun x => (None, fst x, snd x)) (combine (source r) outs)) empty M)
      as (S & F & _ & D).
    - intros i p e inl. apply in_map_iff in inl. destruct inl as ([p' e'] & E & inc). injection E as <- <- <-.
      cbn [fst snd] in *. apply in_combine_l in inc. destruct (inside p' inc) as [P lt].
      split; [exists p'; split; [exact inc | apply reached_self] |].
      split; [intros _; now apply plain_not_template | discriminate].
    - clear - T. revert T. generalize (combine (source r) outs), empty. intros l.
      induction l as [| x l IH]; intros s T; inversion T as [| ? ? s1 ? ? here rest]; subst; simpl; [constructor |].
      apply T_Cons with s1; [exact here | now apply IH].
    - apply settled_empty.
    - apply from_empty.
    - assert (forall p, In p (source r) -> done pats M None p) as Dp.
      { intros p inp. destruct (In_nth_error _ _ inp) as [c at_c].
        assert (c < List.length outs) as lt by (rewrite <- len; apply nth_error_Some; congruence).
        apply nth_error_Some in lt. destruct (nth_error outs c) as [e |] eqn:at_e; [| easy].
        apply (D None p e). apply in_map_iff. exists (p, e). split; [reflexivity |].
        apply nth_error_In with c. clear - at_c at_e. revert c outs at_c at_e.
        induction (source r) as [| v l IH]; intros [| c] [| y es] A B; simpl in *; try discriminate; [congruence |].
        now apply IH. }
      split; [now apply (ready_of (fun _ => False) 0) |]. split; [apply F |].
      unfold source_bound, source_met. rewrite O. split.
      + intros a ina. apply in_flat_map in ina. destruct ina as (p & inp & ina).
        apply (raw_sound pats M S full top None p); [now apply Dp | exact ina].
      + intros v inv. apply in_flat_map in inv. destruct inv as (p & inp & inv).
        apply (met_sound pats M S full top None p); [now apply Dp | exact inv].
  Qed.

  (** *** Branches *)

  Lemma output_field_spec f :
    output_field r = Some f -> exists p, source r = [p] /\ variadic pats p = Some f.
  Proof.
    unfold output_field. destruct (source r) as [| p [| p' l]]; try discriminate. intros V. now exists p.
  Qed.

  Lemma branches_facts f outs M :
    output_field r = Some f -> branches commutes r g f outs M -> outs <> [] -> filled M ->
    facts M (source_met r) /\ forall c, c < List.length outs -> done pats M (Some c) f.
  Proof.
    intros O T ne full. destruct (output_field_spec f O) as (p & Sp & V).
    assert (from_source f) as Rf.
    { assert (from_source p) as Rp by (exists p; rewrite Sp; split; [now left | apply reached_self]).
      destruct (variadic_child pats p f V) as (q & at_p & inf). now apply (proj1 (from_source_closed p q Rp at_p)). }
    destruct (thread_settled (fun k => k < List.length outs) f
                (map (fun x => (Some (fst x), f, snd x)) (combine (seq 0 (List.length outs)) outs)) empty M)
      as (S & F & _ & D).
    - intros i q e inl. apply in_map_iff in inl. destruct inl as ([c x] & E & inc). injection E as <- <- <-.
      cbn [fst snd] in *. split; [exact Rf |]. split; [discriminate |]. intros k E. injection E as <-.
      split; [reflexivity |]. split; [apply in_combine_l, in_seq in inc; lia | now exists p].
    - unfold branches in T. clear - T. revert T. generalize (combine (seq 0 (List.length outs)) outs), empty. intros l.
      induction l as [| x l IH]; intros s T; inversion T as [| ? ? s1 ? ? here rest]; subst; simpl; [constructor |].
      apply T_Cons with s1; [exact here | now apply IH].
    - apply settled_empty.
    - apply from_empty.
    - assert (forall c, c < List.length outs -> done pats M (Some c) f) as Dc.
      { intros c lt. pose proof lt as lt'. apply nth_error_Some in lt'.
        destruct (nth_error outs c) as [e |] eqn:at_e; [| easy].
        apply (D (Some c) f e). apply in_map_iff. exists (c, e). split; [reflexivity |].
        apply in_combine_seq. rewrite Nat.sub_0_r. split; [lia | exact at_e]. }
      assert (0 < List.length outs) as pos by (destruct outs; [easy | simpl; lia]).
      split; [| exact Dc].
      split; [now apply (ready_of (fun k => k < List.length outs) f) |]. split; [apply F |].
      unfold source_bound, source_met. rewrite O. split.
      + intros a ina. apply (raw_sound pats M S full top (Some 0) f); [now apply Dc | exact ina].
      + intros v inv. apply (met_sound pats M S full top (Some 0) f); [now apply Dc | exact inv].
  Qed.

  (** Each branch is asked for before the next is looked for. *)
  Theorem branch_claims_sound f outs M :
    output_field r = Some f -> branches commutes r g f outs M -> outs <> [] -> filled M -> claims_defined M.
  Proof.
    intros O T ne full. destruct (branches_facts f outs M O T ne full) as [(A & B & C & D) _].
    now apply claims_sound.
  Qed.

  (** Only variadic patterns below the field have a length yet. *)
  Lemma branches_lens f p q outs M :
    nth_error pats p = Some q -> variadic pats p = Some f -> branches commutes r g f outs M ->
    look_up Nat.eqb (lens M) p = None.
  Proof.
    intros at_p V T.
    assert (f < p) as lt.
    { destruct (variadic_child pats p f V) as (q' & at_q & inf).
      pose proof (proj1 (ord p q' at_q) f inf). lia. }
    assert (from pats (fun x => x <= f) (fun _ => True) f M) as [_ L].
    { unfold branches in T. revert T.
      assert (from pats (fun x => x <= f) (fun _ => True) f empty) as F0
        by (split; [intros a H; now elim H | discriminate]).
      revert F0. generalize (combine (seq 0 (List.length outs)) outs), empty. intros l.
      induction l as [| [c x] l IH]; intros s F T; inversion T as [| ? ? s1 ? ? here rest]; subst; [exact F |].
      apply (IH s1); [| exact rest]. cbn [fst snd] in here.
      apply (pm_from commutes pats g ord lay (fun x => x <= f)) with f (Some c) s x; try assumption.
      - intros o qo le at_o. split; [intros k ink | intros k Fk].
        + pose proof (proj1 (ord o qo at_o) k ink). lia.
        + pose proof (proj2 (ord o qo at_o) k Fk). lia.
      - lia.
      - discriminate.
      - intros k E. injection E as <-. exists f, p. split; [exact V |].
        split; [apply reached_self | now left]. }
    destruct (look_up Nat.eqb (lens M) p) as [n |] eqn:E; [| reflexivity].
    pose proof (L p n E). lia.
  Qed.

  (** Giving the number of the branches changes nothing else. *)
  Lemma put_len_facts f (outs : list nat) M p :
    output_field r = Some f -> source r = [p] -> variadic pats p = Some f ->
    facts M (source_met r) -> (forall c, c < List.length outs -> done pats M (Some c) f) -> outs <> [] ->
    facts (put_len M p (List.length outs)) (source r ++ source_met r).
  Proof.
    intros O Sp V ([S B] & L & K & Vs) D ne. set (n := List.length outs). set (M' := put_len M p n).
    assert (1 <= n) as pos by (unfold n; destruct outs; [easy | simpl; lia]).
    assert (forall i k, done pats M i k -> done pats M' i k) as same by (intros i k H; exact H).
    assert (forall v, look_up Nat.eqb (lens M') v = if Nat.eqb p v then Some n else look_up Nat.eqb (lens M) v) as lens'
      by (intros v; apply look_up_cons).
    split; [split |]; [| | split; [| split]].
    - intros m i o q lt at_o F Bo. destruct (S m i o q lt at_o F Bo) as (a & b & c & d).
      split; [exact a |]. split; [exact b |]. split; [| exact d].
      intros v f' P. destruct (c v f' P) as (V' & k & L' & all). split; [exact V' |]. rewrite lens'.
      destruct (Nat.eqb_spec p v) as [<- |]; [| now exists k].
      exists n. split; [reflexivity |]. assert (f' = f) as -> by congruence. exact D.
    - exact B.
    - intros v m E. rewrite lens' in E. destruct (Nat.eqb_spec p v) as [<- |]; [| now apply (L v m)].
      exists p. rewrite Sp. split; [now left | apply reached_self].
    - exact K.
    - intros v inv. apply in_app_or in inv. rewrite Sp in inv. destruct inv as [[<- | []] | inv].
      + exists f, n. rewrite lens', Nat.eqb_refl. now repeat split.
      + destruct (Vs v inv) as (f' & m & V' & L' & pm_ & all). unfold counted. rewrite lens'.
        destruct (Nat.eqb_spec p v) as [<- |]; [| now exists f', m].
        exists f', n. split; [exact V' |]. split; [reflexivity |]. split; [exact pos |].
        assert (f' = f) as -> by congruence. exact D.
  Qed.

  (** *** All together *)

  Theorem check_sound M outs :
    whole_match M outs -> filled M ->
    claims_defined M /\
    (forall c, In c (conditions r) -> defined pats M None [] c = true) /\
    (forall i p q, visited pats M g (roots r (List.length outs)) i p -> nth_error pats p = Some q ->
       looked_up pats g M i p q = None -> buildable pats M i q).
  Proof.
    intros W full.
    assert (exists V, V = match output_field r with Some _ => source r ++ source_met r | None => source_met r end /\
              facts M V /\ incl (source_met r) V) as (V & EV & F & sub).
    { unfold whole_match in W. destruct (output_field r) as [f |] eqn:O.
      - destruct W as (M0 & T & ne & ->). destruct (output_field_spec f O) as (p & Sp & Vp).
        rewrite Sp. cbn [hd]. eexists. split; [reflexivity |].
        assert (filled M0) as full0.
        { destruct (variadic_child pats p f Vp) as (q & at_p & _).
          pose proof (branches_lens f p q outs M0 at_p Vp T) as Lp.
          intros v n E. apply (full v n). rewrite Sp. cbn [hd put_len lens]. rewrite look_up_cons.
          destruct (Nat.eqb_spec p v); [congruence | exact E]. }
        destruct (branches_facts f outs M0 O T ne full0) as [F D].
        rewrite <- Sp. split; [now apply put_len_facts with f |]. intros v inv. apply in_or_app. now right.
      - eexists. split; [reflexivity |]. split; [now apply outputs_facts with outs | apply incl_refl]. }
    destruct F as (R & L & K & Vs). pose proof R as [complete _].
    destruct accepted_parts as (_ & _ & _ & _ & _ & conds & tgt). rewrite <- EV in conds, tgt.
    split; [| split].
    - apply claims_sound; try assumption. intros v inv. now apply Vs, sub.
    - intros c inc. apply (refers_sound pats M complete full V c (source_bound r) None None false);
        try assumption; try discriminate. now apply conds.
    - apply (builds_sound pats M complete full g (roots r (List.length outs)) V Vs).
      intros i p inr. unfold roots in inr.
      assert (forall p, builds pats top (source_bound r) V None false p = true -> fine pats M V None p) as plain_fine.
      { intros p' H. exists top, (source_bound r), None, false. split; [exact K |].
        split; [discriminate |]. split; [discriminate | exact H]. }
      assert (forall ps, forallb (builds pats top (source_bound r) V None false) ps = true ->
                In (i, p) (map (pair None) ps) -> fine pats M V i p) as many.
      { intros ps all inm. apply in_map_iff in inm. destruct inm as (p' & E & inp). injection E as <- <-.
        rewrite forallb_forall in all. apply plain_fine, all, inp. }
      destruct (target r) as [| p0 [| p1 ps]]; [easy | | now apply (many (p0 :: p1 :: ps))].
      unfold variadic in tgt. destruct (nth_error pats p0) as [q0 |] eqn:at_0; [| easy].
      destruct (form q0) eqn:F0;
        try (destruct inr as [E | []]; injection E as <- <-; now apply plain_fine).
      apply andb_true_iff in tgt. destruct tgt as [O tgt].
      apply in_map_iff in inr. destruct inr as (c & E & inc). injection E as <- <-. apply in_seq in inc.
      exists top, (source_bound r), (hd_error (source r)), true. split; [exact K |]. split; [| now split].
      destruct (output_field r) as [f |] eqn:Of; [| discriminate].
      destruct (output_field_spec f Of) as (ps & Sp & Vp). rewrite Sp. intros v E. injection E as <-.
      exists c, f. split; [reflexivity |]. split; [exact Vp |].
      unfold whole_match in W. rewrite Of in W. destruct W as (M0 & _ & _ & EM).
      destruct (Vs ps) as (f' & n & Vf & Ln & _ & all); [rewrite EV, Sp; now left |].
      rewrite EM, Sp in Ln. cbn [hd put_len lens] in Ln. rewrite look_up_cons, Nat.eqb_refl in Ln.
      injection Ln as <-. assert (f' = f) as -> by congruence. apply all. lia.
  Qed.
End Sound.
