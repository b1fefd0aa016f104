module X = Extracted_calls

type verdict =
  | Equal of int * int
  | Different of string

(* {1 Reading} *)

type file = {
  regions : (Z.t * Z.t) list;
  given : (X.range * X.range) list;
  results : (X.range * X.range) list;
  calls : (string * X.call) list;
  items : X.item list;
}

let most_calls = 100_000

let natural i =
  let word = Read.atom i in
  match Z.of_string word with
  | z when Z.sign z >= 0 -> z
  | _ -> Read.fail i "a number"
  | exception Invalid_argument _ -> Read.fail i "a number"

let list i item = Read.opening i; Read.until_closed i item

(* Regions and functions are words; equal ones get equal numbers. *)
let numbered table word =
  match Hashtbl.find_opt table word with
  | Some n -> n
  | None -> let n = Z.of_int (Hashtbl.length table) in Hashtbl.add table word n; n

let ranged i region =
  let region = region i in
  let start = natural i in
  let size = natural i in
  { X.region; start; size }

let between i f = Read.opening i; let x = f i in Read.closing i; x

let headed i word f =
  Read.opening i;
  if Read.atom i <> word then Read.fail i ("(" ^ word ^ " ..)");
  let l = Read.until_closed i f in
  l

let file i =
  let regions = Hashtbl.create 16 and functions = Hashtbl.create 16 in
  let place i = numbered regions (Read.atom i) in
  let call range = fun i ->
    let name = Read.atom i in
    let outs = list i (fun i -> between i range) in
    let ins = list i (fun i -> between i range) in
    (name, numbered functions name, outs, ins) in
  let moving i =
    let at_first = ranged i place in
    let step = natural i in
    { X.at_first; step } in
  let pair i = between i (fun i ->
    let a = between i (fun i -> ranged i natural) in
    let b = between i (fun i -> ranged i place) in
    (a, b)) in
  let sizes = headed i "regions" (fun i -> between i (fun i -> let k = place i in let n = natural i in (k, n))) in
  let given = headed i "given" pair in
  let results = headed i "results" pair in
  let rec lines calls items =
    if Read.next i <> '(' then (List.rev calls, List.rev items)
    else begin
      Read.opening i;
      match Read.atom i with
      | "call" ->
        let (name, fn, outs, ins) = call (fun i -> ranged i natural) i in
        Read.closing i;
        lines ((name, { X.fn; outs; ins }) :: calls) items
      | "one" ->
        let (_, fn, outs, ins) = call (fun i -> ranged i place) i in
        Read.closing i;
        lines calls (X.One { X.fn; outs; ins } :: items)
      | "loop" ->
        let count = Read.number i in
        if count > most_calls then Read.fail i "at most 100000 iterations";
        let body = Read.until_closed i (fun i -> between i (fun i ->
          let (_, moving_fn, moving_outs, moving_ins) = call moving i in
          { X.moving_fn; moving_outs; moving_ins })) in
        lines calls (X.Loop (Z.of_int count, body) :: items)
      | _ -> Read.fail i "call, one or loop"
    end in
  let (calls, items) = lines [] [] in
  { regions = sizes; given; results; calls; items }

(* {1 The check} *)

let rec take n = function
  | x :: l when n > 0 -> x :: take (n - 1) l
  | _ -> []

(* The first call that does not hold: the longest beginning that does is found by halves. *)
let reason f made =
  let holds n =
    X.calls_hold f.regions f.given (List.map snd (take n f.calls)) (List.map (fun c -> X.One c) (take n made)) [] in
  let rec longest low high =
    if high - low <= 1 then low
    else let n = (low + high) / 2 in if holds n then longest n high else longest low n in
  if List.length made <> List.length f.calls then
    Printf.sprintf "%d calls are made, not %d" (List.length made) (List.length f.calls)
  else if not (holds 0) then "a value that is given is larger than its place, or smaller"
  else if holds (List.length made) then "a result is not where it should be"
  else
    let n = longest 0 (List.length made) in
    Printf.sprintf "call %d, of %s, is another one, or an argument is not where it should be" (n + 1)
      (fst (List.nth f.calls n))

let check text =
  Result.map
    (fun f ->
      let made = List.concat_map X.calls_of f.items in
      if X.calls_hold f.regions f.given (List.map snd f.calls) f.items f.results then
        let single = List.length (List.filter (function X.One _ -> true | X.Loop _ -> false) f.items) in
        Equal (List.length made, List.length made - single)
      else Different (reason f made))
    (Read.parse text file)
