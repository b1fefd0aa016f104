(** * Matches of a whole source

    A match is a map that the judgement gives and that satisfies four conditions:
    the attributes of every node it binds, no use of an inner node from outside,
    the rule's own conditions, and convexity.  One output, several outputs, any
    number of outputs. *)

From Coq Require Import Bool List NArith String ZArith.
From Calque Require Import base.Lists attr.Attr graph.Graph pattern.Pattern.
Import ListNotations.

Definition mem (e : nat) (l : list nat) : bool := existsb (Nat.eqb e) l.

(** The nodes computed from [o], itself included. *)
Fixpoint reach_from {O} (k : nat) (g : Graph.graph O) (acc : list nat) : list nat :=
  match g with
  | [] => acc
  | n :: g' =>
      reach_from (S k) g' (if existsb (fun j => mem j acc) (args n) then k :: acc else acc)
  end.

Definition reach {O} (g : Graph.graph O) (o : nat) : list nat := reach_from 0 g [o].

(** The binary operators that are commutative.  ORDER op: OP_COMMUTATIVE. *)
Definition commutative_ops : list string := ["Mul"; "Add"]%string.
Definition commutative (name : string) : bool := existsb (String.eqb name) commutative_ops.

(** The float of an integer of at most 53 bits. *)
Definition float_of_int (z : Z) : option N :=
  let m := Z.abs_N z in
  if (m =? 0)%N then Some 0%N
  else if (9007199254740992 <? m)%N then None
  else
    let e := N.log2 m in
    Some ((if (z <? 0)%Z then 9223372036854775808 else 0) +
          (1023 + e) * 4503599627370496 + (m * 2 ^ (53 - e) / 2 - 4503599627370496))%N.

(** [m / 2^k], rounded to the nearest, ties to even. *)
Definition round_off (m k : N) : N :=
  let q := N.shiftr m k in
  let r := (m - N.shiftl q k)%N in
  let half := N.shiftl 1 (k - 1) in
  if (half <? r)%N || ((half =? r)%N && N.odd q) then (q + 1)%N else q.

(** The binary32 nearest to a binary64, as a binary64 again (bits): 29 bits of the significand go; below the least normal
    number 2^-126 what stays is a multiple of 2^-149; 2^128 and more is infinite.  Infinities and NaN stay. *)
Definition round32 (bits : N) : N :=
  let sign := N.shiftl (N.shiftr bits 63) 63 in
  let m := (bits - sign)%N in
  let e := N.shiftr m 52 in
  let f := (m - N.shiftl e 52)%N in
  (if (2047 <=? e) then bits
   else if (897 <=? e) then
     let m' := N.shiftl (round_off m 29) 29 in
     sign + (if N.shiftl 1151 52 <=? m' then N.shiftl 2047 52 else m')
   else
     let q := if e =? 0 then 0 else round_off (N.shiftl 1 52 + f) (926 - e) in
     if q =? 0 then sign
     else sign + N.shiftl (874 + N.log2 q) 52 + N.shiftl (q - N.shiftl 1 (N.log2 q)) (52 - N.log2 q))%N.

(** 1.4142135, 0.1, 1e-45, 1e-46, the greatest binary32 and half a unit above it. *)
Example round32_examples :
  map round32 [0x3FF6A09E60389F18; 0x3FB999999999999A; 0x36A6D601AD376AB9; 0x3670000000000000; 0xC7EFFFFFE0000000;
               0xC7EFFFFFF0000000]%N =
  [0x3FF6A09E60000000; 0x3FB99999A0000000; 0x36A0000000000000; 0; 0xC7EFFFFFE0000000; 0xFFF0000000000000]%N.
Proof. reflexivity. Qed.

(** A literal stands for a number of another form that an element of type [dtype] has: an integer for the float of that
    value, a float for the one it is rounded to in binary32. *)
Definition literal_number (dtype : option value) (u v : value) : bool :=
  match u, v with
  | VInt z, VFloat b =>
      match float_of_int z with Some c => N.eqb b c | None => false end
  | VFloat x, VFloat b =>
      match dtype with Some (VStr t) => String.eqb t "f32" && N.eqb b (round32 x) | _ => false end
  | _, _ => false
  end.

Definition literal (dtype : option value) (a : attr) (v : value) : bool :=
  match a, v with
  | AConst u, _ => literal_number dtype u v
  | ATuple l, VTuple vs =>
      (List.length l =? List.length vs)%nat &&
      forallb (fun p => match fst p with
                        | AConst u => value_eqb u (snd p) || literal_number dtype u (snd p)
                        | _ => false
                        end) (combine l vs)
  | _, _ => false
  end.

Record rule := Rule {
  patterns : list pattern;
  source : list nat;
  target : list nat;
  conditions : list attr
}.

Section Match.
  Variable commutes : string -> bool.
  Variable r : rule.
  Variable g : tgraph.
  Variable outputs : list nat.          (** of the graph *)

  Notation pats := (patterns r).
  Notation pmatch := (pmatch commutes pats g).
  Notation pm := (pm commutes pats g).
  Notation env_at := (env_at pats g).
  Notation label_at := (label_at pats g).

  (** ** Conditions *)

  (** What the pattern says about attributes. *)
  Definition claims (q : pattern) : list (label * attr) :=
    match form q with
    | PConst (Some a) => [("value"%string, a)]
    | PProj _ (Some a) => [("index"%string, a)]
    | _ => []
    end ++ wants q.

  Definition claim_ok (M : mstate) (a : addr) (c : label * attr) : bool :=
    match label_at M a (fst c) with
    | Some v => amatch (env_at M (snd a)) (snd c) v ||
                (String.eqb (fst c) "value" && literal (label_at M a "dtype"%string) (snd c) v)
    | None => false
    end.

  Definition node_ok (M : mstate) (b : addr * nat) : bool :=
    match nth_error pats (fst (fst b)) with
    | Some q =>
        match nth_error g (snd b) with
        | Some n => negb (present n) || forallb (claim_ok M (fst b)) (claims q)
        | None => false
        end
    | None => false
    end.

  Definition len_ok (M : mstate) (b : nat * nat) : bool :=
    match nth_error pats (fst b) with
    | Some q =>
        match form q with
        | PVariadic _ _ (Some a) _ => amatch (env_at M None) a (VInt (Z.of_nat (snd b)))
        | _ => true
        end
    | None => true
    end.

  Definition attrs_ok (M : mstate) : bool :=
    forallb (node_ok M) (bound M) && forallb (len_ok M) (lens M).

  (** Inner nodes are the applications of the match; the others are inputs. *)
  Definition application (q : pattern) : bool :=
    match form q with
    | PCall _ kids | PTuple kids => match kids with [] => false | _ => true end
    | PProj _ _ | PVariadic _ _ _ _ => true
    | _ => false
    end.

  Definition inner_entry (b : addr * nat) : bool :=
    match nth_error pats (fst (fst b)) with Some q => application q | None => false end.

  Definition inner (M : mstate) (e : nat) : bool :=
    existsb (fun b => Nat.eqb (snd b) e && inner_entry b) (bound M).

  Definition used_by (e : nat) (u : nat) : bool :=
    match nth_error g u with Some n => mem e (args n) | None => false end.

  (** Condition 4: inner nodes other than the outputs are used inside only; an
      output of the graph is a use. *)
  Definition used_inside (M : mstate) (outs : list nat) (b : addr * nat) : bool :=
    negb (inner_entry b) || mem (snd b) outs ||
    (negb (mem (snd b) outputs) &&
     forallb (fun u => negb (used_by (snd b) u) || inner M u) (seq 0 (List.length g))).

  Definition use_ok (M : mstate) (outs : list nat) : bool := forallb (used_inside M outs) (bound M).

  (** Of the instances only: what several branches share may be used by one that
      is still to come. *)
  Definition instances_use_ok (M : mstate) (outs : list nat) : bool :=
    forallb (fun b => match snd (fst b) with Some _ => used_inside M outs b | None => true end) (bound M).

  Definition requires_ok (M : mstate) : bool :=
    forallb (fun a => match eval (env_at M None) a with Some (VBool b) => b | _ => false end)
      (conditions r).

  (** No input is computed from an output. *)
  Definition convex_ok (M : mstate) (outs : list nat) : bool :=
    forallb (fun o =>
        let below := reach g o in
        forallb (fun b => inner M (snd b) || negb (mem (snd b) below)) (bound M))
      outs.

  Definition conditions_ok (M : mstate) (outs : list nat) : bool :=
    attrs_ok M && use_ok M outs && requires_ok M && convex_ok M outs.

  (** *** The same as propositions *)

  Definition attrs_hold (M : mstate) : Prop :=
    (forall a e, In (a, e) (bound M) ->
       exists q n, nth_error pats (fst a) = Some q /\ nth_error g e = Some n /\
         (present n = true -> forall l c, In (l, c) (claims q) ->
            exists v, label_at M a l = Some v /\
              (am (env_at M (snd a)) c v \/ (l = "value"%string /\ literal (label_at M a "dtype"%string) c v = true)))) /\
    (forall p k q field least a index, In (p, k) (lens M) -> nth_error pats p = Some q ->
       form q = PVariadic field least (Some a) index ->
       am (env_at M None) a (VInt (Z.of_nat k))).

  Definition inside (M : mstate) (e : nat) : Prop :=
    exists a q, In (a, e) (bound M) /\ nth_error pats (fst a) = Some q /\ application q = true.

  Definition use_holds (M : mstate) (outs : list nat) : Prop :=
    forall e, inside M e -> ~ In e outs ->
      ~ In e outputs /\
      forall u n, nth_error g u = Some n -> In e (args n) -> inside M u.

  Definition requires_hold (M : mstate) : Prop :=
    forall a, In a (conditions r) -> ae (env_at M None) a (VBool true).

  Definition convex (M : mstate) (outs : list nat) : Prop :=
    forall o a e, In o outs -> In (a, e) (bound M) -> ~ inside M e -> ~ ancestor g o e.

  Definition conditions_hold (M : mstate) (outs : list nat) : Prop :=
    attrs_hold M /\ use_holds M outs /\ requires_hold M /\ convex M outs.

  (** ** One output *)

  Definition match_at (p e : nat) : option mstate :=
    find (fun M => conditions_ok M [e]) (pmatch (S p) None empty p e).

  (** ** Several outputs

      Every node is tried for every further output, and a choice is revised when
      a later output or a condition fails. *)
  Fixpoint search (candidates : list nat) (M : mstate) (ps es : list nat) : list (mstate * list nat) :=
    match ps with
    | [] => [(M, rev es)]
    | p :: ps' =>
        flat_map (fun e =>
            flat_map (fun M' => search candidates M' ps' (e :: es)) (pmatch (S p) None M p e))
          candidates
    end.

  (** All the matches whose first output is [e]; [candidates] for the others. *)
  Definition multi_at (candidates : list nat) (ps : list nat) (e : nat) : list (mstate * list nat) :=
    match ps with
    | [] => []
    | p :: ps' =>
        filter (fun Mo => conditions_ok (fst Mo) (snd Mo))
          (flat_map (fun M => search candidates M ps' [e]) (pmatch (S p) None empty p e))
    end.

  (** ** Any number of outputs

      Branch after branch, each the first node in order that can be one, with
      all the conditions but the rule's own and the uses of what is no instance,
      until no node can.  These two are for the whole match. *)
  Definition branch_ok (M : mstate) (outs : list nat) : bool :=
    attrs_ok M && instances_use_ok M outs && convex_ok M outs.

  Definition branch (field k : nat) (M : mstate) (outs : list nat) (e : nat) : option mstate :=
    if mem e outs then None
    else find (fun M' => branch_ok M' (outs ++ [e])) (pmatch (S field) (Some k) M field e).

  Fixpoint first_some {A B} (f : A -> option B) (l : list A) : option (A * B) :=
    match l with
    | [] => None
    | a :: l' => match f a with Some b => Some (a, b) | None => first_some f l' end
    end.

  Fixpoint grow (fuel : nat) (candidates : list nat) (field : nat) (M : mstate) (outs : list nat) :
      mstate * list nat :=
    match fuel with
    | O => (M, outs)
    | S fuel' =>
        match first_some (branch field (List.length outs) M outs) candidates with
        | Some (e, M') => grow fuel' candidates field M' (outs ++ [e])
        | None => (M, outs)
        end
    end.

  Definition variadic_at (candidates : list nat) (p field least : nat) (e : nat) :
      option (mstate * list nat) :=
    match branch field 0 empty [] e with
    | Some M0 =>
        let (M, outs) := grow (List.length candidates) candidates field M0 [e] in
        let M' := put_len M p (List.length outs) in
        if Nat.leb least (List.length outs) && conditions_ok M' outs then Some (M', outs) else None
    | None => None
    end.

  (** ** A rule at a node *)

  Definition rule_at (candidates : list nat) (e : nat) : option (mstate * list nat) :=
    match source r with
    | [p] =>
        match nth_error pats p with
        | Some q =>
            match form q with
            | PVariadic field least _ _ => variadic_at candidates p field least e
            | _ => option_map (fun M => (M, [e])) (match_at p e)
            end
        | None => None
        end
    | ps => hd_error (multi_at candidates ps e)
    end.

  (** All the matches, by their first output in the order of the nodes; what is
      an output of one match is none of a later one. *)
  Definition all_matches : list (mstate * list nat) :=
    rev (snd (fold_left
      (fun (st : list nat * list (mstate * list nat)) e =>
         let (used, found) := st in
         if mem e used then st
         else
           let candidates := filter (fun k => negb (mem k used)) (seq 0 (List.length g)) in
           match rule_at candidates e with
           | Some (M, outs) => (outs ++ used, (M, outs) :: found)
           | None => st
           end)
      (seq 0 (List.length g)) ([], []))).
End Match.
