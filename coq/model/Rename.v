(** * Programs under other names

    [rename f] is a program with tensor [f t] in the place of [t].  Where what is stored has
    names of its own, it does the same to the renamed tensors. *)

From Coq Require Import Bool List Arith ZArith.
From Calque Require Import base.Lists kernel.Kernel kernel.KernelProof model.Function.
Import ListNotations.
Open Scope nat_scope.

Section Rename.
  Variable S : scalars.
  Notation stmt := (stmt S).
  Notation store := (Kernel.store S).
  Variable f : tid -> tid.

  Fixpoint rename_ex (e : ex S) : ex S :=
    match e with
    | ECst c => ECst c
    | ELd t l => ELd (f t) l
    | EBin o a b => EBin o (rename_ex a) (rename_ex b)
    | EFn g l => EFn g (map rename_ex l)
    | ESel c a b => ESel c (rename_ex a) (rename_ex b)
    | ERed r ns e => ERed r ns (rename_ex e)
    end.

  Definition rename (s : stmt) : stmt := Stmt (f (out s)) (dims s) (rename_ex (body s)).

  Lemma eval_rename (e : ex S) : forall st rho, eval st rho (rename_ex e) = eval (fun t => st (f t)) rho e.
  Proof.
    induction e as [c | t l | o a b IHa IHb | g l IH | c a b IHa IHb | r ns e IH] using ex_nested_ind;
      intros st rho; cbn [rename_ex eval]; try reflexivity.
    - now rewrite IHa, IHb.
    - f_equal. rewrite map_map. apply map_ext_in. intros a I. rewrite Forall_forall in IH. now apply IH.
    - now rewrite IHa, IHb.
    - apply fold_left_ext_in. intros acc k _. now rewrite IH.
  Qed.

  Lemma loads_rename (e : ex S) : loads (rename_ex e) = map f (loads e).
  Proof.
    induction e as [c | t l | o a b IHa IHb | g l IH | c a b IHa IHb | r ns e IH] using ex_nested_ind;
      cbn [rename_ex loads]; try reflexivity; try (now rewrite IHa, IHb, map_app); [| exact IH].
    induction IH as [| a l Ha _ IHl]; [reflexivity |]. cbn [map flat_map]. now rewrite Ha, IHl, map_app.
  Qed.

  (** Loads that are inside stay inside: the sizes of [f t] are those of [t]. *)
  Lemma in_bounds_rename (shapes shapes' : tid -> list nat) u (e : ex S) : forall rho,
    (forall t, In t (loads e) -> shapes' (f t) = shapes t) ->
    (forall t, in_bounds t (shapes t) rho e) -> in_bounds u (shapes' u) rho (rename_ex e).
  Proof.
    induction e as [c | t l | o a b IHa IHb | g l IH | c a b IHa IHb | r ns e IH] using ex_nested_ind;
      intros rho same B; cbn [rename_ex in_bounds].
    - exact I.
    - intros <-. rewrite same by now left. now apply (B t).
    - split; [apply IHa | apply IHb]; try (intros t; apply (B t)); intros t It; apply same, in_or_app; auto.
    - assert (each : forall a, In a l -> forall t, in_bounds t (shapes t) rho a).
      { intros a Ia t. specialize (B t). cbn [in_bounds] in B. clear - B Ia. induction l as [| b l IHl]; [destruct Ia |].
        cbn [fold_right] in B. destruct B as [B1 B2]. destruct Ia as [-> | Ia]; auto. }
      cbn [loads] in same. clear B. induction IH as [| a l Ha _ IHl]; [exact I |]. cbn [map fold_right]. split.
      + apply Ha; [| apply each; now left]. intros t It. apply same. cbn [flat_map]. apply in_or_app. now left.
      + apply IHl; [| intros b Ib; apply each; now right]. intros t It. apply same. cbn [flat_map]. apply in_or_app. now right.
    - cbn [loads in_bounds] in *. destruct (eval_cond rho c).
      + apply IHa; [intros t It; apply same, in_or_app; now left | exact B].
      + apply IHb; [intros t It; apply same, in_or_app; now right | exact B].
    - intros k K. apply IH; [exact same |]. intros t. exact (B t k K).
  Qed.

  (** What is stored has names that nothing else has. *)
  Lemma rename_prog (p : list stmt) : forall known (st st' : store), reads_known known p = true ->
    (forall s t, In s p -> In t known \/ In t (map out p) -> f t = f (out s) -> t = out s) ->
    (forall t, In t known -> agree S (fun t => st' (f t)) st t) ->
    forall t, In t known \/ In t (map out p) ->
      agree S (fun t => exec_prog (map rename p) st' (f t)) (exec_prog p st) t.
  Proof.
    induction p as [| s p IH]; intros known st st' reads apart_ same t It.
    - destruct It as [It | []]. now apply same.
    - cbn [reads_known] in reads. apply andb_true_iff in reads as [reads rest].
      apply andb_true_iff in reads as [reads _]. rewrite forallb_forall in reads.
      apply (IH (out s :: known) (exec s st) (exec (rename s) st') rest).
      + intros s' u Is Iu. apply apart_; [now right |]. destruct Iu as [[<- | Iu] | Iu]; cbn; auto.
      + intros u Iu i. unfold exec, upd. cbn [rename out dims body].
        destruct (Nat.eqb_spec (f u) (f (out s))) as [E | ne].
        * apply apart_ in E; [| now left | destruct Iu as [<- | Iu]; cbn; auto]. subst u. rewrite Nat.eqb_refl.
          unfold tabulate. destruct (in_box (dims s) i); [| reflexivity]. rewrite eval_rename. apply eval_frame.
          intros v Iv. apply same. apply existsb_eqb. now apply reads.
        * destruct (Nat.eqb_spec u (out s)) as [-> | nu]; [congruence |].
          destruct Iu as [<- | Iu]; [congruence |]. now apply same.
      + destruct It as [It | [<- | It]]; cbn; auto.
  Qed.
End Rename.
