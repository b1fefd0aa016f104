module X = Extracted_onnx
open Composition

let entries =
  List.concat
    [ Compositions_moves.entries; Compositions_windows.entries; Compositions_attention.entries; Compositions_recurrent.entries;
      Compositions_reduce.entries; Compositions_scatter.entries; Compositions_simple.entries; Compositions_quant.entries;
      Compositions_dynamic.entries ]

type fault = Graph | Value

type options = { calque : string; output : string option; seed : int64; count : int; only : string list; fault : fault option }

(* {1 Files} *)

let input_name k = Printf.sprintf "x%d" k
let output_name k = Printf.sprintf "y%d" k

let attribute (label, v) =
  let body kind fields = Proto.text 1 label ^ fields ^ Proto.int 20 kind in
  let each f l = String.concat "" (List.map f l) in
  let float = function Shim.Float b -> Proto.single 7 (Int64.float_of_bits b) | _ -> invalid_arg label in
  let string = function Shim.Str s -> Proto.text 9 s | _ -> invalid_arg label in
  let int = function Shim.Int i -> Proto.int 8 i | _ -> invalid_arg label in
  match v with
  | Shim.Float b -> body 1L (Proto.single 2 (Int64.float_of_bits b))
  | Int i -> body 2L (Proto.int 3 i)
  | Str s -> body 3L (Proto.text 4 s)
  | Tuple (Float _ :: _ as l) -> body 6L (each float l)
  | Tuple (Str _ :: _ as l) -> body 8L (each string l)
  | Tuple l -> body 7L (each int l)
  | Bool _ | None_ -> invalid_arg label

let outputs c = List.filter_map Fun.id (List.mapi (fun k there -> if there then Some (output_name k) else None) c.outputs)

let model e c =
  let name k = function Absent -> "" | Given _ | Weight _ | Parameter _ -> input_name k in
  let initializer_ k = function
    | Weight t | Parameter t -> Proto.text 5 (Proto.tensor (input_name k) t)
    | Given _ | Absent -> "" in
  let input k = function
    | Given t -> Proto.text 11 (Onnx_model.value_info (input_name k) t.Cells.dtype t.dims)
    | Weight _ | Parameter _ | Absent -> "" in
  let each f l = String.concat "" (List.mapi f l) in
  let node =
    each (fun k i -> Proto.text 1 (name k i)) c.inputs
    ^ each (fun k there -> Proto.text 2 (if there then output_name k else "")) c.outputs
    ^ Proto.text 3 "node" ^ Proto.text 4 e.op
    ^ each (fun _ a -> Proto.text 5 (attribute a)) c.attrs in
  let graph =
    Proto.text 1 node ^ Proto.text 2 "case" ^ each initializer_ c.inputs ^ each input c.inputs
    ^ each (fun _ o -> Proto.text 12 (Proto.text 1 o)) (outputs c) in
  Proto.int 1 10L ^ Proto.text 2 "calque-oracle" ^ Proto.text 7 graph ^ Proto.text 8 (Proto.text 1 "" ^ Proto.int 2 (Int64.of_int e.opset))

let npy (t : Cells.tensor) =
  let descr = List.assoc t.dtype [ "f32", "<f4"; "f64", "<f8"; "i32", "<i4"; "i64", "<i8"; "i8", "|i1"; "u8", "|u1"; "bool", "|b1" ] in
  let shape = String.concat "" (List.map (Printf.sprintf "%d, ") t.dims) in
  let text = Printf.sprintf "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }" descr shape in
  let padded = (String.length text + 11 + 63) / 64 * 64 in
  let header = text ^ String.make (padded - 11 - String.length text) ' ' ^ "\n" in
  let b = Buffer.create 256 in
  Buffer.add_string b "\x93NUMPY\x01\x00";
  Buffer.add_uint16_le b (String.length header);
  Buffer.add_string b header;
  Buffer.add_string b (Cells.to_bytes t);
  Buffer.contents b

(* {1 Graphs in a normal form}

   From the outputs on, arguments first; nodes are numbered in that order, once each. *)

type 'n graph = {
  at : 'n -> [ `Input of string | `Const of Cells.tensor | `Op of string * 'n option list * (string * Shim.value) list
             | `Proj of int * 'n | `Unknown of string ];
  ends : 'n list
}

let attributes l =
  String.concat "" (List.map (fun (a, v) -> Printf.sprintf " (%s %s)" a (Text.value_to_string v)) (List.sort compare l))

let normal g =
  let numbers = Hashtbl.create 16 and lines = Buffer.create 256 in
  let rec visit n =
    match Hashtbl.find_opt numbers n with
    | Some k -> k
    | None ->
      let arg = function Some m -> string_of_int (visit m) | None -> "-" in
      let text =
        match g.at n with
        | `Input s -> "input " ^ s
        | `Const (t : Cells.tensor) ->
          Printf.sprintf "const (%s)%s" (String.concat " " (t.dtype :: List.map string_of_int t.dims))
            (String.concat "" (List.map (( ^ ) " ") (Array.to_list t.cells)))
        | `Op (op, args, attrs) ->
          let args = List.map arg args in
          Printf.sprintf "%s (%s)%s" op (String.concat " " args) (attributes attrs)
        | `Proj (i, m) -> Printf.sprintf "proj %d of %d" i (visit m)
        | `Unknown s -> s in
      let k = Hashtbl.length numbers in
      Hashtbl.replace numbers n k;
      Buffer.add_string lines (Printf.sprintf "%d: %s\n" k text);
      k in
  let ends = List.map (fun n -> string_of_int (visit n)) g.ends in
  Buffer.contents lines ^ "outputs " ^ String.concat " " ends ^ "\n"

let of_dump c (m : Cells.model) =
  let at k =
    let n : Shim_gsl.node = m.nodes.(k) in
    match n.kind, n.ins with
    | Input, _ -> `Input (Option.value ~default:"?" n.name)
    | Const _, _ -> (match Cells.data_of m k with Some t -> `Const t | None -> `Unknown "const")
    | Op op, ins -> `Op (op, ins, n.attrs)
    | Proj i, [ Some e ] -> `Proj (Int64.to_int i, e)
    | Proj _, _ | Tuple, _ -> `Unknown "tuple" in
  { at; ends = List.map (fun o -> Option.value ~default:(-1) (List.assoc_opt o m.graph.outputs)) (outputs c) }

let rec shim = function
  | X.VNone -> Shim.None_
  | VBool b -> Bool b
  | VInt z -> Int (Z.to_int64 z)
  | VFloat n -> Float (Z.to_int64 (Z.signed_extract n 0 64))
  | VStr s -> Str s
  | VTuple l -> Tuple (List.map shim l)

(* The values that a composition takes. *)
let values c =
  List.filter_map Fun.id
    (List.mapi
       (fun k i -> match i with Given _ -> Some (`Input (input_name k)) | Weight t -> Some (`Const t) | Parameter _ | Absent -> None)
       c.inputs)

let constant_of code ds l =
  let dtype = of_code (Z.to_int code) in
  let cells = List.map (fun c -> Option.value ~default:"?" (cell dtype c)) (constant dtype l) in
  `Const { Cells.dtype; dims = List.map Z.to_int ds; cells = Array.of_list cells }

let of_steps c steps results =
  let given = Array.of_list (values c) and steps = Array.of_list steps in
  let n = Array.length given in
  let step k = if k < n then None else Some steps.(k - n) in
  let arg k = let k = Z.to_int k in if step k = Some X.Absent then None else Some k in
  let at k =
    match step k with
    | None -> given.(k)
    | Some (X.Constant (code, ds, l)) -> constant_of code ds l
    | Some (Apply (op, attrs, args)) -> `Op (op, List.map arg args, List.map (fun (a, v) -> (a, shim v)) attrs)
    | Some (Field (i, e)) -> `Proj (Z.to_int i, Z.to_int e)
    | Some Absent -> `Unknown "absent" in
  { at; ends = List.map Z.to_int results }

(* {1 Faults} *)

(* An attribute changed; where there is none, another operator or another constant. *)
let rec wrong_step steps =
  let rec other = function
    | X.VTuple l when List.rev l <> l -> Some (X.VTuple (List.rev l))
    | VTuple (v :: l) -> Option.map (fun v -> X.VTuple (v :: l)) (other v)
    | VInt z -> Some (VInt (Z.succ z))
    | VNone | VBool _ | VFloat _ | VStr _ | VTuple [] -> None in
  let rec in_attrs = function
    | [] -> None
    | (a, v) :: l ->
      match other v with
      | Some v -> Some ((a, v) :: l)
      | None -> Option.map (fun l -> (a, v) :: l) (in_attrs l) in
  match steps with
  | [] -> []
  | X.Apply (op, attrs, args) :: rest ->
    (match in_attrs attrs, rest with
     | Some attrs, _ -> X.Apply (op, attrs, args) :: rest
     | None, [] -> [ X.Apply ((if op = "Neg" then "Abs" else "Neg"), attrs, args) ]
     | None, _ -> X.Apply (op, attrs, args) :: wrong_step rest)
  | [ X.Constant (code, ds, l) ] -> [ X.Constant (code, Z.one :: ds, l) ]
  | s :: rest -> s :: wrong_step rest

let wrong_tensors l =
  let wrong (t : Cells.tensor) =
    let cells = Array.copy t.cells in
    let last = Array.length cells - 1 in
    let other c =
      let x = Cells.float_of t.dtype c in
      if not (Cells.is_float t.dtype) then if c = "1" then "0" else "1"
      else Cells.of_float t.dtype (if Float.is_nan x || x < 0.0 then 1.0 else -1.0) in
    if last >= 0 then cells.(last) <- other cells.(last);
    if last < 0 then { t with dims = 1 :: t.dims } else { t with cells } in
  match l with t :: rest -> wrong t :: rest | [] -> []

(* {1 One case} *)

type verdict = Equal | Left | Wrong of string

let quoted l = String.concat " " (List.map Filename.quote l)

(* What the command says with these arguments goes to files at [base]; [answered]: its answer, or why there is none. *)
let asked o base args =
  let at what = Filename.quote (base ^ what) in
  Printf.sprintf "%s >%s 2>%s && echo >%s\n" (quoted (o.calque :: args)) (at ".out") (at ".err") (at ".done")

let answered base =
  let read what = Result.value ~default:"" (Backend.read_file (base ^ what)) in
  if Sys.file_exists (base ^ ".done") then Ok (read ".out") else Error (String.trim (read ".err"))

let opaque (m : Cells.model) = Array.exists (fun (n : Shim_gsl.node) -> n.kind = Op "Opaque") m.nodes

let close c dtype want got =
  want = got
  || c.tolerance > 0.0 && Cells.is_float dtype
     && (let w = Cells.float_of dtype want and g = Cells.float_of dtype got in
         Float.abs (g -. w) <= c.tolerance *. (1.0 +. Float.abs w))

let same_values c want got =
  let one (w : Cells.tensor) (g : Cells.tensor) = w.dims = g.dims && Array.for_all2 (close c g.dtype) w.cells g.cells in
  List.length want = List.length got && List.for_all2 one want got

let tensors_text l = Cells.print_answer (List.mapi (fun k t -> (output_name k, t)) l)

let judge_values o c got =
  match Cells.answer got with
  | Error e -> Wrong ("the answer of run: " ^ e)
  | Ok answer ->
    let got = List.filter_map (fun n -> List.assoc_opt n answer) (outputs c) in
    match Lazy.force c.formula with
    | None -> Wrong "the formula has no value"
    | Some want ->
      let cells (t : X.num X.tensor) (g : Cells.tensor) =
        { Cells.dtype = g.dtype; dims = List.map Z.to_int t.dims;
          cells = Array.of_list (List.map (fun x -> Option.value ~default:"?" (cell g.dtype x)) t.cells) } in
      let want = if List.length want = List.length got then List.map2 cells want got else [] in
      let want = if o.fault = Some Value then wrong_tensors want else want in
      if same_values c want got then Equal else Wrong ("values\nformula:\n" ^ tensors_text want ^ "run:\n" ^ tensors_text got)

let run_args base c =
  let given k = function
    | Given t ->
      let path = Printf.sprintf "%s.%s.npy" base (input_name k) in
      Backend.write_file path (npy t);
      Some (input_name k ^ "=" ^ path)
    | Weight _ | Parameter _ | Absent -> None in
  List.filter_map Fun.id (List.mapi given c.inputs)

(* The files of a case, and the commands for the shell. *)
let prepare o e base c =
  Backend.write_file (base ^ ".onnx") (model e c);
  asked o (base ^ ".dump") [ "dump"; base ^ ".onnx"; "--stage=graph"; "--format=sexp"; "--data" ]
  ^ if c.build = None then "" else asked o (base ^ ".run") (("run" :: (base ^ ".onnx") :: run_args base c) @ [ "--threads"; "1"; "--text" ])

let judge o base c =
  match c.build, Result.bind (answered (base ^ ".dump")) Cells.read with
  | None, Error _ -> Left
  | None, Ok m -> if opaque m then Left else Wrong ("no composition, but a graph\n" ^ normal (of_dump c m))
  | Some _, Error why -> Wrong ("a composition, but dump says: " ^ why)
  | Some b, Ok m ->
    let steps, results = X.steps (Z.of_int (List.length (values c))) b in
    let steps = if o.fault = Some Graph then wrong_step steps else steps in
    let want = normal (of_steps c steps results) and got = normal (of_dump c m) in
    if want <> got then Wrong ("graphs\ncomposition:\n" ^ want ^ "dump:\n" ^ got)
    else
      match answered (base ^ ".run") with
      | Error why -> Wrong ("run says: " ^ why)
      | Ok got -> judge_values o c got

(* {1 All} *)

let starts prefix s = String.length s >= String.length prefix && String.sub s 0 (String.length prefix) = prefix

let remove_case folder name =
  Array.iter (fun f -> if starts (name ^ ".") f then Backend.remove (Filename.concat folder f)) (Sys.readdir folder)

let operator o folder e =
  let name k = Printf.sprintf "%s_%d_%d" e.op e.opset k in
  let draw k =
    let seed = Int64.add (Diff.case_seed o.seed k) (Int64.of_int (Hashtbl.hash (e.op, e.opset))) in
    e.draw (Rng.create ~seed) in
  List.iter (fun k -> remove_case folder (name k)) (List.init o.count Fun.id);
  let cases = List.init o.count (fun k -> (k, Filename.concat folder (name k), draw k)) in
  let script = Filename.concat folder (Printf.sprintf "%s_%d.sh" e.op e.opset) in
  Backend.write_file script (String.concat "" (List.map (fun (_, base, c) -> prepare o e base c) cases));
  ignore (Sys.command ("sh " ^ Filename.quote script));
  Backend.remove script;
  let equal = ref 0 and left = ref 0 and wrong = ref 0 in
  List.iter
    (fun (k, base, c) ->
      match judge o base c with
      | Equal -> incr equal; remove_case folder (name k)
      | Left -> incr left; remove_case folder (name k)
      | Wrong why ->
        incr wrong;
        if !wrong <= 3 then
          Printf.printf "%s, opset %d, seed %Ld, case %d (%s.*): %s\n" e.op e.opset o.seed k base why)
    cases;
  Printf.printf "%s (opset %d): %d equal, %d not composed, %d differ\n%!" e.op e.opset !equal !left !wrong;
  (!equal, !left, !wrong)

(* Why the options are refused. *)
let refused o =
  match List.find_opt (fun op -> not (List.exists (fun e -> e.op = op) entries)) o.only with
  | Some op -> Some (Printf.sprintf "there is no composition of '%s'" op)
  | None -> if o.count < 1 then Some "--count must be 1 or more" else None

let compare_all o =
  let chosen = List.filter (fun e -> o.only = [] || List.mem e.op o.only) entries in
  let go folder =
    let l = List.map (operator o folder) chosen in
    let sum f = List.fold_left (fun a x -> a + f x) 0 l in
    let wrong = sum (fun (_, _, w) -> w) in
    Printf.printf "%d forms: %d cases equal, %d not composed, %d differ\n" (List.length l) (sum (fun (e, _, _) -> e))
      (sum (fun (_, n, _) -> n)) wrong;
    if wrong > 0 || l = [] || List.exists (fun (e, _, _) -> e = 0) l then 1 else 0 in
  match o.output with
  | Some folder -> Backend.make_folder folder; go folder
  | None ->
    let folder = Backend.work_folder () in
    Fun.protect ~finally:(fun () -> Backend.remove folder) (fun () -> go folder)

let run o =
  let fail status why = prerr_endline ("calque-oracle: " ^ why); status in
  match refused o with
  | Some why -> fail 2 why
  | None ->
    try compare_all o with
    | Unix.Unix_error (e, _, path) -> fail 2 (path ^ ": " ^ Unix.error_message e)
    | Sys_error why -> fail 2 why

let man =
  [ `S Cmdliner.Manpage.s_description;
    `P "Operators of ONNX that are read as several of Calque's are programs in Coq, which are proved to compute ONNX's formula. For random \
        parameters this makes an ONNX model with the one node, and compares";
    `I ("graphs", "what $(b,calque dump --stage=graph) has of it with what the extracted program builds: operators, attributes, constants, \
        and which values they take;");
    `I ("values", "what $(b,calque run) gives with the extracted formula, bit for bit (a NaN is equal to every NaN); where the formula's \
        sums have another order, within a tolerance.");
    `P "$(b,not composed): the program builds nothing, and calque refuses the node or leaves it as it is. A case depends on the seed and its \
        number only. Of a case that differs $(b,-o) keeps the files. Exit status: 1 if one differs, or an operator has no case that is equal." ]
