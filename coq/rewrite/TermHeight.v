(** * Heights

    The height of a node is the greatest number of deep operators on a way down from
    it.  A rewrite makes no height greater if what takes the place of an output is not
    higher ([image_height]). *)

From Coq Require Import Arith Bool Lia List NArith String ZArith.
From Calque Require Import base.Lists attr.Attr graph.Graph.
From Calque Require Import pattern.Pattern pattern.PatternProof pattern.Match pattern.MatchProof pattern.Forward pattern.ForwardProof.
From Calque Require Import rewrite.Rewrite rewrite.Check rewrite.Facts rewrite.Sound.
From Calque Require Import rewrite.TermImage rewrite.TermMatch rewrite.TermBuild rewrite.TermBuildProof.
Import ListNotations.
Open Scope list_scope.
Open Scope nat_scope.

Definition greatest (l : list nat) : nat := fold_right Nat.max 0 l.

Lemma greatest_in l x : In x l -> x <= greatest l.
Proof. unfold greatest. induction l as [| y l IH]; [easy |]. cbn. intros [-> | H]; [lia | specialize (IH H); lia]. Qed.

Lemma greatest_le l b : (forall x, In x l -> x <= b) -> greatest l <= b.
Proof.
  unfold greatest. induction l as [| y l IH]; intros H; cbn; [lia |].
  specialize (H y (or_introl eq_refl)) as Hy. specialize (IH (fun x inx => H x (or_intror inx))). lia.
Qed.

Section Height.
  Variable deep : string -> bool.

  Definition cost (k : kind) : nat := match k with KCall s => if deep s then 1 else 0 | _ => 0 end.

  Definition node_height (f : nat -> nat) (n : node oper) : nat :=
    if is_op (what (op n)) then cost (what (op n)) + greatest (map f (args n)) else 0.

  Definition heights (g : tgraph) : list nat :=
    fold_left (fun hs n => hs ++ [node_height (fun j => nth j hs 0) n]) g [].

  Definition height (g : tgraph) (i : nat) : nat := nth i (heights g) 0.

  Lemma heights_snoc g n : heights (g ++ [n]) = heights g ++ [node_height (height g) n].
  Proof. unfold heights. now rewrite fold_left_app. Qed.

  Lemma heights_length g : List.length (heights g) = List.length g.
  Proof.
    induction g as [| n g IH] using rev_ind; [reflexivity |].
    rewrite heights_snoc, !app_length, IH. reflexivity.
  Qed.

  Lemma height_app g m i : i < List.length g -> height (g ++ m) i = height g i.
  Proof.
    intros lt. induction m as [| n m IH] using rev_ind; [now rewrite app_nil_r |].
    rewrite app_assoc. unfold height at 1. rewrite heights_snoc, app_nth1; [exact IH |].
    rewrite heights_length, app_length. lia.
  Qed.

  Lemma node_height_ext f h n : (forall j, In j (args n) -> f j = h j) -> node_height f n = node_height h n.
  Proof.
    intros H. unfold node_height. destruct (is_op _); [| reflexivity]. do 2 f_equal. now apply map_ext_in.
  Qed.

  Lemma height_at g i n : wf g -> nth_error g i = Some n -> height g i = node_height (height g) n.
  Proof.
    intros ok at_i. destruct (nth_error_split g i at_i) as (a & b & E & L).
    assert (height g i = node_height (height a) n) as ->.
    { rewrite E. replace (a ++ n :: b) with ((a ++ [n]) ++ b) by now rewrite <- app_assoc.
      rewrite height_app by (rewrite app_length; cbn; lia). unfold height at 1.
      rewrite heights_snoc, app_nth2; rewrite heights_length; [| lia]. now rewrite <- L, Nat.sub_diag. }
    apply node_height_ext. intros j inj. specialize (ok i n at_i j inj). rewrite E. symmetry.
    apply height_app. lia.
  Qed.

  Lemma image_height G h mv dead from : wf G -> wf h -> image G h mv dead from ->
    (forall j, j < List.length G -> height G (mv j) <= height G j) ->
    forall p, p < List.length h -> height h p <= height G (from p).
  Proof.
    intros okG okh im le p. induction p as [p IH] using (well_founded_induction lt_wf). intros lt.
    destruct (nth_error h p) as [m |] eqn:at_p; [| apply nth_error_None in at_p; lia].
    destruct (image_node G h mv dead from im p m at_p) as (n & at_n & E & F).
    rewrite (height_at h p m okh at_p), (height_at G (from p) n okG at_n). unfold node_height. rewrite E.
    destruct (is_op _); [| lia]. apply Nat.add_le_mono_l. apply greatest_le. intros x inx.
    apply in_map_iff in inx. destruct inx as (c & <- & inc).
    assert (exists j, In j (args n) /\ c < p /\ from c = mv j) as (j & inj & ltc & Ec).
    { clear - F inc. induction F as [| c' j cs js [lt E] _ IHF]; [easy |]. destruct inc as [-> | inc].
      - exists j. split; [now left | now split].
      - destruct (IHF inc) as (j' & inj & H). exists j'. split; [now right | exact H]. }
    transitivity (height G (mv j)); [rewrite <- Ec; apply IH; lia |].
    transitivity (height G j); [apply le | apply greatest_in; now apply in_map].
    pose proof (okG _ _ at_n j inj) as ltj.
    assert (from p < List.length G) by (apply nth_error_Some; congruence). lia.
  Qed.

  (** ** What a match binds is not higher than an output *)

  Section Low.
    Variable commutes : string -> bool.
    Variables (pats : list pattern) (g : tgraph).
    Hypothesis ok : ordered pats.
    Hypothesis wf_g : wf g.
    Hypothesis grounded_g : grounded g.

    Lemma height_zero : height g 0 = 0.
    Proof.
      destruct grounded_g as (t & a & E). rewrite (height_at g 0 _ wf_g E). reflexivity.
    Qed.

    Lemma height_arg e n x : nth_error g e = Some n -> is_op (what (op n)) = true -> x = 0 \/ In x (args n) ->
      height g x + cost (what (op n)) <= height g e.
    Proof.
      intros at_e O H. rewrite (height_at g e n wf_g at_e). unfold node_height. rewrite O.
      destruct H as [-> | inx]; [rewrite height_zero; lia |].
      assert (height g x <= greatest (map (height g) (args n))); [| lia]. apply greatest_in. now apply in_map.
    Qed.

    Lemma fit_args k es es' x : fit g k es = Some es' -> In x es' -> x = 0 \/ In x es.
    Proof.
      unfold fit. destruct (forallb _ _); [| discriminate]. intros E inx. injection E as <-.
      assert (In x (es ++ repeat 0 k)) as H.
      { rewrite <- (firstn_skipn k (es ++ repeat 0 k)). apply in_app_iff. now left. }
      apply in_app_iff in H. destruct H as [H | H]; [now right | left]. now apply repeat_spec in H.
    Qed.

    Lemma call_args kids es es' nm x l : call_inputs pats g kids es = Some es' -> In l (orders commutes nm es') ->
      In x l -> x = 0 \/ In x es.
    Proof.
      intros C O inx. assert (In x es') as H.
      { unfold orders in O. destruct es' as [| a [| b [| c es']]].
        - destruct O as [<- | []]. exact inx.
        - destruct O as [<- | []]. exact inx.
        - destruct (commutes nm).
          + destruct O as [<- | [<- | []]]; [exact inx |]. destruct inx as [<- | [<- | []]]; [right; now left | now left].
          + destruct O as [<- | []]. exact inx.
        - destruct O as [<- | []]. exact inx. }
      unfold call_inputs in C. destruct (match kids with [v] => variadic pats v | _ => None end); [injection C as <-; now right |].
      now apply (fit_args (List.length kids) es es').
    Qed.

    Lemma goals_nodes i M kids es M1 gs j k x : goals pats i M kids es = Some (M1, gs) -> In (j, k, x) gs -> In x es.
    Proof.
      unfold goals. intros G inx.
      assert (forall N, (if Nat.eqb (List.length kids) (List.length es)
              then Some (N, map (fun ke => (i, fst ke, snd ke)) (combine kids es)) else None) = Some (M1, gs) -> In x es) as plain.
      { intros N E. destruct (Nat.eqb _ _); [| discriminate]. injection E as _ <-. apply in_map_iff in inx.
        destruct inx as ([a b] & E & inc). injection E as _ _ <-. now apply in_combine_r in inc. }
      assert (forall f, In (j, k, x) (instances f es) -> In x es) as inst.
      { intros f H. unfold instances in H. apply in_map_iff in H. destruct H as ([a b] & E & inc).
        injection E as _ _ <-. now apply in_combine_r in inc. }
      destruct kids as [| v [| w kids]]; try (now apply (plain M)).
      destruct (variadic pats v) as [f |]; [| now apply (plain M)].
      destruct (look_up Nat.eqb (lens M) v).
      - destruct (Nat.eqb _ _); [| discriminate]. injection G as _ <-. now apply (inst f).
      - injection G as _ <-. now apply (inst f).
    Qed.

    Lemma step_low i p e M q n M1 gs : nth_error g e = Some n -> step commutes pats g i p e M q n M1 gs ->
      (forall b x, In (b, x) (bound M1) -> In (b, x) (bound M) \/ x = e) /\
      (forall j k x, In (j, k, x) gs -> height g x <= height g e).
    Proof.
      intros at_e H.
      assert (forall x, is_op (what (op n)) = true -> x = 0 \/ In x (args n) -> height g x <= height g e) as arg.
      { intros x O inx. pose proof (height_arg e n x at_e O inx). lia. }
      destruct H as [F P | F L W | a k v F W | F P |
        o kids nm M1 es es' M2 gs F W A C ord G | kids M2 gs F W G |
        field least len index M2 gs F W G | kid a k x F W L | kid d F P | kid d F P |
        kids k kid F at_k]; try (split; [now left | easy]).
      - split.
        + apply goals_bound in G. rewrite G. unfold op_allows in A. destruct o as [s | k].
          * destruct (String.eqb s nm); [| discriminate]. injection A as <-. now left.
          * destruct (get M (k, None)).
            -- destruct (name_of g _); [| discriminate]. destruct (String.eqb _ _); [| discriminate]. injection A as <-. now left.
            -- destruct (nth_error pats k) as [s |]; [| discriminate]. destruct (form s); try discriminate.
               destruct (existsb _ _); [| discriminate]. injection A as <-. intros b x [E | inb]; [| now left].
               injection E as _ <-. now right.
        + intros j k x inx. apply arg; [now rewrite W |].
          apply (call_args kids (args n) es nm x es' C ord). exact (goals_nodes _ _ _ _ _ _ _ _ _ G inx).
      - split; [apply goals_bound in G; rewrite G; now left |]. intros j k x inx. apply arg; [now rewrite W |]. right.
        exact (goals_nodes _ _ _ _ _ _ _ _ _ G inx).
      - split; [apply goals_bound in G; rewrite G; now left |]. intros j k x inx. apply arg; [now rewrite W |]. right.
        exact (goals_nodes _ _ _ _ _ _ _ _ _ G inx).
      - split; [now left |]. intros j k' x' [E | []]. injection E as _ _ <-. apply arg; [now rewrite W |]. right.
        rewrite L. now left.
      - split; [now left |]. intros j k' x' [E | []]. injection E as _ _ <-. lia.
      - split; [now left |]. intros j k' x' [E | []]. injection E as _ _ <-. lia.
    Qed.

    Theorem pm_low p : forall i M e M', pm commutes pats g i M p e M' ->
      forall b x, In (b, x) (bound M') -> In (b, x) (bound M) \/ height g x <= height g e.
    Proof.
      induction p as [p IH] using (well_founded_induction lt_wf). intros i M e M' H.
      inversion H as [? ? ? ? q' m at_q at_m B | ? ? ? ? q' m at_q at_m B I |
        ? ? ? ? q' m f ? at_q at_m B I Fi pf | ? ? ? ? q' m M1 gs ? at_q at_m B I Fi J st th]; subst; try (now left).
      - assert (first q' = Some f) as Ff.
        { unfold first_of in Fi. destruct i as [[|] |]; try discriminate. now destruct (template q'). }
        apply (IH f) with None; [now apply (proj2 (ok p q' at_q)) | exact pf].
      - destruct (step_low i p e _ q' m M1 gs at_m st) as [b1 lows].
        refine (thread_keeps _ (fun N => forall b x, In (b, x) (bound N) -> In (b, x) (bound M) \/ height g x <= height g e)
                  gs _ M1 M' th _).
        + intros s [[j k] y] t iny here Is b x inb. cbn in here.
          destruct (IH k (step_smaller commutes pats g ok _ _ _ _ _ _ _ _ _ _ _ at_q st iny) j s y t here b x inb) as [H1 | H1].
          * now apply Is.
          * right. specialize (lows j k y iny). lia.
        + intros b x inb. destruct (b1 b x inb) as [H1 | ->]; [| right; lia]. cbn in H1.
          destruct H1 as [E | H1]; [injection E as _ <-; right; lia | now left].
    Qed.
  End Low.
End Height.
