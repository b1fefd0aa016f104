(** * Code generation: views, acceptors and commands to mini-C

    [cge], [cga], [cgc] are the seed's CodeGen of expressions, acceptors and
    commands (section 3.2), with the index formulas of [split] and [join] put
    right (see [dpia/Errata.v]). *)

From Coq Require Import List Arith Lia Bool ZArith.
From Calque Require Import base.Lists dpia.Syntax dpia.Typing dpia.Nth dpia.Values dpia.Target dpia.Trans.
From Calque Require Import dpia.Match dpia.Access dpia.Footprint dpia.Frame dpia.Loop dpia.Reduce
  dpia.Correct.
From Calque Require Import emit.MiniC.
Import ListNotations.
Set Implicit Arguments.

Section Codegen.
  Context {A : algebra} {N : sizes}.
  Notation vexp := (vexp A N). Notation vacc := (vacc N). Notation comm := (comm A N).
  Notation sub := (sub N). Notation cexp := (cexp A N). Notation cstm := (cstm A N).

  Fixpoint cgi (i : ix N) : cindex N :=
    match i with
    | XVar l => KVar l
    | XCst z => KCst z
    | XSize n => KSize n
    | XAdd i j => KAdd (cgi i) (cgi j)
    | XSub i j => KSub (cgi i) (cgi j)
    | XMul i k => KMul (cgi i) (KCst k)
    | XDiv i k => KDiv (cgi i) (KCst (Zpos k))
    | XMod i k => KMod (cgi i) (KCst (Zpos k))
    end.

  Fixpoint cgb (c : cond N) : ccond N :=
    match c with
    | CCmp c i j => KCmp c (cgi i) (cgi j)
    | CAnd c1 c2 => KAnd (cgb c1) (cgb c2)
    end.

  Definition from_end (n : size N) (i : cindex N) : cindex N := KSub (KSub (KSize n) (KCst 1)) i.

  Fixpoint cge (v : vexp) (p : list sub) {struct v} : cexp :=
    match v with
    | VRoot r => XLoad r p                                                                (* cge.1 *)
    | VLit c => match p with [] => XLit c | _ => XStuck end
    | VUn o v => match p with [] => XUn o (cge v []) | _ => XStuck end                    (* cge.2 *)
    | VBin o v1 v2 =>                                                               (* cge.3 cge.4 *)
        match p with [] => XBin o (cge v1 []) (cge v2 []) | _ => XStuck end
    | VZip v1 v2 =>                                                                 (* cge.5 cge.6 *)
        match p with
        | Sub i :: X1 :: p => cge v1 (Sub i :: p)
        | Sub i :: X2 :: p => cge v2 (Sub i :: p)
        | _ => XStuck
        end
    | VIdx v i => cge v (Sub (cgi i) :: p)                                                (* cge.7 *)
    | VSplit n v =>                                                                       (* cge.8 *)
        match p with
        | Sub i :: Sub j :: p => cge v (Sub (KAdd (KMul i (KSize n)) j) :: p)
        | _ => XStuck
        end
    | VJoin n v =>                                                                        (* cge.9 *)
        match p with
        | Sub i :: p => cge v (Sub (KQuot i (KSize n)) :: Sub (KRem i (KSize n)) :: p)
        | _ => XStuck
        end
    | VPair v1 v2 =>                                                              (* cge.10 cge.11 *)
        match p with X1 :: p => cge v1 p | X2 :: p => cge v2 p | _ => XStuck end
    | VFst v => cge v (X1 :: p)                                                          (* cge.12 *)
    | VSnd v => cge v (X2 :: p)                                                          (* cge.13 *)
    | VRev n v => match p with Sub i :: p => cge v (Sub (from_end n i) :: p) | _ => XStuck end
    | VTr v =>
        match p with Sub i :: Sub j :: p => cge v (Sub j :: Sub i :: p) | _ => XStuck end
    | VIte c v1 v2 => XCond (cgb c) (cge v1 p) (cge v2 p)
    | VIx _ => XStuck
    end.

  Fixpoint cga (a : vacc) (p : list sub) {struct a} : option (nat * list sub) :=
    match a with
    | ARoot r => Some (r, p)                                                              (* cga.1 *)
    | AZip1 a => match p with Sub i :: p => cga a (Sub i :: X1 :: p) | _ => None end      (* cga.2 *)
    | AZip2 a => match p with Sub i :: p => cga a (Sub i :: X2 :: p) | _ => None end      (* cga.3 *)
    | ASplit n a =>                                                                       (* cga.4 *)
        match p with
        | Sub i :: p => cga a (Sub (KQuot i (KSize n)) :: Sub (KRem i (KSize n)) :: p)
        | _ => None
        end
    | AJoin n a =>                                                                        (* cga.5 *)
        match p with
        | Sub i :: Sub j :: p => cga a (Sub (KAdd (KMul i (KSize n)) j) :: p)
        | _ => None
        end
    | AIdx a i => cga a (Sub (cgi i) :: p)                                                (* cga.6 *)
    | APair1 a => cga a (X1 :: p)                                                         (* cga.7 *)
    | APair2 a => cga a (X2 :: p)                                                         (* cga.8 *)
    | ARev n a => match p with Sub i :: p => cga a (Sub (from_end n i) :: p) | _ => None end
    | ATr a => match p with Sub i :: Sub j :: p => cga a (Sub j :: Sub i :: p) | _ => None end
    end.

  Fixpoint cgc (c : comm) : cstm :=
    match c with
    | CSkip => SSkip                                                                      (* cgc.1 *)
    | CSeq c1 c2 => SSeq (cgc c1) (cgc c2)                                                (* cgc.2 *)
    | CAssign a v =>                                                                      (* cgc.3 *)
        match cga a [] with Some (r, p) => SSet r p (cge v []) | None => SStuck end
    | CNew r d c => SBlock r d (cgc c)                                                    (* cgc.4 *)
    | CLoop p l n c => SFor p l n (cgc c)                                           (* cgc.5 cgc.6 *)
    | CIf b c1 c2 => SIf (cgb b) (cgc c1) (cgc c2)
    end.

  (** ** Subscripts denote paths *)

  Context {s : sizing N}.

  Definition denotes1 (ie : ienv) (x : sub) (y : step) : Prop :=
    match x, y with
    | Sub k, At i => kev ie k = Some (Z.of_nat i)
    | X1, L | X2, R => True
    | _, _ => False
    end.
  Definition denotes (ie : ienv) : list sub -> path -> Prop := Forall2 (denotes1 ie).

  Lemma denotes_place ie p q : denotes ie p q -> place ie p = Some q.
  Proof.
    induction 1 as [| x y p q Hxy _ IH]; [reflexivity |].
    destruct x as [k | |], y as [i | |]; cbn in Hxy; try tauto; cbn [place]; rewrite IH.
    - rewrite Hxy. cbn. rewrite (proj2 (Z.leb_le _ _) (Nat2Z.is_nonneg i)), Nat2Z.id. reflexivity.
    - reflexivity.
    - reflexivity.
  Qed.

  Lemma cgi_value ie i : kev ie (cgi i) = Some (ixv ie i).
  Proof.
    induction i as [| | | i1 IH1 i2 IH2 | i1 IH1 i2 IH2 | i IH k | i IH k | i IH k];
      cbn [cgi kev ixv]; rewrite ?IH, ?IH1, ?IH2; reflexivity.
  Qed.

  Lemma cgb_value ie c : kholds ie (cgb c) = Some (holds ie c).
  Proof.
    induction c as [c i j | c1 IH1 c2 IH2]; cbn [cgb kholds holds].
    - now rewrite !cgi_value.
    - rewrite IH1, IH2. cbn. now destruct (holds ie c1).
  Qed.

  Lemma cgi_index ie i k : index ie i = Some k -> kev ie (cgi i) = Some (Z.of_nat k).
  Proof.
    unfold index. intros E. rewrite cgi_value. destruct (Z.leb_spec 0 (ixv ie i)); [| discriminate].
    injection E as <-. now rewrite Z2Nat.id.
  Qed.

  Lemma kev_split ie n i j a b : kev ie i = Some (Z.of_nat a) -> kev ie j = Some (Z.of_nat b) ->
    kev ie (KAdd (KMul i (KSize n)) j) = Some (Z.of_nat (a * #n + b)).
  Proof. intros Ei Ej. cbn. rewrite Ei, Ej. cbn. f_equal. lia. Qed.

  Lemma kev_div ie n i a : #n <> 0 -> kev ie i = Some (Z.of_nat a) ->
    kev ie (KQuot i (KSize n)) = Some (Z.of_nat (a / #n)) /\
    kev ie (KRem i (KSize n)) = Some (Z.of_nat (a mod #n)).
  Proof.
    intros nz Ei. cbn [kev]. rewrite Ei. cbn [obind].
    destruct (Z.leb_spec 0 (Z.of_nat a)); [| lia].
    destruct (Z.ltb_spec 0 (Z.of_nat #n)); [| lia]. cbn [andb].
    rewrite Z.quot_div_nonneg, Z.rem_mod_nonneg by lia.
    now rewrite Nat2Z.inj_div, Nat2Z.inj_mod.
  Qed.

  Lemma kev_from_end ie n i a : a < #n -> kev ie i = Some (Z.of_nat a) ->
    kev ie (from_end n i) = Some (Z.of_nat (#n - 1 - a)).
  Proof. intros lt Ei. cbn. rewrite Ei. cbn. f_equal. lia. Qed.

  Ltac invert_path :=
    match goal with
    | H : denotes _ _ [] |- _ => inversion H; subst; clear H
    | H : denotes _ _ (_ :: _) |- _ => inversion H as [| ? ? ? ? ?Hd ?Ht]; subst; clear H
    | H : Forall2 (denotes1 _) _ [] |- _ => inversion H; subst; clear H
    | H : Forall2 (denotes1 _) _ (_ :: _) |- _ => inversion H as [| ? ? ? ? ?Hd ?Ht]; subst; clear H
    end.
  Ltac first_sub :=
    match goal with
    | H : denotes1 _ ?x (At _) |- _ => destruct x as [? | |]; cbn in H; try tauto
    | H : denotes1 _ ?x L |- _ => destruct x as [? | |]; cbn in H; try tauto; clear H
    | H : denotes1 _ ?x R |- _ => destruct x as [? | |]; cbn in H; try tauto; clear H
    end.
  Ltac next q := destruct q as [| [? | |] q]; cbn [rd] in *; try discriminate; invert_path;
    try first_sub.

  (** ** Expressions *)

  Lemma cge_correct ie m v : forall p q x, denotes ie p q -> rd ie m v q = Some x ->
    xev ie m (cge v p) = Some x /\ loads ie (cge v p) = reads ie v q.
  Proof.
    induction v as [r | c | o v IH | o v1 IH1 v2 IH2 | v1 IH1 v2 IH2 | n v IH | n v IH | v IH i
                    | v1 IH1 v2 IH2 | v IH | v IH | n v IH | v IH | c v1 IH1 v2 IH2 | i];
      intros p q x D E; cbn [cge rd reads] in *.
    - cbn [xev loads]. rewrite (denotes_place D). cbn. split; [exact E | reflexivity].
    - destruct q; [| discriminate]. invert_path. split; [exact E | reflexivity].
    - destruct q; [| discriminate]. invert_path.
      destruct (rd ie m v []) as [y |] eqn:Ey; cbn in E; [| discriminate].
      destruct (IH [] [] y (Forall2_nil _) Ey) as [X Lo]. cbn. now rewrite X.
    - destruct q; [| discriminate]. invert_path.
      destruct (rd ie m v1 []) as [y |] eqn:Ey; cbn in E; [| discriminate].
      destruct (rd ie m v2 []) as [z |] eqn:Ez; cbn in E; [| discriminate].
      destruct (IH1 [] [] y (Forall2_nil _) Ey) as [X1 Lo1],
        (IH2 [] [] z (Forall2_nil _) Ez) as [X2 Lo2].
      cbn. now rewrite X1, X2, Lo1, Lo2.
    - next q. next q; [apply IH1 | apply IH2]; auto; constructor; auto.
    - next q. next q. apply IH; auto. constructor; auto. cbn [denotes1]. now apply kev_split.
    - next q. destruct (Nat.eqb_spec #n 0) as [z | nz]; [discriminate |].
      match goal with Hk : kev _ _ = Some _ |- _ =>
        destruct (@kev_div ie n _ _ nz Hk) as [Ed Em] end.
      apply IH; auto. constructor; [exact Ed | constructor; [exact Em | assumption]].
    - destruct (index ie i) as [k |] eqn:Ek; cbn in E; [| discriminate].
      apply IH; auto. constructor; auto. now apply cgi_index.
    - next q; [apply IH1 | apply IH2]; auto.
    - apply IH; auto. constructor; [exact I | exact D].
    - apply IH; auto. constructor; [exact I | exact D].
    - next q. destruct (Nat.ltb_spec i #n) as [lt | ge]; [| discriminate].
      apply IH; auto. constructor; auto. now apply kev_from_end.
    - next q. next q. apply IH; auto. constructor; [assumption | constructor; assumption].
    - cbn [xev loads]. rewrite cgb_value. cbn.
      destruct (holds ie c); [now apply IH1 | now apply IH2].
    - discriminate.
  Qed.

  (** ** Acceptors *)

  Lemma cga_correct ie a : forall p q t, denotes ie p q -> wr ie a q = Some t ->
    exists p', cga a p = Some (aroot a, p') /\ place ie p' = Some t.
  Proof.
    induction a as [r | a IH | a IH | n a IH | n a IH | a IH i | a IH | a IH | n a IH | a IH];
      intros p q t D E; cbn [cga wr aroot] in *.
    - exists p. rewrite (denotes_place D). now split.
    - next q. eapply IH; [| exact E].
      constructor; [assumption | constructor; [exact I | assumption]].
    - next q. eapply IH; [| exact E].
      constructor; [assumption | constructor; [exact I | assumption]].
    - next q. destruct (Nat.eqb_spec #n 0) as [z | nz]; [discriminate |].
      match goal with Hk : kev _ _ = Some _ |- _ =>
        destruct (@kev_div ie n _ _ nz Hk) as [Ed Em] end.
      eapply IH; [| exact E]. constructor; [exact Ed | constructor; [exact Em | assumption]].
    - next q. next q. eapply IH; [| exact E]. constructor; auto. cbn [denotes1].
      now apply kev_split.
    - destruct (index ie i) as [k |] eqn:Ek; cbn in E; [| discriminate].
      eapply IH; [| exact E]. constructor; auto. now apply cgi_index.
    - eapply IH; [| exact E]. constructor; [exact I | exact D].
    - eapply IH; [| exact E]. constructor; [exact I | exact D].
    - next q. destruct (Nat.ltb_spec i #n) as [lt | ge]; [| discriminate].
      eapply IH; [| exact E]. constructor; auto. now apply kev_from_end.
    - next q. next q. eapply IH; [| exact E]. constructor; [assumption | constructor; assumption].
  Qed.

  (** ** Commands *)

  Lemma for_each n f m m' : @for_ A n f m = Some m' -> forall i, i < n ->
    exists m1 m2, f i m1 = Some m2.
  Proof.
    revert m'. induction n as [| n IH]; cbn; intros m' E i lt; [lia |].
    destruct (for_ n f m) as [m1 |] eqn:E1; cbn in E; [| discriminate].
    destruct (Nat.eq_dec i n) as [-> | ne]; eauto. apply (IH m1); auto. lia.
  Qed.

  Lemma for_same n f g m m' : (forall i m m', i < n -> f i m = Some m' -> g i m = Some m') ->
    @for_ A n f m = Some m' -> for_ n g m = Some m'.
  Proof.
    intros same. revert m'. induction n as [| n IH]; cbn; intros m' E; auto.
    destruct (for_ n f m) as [m1 |] eqn:E1; cbn in E; [| discriminate].
    rewrite (IH (fun i m m' lt => same i m m' (Nat.lt_lt_succ_r _ _ lt)) m1 eq_refl). cbn. auto.
  Qed.

  (** A command that runs, runs as C, to the same store, touching the same places. *)
  Theorem codegen_correct c : forall ie m m', exec ie c m = Some m' ->
    run ie (cgc c) m = Some m' /\ touches ie (cgc c) = footprint ie c.
  Proof.
    induction c as [| c1 IH1 c2 IH2 | a v | r d c IH | p l n c IH | b c1 IH1 c2 IH2];
      intros ie m m' E; cbn [cgc run touches exec footprint] in *.
    - split; [exact E | reflexivity].
    - destruct (exec ie c1 m) as [m1 |] eqn:E1; cbn in E; [| discriminate].
      destruct (IH1 _ _ _ E1) as [X1 T1], (IH2 _ _ _ E) as [X2 T2]. rewrite X1, T1, T2. now split.
    - destruct (wr ie a []) as [t |] eqn:W; cbn in E; [| discriminate].
      destruct (rd ie m v []) as [x |] eqn:Rd; cbn in E; [| discriminate].
      destruct (@cga_correct ie a [] [] t (Forall2_nil _) W) as (p' & Ep & Pl).
      destruct (@cge_correct ie m v [] [] x (Forall2_nil _) Rd) as [X Lo].
      rewrite Ep. cbn [run touches]. rewrite Pl, X, Lo. now split.
    - destruct (IH _ _ _ E) as [X T]. rewrite T. now split.
    - destruct (may_loop p ie l #n c) eqn:May; [| discriminate].
      pose proof (for_each _ _ E) as each.
      assert (same : forall i, i < #n -> touches (upi ie l i) (cgc c) = footprint (upi ie l i) c).
      { intros i lt. destruct (each i lt) as (m1 & m2 & Ei). now apply (IH _ _ _ Ei). }
      split.
      + replace (may_run p ie l #n (cgc c)) with true.
        * eapply for_same; [| exact E]. intros i m1 m2 _ Ei. now apply (IH _ _ _ Ei).
        * rewrite <- May. destruct p; cbn [may_run may_loop]; auto. unfold racefree. f_equal.
          apply map_ext_in. intros i Hi. apply in_seq in Hi. rewrite same by lia. reflexivity.
      + clear E each. induction (seq 0 #n) as [| i is IHs] eqn:Is; [reflexivity |].
        assert (Hall : forall j, In j (i :: is) ->
          touches (upi ie l j) (cgc c) = footprint (upi ie l j) c).
        { intros j Hj. rewrite <- Is in Hj. apply in_seq in Hj. apply same. lia. }
        clear - Hall. induction (i :: is) as [| j js IHj]; cbn [flat_map]; [reflexivity |].
        rewrite Hall by now left. f_equal. apply IHj. intros z Hz. apply Hall. now right.
    - rewrite cgb_value. cbn. destruct (holds ie b); [now apply IH1 | now apply IH2].
  Qed.

  (** ** Whole programs *)

  (** The inputs are in roots [0 ..], the output root is allocated. *)
  Definition ready (G : list (data N)) (ws : list (value A)) (d : data N) (m : store A) : Prop :=
    length ws = length G /\
    (forall k dk w, nth_error G k = Some dk -> nth_error ws k = Some w ->
       has_type dk w /\ forall p, leaf dk p -> m k p = Some (look w p)) /\
    (forall p, leaf d p -> m (length G) p <> None).

  Theorem compile_correct G (e : exp A N) d ws m ie : ty (closed G) e d -> ready G ws d m ->
    exists m', run ie (cgc (compile G e d)) m = Some m' /\ exec ie (compile G e d) m = Some m' /\
      (forall p, leaf d p -> m' (length G) p = Some (look (eval ws e) p)) /\
      (forall k q, k < length G -> m' k q = m k q).
  Proof.
    intros T (len & Hin & Hout).
    destruct (acceptor_correct T (ie := ie) (P := fun r => r < length G) (l := S (length G))
      (rho := inputs (length G)) (env := ws) (m := m) (a := ARoot (length G))) as (m' & E & W & F).
    - intros r lt. lia.
    - split; [| intros c b []]. intros k t Hk. cbn in Hk. rewrite nth_error_map in Hk.
      destruct (nth_error G k) as [dk |] eqn:Ek; cbn in Hk; [| discriminate]. injection Hk as <-.
      pose proof (nth_error_bound _ _ _ Ek) as lt. destruct (nth_some ws (i := k)) as [w Ew]; [lia |].
      destruct (Hin _ _ _ Ek Ew) as [typed held]. exists (VRoot k), w. unfold inputs.
      rewrite nth_error_map, nth_seq by auto. cbn. repeat split; auto.
      intros p lf. cbn. rewrite held by auto. destruct (look_some dk _ _ typed lf) as [x ->].
      reflexivity.
    - cbn; lia.
    - exact I.
    - cbn; lia.
    - now apply usable_root.
    - exists m'. split; [now apply codegen_correct |]. split; [exact E |]. split.
      + intros p lf. apply (W p p lf eq_refl).
      + intros k q lt. eapply frame_root; [exact F | lia | cbn; lia].
  Qed.
End Codegen.
