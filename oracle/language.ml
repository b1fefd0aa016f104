type case = { request : string; answer : string; defined : bool; labels : string list Lazy.t }

type t = {
  name : string;
  request_ends : string option;
  answer_ends : string option;
  generate : (Rng.t -> int -> case) option;
  read : string -> (case, string) result;
  plausible : case -> string -> bool;
  smaller : string -> string Seq.t;
  labels : string list
}

let ended ends text = match ends with None -> text ^ "\n" | Some line -> text ^ line ^ "\n"

(* {1 attr} *)

let value_labels = [ "none"; "bool"; "int"; "float"; "str"; "tuple" ]

let value_label = function
  | Shim.None_ -> "none"
  | Bool _ -> "bool"
  | Int _ -> "int"
  | Float _ -> "float"
  | Str _ -> "str"
  | Tuple _ -> "tuple"

(* The rule that a form is evaluated by, and its parts. *)
let rule_of e =
  let name l o = List.assoc o l in
  match e with
  | Shim.Const _ -> ("AE-Value", [])
  | Any -> ("_", [])
  | Access _ -> ("AE-Access", [])
  | Unary (o, a) -> ("AE-Unary " ^ name Shim.unary_names o, [ a ])
  | Binary (o, a, b) -> ("AE-Binary " ^ name Shim.binary_names o, [ a; b ])
  | Tuple_of l -> ("AE-Tuple", l)
  | Proj (a, b) -> ("AE-Proj", [ a; b ])
  | Symbol _ -> ("AE-Symbol", [])
  | Inst (_, a, _) -> ("AE-Inst", [ a ])
  | Var (_, n, a) -> ("AE-Var", [ n; a ])
  | Map (_, n, a) -> ("AE-Map", [ n; a ])
  | Reduce (o, a) -> ("AE-Sum " ^ name Shim.reduction_names o, [ a ])
  | Cond (c, a, b) -> ("AE-Cond", [ c; a; b ])
  | Alternative (_, l) -> ("AE-Match", l)
  | Func (f, l) -> ("AE-Func " ^ name Shim.func_names f, l)

(* Those of all forms in the expressions, each once. *)
let rules l =
  let rec go acc = function
    | [] -> acc
    | e :: rest -> let r, parts = rule_of e in go (r :: acc) (List.rev_append parts rest) in
  List.sort_uniq compare (go [] l)

(* The rules by which expressions match values. *)
let match_rules a v =
  let rec go acc = function
    | [] -> acc
    | (a, v) :: rest ->
      match a, v with
      | Shim.Any, _ -> go ("AM-Any" :: acc) rest
      | Tuple_of l, Shim.Tuple vs when List.compare_lengths l vs = 0 ->
        go ("AM-Tuple" :: acc) (List.rev_append (List.combine l vs) rest)
      | Var (_, n, b), Shim.Tuple (w :: _) -> go ("AM-Var" :: acc) ((b, w) :: (n, w) :: rest)
      | _ -> go ("AM-Eval" :: acc) rest in
  List.sort_uniq compare (go [] [ (a, v) ])

let attr_labels =
  List.concat
    [ [ "AE-Value"; "AE-Access"; "AE-Tuple"; "AE-Proj"; "AE-Symbol"; "AE-Inst"; "AE-Var"; "AE-Map"; "AE-Cond"; "AE-Match" ];
      List.map (fun (_, n) -> "AE-Unary " ^ n) Shim.unary_names;
      List.map (fun (_, n) -> "AE-Binary " ^ n) Shim.binary_names;
      List.map (fun (_, n) -> "AE-Sum " ^ n) Shim.reduction_names;
      List.map (fun (_, n) -> "AE-Func " ^ n) Shim.func_names;
      [ "AM-Any"; "AM-Eval"; "AM-Tuple"; "AM-Var"; "_" ];
      List.map (( ^ ) "value ") value_labels ]

let attr_case request r =
  match r with
  | Text.Eval (a, env) ->
    let v = Shim.eval env a in
    let value = match v with Some v -> [ "value " ^ value_label v ] | None -> [] in
    { request; defined = v <> None; labels = lazy (value @ rules [ a ]);
      answer = (match v with Some v -> Text.value_to_string v | None -> "stuck") }
  | Match (a, env, v) ->
    { request; defined = true; labels = lazy (("value " ^ value_label v) :: match_rules a v @ rules [ a ]);
      answer = (if Shim.matches env a v then "yes" else "no") }

let is_value s = match Read.parse s Read.value with Ok v -> Text.value_to_string v = s | Error _ -> false

let starts word s = String.length s >= String.length word && String.sub s 0 (String.length word) = word

(* A term may be replaced by its value. *)
let smaller_attr request =
  let env = match Read.request request with Ok (Text.Eval (_, env) | Match (_, env, _)) -> env | Error _ -> [] in
  let instead term =
    match Read.parse term Read.expr with
    | Ok a ->
      (match Shim.eval env a with
       | Some v -> [ Text.expr_to_string (Shim.Const v) ]
       | None -> [])
    | Error _ -> [] in
  Shrink.smaller ~instead request

let attr =
  { name = "attr"; request_ends = None; answer_ends = None; labels = attr_labels; smaller = smaller_attr;
    (* Two of three of the whole language; without comprehensions more arithmetic is found. *)
    generate =
      Some (fun g k ->
        let r = if k mod 3 = 2 then Gen.request g else Gen.request_full g in
        attr_case (Text.request_to_string r) r);
    read = (fun s -> Result.map (attr_case s) (Read.request s));
    plausible =
      (fun c s ->
        s = "error" || if starts "(match" c.request then s = "yes" || s = "no" else s = "stuck" || is_value s) }

let all = [ attr ]
