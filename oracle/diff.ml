open Language

type options = {
  command : string;
  seed : int64;
  first : int;
  count : int;
  seconds : float option;
  jobs : int;
  timeout : float;
  most : int;
  requests : string list;
  cases : string list;
  output : string option;
  log : string option;
  json : string option;
  folder : (string -> string -> string -> string) option
}

type verdict = Differ | Crashed | Hung | Garbage | Stopped

let verdicts = [ Differ; Crashed; Hung; Garbage; Stopped ]

let word = function
  | Differ -> "differ"
  | Crashed -> "crashed"
  | Hung -> "hung"
  | Garbage -> "garbage"
  | Stopped -> "stopped"

type judged = Equal | Within | Undefined | Discarded | Failed of verdict * string  (* and what came instead *)

type found = { number : int; request : string; want : string; verdict : verdict; got : string; note : string }

type tally = {
  mutable cases : int;
  mutable equal : int;
  mutable within : int;
  mutable undefined : int;
  mutable discarded : int;
  failures : int array;               (* by verdict, in their order *)
  mutable found : found list;
  seen : (string, int) Hashtbl.t      (* requests with each label whose answers are equal *)
}

let new_tally () =
  { cases = 0; equal = 0; within = 0; undefined = 0; discarded = 0; failures = Array.make (List.length verdicts) 0; found = [];
    seen = Hashtbl.create 97 }

let position v =
  let rec go k = function [] -> k | w :: l -> if v = w then k else go (k + 1) l in
  go 0 verdicts

let failed t = Array.fold_left ( + ) 0 t.failures

(* {1 Judging} *)

let judge language (c : case) = function
  | Peer.Answer a when a = c.answer -> if c.defined then Equal else Undefined
  | Peer.Answer a when Language.starts "unsupported" a -> Discarded
  | Peer.Answer a when not (language.plausible c a) -> Failed (Garbage, a)
  | Peer.Answer a ->
    (match language.close c a with
     | Language.Equal -> if c.defined then Equal else Undefined
     | Language.Within -> Within
     | Language.Different why -> Failed (Differ, if why = "" then a else a ^ why ^ "\n"))
  | Peer.Failed (Peer.Crashed how) -> Failed (Crashed, how)
  | Peer.Failed (Peer.Stopped how) -> Failed (Stopped, how)
  | Peer.Failed Peer.Hung -> Failed (Hung, "no answer in time (an answer must be flushed when it is written)")
  | Peer.Failed Peer.Flooded -> Failed (Garbage, "more than one answer")

let peer language o = Peer.create o.command ~ends:language.answer_ends ~timeout:o.timeout
let ask language p c = judge language c (Peer.ask p (ended language.request_ends c.request))

(* {1 Sources of cases} *)

(* The blocks of a file: requests; with [answers], each with an answer behind it. Comments and empty lines stand between. *)
let blocks language ~answers path =
  match open_in_bin path with
  | exception Sys_error text -> Error text
  | ic ->
    let line () = try Some (input_line ic) with End_of_file -> None in
    let rec rest last acc =
      match line () with
      | None -> String.concat "" (List.rev acc)
      | Some l when l = last -> String.concat "" (List.rev acc)
      | Some l -> rest last ((l ^ "\n") :: acc) in
    let block ends first = match ends with None -> first | Some last -> rest last [ first ^ "\n" ] in
    let rec go acc =
      match line () with
      | None -> Ok (List.rev acc)
      | Some l when l = "" || l.[0] = '#' -> go acc
      | Some l ->
        let request = block language.request_ends l in
        if not answers then go ((request, None) :: acc)
        else
          match line () with
          | None -> Error (path ^ ": the last request has no answer")
          | Some l ->
            let answer = if Some l = language.answer_ends then "" else block language.answer_ends l in
            go ((request, Some answer) :: acc) in
    Fun.protect ~finally:(fun () -> close_in_noerr ic) (fun () -> go [])

let malformed : case = { request = ""; answer = "error"; defined = false; labels = lazy []; sound = lazy false }

(* What a request of a file is answered; one that is malformed has the answer error. *)
let of_request language request =
  match language.read request with
  | Ok c -> c
  | Error _ -> { malformed with request; answer = (if language.answer_ends = None then "error" else "error\n") }

let collect language o =
  let read answers path = Result.map (List.map (fun b -> (path, b))) (blocks language ~answers path) in
  let all = List.map (read false) o.requests @ List.map (read true) o.cases in
  List.fold_left
    (fun acc l -> match acc, l with Ok a, Ok b -> Ok (a @ b) | Error e, _ | _, Error e -> Error e)
    (Ok []) all

(* {1 A process} *)

let stopping = ref false

type message = Progress of int * int | Done of tally

let case_seed seed k = Int64.add seed (Int64.mul (Int64.of_int k) 0xd1342543de82ef95L)

(* Cases [j], [j] + jobs, .. until there are enough; [report] is called now and then. *)
let work language o fixed j report =
  let t = new_tally () in
  let p = peer language o in
  let parent = Unix.getppid () in
  let deadline = Option.map (fun s -> Unix.gettimeofday () +. s) o.seconds in
  let at = ref j and told = ref 0.0 and errors = ref false and late = ref 0 in
  let tell () =
    let now = Unix.gettimeofday () in
    if now -. !told > 0.2 then begin
      told := now;
      if Unix.getppid () <> parent then stopping := true;
      report (Progress (t.cases, failed t))
    end;
    match deadline with Some d when now > d -> true | _ -> false in
  let make k =
    match fixed with
    | Some a ->
      let _, (request, expected) = a.(k) in
      (of_request language request, expected)
    | None -> ((Option.get language.generate) (Rng.create ~seed:(case_seed o.seed k)) k, None) in
  let count = match fixed with Some a -> Array.length a | None -> o.first + o.count in
  let next () =
    if tell () || !stopping || !at >= count then None
    else begin
      let k = !at in
      at := k + o.jobs;
      let c, expected = make k in
      Some ((k, c, expected), ended language.request_ends c.request)
    end in
  let fail k (c : case) verdict got note =
    let i = position verdict in
    t.failures.(i) <- t.failures.(i) + 1;
    if verdict = Hung then incr late;
    t.found <- { number = k; request = c.request; want = c.answer; verdict; got; note } :: t.found in
  (* A wrong answer is asked for again in a process of its own. *)
  let confirmed c verdict =
    match verdict with
    | Crashed | Hung | Stopped -> ""
    | Differ | Garbage ->
      let q = peer language o in
      let again = ask language q c in
      let last = Peer.finish q in
      Peer.kill q;
      match again, last with
      | Failed _, _ | _, Some _ -> ""
      | _ -> Peer.kill p; "only behind other requests" in
  let log = Option.map (open_out_gen [ Open_append; Open_creat; Open_binary ] 0o644) o.log in
  let note what k (c : case) =
    Option.iter
      (fun oc -> Printf.fprintf oc "%s\t%d\t%s\n%!" what k (String.concat "\t" (Lazy.force c.labels)))
      log in
  let see (c : case) =
    List.iter
      (fun l -> Hashtbl.replace t.seen l (1 + Option.value ~default:0 (Hashtbl.find_opt t.seen l)))
      (Lazy.force c.labels) in
  let enough () = failed t + 9 * !late >= o.most in
  let got (k, (c : case), expected) outcome =
    t.cases <- t.cases + 1;
    if c.labels == malformed.labels then errors := true;
    match expected with
    | Some answer when answer <> c.answer -> fail k c Differ answer "the file has an answer that is not the oracle's"
    | _ ->
      match judge language c outcome with
      | Equal -> t.equal <- t.equal + 1; note "equal" k c; see c
      | Within -> t.within <- t.within + 1; note "within" k c; see c
      | Undefined -> t.undefined <- t.undefined + 1; note "undefined" k c; see c
      | Discarded -> t.discarded <- t.discarded + 1; note "discarded" k c
      | Failed (verdict, what) -> note (word verdict) k c; fail k c verdict what (confirmed c verdict) in
  let got case outcome = got case outcome; not (enough ()) in
  Fun.protect ~finally:(fun () -> Peer.kill p) (fun () ->
    Peer.stream p next got;
    (* With no request left, a status other than 0 is a crash, too; 2 says that a request was malformed. *)
    if t.cases > 0 && not !stopping then
      match Peer.finish p with
      | None -> ()
      | Some (Peer.Crashed how) when !errors && Language.starts "exit status 2" how -> ()
      | Some f ->
        match judge language malformed (Peer.Failed f) with
        | Failed (verdict, what) -> fail (-1) malformed verdict what "at the end of the requests"
        | _ -> ());
  t

(* {1 All processes} *)

let merge a b =
  a.cases <- a.cases + b.cases;
  a.equal <- a.equal + b.equal;
  a.within <- a.within + b.within;
  a.undefined <- a.undefined + b.undefined;
  a.discarded <- a.discarded + b.discarded;
  Array.iteri (fun i n -> a.failures.(i) <- a.failures.(i) + n) b.failures;
  a.found <- b.found @ a.found;
  Hashtbl.iter (fun l n -> Hashtbl.replace a.seen l (n + Option.value ~default:0 (Hashtbl.find_opt a.seen l))) b.seen

let fork language o fixed j =
  let read, write = Unix.pipe ~cloexec:true () in
  match Unix.fork () with
  | 0 ->
    Unix.close read;
    let oc = Unix.out_channel_of_descr write in
    let send m = Marshal.to_channel oc (m : message) []; flush oc in
    let first = match fixed with Some _ -> j | None -> o.first + j in
    (match work language o fixed first send with
     | t -> send (Done t); Unix._exit 0
     | exception e ->
       (* the coverage and the failures of this process are lost: no verdict *)
       prerr_endline ("calque-oracle: internal error: " ^ Printexc.to_string e);
       Unix._exit 3)
  | pid ->
    Unix.close write;
    (pid, read, Unix.in_channel_of_descr read)

let show_progress terminal text = if terminal then Printf.eprintf "\r\027[K%s%!" text

(* [None]: a process of ours failed. *)
let run_all language o fixed terminal =
  (* A signal ends the run with a report; it may have come to the first process only. *)
  let pids = ref [] in
  let stop _ =
    stopping := true;
    List.iter (fun pid -> try Unix.kill pid Sys.sigterm with Unix.Unix_error _ -> ()) !pids in
  List.iter (fun s -> Sys.set_signal s (Sys.Signal_handle stop)) [ Sys.sigint; Sys.sigterm; Sys.sighup ];
  let workers = List.init o.jobs (fork language o fixed) in
  pids := List.map (fun (pid, _, _) -> pid) workers;
  let total = new_tally () and done_ = ref 0 in
  let counts = Hashtbl.create 8 in
  let rec go left =
    if left <> [] then
      match Unix.select (List.map (fun (_, fd, _) -> fd) left) [] [] (-1.0) with
      | exception Unix.Unix_error (Unix.EINTR, _, _) -> go left
      | ready, _, _ ->
        let one (pid, fd, ic) =
          if not (List.mem fd ready) then true
          else
            match (Marshal.from_channel ic : message) with
            | Progress (cases, failures) ->
              Hashtbl.replace counts pid (cases, failures);
              let c, f = Hashtbl.fold (fun _ (c, f) (x, y) -> (c + x, f + y)) counts (0, 0) in
              show_progress terminal (Printf.sprintf "%s: %d cases, %d failures" language.name c f);
              true
            | Done t -> merge total t; incr done_; true
            | exception (End_of_file | Failure _) -> close_in_noerr ic; false in
        go (List.filter one left) in
  go workers;
  List.iter (fun pid -> ignore (Peer.uninterrupted (fun () -> Unix.waitpid [] pid))) !pids;
  pids := [];
  show_progress terminal "";
  if !done_ = o.jobs then Some total else None

(* {1 Shrinking} *)

(* No longer than this for one failure. *)
let shrink_seconds = 20.0

(* The command says that it cannot read the request: another failure than a wrong answer. *)
let refuses got = List.exists (Language.starts "error") (String.split_on_char '\n' got)

let shrink language o f =
  let p = peer language o in
  let deadline = Unix.gettimeofday () +. shrink_seconds in
  (* A text that is no request may end a reader by an exception. *)
  let read request =
    match language.read request with
    | Ok c when Lazy.force c.sound -> Some (c, true)
    | Ok c -> Some (c, false)
    | Error _ -> None
    | exception (Failure _ | Invalid_argument _ | Not_found | Division_by_zero | Shim.Internal _) -> None in
  let typed = match read f.request with Some (_, sound) -> sound | None -> false in
  let fails request =
    if !stopping || Unix.gettimeofday () > deadline then None
    else
      match read request with
      | None -> None
      | Some (_, sound) when typed && not sound -> None
      | Some (c, _) ->
        match ask language p c with
        | Failed (verdict, got) when verdict = f.verdict && refuses got = refuses f.got -> Some { f with request = c.request; want = c.answer; got }
        | _ -> None in
  let rec go steps f =
    let rec first s = match s () with
      | Seq.Nil -> None
      | Seq.Cons (r, rest) -> match fails r with Some f -> Some f | None -> first rest in
    match first (language.smaller f.request) with
    | Some f -> go (steps + 1) f
    | None -> (steps, f) in
  Fun.protect ~finally:(fun () -> Peer.kill p) (fun () -> go 0 f)

(* {1 The report} *)

let indented s =
  let s = if s <> "" && s.[String.length s - 1] = '\n' then String.sub s 0 (String.length s - 1) else s in
  String.concat "\n" (List.map (( ^ ) "    ") (String.split_on_char '\n' s))

let show f =
  Printf.printf "  request:\n%s\n  oracle:\n%s\n  %s:\n%s\n" (indented f.request) (indented f.want)
    (match f.verdict with Differ | Garbage -> "command" | v -> word v) (indented f.got)

let one_line s = String.map (fun c -> if c < ' ' then ' ' else c) s

(* The case as a file for --cases has it. *)
let as_case language o f =
  Printf.sprintf "# calque-oracle diff %s --against %s --seed %Ld --first %d --count 1: %s\n%s%s" language.name
    (one_line (Filename.quote o.command)) o.seed f.number (word f.verdict) (ended language.request_ends f.request)
    (ended language.answer_ends f.want)

let holds path text =
  match open_in_bin path with
  | exception Sys_error _ -> false
  | ic ->
    let all = really_input_string ic (in_channel_length ic) in
    close_in ic;
    let n = String.length text in
    let rec go k = k + n <= String.length all && (String.sub all k n = text || go (k + 1)) in
    go 0

let write_case language o path f =
  let body = ended language.request_ends f.request ^ ended language.answer_ends f.want in
  if not (holds path ("\n" ^ body)) then begin
    let oc = open_out_gen [ Open_append; Open_creat; Open_binary ] 0o644 path in
    output_string oc (as_case language o f);
    close_out oc
  end;
  Printf.printf "  written to %s\n" path

(* The shortest failures of each verdict; where a language has families, the shortest of each. *)
let chosen language t =
  let size f = (String.length f.request, f.number, f.request) in
  let of_verdict v =
    List.filter (fun f -> f.verdict = v && f.number >= 0) t.found
    |> List.sort (fun a b -> compare (size a) (size b))
    |> List.map (fun f -> (language.family f.request, f))
    |> List.fold_left
         (fun l (family, f) ->
           let n = List.length (List.filter (fun (g, _) -> g = family) l) in
           if n < (if family = "" then 3 else 1) then (family, f) :: l else l)
         []
    |> List.rev_map snd in
  List.concat_map of_verdict verdicts

let report_failures language o fixed terminal t =
  let path = Option.value o.output ~default:(Printf.sprintf "calque-%s.cases" language.name) in
  let from_file = fixed <> None in
  let where f =
    match fixed with
    | Some a -> let file, _ = a.(f.number) in Printf.sprintf "%s, request %d" file (f.number + 1)
    | None -> Printf.sprintf "case %d" f.number in
  let reached = Hashtbl.create 7 in
  List.iter
    (fun f ->
      Printf.printf "%s: %s%s\n%!" (word f.verdict) (where f) (if f.note = "" then "" else ": " ^ f.note);
      if f.note <> "" then show f
      else begin
        show_progress terminal "shrinking";
        let steps, least = shrink language o f in
        show_progress terminal "";
        if Hashtbl.mem reached (least.verdict, least.request) then print_endline "  shrinks to the same"
        else begin
          Hashtbl.add reached (least.verdict, least.request) ();
          Printf.printf "  shrunk in %d steps to %d nodes\n" steps (Shrink.nodes least.request);
          show least;
          if not (from_file && steps = 0) then write_case language o path least;
          Option.iter (fun write -> Printf.printf "  folder %s\n" (write (word least.verdict) least.request least.got)) o.folder
        end
      end)
    (chosen language t);
  List.iter
    (fun f -> if f.number < 0 then Printf.printf "%s: %s: %s\n" (word f.verdict) f.note (one_line f.got))
    t.found

let report_coverage language t =
  let n l = Option.value ~default:0 (Hashtbl.find_opt t.seen l) in
  let more = Hashtbl.fold (fun l _ acc -> if List.mem l language.labels then acc else l :: acc) t.seen [] in
  let all = language.labels @ List.sort compare more in
  let yes, no = List.partition (fun l -> n l > 0) all in
  if yes <> [] then
    Printf.printf "covered: %s\n" (String.concat ", " (List.map (fun l -> Printf.sprintf "%s %d" l (n l)) yes));
  if no <> [] && yes <> [] then Printf.printf "not covered: %s\n" (String.concat ", " no)

let json_string s =
  let b = Buffer.create (String.length s + 2) in
  Buffer.add_char b '"';
  String.iter
    (fun c -> if c = '"' || c = '\\' then (Buffer.add_char b '\\'; Buffer.add_char b c) else if c < ' ' then Printf.bprintf b "\\u%04x" (Char.code c) else Buffer.add_char b c)
    s;
  Buffer.add_char b '"';
  Buffer.contents b

(* The result on a line that depends on nothing but the cases. The file is there whole, or not at all. *)
let write_json language o t path =
  let field (name, n) = Printf.sprintf "%s:%d" (json_string name) n in
  let object_ l = "{" ^ String.concat "," (List.map field l) ^ "}" in
  let counts =
    [ "first", o.first; "count", o.count; "cases", t.cases; "equal", t.equal; "within", t.within; "undefined", t.undefined;
      "discarded", t.discarded ] @ List.map (fun v -> (word v, t.failures.(position v))) verdicts in
  let covered = List.sort compare (Hashtbl.fold (fun l n acc -> (l, n) :: acc) t.seen []) in
  let numbers = List.sort_uniq compare (List.map (fun f -> f.number) t.found) in
  let part = Printf.sprintf "%s.%d" path (Unix.getpid ()) in
  match open_out_bin part with
  | exception Sys_error text -> prerr_endline ("calque-oracle: " ^ text); false
  | oc ->
    Printf.fprintf oc "{\"language\":%s,\"seed\":%Ld,%s,\"covered\":%s,\"not covered\":[%s],\"failed\":[%s]}\n" (json_string language.name) o.seed
      (String.concat "," (List.map field counts)) (object_ covered)
      (String.concat "," (List.map json_string (List.filter (fun l -> not (Hashtbl.mem t.seen l)) language.labels)))
      (String.concat "," (List.map string_of_int numbers));
    (match close_out oc; Sys.rename part path with
     | () -> true
     | exception Sys_error text -> prerr_endline ("calque-oracle: " ^ text); false)

let run language o =
  let terminal = Unix.isatty Unix.stderr in
  match collect language o with
  | Error text -> prerr_endline ("calque-oracle: " ^ text); 2
  | Ok [] when o.requests <> [] || o.cases <> [] -> prerr_endline "calque-oracle: no requests"; 2
  | Ok [] when language.generate = None ->
    prerr_endline ("calque-oracle: no generator for " ^ language.name ^ ": --requests names a file of them"); 2
  | Ok l ->
    let fixed = if l = [] then None else Some (Array.of_list l) in
    Sys.set_signal Sys.sigpipe Sys.Signal_ignore;
    match run_all language o fixed terminal with
    | None -> 3
    | Some t ->
      Printf.printf "%s: %s%d cases: %d equal, %s%d undefined, %d discarded%s\n" language.name
        (if fixed = None then Printf.sprintf "seed %Ld: " o.seed else "")
        t.cases t.equal (if t.within > 0 then Printf.sprintf "%d within, " t.within else "") t.undefined t.discarded
        (String.concat "" (List.map (fun v -> Printf.sprintf ", %d %s" t.failures.(position v) (word v)) verdicts));
      report_coverage language t;
      report_failures language o fixed terminal t;
      let written = match o.json with Some path when not !stopping -> write_json language o t path | _ -> true in
      if not written then 3 else if failed t > 0 then 1 else if !stopping then 130 else if t.cases = 0 then 2 else 0
