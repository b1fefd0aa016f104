(** * Sums of products by fused multiply-adds

    A sum whose terms are products adds each of them with one rounding: [acc := fma(a, b, acc)].
    That is another kernel, with another value.  Its term is [exact(a, b)], the product of two
    numbers as it is, not rounded, which a store never sees:

<<  sum(k<n) (c ? a * b : 0)   becomes   sum(k<n) (c ? exact(a, b) : -0)  >>

    The constant is -0, which adds nothing to any number; +0 would change a sum that is -0, as one
    from +0 can be here.  [c/kernel/partial.c] is the same. *)

From Coq Require Import Bool List Arith ZArith.
From Calque Require Import kernel.Kernel.
Import ListNotations.

Section Fma.
  Variable S : scalars.
  Notation num := (carrier S).

  (** Which operators and reductions multiply and add; [fma a b x] is x plus the product, rounded once. *)
  Variable times : bop S.
  Variable is_times is_plus : bop S -> bool.
  Variable is_sum : red S -> bool.
  Variable fma : num -> num -> num -> num.
  (** Which literals are 0, and the one that is -0. *)
  Variable is_zero : lit S -> bool.
  Variable minus_zero : lit S.

  (** ** Numbers, and products that are not rounded *)

  Inductive formal_number := Rounded (x : num) | Exact (a b : num).
  Inductive formal_operator := Usual (o : bop S) | ExactProduct.

  Definition rounded (v : formal_number) : num := match v with Rounded x => x | Exact a b => bop_value S times a b end.

  (** All but addition on the right take a product as it is rounded. *)
  Definition add_formal (adds : bool) (f : num -> num -> num) (u v : formal_number) : formal_number :=
    match adds, v with
    | true, Exact a b => Rounded (fma a b (rounded u))
    | _, _ => Rounded (f (rounded u) (rounded v))
    end.

  Definition formal : scalars :=
    {| carrier := formal_number; lit := lit S; bop := formal_operator; fid := fid S;
       lit_value := fun c => Rounded (lit_value S c);
       bop_value := fun o u v =>
         match o with
         | Usual o => add_formal (is_plus o) (bop_value S o) u v
         | ExactProduct => Exact (rounded u) (rounded v)
         end;
       fid_value := fun f l => Rounded (fid_value S f (map rounded l));
       zero := Rounded (zero S); red := red S;
       red_start := fun r => Rounded (red_start S r);
       red_step := fun r => add_formal (is_sum r) (red_step S r) |}.

  (** An exact product is the term of a sum, or a branch of a select that is one. *)
  Fixpoint exact_in_sums (term : bool) (e : ex formal) : bool :=
    match e with
    | ECst _ | ELd _ _ => true
    | EBin ExactProduct a b => term && exact_in_sums false a && exact_in_sums false b
    | EBin (Usual _) a b => exact_in_sums false a && exact_in_sums false b
    | EFn _ l => forallb (exact_in_sums false) l
    | ESel _ a b => exact_in_sums term a && exact_in_sums term b
    | ERed r _ a => exact_in_sums (is_sum r) a
    end.

  Definition exact_in_sums_prog (p : list (stmt formal)) : bool := forallb (fun s => exact_in_sums false (body s)) p.

  (** ** The kernel *)

  (** Products and zeros, at least one a product. *)
  Fixpoint products (e : ex S) : bool :=
    match e with
    | EBin o _ _ => is_times o
    | ESel _ a b => products a && products b
    | ECst c => is_zero c
    | _ => false
    end.

  Fixpoint some_product (e : ex S) : bool :=
    match e with
    | EBin o _ _ => is_times o
    | ESel _ a b => some_product a || some_product b
    | _ => false
    end.

  Definition fused (r : red S) (e : ex S) : bool := is_sum r && products e && some_product e.

  (** [term]: it is the term of a sum that is fused. *)
  Fixpoint fma_ex (term : bool) (e : ex S) : ex formal :=
    match e with
    | ECst c => ECst (S := formal) (if term then minus_zero else c)
    | ELd t l => ELd t l
    | EBin o a b => EBin (S := formal) (if term then ExactProduct else Usual o) (fma_ex false a) (fma_ex false b)
    | EFn f l => EFn (S := formal) f (map (fma_ex false) l)
    | ESel c a b => ESel c (fma_ex term a) (fma_ex term b)
    | ERed r ns a => ERed (S := formal) r ns (fma_ex (fused r a) a)
    end.

  Definition fma_stmt (s : stmt S) : stmt formal := Stmt (out s) (dims s) (fma_ex false (body s)).
  Definition fma_prog (p : list (stmt S)) : list (stmt formal) := map fma_stmt p.

  (** Is a sum fused? *)
  Fixpoint any_fused (e : ex S) : bool :=
    match e with
    | ECst _ | ELd _ _ => false
    | EBin _ a b | ESel _ a b => any_fused a || any_fused b
    | EFn _ l => existsb any_fused l
    | ERed r _ a => fused r a || any_fused a
    end.

  (** ** What it computes

      The expression that it was, where a sum that is fused is a fold of [fma] over its products. *)

  Fixpoint eval_fma (st : store S) (rho : list Z) (e : ex S) : num :=
    match e with
    | ECst c => lit_value S c
    | ELd t l => st t (map (eval_ix rho) l)
    | EBin o a b => bop_value S o (eval_fma st rho a) (eval_fma st rho b)
    | EFn f l => fid_value S f (map (eval_fma st rho) l)
    | ESel c a b => if eval_cond rho c then eval_fma st rho a else eval_fma st rho b
    | ERed r ns a =>
        fold_left (fun acc k => if fused r a then add_term st (k ++ rho) r acc a
                                else red_step S r acc (eval_fma st (k ++ rho) a)) (box ns) (red_start S r)
    end
  with add_term (st : store S) (rho : list Z) (r : red S) (acc : num) (e : ex S) : num :=
    match e with
    | EBin _ a b => fma (eval_fma st rho a) (eval_fma st rho b) acc
    | ESel c a b => if eval_cond rho c then add_term st rho r acc a else add_term st rho r acc b
    | _ => red_step S r acc (lit_value S minus_zero)
    end.

  Definition exec_fma (s : stmt S) (st : store S) : store S :=
    upd st (out s) (tabulate (dims s) (fun i => eval_fma st i (body s))).

  Definition exec_fma_prog (p : list (stmt S)) (st : store S) : store S :=
    fold_left (fun st s => exec_fma s st) p st.

  (** What a store of numbers is among the formal ones. *)
  Definition as_formal (st : store S) : store formal := fun t i => Rounded (st t i).
End Fma.

Arguments Rounded {S}.
Arguments Exact {S}.
Arguments Usual {S}.
Arguments ExactProduct {S}.
Arguments rounded {S}.
Arguments add_formal {S}.
Arguments exact_in_sums {S}.
Arguments exact_in_sums_prog {S}.
Arguments products {S}.
Arguments some_product {S}.
Arguments fused {S}.
Arguments fma_ex {S}.
Arguments fma_stmt {S}.
Arguments fma_prog {S}.
Arguments any_fused {S}.
Arguments eval_fma {S}.
Arguments add_term {S}.
Arguments exec_fma {S}.
Arguments exec_fma_prog {S}.
Arguments as_formal {S}.
