(** * From a graph to a unit

    Each operator becomes one call of its kernel's function; inputs, constants, fields of
    tuples and tuples only say where a value is.  Where results and temporaries lie in the
    arena is a list of offsets, given from outside: a plan of any origin.  The compiler keeps
    the list of the places that still hold their values, and refuses a plan that reads a
    place after it was overwritten.

    A Gather is a look-up, unless it has cells and its indices are constants, 4,096 at most:
    then it has a kernel like the others.

    Refused: a constant index of a Gather that is outside; an absent input before one that
    is there; functions of floats on integers, as in [op_kernel]. *)

From Coq Require Import Bool List Arith NArith String ZArith.
From Calque Require Import base.Lists attr.Attr graph.Graph kernel.Kernel kernel.Lower kernel.Lookup.
From Calque Require Import tensor.Tensor tensor.Scalars tensor.Attrs tensor.OpTable tensor.OpKernel tensor.OpLookup tensor.Shapes.
From Calque Require Import rewrite.SoundModel model.Function model.Unit.
From Calque Require pattern.Pattern.
Import ListNotations.
Open Scope nat_scope.

Definition place_eqb (p q : place) : bool :=
  (p_id p =? p_id q) && (p_array p =? p_array q) && (p_base p =? p_base q) && all2 Nat.eqb (p_dims p) (p_dims q).

Definition mem_place (p : place) (l : list place) : bool := existsb (place_eqb p) l.

(** The sizes that an input is declared with. *)
Definition declared_sizes (o : Pattern.oper) : option sizes :=
  let? v := attribute (Pattern.type o) "shape"%string in shape_of v.

Section Compile.
  Variable S : arith.
  Notation K := (kernel_scalars S).
  Notation tensor := (tensor (num S)).
  Notation stmt := (Kernel.stmt K).

  (** What constants are, by number and by the value that is written on them. *)
  Variable constant_of : N -> option value -> option tensor.
  (** How many numbers the arena has. *)
  Variable size : nat.

  (** After some nodes: where their values are, which places hold theirs, the calls, last
      one first, the weights, the offsets that are left and the next number of a place. *)
  Record state := State {
    bound_to : list (gvalue place);
    valid : list place;
    calls : list (call S);
    weights : list (num S);
    offsets : list nat;
    next : nat
  }.

  Definition bind (st : state) (b : gvalue place) (news : list place) (l : list (num S)) : state :=
    State (bound_to st ++ [b]) (valid st ++ news) (calls st) (weights st ++ l) (offsets st)
          (next st + List.length news).

  Definition add_input (st : state) (k : N) (o : Pattern.oper) : option state :=
    let? ds := declared_sizes o in
    let p := Place (next st) (input_array k) 0 ds in
    Some (bind st (GTensor p) [p] []).

  Definition add_constant (st : state) (t : option tensor) : option state :=
    let? t := t in
    let p := Place (next st) weights_array (List.length (weights st)) (dims t) in
    if List.length (cells t) =? cell_count (dims t) then Some (bind st (GTensor p) [p] (cells t)) else None.

  (** The cells of a constant, which are weights already. *)
  Definition known_cells (st : state) (p : place) : option (list (num S)) :=
    if (p_array p =? weights_array) && (p_base p + cell_count (p_dims p) <=? List.length (weights st))
    then Some (firstn (cell_count (p_dims p)) (skipn (p_base p) (weights st))) else None.

  (** How an operator is compiled: a kernel, that is made for the indices of a Gather, or a
      look-up along a dimension. *)
  Inductive manner := ByKernel (index : list Z) | ByLook (axis : nat).

  Definition manner_of (st : state) (name : string) (attrs : attributes) (xs : list place) : option manner :=
    if String.eqb name "Gather" then
      match xs with
      | [x; ix] =>
          let? axis := axis_in attrs (Some 0%Z) (p_dims x) in
          match known_cells st ix, cell_count (gather_dims axis (p_dims x) (p_dims ix)) with
          | None, _ | _, 0 => Some (ByLook axis)
          | Some l, _ =>
              let n := Z.of_nat (nth axis (p_dims x) 0) in
              let? index := traverse (s_index S) l in
              if forallb (fun z => (- n <=? z) && (z <? n))%Z index
              then Some (if gather_most <? List.length index then ByLook axis else ByKernel index) else None
          end
      | _ => None
      end
    else Some (ByKernel []).

  (** Places for what the kernel stores. *)
  Fixpoint allot (id : nat) (os : list nat) (ds : list sizes) {struct ds} : option (list place * list nat) :=
    match ds, os with
    | [], _ => Some ([], os)
    | d :: ds', o :: os' =>
        let? (ps, rest) := allot (id + 1) os' ds' in Some (Place id arena o d :: ps, rest)
    | _, [] => None
    end.

  (** Where output [j] is; one without cells may be stored nowhere. *)
  Definition result (stored_at : list (tid * place)) (id j : nat) (d : sizes) : option place :=
    match find (fun tp => fst tp =? tY j) stored_at with
    | Some (_, p) => if all2 Nat.eqb d (p_dims p) then Some p else None
    | None => if cell_count d =? 0 then Some (Place (id + j) arena 0 d) else None
    end.

  Definition results (stored_at : list (tid * place)) (id : nat) (s : gvalue sizes) : option (gvalue place) :=
    match s with
    | GTensor d => let? p := result stored_at id 0 d in Some (GTensor p)
    | GTuple ds => let? ps := traverse (fun jd => result stored_at id (fst jd) (snd jd)) (combine (seq 0 (List.length ds)) ds) in
                   Some (GTuple ps)
    | GAbsent => None
    end.

  Definition places_in (b : gvalue place) : list place :=
    match b with GTensor p => [p] | GTuple ps => ps | GAbsent => [] end.

  (** The places that a call does not write to. *)
  Definition survive (ws : list place) (l : list place) : list place :=
    filter (fun p => negb (is_local (p_array p)) &&
                     forallb (fun w => disjoint (window_of w) (window_of p)) ws) l.

  Definition output_sizes (s : gvalue sizes) : sizes := match s with GTensor d => d | _ => [] end.

  (** What an attribute says of the sizes of the result is so ([SoundModel.stated]). *)
  Definition as_stated (name : string) (attrs : attributes) (s : gvalue sizes) : bool :=
    stated name attrs (map_value (fun d => Tensor d (@nil unit)) s).

  (** What the call of an operator is made of. *)
  Inductive work := Runs (p : list stmt) | Looks (x ix : place) (l : look).

  Definition stored_sizes (w : work) : list sizes :=
    match w with Runs p => map snd (stored p) | Looks _ _ l => [ldims l] end.

  Definition stored_names (w : work) : list tid :=
    match w with Runs p => map fst (stored p) | Looks _ _ l => [lout l] end.

  Definition work_of (st : state) (name : string) (attrs : attributes) (s : gvalue sizes) (xs : list place) : option work :=
    let? m := manner_of st name attrs xs in
    match m, xs with
    | ByKernel index, _ =>
        let? p := op_kernel S name attrs (map p_dims xs) (output_sizes s) (s_integer S) index in Some (Runs p)
    | ByLook axis, [x; ix] => Some (Looks x ix (gather_look axis (p_dims x) (p_dims ix)))
    | _, _ => None
    end.

  (** The call, with what it stores at [news]. *)
  Definition call_of (w : work) (xs news : list place) : option (call S) :=
    match w, news with
    | Runs p, _ =>
        let ins := combine (map tX (seq 0 (List.length xs))) (map p_dims xs) in
        let? f := compile_function ins p in
        if function_ok size f (xs ++ news) then Some (Call f (xs ++ news)) else None
    | Looks x ix l, [y] => if look_ok size l x ix y then Some (Fetch l x ix y) else None
    | _, _ => None
    end.

  Definition add_call (st : state) (name : string) (attrs : attributes) (bs : list (gvalue place)) : option state :=
    let? l := inputs bs in
    let? xs := traverse (fun o : option place => o) l in
    let? s := op_infer name attrs (map (map_value p_dims) bs) in
    let? w := work_of st name attrs s xs in
    let? (news, rest) := allot (next st) (offsets st) (stored_sizes w) in
    let? c := call_of w xs news in
    let id := next st + List.length news in
    let? b := results (combine (stored_names w) news) id s in
    if forallb (fun x => mem_place x (valid st)) xs && as_stated name attrs s then
      let empty := filter (fun q => cell_count (p_dims q) =? 0) (places_in b) in
      Some (State (bound_to st ++ [b]) (survive news (valid st) ++ news ++ empty) (c :: calls st)
                  (weights st) rest (id + List.length (places_in b)))
    else None.

  Definition field_of (k : Z) (ps : list place) : option place :=
    if (k <? 0)%Z then None else nth_error ps (Z.to_nat k).

  Definition add_node (st : state) (n : node Pattern.oper) : option state :=
    let o := op n in
    let? bs := traverse (nth_error (bound_to st)) (args n) in
    match Pattern.what o, bs with
    | Pattern.KAbsent, [] => Some (bind st GAbsent [] [])
    | Pattern.KInput k, [] => add_input st k o
    | Pattern.KConst k v, [] => add_constant st (constant_of k v)
    | Pattern.KCall name, _ => add_call st name (Pattern.attrs o) bs
    | Pattern.KProj k, [GTuple ps] => let? p := field_of k ps in Some (bind st (GTensor p) [] [])
    | Pattern.KTuple, _ =>
        let? ps := traverse (fun b => match b with GTensor p => Some p | _ => None end) bs in
        Some (bind st (GTuple ps) [] [])
    | _, _ => None
    end.

  Fixpoint add_nodes (st : state) (g : Pattern.tgraph) : option state :=
    match g with
    | [] => Some st
    | n :: g' => let? st' := add_node st n in add_nodes st' g'
    end.

  (** A node's value, which must be a tensor that is still there. *)
  Definition output_place (st : state) (i : nat) : option place :=
    match nth_error (bound_to st) i with
    | Some (GTensor p) => if mem_place p (valid st) then Some p else None
    | _ => None
    end.

  Definition compile (plan : list nat) (g : Pattern.tgraph) (outputs : list nat) : option (unit_ S) :=
    let? st := add_nodes (State [] [] [] [] plan 0) g in
    let? ps := traverse (output_place st) outputs in
    Some (Unit (rev (calls st)) size (weights st) ps).
End Compile.

Arguments bound_to {S}.
Arguments valid {S}.
Arguments calls {S}.
Arguments weights {S}.
Arguments offsets {S}.
Arguments next {S}.
Arguments State {S}.
Arguments bind {S}.
Arguments add_input {S}.
Arguments add_constant {S}.
Arguments known_cells {S}.
Arguments manner_of {S}.
Arguments Runs {S}.
Arguments Looks {S}.
Arguments stored_sizes {S}.
Arguments stored_names {S}.
Arguments work_of {S}.
Arguments call_of {S}.
Arguments add_call {S}.
Arguments add_node {S}.
Arguments add_nodes {S}.
Arguments output_place {S}.
Arguments compile {S}.
