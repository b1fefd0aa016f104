open Cells
open Cmdliner

(* {1 JSON} *)

let quoted s =
  let b = Buffer.create 32 in
  Buffer.add_char b '"';
  String.iter
    (fun c ->
      match c with
      | '"' | '\\' -> Buffer.add_char b '\\'; Buffer.add_char b c
      | c when c < ' ' || c > '~' -> Buffer.add_string b (Printf.sprintf "\\u%04x" (Char.code c))
      | c -> Buffer.add_char b c)
    s;
  Buffer.add_char b '"';
  Buffer.contents b

let objects l = "{" ^ String.concat ", " (List.map (fun (k, v) -> quoted k ^ ": " ^ v) l) ^ "}"
let array l = "[" ^ String.concat ", " l ^ "]"
let number x = if Float.is_finite x then Printf.sprintf "%.17g" x else quoted "inf"

(* {1 The manifest} *)

let policy =
  objects
    [ "class", quoted "exact: bits are equal; reassociated: sums and products in another order; library: a function that IEEE 754 does not define";
      "tolerance", quoted "a tensor of f64 beside the output, for each cell the greatest absolute difference; absent: 0";
      "nan", quoted "a NaN is equal to every NaN and to nothing else";
      "infinity", quoted "equal to itself only";
      "signed_zeros", quoted "true: -0 is not 0; false: it is";
      "inputs_exact", quoted "false: the tolerance is that of the last operator alone, on the values that output_K.pb has for its inputs" ]

let op_of n = match n.Shim_gsl.kind with Shim_gsl.Op op -> op | _ -> ""

let operator m k =
  match m.nodes.(k).Shim_gsl.kind, m.nodes.(k).ins with
  | Shim_gsl.Proj _, [ Some p ] -> m.nodes.(p)
  | _ -> m.nodes.(k)

(* Is what node [k] is computed from exact, to the inputs? *)
let exact_before m =
  let n = Array.length m.nodes in
  let exact = Array.make n true and before = Array.make n true in
  Array.iteri
    (fun k (node : Shim_gsl.node) ->
      before.(k) <- List.for_all (function Some e -> exact.(e) | None -> true) node.ins;
      let own =
        match node.kind with
        | Op op -> Policy.kind op (Option.value ~default:"i64" node.dtype) = Policy.Exact
        | _ -> true in
      exact.(k) <- own && before.(k))
    m.nodes;
  fun k -> (match m.nodes.(k).kind, m.nodes.(k).ins with Proj _, [ Some p ] -> before.(p) | _ -> before.(k))

let entry folder (m : model) outputs =
  let before = exact_before m in
  let value k = match data_of m k with Some t -> Some t | None -> List.assoc_opt (Onnx_model.name m k) outputs in
  let output i (name, k) =
    let n = operator m k and (t : tensor) = List.assoc name outputs in
    let kind = Policy.kind (op_of n) t.dtype in
    let ins = List.filter_map (fun e -> Option.bind e value) n.ins in
    let most = Array.fold_left Float.max 0.0 (Policy.tolerance n ins t) in
    objects
      [ "name", quoted name; "operator", quoted (op_of n); "type", quoted t.dtype; "class", quoted (Policy.kind_name kind);
        "signed_zeros", string_of_bool (Policy.signed_zeros (op_of n) t.dtype); "greatest_tolerance", number most;
        "tolerance", (if kind = Policy.Exact then "null" else quoted (Printf.sprintf "tolerance_%d.pb" i)); "inputs_exact", string_of_bool (before k) ] in
  objects
    [ "folder", quoted folder; "labels", array (List.map quoted (Gen_model.labels m));
      "outputs", array (List.mapi output m.graph.outputs) ]

(* {1 Folders} *)

let word s = String.map (fun c -> match c with 'a' .. 'z' | 'A' .. 'Z' | '0' .. '9' -> c | _ -> '_') s

let operators m = Array.to_list m.nodes |> List.filter_map (fun n -> match op_of n with "" -> None | op -> Some op)

let folder_of m k =
  match operators m with
  | [ op ] ->
    let dtype = List.find_map (fun (_, e) -> m.nodes.(e).Shim_gsl.dtype) m.graph.outputs in
    let ins = List.filter_map (fun l -> if String.contains l ' ' then Some l else None) (Gen_model.labels m) in
    let name = match ins, dtype with l :: _, _ -> l | [], Some d -> op ^ " " ^ d | [], None -> op in
    Printf.sprintf "node/test_%s_%d" (String.lowercase_ascii (word name)) k
  | _ -> Printf.sprintf "graph/test_graph_%d" k

let value m =
  match Result.bind (Model.read (print m)) Model.outputs with
  | Error e -> Error e
  | Ok text -> answer text

let write dir ~seed cases =
  let entries = Buffer.create 65536 in
  let one acc m =
    Result.bind acc (fun k ->
      Result.bind (value m) (fun outputs ->
        let name = folder_of m k in
        let folder = Filename.concat dir name in
        Result.map
          (fun () ->
            Backend.write_tolerances folder m outputs;
            Buffer.add_string entries ((if k = 0 then "" else ",\n") ^ "  " ^ entry name m outputs);
            k + 1)
          (Backend.write folder m outputs))) in
  match Seq.fold_left one (Ok 0) cases with
  | Error e -> Error e
  | Ok n ->
    Backend.write_file (Filename.concat dir "manifest.json")
      (Printf.sprintf "{\"oracle\": \"calque-oracle\", \"seed\": %Ld,\n \"policy\": %s,\n \"cases\": [\n%s\n]}\n" seed policy (Buffer.contents entries));
    Ok n
  | exception Sys_error e -> Error e
  | exception Unix.Unix_error (e, _, what) -> Error (what ^ ": " ^ Unix.error_message e)

let of_file path =
  match open_in_bin path with
  | exception Sys_error e -> Error e
  | ic ->
    let text = Fun.protect ~finally:(fun () -> close_in_noerr ic) (fun () -> really_input_string ic (in_channel_length ic)) in
    let rec blocks l block = function
      | [] -> List.rev (if block = [] then l else List.rev block :: l)
      | "" :: rest -> blocks (if block = [] then l else List.rev block :: l) [] rest
      | line :: rest -> blocks l (line :: block) rest in
    let read acc lines =
      Result.bind acc (fun (n, l) ->
        match Cells.read (String.concat "\n" lines) with
        | Ok m -> Ok (n + 1, Onnx_model.expose m :: l)
        | Error e -> Error (Printf.sprintf "%s: model %d: %s" path n e)) in
    Result.map (fun (_, l) -> List.rev l) (List.fold_left read (Ok (1, [])) (blocks [] [] (String.split_on_char '\n' text)))

let failure dir verdict request got =
  match Cells.read request with
  | Error e -> e
  | Ok m ->
    let m = Onnx_model.expose m in
    let base = Filename.concat dir (verdict ^ "_" ^ word (String.concat "_" (List.filter (fun l -> String.contains l ' ') (Gen_model.labels m)))) in
    let rec free k =
      let path = if k = 0 then base else Printf.sprintf "%s_%d" base k in
      if Sys.file_exists path then free (k + 1) else path in
    let folder = free 0 in
    let outputs = Result.value ~default:[] (value m) in
    match Backend.write folder m outputs with
    | Error e -> e
    | Ok () ->
      Backend.write_tolerances folder m outputs;
      Backend.write_file (Filename.concat folder "request") (request ^ "\n");
      let lines = List.filter (fun l -> Language.starts "(output " l) (String.split_on_char '\n' got) in
      (match answer (String.concat "\n" lines) with
       | Ok l -> List.iteri (fun i (name, t) -> Backend.write_file (Filename.concat folder (Printf.sprintf "got/output_%d.pb" i)) (Proto.tensor name t)) l
       | Error _ -> ());
      folder

(* {1 The manual page} *)

let man =
  [ `S Manpage.s_description;
    `P "Writes random cases of the operators of ONNX, in the layout of ONNX's own backend tests, with the outputs that they have by the \
        extracted definition:";
    `Pre "DIR/manifest.json\nDIR/node/NAME/model.onnx\nDIR/node/NAME/test_data_set_0/input_0.pb ..\n\
          DIR/node/NAME/test_data_set_0/output_0.pb ..\nDIR/node/NAME/test_data_set_0/tolerance_0.pb ..\nDIR/graph/NAME/..";
    `P "With $(b,--requests) the models are those of a file, as $(b,calque dump MODEL --format=sexp --data --random 1) prints them, an empty line behind \
        each; those that have no form in ONNX, or no value, end the command.";
    `P "Models of several operators are in $(b,graph); each value of an operator is an output of them. Operators have the form of opset 17, those that came later \
        of their first opset. Data are TensorProtos, those of a tolerance of f64.";
    `P "The manifest has a list $(b,cases). A case has its $(b,folder), its $(b,labels) (operators, element types, attributes) and \
        $(b,outputs), in the order of the model's:";
    `I ("$(b,name), $(b,operator), $(b,type)", "of the output, and what it is computed by.");
    `I ("$(b,class)", "$(b,exact): each cell is one rounded operation, a choice or a copy: bits are equal. $(b,reassociated): sums and products, which may be \
        computed in another order or fused. $(b,library): also a function that IEEE 754 does not define (exp, log, tanh, erf, pow). Integers and truth values are exact.");
    `I ("$(b,signed_zeros)", "$(b,true): -0 is not 0. $(b,false), for operators that choose between zeros or add one (Relu, Max, Min, Clip, MaxPool, ReduceMax, LeakyRelu, \
        PRelu, ThresholdedRelu, Sign) and all that are not exact: it is.");
    `I ("$(b,tolerance)", "the file of the greatest absolute difference of each cell, or null. $(b,greatest_tolerance) is its greatest.");
    `I ("$(b,inputs_exact)", "$(b,false): what the output is computed from is not exact itself; the tolerance is that of the last operator on the values in \
        $(b,output_K.pb). $(b,calque-oracle diff --against-backend) judges it on the values that the backend gave.");
    `P "A NaN is equal to every NaN and to nothing else, an infinity to itself only." ]
  @ [ `S "TOLERANCES"; `P "With u = 2^-24 (f32) or 2^-53 (f64), g(n) = n u / (1 - n u):";
      `I ("sums of products, means", "2 g(n + 4) S: n the number of terms, S the sum of their absolute values, which is the oracle's value of the operator on absolute \
          inputs. 0 where inputs are integers, nothing is divided and S < 1/u: such a sum is exact in any order.");
      `I ("BatchNormalization", "2 g(8) S, S of the absolute terms.");
      `I ("LayerNormalization, InstanceNormalization, GroupNormalization", "2 g(n + 8) |scale| ((2 + 2|z|) M / d + |z|) + 4 u (|scale z| + |bias|): n cells of greatest magnitude M in a group, d = sqrt(variance + epsilon), z = (x - mean) / d; the variance is that of differences \
          from the mean.");
      `I ("functions", "the units in the last place that OpenCL C allows (exp, log 3, tanh 5, erf, pow 16), and one for ours; of the value, or, where a formula adds terms of \
          magnitude s before it cancels, of s: Gelu, Mish |x|, Softplus 1, Elu, Selu, Celu |alpha|. Softmax, LRN, LpNormalization and RMSNormalization: also 2 g(n + 8) of the value; LogSoftmax: 2 g(n + 12) besides.");
      `P "Where finite terms may overflow, or squares underflow, in one order and not in another, or a normalization has a parameter that \
          is not finite, the tolerance is infinite: every cell is right." ]
