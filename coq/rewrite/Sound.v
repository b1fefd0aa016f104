(** * Soundness of a rule: what is to be shown

    Values are tensors, absent inputs and tuples of them; the meaning of the operators
    is left open ([calls]).  [means M i p x]: by the match, the target [p] in instance
    [i] has the value [x] ([None]: the operators have none).  A rule is sound if at
    every match what it builds has a value, that of what it replaces.

    How to prove a rule of the library (see [SoundRule] and [SoundTactic]): by
    [sound_local] it is enough to show, for each output, that every [x] with
    [means M i target x] is [Some] of the value of the source's node; the tactic
    [at_match] has the facts of the match as hypotheses then: for each pattern the
    equation between the values of its node and of its children, the claims about its
    attributes and the rule's conditions. *)

From Coq Require Import Bool List NArith String ZArith.
From Calque Require Import base.Lists attr.Attr graph.Graph.
From Calque Require tensor.OpTable.
From Calque Require Import pattern.Pattern pattern.Match rewrite.Rewrite rewrite.Check rewrite.Facts.
Import ListNotations.
Open Scope nat_scope.

(** ** Values *)

Notation val := OpTable.gvalue.
Notation Of := OpTable.GTensor.
Notation Absent := OpTable.GAbsent.
Notation Fields := OpTable.GTuple.

Definition tensor_in {T} (v : val T) : option T := match v with Of t => Some t | _ => None end.

(** Absent inputs at the end need not be written. *)
Fixpoint strip {T} (l : list (val T)) : list (val T) :=
  match l with
  | [] => []
  | v :: l' => match strip l', v with [], Absent => [] | l'', _ => v :: l'' end
  end.

(** The labels of a node that say what its value is like. *)
Definition type_label (l : label) : bool := existsb (String.eqb l) ["shape"; "ndim"]%string.

(** All the labels that a type has. *)
Definition known_label (l : label) : bool := existsb (String.eqb l) ["shape"; "ndim"; "dtype"]%string.

(** The meaning of the operators. *)
Record model (T : Type) := Model {
  calls : string -> list (label * value) -> list (val T) -> option (val T);
  inputs : N -> option T;
  consts : N -> option value -> option T;
  describes : val T -> label -> value -> Prop;  (** what a type label may say of a value *)
  own : string -> label -> bool;       (** operators with an attribute that is called as a type label is *)
  states : string -> label -> bool;    (** those whose attribute says what the result is like *)
  states_ok : forall name l at_ vs v s, states name l = true -> type_label l = true ->
    calls name at_ vs = Some v -> look_up String.eqb at_ l = Some s -> describes v l s
}.
Arguments calls {T}.
Arguments inputs {T}.
Arguments consts {T}.
Arguments describes {T}.
Arguments own {T}.
Arguments states {T}.
Arguments states_ok {T}.

Section Meaning.
  Context {T : Type} (S : model T).

  Definition den (o : oper) (vs : list (val T)) : option (val T) :=
    match what o with
    | KAbsent => match vs with [] => Some Absent | _ => None end
    | KInput k => match vs with [] => option_map Of (inputs S k) | _ => None end
    | KConst k v => match vs with [] => option_map Of (consts S k v) | _ => None end
    | KCall name => calls S name (attrs o) (strip vs)
    | KProj k => match vs with
                 | [Fields l] => if (k <? 0)%Z then None else option_map Of (nth_error l (Z.to_nat k))
                 | _ => None
                 end
    | KTuple => option_map Fields (traverse tensor_in vs)
    end.

  (** *** Graphs as they are read *)

  Definition computes (g : tgraph) : Prop := forall i, i < List.length g -> exists v, ge den g i v.

  Definition declared (g : tgraph) : Prop :=
    forall i n v l s, nth_error g i = Some n -> ge den g i v ->
      type_label l = true -> tensor_label n l = Some s -> describes S v l s.

  (** No attribute hides a type label, but those that are listed, and no type an attribute. *)
  Definition plain_node (n : node oper) : Prop :=
    (forall name l v, what (op n) = KCall name -> look_up String.eqb (attrs (op n)) l = Some v ->
      type_label l = true -> own S name l = true) /\
    (forall l s, tensor_label n l = Some s -> known_label l = true).

  Definition plain_graph (g : tgraph) : Prop := forall i n, nth_error g i = Some n -> plain_node n.

  (** Node 0 is the absent input. *)
  Definition grounded (g : tgraph) : Prop :=
    exists t a, nth_error g 0 = Some (Node (Oper KAbsent t a) []).

  Record sane (g : tgraph) : Prop := Sane {
    sane_wf : wf g;
    sane_grounded : grounded g;
    sane_computes : computes g;
    sane_declared : declared g;
    sane_plain : plain_graph g
  }.

  (** ** The value of a pattern of a target *)

  Section Means.
    Variables (pats : list pattern) (g : tgraph) (M : mstate).

    (** The value of what is bound to an address. *)
    Definition rho (a : addr) : val T :=
      match get M a with
      | Some e => match eval_node den g e with Some v => v | None => Absent end
      | None => Absent
      end.

    Definition value_of_node (e : nat) : val T :=
      match eval_node den g e with Some v => v | None => Absent end.

    Definition result (f : finish) (rs : list (option (val T))) : option (val T) :=
      match traverse (fun x => x) rs with
      | Some vs =>
          match f, vs with
          | FNew o, _ => den o vs
          | FSame, [v] => Some v
          | FField k, [v] => den (Oper (KProj k) [] []) [v]
          | _, _ => None
          end
      | None => None
      end.

    Inductive means : option nat -> nat -> option (val T) -> Prop :=
      | Means_Match : forall i p q e,
          nth_error pats p = Some q -> looked_up pats g M i p q = Some e ->
          means i p (Some (value_of_node e))
      (** a pattern is built once for each address *)
      | Means_Make : forall i p q i' p' q' gs f rs,
          nth_error pats p = Some q -> looked_up pats g M i p q = None ->
          nth_error pats p' = Some q' -> at_ i' p' q' = at_ i p q -> looked_up pats g M i' p' q' = None ->
          plan pats g M i' q' = Some (gs, f) ->
          Forall2 (fun y x => means (fst y) (snd y) x) gs rs ->
          means i p (result f rs).
  End Means.

  (** ** Rules *)

  Definition after (g : tgraph) (st : bstate) (outs es : list nat) : tgraph :=
    g ++ skipn (List.length g) (retype g (whole st) (combine outs es)).

  (** At every match: what is built has a value and the type that is written on it,
      and the value of what it replaces. *)
  Definition rule_sound_for (commutes : string -> bool) (r : rule) : Prop :=
    forall g outputs e M outs, sane g -> e < List.length g ->
      rule_at commutes r g outputs (seq 0 (List.length g)) e = Some (M, outs) ->
      ~ In 0 outs /\
      forall es st, build_roots r g M (List.length outs) = Some (es, st) ->
        sane (after g st outs es) /\
        forall o t, In (o, t) (combine outs es) -> forall v,
          ge den (after g st outs es) o v <-> ge den (after g st outs es) t v.
End Meaning.
Arguments rho {T}.
Arguments value_of_node {T}.
Arguments means {T}.
Arguments result {T}.

(** ** Where patterns are *)

Section Addresses.
  Variables (pats : list pattern) (M : mstate).

  (** [at_], so that it computes when the instance is a variable. *)
  Definition addr_of (i : option nat) (k : nat) : addr :=
    match nth_error pats k with
    | Some q => match first q with None => (k, if template q then i else None) | Some _ => at_ i k q end
    | None => (k, i)
    end.

  Lemma addr_of_at i k q : nth_error pats k = Some q -> addr_of i k = at_ i k q.
  Proof.
    intros at_k. unfold addr_of. rewrite at_k. destruct (first q) eqn:F; [reflexivity |].
    unfold at_, first_of. rewrite F. destruct i as [[|] |]; try reflexivity. now destruct (template q).
  Qed.

  Definition length_of (v : nat) : nat := match look_up Nat.eqb (lens M) v with Some m => m | None => 0 end.

  Definition kid_addrs (i : option nat) (kids : list nat) : list addr :=
    match kids, match kids with [v] => variadic pats v | _ => None end with
    | [v], Some f => map (fun c => addr_of (Some c) f) (seq 0 (length_of v))
    | _, _ => map (addr_of i) kids
    end.
End Addresses.

(** What is reached from the source. *)
Definition reached_sources (r : rule) : list nat :=
  flat_map (reached (patterns r) (Datatypes.S (List.length (patterns r)))) (source r).

(** The addresses of [n] outputs of the source. *)
Definition source_addrs (r : rule) (n : nat) : list addr :=
  match output_field r with
  | Some f => map (fun c => addr_of (patterns r) (Some c) f) (seq 0 n)
  | None => map (addr_of (patterns r) None) (source r)
  end.

Definition depth (r : rule) : nat :=
  match output_field r with Some f => S f | None => List.length (patterns r) end.

(** *** What is checked of the text of a rule *)

Section Checks.
  Variable own : string -> label -> bool.
  Variable pats : list pattern.

  (** Applications, whatever the alternative. *)
  Fixpoint solid_root (n : nat) (p : nat) : bool :=
    match n with
    | O => false
    | S n' =>
        match nth_error pats p with
        | Some q =>
            match first q with Some k => solid_root n' k | None => true end &&
            match form q with
            | PCall _ _ | PTuple _ | PProj _ _ => true
            | PAlt kids => forallb (solid_root n') kids
            | _ => false
            end
        | None => false
        end
    end.

  Definition plain_pattern (q : pattern) : bool :=
    match form q with
    | PCall (OName s) _ => forallb (fun c => negb (type_label (fst c)) || own s (fst c)) (wants q)
    | PCall (OPat _) _ => forallb (fun c => negb (type_label (fst c))) (wants q)
    | _ => true
    end.

  (** Constants that are made say nothing but their element type. *)
  Definition plain_const (q : pattern) : bool :=
    match form q with
    | PConst (Some _) => forallb (fun c => String.eqb (fst c) "dtype") (wants q)
    | _ => true
    end.
End Checks.

Definition text_ok (own : string -> label -> bool) (r : rule) : bool :=
  let pats := patterns r in
  orderedb pats && forallb (layered pats) pats &&
  forallb (fun q => plain_pattern own q && plain_const q) pats &&
  match output_field r with
  | Some f => solid_root pats (List.length pats) f
  | None => forallb (solid_root pats (List.length pats)) (source r)
  end &&
  match output_field r with
  | Some _ => match target r with [p] => match variadic pats p with Some _ => true | None => false end | _ => false end
  | None => Nat.eqb (List.length (roots r (List.length (source r)))) (List.length (source r))
  end.
