type case = { request : string; answer : string; defined : bool; labels : string list Lazy.t; sound : bool Lazy.t }

(* A language in which every request has a meaning. *)
let sound = lazy true

type agreement = Equal | Within | Different of string

let by_text _ _ = Different ""
let one_family _ = ""

type t = {
  name : string;
  request_ends : string option;
  answer_ends : string option;
  generate : (Rng.t -> int -> case) option;
  read : string -> (case, string) result;
  close : case -> string -> agreement;
  plausible : case -> string -> bool;
  smaller : string -> string Seq.t;
  family : string -> string;
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
      [ "AM-Any"; "AM-Eval"; "AM-Tuple"; "AM-Var"; "_"; "stuck" ];
      List.map (( ^ ) "value ") value_labels ]

let attr_case request r =
  match r with
  | Text.Eval (a, env) ->
    let v = Shim.eval env a in
    { request; sound; defined = v <> None;
      labels = lazy (match v with Some v -> ("value " ^ value_label v) :: rules [ a ] | None -> [ "stuck" ]);
      answer = (match v with Some v -> Text.value_to_string v | None -> "stuck") }
  | Match (a, env, v) ->
    { request; sound; defined = true; labels = lazy (("value " ^ value_label v) :: match_rules a v @ rules [ a ]);
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
  { name = "attr"; close = by_text; family = one_family; request_ends = None; answer_ends = None; labels = attr_labels; smaller = smaller_attr;
    (* Two of three of the whole language; without comprehensions more arithmetic is found. *)
    generate =
      Some (fun g k ->
        let r = if k mod 3 = 2 then Gen.request g else Gen.request_full g in
        attr_case (Text.request_to_string r) r);
    read = (fun s -> Result.map (attr_case s) (Read.request s));
    plausible =
      (fun c s ->
        s = "error" || if starts "(match" c.request then s = "yes" || s = "no" else s = "stuck" || is_value s) }

(* {1 gsl} *)

let lines_of s = String.split_on_char '\n' s
let has_line p s = List.exists p (lines_of s)

(* The rule by which a form of a source matches, and by which one of a target is built. *)
let form_label = function
  | Shim_gsl.Wildcard -> "PM-Wildcard"
  | Variable -> "PM-Variable"
  | Constant _ -> "PM-Const"
  | Call _ -> "PM-Call"
  | Call_like _ -> "PM-Function"
  | Tuple_of _ -> "PM-Tuple"
  | Projection _ -> "PM-Proj"
  | Optional _ -> "PM-Optional"
  | Absent -> "PM-Absent"
  | Alt _ -> "PM-Alt"
  | Operator _ -> "operator pattern"
  | Variadic _ -> "PM-Variadic"
  | Instance _ -> "PM-Inst"
  | Choose _ -> "PE-Cond"
  | By_alternative _ -> "PE-Match"

let gsl_labels =
  [ "PM-Wildcard"; "PM-Variable"; "PM-Const"; "PM-Call"; "PM-Function"; "PM-Tuple"; "PM-Proj"; "PM-Optional"; "PM-Absent";
    "PM-Alt"; "PM-Variadic"; "PM-Inst"; "PM-First"; "PE-Shared"; "PE-Cond"; "PE-Match" ]

(* A pair whose name tells outputs of a match: is there none with one of them among those found? *)
let missed name answer =
  match String.split_on_char ' ' name with
  | _ :: "planted" :: outputs ->
    let roots l =
      match String.split_on_char '(' l with
      | "" :: head :: inside :: _ when starts "match " head ->
        String.split_on_char ' ' (List.hd (String.split_on_char ')' inside))
      | _ -> [] in
    not (has_line (fun l -> List.exists (fun r -> List.mem r outputs) (roots l)) answer)
  | _ -> false

let gsl_case request (c : Gsl_batch.case) =
  let answer = Gsl_batch.answer c in
  let labels =
    lazy
      (let forms = List.concat_map (fun (p : Shim_gsl.pattern) ->
           form_label p.form :: (if p.first <> None then [ "PM-First" ] else []) @ (if p.shared then [ "PE-Shared" ] else []))
           c.rule.patterns in
       let calls = List.filter_map (fun (p : Shim_gsl.pattern) ->
           match p.form with Call (op, _) -> Some op | _ -> None) c.rule.patterns in
       let kinds = List.filter_map (fun (what, n) -> if n > 0 then Some what else None) (Gen_gsl.census [ c ]) in
       let said =
         (if missed c.name answer then [ "planted and missed" ] else [])
         @ (if has_line (( = ) "rewritten") answer then [ "rewritten" ] else [])
         @ (if has_line (starts "a pass: ") answer then [ "rewritten several times" ] else []) in
       List.sort_uniq compare (forms @ calls @ kinds @ said)) in
  { request; sound; answer; defined = true; labels }

let gsl_read request =
  let left = ref (lines_of request @ [ "end" ]) in
  let next () = match !left with [] -> None | l :: rest -> left := rest; Some l in
  match (Gsl_batch.read_from next) () with
  | Seq.Cons (Ok c, _) -> Ok c
  | Seq.Cons (Error e, _) -> Error e
  | Seq.Nil -> Error "no pair"

(* Without the line that ends it. *)
let gsl_text inlines c =
  let s = Gsl_batch.print inlines c in
  String.sub s 0 (String.length s - String.length "end\n")

let gsl_generate features g k =
  let rec go () = match Gen_gsl.case features g k with Some c -> c | None -> go () in
  let c = go () in
  gsl_case (gsl_text (fun () -> Rng.percent g 60) c) c

let gsl_smaller request =
  match gsl_read request with
  | Error _ -> Seq.empty
  | Ok c ->
    List.to_seq (Gsl_batch.smaller c)
    |> Seq.map (fun (d : Gsl_batch.case) -> gsl_text (fun () -> false) { d with name = "0" })

let gsl =
  { name = "gsl"; close = by_text; family = one_family; request_ends = Some "end"; answer_ends = Some "end"; labels = gsl_labels; smaller = gsl_smaller;
    generate = Some (gsl_generate Gen_gsl.all);
    read = (fun s -> Result.map (gsl_case s) (gsl_read s));
    plausible = (fun c s -> List.hd (lines_of s) = List.hd (lines_of c.request)) }

(* {1 kernel} *)

let kernel_words =
  [ "sum(", "KE-Sum"; "select(", "KE-Sel"; "when(", "KE-Sel"; "orelse(", "orelse"; "amax(", "amax"; "//", "KE-Div"; "%", "KE-Mod";
    "&&", "KE-And"; "==", "KE-Cmp"; "!=", "KE-Cmp"; ">=", "KE-Cmp"; "<=", "KE-Cmp"; "at(", "KL-Lookup" ]
  @ List.map (fun (name, _) -> (name ^ "(", "KE-Fn " ^ name)) Kernel_term.functions

let contains s part =
  let n = String.length part in
  let rec go k = k + n <= String.length s && (String.sub s k n = part || go (k + 1)) in
  go 0

(* grad with its options, and an answer that is no kernel *)
let kernel_kind words answer =
  let kind = match words with [ "grad"; _; _; _; options ] -> "grad-" ^ options | kind :: _ -> kind | [] -> "" in
  match String.trim answer with
  | ("no" | "undefined" | "limit") as a -> kind ^ " " ^ a
  | a when starts "index" a ->
    (* an index outside: before the tensor, behind it, or of an empty one *)
    kind ^ (if contains a "empty" then " empty" else if contains a " is -" then " before" else " behind")
  | _ -> kind

(* [in_bounds]: the checker shows every load inside. *)
let kernel_case in_bounds request =
  match lines_of request with
  | [] -> Error "no request"
  | head :: lines ->
    let words = String.split_on_char ' ' head and said = ref "not a request" in
    match Jobs.kernel_answer (( := ) said) words (List.filter (( <> ) "") lines) in_bounds with
    | None | Some "error\n" -> Error !said
    | Some answer ->
      let none = List.mem (String.trim answer) [ "no"; "undefined"; "limit" ] || starts "index" answer in
      let labels =
        lazy
          (kernel_kind words answer
           :: (if none then []
               else List.sort_uniq compare (List.filter_map (fun (w, l) -> if contains request w then Some l else None) kernel_words))) in
      Ok { request; sound; answer; defined = not none; labels }

let kernel_read request = kernel_case (ref 0) request

(* A kernel that is not seen to be in bounds is left out. *)
let rec kernel_generate g k =
  let request = Gen_kernel.request g k and in_bounds = ref 0 in
  match kernel_case in_bounds request with
  | Ok c when !in_bounds > 0 || starts "look" request -> c
  | Ok _ -> kernel_generate g k
  | Error e -> raise (Shim.Internal (e ^ ": " ^ request))

let kernel_labels =
  [ "print"; "inline"; "inline no"; "run"; "run undefined"; "reverse"; "reverse no"; "grad"; "grad-u"; "grad-v"; "grad-s"; "grad no"; "grad limit";
    "look"; "look before"; "look behind"; "look empty" ]
  @ List.sort_uniq compare (List.map snd kernel_words)

(* An answer of lines that can be printed. *)
let printable _ s = s <> "" && String.for_all (fun c -> c = '\n' || (c >= ' ' && c <> '\127')) s

let kernel =
  { name = "kernel"; close = by_text; family = one_family; request_ends = Some ""; answer_ends = Some ""; generate = Some kernel_generate; read = kernel_read; plausible = printable;
    smaller = Shrink.smaller_lines; labels = kernel_labels }

(* {1 dpia} *)

(* The first words of the terms. *)
let heads s =
  let words = String.split_on_char '(' s in
  let word w = List.hd (String.split_on_char ')' (List.hd (String.split_on_char ' ' w))) in
  List.sort_uniq compare (List.filter (fun w -> w <> "" && not (w.[0] >= '0' && w.[0] <= '9')) (List.map word words))

let dpia_read request =
  let counts = { Dpia.translated = 0; typed = 0; ran = 0 } in
  Result.map
    (fun answer -> { request; answer; defined = true; labels = lazy (Gen_dpia.labels_of request); sound = lazy (counts.typed + counts.ran > 0) })
    (Result.bind (Dpia.parse_request request) (Dpia.answer counts))

let dpia_generate g k =
  let request = Gen_dpia.request g k in
  match dpia_read request with
  | Ok c when Lazy.force c.sound -> c
  | Ok _ -> raise (Shim.Internal ("a program that is not well typed: " ^ request))
  | Error e -> raise (Shim.Internal (e ^ ": " ^ request))

let dpia =
  { name = "dpia"; close = by_text; family = one_family; request_ends = None; answer_ends = Some "%%"; generate = Some dpia_generate; read = dpia_read; plausible = printable;
    smaller = Shrink_dpia.smaller; labels = Gen_dpia.labels }

(* {1 opvalue} *)

let balanced s =
  let depth = ref 0 and ok = ref true in
  String.iter (fun c -> if c = '(' then incr depth else if c = ')' then begin decr depth; if !depth < 0 then ok := false end) s;
  !ok && !depth = 0

(* Operator, element type, attributes; the rest is left. *)
let opvalue_head i =
  Read.opening i;
  let op = Read.atom i in
  let element = Read.atom i in
  Read.opening i;
  let attribute i =
    Read.opening i;
    let l = Read.label i in
    let v = Read.value i in
    Read.closing i;
    (l, v) in
  let attributes = Read.until_closed i attribute in
  let rec skip i = if Read.next i = '(' then begin Read.opening i; ignore (Read.until_closed i skip) end else ignore (Read.atom i) in
  ignore (Read.until_closed i skip);
  (op, element, attributes)

let opvalue_read request =
  Result.map
    (fun answer ->
      let labels =
        lazy
          (if answer = "refused" then [ "refused" ] else match Read.parse request opvalue_head with
           | Ok (op, element, attributes) -> op :: (op ^ " " ^ element) :: List.map (fun a -> op ^ "." ^ Gen_op.told a) attributes
           | Error _ -> []) in
      let known =
        lazy
          (match Read.parse request opvalue_head with
           | Ok (op, _, l) -> List.for_all (fun (a, _) -> Gen_op.has_attribute op a) l
           | Error _ -> false) in
      { request; sound = known; answer; defined = not (answer = "refused" || Filename.check_suffix answer " none"); labels })
    (Opvalue.answer request)

let opvalue_generate g k =
  let request = Gen_opvalue.request g k in
  match opvalue_read request with
  | Ok c -> c
  | Error e -> raise (Shim.Internal (e ^ ": " ^ request))

let opvalue =
  { name = "opvalue"; close = by_text; family = one_family; request_ends = None; answer_ends = None; generate = Some opvalue_generate; read = opvalue_read;
    plausible = (fun _ s -> s = "refused" || (s <> "" && s.[0] = '(' && balanced s));
    smaller = Gen_opvalue.smaller; labels = "refused" :: Gen_opvalue.labels }

(* {1 model} *)

let no_value = "no value"

let model_labels request = function
  | false -> [ no_value ]
  | true -> match Cells.read request with Ok m -> Gen_model.labels m | Error _ -> []

(* Well typed, as the theorems about models ask. *)
let model_sound request = match Model.read request with Ok m -> starts "(ready yes)" (Model.checks m) | Error _ -> false

let model_read request =
  Result.map
    (fun m ->
      let defined, answer = match Model.outputs m with Ok text -> (true, text) | Error text -> (false, text) in
      { request; answer; defined; labels = lazy (model_labels request defined); sound = lazy (model_sound request) })
    (Model.read request)

let model_generate g k =
  let { Gen_model.model; request; answer; defined } = Gen_model.case g k in
  { request; answer; defined; labels = lazy (if defined then Gen_model.labels model else [ no_value ]); sound = lazy (model_sound request) }

let smaller_model request =
  match Cells.read request with
  | Ok m -> Seq.map Cells.print (Shrink_model.smaller m)
  | Error _ -> Seq.empty

let model =
  { name = "model"; close = by_text; family = one_family; request_ends = Some ""; answer_ends = Some ""; generate = Some model_generate; read = model_read;
    plausible = (fun _ s -> (starts "(output " s || starts "(none " s) && balanced s);
    smaller = smaller_model; labels = no_value :: Gen_model.all_labels }

(* Fixed patterns with one output. *)
let gsl_fixed = { gsl with name = "gsl-fixed"; generate = Some (gsl_generate Gen_gsl.fixed); labels = [] }

let all = [ attr; dpia; gsl; gsl_fixed; kernel; model; opvalue ]
