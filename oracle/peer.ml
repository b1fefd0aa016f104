type failure = Crashed of string | Stopped of string | Hung | Flooded
type outcome = Answer of string | Failed of failure

type child = {
  pid : int;
  input : Unix.file_descr;
  output : Unix.file_descr;
  errors : Unix.file_descr;
  mutable writing : bool;       (* its input is open *)
  mutable listening : bool;     (* its standard error is open *)
  requests : string Queue.t;    (* not yet being written *)
  mutable sent : string;        (* what is being written, and from where on it is not *)
  mutable at : int;
  line : Buffer.t;              (* the line that is not read to its end *)
  block : Buffer.t;             (* the lines of the answer before it *)
  mutable words : string;       (* the end of what it said on standard error *)
  answers : string Queue.t
}

type t = { command : string; ends : string option; timeout : float; session : bool; mutable child : child option }

let create ?(session = true) command ~ends ~timeout = { command; ends; timeout; session; child = None }

let window = 256
let window_bytes = 1 lsl 20
let answer_bytes = 1 lsl 28
let words_bytes = 2000

let rec uninterrupted f = try f () with Unix.Unix_error (Unix.EINTR, _, _) -> uninterrupted f

let close fd = try Unix.close fd with Unix.Unix_error _ -> ()

(* A session of its own: all that the command starts is ended with it. *)
let start p =
  let to_child = Unix.pipe ~cloexec:true () in
  let from_child = Unix.pipe ~cloexec:true () in
  let err_child = Unix.pipe ~cloexec:true () in
  match Unix.fork () with
  | 0 ->
    (try
       if p.session then ignore (Unix.setsid ());
       Unix.dup2 ~cloexec:false (fst to_child) Unix.stdin;
       Unix.dup2 ~cloexec:false (snd from_child) Unix.stdout;
       Unix.dup2 ~cloexec:false (snd err_child) Unix.stderr;
       Sys.set_signal Sys.sigpipe Sys.Signal_default;
       Sys.set_signal Sys.sigint Sys.Signal_default;
       Sys.set_signal Sys.sigterm Sys.Signal_default;
       Sys.set_signal Sys.sighup Sys.Signal_default;
       Unix.execv "/bin/sh" [| "sh"; "-c"; p.command |]
     with _ -> Unix._exit 127)
  | pid ->
    List.iter close [ fst to_child; snd from_child; snd err_child ];
    List.iter Unix.set_nonblock [ snd to_child; fst from_child; fst err_child ];
    let c =
      { pid; input = snd to_child; output = fst from_child; errors = fst err_child; writing = true; listening = true;
        requests = Queue.create (); sent = ""; at = 0; line = Buffer.create 256; block = Buffer.create 256; words = ""; answers = Queue.create () } in
    p.child <- Some c;
    c

let child p = match p.child with Some c -> c | None -> start p

let stop_writing c =
  if c.writing then begin
    c.writing <- false;
    close c.input
  end

let release p c =
  stop_writing c;
  close c.output;
  if c.listening then close c.errors;
  c.listening <- false;
  p.child <- None

(* The session's processes, or the command alone; there may be none left. *)
let signal_all p pid = try Unix.kill (if p.session then -pid else pid) Sys.sigkill with Unix.Unix_error _ -> ()

(* Its status when it ends within [seconds]. *)
let wait_until pid seconds =
  let deadline = Unix.gettimeofday () +. seconds in
  let rec go () =
    match uninterrupted (fun () -> Unix.waitpid [ Unix.WNOHANG ] pid) with
    | 0, _ when Unix.gettimeofday () > deadline -> None
    | 0, _ -> uninterrupted (fun () -> Unix.sleepf 0.001); go ()
    | _, status -> Some status in
  go ()

let reap pid = ignore (uninterrupted (fun () -> Unix.waitpid [] pid))

let kill p =
  match p.child with
  | None -> ()
  | Some c ->
    signal_all p c.pid;
    reap c.pid;
    release p c

let read_bytes = Bytes.create 65536

(* What can be read now: [None] at the end. *)
let read_some fd =
  match uninterrupted (fun () -> Unix.read fd read_bytes 0 (Bytes.length read_bytes)) with
  | 0 -> None
  | n -> Some n
  | exception Unix.Unix_error ((Unix.EAGAIN | Unix.EWOULDBLOCK), _, _) -> Some 0
  | exception Unix.Unix_error _ -> None

let hear c =
  match read_some c.errors with
  | None ->
    c.listening <- false;
    close c.errors
  | Some n ->
    let all = c.words ^ Bytes.sub_string read_bytes 0 n in
    let k = String.length all in
    c.words <- (if k > words_bytes then String.sub all (k - words_bytes) words_bytes else all)

(* Cuts what was read into answers. *)
let take p c n =
  let rec go at =
    match Bytes.index_from read_bytes at '\n' with
    | k when k < n ->
      Buffer.add_subbytes c.line read_bytes at (k - at);
      let line = Buffer.contents c.line in
      Buffer.clear c.line;
      (match p.ends with
       | None -> Queue.add line c.answers
       | Some last when line = last ->
         Queue.add (Buffer.contents c.block) c.answers;
         Buffer.clear c.block
       | Some _ ->
         Buffer.add_string c.block line;
         Buffer.add_char c.block '\n');
      if k + 1 < n then go (k + 1)
    | _ | exception Not_found -> Buffer.add_subbytes c.line read_bytes at (n - at) in
  if n > 0 then go 0

let to_write c = c.writing && (c.sent <> "" || not (Queue.is_empty c.requests))

let write_some c =
  if c.sent = "" then begin
    c.sent <- String.concat "" (List.of_seq (Queue.to_seq c.requests));
    c.at <- 0;
    Queue.clear c.requests
  end;
  let n = String.length c.sent - c.at in
  match uninterrupted (fun () -> Unix.write_substring c.input c.sent c.at (min n 65536)) with
  | k ->
    c.at <- c.at + k;
    if c.at = String.length c.sent then c.sent <- ""
  | exception Unix.Unix_error ((Unix.EAGAIN | Unix.EWOULDBLOCK), _, _) -> ()
  | exception Unix.Unix_error _ -> stop_writing c (* it reads no more: its end will tell *)

let signal_name n =
  let known =
    [ Sys.sigsegv, "SIGSEGV"; Sys.sigabrt, "SIGABRT"; Sys.sigfpe, "SIGFPE"; Sys.sigill, "SIGILL"; Sys.sigbus, "SIGBUS";
      Sys.sigkill, "SIGKILL"; Sys.sigterm, "SIGTERM"; Sys.sigpipe, "SIGPIPE"; Sys.sigint, "SIGINT"; Sys.sighup, "SIGHUP" ] in
  match List.assoc_opt n known with Some name -> name | None -> string_of_int n

let words c = match String.trim c.words with "" -> "" | s -> "; on standard error: " ^ s

(* The words that it said last may come behind the end of its output. *)
let rec hear_out c deadline =
  if c.listening && Unix.gettimeofday () < deadline then begin
    match Unix.select [ c.errors ] [] [] 0.01 with
    | [], _, _ -> hear_out c deadline
    | _ -> hear c; hear_out c deadline
    | exception Unix.Unix_error (Unix.EINTR, _, _) -> hear_out c deadline
  end

(* The output of the child has ended: how. *)
let ended p c =
  stop_writing c;
  let status = wait_until c.pid (max 1.0 p.timeout) in
  hear_out c (Unix.gettimeofday () +. 0.1);
  signal_all p c.pid;
  if status = None then reap c.pid;
  release p c;
  match status with
  | Some (Unix.WEXITED 0) -> Stopped ("exit status 0" ^ words c)
  | Some (Unix.WEXITED n) -> Crashed (Printf.sprintf "exit status %d%s" n (words c))
  | Some (Unix.WSIGNALED n) | Some (Unix.WSTOPPED n) -> Crashed (signal_name n ^ words c)
  | None -> Stopped ("its output was closed" ^ words c)

(* Waits for something to read or write, at most [wait] seconds, and does it; [Some] when the process is gone. *)
let poll p c wait =
  let reads = if c.listening then [ c.output; c.errors ] else [ c.output ] in
  match Unix.select reads (if to_write c then [ c.input ] else []) [] (max 0.0 wait) with
  | exception Unix.Unix_error (Unix.EINTR, _, _) -> None
  | readable, writable, _ ->
    if List.mem c.errors readable then hear c;
    if writable <> [] then write_some c;
    if List.mem c.output readable then
      match read_some c.output with
      | None -> Some (ended p c)
      | Some n ->
        take p c n;
        if Buffer.length c.line + Buffer.length c.block > answer_bytes then begin kill p; Some Flooded end else None
    else None

(* Something has come though nobody asked. *)
let flooded c = not (Queue.is_empty c.answers)

let ask p request =
  let c = child p in
  if flooded c then begin
    kill p;
    Failed Flooded
  end else begin
    Queue.add request c.requests;
    let deadline = Unix.gettimeofday () +. p.timeout in
    let rec go () =
      if not (Queue.is_empty c.answers) then Answer (Queue.pop c.answers)
      else
        let left = deadline -. Unix.gettimeofday () in
        match poll p c left with
        | Some f -> Failed f
        | None when left < 0.0 && Queue.is_empty c.answers -> kill p; Failed Hung
        | None -> go () in
    match go () with
    | Answer _ when flooded c -> kill p; Failed Flooded
    | outcome -> outcome
  end

type 'a streaming = {
  next : unit -> ('a * string) option;
  got : 'a -> outcome -> bool;
  asked : ('a * string) Queue.t;  (* unanswered *)
  mutable bytes : int;            (* their length *)
  mutable more : bool;            (* [next] may give another *)
  mutable on : bool;              (* [got] wants to know more *)
  mutable since : float;          (* the first of them was asked, or the answer before it came *)
}

(* One more request, if there is room. *)
let feed s c =
  s.more && Queue.length s.asked < window && s.bytes < window_bytes &&
  match s.next () with
  | None -> s.more <- false; false
  | Some (word, request) ->
    if Queue.is_empty s.asked then s.since <- Unix.gettimeofday ();
    Queue.add (word, request) s.asked;
    s.bytes <- s.bytes + String.length request;
    Queue.add request c.requests;
    true

let pop s =
  let word, request = Queue.pop s.asked in
  s.bytes <- s.bytes - String.length request;
  (word, request)

let tell s word outcome = if s.on && not (s.got word outcome) then s.on <- false

let rec deliver s c =
  if not (Queue.is_empty c.answers) && not (Queue.is_empty s.asked) then begin
    let answer = Queue.pop c.answers in
    let word, _ = pop s in
    s.since <- Unix.gettimeofday ();
    tell s word (Answer answer);
    if s.on then deliver s c
  end

(* What is unanswered is asked of the next process. *)
let resend p s =
  if s.on && not (Queue.is_empty s.asked) then begin
    let c = child p in
    Queue.iter (fun (_, request) -> Queue.add request c.requests) s.asked;
    s.since <- Unix.gettimeofday ()
  end

(* The process has ended with [failure]: what is unanswered is asked one by one, until one does it again. When none does,
   the first is the one that it happened at. *)
let failed p s failure =
  if failure <> Flooded && Queue.length s.asked = 1 then tell s (fst (pop s)) (Failed failure)
  else begin
    let rec go acc =
      if Queue.is_empty s.asked then (List.rev acc, false)
      else
        let word, request = pop s in
        match ask p request with
        | Answer _ as o -> go ((word, o) :: acc)
        | Failed _ as o -> (List.rev ((word, o) :: acc), true) in
    let outcomes, again = go [] in
    List.iteri (fun k (word, o) -> tell s word (if k = 0 && not again then Failed failure else o)) outcomes
  end;
  resend p s

let same p c = match p.child with Some d -> d == c | None -> false

let stream p next got =
  let s = { next; got; asked = Queue.create (); bytes = 0; more = true; on = true; since = 0.0 } in
  let rec go () =
    let c = child p in
    (* Requests are made while the process works on those before, and its answers are read between. *)
    let rec fill k = k > 0 && feed s c && (fill (k - 1) || true) in
    let fed = fill 8 in
    if not (Queue.is_empty s.asked) then begin
      let left = s.since +. p.timeout -. Unix.gettimeofday () in
      let happened = poll p c (if fed then 0.0 else left) in
      deliver s c;
      (match happened with
       | Some failure -> failed p s failure
       | None when not (same p c) -> resend p s
       | None when flooded c -> kill p; failed p s Flooded
       | None when left < 0.0 && s.since +. p.timeout < Unix.gettimeofday () -> kill p; failed p s Hung
       | None -> ());
      if s.on then go ()
    end
    else if s.more then go () in
  go ();
  if not s.on then kill p

let finish p =
  match p.child with
  | None -> None
  | Some c ->
    Queue.clear c.requests;
    c.sent <- "";
    stop_writing c;
    let deadline = Unix.gettimeofday () +. p.timeout in
    let rec go () =
      let left = deadline -. Unix.gettimeofday () in
      match poll p c left with
      | None when left < 0.0 -> kill p; Some Hung
      | None -> go ()
      | Some (Stopped _) -> if flooded c || Buffer.length c.line + Buffer.length c.block > 0 then Some Flooded else None
      | Some f -> Some f in
    go ()
