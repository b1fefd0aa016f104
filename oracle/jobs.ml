(* {1 attr} *)

type outcome = Value of string | Stuck | Yes | No

let decide = function
  | Text.Eval (a, env) ->
    (match Shim.eval env a with
     | Some v -> Value (Text.value_to_string v)
     | None -> Stuck)
  | Text.Match (a, env, v) -> if Shim.matches env a v then Yes else No

let answer r =
  match decide r with
  | Value text -> text
  | Stuck -> "stuck"
  | Yes -> "yes"
  | No -> "no"

let put_line s =
  print_string s;
  print_char '\n'

(* Who asked may wait for the answer before the next request. *)
let put_answer s =
  put_line s;
  flush stdout

let rec answer_lines number status =
  match input_line stdin with
  | exception End_of_file -> status
  | line ->
    (match Read.request line with
     | Ok r ->
       put_answer (answer r);
       answer_lines (number + 1) status
     | Error text ->
       put_answer "error";
       Printf.eprintf "-:%d:%s\n" number text;
       answer_lines (number + 1) 2)

let generate full count seed =
  let g = Rng.create ~seed in
  let values = ref 0 and stuck = ref 0 and yes = ref 0 and no = ref 0 in
  for _ = 1 to count do
    let r = if full then Gen.request_full g else Gen.request g in
    incr (match decide r with Value _ -> values | Stuck -> stuck | Yes -> yes | No -> no);
    put_line (Text.request_to_string r)
  done;
  Printf.eprintf
    "attr: seed %Ld: %d requests: eval %d (value %d, stuck %d), match %d (yes %d, no %d)\n"
    seed count (!values + !stuck) !values !stuck (!yes + !no) !yes !no;
  0

let list_operations full =
  let names word l = List.iter (fun (_, name) -> put_line (word ^ " " ^ name)) l in
  names "unary" Shim.unary_names;
  names "binary" Shim.binary_names;
  if full then begin
    names "reduction" Shim.reduction_names;
    names "function" Shim.func_names
  end;
  0

let attr operations full count seed =
  match operations, count with
  | true, _ -> list_operations full
  | false, Some n when n >= 0 -> generate full n seed
  | false, Some _ ->
    prerr_endline "calque-oracle: --generate needs a number that is not negative";
    2
  | false, None -> answer_lines 1 0

(* {1 match, rewrite} *)

let read_file path =
  match open_in_bin path with
  | exception Sys_error text -> Error text
  | ic ->
    Fun.protect ~finally:(fun () -> close_in_noerr ic) (fun () ->
      match really_input_string ic (in_channel_length ic) with
      | s -> Ok s
      | exception (Sys_error _ | End_of_file) -> Error (path ^ ": cannot be read"))

let parsed path parse =
  match read_file path with
  | Error text -> Error text
  | Ok s -> Result.map_error (fun text -> path ^ ":" ^ text) (parse s)

let with_inputs graph rules only run =
  match parsed graph Gsl.graph, parsed rules Gsl.rules with
  | Error text, _ | _, Error text ->
    prerr_endline text;
    2
  | Ok g, Ok rules ->
    match only with
    | None -> run g rules
    | Some name ->
      match List.filter (fun r -> r.Shim_gsl.rule = name) rules with
      | [] ->
        prerr_endline ("calque-oracle: no rule " ^ name);
        2
      | rules -> run g rules

let match_rules graph rules only =
  with_inputs graph rules only (fun g rules ->
    let found r =
      List.iter (fun f -> put_line (Gsl.found_to_string r.Shim_gsl.rule f)) (Shim_gsl.matches r g) in
    List.iter found rules;
    0)

let rewrite_graph graph rules only fuel text =
  with_inputs graph rules only (fun g rules ->
    let g, log = Shim_gsl.rewrite ~fuel:(max 0 fuel) rules g in
    List.iter (fun (r, e) -> Printf.eprintf "%s %d\n" r e) log;
    print_string (if text then Gsl_surface.graph g else Gsl.graph_to_string g);
    0)

let check_rules rules proved =
  match parsed rules Gsl.rules with
  | Error text ->
    prerr_endline text;
    2
  | Ok rules ->
    let answer r =
      let name = r.Shim_gsl.rule in
      if proved then
        put_line
          (match Shim_gsl.proved r with
           | Some c -> Printf.sprintf "(proved %s %s rule_%s_sound)" name c name
           | None -> Printf.sprintf "(proved %s no)" name)
      else put_line (Printf.sprintf "(check %s %s)" name (if Shim_gsl.check r then "yes" else "no")) in
    List.iter answer rules;
    0

let print_library rules set title graphs =
  match parsed rules Gsl.rules with
  | Error text ->
    prerr_endline text;
    2
  | Ok rules ->
    print_string (Printf.sprintf "(** * %s: %s\n\n    Printed from the rules that the compiler reads; a test prints \
                                  them again. *)\n\n" title set);
    print_string (Coq_print.header
                    ("attr.Attr" :: (if graphs = [] then [] else [ "graph.Graph" ]) @ [ "pattern.Pattern"; "pattern.Match" ]));
    print_string (Shim_gsl.definitions set rules);
    let one status file =
      match parsed file Gsl.graph with
      | Ok g ->
        print_string ("\n" ^ Shim_gsl.graph_definition Filename.(remove_extension (basename file)) g);
        status
      | Error text -> prerr_endline (file ^ ": " ^ text); 2 in
    List.fold_left one 0 graphs

let canonical graph =
  match parsed graph Gsl.graph with
  | Error text ->
    prerr_endline text;
    2
  | Ok g ->
    print_string (Gsl.graph_to_string (Gsl_batch.canonical g));
    0

(* {1 gsl: streams of (rule, graph) pairs} *)

let no_inlining () = false

let gsl_answers smaller =
  let one status = function
    | Error text ->
      prerr_endline text;
      put_answer "error\nend";
      2
    | Ok c ->
      if smaller then
        List.iteri
          (fun k c -> print_string (Gsl_batch.print no_inlining { c with Gsl_batch.name = string_of_int k }))
          (Gsl_batch.smaller c)
      else begin
        print_string (Gsl_batch.answer c);
        put_answer "end"
      end;
      status in
  Seq.fold_left one 0 (Gsl_batch.read stdin)

let gsl_generate count seed fixed =
  let g = Rng.create ~seed in
  let features = if fixed then Gen_gsl.fixed else Gen_gsl.all in
  let discarded = ref 0 in
  let rec next k =
    match Gen_gsl.case features g k with
    | Some c -> c
    | None -> incr discarded; next k in
  let cases = List.init count (fun k ->
    let c = next k in
    print_string (Gsl_batch.print (fun () -> Rng.percent g 60) c);
    c) in
  Printf.eprintf "gsl: seed %Ld: %d pairs, %d discarded\n" seed count !discarded;
  List.iter (fun (what, n) -> Printf.eprintf "gsl: %6d %s\n" n what) (Gen_gsl.census cases);
  0

let gsl generate seed fixed smaller =
  match generate with
  | Some n when n >= 0 -> gsl_generate n seed fixed
  | Some _ ->
    prerr_endline "calque-oracle: --generate needs a number that is not negative";
    2
  | None -> gsl_answers smaller

(* {1 kernel} *)

let number_of = function "real" -> Some Kernel.Real | "integer" -> Some Kernel.Integer | _ -> None
let names s = List.filter (( <> ) "") (String.split_on_char ',' s)

let stored_text stored =
  if List.exists (fun (_, v) -> v = None) stored then "undefined\n"
  else
    String.concat ""
      (List.map (fun (name, v) -> String.concat " " (name :: List.map Z.to_string (Array.to_list (Option.get v))) ^ "\n") stored)

(* None: not a request; what is malformed is said to [complain]. *)
let kernel_answer complain words lines well_formed =
  let over number f =
    match number_of number with
    | None -> None
    | Some n ->
      match Kernel.read n lines with
      | Error text -> complain text; Some "error\n"
      | Ok k ->
        if Kernel.well_formed k then incr well_formed;
        Some (f k) in
  match words with
  | ["print"; number] -> over number Kernel.print
  | ["inline"; number; outputs; tensor] ->
    over number (fun k ->
      match Kernel.inline k ~outputs:(names outputs) tensor with
      | Ok k -> Kernel.print k
      | Error _ -> "no\n")
  | ["reverse"; number; outputs; tensor] ->
    over number (fun k ->
      match Kernel.reverse k ~outputs:(names outputs) tensor with
      | Some text -> text
      | None -> "no\n")
  | ["grad"; number; outputs; wrt] | ["grad"; number; outputs; wrt; _] ->
    over number (fun k ->
      let options = match words with [_; _; _; _; options] -> options | _ -> "" in
      match Kernel_grad.gradient k ~outputs:(names outputs) ~wrt:(names wrt) options with
      | Some (Ok g) -> Kernel.print g
      | Some (Error why) -> why ^ "\n"
      | None -> "error\n")
  | ["look"] ->
    (match Kernel_term.read_lines Kernel.Integer lines with
     | Error text -> complain text; Some "error\n"
     | Ok k ->
       match Kernel.run_lines k with
       | Error text -> Some (text ^ "\n")
       | Ok stored -> Some (stored_text stored))
  | ["run"] ->
    over "integer" (fun k -> stored_text (Kernel.run k))
  | _ -> None

let kernel_lines () =
  let rec block acc =
    match input_line stdin with
    | exception End_of_file -> List.rev acc
    | "" -> List.rev acc
    | line -> block (line :: acc) in
  let count = ref 0 and well_formed = ref 0 in
  let rec go status =
    match block [] with
    | [] ->
      Printf.eprintf "kernel: %d requests, %d well-formed by the extracted checker\n" !count
        !well_formed;
      status
    | head :: lines ->
      incr count;
      match kernel_answer prerr_endline (String.split_on_char ' ' head) lines well_formed with
      | Some answer ->
        print_string answer;
        put_answer "";
        go status
      | None ->
        put_answer "error\n";
        go 2 in
  go 0

(* {1 Kernels and values of operators} *)

let answered answer () =
  let rec go n status =
    match input_line stdin with
    | exception End_of_file -> status
    | line ->
      match answer line with
      | Ok answer -> put_answer answer; go (n + 1) status
      | Error e ->
        Printf.eprintf "%d:%s\n" n e;
        put_answer "error";
        go (n + 1) 2 in
  go 1 0

(* {1 Examples for Coq} *)

let rec fold_stdin_lines f acc =
  match input_line stdin with
  | exception End_of_file -> acc
  | line -> fold_stdin_lines f (f acc line)

(* Answers the requests of a command as Coq examples, at most [most] of them. *)
let attr_examples most =
  print_string (Coq_print.header [ "base.Lists"; "attr.Attr" ]);
  let one k line =
    if k = most then k
    else
      match Read.request line with
      | Ok (Text.Eval (a, env)) -> print_string (Shim.eval_example k env a); k + 1
      | Ok (Text.Match (a, env, v)) -> print_string (Shim.match_example k env a v); k + 1
      | Error _ -> k in
  fold_stdin_lines one 0

let pair_examples most modules example =
  print_string (Coq_print.header modules);
  let one k = function
    | Ok (c : Gsl_batch.case) when k < most -> print_string (example k c.rule c.graph); k + 1
    | _ -> k in
  Seq.fold_left one 0 (Gsl_batch.read stdin)

let kernel_examples most prelude example =
  print_string (Coq_print.header [ "kernel.Kernel"; "kernel.Numbers"; "kernel.Inline" ] ^ prelude);
  let rec block acc =
    match input_line stdin with
    | exception End_of_file -> List.rev acc
    | "" -> List.rev acc
    | line -> block (line :: acc) in
  let rec go k =
    match block [] with
    | [] -> k
    | head :: lines when k < most ->
      let text =
        match Kernel.read Kernel.Integer lines with
        | Ok kernel -> example k (String.split_on_char ' ' head) kernel
        | Error _ -> None in
      (match text with Some s -> print_string s; go (k + 1) | None -> go k)
    | _ -> go k in
  go 0

let examples command most =
  let patterns = [ "base.Lists"; "attr.Attr"; "graph.Graph"; "pattern.Pattern"; "pattern.Match" ] in
  let count =
    match command with
    | "attr" -> Ok (attr_examples most)
    | "match" -> Ok (pair_examples most patterns Shim_gsl.matches_example)
    | "check" ->
      Ok (pair_examples most (patterns @ [ "rewrite.Order"; "rewrite.Rewrite"; "rewrite.Check" ])
            (fun k r _ -> Shim_gsl.check_example k r))
    | "rewrite" ->
      Ok (pair_examples most (patterns @ [ "rewrite.Order"; "rewrite.Rewrite" ])
            (Shim_gsl.rewrite_example ~fuel:2))
    | "kernel" ->
      Ok (kernel_examples most (Kernel.syntax_prelude ^ Kernel.run_prelude) (fun k head kernel ->
        if head = [ "run" ] then Kernel.run_example ~most:150 k kernel else None))
    | "inline" ->
      Ok (kernel_examples most Kernel.syntax_prelude (fun k head kernel ->
        match head with
        | [ "inline"; "integer"; outputs; tensor ] ->
          Kernel.inline_example k kernel ~outputs:(names outputs) tensor
        | _ -> None))
    | _ -> Error () in
  match count with
  | Ok k ->
    Printf.eprintf "%d examples\n" k;
    0
  | Error () ->
    prerr_endline "calque-oracle: examples of attr, check, match, rewrite, kernel or inline";
    2

let read_lines file =
  let c = if file = "-" then stdin else open_in_bin file in
  let rec go acc = match input_line c with l -> go (l :: acc) | exception End_of_file -> List.rev acc in
  let l = go [] in
  if file <> "-" then close_in c;
  List.filter (( <> ) "") l

let inline_file file tensors outputs number =
  match number_of number with
  | Some n ->
    (match Kernel.read n (read_lines file) with
     | Error text ->
       Printf.eprintf "%s:%s\n" file text;
       2
     | Ok k ->
       let step k name =
         Result.bind k (fun k ->
           Result.map_error (fun why -> name ^ ": " ^ why)
             (Kernel.inline k ~outputs:(names outputs) name)) in
       match List.fold_left step (Ok k) (names tensors) with
       | Ok k -> print_string (Kernel.print k); 0
       | Error why ->
         prerr_endline ("calque-oracle: " ^ why);
         1)
  | None ->
    prerr_endline "calque-oracle: --type is real or integer";
    2

(* {1 validate} *)

(* Programs, one a line, against kernels in the same order; each that is not equal is said. *)
let validate_pairs programs kernels =
  let equal = ref 0 and statements = ref 0 and looks = ref 0 and status = ref 0 in
  let complain n text = print_endline text; status := max !status n in
  List.iter2
    (fun program (name, lines) ->
      match Validate.check program lines with
      | Ok (Some (Validate.Equal n)) -> incr equal; statements := !statements + n
      | Ok (Some (Validate.Different why)) -> complain 1 ("different: " ^ name ^ ": " ^ why)
      | Ok None -> incr looks
      | Error text -> complain 2 ("unread: " ^ name ^ ": " ^ text))
    programs kernels;
  Printf.printf "equal: %d kernels, %d statements%s\n" !equal !statements
    (if !looks = 0 then "" else Printf.sprintf "; %d look-ups by data are not looked at" !looks);
  !status

let validate program kernel =
  let lines = List.filter (fun s -> s <> "" && s.[0] <> '#') (read_lines program) in
  match read_file kernel with
  | Error text -> prerr_endline text; 2
  | Ok text ->
    let kernels = Validate.kernels text in
    if List.compare_lengths lines kernels <> 0 then begin
      Printf.eprintf "calque-oracle: %d programs for %d kernels\n" (List.length lines) (List.length kernels);
      2
    end
    else validate_pairs lines kernels

let packed file =
  let equal = ref 0 and statements = ref 0 and status = ref 0 in
  let complain n text = print_endline text; status := max !status n in
  match read_file file with
  | Error text -> prerr_endline text; 2
  | Ok text ->
    List.iter
      (fun (name, lines) ->
        match Validate.packed (Filename.dirname file) lines with
        | Ok (Validate.Equal n) -> incr equal; statements := !statements + n
        | Ok (Validate.Different why) -> complain 1 ("different: " ^ name ^ ": " ^ why)
        | Error text -> complain 2 ("unread: " ^ name ^ ": " ^ text))
      (Validate.kernels text);
    Printf.printf "equal: %d packed kernels, %d statements\n" !equal !statements;
    !status

let statements file =
  let equal = ref 0 and plain = ref 0 and status = ref 0 in
  let complain n text = print_endline text; status := max !status n in
  match read_file file with
  | Error text -> prerr_endline text; 2
  | Ok text ->
    List.iter
      (fun (name, lines) ->
        match Statements.check lines with
        | Ok Statements.Equal -> incr equal
        | Ok Statements.Plain -> incr plain
        | Ok Statements.Different -> complain 1 ("different: " ^ name ^ ": that is not seen")
        | Error text -> complain 2 ("unread: " ^ name ^ ": " ^ text))
      (Validate.kernels text);
    Printf.printf "equal: %d kernels%s\n" !equal (if !plain = 0 then "" else Printf.sprintf "; %d of plain statements" !plain);
    !status

let calls file =
  match read_file file with
  | Error text -> prerr_endline text; 2
  | Ok text ->
    (match Calls.check text with
     | Ok (Calls.Equal (n, looped)) ->
       Printf.printf "equal: %d calls%s\n" n (if looped = 0 then "" else Printf.sprintf ", %d of them in loops" looped);
       0
     | Ok (Calls.Different why) -> print_endline ("different: " ^ why); 1
     | Error text -> print_endline ("unread: " ^ file ^ ":" ^ text); 2)

(* {1 emit} *)

let emit graph name =
  match Result.bind (parsed graph Plain.read) (fun g -> Result.map_error (fun s -> graph ^ ": " ^ s) (Plain.c ~name g)) with
  | Ok text -> print_string text; 0
  | Error text -> prerr_endline ("calque-oracle: " ^ text); 1

(* {1 dpia} *)

let dpia_requests () =
  let counts = { Dpia.translated = 0; typed = 0; ran = 0 } in
  let rec go status =
    match input_line stdin with
    | exception End_of_file ->
      Printf.eprintf "dpia: %d programs translated, %d of them accepted by the extracted checker, %d run\n"
        counts.Dpia.translated counts.typed counts.ran;
      status
    | line ->
      match Result.bind (Dpia.parse_request line) (Dpia.answer counts) with
      | Ok text ->
        print_string text;
        put_answer "%%";
        go status
      | Error text ->
        Printf.eprintf "dpia: %s\n" text;
        put_line "error";
        put_answer "%%";
        go 2 in
  go 0

let dpia_file stage sizes inputs fast file =
  let print = function
    | Ok text -> print_string text; 0
    | Error text -> prerr_endline text; 2 in
  let words s = List.filter (( <> ) "") (String.split_on_char ' ' s) in
  let runnable p =
    match List.map int_of_string (words sizes) with
    | values -> Dpia.run ~values:(Array.of_list values) ~inputs:(List.map words inputs) ~races:(not fast) p
    | exception Failure _ -> Error "calque-oracle: --sizes takes numbers" in
  match stage with
  | "comm" -> print (Result.map Dpia.comm (parsed file Dpia.parse_program))
  | "c" -> print (Result.map Dpia.c (parsed file Dpia.parse_program))
  | "run" -> print (Result.bind (parsed file Dpia.parse_runnable) runnable)
  | s ->
    prerr_endline ("calque-oracle: no stage " ^ s ^ ": comm, c, run");
    2

let dpia stage sizes inputs fast file =
  match file with None -> dpia_requests () | Some file -> dpia_file stage sizes inputs fast file

(* {1 model} *)

let model_answer check m = if check then Ok (Model.checks m) else Model.outputs m

let model_file check path =
  match parsed path Model.read with
  | Error text -> prerr_endline text; 2
  | Ok m ->
    match model_answer check m with
    | Ok text -> print_string text; 0
    | Error text -> print_string text; 1

(* Models on standard input, an empty line behind each; so are the answers. *)
let models check =
  let rec block acc =
    match input_line stdin with
    | exception End_of_file -> List.rev acc
    | "" -> List.rev acc
    | line -> block (line :: acc) in
  let rec go n status =
    match block [] with
    | [] -> status
    | lines ->
      match Model.read (String.concat "\n" lines) with
      | Error text ->
        Printf.eprintf "model %d:%s\n" n text;
        put_answer "error\n";
        go (n + 1) 2
      | Ok m ->
        (match model_answer check m with Ok text | Error text -> print_string text);
        put_answer "";
        go (n + 1) status in
  go 1 0

let model check = function Some path -> model_file check path | None -> models check
