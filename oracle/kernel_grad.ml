module X = Extracted
open Kernel_term

(* {1 Names}

   Everything else is Coq's: the numbers of names of variables are those of the source, and
   negative ones for variables that it does not have. *)

let rec fresh taken base n =
  let word = if n = 0 then base else Printf.sprintf "%s_%d" base n in
  if taken word then fresh taken base (n + 1) else word

(* In the order in which the tensors were made. *)
let tensor_names k tensors =
  let source t = k.names.(int_of_nat t) in
  let names = Array.make (List.length tensors) "" in
  let name i o =
    let own = Array.sub names 0 i in
    let another base = fresh (fun w -> Array.mem w own || Array.mem w k.names) base 0 in
    match (o : X.origin) with
    | First t | Version (t, true) -> source t
    | Version (t, false) -> another (source t)
    | SumOf t -> another (source t ^ "_sum")
    | MaxOf t -> another (source t ^ "_max")
    | TiesOf t -> another (source t ^ "_ties")
    | AdjointOf t -> another ("d" ^ names.(int_of_nat t)) in
  List.iteri (fun i (o, _) -> names.(i) <- name i o) tensors;
  names

let variable_name vars id =
  let id = Z.to_int id in
  if id >= 0 then Hashtbl.find vars id
  else if id = Z.to_int X.name_q then "q"
  else if id = Z.to_int X.name_r then "r"
  else if id = Z.to_int X.name_none then ""
  else Printf.sprintf "a%d" (Z.to_int (X.name_cell Z.zero) - id)

(* Where they nest, names of variables differ. *)
let spell vars spelled scope e =
  let rec go scope (e : X.ex) =
    match e with
    | ECst _ | ELd _ -> e
    | EBin (o, a, b) -> X.EBin (o, go scope a, go scope b)
    | EFn (f, l) -> X.EFn (f, List.map (go scope) l)
    | ESel (c, a, b) -> X.ESel (c, go scope a, go scope b)
    | ERed (r, ns, a) ->
      let (kind, ids) : X.reduction0 * Z.t list = Obj.obj r in
      let one (scope, ids) id =
        let word = fresh (fun w -> List.mem w scope) (variable_name vars id) 0 in
        let id = Hashtbl.length spelled in
        Hashtbl.add spelled id word;
        (word :: scope, Z.of_int id :: ids) in
      let scope, ids = List.fold_left one (scope, []) ids in
      X.ERed (Obj.repr (kind, List.rev ids), ns, go scope a) in
  go scope e

(* {1 The gradient} *)

let index_of k name =
  let rec go t =
    if t = Array.length k.names then None else if k.names.(t) = name then Some t else go (t + 1) in
  go 0

let all l = if List.for_all Option.is_some l then Some (List.map Option.get l) else None

let result k vars (r : X.result) =
  let spelled = Hashtbl.create 64 in
  let step (s : X.step) =
    let own = List.map (variable_name vars) s.names in
    ({ s.does with body = spell vars spelled own s.does.body }, { own; bound = [] }) in
  let program = List.map step r.result_steps in
  { number = k.number;
    names = tensor_names k r.result_tensors;
    shapes = Array.of_list
      (List.map (fun (_, d) -> Array.of_list (List.map int_of_nat d)) r.result_tensors);
    vars = spelled;
    program }

let gradient k ~outputs ~wrt options =
  match all (List.map (index_of k) outputs), all (List.map (index_of k) wrt) with
  | Some _, Some _ when List.exists (fun ((s : X.stmt), _) -> has_exact s.body) k.program -> Some (Error "no")
  | Some outputs, Some wrt ->
    let vars = Hashtbl.copy k.vars in
    let own word =
      let id = Hashtbl.length vars in
      Hashtbl.add vars id word;
      Z.of_int id in
    let field = match k.number with Real -> X.binary64_field | Integer -> X.integer_field in
    let has c = String.contains options c in
    let answer =
      X.gradient field
        { universal = has 'u'; no_split = has 's'; values = has 'v' }
        (List.map (fun d -> List.map nat (Array.to_list d)) (Array.to_list k.shapes))
        (List.map (fun (s, note) -> (List.map own note.own, s)) k.program)
        (List.map nat (List.sort compare outputs)) (List.map nat wrt) in
    Some
      (match answer with
       | X.Done r -> Ok (result k vars r)
       | X.Refused -> Error "no"
       | X.TooLarge -> Error "limit")
  | _ -> None
