module X = Extracted
open Kernel_term

type number = Kernel_term.number = Real | Integer
type t = Kernel_term.t

let read = Kernel_term.read
let print = Kernel_print.print

(* {1 Inlining} *)

let refusal_text = function
  | X.NotTemporary -> "no temporary"
  | X.EarlyLoad -> "loaded before or where it is stored"
  | X.StoredTwice -> "stored twice"
  | X.NotStored -> "not stored"
  | X.NotLoaded -> "not loaded"
  | X.Overwritten -> "overwritten before its last load"
  | X.Repeats -> "a reduction would be repeated"

(* The consumer takes the producer's reduction variables, renamed where a name is taken. *)
let join vars producer consumer =
  let text id = Hashtbl.find vars id in
  let taken = consumer.own @ List.map text consumer.bound in
  let rec go joined = function
    | [] -> ()
    | id :: more ->
      let old = text id in
      let used = joined @ (old :: List.map text more) in
      let rec fresh n =
        let w = Printf.sprintf "%s_%d" old n in
        if List.mem w used then fresh (n + 1) else w in
      let word = if List.mem old taken then fresh 1 else old in
      Hashtbl.replace vars id word;
      go (word :: joined) more in
  go taken producer.bound;
  consumer.bound <- consumer.bound @ producer.bound

let index_of k name =
  let rec go t =
    if t = Array.length k.names then None else if k.names.(t) = name then Some t else go (t + 1) in
  go 0

(* The notes without the producer's, and all names: the consumers have its reduction variables. *)
let joined_notes k tid =
  let vars = Hashtbl.copy k.vars in
  let stores ((s : X.stmt), _) = s.out = tid in
  let producer = snd (List.find stores k.program) in
  let notes =
    List.filter_map
      (fun ((s, note) as st) ->
        if stores st then None
        else begin
          let note = { note with bound = note.bound } in
          if producer.bound <> [] && X.reads X.int64s tid s then join vars producer note;
          Some note
        end)
      k.program in
  (vars, producer, notes)

let inline k ~outputs name =
  match index_of k name with
  | None -> Error "unknown"
  | Some t ->
    let known = List.filter_map (index_of k) outputs in
    match X.inline_once X.int64s (List.map nat known) (nat t) (List.map fst k.program) with
    | X.Inl why -> Error (refusal_text why)
    | X.Inr stmts ->
      let vars, _, notes = joined_notes k (nat t) in
      Ok { k with vars; program = List.combine stmts notes }

(* The loops have the producer's variables, by its names; the consumer's where a reduction has one of these, or there is none. *)
let loop_names vars producer note (s : X.scatter_stmt) =
  let bound = List.map (Hashtbl.find vars) note.bound in
  if producer.own = [""] || List.exists (fun w -> List.mem w bound) producer.own then
    let places = List.map (function X.IVar n -> int_of_nat n | _ -> invalid_arg "loop_names") s.sat in
    let place_of i = fst (List.find (fun (_, p) -> p = i) (List.mapi (fun m p -> (m, p)) places)) in
    List.mapi (fun i _ -> List.nth note.own (place_of i)) producer.own
  else producer.own

let reverse k ~outputs name =
  match index_of k name with
  | None -> None
  | Some t ->
    let known = List.filter_map (index_of k) outputs in
    match X.reverse_tensor X.int64s (List.map nat known) (nat t) (List.map fst k.program) with
    | X.Inl _ -> None
    | X.Inr ((before, scatter), after) ->
      let vars, producer, notes = joined_notes k (nat t) in
      let k = { k with vars } in
      let part from stmts = { k with program = List.mapi (fun n s -> (s, List.nth notes (from + n))) stmts } in
      let at = List.length before in
      let names = loop_names vars producer (List.nth notes at) scatter in
      let loop name n = Printf.sprintf "%s<%d" name (int_of_nat n) in
      Some
        (Printf.sprintf "loops %s\n%s%s%s"
           (String.concat "," (List.map2 loop names scatter.sdims))
           (print (part 0 before))
           (Kernel_print.scatter k names scatter)
           (print (part (at + 1) after)))

(* {1 Meaning} *)

let shape_of k t =
  let t = int_of_nat t in
  List.map nat (Array.to_list k.shapes.(t))

let well_formed k = List.for_all (fun (s, _) -> X.wf_stmt X.int64s (shape_of k) s) k.program

let input name n =
  let h = ref (7 * n) in
  String.iter (fun c -> h := !h + Char.code c) name;
  Z.of_int ((!h mod 11) - 5)

(* Row-major position; a scalar without index is element 0. *)
let position dims l =
  let rec go p n = function
    | [] -> Some p
    | z :: more ->
      if n = Array.length dims || Z.sign z < 0 || Z.geq z (Z.of_int dims.(n)) then None
      else go ((p * dims.(n)) + Z.to_int z) (n + 1) more in
  go 0 0 l

(* The cells of all tensors, and the store that they are. *)
let start k =
  let size t = Array.fold_left ( * ) 1 k.shapes.(t) in
  let cells =
    Array.mapi (fun t name -> Array.init (size t) (fun n -> Some (input name n))) k.names in
  let store t l =
    let t = int_of_nat t in
    match position k.shapes.(t) l with
    | Some p -> Obj.repr cells.(t).(p)
    | None -> Obj.repr (Some Z.zero) in
  (cells, store)

let run k =
  let cells, store = start k in
  let step ((s : X.stmt), _) =
    let t = int_of_nat s.out in
    let after = X.kernel_exec s store s.out in
    cells.(t) <- Array.of_list (List.map (fun l -> (Obj.obj (after l) : Z.t option)) (X.box s.dims)) in
  List.iter step k.program;
  let stored = List.map (fun ((s : X.stmt), _) -> int_of_nat s.out) k.program in
  let plain t =
    if Array.for_all Option.is_some cells.(t) then Some (Array.map Option.get cells.(t)) else None in
  List.map (fun t -> (k.names.(t), plain t)) (List.sort_uniq compare stored)

(* Assignments and look-ups: the tensors stored, or what the first index outside is. *)
let run_lines (lines, k) =
  let cells, store = start k in
  let fill out dims after =
    cells.(int_of_nat out) <- Array.of_list (List.map (fun l -> (Obj.obj (after l) : Z.t option)) (X.box dims)) in
  let out = function Assign (s : X.stmt) -> int_of_nat s.out | Look (l : X.look) -> int_of_nat l.lout in
  let step = function
    | Assign s -> fill s.X.out s.X.dims (X.kernel_exec s store s.X.out); None
    | Look l ->
      match X.kernel_look l store with
      | X.Filled after -> fill l.X.lout l.X.ldims (after l.X.lout); None
      | X.Outside (l, place, x) ->
        let size = int_of_nat l.X.lsize and name = k.names.(int_of_nat l.X.lwhere) in
        let place = if place = [] then "" else "[" ^ String.concat "," (List.map Z.to_string place) ^ "]" in
        let x = match (Obj.obj x : Z.t option) with Some z -> Z.to_string z | None -> "undefined" in
        Some
          (if size = 0 then Printf.sprintf "index %s%s is %s, but the dimension is empty" name place x
           else Printf.sprintf "index %s%s is %s, not in %d..%d" name place x (-size) (size - 1)) in
  match List.find_map step lines with
  | Some error -> Error error
  | None ->
    let plain t = if Array.for_all Option.is_some cells.(t) then Some (Array.map Option.get cells.(t)) else None in
    Ok (List.map (fun t -> (k.names.(t), plain t)) (List.sort_uniq compare (List.map out lines)))

(* {1 Coq examples} *)

open Coq_print

let program k = list stmt (List.map fst k.program)

let inline_example n k ~outputs name =
  match index_of k name with
  | None -> None
  | Some t ->
    let known = List.map Z.of_int (List.filter_map (index_of k) outputs) in
    let answer =
      match X.inline_once X.int64s known (Z.of_int t) (List.map fst k.program) with
      | X.Inl why -> apply "inl" [ refusal why ]
      | X.Inr l -> apply "inr" [ list stmt l ] in
    Some
      (example_of_type "refusal + list (stmt int64s)" n
         (apply "inline_once" [ list nat known; string_of_int t; program k ])
         answer)

(* The first contents of all tensors, row-major, and what the statements store. *)
let run_example ~most n k =
  let size t = Array.fold_left ( * ) 1 k.shapes.(t) in
  let cells = List.fold_left (fun n t -> n + size t) 0 (List.init (Array.length k.names) Fun.id) in
  let dims t = list string_of_int (Array.to_list k.shapes.(t)) in
  let tensor t name =
    Printf.sprintf "(%s, %s)" (dims t)
      (list (fun j -> z (input name j)) (List.init (size t) Fun.id)) in
  let first = list Fun.id (Array.to_list (Array.mapi tensor k.names)) in
  let stored = List.sort_uniq compare (List.map (fun ((s : X.stmt), _) -> int_of_nat s.out) k.program) in
  match if cells > most then [ None ] else List.map (fun t -> List.assoc k.names.(t) (run k)) stored with
  | values when List.for_all Option.is_some values ->
    let contents t v = Printf.sprintf "(%d, %s)" t (list z (Array.to_list (Option.get v))) in
    Some
      (example n
         (apply "run" [ program k; first; list string_of_int stored ])
         (list Fun.id (List.map2 contents stored values)))
  | _ -> None

let syntax_prelude =
  "(* The syntax at these scalars, their types written out: read faster. *)\n\
   Definition k_cst (c : Z) : ex int64s := @ECst int64s c.\n\
   Definition k_ld (t : nat) (l : list ix) : ex int64s := ELd t l.\n\
   Definition k_bin (o : operator) (a b : ex int64s) : ex int64s := @EBin int64s o a b.\n\
   Definition k_fn (f : function) (l : list (ex int64s)) : ex int64s := @EFn int64s f l.\n\
   Definition k_sel (c : cond) (a b : ex int64s) : ex int64s := ESel c a b.\n\
   Definition k_red (r : reduction * list Z) (ns : list nat) (a : ex int64s) : ex int64s :=\n\
  \  @ERed int64s r ns a.\n\
   Definition k_stmt (t : nat) (d : list nat) (a : ex int64s) : stmt int64s := Stmt t d a.\n\n"

let run_prelude =
  "(* A store from what the tensors hold, row-major; outside of a tensor it is zero. *)\n\
   Fixpoint position (p : nat) (d : list nat) (l : list Z) : option nat :=\n\
  \  match l, d with\n\
  \  | [], _ => Some p\n\
  \  | i :: l', n :: d' => if in_box [n] [i] then position (p * n + Z.to_nat i) d' l' else None\n\
  \  | _, [] => None\n\
  \  end.\n\
   Definition cell (d : list nat) (cells : list (option Z)) (l : list Z) : option Z :=\n\
  \  match position 0 d l with Some p => nth p cells (Some 0%Z) | None => Some 0%Z end.\n\
   Definition start (first : list (list nat * list Z)) : store int64s :=\n\
  \  fun t l => match nth_error first t with\n\
  \             | Some (d, cells) => cell d (map Some cells) l\n\
  \             | None => Some 0%Z\n\
  \             end.\n\
   (* After each statement what it stored is written out, so that nothing is computed twice. *)\n\
   Definition after (st : store int64s) (s : stmt int64s) : store int64s :=\n\
  \  let cells := map (kernel_exec s st (out s)) (box (dims s)) in\n\
  \  fun t l => if Nat.eqb t (out s) then cell (dims s) cells l else st t l.\n\
   Definition run (p : list (stmt int64s)) (first : list (list nat * list Z)) (stored : list nat) :\n\
  \    list (nat * list Z) :=\n\
  \  let st := fold_left after p (start first) in\n\
  \  map (fun t => (t, flat_map (fun l => match st t l with Some z => [z] | None => [] end)\n\
  \                      (box (match nth_error first t with Some (d, _) => d | None => [] end)))) stored.\n\n"
