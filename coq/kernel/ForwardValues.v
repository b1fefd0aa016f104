(** * The forward statements have the values and the tangents of the source

    In a store and a direction in which the forward statements hold, the last version of each
    tensor is what the source program makes of it, and moves as the source's tangent says. *)

From Coq Require Import Bool List Lia Arith ZArith.
From Calque Require Import base.Lists kernel.Kernel kernel.KernelProof kernel.Wf kernel.Numbers kernel.Sums.
From Calque Require Import kernel.Gradient kernel.SweepProof kernel.GatherForm kernel.PutProof kernel.GradientProgram.
From Calque Require Import kernel.StepProof kernel.BackwardProof kernel.ForwardProof kernel.NeededProof kernel.RunProof.
From Calque Require Import kernel.Source kernel.TangentProof kernel.SplitOff kernel.SplitProof.
Import ListNotations.
Open Scope Z_scope.

Lemma index_cell_in d i : index_in d i = true -> in_box d (cell_of d i) = true.
Proof.
  unfold index_in, cell_of. destruct i as [| z i].
  - destruct (scalar d) eqn:S; [intros _; rewrite (scalar_cell d S); reflexivity |].
    now rewrite andb_false_l, orb_false_r.
  - now rewrite andb_false_r, orb_false_r.
Qed.

Lemma cell_of_box d i : in_box d i = true -> cell_of d i = i.
Proof.
  intros I. destruct i as [| z i]; [| reflexivity]. unfold cell_of. destruct d; [reflexivity | discriminate].
Qed.

Section Forward.
  Variable F : field.
  Variable O : options.
  Variable shapes : list (list nat).
  Notation ex := (ex (text F)).
  Notation stmt := (stmt (text F)).
  Notation store := (store (text F)).
  Notation step := (step F).
  Notation builder := (builder F).
  Notation size b := (length (tensors F b)).
  Notation source_step s := (Step F (snd s) (fst s) None false).

  (** What a source statement has to be: it fills a tensor of the source that has cells, divides by
      positive numbers, and loads inside of the source's tensors. *)
  Record sound_statement (s : stmt) : Prop := Sound {
    sound_out : (out s < length shapes)%nat;
    sound_dims : dims s = nth (out s) shapes [];
    sound_full : forall n, In n (dims s) -> (0 < n)%nat;
    sound_proper : proper F shapes (body s);
    sound_loads : forall i t, In i (box (dims s)) -> loads_in F t (nth t shapes []) i (body s) }.

  (** ** The store of a run, and the direction that follows it *)

  (** The store that statements in order make: each step [s] stores [g s] of what is there. *)
  Section Fold.
    Variable g : step -> store -> list Z -> carrier (text F).
    Hypothesis frame : forall s x x', (forall t, In t (loads (body (does F s))) -> forall i, x t i = x' t i) ->
      forall i, g s x i = g s x' i.

    Definition folded (l : list step) (x : store) : store :=
      fold_left (fun x s => upd (S := text F) x (out (does F s)) (g s x)) l x.

    Lemma folded_other l : forall x t, ~ In t (map (fun s => out (does F s)) l) -> folded l x t = x t.
    Proof.
      induction l as [| s l IH]; intros x t no; [reflexivity |]. cbn [folded fold_left].
      fold (folded l (upd (S := text F) x (out (does F s)) (g s x))).
      rewrite IH by (intros h; apply no; now right). apply upd_other. intros ->. apply no. now left.
    Qed.

    Lemma folded_exact b x : sorted F b -> forall s i, In s (steps F b) ->
      folded (steps F b) x (out (does F s)) i = g s (folded (steps F b) x) i.
    Proof.
      intros [so or] s i ins. destruct (so s ins) as [_ lo]. pose proof ins as ins0.
      apply in_split in ins as (pre & post & E). rewrite E. unfold folded. rewrite fold_left_app.
      cbn [fold_left]. fold (folded pre x). set (y := folded pre x).
      fold (folded post (upd (S := text F) y (out (does F s)) (g s y))).
      assert (late : forall t, (t <= out (does F s))%nat -> ~ In t (map (fun s => out (does F s)) post)).
      { intros t le h. apply in_map_iff in h as (s' & <- & ins'). apply in_split in ins' as (q1 & q2 & ->).
        assert (lt : (out (does F s) < out (does F s'))%nat).
        { apply (or (pre ++ s :: q1) s' q2).
          - rewrite E, <- app_assoc. reflexivity.
          - apply in_or_app. right. now left. }
        lia. }
      rewrite folded_other by now apply late. rewrite upd_same. apply frame. intros t int_ j.
      pose proof (lo t int_) as lt. rewrite folded_other by (apply late; lia).
      rewrite upd_other by lia. reflexivity.
    Qed.
  End Fold.

  Lemma run_step_frame s x x' : (forall t, In t (loads (body (does F s))) -> forall i, x t i = x' t i) ->
    forall i, step_value F x s i = step_value F x' s i.
  Proof.
    intros same i. unfold step_value. destruct (index_in _ i); [| reflexivity].
    apply (eval_frame (text F)). intros t h j. now apply same.
  Qed.

  Lemma run_folded l : forall x, NeededProof.run F l x = folded (fun s x i => step_value F x s i) l x.
  Proof. induction l as [| s l IH]; intros x; [reflexivity | apply IH]. Qed.

  Lemma tangent_direction st (e : ex) : forall p own rho x x',
    (forall t, In t (loads e) -> forall i, x t i = x' t i) ->
    tangent F st x p own rho e = tangent F st x' p own rho e.
  Proof.
    induction e as [c | t l | o a b IHa IHb | f l IH | c a b IHa IHb | r ns e IH]
      using ex_nested_ind; intros p own rho x x' same; cbn [tangent].
    - reflexivity.
    - apply same. now left.
    - rewrite (IHa None own rho x x'), (IHb None own rho x x'); [reflexivity | |];
        intros t h; apply same, in_or_app; auto.
    - assert (H : forall a, In a l -> tangent F st x None own rho a = tangent F st x' None own rho a).
      { intros a ina. rewrite Forall_forall in IH. apply IH; [exact ina |]. intros t h. apply same.
        apply in_flat_map. eauto. }
      clear IH same. generalize (slope F st rho f l). intros u. generalize 0%nat.
      induction l as [| a l IHl]; intros i; [reflexivity |].
      rewrite (H a (or_introl eq_refl)), IHl; [reflexivity |]. intros b inb. apply H. now right.
    - rewrite (IHa p own rho x x'), (IHb p own rho x x'); [reflexivity | |];
        intros t h; apply same, in_or_app; auto.
    - destruct r as [[|] ids]; apply (sum_ext (ring_of F)); intros k _;
        now rewrite (IH None own (k ++ rho) x x' same).
  Qed.

  Lemma step_tangent_frame st s x x' : (forall t, In t (loads (body (does F s))) -> forall i, x t i = x' t i) ->
    forall i, step_tangent F st x s i = step_tangent F st x' s i.
  Proof.
    intros same i. unfold step_tangent. destruct (index_in _ i), (fixed F s); try reflexivity.
    now apply tangent_direction.
  Qed.

  (** The direction that goes on from [x] through the statements, in the store [st]. *)
  Definition direction (st : store) (l : list step) (x : store) : store :=
    folded (fun s x i => step_tangent F st x s i) l x.

  (** ** The forward statements *)

  Variable B : builder.
  Variables st du : store.
  Notation sh := (shape_of F B).
  Hypothesis hold : forall s, In s (steps F B) -> holds_step F st du s.
  Notation all_inside b := (forall s, In s (steps F b) -> step_inside F B s).

  Definition versions_hold (current : list tid) (x dx : store) : Prop :=
    forall t, (t < length shapes)%nat ->
      (forall i, st (nth t current 0%nat) i = x t i /\ du (nth t current 0%nat) i = dx t i) /\
      sh (nth t current 0%nat) = nth t shapes [].

  Theorem forward_values all : forall p current b current' b' x dx,
    fine F shapes b -> (0 < size b)%nat -> (forall t, (nth t current 0%nat < size b)%nat) ->
    length current = length shapes ->
    forward F O shapes all p current b = (current', b') -> extends F b' B ->
    (forall s, In s p -> sound_statement (snd s)) ->
    versions_hold current x dx ->
    versions_hold current' (run_source F p x) (tangent_source F p x dx) /\
    (all_inside b -> all_inside b').
  Proof.
    induction p as [| [ids s] p IH]; intros current b current' b' x dx Fb pos V len H X ok at_; cbn [forward] in H.
    - injection H as <- <-. auto.
    - destruct (split F O shapes _ (body s) [] [] false b) as [e b1] eqn:E.
      set (P := Place (out s) ids (dims s) current) in *.
      destruct (split_fine F O shapes P (body s) _ _ _ b e b1 Fb pos V E) as (F1 & X1 & B1).
      pose proof (extends_length F _ _ X1) as L1. rewrite new_tensor_eq in H. cbv beta iota zeta in H.
      match type of H with forward F O shapes all p _ (emit F _ (snd (new_tensor F ?o _ _))) = _ =>
        destruct (fine_emit F shapes o (dims s) e ids None false b1 F1 B1 I) as [F2 X2] end.
      match type of F2 with fine F shapes ?b => set (b2 := b) in * end.
      assert (S2 : size b2 = S (size b1)) by (unfold b2; simpl; rewrite app_length; simpl; lia).
      change (forward F O shapes all p (set_nth (out s) (size b1) current) b2 = (current', b')) in H.
      assert (V2 : forall t, (nth t (set_nth (out s) (size b1) current) 0%nat < size b2)%nat).
      { apply set_nth_below; [lia | lia |]. intros t. specialize (V t). lia. }
      (* the rest extends what is there *)
      assert (XB : extends F b2 B).
      { clear - H X F2 S2 V2. clearbody b2. revert H V2. generalize (set_nth (out s) (size b1) current). intros cur H V2.
        assert (pos2 : (0 < size b2)%nat) by lia. clear S2. revert cur b2 F2 V2 pos2 H. clear current.
        induction p as [| [ids' s'] p IHp]; intros cur b2 F2 V2 pos2 H; cbn [forward] in H.
        - now injection H as <- <-.
        - destruct (split F O shapes _ (body s') [] [] false b2) as [e' b3] eqn:E3.
          destruct (split_fine F O shapes (Place (out s') ids' (dims s') cur) (body s') _ _ _ b2 e' b3 F2 pos2 V2 E3) as (F3 & X3 & B3).
          pose proof (extends_length F _ _ X3) as L3. rewrite new_tensor_eq in H. cbv beta iota zeta in H.
          match type of H with forward F O shapes all p _ (emit F _ (snd (new_tensor F ?o _ _))) = _ =>
            destruct (fine_emit F shapes o (dims s') e' ids' None false b3 F3 B3 I) as [F4 X4] end.
          match type of F4 with fine F shapes ?b => set (b4 := b) in * end.
          assert (S4 : size b4 = S (size b3)) by (unfold b4; simpl; rewrite app_length; simpl; lia).
          assert (pos4 : (0 < size b4)%nat) by (rewrite S4; apply Nat.lt_0_succ).
          eapply extends_trans; [exact X3 |]. eapply extends_trans; [exact X4 |].
          refine (IHp _ b4 F4 _ pos4 H).
          apply set_nth_below; [lia | lia |]. intros t. specialize (V2 t). lia. }
      pose proof (ok _ (or_introl eq_refl)) as [so sd sf sp sl]. cbn [snd] in so, sd, sf, sp, sl.
      assert (cells : forall rho, at_point P [] [] rho -> in_box (dims s) rho = true) by (intros rho [I _]; exact I).
      destruct (split_good F O shapes B st du hold x dx P at_ (body s) [] [] false b e b1
        (Ready F shapes P b Fb pos V) E (extends_trans F _ _ _ X2 XB) sp eq_refl) as (G & D & A).
      { intros n inn. apply sf. exact inn. }
      { intros rho R t. apply sl. apply in_box_box. now apply cells. }
      assert (ins : In (Step F (Stmt (size b1) (dims s) e) ids None false) (steps F B)).
      { eapply extends_steps; [exact XB |]. unfold b2. simpl. apply in_or_app. right. now left. }
      assert (shape : sh (size b1) = dims s).
      { rewrite (extends_shape F b2 B _ XB) by lia. unfold shape_of, b2. simpl. now rewrite nth_middle. }
      destruct (IH _ b2 current' b' (run_step F (source_step (ids, s)) x)
        (tangent_step F (source_step (ids, s)) x dx) F2 ltac:(lia) V2) as (Hv & Ha).
      + now rewrite set_nth_length.
      + exact H.
      + exact X.
      + intros s' ins'. apply ok. now right.
      + intros t lt. destruct (Nat.eq_dec t (out s)) as [-> | ne].
        * rewrite (nth_set_same (A := tid)) by (unfold tid in *; lia). rewrite shape. split; [| exact sd]. intros i.
          destruct (hold _ ins i) as [Vh Th]. unfold step_value, step_tangent in Vh, Th.
          cbn [does out dims body fixed stores_max] in Vh, Th. rewrite Vh, Th.
          unfold run_step, tangent_step. cbn [does snd fst out dims body fixed stores_max].
          rewrite !upd_same. destruct (index_in (dims s) i) eqn:I; [| split; reflexivity].
          apply index_cell_in in I.
          destruct (G (cell_of (dims s) i) (conj I eq_refl)) as [[Vg Tg] _].
          split; [exact Vg | apply Tg].
        * rewrite (nth_set_other (A := tid)) by exact ne. unfold run_step, tangent_step. cbn [does snd out].
          rewrite !(upd_other (text F)) by exact ne. now apply at_.
      + split; [exact Hv |]. intros all_b. apply Ha. intros s' ins'. unfold b2 in ins'. simpl in ins'.
        apply in_app_iff in ins' as [ins' | [<- | []]]; [now apply A |].
        split; cbn [does dims body]; [exact D |]. intros i t ini. apply in_box_box in ini.
        now apply (G i (conj ini eq_refl)).
  Qed.
End Forward.
