type term = Word of string | List of term list

let tree i =
  let rec go i =
    if Read.next i <> '(' then Word (Read.atom i)
    else begin
      Read.opening i;
      List (Read.until_closed i go)
    end in
  go i

let rec put b = function
  | Word w -> Buffer.add_string b w
  | List l ->
    Buffer.add_char b '(';
    List.iteri (fun k t -> if k > 0 then Buffer.add_char b ' '; put b t) l;
    Buffer.add_char b ')'

let text t = let b = Buffer.create 256 in put b t; Buffer.contents b

let drop k l = List.filteri (fun i _ -> i <> k) l
let replace k t l = List.mapi (fun i old -> if i = k then t else old) l
let indexed l = List.mapi (fun i t -> (i, t)) l

(* {1 Expressions} *)

(* Where the parts of an expression are that are expressions. *)
let parts = function
  | List (Word head :: rest) ->
    (match head with
     | "call" -> List.init (List.length rest - 1) (fun k -> k + 2)
     | "map" -> [ 5; 6 ]
     | "gen" -> [ 5 ]
     | "red" -> [ 5; 6; 7 ]
     | "fold" -> [ 5; 6 ]
     | "zip" -> [ 4; 5 ]
     | "split" | "join" | "tr" -> [ 3 ]
     | "rev" -> [ 2 ]
     | "idx" | "fst" | "snd" -> [ 1 ]
     | "pair" -> [ 1; 2 ]
     | "if" | "let" -> [ 3; 4 ]
     | _ -> [])
  | _ -> []

let literal scalar = List [ Word "lit"; Word (if scalar = "f32" || scalar = "f64" then "0x0p+0" else "0") ]

(* Those of any depth, with how deep. *)
let rec inside depth e =
  match e with
  | List l when depth > 0 -> List.concat_map (fun k -> match List.nth_opt l k with Some p -> p :: inside (depth - 1) p | None -> []) (parts e)
  | _ -> []

let rec changes scalar e =
  match e with
  | Word _ -> []
  | List l ->
    let own =
      match l with
      | [ Word "lit"; _ ] | [ Word "var"; _ ] -> []
      | [ Word "if"; List ((_ :: _ :: _) as conds); t; a; b ] -> List.map (fun (k, _) -> List [ Word "if"; List (drop k conds); t; a; b ]) (indexed conds)
      | [ Word "idx"; a; List _ ] -> [ List [ Word "idx"; a; Word "0" ] ]
      | _ -> [] in
    let leaf = match l with [ Word "lit"; _ ] | [ Word "var"; _ ] -> [] | _ -> [ literal scalar; List [ Word "var"; Word "3" ] ] in
    let below = List.concat_map (fun k -> match List.nth_opt l k with Some p -> List.map (fun q -> List (replace k q l)) (changes scalar p) | None -> []) (parts e) in
    leaf @ inside 3 e @ own @ below

(* {1 Programs} *)

type request = { run : (term list * term list) option; scalar : string; names : term list; params : term list; sets : term list }

let read = function
  | List [ Word "translate"; List (Word "program" :: Word scalar :: List names :: items) ] -> Some (None, scalar, names, items)
  | List (Word "run" :: List (Word "sizes" :: sizes) :: Word _ :: rest) ->
    (match List.rev rest with
     | List (Word "program" :: Word scalar :: List names :: items) :: values -> Some (Some (sizes, List.rev values), scalar, names, items)
     | _ -> None)
  | _ -> None

let request t =
  Option.map
    (fun (run, scalar, names, items) ->
      let is_set = function List (Word ("set" | "copy") :: _) -> true | _ -> false in
      { run; scalar; names; params = List.filter (fun t -> not (is_set t)) items; sets = List.filter is_set items })
    (read t)

(* Assignments behind all parameters: they are by position, and in order. *)
let term r =
  let program = List (Word "program" :: Word r.scalar :: List r.names :: (r.params @ r.sets)) in
  match r.run with
  | None -> List [ Word "translate"; program ]
  | Some (sizes, values) ->
    List (Word "run" :: List (Word "sizes" :: sizes) :: Word (string_of_int (List.length values)) :: (values @ [ program ]))

let without_param r k =
  let renumbered = function
    | List [ how; Word n; e ] ->
      let n = int_of_string n in
      if n = k then None else Some (List [ how; Word (string_of_int (if n > k then n - 1 else n)); e ])
    | _ -> None in
  let is_in = function List (Word "in" :: _) -> true | _ -> false in
  let before = List.length (List.filter (fun (i, p) -> i < k && is_in p) (indexed r.params)) in
  let run = if is_in (List.nth r.params k) then Option.map (fun (sizes, values) -> (sizes, drop before values)) r.run else r.run in
  { r with run; params = drop k r.params; sets = List.filter_map renumbered r.sets }

(* A part in the place of what is assigned, which may be of another type: one of those that are there. *)
let retyped r =
  let types = List.sort_uniq compare (Word "num" :: List.filter_map (function List [ _; _; _; t ] -> Some t | _ -> None) r.params) in
  let one (i, s) =
    match s with
    | List [ how; Word n; e ] ->
      let k = int_of_string n in
      List.concat_map
        (fun part ->
          List.map
            (fun t ->
              let typed = function List [ role; name; x; _ ] -> List [ role; name; x; t ] | p -> p in
              { r with params = List.mapi (fun j p -> if j = k then typed p else p) r.params; sets = replace i (List [ how; Word n; part ]) r.sets })
            types)
        (inside 6 e)
    | _ -> [] in
  List.concat_map one (indexed r.sets)

let smaller_ones r =
  let without_set = List.map (fun (i, _) -> { r with sets = drop i r.sets }) (indexed r.sets) in
  let without_params = List.map (fun (k, _) -> without_param r k) (indexed r.params) in
  let without_names =
    List.map
      (fun (i, _) -> { r with names = drop i r.names; run = Option.map (fun (sizes, values) -> (drop i sizes, values)) r.run })
      (indexed r.names) in
  let changed =
    List.concat_map
      (fun (i, s) ->
        match s with
        | List [ how; n; e ] -> List.map (fun e -> { r with sets = replace i (List [ how; n; e ]) r.sets }) (changes r.scalar e)
        | _ -> [])
      (indexed r.sets) in
  let translated = if r.run = None then [] else [ { r with run = None } ] in
  translated @ without_set @ without_params @ without_names @ retyped r @ changed

let typed s =
  match Dpia.parse_request s with
  | Ok r -> Dpia.typed r
  | Error _ -> false
  | exception (Failure _ | Invalid_argument _ | Not_found) -> false

let smaller s =
  match Result.map request (Read.parse s tree) with
  | Error _ | Ok None -> Seq.empty
  | Ok (Some r) ->
    List.map (fun r -> text (term r)) (smaller_ones r)
    |> List.filter (fun t -> String.length t < String.length s)
    |> List.sort_uniq (fun a b -> compare (String.length a, a) (String.length b, b))
    |> List.to_seq
    |> Seq.filter typed
