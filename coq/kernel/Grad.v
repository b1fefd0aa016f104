(** * Reverse mode

    Gradients of kernels over any commutative ring with any inverse function and
    any functions, each with names for its partial derivatives.  No law of the
    inverse or of the derivatives is used: the gradient is the adjoint of the
    tangent, whatever these are. *)

From Coq Require Import Bool List Arith ZArith Ring_theory.
From Calque Require Import kernel.Kernel.
Import ListNotations.
Open Scope Z_scope.

Record ring := {
  elt : Type;
  r0 : elt;
  r1 : elt;
  radd : elt -> elt -> elt;
  rmul : elt -> elt -> elt;
  rsub : elt -> elt -> elt;
  ropp : elt -> elt;
  r_laws : ring_theory r0 r1 radd rmul rsub ropp eq;
  rinv : elt -> elt;
  req : elt -> elt -> bool;                (** says yes to equal elements only *)
  req_eq : forall a b, req a b = true -> a = b;
  func : Type;
  func_value : func -> list elt -> elt;
  partial : func -> nat -> func;           (** by the n-th argument *)
  other : Type;                            (** reductions other than the sum *)
  other_start : other -> elt;
  other_step : other -> elt -> elt -> elt }.

Inductive arith := Add | Sub | Mul | Div.
Inductive fold (O : Type) := Sum | Other (o : O).
Arguments Sum {O}.
Arguments Other {O}.

Section Grad.
  Variable K : ring.
  Notation R := (elt K).
  Declare Scope ring_scope.
  Notation "0" := (r0 K) : ring_scope.
  Notation "1" := (r1 K) : ring_scope.
  Infix "+" := (radd K) : ring_scope.
  Infix "*" := (rmul K) : ring_scope.
  Infix "-" := (rsub K) : ring_scope.
  Local Open Scope ring_scope.

  (** The ring as scalars of kernels: a / b is a times the inverse of b. *)
  Definition arith_value (o : arith) (a b : R) : R :=
    match o with
    | Add => a + b
    | Sub => a - b
    | Mul => a * b
    | Div => a * rinv K b
    end.

  Definition alg : scalars :=
    {| carrier := R; lit := R; bop := arith; fid := func K;
       lit_value := fun c => c; bop_value := arith_value; fid_value := func_value K;
       zero := 0; red := fold (other K);
       red_start := fun r => match r with Sum => 0 | Other o => other_start K o end;
       red_step := fun r => match r with Sum => radd K | Other o => other_step K o end |}.

  Notation ex := (ex alg).
  Notation stmt := (stmt alg).
  Notation store := (store alg).
  Notation tensor := (tensor alg).
  Notation eval := (@eval alg).

  Definition sum {A} (f : A -> R) (l : list A) : R :=
    fold_right (fun a s => f a + s) 0 l.

  (** ** Tangent: the forward derivative in the direction [du], linear in [du] *)

  Fixpoint tangent (st du : store) (rho : list Z) (e : ex) : R :=
    match e with
    | ECst _ => 0
    | ELd t l => du t (map (eval_ix rho) l)
    | EBin o a b =>
        let va := eval st rho a in
        let vb := eval st rho b in
        let ta := tangent st du rho a in
        let tb := tangent st du rho b in
        match o with
        | Add => ta + tb
        | Sub => ta - tb
        | Mul => ta * vb + va * tb
        | Div => ta * rinv K vb - va * tb * rinv K (vb * vb)
        end
    | EFn f l =>
        let vs := map (eval st rho) l in
        (fix go n l :=
           match l with
           | [] => 0
           | a :: l' => func_value K (partial K f n) vs * tangent st du rho a + go (S n) l'
           end) O l
    | ESel c a b => if eval_cond rho c then tangent st du rho a else tangent st du rho b
    | ERed Sum ns e => sum (fun k => tangent st du (k ++ rho) e) (box ns)
    | ERed (Other _) _ _ => 0         (* held constant *)
    end.

  Definition tangent_stmt (s : stmt) (st du : store) : store :=
    upd (S := alg) du (out s) (tabulate (S := alg) (dims s) (fun i => tangent st du i (body s))).

  Fixpoint tangent_prog (p : list stmt) (st du : store) : store :=
    match p with
    | [] => du
    | s :: p' => tangent_prog p' (exec s st) (tangent_stmt s st du)
    end.

  (** ** Reverse sweep: one contribution for each load *)

  (** For all values of the variables [over] (and of those in scope): the weight
      is added to the gradient of [target] at the indices [at_]. *)
  Record contribution := Contribution {
    over : list nat; target : tid; at_ : list ix; weight : ex }.

  Definition bound (ns : list nat) (c : contribution) : contribution :=
    Contribution (over c ++ ns) (target c) (at_ c) (weight c).

  (** [e], made for [n] variables in scope, under [m] new ones. *)
  Definition shifted (m n : nat) (e : ex) : ex := subst (map IVar (seq m n)) e.

  Definition cst (c : R) : ex := @ECst alg c.
  Definition bin (o : arith) (a b : ex) : ex := @EBin alg o a b.
  Definition minus (a : ex) : ex := bin Sub (cst 0) a.

  (** [n] variables are in scope; [w] is the weight of [e]. *)
  Fixpoint sweep (n : nat) (e w : ex) : list contribution :=
    match e with
    | ECst _ => []
    | ELd t l => [Contribution [] t l w]                                  (* KG-Load *)
    | EBin Add a b => sweep n a w ++ sweep n b w                          (* KG-Add *)
    | EBin Sub a b => sweep n a w ++ sweep n b (minus w)                  (* KG-Sub *)
    | EBin Mul a b => sweep n a (bin Mul w b) ++ sweep n b (bin Mul w a)  (* KG-Mul *)
    | EBin Div a b =>                                                     (* KG-Div *)
        sweep n a (bin Div w b) ++
        sweep n b (minus (bin Div (bin Mul w a) (bin Mul b b)))
    | EFn f l =>                                                          (* KG-Fn *)
        (fix go i rest :=
           match rest with
           | [] => []
           | a :: rest' => sweep n a (bin Mul w (@EFn alg (partial K f i) l)) ++ go (S i) rest'
           end) O l
    | ESel c a b => sweep n a (ESel c w (cst 0)) ++ sweep n b (ESel c (cst 0) w) (* KG-Sel *)
    | ERed Sum ns e =>                                                    (* KG-Sum *)
        map (bound ns) (sweep (length ns + n) e (shifted (length ns) n w))
    | ERed (Other _) _ _ => []
    end.

  (** The contributions of a statement, the gradient of its output being [v]. *)
  Definition contributions (s : stmt) (v : tid) : list contribution :=
    sweep (length (dims s)) (body s) (ELd v (map IVar (seq 0 (length (dims s))))).

  (** ** Scatter form, the specification: dX[at_] += weight (KG-Scatter) *)

  Definition add_at (x : tensor) (i : list Z) (y : R) : tensor :=
    fun j => if tuple_eqb i j then x j + y else x j.

  Definition scatter_one (st : store) (d : list nat) (t : tid) (x : tensor)
      (c : contribution) : tensor :=
    if (target c =? t)%nat then
      fold_left (fun x k => add_at x (map (eval_ix k) (at_ c)) (eval st k (weight c)))
                (box (over c ++ d)) x
    else x.

  (** The gradient of a statement by [t], the gradient of its output being the
      tensor [v] of the store. *)
  Definition scatter (s : stmt) (v : tid) (st : store) (t : tid) : tensor :=
    fold_left (scatter_one st (dims s) t) (contributions s v) (fun _ => 0).

  (** ** Programs: statements backwards, one gradient for each tensor (KG-Seq) *)

  Definition fresh (l : list tid) : tid := S (list_max l).

  Definition backward_stmt (s : stmt) (st dv : store) : store :=
    let v := fresh (loads (body s)) in
    fun t i =>
      (if (t =? out s)%nat then 0 else dv t i) +
      scatter s v (upd (S := alg) st v (dv (out s))) t i.

  Fixpoint backward (p : list stmt) (st dv : store) : store :=
    match p with
    | [] => dv
    | s :: p' => backward_stmt s st (backward p' (exec s st) dv)
    end.

  (** ** Inner products *)

  Definition inner_box (d : list nat) (x y : tensor) : R :=
    sum (fun i => x i * y i) (box d).

  Definition inner (shapes : tid -> list nat) (ts : list tid) (x y : store) : R :=
    sum (fun t => inner_box (shapes t) (x t) (y t)) ts.

  (** Zero outside of the shape. *)
  Definition supported (d : list nat) (x : tensor) : Prop :=
    forall i, in_box d i = false -> x i = 0.
End Grad.

Arguments sum {K A}.
Arguments tangent {K}.
Arguments tangent_stmt {K}.
Arguments tangent_prog {K}.
Arguments Contribution {K}.
Arguments over {K}.
Arguments target {K}.
Arguments at_ {K}.
Arguments weight {K}.
Arguments bound {K}.
Arguments shifted {K}.
Arguments cst {K}.
Arguments bin {K}.
Arguments minus {K}.
Arguments sweep {K}.
Arguments contributions {K}.
Arguments add_at {K}.
Arguments scatter_one {K}.
Arguments scatter {K}.
Arguments backward_stmt {K}.
Arguments backward {K}.
Arguments inner_box {K}.
Arguments inner {K}.
Arguments supported {K}.
