(** * Reverse inlining as a decision

    [reverse_tensor] finds a temporary's producer and its only consumer; where all
    loads stand at one permutation of the consumer's variables, the consumer's value
    is computed over the producer's box and stored through the permutation. *)

From Coq Require Import Bool List Arith ZArith.
From Calque Require Import kernel.Kernel kernel.Wf kernel.Inline.
Import ListNotations.

Inductive reverse_refusal :=
  | Unsound (why : refusal)   (** what refuses inlining *)
  | SeveralConsumers
  | NotPermuted.              (** a load not at a permutation of the consumer's variables, or not over its box *)

(** The variables of a statement that an index tuple under [depth] bound variables is. *)
Fixpoint variables (depth : nat) (l : list ix) : option (list nat) :=
  match l with
  | [] => Some []
  | IVar n :: l' => if (depth <=? n)%nat then option_map (cons (n - depth)%nat) (variables depth l') else None
  | _ => None
  end.

Section Reverse.
  Variable S : scalars.
  Notation ex := (ex S).
  Notation stmt := (stmt S).

  (** What each load of [t] stands at. *)
  Fixpoint places (t : tid) (depth : nat) (e : ex) : list (option (list nat)) :=
    match e with
    | ECst _ => []
    | ELd u l => if (u =? t)%nat then [variables depth l] else []
    | EBin _ a b | ESel _ a b => places t depth a ++ places t depth b
    | EFn _ l => flat_map (places t depth) l
    | ERed _ ns a => places t (length ns + depth) a
    end.

  Definition permutation (t : tid) (e : ex) : option (list nat) :=
    match places t 0 e with
    | Some pi :: more =>
        if forallb (fun x => match x with Some l => dims_eqb pi l | None => false end) more
        then Some pi else None
    | _ => None
    end.

  (** What runs before, the consumer over the producer's box, what runs after. *)
  Definition reverse_tensor (outputs : list tid) (t : tid) (p : list stmt)
      : reverse_refusal + list stmt * scatter_stmt S * list stmt :=
    match inline_tensor outputs t p, split_first (stores t) p with
    | inr _, Some (before, s0, after) =>
        match split_last (reads t) after with
        | None => inl (Unsound NotLoaded)
        | Some (c, s, r) =>
            if existsb (reads t) c then inl SeveralConsumers
            else match permutation t (body s) with
                 | Some pi =>
                     if covers pi (length (dims s)) && dims_eqb (dims s0) (map (fun k => nth k (dims s) O) pi)
                     then inr (before ++ c, reverse_inline s0 s pi, r)
                     else inl NotPermuted
                 | None => inl NotPermuted
                 end
        end
    | inl why, _ => inl (Unsound why)
    | _, None => inl (Unsound NotStored)
    end.
End Reverse.

Arguments places {S}.
Arguments permutation {S}.
Arguments reverse_tensor {S}.
