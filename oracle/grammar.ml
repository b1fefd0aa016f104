open Cmdliner

(* A form, and what it means. Words of capitals stand for texts of the productions or of [words]; what stands before .. may be
   left out or come several times. *)
type production = {
  name : string;
  what : string;
  context : string;                 (* a request, in which @ is of this production *)
  forms : (string * string) list
}

type language = {
  command : string;
  framing : string;
  productions : production list;    (* the first: requests *)
  examples : (string * string) list (* a request and its answer *)
}

(* What a word of capitals stands for, and a text of it. *)
let words =
  [ "INT", "an integer of 64 bits, in decimal, without a needless sign or zero", "3";
    "FLOAT", "a binary64 as C's %a prints it, in its shortest form: 0x1.8p+1, -0x0p+0; inf, -inf, nan", "0x1.8p+1";
    "STRING", "bytes between double quotes; escapes are \\\\\\\\, \\\\\", \\\\n, \\\\t, \\\\xHH, each only where it is needed", "\"a b\"";
    "LABEL", "a letter or _, then letters, digits and _", "shape";
    "NAME", "a name", "Relu";
    "P", "the number of a pattern", "0";
    "S", "the number of a symbol, the index of a comprehension", "0";
    "N", "a number, 0 or more", "2";
    "NODE", "the number of a node, or - for an input that is absent", "0" ]

let operations what names = List.map (fun (_, n) -> (Printf.sprintf what n, "")) names

let attr =
  { command = "attr"; framing = "A request is a line, and so is its answer.";
    examples =
      [ "(eval (proj (. 1 shape) -1) ((1 shape (tuple 8 4 3 3))))", "3"; "(eval (mod -1 2) ())", "1";
        "(eval (floordiv 1 0) ())", "stuck"; "(match (tuple _ 3) () (tuple 8 3))", "yes"; "(eval (var 0 3 (mul (sym 0) 2)) ())", "(tuple 0 2 4)" ];
    productions =
      [ { name = "REQUEST"; what = "a question about an expression"; context = "@";
          forms = [ "(eval EXPR ENV)", "its value, in the form of VALUE, or $(b,stuck)";
                    "(match EXPR ENV VALUE)", "whether it matches the value: $(b,yes) or $(b,no)" ] };
        { name = "VALUE"; what = "a value"; context = "(match _ () @)";
          forms = [ "none", "absent"; "true", ""; "false", ""; "INT", ""; "FLOAT", "compared only"; "STRING", "";
                    "(tuple VALUE ..)", "" ] };
        { name = "EXPR"; what = "an expression"; context = "(eval @ ())";
          forms =
            [ "none", "a value, as those of the next lines"; "true", ""; "false", ""; "INT", ""; "FLOAT", ""; "STRING", "";
              "(const (tuple VALUE ..))", "a tuple that is a value";
              "_", "matches every value, and has none";
              "(. P LABEL)", "the attribute of what pattern P stands for";
              "(tuple EXPR ..)", "a tuple";
              "(proj EXPR EXPR)", "a component of a tuple, counted from 0, or from the end by -1, -2, ..";
              "(sym S)", "the value of a symbol";
              "(inst P EXPR LABEL)", "the attribute of an instance of a variadic pattern, by its number";
              "(var S EXPR EXPR)", "the tuple of the second expression for S = 0, 1, .. below the first; that may be _ in a match";
              "(map S EXPR EXPR)", "the same for S each component of a tuple";
              "(cond EXPR EXPR EXPR)", "the second or the third; only that is evaluated";
              "(alt P EXPR ..)", "the one whose number is that of the alternative that pattern P matched by" ]
            @ operations "(%s EXPR)" Shim.unary_names @ operations "(%s EXPR EXPR)" Shim.binary_names
            @ operations "(%s EXPR)" Shim.reduction_names @ operations "(%s EXPR ..)" Shim.func_names };
        { name = "ENV"; what = "what is bound; of two bindings of a name the first counts"; context = "(eval 0 @)";
          forms = [ "(BINDING ..)", "" ] };
        { name = "BINDING"; what = "a binding"; context = "(eval 0 (@))";
          forms = [ "(P LABEL VALUE)", "an attribute of a pattern"; "(inst P INT LABEL VALUE)", "of an instance of it";
                    "(sym S VALUE)", "a symbol"; "(alt P N)", "the alternative that it matched by" ] } ] }

let graph_productions context =
  [ { name = "GRAPH"; what = "a graph: its nodes in an order in which inputs come first, numbered from 0"; context;
      forms = [ "(graph - (0 STRING TYPE KIND) .. (outputs (STRING 0) ..))",
                "a title or -, then nodes by number, a name or -, a type and what they are; then outputs by name" ] };
    { name = "TYPE"; what = "an element type and dimensions, ? where unknown"; context = "graph";
      forms = [ "(f32 N ..)", "also f64, i32, i64, i8, u8, bool, .."; "(f32 ?)", "of unknown dimensions"; "(? ?)", "" ] };
    { name = "KIND"; what = "what a node is"; context = "graph";
      forms = [ "(input)", ""; "(const)", "its value does not matter, or is in the data"; "(const VALUE)", "";
                "(op NAME (NODE ..) ((LABEL VALUE) ..))", "an operator of its inputs, with attributes";
                "(proj NODE N)", "an output of an operator that has several"; "(tuple NODE ..)", "" ] } ]

(* A graph in which @ is of the production. *)
let graph_context = function
  | "TYPE" -> "(graph - (0 - @ (input)) (outputs))"
  | "KIND" -> "(graph - (0 - (f32 2) (input)) (1 - (f32 2) @) (outputs))"
  | _ -> "@"

let in_graph f = List.map (fun p -> { p with context = f (graph_context p.name) })

let a_rule = "(rule r exact (0 wildcard) (source 0) (target 0))"
let a_graph = "(graph - (0 - (f32 2) (input)) (outputs (\"y\" 0)))"
let pair graph rule = Printf.sprintf "case 0\n%s\n%s\n--- graph\n--- rule\n" graph rule
let in_rule s = pair a_graph (Printf.sprintf "(rule r exact (0 wildcard) (1 variable) (2 operator Relu) %s (source 1) (target 0))" s)

let gsl =
  { command = "gsl"; framing = "A request ends with a line $(b,end), and so does its answer."; examples = [];
    productions =
      [ { name = "REQUEST"; what = "a rule and a graph"; context = "@";
          forms = [ "case NAME\nGRAPH\nRULE\n--- graph\n--- rule\n",
                    "the graph and the rule, and both again as .graph and .gsl text, each behind its line ---; \
                     the answer is the line $(b,case), the graph and the rule as they were read, a line \
                     $(b,(match RULE (NODE ..) (PATTERN NODE) .. (PATTERN@INSTANCE NODE) .. (length PATTERN N) .. (alt PATTERN K) ..)) for \
                     each match, and $(b,not rewritten), or $(b,rewritten) and the graph after the first rewrite whose target has \
                     the types of the source; where a pass over all nodes rewrites more than once, $(b,a pass: N) and that graph" ] } ]
      @ in_graph (fun g -> pair g a_rule) (graph_productions "")
      @ [ { name = "RULE"; what = "a rule"; context = pair a_graph "@";
            forms = [ "(rule NAME exact (0 FORM) .. (source 0 ..) (target 0 ..))", "its class; patterns by number, children first; outputs";
                      "(rule NAME exact (0 FORM) .. (require EXPR) (source 0 ..) (target 0 ..))", "the same with conditions" ] };
          { name = "PATTERN"; what = "a pattern"; context = in_rule "@";
            forms = [ "(3 FORM)", ""; "(3 FORM (LABEL EXPR) ..)", "with attributes: those that a node must have, or those of a new one";
                      "(3 FORM shared)", "other users are allowed"; "(3 FORM template)", "in each instance of a variadic pattern";
                      "(3 FORM first 1)", "in the first instance it is that pattern" ] };
          { name = "FORM"; what = "what a pattern matches, or a target builds"; context = in_rule "(3 @)";
            forms = [ "wildcard", "every node"; "variable", "no constant"; "constant", ""; "constant = EXPR", "that value";
                      "absent input", ""; "Relu P ..", "an operator of its operands"; "(op 2) P ..", "that of an operator pattern";
                      "tuple P ..", ""; "projection P = EXPR", "an output of an operator that has several"; "optional P", "it, or what it is applied to";
                      "alt P ..", "one of them"; "operator NAME ..", "an operator, not its application";
                      "variadic P least N", "instances of it"; "variadic P = EXPR", "that many"; "variadic P index S", "";
                      "inst P = EXPR", "in a target: an instance"; "cond P P = EXPR", "in a target: one of both";
                      "match P P ..", "in a target: the one whose number is that of the alternative of the first" ] } ] }

let statement e = "print real\nT<4>[i] = " ^ e ^ ";\n"

let kernel =
  { command = "kernel"; framing = "A request ends with an empty line, and so does its answer.";
    examples = [ "run\nT<2>[i] = sum(r<3) X<2,3>[i,r];\n", "T -5 3\n" ];
    productions =
      [ { name = "REQUEST"; what = "a question about a kernel"; context = "@";
          forms = [ "print real\nSTATEMENT", "the same text; $(b,real) or $(b,integer)";
                    "inline real T T\nSTATEMENT", "of the outputs, with commas, and a tensor: the kernel without it, or $(b,no)";
                    "reverse real T T\nSTATEMENT", "the same, its consumer in its loops: their variables, then the kernel";
                    "grad real T X\nT<4>[i] = X<4>[i];", "of the outputs and of tensors: the gradient, or $(b,no), or $(b,limit)";
                    "grad real T X u\nT<4>[i] = X<4>[i];", "letters: u nothing eliminated, s no sum split off, v values too";
                    "run\nISTATEMENT", "of integers: elements of all tensors stored, or $(b,undefined); element n of an input is the \
                                       sum of the bytes of its name and 7 n, modulo 11, less 5";
                    "look\nISTATEMENT", "the same of a kernel with look-ups, or the first index outside" ] };
        { name = "STATEMENT"; what = "an assignment to all elements of a tensor"; context = "print real\n@";
          forms = [ "T<4>[i] = E;", "name, dimensions, variables"; "T<1> = E;", "of one element" ] };
        { name = "ISTATEMENT"; what = "the same of integers, and look-ups"; context = "look\n@";
          forms = [ "T<4>[i] = X<4>[i] + 1;", ""; "T<4>[i] = X<9>[at(I<4>[i])];", "an index that is data" ] };
        { name = "E"; what = "an expression"; context = statement "@";
          forms =
            [ "FLOAT", ""; "X<4>[IX]", "an element"; "E + E", ""; "E - E", ""; "E * E", ""; "E / E", ""; "-E", "";
              "select(C, E, E)", "the second where the condition holds, else the third"; "sum(r<4) TERM", "a sum, from the left, from 0";
              "amax(r<4) E", "the maximum"; "(E)", "" ]
            @ List.map (fun f -> (f, "")) (List.map (fun (n, _) ->
                n ^ (if List.mem n [ "max"; "min"; "pow"; "less"; "equal"; "when"; "orelse" ] then "(E, E)" else "(E)"))
                (List.remove_assoc "exact" Kernel_term.functions)) };
        { name = "TERM"; what = "the term of a sum"; context = statement "sum(r<4) @";
          forms = [ "E", ""; "exact(E, E)", "the product, not rounded before it is added"; "select(C, TERM, TERM)", "" ] };
        { name = "C"; what = "a condition on indices"; context = statement "select(@, 0x0p+0, 0x1p+0)";
          forms = List.map (fun (c, _) -> ("IX " ^ c ^ " IX", "")) Kernel_term.comparisons @ [ "i < 2 && i > 0", "both" ] };
        { name = "IX"; what = "an index"; context = statement "X<90>[@]";
          forms = [ "i", "a variable"; "0", ""; "i+2", ""; "2-i", ""; "i*2", ""; "i//2", "rounded down"; "i%2", "not negative"; "(i+1)*2", "" ] } ] }

let program e = Printf.sprintf "(translate (program f32 (n) (in A 0 (ary 4 num)) (out B 9 (ary 4 num)) (set 1 %s)))" e

let dpia =
  { command = "dpia"; framing = "A request is a line; its answer ends with a line $(b,%%%%)."; examples = [];
    productions =
      [ { name = "REQUEST"; what = "a question about a program"; context = "@";
          forms = [ "(translate PROGRAM)", "the commands of its translation, a line $(b,--), and the C";
                    "(run (sizes N) 1 (values 3f800000 3f800000 3f800000 3f800000) PROGRAM)",
                    "at these sizes, on so many inputs, each by its values row by row (bits in hexadecimal, or integers): a line for each output" ] };
        { name = "PROGRAM"; what = "parameters, and assignments to them by their position"; context = "(translate @)";
          forms = [ "(program f32 (n) (in A 0 (ary 4 num)) (out B 9 (ary 4 num)) (set 1 D))",
                    "element type, names of sizes; parameters $(b,in), $(b,out), $(b,temp) by name, variable and type; \
                     $(b,set), or $(b,copy) without loops of its own" ] };
        { name = "D"; what = "a functional expression with strategies; variables are numbers"; context = program "@";
          forms = [ "(var 0)", ""; "(lit 0x1p+0)", ""; "(call + D D)", "also - * / max min less equal when orelse, and exp log .. of one";
                    "(map seq 4 num 5 D D)", "par or seq; length, element type, the variable, its body, the array";
                    "(gen seq 4 num 5 D)", "the array of the body for each index"; "(red 4 num 5 6 D D D)", "length, type, variables of element and sum, body, start, array";
                    "(fold 4 num 5 6 D D)", "variables of index and sum, body, start"; "(zip 4 num num D D)", "";
                    "(split 2 2 D)", ""; "(join 2 2 D)", ""; "(tr 2 2 D)", ""; "(pair D D)", ""; "(fst D)", ""; "(snd D)", "";
                    "(rev 4 D)", ""; "(idx D 0)", "an element; an index is a number, (var 0), (size n) or (+ 1 (var 0)), also - * // %";
                    "(if ((< 1 2)) num D D)", "conditions, all of which must hold; a type; then, else"; "(let num 5 D D)", "type, variable, its value, the body" ] } ] }

let opvalue =
  { command = "opvalue"; framing = "A request is a line, and so is its answer.";
    examples = [ "(Relu i64 () ((3) (-1 0 2)))", "((3)) (((3) (0 0 2)))" ];
    productions =
      [ { name = "REQUEST"; what = "an operator, its element type f32, f64 or i64, attributes, and inputs"; context = "@";
          forms = [ "(Relu f32 ((LABEL VALUE) ..) INPUT ..)",
                    "$(b,refused) where the shapes do not fit; else the shapes of the results, and behind them $(b,none), or the results \
                     $(b,(((DIM ..) (CELL ..)) ..)), a cell without a value being ?, every NaN nan" ] };
        { name = "INPUT"; what = "an input"; context = "(Relu f32 () @)";
          forms = [ "absent", ""; "((2) (INT INT))", "dimensions and cells; one of f32 or f64 is the 64 bits of the nearest binary64 as a signed number" ] } ] }

let model =
  { command = "model"; framing = "A request ends with an empty line, and so does its answer.";
    examples = [ "(graph - (0 - (i64 2) (input)) (1 - (i64 2) (op Neg (0) ())) (outputs (\"y\" 1)))\n(data (0 3 -4))\n", "(output \"y\" (i64 2) -3 4)\n" ];
    productions =
      [ { name = "REQUEST"; what = "a graph and its data, on one line or several"; context = "@";
          forms = [ "GRAPH\n(data (0 00000000 3f800000) ..)\n",
                    "the cells of inputs and constants by node, row by row: f32 and f64 as 8 and 16 hexadecimal digits or nan, integers, \
                     bool as 0 or 1; the answer is $(b,(output NAME (TYPE DIM ..) CELL ..)) for each output, or $(b,(none NODE WHAT)), the first \
                     node that has no value" ] } ]
      @ in_graph (fun g -> g ^ "\n") (graph_productions "") }

let languages = [ attr; dpia; gsl; kernel; model; opvalue ]

(* {1 Pages} *)

let escaped s =
  let b = Buffer.create (String.length s) in
  String.iter (fun c -> if c = '$' || c = '\\' then Buffer.add_char b '\\'; Buffer.add_char b c) s;
  Buffer.contents b

let shown form = String.concat "; " (List.filter (( <> ) "") (List.map escaped (String.split_on_char '\n' form)))

let production p =
  let line (form, means) = if means = "" then `I ("$(b," ^ shown form ^ ")", "") else `I ("$(b," ^ shown form ^ ")", means ^ ".") in
  `P (Printf.sprintf "$(b,%s): %s." p.name p.what) :: List.map line p.forms

let language l =
  (`S (String.uppercase_ascii l.command) :: `P l.framing :: List.concat_map production l.productions)
  @ List.concat_map
      (fun (q, a) -> [ `Pre (escaped q ^ "\n    " ^ escaped a) ])
      l.examples

let page =
  ( ("calque-oracle", 7, "", "Calque", "Calque"),
    [ `S Manpage.s_name; `P "calque-oracle - requests to the oracle, and their meaning";
      `S Manpage.s_description;
      `P "Each command of $(b,calque-oracle)(1) reads requests of one language on standard input and writes an answer to each, in their \
          order. An implementation that does the same can be tested by $(b,calque-oracle diff). A malformed request is answered by \
          $(b,error). What is defined here is in the Coq sources: the rules of evaluation and of matching in coq/attr/Attr.v, of patterns \
          in coq/pattern/Match.v, of kernels in coq/kernel/Kernel.v, of operators in coq/tensor/OpTable.v, of programs in coq/dpia.";
      `S "WORDS" ]
    @ List.map (fun (w, what, _) -> `I ("$(b," ^ w ^ ")", what ^ ".")) words
    @ List.concat_map language languages
    @ [ `S Manpage.s_see_also; `P "$(b,calque-oracle)(1), $(b,calque-oracle-diff)(1)" ] )

let requests command =
  match List.find_opt (fun l -> l.command = command) languages with
  | Some { productions = p :: _; framing; _ } ->
    (`P framing :: List.tl (production p)) @ [ `P "The whole grammar is in $(b,calque-oracle)(7)." ]
  | _ -> []

(* {1 The table against the readers} *)

let is_capital w = w <> "" && String.for_all (fun c -> c >= 'A' && c <= 'Z') w

let rec sample l depth name =
  match List.find_opt (fun (w, _, _) -> w = name) words, List.find_opt (fun p -> p.name = name) l.productions with
  | _, Some p when depth < 8 -> fill l (depth + 1) (fst (List.hd p.forms))
  | Some (_, _, s), _ -> s
  | None, _ ->
    (* productions of another language *)
    match List.find_opt (fun p -> p.name = name) attr.productions with
    | Some p when depth < 8 -> fill attr (depth + 1) (fst (List.hd p.forms))
    | _ -> name

(* A text of a form: its words of capitals replaced, each .. left out. *)
and fill l depth form =
  let b = Buffer.create 80 and w = Buffer.create 8 in
  let flush () =
    let s = Buffer.contents w in
    Buffer.clear w;
    if s <> ".." then Buffer.add_string b (if is_capital s && String.length s > 0 then sample l depth s else s) in
  String.iter
    (fun c ->
      match c with
      | '(' | ')' | ' ' | '\n' | '[' | ']' | ',' | ';' | '-' | '<' -> flush (); Buffer.add_char b c
      | c -> Buffer.add_char w c)
    form;
  flush ();
  Buffer.contents b

let place context text =
  let k = String.index context '@' in
  String.sub context 0 k ^ text ^ String.sub context (k + 1) (String.length context - k - 1)

let check () =
  let tried = ref 0 and wrong = ref [] in
  let say fmt = Printf.ksprintf (fun s -> wrong := s :: !wrong) fmt in
  let read command text =
    incr tried;
    match (List.find (fun x -> x.Language.name = command) Language.all).read text with
    | r -> r
    | exception (Failure e | Invalid_argument e) -> Error e in
  let form l p (form, _) =
    let text = place p.context (fill l 0 form) in
    match read l.command text with
    | Ok _ -> ()
    | Error e -> say "%s: %s %s: %s is not read: %s" l.command p.name form text e in
  let example l (q, a) =
    match read l.command q with
    | Ok c when c.Language.answer = a -> ()
    | Ok c -> say "%s: the answer to %s is %s" l.command q c.Language.answer
    | Error e -> say "%s: %s is not read: %s" l.command q e in
  List.iter
    (fun l ->
      List.iter (fun p -> List.iter (form l p) p.forms) l.productions;
      List.iter (example l) l.examples)
    languages;
  (* Every head of a random request is that of a form. *)
  let heads s = List.filter (fun w -> not (is_capital w)) (Language.heads s) in
  let known = List.concat_map (fun p -> List.concat_map (fun (f, _) -> heads f) p.forms) attr.productions in
  let g = Rng.create ~seed:1L in
  for _ = 1 to 2000 do
    List.iter
      (fun h -> if not (List.mem h known) then say "attr: no form begins with %s" h)
      (List.filter (fun h -> not (String.contains h '"')) (heads (Text.request_to_string (Gen.request_full g))))
  done;
  if !wrong = [] then Ok !tried else Error (List.sort_uniq compare !wrong)
