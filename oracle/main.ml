(* calque-oracle: the extracted semantics as a command.  Exit status: 0 done,
   1 a negative answer, 2 usage or bad input, 3 internal error. *)

open Cmdliner
open Jobs

let exits =
  [ Cmd.Exit.info 0 ~doc:"every request was answered.";
    Cmd.Exit.info 1 ~doc:"a tensor is not inlined: its reason is on standard error; an output of a model has no value; \
                            a program is not seen to compute a kernel.";
    Cmd.Exit.info 2 ~doc:"bad usage, or a malformed request.";
    Cmd.Exit.info 3 ~doc:"internal error." ]

let attr_man =
  [ `S Manpage.s_description;
    `P "Reads requests on standard input and prints an answer to each." ]
  @ Grammar.requests "attr"
  @ [ `P "A malformed line is answered by $(b,error); what was expected is said on standard \
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

let emit_cmd =
  let stem = Arg.(value & opt string "model" & info ["name"] ~docv:"NAME" ~doc:"What the function is called.") in
  Cmd.v
    (Cmd.info "emit" ~doc:"print the plain C of a whole model" ~exits
       ~man:[ `S Manpage.s_description;
              `P "The unit that the extracted compiler makes of the graph, with the plan of memory in which nothing overlaps, \
                  as C: a function for each operator, the constants, a function that calls them in order. The same bytes as \
                  $(b,calque emit --plain). Exit status 1: a node is refused; standard error says which and why. Models with millions of weights \
                  need a large stack (ulimit -s unlimited)." ])
    Term.(const emit $ graph_arg $ stem)

let validate_cmd =
  let program = Arg.(required & pos 0 (some string) None & info [] ~docv:"PROGRAMS"
                       ~doc:"Functional programs, as $(b,calque dump FILE --stage=dpia --format=sexp) prints them.") in
  let kernel = Arg.(required & pos 1 (some string) None & info [] ~docv:"KERNELS"
                      ~doc:"Their kernels in the same order, as $(b,calque dump FILE --stage=kernel) prints them.") in
  Cmd.v
    (Cmd.info "validate" ~doc:"check that functional programs compute kernels" ~exits
       ~man:[ `S Manpage.s_description;
              `P "Each cell of a program must be its kernel's, bit for bit, whatever the strategy. Prints the kernels of \
                  which this is not seen, with the reason, and how many are $(b,equal). Exit status: 1 if one is not. \
                  Look-ups by data are no programs; they are counted." ])
    Term.(const validate $ program $ kernel)

(* A check of one file that the command writes. *)
let file_cmd name check ~doc ~holds man =
  let file = Arg.(required & pos 0 (some string) None & info [] ~docv:"FILE" ~doc:holds) in
  Cmd.v (Cmd.info name ~doc ~exits ~man:[ `S Manpage.s_description; `P man ]) Term.(const check $ file)

let packed_cmd =
  file_cmd "packed" packed ~doc:"check that kernels that were changed before they are lowered compute the originals"
    ~holds:"Kernels before and after, as $(b,calque dump MODEL --stage=packed) prints them, or NAME.packed of $(b,calque emit --certificate), \
            whose data are in NAME.data beside it."
    "Each cell that an original stores must be the changed kernel's, bit for bit, and the packed data those of the constants. \
     Prints the kernels of which this is not seen, with the reason, and how many are $(b,equal). Exit status: 1 if one is not."

let statements_cmd =
  file_cmd "statements" statements ~doc:"check that merged statements do what the plain ones do"
    ~holds:"NAME.statements, as $(b,calque emit --certificate) writes it."
    "For each kernel: the statements that the proved translation gives, and those that are emitted. Prints the kernels of which \
     it is not seen that they do the same, bit for bit, and how many are $(b,equal). What runs at the same time is taken in \
     sequence. Exit status: 1 if one is not."

let calls_cmd =
  file_cmd "calls" calls ~doc:"check where the arguments of a run's calls lie in memory"
    ~holds:"NAME.calls, as $(b,calque emit --certificate) writes it."
    "The calls of the run, each tensor with memory of its own, and as they are emitted: in loops, with places in the arena, the \
     weights, inputs and outputs. Prints how many are $(b,equal), or the first of which it is not seen that each argument is \
     where it was written, inside its region, and apart from what the call writes. Exit status: 1 if there is one."

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

(* With --generate: the requests of [diff], instead of answers. *)
let generate language =
  let count =
    Arg.(value & opt (some int) None & info ["generate"] ~docv:"N"
           ~doc:"Print $(docv) random requests instead: those of $(b,diff) with the same seed.") in
  let seed = Arg.(value & opt int64 1L & info ["seed"] ~docv:"S" ~doc:"The seed of $(b,--generate).") in
  let print count seed =
    let make = Option.get language.Language.generate in
    if count < 0 then begin prerr_endline "calque-oracle: --generate needs a number that is not negative"; 2 end
    else begin
      for k = 0 to count - 1 do
        print_string (Language.ended language.request_ends (make (Rng.create ~seed:(Diff.case_seed seed k)) k).request)
      done;
      0
    end in
  Term.(const (fun count seed answer -> match count with Some n -> print n seed | None -> answer ()) $ count $ seed)

let kernel_man =
  [ `S Manpage.s_description;
    `P "Reads requests on standard input, each a line and the statements of a kernel in the text \
        that calque dump prints." ]
  @ Grammar.requests "kernel"
  @ [ `P "The type is $(b,real) or $(b,integer); outputs and tensors are names with commas." ]

let kernel_cmd =
  Cmd.v
    (Cmd.info "kernel" ~doc:"print, inline and run index-notation kernels" ~exits ~man:kernel_man)
    Term.(generate Language.kernel $ const kernel_lines)

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
                  indices, and behind these $(b,(sums lanes)) if the sums are to be in lanes, and \
                  $(b,(fma)) if those of products are to be fused. Answers are $(b,none) or the statements:";
              `Pre "((TENSOR (DIM ..) VALUE) ..)" ])
    Term.(const answer $ well_formed)

let opvalue_cmd =
  Cmd.v
    (Cmd.info "opvalue" ~doc:"print the values of operators" ~exits
       ~man:([ `S Manpage.s_description;
              `P "Reads requests on standard input and prints an answer to each." ]
            @ Grammar.requests "opvalue"))
    Term.(generate Language.opvalue $ const (answered Opvalue.answer))

let model_cmd =
  let file = Arg.(value & pos 0 (some string) None & info [] ~docv:"FILE" ~doc:"The model and its data.") in
  let check =
    Arg.(value & flag & info ["check"]
           ~doc:"Print instead what the theorem about $(b,calque opt) asks: $(b,(ready yes)) where the graph has the types \
                 that it says, $(b,(inputs yes)) and $(b,(constants yes)) where the data has, and $(b,(open NODE ..)), the \
                 Gather whose indices are not known from constants, or lie outside.") in
  Cmd.v
    (Cmd.info "model" ~doc:"evaluate whole models" ~exits
       ~man:[ `S Manpage.s_description;
              `P "Reads a model as $(b,calque dump MODEL --format=sexp --data) prints it, with the data of its inputs \
                  ($(b,INPUT=FILE.npy) or $(b,--random SEED)), and prints its outputs as $(b,calque run MODEL --text) does:";
              `Pre "(output NAME (TYPE DIM ..) CELL ..)";
              `P "Cells of f32 and f64 are their bits in hexadecimal, or $(b,nan). Where an output has no value, \
                  $(b,(none NODE WHAT)): the first node that has none, and its operator or element type; exit status 1. \
                  Without FILE, models are read from standard input, an empty line behind each; so are the answers.";
              `S Manpage.s_examples;
              `Pre "\\$ calque dump m.onnx --format=sexp --data --random 1 >m.sexp\n\
                    \\$ calque-oracle model m.sexp >a\n\
                    \\$ calque run m.onnx --random 1 --text >b; cmp a b" ])
    Term.(generate Language.model $ (const (fun check file () -> model check file) $ check $ file))

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
        from standard input, one a line, and each answer ends with a line %%:" ]
  @ Grammar.requests "dpia"
  @ [ `P "Values are bits in hexadecimal (f32, f64) or integers, row by row, for each input in order; so are answers." ]

let dpia_cmd =
  let file = Arg.(value & pos 0 (some string) None & info [] ~docv:"FILE" ~doc:"The program.") in
  let stage = Arg.(value & opt string "comm" & info ["stage"] ~docv:"STAGE"
                     ~doc:"$(b,comm), $(b,c), or $(b,run): evaluate, and run the emitted program, which must agree.") in
  let sizes = Arg.(value & opt string "" & info ["sizes"] ~docv:"NUMBERS" ~doc:"The size variables' values, in order.") in
  let inputs = Arg.(value & opt_all string [] & info ["input"] ~docv:"VALUES" ~doc:"The values of the next input.") in
  let fast = Arg.(value & flag & info ["fast"] ~doc:"With $(b,--stage=run): no race checks.") in
  Cmd.v
    (Cmd.info "dpia" ~doc:"translate and run functional programs with strategies" ~exits ~man:dpia_man)
    Term.(generate Language.dpia $ (const (fun stage sizes inputs fast file () -> dpia stage sizes inputs fast file) $ stage $ sizes $ inputs $ fast $ file))

let diff_man =
  [ `S Manpage.s_description;
    `P "Makes random requests, answers them, and asks $(i,COMMAND) the same. $(i,COMMAND) is started once; it reads \
        requests on its standard input and writes an answer to each on its standard output, in their order, as \
        $(b,calque-oracle LANGUAGE) does. It must flush its output behind each answer: the next request may come only \
        then. It ends with status 0 when its input does, 2 if it answered \
        $(b,error) to a malformed request. Up to 256 requests are written before their answers are read.";
    `P "An answer that begins with $(b,unsupported) says that a request is outside of what $(i,COMMAND) implements.";
    `P "Each case has a verdict:";
    `I ("$(b,equal)", "the same value.");
    `I ("$(b,within)", "of a backend: not the same bits, but within what the class of the operator allows, calque-oracle-vectors(1).");
    `I ("$(b,undefined)", "no value, on both sides.");
    `I ("$(b,discarded)", "the answer is $(b,unsupported).");
    `I ("$(b,differ)", "another answer.");
    `I ("$(b,crashed)", "$(i,COMMAND) ended by a signal, or with a status other than 0.");
    `I ("$(b,hung)", "there was no answer in time.");
    `I ("$(b,garbage)", "what came is no answer of the language, or is more than one.");
    `I ("$(b,stopped)", "$(i,COMMAND) ended with status 0, or closed its output, before it had answered.");
    `P "Those from $(b,differ) on are failures. $(i,COMMAND), and all that it started, is then ended and started again. Requests that \
        were open when it ended are asked again one by one, to find the one that did it. The shortest failures of each \
        verdict are made smaller as long as they fail the same way, and added to a file that $(b,--cases) reads.";
    `P "Case number K depends on the seed and K only, not on $(b,--jobs). The counts are followed by how many requests with \
        equal answers had each rule, operator, attribute or element type, and of each kind of answer; $(b,not covered) are those that random \
        requests of the language have, and none of these had. Those of dpia, kernel, model and opvalue are what their commands print with $(b,--generate).";
    `P "With $(b,--against-backend) $(i,COMMAND) is an implementation of ONNX as calque-oracle-backend(1) describes it, and cases are random models as \
        $(b,calque-oracle vectors) writes them: case number K is the same. Each value of an operator is an output. It is judged against the oracle's \
        value on the inputs that the backend itself gave the operator, by the tolerance of that operator. An answer $(b,error) differs. Requests of \
        $(b,--requests) and $(b,--cases) are those of $(b,calque-oracle model)." ]

let gsl_man =
  [ `S Manpage.s_description;
    `P "Reads pairs of a rule and a graph on standard input, as $(b,--generate) prints them, and answers them." ]
  @ Grammar.requests "gsl"

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

let graphs_arg =
  Arg.(value & opt int 0 & info ["graphs"] ~docv:"PERCENT" ~doc:"Of random models, so many have several operators.")

let vectors_cmd =
  let dir = Arg.(required & opt (some string) None & info ["o"; "output"] ~docv:"DIR" ~doc:"Where the folders go.") in
  let count = Arg.(value & opt int 1000 & info ["count"] ~docv:"N" ~doc:"How many cases.") in
  let seed = Arg.(value & opt int64 1L & info ["seed"] ~docv:"S" ~doc:"The same seed gives the same cases: those of $(b,diff --against-backend).") in
  let requests = Arg.(value & opt (some string) None & info ["requests"] ~docv:"FILE" ~doc:"The models of $(docv) in the place of random ones.") in
  let run dir count seed graphs requests =
    let case k = Gen_model.model ~graphs (Rng.create ~seed:(Diff.case_seed seed k)) k in
    if count < 1 || graphs < 0 then begin prerr_endline "calque-oracle: a number is negative or 0 where it must not be"; 2 end
    else
      let models =
        match requests with
        | Some path -> Result.map List.to_seq (Vectors.of_file path)
        | None -> Ok (Seq.map case (List.to_seq (List.init count Fun.id))) in
      match Result.bind models (Vectors.write dir ~seed) with
      | Ok n -> Printf.printf "%d cases in %s\n" n dir; 0
      | Error e -> prerr_endline ("calque-oracle: " ^ e); 2 in
  Cmd.v (Cmd.info "vectors" ~doc:"write test vectors for implementations of ONNX" ~exits ~man:Vectors.man)
    Term.(const run $ dir $ count $ seed $ graphs_arg $ requests)

let backend_cmd =
  let command = Arg.(required & pos 0 (some string) None & info [] ~docv:"COMMAND" ~doc:"The backend, a command for the shell.") in
  let work = Arg.(value & opt (some string) None & info ["work"] ~docv:"DIR" ~doc:"Cases are written in $(docv), and left there when this command is killed.") in
  Cmd.v
    (Cmd.info "backend" ~doc:"answer models by an implementation of ONNX" ~exits
       ~man:Backend.man)
    Term.(const Backend.serve $ work $ command)

let compositions_cmd =
  let calque = Arg.(value & opt string "calque" & info ["calque"] ~docv:"COMMAND" ~doc:"The command.") in
  let output = Arg.(value & opt (some string) None & info ["o"; "output"] ~docv:"DIR" ~doc:"Where the files of cases that differ stay.") in
  let seed = Arg.(value & opt int64 1L & info ["seed"] ~docv:"S" ~doc:"The same seed gives the same cases.") in
  let count = Arg.(value & opt int 100 & info ["count"] ~docv:"N" ~doc:"How many cases of each operator.") in
  let only = Arg.(value & opt_all string [] & info ["only"] ~docv:"OP" ~doc:"Only this operator.") in
  let fault =
    Arg.(value & opt (some (enum [ "graph", Compositions.Graph; "value", Value ])) None & info ["fault"] ~docv:"WHAT"
           ~doc:"What is expected is wrong on purpose: an attribute of each $(b,graph), or a cell of each $(b,value).") in
  let run calque output seed count only fault = Compositions.run { calque; output; seed; count; only; fault } in
  Cmd.v (Cmd.info "compositions" ~doc:"compare what calque builds of ONNX's operators with what is proved" ~exits ~man:Compositions.man)
    Term.(const run $ calque $ output $ seed $ count $ only $ fault)

let diff_cmd =
  let language =
    let languages = List.map (fun l -> (l.Language.name, l)) Language.all in
    Arg.(value & pos 0 (some (enum languages)) None & info [] ~docv:"LANGUAGE"
           ~doc:("The language of the requests: " ^ Arg.doc_alts_enum languages ^ ".")) in
  let command =
    Arg.(value & opt (some string) None & info ["against"] ~docv:"COMMAND"
           ~doc:"The implementation that is tested, a command for the shell.") in
  let backend =
    Arg.(value & opt (some string) None & info ["against-backend"] ~docv:"COMMAND"
           ~doc:"In the place of LANGUAGE and $(b,--against): an implementation of ONNX, a command for the shell.") in
  let seed = Arg.(value & opt int64 1L & info ["seed"] ~docv:"S" ~doc:"The same seed gives the same cases.") in
  let first = Arg.(value & opt int 0 & info ["first"] ~docv:"K" ~doc:"The number of the first case.") in
  let count = Arg.(value & opt int 10000 & info ["count"] ~docv:"N" ~doc:"How many cases.") in
  let seconds = Arg.(value & opt (some float) None & info ["seconds"] ~docv:"S" ~doc:"No case is begun after $(docv) seconds.") in
  let jobs = Arg.(value & opt int 1 & info ["jobs"; "j"] ~docv:"N" ~doc:"$(docv) processes of the oracle and of $(i,COMMAND).") in
  let timeout = Arg.(value & opt float 10.0 & info ["timeout"] ~docv:"S" ~doc:"Seconds that an answer may take.") in
  let most =
    Arg.(value & opt int 100 & info ["stop-after"] ~docv:"N" ~doc:"A process begins no case after $(docv) failures; one that hung counts as ten.") in
  let files name doc = Arg.(value & opt_all string [] & info [name] ~docv:"FILE" ~doc) in
  let output =
    Arg.(value & opt (some string) None & info ["o"; "output"] ~docv:"FILE"
           ~doc:"Minimal cases are added to $(docv), for $(b,--cases); otherwise to calque-LANGUAGE.cases.") in
  let log =
    Arg.(value & opt (some string) None & info ["log"] ~docv:"FILE"
           ~doc:"A line is added to $(docv) for each case: its verdict, number and labels, with tabs.") in
  let json =
    Arg.(value & opt (some string) None & info ["json"] ~docv:"FILE"
           ~doc:"The result is also written to $(docv), as a line of JSON that depends on the cases only: counts, how many cases had which \
                 label, the numbers of those that failed. A run that a signal ends writes none: $(docv) is there whole or not at all.") in
  let folders =
    Arg.(value & opt (some string) None & info ["folders"] ~docv:"DIR"
           ~doc:"With $(b,--against-backend): minimal cases are also written as folders in $(docv), with what came in $(b,got).") in
  let run language command backend seed first count seconds jobs timeout most requests cases output log json (graphs, folders) =
    let usage text = prerr_endline ("calque-oracle: " ^ text); 2 in
    let go language command folder =
      Diff.run language { Diff.command; seed; first; count; seconds; jobs; timeout; most; requests; cases; output; log; json; folder } in
    if first < 0 || count < 0 || jobs < 1 || most < 1 || not (timeout > 0.0) || graphs < 0 then
      usage "a number is negative or 0 where it must not be"
    else
      match language, command, backend with
      | None, None, Some b ->
        (* What is killed leaves its cases: they are in a folder of ours. *)
        let work = Backend.work_folder () in
        let self = String.concat " " [ "exec"; Filename.quote Sys.executable_name; "backend --work"; Filename.quote work; Filename.quote b ] in
        Fun.protect ~finally:(fun () -> Backend.remove work) (fun () ->
          go (Backend.language ~graphs) self (Option.map Vectors.failure folders))
      | Some l, Some c, None -> go l c None
      | _ -> usage "either LANGUAGE and --against COMMAND, or --against-backend COMMAND" in
  Cmd.v
    (Cmd.info "diff" ~doc:"test an implementation against the oracle" ~man:diff_man
       ~exits:[ Cmd.Exit.info 0 ~doc:"all answers are the oracle's.";
                Cmd.Exit.info 1 ~doc:"some are not.";
                Cmd.Exit.info 2 ~doc:"bad usage, or no case.";
                Cmd.Exit.info 3 ~doc:"internal error.";
                Cmd.Exit.info 130 ~doc:"stopped by a signal, no failure until then." ])
    Term.(const run $ language $ command $ backend $ seed $ first $ count $ seconds $ jobs $ timeout $ most
          $ files "requests" "Requests are read from $(docv) in the place of random ones."
          $ files "cases" "The same, each request with the answer that it must have behind it."
          $ output $ log $ json $ (const (fun a b -> (a, b)) $ graphs_arg $ folders))

let grammar_cmd =
  let man = Arg.(value & flag & info ["man"] ~doc:"Print the source of the manual page.") in
  let check =
    Arg.(value & flag & info ["check"] ~doc:"Try each form and example of the page on its reader instead; exit status 1: one is not read.") in
  let run man check =
    if check then
      match Grammar.check () with
      | Ok n -> Printf.printf "%d texts were read\n" n; 0
      | Error l -> List.iter prerr_endline l; 1
    else begin
      Manpage.print (if man then `Groff else `Plain) Format.std_formatter Grammar.page;
      0
    end in
  Cmd.v
    (Cmd.info "grammar" ~doc:"print the grammar and the meaning of every request, calque-oracle(7)" ~exits)
    Term.(const run $ man $ check)

let main_cmd =
  let info =
    Cmd.info "calque-oracle" ~version:"0.1.0"
      ~doc:"the meaning of Calque's languages, extracted from its Coq definitions" ~exits in
  Cmd.group info
    [attr_cmd; backend_cmd; canonical_cmd; check_cmd; compositions_cmd; diff_cmd; dpia_cmd; emit_cmd; examples_cmd; grammar_cmd; gsl_cmd; inline_cmd; kernel_cmd; library_cmd; match_cmd;
     model_cmd; opkernel_cmd; opvalue_cmd; rewrite_cmd; validate_cmd; packed_cmd; statements_cmd; calls_cmd;
     vectors_cmd]

let () =
  (* A minor heap that the values of an operator fit in: a deep stack is scanned at each minor collection. *)
  Gc.set { (Gc.get ()) with minor_heap_size = 8 * 1024 * 1024; space_overhead = 200 };
  set_binary_mode_in stdin true;
  set_binary_mode_out stdout true;
  let status =
    match Cmd.eval_value ~catch:false main_cmd with
    | Ok (`Ok status) -> status
    | Ok (`Help | `Version) -> 0
    | Error (`Parse | `Term) -> 2
    | Error `Exn -> 3
    | exception Sys_error text ->
      prerr_endline ("calque-oracle: " ^ text);
      2
    | exception e ->
      prerr_endline ("calque-oracle: internal error: " ^ Printexc.to_string e);
      3 in
  exit status
