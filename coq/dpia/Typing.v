(** * DPIA: typing

    The context has two parts: what each variable is, and which index conditions
    are known to hold or to fail (below a select).  An index expression is typed
    by what it means: under all values of the variables that fit the context it
    lies in the range.  [infer] decides everything else and takes the range test
    as an argument; [Range.v] has one. *)

From Coq Require Import List Bool ZArith.
From Calque Require Import dpia.Syntax.
Import ListNotations.
Set Implicit Arguments.

Section Typing.
  Context {A : algebra} {N : sizes} {s : sizing N}.
  Notation data := (data N). Notation entry := (entry N). Notation exp := (exp A N).
  Notation ix := (ix N). Notation cond := (cond N).

  Record ctx := Ctx { vars : list entry; facts : list (cond * bool) }.

  Definition shift : nat -> ix := fun x => XVar (S x).
  Definition bind (t : entry) (G : ctx) : ctx :=
    Ctx (t :: vars G) (map (fun cb => (cond_subst shift (fst cb), snd cb)) (facts G)).
  Definition assume (c : cond) (b : bool) (G : ctx) : ctx := Ctx (vars G) ((c, b) :: facts G).
  Definition closed (l : list data) : ctx := Ctx (map TD l) [].

  (** Values of the index variables that fit the context. *)
  Definition fits (G : ctx) (f : nat -> Z) : Prop :=
    (forall x n, nth_error (vars G) x = Some (TI n) -> (0 <= f x < Z.of_nat #n)%Z) /\
    (forall c b, In (c, b) (facts G) -> holds f c = b).

  Definition is_index (G : ctx) (x : nat) : Prop := exists n, nth_error (vars G) x = Some (TI n).
  Definition in_range (G : ctx) (i : ix) (n : size N) : Prop :=
    forall f, fits G f -> (0 <= ixv f i < Z.of_nat #n)%Z.

  Inductive ty : ctx -> exp -> data -> Prop :=
    | T_Var G x d : nth_error (vars G) x = Some (TD d) -> ty G (EVar x) d
    | T_Lit G c : ty G (ELit c) DNum
    | T_Un G o e : ty G e DNum -> ty G (EUn o e) DNum
    | T_Bin G o e1 e2 : ty G e1 DNum -> ty G e2 DNum -> ty G (EBin o e1 e2) DNum
    | T_Map G p n d1 d f e :
        ty G e (DAry n d1) -> ty (bind (TD d1) G) f d -> ty G (EMap p n d f e) (DAry n d)
    | T_Gen G p n d f : ty (bind (TI n) G) f d -> ty G (EGen p n d f) (DAry n d)
    | T_Red G n d1 d f i e :
        ty G e (DAry n d1) -> ty G i d -> ty (bind (TD d) (bind (TD d1) G)) f d ->
        ty G (ERed n d f i e) d
    | T_Fold G n d f i :
        ty G i d -> ty (bind (TD d) (bind (TI n) G)) f d -> ty G (EFold n d f i) d
    | T_Zip G n d1 d2 e1 e2 :
        ty G e1 (DAry n d1) -> ty G e2 (DAry n d2) ->
        ty G (EZip n d1 d2 e1 e2) (DAry n (DPair d1 d2))
    | T_Split G n m d e : ty G e (DAry (mul N n m) d) -> ty G (ESplit n m e) (DAry m (DAry n d))
    | T_Join G n m d e : ty G e (DAry m (DAry n d)) -> ty G (EJoin n m e) (DAry (mul N n m) d)
    | T_Idx G n d e i :
        ty G e (DAry n d) -> ix_all (is_index G) i -> in_range G i n -> ty G (EIdx e i) d
    | T_Pair G d1 d2 e1 e2 : ty G e1 d1 -> ty G e2 d2 -> ty G (EPair e1 e2) (DPair d1 d2)
    | T_Fst G d1 d2 e : ty G e (DPair d1 d2) -> ty G (EFst e) d1
    | T_Snd G d1 d2 e : ty G e (DPair d1 d2) -> ty G (ESnd e) d2
    | T_Rev G n d e : ty G e (DAry n d) -> ty G (ERev n e) (DAry n d)
    | T_Tr G n m d e : ty G e (DAry n (DAry m d)) -> ty G (ETr n m e) (DAry m (DAry n d))
    | T_Ite G c d e1 e2 :
        cond_all (is_index G) c -> ty (assume c true G) e1 d -> ty (assume c false G) e2 d ->
        ty G (EIte c d e1 e2) d
    | T_Let G d1 d e f : ty G e d1 -> ty (bind (TD d1) G) f d -> ty G (ELet d1 e f) d.

  (** ** The checker *)

  Fixpoint data_eqb (a b : data) : bool :=
    match a, b with
    | DNum, DNum => true
    | DAry n a, DAry m b => size_eqb N n m && data_eqb a b
    | DPair a1 a2, DPair b1 b2 => data_eqb a1 b1 && data_eqb a2 b2
    | _, _ => false
    end.

  Fixpoint ix_allb (P : nat -> bool) (i : ix) : bool :=
    match i with
    | XVar x => P x
    | XCst _ | XSize _ => true
    | XAdd i j | XSub i j => ix_allb P i && ix_allb P j
    | XMul i _ | XDiv i _ | XMod i _ => ix_allb P i
    end.

  Fixpoint cond_allb (P : nat -> bool) (c : cond) : bool :=
    match c with
    | CCmp _ i j => ix_allb P i && ix_allb P j
    | CAnd c1 c2 => cond_allb P c1 && cond_allb P c2
    end.

  Definition is_indexb (G : ctx) (x : nat) : bool :=
    match nth_error (vars G) x with Some (TI _) => true | _ => false end.

  Definition check (b : bool) (d : data) : option data := if b then Some d else None.

  Context (range : ctx -> ix -> size N -> bool).

  Fixpoint infer (G : ctx) (e : exp) : option data :=
    match e with
    | EVar x => match nth_error (vars G) x with Some (TD d) => Some d | _ => None end
    | ELit _ => Some DNum
    | EUn _ e => match infer G e with Some DNum => Some DNum | _ => None end
    | EBin _ e1 e2 =>
        match infer G e1, infer G e2 with Some DNum, Some DNum => Some DNum | _, _ => None end
    | EMap _ n d f e =>
        match infer G e with
        | Some (DAry m d1) =>
            match infer (bind (TD d1) G) f with
            | Some d' => check (size_eqb N m n && data_eqb d' d) (DAry n d)
            | _ => None
            end
        | _ => None
        end
    | EGen _ n d f =>
        match infer (bind (TI n) G) f with
        | Some d' => check (data_eqb d' d) (DAry n d)
        | _ => None
        end
    | ERed n d f i e =>
        match infer G e, infer G i with
        | Some (DAry m d1), Some di =>
            match infer (bind (TD d) (bind (TD d1) G)) f with
            | Some d' => check (size_eqb N m n && (data_eqb di d && data_eqb d' d)) d
            | _ => None
            end
        | _, _ => None
        end
    | EFold n d f i =>
        match infer G i, infer (bind (TD d) (bind (TI n) G)) f with
        | Some di, Some d' => check (data_eqb di d && data_eqb d' d) d
        | _, _ => None
        end
    | EZip n d1 d2 e1 e2 =>
        match infer G e1, infer G e2 with
        | Some (DAry n1 a), Some (DAry n2 b) =>
            check (size_eqb N n1 n && size_eqb N n2 n && (data_eqb a d1 && data_eqb b d2))
                  (DAry n (DPair d1 d2))
        | _, _ => None
        end
    | ESplit n m e =>
        match infer G e with
        | Some (DAry k d) => check (size_eqb N k (mul N n m)) (DAry m (DAry n d))
        | _ => None
        end
    | EJoin n m e =>
        match infer G e with
        | Some (DAry m' (DAry n' d)) =>
            check (size_eqb N m' m && size_eqb N n' n) (DAry (mul N n m) d)
        | _ => None
        end
    | EIdx e i =>
        match infer G e with
        | Some (DAry n d) => check (ix_allb (is_indexb G) i && range G i n) d
        | _ => None
        end
    | EPair e1 e2 =>
        match infer G e1, infer G e2 with Some a, Some b => Some (DPair a b) | _, _ => None end
    | EFst e => match infer G e with Some (DPair a _) => Some a | _ => None end
    | ESnd e => match infer G e with Some (DPair _ b) => Some b | _ => None end
    | ERev n e =>
        match infer G e with Some (DAry m d) => check (size_eqb N m n) (DAry n d) | _ => None end
    | ETr n m e =>
        match infer G e with
        | Some (DAry n' (DAry m' d)) =>
            check (size_eqb N n' n && size_eqb N m' m) (DAry m (DAry n d))
        | _ => None
        end
    | EIte c d e1 e2 =>
        match infer (assume c true G) e1, infer (assume c false G) e2 with
        | Some a, Some b => check (cond_allb (is_indexb G) c && (data_eqb a d && data_eqb b d)) d
        | _, _ => None
        end
    | ELet d1 e f =>
        match infer G e with
        | Some a => if data_eqb a d1 then infer (bind (TD d1) G) f else None
        | None => None
        end
    end.

  Lemma data_eqb_eq a : forall b, data_eqb a b = true <-> a = b.
  Proof.
    induction a as [| n a IH | a1 IH1 a2 IH2]; intros [| m b | b1 b2]; simpl;
      rewrite ?andb_true_iff, ?size_eqb_eq, ?IH, ?IH1, ?IH2;
      split; intros E; try discriminate; try reflexivity.
    - now destruct E as [-> ->].
    - injection E as -> ->. auto.
    - now destruct E as [-> ->].
    - injection E as -> ->. auto.
  Qed.

  Lemma is_indexb_iff G x : is_indexb G x = true <-> is_index G x.
  Proof.
    unfold is_indexb, is_index. destruct (nth_error (vars G) x) as [[d | n] |]; split;
      intros H; try discriminate; try (destruct H; discriminate); eauto.
  Qed.

  Lemma ix_allb_iff (P : nat -> bool) (Q : nat -> Prop) i :
    (forall x, P x = true <-> Q x) -> (ix_allb P i = true <-> ix_all Q i).
  Proof. intros PQ. induction i; simpl; rewrite ?andb_true_iff; firstorder. Qed.

  Lemma cond_allb_iff (P : nat -> bool) (Q : nat -> Prop) c :
    (forall x, P x = true <-> Q x) -> (cond_allb P c = true <-> cond_all Q c).
  Proof.
    intros PQ. induction c as [c i j | c1 IH1 c2 IH2]; simpl; rewrite andb_true_iff.
    - now rewrite !(ix_allb_iff P Q).
    - now rewrite IH1, IH2.
  Qed.

  Theorem infer_sound :
    (forall G i n, range G i n = true -> in_range G i n) ->
    forall e G d, infer G e = Some d -> ty G e d.
  Proof.
    intros range_sound e. induction e; intros G dd H; simpl in H;
      repeat match goal with
    | H : Some _ = Some _ |- _ => injection H as <-
    | H : None = Some _ |- _ => discriminate
    | H : check ?b _ = Some _ |- _ => unfold check in H
    | H : match ?x with _ => _ end = Some _ |- _ =>
        let E := fresh "E" in destruct x eqn:E; try discriminate
    | H : _ && _ = true |- _ => apply andb_true_iff in H as [? ?]
    | H : size_eqb _ _ _ = true |- _ => apply size_eqb_eq in H; subst
    | H : data_eqb _ _ = true |- _ => apply data_eqb_eq in H; subst
    | H : ix_allb _ _ = true |- _ => apply (ix_allb_iff _ _ _ (is_indexb_iff G)) in H
    | H : cond_allb _ _ = true |- _ => apply (cond_allb_iff _ _ _ (is_indexb_iff G)) in H
    end; econstructor; eauto.
  Qed.

  Theorem infer_complete :
    (forall G i n, in_range G i n -> range G i n = true) ->
    forall G e d, ty G e d -> infer G e = Some d.
  Proof.
    intros range_complete.
    assert (size_refl : forall n, size_eqb N n n = true) by (intros n; now apply size_eqb_eq).
    assert (data_refl : forall d, data_eqb d d = true) by (intros d; now apply data_eqb_eq).
    induction 1; simpl;
      repeat match goal with H : infer _ _ = Some _ |- _ => rewrite H; clear H end;
      unfold check; rewrite ?size_refl, ?data_refl; auto.
    - match goal with looked : nth_error _ _ = _ |- _ => now rewrite looked end.
    - match goal with scoped : ix_all _ _ |- _ =>
        apply (ix_allb_iff _ _ _ (is_indexb_iff G)) in scoped;
          now rewrite scoped, range_complete end.
    - match goal with scoped : cond_all _ _ |- _ =>
        apply (cond_allb_iff _ _ _ (is_indexb_iff G)) in scoped; now rewrite scoped end.
  Qed.
End Typing.

Arguments ctx : clear implicits.
