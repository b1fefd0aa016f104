(** * Kernels to functional expressions

    A statement [T<d1,..,dm>[i1,..,im] = e] becomes
    [generatePar d1 (fun i1 -> .. generatePar dm (fun im -> e))]; a reduction over
    several variables becomes nested folds with one running accumulator, so that
    the scalar operations and their order are the kernel's.  The strategies that
    the compiler chooses among (rows, merged loops, guards) refine this form. *)

From Coq Require Import List Arith ZArith.
From Calque Require Import base.Lists kernel.Kernel.
From Calque Require dpia.Syntax dpia.Typing dpia.Values.
Import ListNotations.
Open Scope nat_scope.

Section Lower.
  Variable S : scalars.
  (** The dimensions of every tensor. *)
  Variable shape : tid -> list nat.

  (** The kernel's scalars: literals and what reductions start from; functions of one
      argument; operators, steps of reductions, functions of two arguments. *)
  Inductive binary :=
    | BOp (o : bop S)
    | BStep (r : red S)
    | BFun (f : fid S).

  Definition scalar_algebra : Syntax.algebra :=
    @Syntax.Algebra (carrier S) (lit S + red S)%type (fid S) binary
      (fun c => match c with inl c => lit_value S c | inr r => red_start S r end)
      (fun f x => fid_value S f [x])
      (fun o x y => match o with
                    | BOp o => bop_value S o x y
                    | BStep r => red_step S r x y
                    | BFun f => fid_value S f [x; y]
                    end).

  Notation exp := (Syntax.exp scalar_algebra Syntax.numbers).
  Notation index := (Syntax.ix Syntax.numbers).

  (** [m] index variables are in scope; variable [j] is variable [f j] there. *)
  Fixpoint lower_ix (m : nat) (f : nat -> nat) (a : ix) : option index :=
    match a with
    | IVar j => if j <? m then Some (Syntax.XVar (f j)) else None
    | ICst z => Some (Syntax.XCst z)
    | IAdd a b =>
        match lower_ix m f a, lower_ix m f b with
        | Some a', Some b' => Some (Syntax.XAdd a' b')
        | _, _ => None
        end
    | ISub a b =>
        match lower_ix m f a, lower_ix m f b with
        | Some a', Some b' => Some (Syntax.XSub a' b')
        | _, _ => None
        end
    | IMul a k => option_map (fun a' => Syntax.XMul a' k) (lower_ix m f a)
    | IDiv a (Zpos k) => option_map (fun a' => Syntax.XDiv a' k) (lower_ix m f a)
    | IMod a (Zpos k) => option_map (fun a' => Syntax.XMod a' k) (lower_ix m f a)
    | _ => None
    end.

  Fixpoint lower_cond (m : nat) (f : nat -> nat) (c : cond) : option (Syntax.cond Syntax.numbers) :=
    match c with
    | CCmp o a b =>
        match lower_ix m f a, lower_ix m f b with
        | Some a', Some b' => Some (Syntax.CCmp o a' b')
        | _, _ => None
        end
    | CAnd c d =>
        match lower_cond m f c, lower_cond m f d with
        | Some c', Some d' => Some (Syntax.CAnd c' d')
        | _, _ => None
        end
    end.

  (** Under [k] folds: each binds an accumulator and, outside it, an index. *)
  Definition under (k : nat) (f : nat -> nat) (j : nat) : nat :=
    if j <? k then 2 * (k - 1 - j) + 1 else 2 * k + f (j - k).

  (** Folds over [ns], the first one outside, that add [body] to [acc]. *)
  Fixpoint folds (r : red S) (ns : list nat) (acc body : exp) : exp :=
    match ns with
    | [] => @Syntax.EBin scalar_algebra Syntax.numbers (BStep r) acc body
    | n :: ns' =>
        @Syntax.EFold scalar_algebra Syntax.numbers n Syntax.DNum
          (folds r ns' (Syntax.EVar 0) body) acc
    end.

  Definition load (e : exp) (l : list index) : exp := fold_left Syntax.EIdx l e.

  (** Tensor [t] is variable [g t]. *)
  Fixpoint lower (m : nat) (f : nat -> nat) (g : tid -> nat) (e : ex S) : option exp :=
    match e with
    | ECst c => Some (@Syntax.ELit scalar_algebra Syntax.numbers (inl c))
    | ELd t l =>
        if length l =? length (shape t)
        then option_map (load (Syntax.EVar (g t))) (traverse (lower_ix m f) l)
        else None
    | EBin o a b =>
        match lower m f g a, lower m f g b with
        | Some a', Some b' => Some (@Syntax.EBin scalar_algebra Syntax.numbers (BOp o) a' b')
        | _, _ => None
        end
    | EFn p [a] =>
        option_map (@Syntax.EUn scalar_algebra Syntax.numbers p) (lower m f g a)
    | EFn p [a; b] =>
        match lower m f g a, lower m f g b with
        | Some a', Some b' => Some (@Syntax.EBin scalar_algebra Syntax.numbers (BFun p) a' b')
        | _, _ => None
        end
    | EFn _ _ => None
    | ESel c a b =>
        match lower_cond m f c, lower m f g a, lower m f g b with
        | Some c', Some a', Some b' => Some (Syntax.EIte c' Syntax.DNum a' b')
        | _, _, _ => None
        end
    | ERed r ns e =>
        let k := length ns in
        option_map (folds r ns (@Syntax.ELit scalar_algebra Syntax.numbers (inr r)))
          (lower (k + m) (under k f) (fun t => 2 * k + g t) e)
    end.

  Fixpoint array (ns : list nat) : Syntax.data Syntax.numbers :=
    match ns with [] => Syntax.DNum | n :: ns' => @Syntax.DAry Syntax.numbers n (array ns') end.

  Fixpoint generates (ns : list nat) (body : exp) : exp :=
    match ns with
    | [] => body
    | n :: ns' => @Syntax.EGen scalar_algebra Syntax.numbers Syntax.Par n (array ns') (generates ns' body)
    end.

  (** A statement, where tensor [t] is variable [g t] outside. *)
  Definition lower_stmt (g : tid -> nat) (s : stmt S) : option exp :=
    let m := length (dims s) in
    option_map (generates (dims s)) (lower m (fun j => m - 1 - j) (fun t => m + g t) (body s)).
End Lower.
