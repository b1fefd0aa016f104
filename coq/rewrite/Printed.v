(** * The algorithms of the thesis as printed

    Instantiate (T1, algorithm inst_tmpl), the matching of one output (T0, algorithm
    single_match) and of several (T0, algorithm multi_match), line by line, on graphs
    whose nodes are names.  What is wrong with them is in [PrintedErrata]. *)

From Coq Require Import Bool List Arith String.
From Calque Require Import base.Lists attr.Attr graph.Graph pattern.Match pattern.Paths.
Import ListNotations.
Open Scope nat_scope.

(** ** Patterns are objects: a copy is another object *)

Inductive form_of_object :=
  | OWild
  | OOp (name : string)
  | OVariadic (templates : list nat)    (** its only child is the field *)
  | OInst (variadic template index : nat).

(** [refers]: the objects that its attribute expressions refer to. *)
Inductive object := Obj (id : nat) (form : form_of_object) (refers : list nat) (kids : list object).

Definition id_of (p : object) : nat := match p with Obj id _ _ _ => id end.
Definition kids_of (p : object) : list object := match p with Obj _ _ _ kids => kids end.
Definition refers_of (p : object) : list nat := match p with Obj _ _ r _ => r end.

(** Algorithm inst_tmpl: the instance, the map from templates to it, and the next
    identity that is free. *)
Fixpoint instantiate (templates : list nat) (next : nat) (p : object) :
    object * list (nat * object) * nat :=
  match p with
  | Obj id k refers kids =>
      if mem id templates then
        let '(kids', f, next') :=
          (fix go next l :=
             match l with
             | [] => ([], [], next)
             | q :: l' =>
                 let '(q', f, next1) := instantiate templates next q in
                 let '(l'', f', next2) := go next1 l' in
                 (q' :: l'', f' ++ f, next2)
             end) next kids in
        let p' := Obj next' k refers kids' in
        (p', (id, p') :: f, S next')
      else (p, [], next)
  end.

(** ** Algorithm single_match: one map [M], never restored *)

Record memory := Memory {
  known : list (nat * nat);                      (** M: object, node *)
  fresh : nat;
  instances_of : list (nat * list (list (nat * object)))  (** of a variadic pattern, once concrete *)
}.

Definition start : memory := Memory [] 100 [].

Definition remember (s : memory) (id e : nat) : memory :=
  Memory ((id, e) :: known s) (fresh s) (instances_of s).

Section Single.
  Variable g : Graph.graph string.

  Fixpoint single (fuel : nat) (s : memory) (p : object) (e : nat) : bool * memory :=
    match fuel with
    | O => (false, s)
    | S fuel' =>
        match look_up Nat.eqb (known s) (id_of p), nth_error g e with
        | Some e', _ => (Nat.eqb e' e, s)
        | None, None => (false, s)
        | None, Some n =>
            if existsb (fun b => Nat.eqb (snd b) e) (known s) then (false, s)
            else
              match p with
              | Obj id (OVariadic templates) _ kids =>
                  if String.eqb (op n) "tuple" then
                    let '(yes, s', fs) :=
                      (fix go s fs l :=
                         match l, kids with
                         | x :: l', field :: _ =>
                             let '(q, f, next) := instantiate templates (fresh s) field in
                             match single fuel' (Memory (known s) next (instances_of s)) q x with
                             | (true, s1) => go s1 (fs ++ [f]) l'
                             | (false, s1) => (false, s1, fs)
                             end
                         | _, _ => (true, s, fs)
                         end) s [] (args n) in
                    if yes then (true, Memory ((id, e) :: known s') (fresh s') ((id, fs) :: instances_of s'))
                    else (false, s')
                  else (false, s)
              | Obj id (OInst v t i) _ _ =>
                  match look_up Nat.eqb (instances_of s) v with
                  | Some fs =>
                      match nth_error fs i with
                      | Some f => match look_up Nat.eqb f t with
                                  | Some q => single fuel' s q e
                                  | None => (false, s)
                                  end
                      | None => (false, s)
                      end
                  | None => (false, s)
                  end
              | Obj id form _ kids =>
                  if match form with OOp name => String.eqb name (op n) | _ => true end &&
                     Nat.eqb (List.length kids) (List.length (args n))
                  then
                    let '(yes, s') :=
                      (fix go s ps l :=
                         match ps, l with
                         | q :: ps', x :: l' =>
                             match single fuel' s q x with
                             | (true, s1) => go s1 ps' l'
                             | (false, s1) => (false, s1)
                             end
                         | _, _ => (true, s)
                         end) s kids (args n) in
                    (yes, if yes then remember s' id e else s')
                  else (false, s)
              end
        end
    end.

  (** Trying every node in turn; [restore]: with an empty map each time. *)
  Fixpoint try_nodes (restore : bool) (s : memory) (p : object) (es : list nat) : option nat :=
    match es with
    | [] => None
    | e :: es' =>
        match single 20 s p e with
        | (true, _) => Some e
        | (false, s1) => try_nodes restore (if restore then start else s1) p es'
        end
    end.
End Single.

(** ** Algorithm multi_match

    Here [single] is corrected, so that only what is new is on trial. *)

Inductive outcome :=
  | Undefined
  | No
  | Yes (M : list (nat * nat)).         (** vertex of the pattern, node *)

Section Multi.
  Variables (gp : Graph.graph string) (ops : list nat).   (** the pattern; a wildcard is "*" *)
  Variables (ge : Graph.graph string) (oes : list nat).

  (** Is pushing a successor that does not exist an error, or is nothing pushed? *)
  Variable strict : bool.
  Variable patience : nat.              (** how often the stack is popped for one output *)

  Definition of_pattern (M : list (nat * nat)) (v : nat) : option nat := look_up Nat.eqb M v.

  Fixpoint fits (fuel : nat) (M : list (nat * nat)) (v e : nat) : option (list (nat * nat)) :=
    match fuel with
    | O => None
    | S fuel' =>
        match of_pattern M v, nth_error gp v, nth_error ge e with
        | Some e', _, _ => if Nat.eqb e' e then Some M else None
        | None, Some n, Some m =>
            if existsb (fun b => Nat.eqb (snd b) e) M then None
            else if String.eqb (op n) "*" then Some ((v, e) :: M)
            else if String.eqb (op n) (op m) && Nat.eqb (List.length (args n)) (List.length (args m)) then
              option_map (cons (v, e))
                (fold_left (fun o ve => match o with
                                        | Some M' => fits fuel' M' (fst ve) (snd ve)
                                        | None => None
                                        end) (combine (args n) (args m)) (Some M))
            else None
        | _, _, _ => None
        end
    end.

  Definition free_vertices (M : list (nat * nat)) (v : nat) : list nat :=
    filter (fun u => negb (existsb (fun b => Nat.eqb (fst b) u) M)) (successors gp ops v).

  Definition free_nodes (M : list (nat * nat)) (e : nat) : list nat :=
    filter (fun u => negb (existsb (fun b => Nat.eqb (snd b) u) M)) (successors ge oes e).

  (** PushSucc. *)
  Definition push (M : list (nat * nat)) (v e : nat) (stack : list (nat * nat)) :
      option (list (nat * nat)) :=
    match free_vertices M v, free_nodes M e with
    | u :: _, x :: xs =>
        match nth_error gp v with
        | Some (Node _ []) => Some (map (pair u) (x :: xs) ++ stack)
        | _ => Some ((u, x) :: stack)
        end
    | _, _ => if strict then None else Some stack
    end.

  Fixpoint push_all (M l stack : list (nat * nat)) : option (list (nat * nat)) :=
    match l with
    | [] => Some stack
    | (v, e) :: l' => match push M v e stack with Some s => push_all M l' s | None => None end
    end.

  Fixpoint pop (fuel : nat) (M stack : list (nat * nat)) (o : nat) : outcome :=
    match fuel, stack with
    | S fuel', (v, e) :: stack' =>
        if Nat.eqb v o then
          match fits (S v) M v e with Some M' => Yes M' | None => pop fuel' M stack' o end
        else match push M v e stack' with Some s => pop fuel' M s o | None => Undefined end
    | _, _ => No
    end.

  Fixpoint further (M : list (nat * nat)) (os : list nat) : outcome :=
    match os with
    | [] => Yes M
    | o :: os' =>
        match push_all M (rev M) [] with
        | Some stack =>
            match pop patience M stack o with Yes M' => further M' os' | r => r end
        | None => Undefined
        end
    end.

  (** The first output at its first match; if the others fail, the answer is no. *)
  Definition multi : outcome :=
    match ops with
    | [] => No
    | o :: os =>
        match first_some (fun e => fits (S o) [] o e) (rpo ge oes) with
        | Some (_, M) => further M os
        | None => No
        end
    end.
End Multi.

(** ** The statement of theorem succ_corres *)

(** [f] sends the pattern onto a subgraph: conditions 1 to 4 of the thesis. *)
Definition corresponds (gp : Graph.graph string) (ops : list nat) (ge : Graph.graph string)
    (f : nat -> nat) : Prop :=
  (forall v n, nth_error gp v = Some n ->
     exists m, nth_error ge (f v) = Some m /\
       (args n <> [] -> op m = op n /\ args m = map f (args n))) /\
  (forall v w, v < List.length gp -> w < List.length gp -> f v = f w -> v = w) /\
  (forall v n u, nth_error gp v = Some n -> args n <> [] -> ~ In v ops ->
     reads ge u (f v) = true -> exists w, w < List.length gp /\ u = f w).

(** The successors of a vertex that is no input (and no output) and those of its node
    stand for each other, in order. *)
Definition succ_corres : Prop :=
  forall gp ops ge oes f, wf gp -> wf ge -> corresponds gp ops ge f ->
  forall v n, nth_error gp v = Some n -> args n <> [] -> ~ In v ops ->
    map f (successors gp ops v) = successors ge oes (f v).
