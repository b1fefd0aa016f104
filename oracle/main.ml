(* calque-oracle: the extracted semantics as a command.  Exit status: 0 done,
   1 a negative answer, 2 usage or bad input, 3 internal error. *)

open Cmdliner

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

let rec answer_lines number status =
  match input_line stdin with
  | exception End_of_file -> status
  | line ->
    (match Read.request line with
     | Ok r ->
       put_line (answer r);
       answer_lines (number + 1) status
     | Error text ->
       put_line "error";
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
      2
    | Ok c ->
      if smaller then
        List.iteri
          (fun k c -> print_string (Gsl_batch.print no_inlining { c with Gsl_batch.name = string_of_int k }))
          (Gsl_batch.smaller c)
      else print_string (Gsl_batch.answer c);
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

let numbers values =
  String.concat " " (List.map Z.to_string (Array.to_list values))

(* None: not a request. *)
let kernel_answer words lines well_formed =
  let over number f =
    match number_of number with
    | None -> None
    | Some n ->
      match Kernel.read n lines with
      | Error text -> prerr_endline text; Some "error\n"
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
  | ["run"] ->
    over "integer" (fun k ->
      let stored = Kernel.run k in
      if List.exists (fun (_, v) -> v = None) stored then "undefined\n"
      else
        String.concat ""
          (List.map (fun (name, v) -> name ^ " " ^ numbers (Option.get v) ^ "\n") stored))
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
      match kernel_answer (String.split_on_char ' ' head) lines well_formed with
      | Some answer ->
        print_string answer;
        print_char '\n';
        go status
      | None ->
        put_line "error\n";
        go 2 in
  go 0

(* {1 Kernels and values of operators} *)

let answered answer () =
  let rec go n status =
    match input_line stdin with
    | exception End_of_file -> status
    | line ->
      match answer line with
      | Ok answer -> put_line answer; go (n + 1) status
      | Error e ->
        Printf.eprintf "%d:%s\n" n e;
        put_line "error";
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
        put_line "%%";
        go status
      | Error text ->
        Printf.eprintf "dpia: %s\n" text;
        put_line "error";
        put_line "%%";
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

(* {1 Command line} *)

let exits =
  [ Cmd.Exit.info 0 ~doc:"every request was answered.";
    Cmd.Exit.info 1 ~doc:"a tensor is not inlined: its reason is on standard error.";
    Cmd.Exit.info 2 ~doc:"bad usage, or a malformed request.";
    Cmd.Exit.info 3 ~doc:"internal error." ]

let attr_man =
  [ `S Manpage.s_description;
    `P "Reads one request per line on standard input and prints one answer per line.";
    `Pre "(eval EXPR ENV)          the value of EXPR, or stuck\n\
          (match EXPR ENV VALUE)   yes or no";
    `P "A malformed line is answered by $(b,error); what was expected is said on standard \
        error, and the exit status is 2 at the end.";
    `S Manpage.s_examples;
    `Pre "\\$ echo '(eval (proj (. 1 shape) -1) ((1 shape (tuple 8 4 3 3))))' | \
          calque-oracle attr\n3" ]

let attr_cmd =
  let operations =
    Arg.(value & flag & info ["operations"]
           ~doc:"List the operations, in the order of the Coq tables, and stop.") in
  let full =
    Arg.(value & flag & info ["full"]
           ~doc:"With $(b,--operations) and $(b,--generate): the whole language, not only the \
                 part that every floor supports.") in
  let count =
    Arg.(value & opt (some int) None & info ["generate"] ~docv:"N"
           ~doc:"Print $(docv) random requests instead, and on standard error how many have \
                 a value, are stuck, match or do not match.") in
  let seed =
    Arg.(value & opt int64 1L & info ["seed"] ~docv:"S"
           ~doc:"The seed of $(b,--generate); the same seed gives the same requests.") in
  Cmd.v
    (Cmd.info "attr" ~doc:"evaluate and match attribute expressions" ~exits ~man:attr_man)
    Term.(const attr $ operations $ full $ count $ seed)

let graph_arg = Arg.(required & pos 0 (some string) None & info [] ~docv:"GRAPH"
                       ~doc:"A graph, as $(b,calque dump MODEL --format=sexp) prints it.")
let rules_arg = Arg.(required & pos 1 (some string) None & info [] ~docv:"RULES"
                       ~doc:"Rules, as $(b,calque dump RULES.gsl) prints them.")
let only_arg = Arg.(value & opt (some string) None & info ["rule"] ~docv:"NAME"
                      ~doc:"Only this rule.")

let match_cmd =
  Cmd.v
    (Cmd.info "match" ~doc:"find the matches of rules in a graph" ~exits
       ~man:[ `S Manpage.s_description;
              `P "Prints a line for each match, rule by rule, by the number of the first output:";
              `Pre "(match RULE (NODE ..) (PATTERN NODE) .. (PATTERN@INSTANCE NODE) ..\n\
                    \                      (length PATTERN N) .. (alt PATTERN K) ..)" ])
    Term.(const match_rules $ graph_arg $ rules_arg $ only_arg)

let rewrite_cmd =
  let fuel =
    Arg.(value & opt int 1000 & info ["fuel"] ~docv:"N" ~doc:"At most $(docv) rewrites.") in
  let text =
    Arg.(value & flag & info ["text"] ~doc:"Print .graph text, types of new nodes left to its reader.") in
  Cmd.v
    (Cmd.info "rewrite" ~doc:"rewrite a graph by rules" ~exits
       ~man:[ `S Manpage.s_description;
              `P "Applies the first rule that applies, at the first node where it does, until none \
                  does; prints the graph, and on standard error rule and node of each rewrite." ])
    Term.(const rewrite_graph $ graph_arg $ rules_arg $ only_arg $ fuel $ text)

let canonical_cmd =
  Cmd.v
    (Cmd.info "canonical" ~exits
       ~doc:"print a graph in an order that depends on the graph only: inputs, then a walk from the \
             outputs; names of other nodes and what no output needs are left out")
    Term.(const canonical $ graph_arg)

let check_cmd =
  let rules = Arg.(required & pos 0 (some string) None & info [] ~docv:"RULES"
                     ~doc:"Rules, as $(b,calque dump RULES.gsl) prints them.") in
  let proved = Arg.(value & flag & info ["proved"]
                      ~doc:"Is the rule one of those proved sound for all shapes? Prints (proved RULE CLASS THEOREM) \
                            or (proved RULE no).") in
  Cmd.v
    (Cmd.info "check" ~doc:"check that rules never come to an undefined reference" ~exits
       ~man:[ `S Manpage.s_description;
              `P "Prints (check RULE yes) or (check RULE no) for each rule. Yes: whatever a match is, \
                  the attributes, conditions and target refer only to what it defines." ])
    Term.(const check_rules $ rules $ proved)

let library_cmd =
  let set = Arg.(required & pos 0 (some string) None & info [] ~docv:"SET" ~doc:"Its name.") in
  let rules = Arg.(required & pos 1 (some string) None & info [] ~docv:"RULES"
                     ~doc:"Rules, as $(b,calque dump RULES.gsl) prints them.") in
  let graphs = Arg.(value & pos_right 1 string [] & info [] ~docv:"GRAPH"
                      ~doc:"Graphs, as $(b,calque dump --format=sexp) prints them; named by their files.") in
  let title = Arg.(value & opt string "The rules of the library" & info ["title"] ~doc:"What they are.") in
  Cmd.v
    (Cmd.info "library" ~doc:"state a set of rules, and graphs, as Coq definitions" ~exits)
    Term.(const (fun set rules title graphs -> print_library rules set title graphs)
          $ set $ rules $ title $ graphs)

let kernel_man =
  [ `S Manpage.s_description;
    `P "Reads requests on standard input, each a line and the statements of a kernel in the text \
        that calque dump prints, ended by an empty line; answers the same way.";
    `Pre "print TYPE                  the same text\n\
          inline TYPE OUTPUTS TENSOR  the kernel without TENSOR, or no\n\
          reverse TYPE OUTPUTS TENSOR the same, its consumer in its loops: their variables, then the kernel\n\
          grad TYPE OUTPUTS TENSORS [OPTIONS]  the gradient, or no or limit; letters u nothing eliminated, \
          s no sum split off, v values too\n\
          run                         elements of all tensors stored, or undefined";
    `P "TYPE is $(b,real) or $(b,integer); OUTPUTS are names with commas." ]

let kernel_cmd =
  Cmd.v
    (Cmd.info "kernel" ~doc:"print, inline and run index-notation kernels" ~exits ~man:kernel_man)
    Term.(const kernel_lines $ const ())

let opkernel_cmd =
  let well_formed =
    Arg.(value & flag & info ["well-formed"]
           ~doc:"Answer instead whether the checker of kernels shows every load inside its tensor.") in
  let answer wf = answered (if wf then Opkernel.well_formed else Opkernel.answer) () in
  Cmd.v
    (Cmd.info "opkernel" ~doc:"print the kernels of operators" ~exits
       ~man:[ `S Manpage.s_description;
              `P "Reads requests on standard input, one a line, and prints one answer a line:";
              `Pre "(NAME TYPE ((DIM ..) ..) (DIM ..) ((LABEL VALUE) ..) (INDEX ..))";
              `P "An operator, its element type ($(b,f32), $(b,f64), $(b,i32), $(b,i64)), the shapes of its \
                  inputs and of output 0, its attributes in the internal form, the values of a Gather's \
                  indices. Answers are $(b,none) or the statements:";
              `Pre "((TENSOR (DIM ..) VALUE) ..)" ])
    Term.(const answer $ well_formed)

let opvalue_cmd =
  Cmd.v
    (Cmd.info "opvalue" ~doc:"print the values of operators" ~exits
       ~man:[ `S Manpage.s_description;
              `P "Reads requests on standard input, one a line, and prints one answer a line:";
              `Pre "(NAME TYPE ((LABEL VALUE) ..) INPUT ..)";
              `P "An operator, its element type ($(b,f32), $(b,f64), $(b,i64)), its attributes, and its inputs: \
                  $(b,absent), or a tensor $(b,((DIM ..) (CELL ..))). Cells of floats are the 64 bits of the \
                  nearest binary64 as a signed number. Answers are $(b,refused) where the shapes do not fit, \
                  else the shapes of the results, and behind them $(b,none) where there is no value, or the \
                  results:";
              `Pre "((DIM ..) ..) (TENSOR ..)" ])
    Term.(const (answered Opvalue.answer) $ const ())

let inline_cmd =
  let file = Arg.(required & pos 0 (some string) None & info [] ~docv:"FILE"
                    ~doc:"Statements as calque dump prints them; - is standard input.") in
  let option name doc = Arg.(value & opt string "" & info [name] ~docv:"NAMES" ~doc) in
  let number = Arg.(value & opt string "real" & info ["type"] ~docv:"TYPE"
                      ~doc:"$(b,real) or $(b,integer).") in
  Cmd.v
    (Cmd.info "inline" ~doc:"inline tensors of a kernel; no dead statement is removed" ~exits)
    Term.(const inline_file $ file $ option "tensor" "What to inline, in this order."
          $ option "out" "The outputs." $ number)

let examples_cmd =
  let command = Arg.(required & pos 0 (some string) None & info [] ~docv:"COMMAND"
                       ~doc:"attr, check, match, rewrite, kernel or inline.") in
  let most = Arg.(value & opt int 200 & info ["most"] ~docv:"N" ~doc:"At most $(docv) examples.") in
  Cmd.v
    (Cmd.info "examples" ~exits
       ~doc:"state the answers to requests on standard input as a Coq file, each proved by vm_compute")
    Term.(const examples $ command $ most)

let dpia_man =
  [ `S Manpage.s_description;
    `P "FILE is a functional program as $(b,calque dump --format=sexp) prints it. Without FILE, requests are read \
        from standard input, one a line, and each answer ends with a line %%:";
    `Pre "(translate PROGRAM)         comm, a line --, c\n\
          (run (sizes N ..) COUNT (values V ..) .. PROGRAM)";
    `P "Values are bits in hexadecimal (f32, f64) or integers, row by row, for each input in order; so are answers." ]

let dpia_cmd =
  let file = Arg.(value & pos 0 (some string) None & info [] ~docv:"FILE" ~doc:"The program.") in
  let stage = Arg.(value & opt string "comm" & info ["stage"] ~docv:"STAGE"
                     ~doc:"$(b,comm), $(b,c), or $(b,run): evaluate, and run the emitted program, which must agree.") in
  let sizes = Arg.(value & opt string "" & info ["sizes"] ~docv:"NUMBERS" ~doc:"The size variables' values, in order.") in
  let inputs = Arg.(value & opt_all string [] & info ["input"] ~docv:"VALUES" ~doc:"The values of the next input.") in
  let fast = Arg.(value & flag & info ["fast"] ~doc:"With $(b,--stage=run): no race checks.") in
  Cmd.v
    (Cmd.info "dpia" ~doc:"translate and run functional programs with strategies" ~exits ~man:dpia_man)
    Term.(const dpia $ stage $ sizes $ inputs $ fast $ file)

let gsl_man =
  [ `S Manpage.s_description;
    `P "Reads pairs of a rule and a graph on standard input, as $(b,--generate) prints them, and prints \
        for each: graph and rule as they were read, the matches, and the graph after one rewrite whose \
        target has the types of the source, every node typed, in the order of a walk from the outputs." ]

let gsl_cmd =
  let count = Arg.(value & opt (some int) None & info ["generate"] ~docv:"N"
                     ~doc:"Print $(docv) random pairs instead, and on standard error what they contain.") in
  let seed = Arg.(value & opt int64 1L & info ["seed"] ~docv:"S"
                    ~doc:"The seed of $(b,--generate); the same seed gives the same pairs.") in
  let fixed = Arg.(value & flag & info ["fixed"] ~doc:"Only fixed patterns with one output.") in
  let smaller = Arg.(value & flag & info ["smaller"]
                       ~doc:"Print instead the pairs that are one step smaller.") in
  Cmd.v
    (Cmd.info "gsl" ~doc:"match and rewrite streams of (rule, graph) pairs" ~exits ~man:gsl_man)
    Term.(const gsl $ count $ seed $ fixed $ smaller)

let main_cmd =
  let info =
    Cmd.info "calque-oracle" ~version:"0.1.0"
      ~doc:"the meaning of Calque's languages, extracted from its Coq definitions" ~exits in
  Cmd.group info [attr_cmd; canonical_cmd; dpia_cmd; examples_cmd; gsl_cmd; kernel_cmd; inline_cmd; match_cmd; opkernel_cmd; opvalue_cmd; rewrite_cmd; check_cmd; library_cmd]

let () =
  set_binary_mode_in stdin true;
  set_binary_mode_out stdout true;
  let status =
    match Cmd.eval_value ~catch:false main_cmd with
    | Ok (`Ok status) -> status
    | Ok (`Help | `Version) -> 0
    | Error (`Parse | `Term) -> 2
    | Error `Exn -> 3
    | exception e ->
      prerr_endline ("calque-oracle: internal error: " ^ Printexc.to_string e);
      3 in
  exit status
