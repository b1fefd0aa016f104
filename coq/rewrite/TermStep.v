(** * One rewrite, weighed

    The weight of the rewritten graph is at most that of the graph, less that of an
    alternative of the source, more that of a choice of the target ([step_weight]). *)

From Coq Require Import Arith Bool Lia List NArith String ZArith.
From Calque Require Import base.Lists attr.Attr graph.Graph.
From Calque Require Import pattern.Pattern pattern.PatternProof pattern.Match pattern.MatchProof pattern.Forward pattern.ForwardProof.
From Calque Require Import rewrite.Rewrite rewrite.RewriteProof rewrite.Check rewrite.Settled.
From Calque Require Import rewrite.Facts rewrite.Sound rewrite.SoundRule rewrite.SoundFix.
From Calque Require Import rewrite.TermImage rewrite.TermMatch rewrite.TermBuild rewrite.TermBuildProof.
Import ListNotations.
Open Scope list_scope.
Open Scope nat_scope.

(** ** What is read off the text of a rule *)

(** The outputs that every match has. *)
Definition certain_goals (r : rule) : list bgoal :=
  match output_field r with
  | Some f =>
      let least := match source r with
                   | [p] => match nth_error (patterns r) p with
                            | Some q => match form q with PVariadic _ least _ _ => least | _ => 0 end
                            | None => 0
                            end
                   | _ => 0
                   end in
      map (fun k => (Some k, f)) (seq 0 (Nat.max 1 least))
  | None => map (pair None) (source r)
  end.

Definition addr_dec : forall a b : addr, {a = b} + {a <> b}.
Proof. repeat decide equality. Defined.

(** The applications that a match uses up, for each of its alternatives. *)
Definition uses (r : rule) : list (list addr) :=
  map (nodup addr_dec)
    (joined (map (fun x => musts (patterns r) (List.length (patterns r)) (fst x) (snd x)) (certain_goals r))).

(** The operator pattern, of which there is at most one. *)
Definition op_pattern (r : rule) : option (nat * list string) :=
  find (fun _ => true) (flat_map (fun pq => match form (snd pq) with POp l => [(fst pq, l)] | _ => [] end)
                          (combine (seq 0 (List.length (patterns r))) (patterns r))).

Definition op_names (r : rule) : list string := match op_pattern r with Some (_, l) => l | None => [] end.

Definition ops_ok (r : rule) : bool :=
  forallb (fun q => match form q with
                    | PCall (OPat k) _ =>
                        match op_pattern r with
                        | Some (k0, l) => Nat.eqb k k0 && Nat.ltb k (depth r) &&
                            match nth_error (patterns r) k with
                            | Some s => match form s with POp l' => if list_eq_dec string_dec l l' then negb (template s) else false | _ => false end &&
                                        match first s with None => true | Some _ => false end
                            | None => false
                            end
                        | None => false
                        end
                    | _ => true
                    end) (patterns r).

Definition readable (r : rule) : bool :=
  let pats := patterns r in
  let n := List.length pats in
  orderedb pats && forallb (layered pats) pats && forallb (fun p => Nat.ltb p n) (source r) && ops_ok r &&
  match output_field r with
  | Some f => rooted pats n (Some 0) f && rooted pats n (Some 1) f
  | None => forallb (rooted pats n None) (source r)
  end.

Section Step.
  Variable commutes : string -> bool.
  Variables (r : rule) (g : tgraph) (outputs : list nat).
  Notation pats := (patterns r).
  Hypothesis text : readable r = true.
  Hypothesis wf_g : wf g.
  Hypothesis grounded_g : grounded g.
  Hypothesis inside_g : forall o, In o outputs -> o < List.length g.

  Lemma text_ok : ordered pats /\ (forall q, In q pats -> layered pats q = true) /\
    (forall p, In p (source r) -> p < List.length pats) /\ ops_ok r = true.
  Proof.
    unfold readable in text. rewrite !andb_true_iff, !forallb_forall in text.
    destruct text as [[[[a b] c] d] _]. split; [now apply orderedb_iff |]. split; [exact b |]. split; [| exact d].
    intros p inp. apply Nat.ltb_lt. now apply c.
  Qed.

  Variables (M : mstate) (outs : list nat).
  Hypothesis K : known commutes r g outputs M outs.

  Notation dead := (inside r M).

  (** ** The operator pattern *)

  Definition names : list string := EmptyString :: op_names r.

  Lemma some_name : exists name, In name names /\
    forall p q o l s, nth_error pats p = Some q -> form q = PCall o l -> target_op g M o = Some s ->
      s = call_name name o.
  Proof.
    destruct text_ok as (_ & _ & _ & ops). unfold ops_ok in ops. rewrite forallb_forall in ops.
    destruct (existsb (fun q => match form q with PCall (OPat _) _ => true | _ => false end) pats) eqn:Used.
    - apply existsb_exists in Used. destruct Used as (q0 & inq & Used).
      destruct (form q0) as [| | | [s0 | k] l0 | | | | | | | | | |] eqn:F0; try discriminate.
      pose proof (ops q0 inq) as o0. rewrite F0 in o0. unfold names, op_names.
      destruct (op_pattern r) as [[k0 nms] |]; [| discriminate].
      rewrite !andb_true_iff in o0. destruct o0 as [[E lt] Sh]. apply Nat.eqb_eq in E. subst k. apply Nat.ltb_lt in lt.
      destruct (nth_error pats k0) as [s |] eqn:at_k; [| discriminate]. rewrite andb_true_iff in Sh.
      destruct Sh as [Sh Fst]. destruct (form s) as [| | | | | | | | | l' | | | |] eqn:Fs; try discriminate.
      destruct (list_eq_dec string_dec nms l') as [<- |]; [| discriminate]. apply negb_true_iff in Sh.
      assert (forall nm, (forall x t, get M (k0, None) = Some x -> name_of g x = Some t -> t = nm) ->
                forall p q o l t, nth_error pats p = Some q -> form q = PCall o l -> target_op g M o = Some t ->
                  t = call_name nm o) as go.
      { intros nm N p q o l t at_p Fq To. specialize (ops q (nth_error_In _ _ at_p)). rewrite Fq in ops.
        destruct o as [s' | k]; cbn in *; [now injection To |].
        rewrite !andb_true_iff in ops. destruct ops as [[E _] _]. apply Nat.eqb_eq in E. subst k.
        destruct (get M (k0, None)) as [x |]; [| discriminate]. now apply (N x t). }
      destruct (get M (k0, None)) as [x |] eqn:G.
      + assert (get M (k0, inst_of None s) = Some x) as G' by (unfold inst_of; now rewrite Sh).
        destruct (known_fit commutes r g outputs M outs K None k0 s x lt at_k eq_refl G') as (n & at_x & X).
        unfold fits_node in X. rewrite Fs in X. destruct X as (nm & W & In_).
        apply existsb_exists in In_. destruct In_ as (nm' & inn & En). apply String.eqb_eq in En. subst nm'.
        exists nm. split; [now right |]. apply go. intros y t Gy Ny. injection Gy as <-.
        unfold name_of in Ny. rewrite at_x, W in Ny. congruence.
      + exists EmptyString. split; [now left |]. apply go. intros y t Gy. discriminate.
    - exists EmptyString. split; [now left |]. intros p q o l t at_p Fq To. destruct o as [s | k].
      + cbn in *. now injection To.
      + exfalso. assert (existsb (fun q => match form q with PCall (OPat _) _ => true | _ => false end) pats = true) as X;
          [| congruence]. apply existsb_exists. exists q. split; [now apply nth_error_In in at_p |]. now rewrite Fq.
  Qed.

  (** ** What is used up *)

  Lemma goals_depth x : In x (source_goals r (List.length outs)) \/ In x (certain_goals r) -> snd x < depth r.
  Proof.
    destruct text_ok as (ok & _ & lt & _). unfold source_goals, certain_goals, depth.
    destruct (output_field r) as [f |]; intros [H | H]; apply in_map_iff in H; destruct H as (y & <- & iny); cbn; try lia.
    - now apply lt.
    - now apply lt.
  Qed.

  Lemma certain_seen x : In x (certain_goals r) -> exists o, sees pats M (fst x) (snd x) o.
  Proof.
    intros H. pose proof (known_outs commutes r g outputs M outs K) as D.
    assert (In x (source_goals r (List.length outs))) as inx.
    { unfold certain_goals, source_goals in *. destruct (output_field r) as [f |] eqn:O; [| exact H].
      apply in_map_iff in H. destruct H as (k & <- & ink). apply in_map_iff. exists k. split; [reflexivity |]. apply in_seq in ink. apply in_seq.
      unfold output_field in O. destruct (source r) as [| p [| p' ps]] eqn:Src; try discriminate. unfold variadic in O.
      destruct (nth_error pats p) as [q |] eqn:at_p; [| discriminate].
      destruct (form q) as [| | | | | | | | | | f' least len ix | | |] eqn:Fq; try discriminate. injection O as ->.
      pose proof (known_many commutes r g outputs M outs K p q f least len ix Src at_p Fq). lia. }
    clear H. apply In_nth_error in inx. destruct inx as [c at_c]. destruct (Forall2_nth _ _ _ D c x at_c) as (o & _ & H).
    now exists o.
  Qed.

  Theorem some_use : exists l, In l (uses r) /\ NoDup l /\ forall a, In a l -> must commutes r g M a.
  Proof.
    destruct text_ok as (ok & _ & _ & _).
    destruct (joined_some (must commutes r g M)
      (map (fun x => musts pats (List.length pats) (fst x) (snd x)) (certain_goals r))) as (l & inl & Pl).
    - intros ways inw. apply in_map_iff in inw. destruct inw as (x & <- & inx).
      destruct (certain_seen x inx) as [o D].
      apply (musts_bound commutes r g outputs ok M outs K _ (fst x) (snd x) o); [| exact D].
      apply goals_depth. now right.
    - exists (nodup addr_dec l). split; [unfold uses; now apply in_map |]. split; [apply NoDup_nodup |].
      intros a ina. apply nodup_In in ina. now apply Pl.
  Qed.

  Lemma outs_inside o : In o outs -> dead o.
  Proof.
    intros ino. destruct text_ok as (ok & _ & _ & _).
    pose proof (known_outs commutes r g outputs M outs K) as D.
    assert (exists x, In x (source_goals r (List.length outs)) /\ sees pats M (fst x) (snd x) o) as (x & inx & Dx).
    { clear - D ino. revert ino. induction D as [| y o' l os here _ IH]; [easy |]. intros [-> | ino].
      - exists y. split; [now left | exact here].
      - destruct (IH ino) as (x & inx & Dx). exists x. split; [now right | exact Dx]. }
    apply (rooted_inside commutes r g outputs ok M outs K (List.length pats) (fst x) (snd x) o); [| exact Dx |].
    - apply goals_depth. now left.
    - pose proof text as tx. unfold readable in tx. rewrite !andb_true_iff in tx. destruct tx as [_ root].
      unfold source_goals in inx. destruct (output_field r) as [f |].
      + apply andb_true_iff in root. destruct root as [r0 r1]. apply in_map_iff in inx. destruct inx as (k & <- & _). cbn.
        assert (forall n k p, rooted pats n (Some (S k)) p = rooted pats n (Some 1) p) as later.
        { induction n as [| n IH]; intros k' p; [reflexivity |]. cbn [rooted]. destruct (nth_error pats p) as [q |]; [| reflexivity].
          cbn [first_of]. destruct (form q); try reflexivity. f_equal. induction kids as [| c l IHl]; [reflexivity |].
          cbn [forallb]. now rewrite IH, IHl. }
        destruct k as [| k]; [exact r0 | now rewrite later].
      + apply in_map_iff in inx. destruct inx as (p & <- & inp). rewrite forallb_forall in root. now apply root.
  Qed.

  Lemma zero_no_out : ~ In 0 outs.
  Proof. intros H. now apply (zero_outside commutes r g outputs M outs K grounded_g), outs_inside. Qed.

  (** ** The rewritten graph *)

  Variables (h : tgraph) (outputs' : list nat) (es : list nat) (st : bstate) (new : tgraph).
  Hypothesis built_ : build_roots r g M (List.length outs) = Some (es, st).
  Hypothesis whole_ : whole st = g ++ new.
  Hypothesis args_ : forall n j, In n new -> In j (args n) -> ~ dead j.
  Hypothesis outs_ : Forall (fun j => ~ dead j) es.
  Hypothesis done : rewrite_match r g outputs M outs = Some (h, outputs').

  Notation moves := (combine outs es).
  Notation G := (after g st outs es).

  Lemma lengths : List.length es = List.length outs.
  Proof.
    pose proof done as D. unfold rewrite_match in D. rewrite built_ in D.
    destruct (Nat.eqb_spec (List.length es) (List.length outs)); [assumption | discriminate].
  Qed.

  Lemma moved_out j : ~ dead j -> ~ dead (moved moves j).
  Proof.
    intros nd. destruct (moved_cases moves j) as [H | [_ ->]]; [| exact nd].
    apply in_combine_r in H. exact (proj1 (Forall_forall _ es) outs_ _ H).
  Qed.

  Lemma moved_cases_out j : ~ dead (moved moves j) \/ (~ In j outs /\ moved moves j = j).
  Proof.
    destruct (moved_cases moves j) as [H | [n E]].
    - left. apply in_combine_r in H. exact (proj1 (Forall_forall _ es) outs_ _ H).
    - right. split; [| exact E]. intros ino. apply n. 
      assert (forall a b : list nat, List.length b = List.length a -> map fst (combine a b) = a) as go.
      { induction a as [| x a IH]; intros [| y b] L; try discriminate; [reflexivity |]. cbn. f_equal. apply IH. now injection L. }
      now rewrite (go _ _ lengths).
  Qed.

  Theorem step_image : exists from, image G h (moved moves) dead from.
  Proof.
    pose proof done as D. unfold rewrite_match in D. rewrite built_ in D.
    destruct (Nat.eqb _ _ && _); [| discriminate].
    destruct (place_target g _ moves) as [[h1 f] |] eqn:P; [| discriminate]. injection D as D _.
    change (fst (tidy h1 (map f outputs)) = h) in D. rewrite <- D.
    pose proof (known_use commutes r g outputs M outs K) as use.
    apply (made_image g _ moves outputs dead wf_g inside_g) with (f := f) (h1 := h1); [| | | exact P].
    - intros u n j at_u nd inj. change (nth_error G u = Some n) in at_u.
      destruct (moved_cases_out j) as [H | [no ->]]; [exact H |].
      rewrite (after_nth g st outs es new whole_ u), whole_ in at_u. intros dj.
      destruct (Nat.lt_ge_cases u (List.length g)) as [lt | ge_].
      + rewrite nth_error_app1 in at_u by exact lt. destruct (nth_error g u) as [n' |] eqn:at_g; [| discriminate].
        injection at_u as <-. rewrite (proj1 (retyped_same g moves u n')) in inj.
        destruct (use j dj no) as [_ us]. apply nd. exact (us u n' at_g inj).
      + rewrite nth_error_app2 in at_u by exact ge_. destruct (nth_error new _) as [n' |] eqn:at_n; [| discriminate].
        injection at_u as <-. rewrite (proj1 (retyped_same g moves u n')) in inj.
        apply nth_error_In in at_n. exact (args_ n' j at_n inj dj).
    - intros o ino. destruct (moved_cases_out o) as [H | [no ->]]; [exact H |]. intros d.
      destruct (use o d no) as [no' _]. contradiction.
    - intros u n at_u S. change (nth_error G u = Some n) in at_u. intros d.
      destruct (inside_must commutes r g outputs M outs K u d) as (_ & _ & _ & _ & _ & lt & (n' & at_g & O)).
      rewrite (after_nth g st outs es new whole_ u), whole_, nth_error_app1, at_g in at_u by exact lt.
      injection at_u as <-. rewrite (proj1 (proj2 (retyped_same g moves u n'))) in S.
      unfold is_op, is_source in *. now destruct (what (op n')).
  Qed.

  Theorem step_grounded : grounded h.
  Proof.
    pose proof done as D. unfold rewrite_match in D. rewrite built_ in D.
    destruct (Nat.eqb _ _ && _); [| discriminate].
    destruct (place_target g _ moves) as [[h1 f] |] eqn:P; [| discriminate]. injection D as D _.
    change (fst (tidy h1 (map f outputs)) = h) in D. rewrite <- D. apply tidy_grounded. refine (place_grounded g _ moves h1 f wf_g grounded_g _ P).
    intros in0. apply in_map_iff in in0. destruct in0 as ([o t] & E & inc). cbn in E. subst o.
    apply in_combine_l in inc. now apply zero_no_out.
  Qed.

  (** ** Weights *)

  Definition blank : node oper := Node (Oper KAbsent [] []) [].

  Lemma after_length : List.length G = List.length (whole st).
  Proof.
    unfold after. rewrite app_length, skipn_length. unfold retype. rewrite map_length, combine_length, seq_length.
    rewrite whole_, app_length. lia.
  Qed.

  Lemma after_kind i n : nth_error (whole st) i = Some n ->
    exists n', nth_error G i = Some n' /\ what (op n') = what (op n) /\ args n' = args n.
  Proof.
    intros at_i. exists (retyped g moves i n). rewrite (after_nth g st outs es new whole_ i), at_i.
    destruct (retyped_same g moves i n) as (a & b & _). now repeat split.
  Qed.

  (** A measure of nodes, of which each is at most that of the node that it comes from. *)
  Lemma image_total from (V W : nat -> nat) (l : list addr) :
    image G h (moved moves) dead from -> (forall p, p < List.length h -> V p <= W (from p)) ->
    NoDup l -> (forall a, In a l -> must commutes r g M a) ->
    total V (seq 0 (List.length h)) + total (fun a => W (node_at M a)) l
      <= total W (seq 0 (List.length g)) + total W (seq (List.length g) (List.length new)).
  Proof.
    intros im le nd all. destruct text_ok as (ok & _ & _ & _).
    destruct (musts_nodes commutes r g outputs M outs K l all nd) as [ndn nodes].
    pose proof (image_sum G h (moved moves) dead from V W (map (node_at M) l) im le ndn) as S.
    rewrite after_length, whole_, app_length, seq_app, total_app, total_map in S. cbn [plus] in S. apply S.
    intros i ini. destruct (nodes i ini) as [d lt]. split; [lia | exact d].
  Qed.

  Lemma must_weight w name a :
    (forall p q o l s, nth_error pats p = Some q -> form q = PCall o l -> target_op g M o = Some s ->
       s = call_name name o) ->
    must commutes r g M a -> exists n, nth_error g (node_at M a) = Some n /\
      pattern_weight pats w name (fst a) <= weigh w n.
  Proof.
    intros named (i & q & x & _ & G & at_a & A & (n & at_x & X)). unfold node_at. rewrite G.
    exists n. split; [exact at_x |]. unfold pattern_weight. rewrite at_a. unfold weight_of, weigh, fits_node in *.
    destruct (form q) as [| | | o l | l | k c | k d | | l | | f least len ix | | |] eqn:Fq; try apply Nat.le_0_l.
    - destruct X as (nm & e1 & e2 & W & Op & _). rewrite W.
      assert (nm = call_name name o) as ->; [| reflexivity].
      destruct o as [s | k]; cbn in Op |- *; [now symmetry |]. destruct Op as (e & Ge & Ne).
      apply (named (fst a) q (OPat k) l nm at_a Fq). cbn. now rewrite Ge.
    - destruct X as [W _]. now rewrite W.
    - destruct X as (z & y & W & _). now rewrite W.
  Qed.

  Theorem image_weight w name from (l : list addr) :
    (forall p q o l s, nth_error pats p = Some q -> form q = PCall o l -> target_op g M o = Some s ->
       s = call_name name o) ->
    image G h (moved moves) dead from -> NoDup l -> (forall a, In a l -> must commutes r g M a) ->
    total (weigh w) h + total (fun a => pattern_weight pats w name (fst a)) l
      <= total (weigh w) g + total (weigh w) new.
  Proof.
    intros named im nd all.
    set (W := fun i => weigh w (nth i (whole st) blank)).
    pose proof (image_total from (fun p => weigh w (nth p h blank)) W l im) as S.
    rewrite <- (total_nth (weigh w) blank h) in S.
    assert (total W (seq 0 (List.length g)) = total (weigh w) g) as Eg.
    { rewrite (total_nth (weigh w) blank g). unfold total. f_equal. apply map_ext_in. intros i ini. apply in_seq in ini.
      unfold W. rewrite whole_, app_nth1; [reflexivity | lia]. }
    assert (total W (seq (List.length g) (List.length new)) = total (weigh w) new) as En.
    { rewrite (total_nth (weigh w) blank new).
      assert (forall k n, total W (seq (List.length g + k) n) = total (fun i => weigh w (nth i new blank)) (seq k n)) as sh.
      { intros k n. revert k. induction n as [| n IH]; intros k; [reflexivity |]. cbn [seq]. rewrite !total_cons.
        rewrite <- Nat.add_succ_r, IH. f_equal. unfold W. rewrite whole_, app_nth2 by lia. do 2 f_equal. lia. }
      specialize (sh 0 (List.length new)). now rewrite Nat.add_0_r in sh. }
    rewrite Eg, En in S.
    assert (total (fun a => pattern_weight pats w name (fst a)) l <= total (fun a => W (node_at M a)) l) as le.
    { apply total_le. intros a ina. destruct (must_weight w name a named (all a ina)) as (n & at_x & le).
      unfold W. rewrite whole_. rewrite app_nth1 by (apply nth_error_Some; congruence).
      now rewrite (nth_error_nth _ _ blank at_x). }
    assert (total (weigh w) h + total (fun a => W (node_at M a)) l <= total (weigh w) g + total (weigh w) new); [| lia].
    apply S; try assumption. intros p lt.
    destruct (nth_error h p) as [m |] eqn:at_p; [| apply nth_error_None in at_p; lia].
    destruct (image_node G h (moved moves) dead from im p m at_p) as (n & at_n & Eo & _).
    rewrite (nth_error_nth _ _ blank at_p). unfold W.
    rewrite (after_nth g st outs es new whole_) in at_n. destruct (nth_error (whole st) (from p)) as [n' |] eqn:at_n'; [| discriminate].
    injection at_n as <-. rewrite (nth_error_nth _ _ blank at_n'). unfold weigh. rewrite Eo.
    now rewrite (proj1 (proj2 (retyped_same g moves (from p) n'))).
  Qed.
End Step.
