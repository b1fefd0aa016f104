(** * The tangent is the derivative over the reals

    For kernels over Coq's real numbers with division, square root, exponential,
    logarithm and hyperbolic tangent: along every differentiable curve of stores,
    wherever the kernel is smooth, its values are differentiable and their
    derivative is the tangent.  The one file that uses the axioms of the standard
    library's real numbers; nothing else depends on it. *)

From Coq Require Import Bool List ZArith Reals Lra.
From Calque Require Import kernel.Kernel kernel.KernelProof kernel.Grad kernel.GradProof.
Import ListNotations.
Open Scope R_scope.

(** A function or the derivative of one. *)
Inductive function :=
  | Sqrt | Exp | Log | Tanh
  | Partial (f : function).

Definition slope (f : function) (x : R) : R :=
  match f with
  | Sqrt => / (2 * sqrt x)
  | Exp => exp x
  | Log => / x
  | Tanh => / (cosh x * cosh x)
  | Partial _ => 0                        (* not used: a kernel has no derivative in it *)
  end.

Definition function_value (f : function) (l : list R) : R :=
  match l with
  | [x] =>
      match f with
      | Sqrt => sqrt x
      | Exp => exp x
      | Log => ln x
      | Tanh => sinh x / cosh x
      | Partial g => slope g x
      end
  | _ => 0
  end.

Definition real_eqb (a b : R) : bool := if Req_EM_T a b then true else false.

Lemma real_eqb_eq a b : real_eqb a b = true -> a = b.
Proof. unfold real_eqb. now destruct (Req_EM_T a b). Qed.

Definition reals : ring :=
  {| elt := R; r0 := 0; r1 := 1; radd := Rplus; rmul := Rmult; rsub := Rminus; ropp := Ropp;
     r_laws := RTheory; rinv := Rinv; req := real_eqb; req_eq := real_eqb_eq;
     func := function; func_value := function_value; partial := fun f _ => Partial f;
     other := Empty_set;
     other_start := fun o => match o with end; other_step := fun o => match o with end |}.

Notation rex := (ex (alg reals)).
Notation rstore := (store (alg reals)).

(** Where a function has a derivative. *)
Definition function_smooth (f : function) (x : R) : Prop :=
  match f with
  | Sqrt | Log => 0 < x
  | Exp | Tanh => True
  | Partial _ => False
  end.

(** Everything that is evaluated has a derivative: nothing is divided by zero, roots
    and logarithms are of positive numbers, and a function has one argument. *)
Fixpoint smooth (st : rstore) (rho : list Z) (e : rex) : Prop :=
  match e with
  | ECst _ | ELd _ _ => True
  | EBin o a b =>
      smooth st rho a /\ smooth st rho b /\
      match o with Div => @eval (alg reals) st rho b <> 0 | _ => True end
  | EFn f l =>
      match l with
      | [a] => smooth st rho a /\ function_smooth f (@eval (alg reals) st rho a)
      | _ => False
      end
  | ESel c a b => if eval_cond rho c then smooth st rho a else smooth st rho b
  | ERed _ ns e => forall k, In k (box ns) -> smooth st (k ++ rho) e
  end.

(** A curve of stores that passes with direction [du] at 0. *)
Definition passes (c : R -> rstore) (du : rstore) : Prop :=
  forall t i, derivable_pt_lim (fun h => c h t i) 0 (du t i).

Lemma cosh_positive x : 0 < cosh x.
Proof. unfold cosh. pose proof (exp_pos x). pose proof (exp_pos (- x)). lra. Qed.

Lemma cosh_sinh x : cosh x * cosh x - sinh x * sinh x = 1.
Proof.
  unfold cosh, sinh. assert (H : exp x * exp (- x) = 1) by
    (rewrite <- exp_plus, Rplus_opp_r; apply exp_0).
  replace 1 with (exp x * exp (- x)) by exact H. field.
Qed.

Lemma function_derivable f x :
  function_smooth f x ->
  derivable_pt_lim (fun y => function_value f [y]) x (slope f x).
Proof.
  destruct f; simpl; intros H; try contradiction.
  - now apply derivable_pt_lim_sqrt.
  - apply derivable_pt_lim_exp.
  - now apply derivable_pt_lim_ln.
  - pose proof (cosh_positive x) as pos.
    replace (/ (cosh x * cosh x))
      with ((cosh x * cosh x - sinh x * sinh x) / Rsqr (cosh x)).
    + apply (derivable_pt_lim_div sinh cosh); [apply derivable_pt_lim_sinh | apply derivable_pt_lim_cosh | lra].
    + rewrite cosh_sinh. unfold Rsqr, Rdiv. ring.
Qed.

Lemma derivable_ext (f g : R -> R) x l :
  (forall y, f y = g y) -> derivable_pt_lim f x l -> derivable_pt_lim g x l.
Proof.
  intros same H eps pos. destruct (H eps pos) as [d near]. exists d. intros h nz small.
  rewrite <- !same. now apply near.
Qed.

Lemma sum_derivable {A} (f : R -> A -> R) (g : A -> R) l :
  (forall k, In k l -> derivable_pt_lim (fun h => f h k) 0 (g k)) ->
  derivable_pt_lim (fun h => @sum reals A (f h) l) 0 (@sum reals A g l).
Proof.
  induction l as [| a l IH]; intros H; simpl.
  - apply (derivable_pt_lim_const 0).
  - apply (derivable_pt_lim_plus (fun h => f h a) (fun h => @sum reals A (f h) l)).
    + apply H. now left.
    + apply IH. intros k ink. apply H. now right.
Qed.

Theorem tangent_derivative (c : R -> rstore) (du : rstore) :
  passes c du ->
  forall (e : rex) rho,
    smooth (c 0) rho e ->
    derivable_pt_lim (fun h => @eval (alg reals) (c h) rho e) 0 (@tangent reals (c 0) du rho e).
Proof.
  intros through.
  induction e as [v | t l | o a b IHa IHb | f l IH | cd a b IHa IHb | r ns e IH]
    using ex_nested_ind; intros rho.
  - intros _. apply derivable_pt_lim_const.
  - intros _. apply through.
  - simpl. intros (sa & sb & sd). specialize (IHa rho sa). specialize (IHb rho sb).
    destruct o; simpl in *.
    + exact (derivable_pt_lim_plus _ _ _ _ _ IHa IHb).
    + exact (derivable_pt_lim_minus _ _ _ _ _ IHa IHb).
    + exact (derivable_pt_lim_mult _ _ _ _ _ IHa IHb).
    + pose proof (derivable_pt_lim_div _ _ _ _ _ IHa IHb sd) as H.
      match goal with |- derivable_pt_lim _ _ ?d => match type of H with
        derivable_pt_lim _ _ ?d' => replace d with d' end end; [exact H |].
      unfold Rsqr. field. exact sd.
  - destruct l as [| a [| a' l]]; simpl; try contradiction. intros (sa & sf).
    inversion IH as [| ? ? IHa _]; subst. specialize (IHa rho sa).
    pose proof (derivable_pt_lim_comp _ (fun y => function_value f [y]) _ _ _ IHa
      (function_derivable f _ sf)) as H.
    simpl in H. rewrite Rplus_0_r. exact H.
  - simpl. destruct (eval_cond rho cd); auto.
  - destruct r as [| o]; [| destruct o]. intros H.
    apply derivable_ext with (fun h => @sum reals (list Z) (fun k => @eval (alg reals) (c h) (k ++ rho) e) (box ns)).
    + intros h. symmetry. apply (eval_sum reals).
    + cbn [tangent]. apply sum_derivable. intros k ink. apply IH. now apply H.
Qed.

(** ** Whole programs *)

Definition smooth_stmt (s : stmt (alg reals)) (st : rstore) : Prop :=
  forall i, in_box (dims s) i = true -> smooth st i (body s).

Fixpoint smooth_prog (p : list (stmt (alg reals))) (st : rstore) : Prop :=
  match p with
  | [] => True
  | s :: p' => smooth_stmt s st /\ smooth_prog p' (exec s st)
  end.

Theorem tangent_prog_derivative (p : list (stmt (alg reals))) : forall (c : R -> rstore) du,
  passes c du -> smooth_prog p (c 0) ->
  passes (fun h => exec_prog p (c h)) (@tangent_prog reals p (c 0) du).
Proof.
  induction p as [| s p IH]; intros c du through ok; [exact through |].
  destruct ok as (here & rest). simpl.
  apply (IH (fun h => exec s (c h)) (@tangent_stmt reals s (c 0) du)); [| exact rest].
  intros t i. unfold exec, tangent_stmt, upd, tabulate.
  destruct (t =? out s)%nat; [| apply through].
  destruct (in_box (dims s) i) eqn:inside.
  - apply tangent_derivative; [exact through | now apply here].
  - apply (derivable_pt_lim_const 0).
Qed.
