(* The tokens: parentheses, quoted strings, words. No recursion: a line has any length. *)
let tokens s =
  let n = String.length s in
  let rec quoted k = if k >= n then n else match s.[k] with '"' -> k + 1 | '\\' -> quoted (min n (k + 2)) | _ -> quoted (k + 1) in
  let rec word k = if k >= n then n else match s.[k] with ' ' | '\n' | '\t' | '(' | ')' | '"' -> k | _ -> word (k + 1) in
  let rec go k acc =
    if k >= n then List.rev acc
    else
      let upto e = go e (String.sub s k (e - k) :: acc) in
      match s.[k] with
      | ' ' | '\n' | '\t' -> go (k + 1) acc
      | '(' | ')' -> upto (k + 1)
      | '"' -> upto (quoted (k + 1))
      | _ -> upto (word k) in
  Array.of_list (go 0 [])

let nodes s =
  let t = tokens s in
  let n = ref 0 in
  (* the word behind a parenthesis is the name of that term *)
  Array.iteri (fun i w -> if w <> ")" && not (w = "(" && i + 1 < Array.length t && t.(i + 1) <> "(" && t.(i + 1) <> ")") then incr n) t;
  !n

(* last.(i): the last token of the term that begins with token i. *)
let ends t =
  let last = Array.init (Array.length t) Fun.id in
  let open_ = ref [] in
  Array.iteri
    (fun i w ->
      match w, !open_ with
      | "(", _ -> open_ := i :: !open_
      | ")", o :: rest -> last.(o) <- i; open_ := rest
      | _ -> ())
    t;
  last

type place = Nothing | Part of int * int | Word of string

(* Tokens i .. j are replaced. *)
type cut = { i : int; j : int; place : place }

let join t c =
  let buf = Buffer.create 256 in
  let before = ref "(" in
  let put w =
    if !before <> "(" && w <> ")" then Buffer.add_char buf ' ';
    Buffer.add_string buf w;
    before := w in
  for k = 0 to c.i - 1 do put t.(k) done;
  (match c.place with
   | Nothing -> ()
   | Part (a, b) -> for k = a to b do put t.(k) done
   | Word w -> put w);
  for k = c.j + 1 to Array.length t - 1 do put t.(k) done;
  Buffer.contents buf

let words_of w =
  let half =
    match Int64.of_string_opt w with
    | Some z ->
      let near = if Int64.abs z < 16L then [ Int64.pred z; Int64.succ z ] else [] in
      List.map Int64.to_string (Int64.div z 2L :: near)
    | None -> [] in
  (match w.[0] with '"' -> [ "\"\"" ] | _ -> []) @ [ "0"; "1"; "_"; "none" ] @ half

(* Longer terms are not replaced by what the caller has instead. *)
let instead_tokens = 100

let cuts instead t =
  let last = ends t in
  let of_term i acc =
    let j = last.(i) in
    (* the terms in it *)
    let rec kids k acc = if k >= j then List.rev acc else kids (last.(k) + 1) (k :: acc) in
    let kids = if j > i then kids (i + 1) [] else [] in
    let parts = List.filter_map (fun k -> if t.(k) = "" then None else Some { i; j; place = Part (k, last.(k)) }) kids in
    let halves =
      let n = List.length kids in
      if n < 6 then []
      else
        let a = Array.of_list kids in
        List.concat_map
          (fun d -> List.init d (fun q -> { i = a.(q * n / d); j = last.(a.(((q + 1) * n / d) - 1)); place = Nothing }))
          (if n < 12 then [ 2 ] else [ 2; 4 ]) in
    let words =
      if j > i then [ { i; j; place = Word "0" }; { i; j; place = Word "_" }; { i; j; place = Word "()" } ]
      else List.map (fun w -> { i; j; place = Word w }) (words_of t.(i)) in
    let others =
      if j > i && j - i < instead_tokens then
        let all = join (Array.sub t i (j - i + 1)) { i = j - i + 1; j = j - i + 1; place = Nothing } in
        List.map (fun w -> { i; j; place = Word w }) (instead all)
      else [] in
    List.concat [ [ { i; j; place = Nothing } ]; parts; halves; words; others; acc ] in
  let rec go i acc = if i >= Array.length t then acc else go (i + 1) (if t.(i) = ")" then acc else of_term i acc) in
  go 1 []

let length t c =
  let sum a b = let n = ref 0 in for k = a to b do n := !n + String.length t.(k) + 1 done; !n in
  (match c.place with Nothing -> 0 | Part (a, b) -> sum a b | Word w -> String.length w + 1) - sum c.i c.j

let smaller ?(instead = fun _ -> []) s =
  let t = tokens s in
  let whole = join t { i = Array.length t; j = Array.length t; place = Nothing } in
  let less x = (String.length x, x) < (String.length whole, whole) in
  cuts instead t
  |> List.rev_map (fun c -> (length t c, c))
  |> List.sort compare
  |> List.to_seq
  |> Seq.filter (fun (d, _) -> d <= 0)
  |> Seq.map (fun (_, c) -> join t c)
  |> Seq.filter less

(* {1 Lines} *)

(* Places where a term of infix text can be cut: groups in parentheses or brackets with the word before them, and what stands between
   their commas and operators. *)
let groups line =
  let n = String.length line in
  let word c = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c = '_' in
  let open_ = ref [] and found = ref [] in
  let rec back k = if k > 0 && word line.[k - 1] then back (k - 1) else k in
  (* the separators at the level of a group that is open *)
  let mark k width = match !open_ with (o, seps) :: rest -> open_ := (o, (k, width) :: seps) :: rest | [] -> () in
  let close_at k =
    match !open_ with
    | (o, seps) :: rest ->
      open_ := rest;
      found := (o, k, List.rev seps) :: !found
    | [] -> () in
  let from = match String.index_opt line '=' with Some k -> k + 1 | None -> n in
  if from < n then open_ := [ (from, []) ];
  String.iteri
    (fun k c ->
      match c with
      | ('(' | '[') when k >= from -> open_ := (k, []) :: !open_
      | (')' | ']') -> if List.length !open_ > 1 then close_at k
      | ',' when k + 1 < n && line.[k + 1] = ' ' -> mark k 2
      | ',' -> mark k 1 (* of indices; a list of dimensions is cut too, which no reader takes *)
      | ('+' | '*' | '-' | '/') when k > 0 && line.[k - 1] = ' ' && k + 1 < n && line.[k + 1] = ' ' -> mark (k - 1) 3
      | _ -> ())
    line;
  if List.length !open_ = 1 then close_at (if n > 0 && line.[n - 1] = ';' then n - 1 else n);
  List.map
    (fun (o, e, seps) ->
      let rec parts from = function
        | [] -> [ (from, e) ]
        | (k, w) :: rest -> (from, k) :: parts (k + w) rest in
      (back o, (if e < n && (line.[e] = ')' || line.[e] = ']') then e + 1 else e), parts (o + 1) seps))
    !found

let smaller_line line =
  let n = String.length line in
  let cut a b s = String.sub line 0 a ^ s ^ String.sub line b (n - b) in
  List.concat_map
    (fun (a, b, parts) ->
      let lead = if a > 0 && line.[a - 1] = '=' then " " else "" in
      let part (p, q) = if p < q then [ cut a b (lead ^ String.trim (String.sub line p (q - p))) ] else [] in
      (cut a b (lead ^ "0") :: List.concat_map part parts)
      @ List.concat_map (fun (p, q) -> if p < q then [ cut p q "0"; cut p q " 0" ] else []) parts)
    (groups line)

(* The first line without its last word, or without one of the names that a word has with commas. *)
let smaller_head head =
  let words = String.split_on_char ' ' head in
  let n = List.length words in
  let drop k l = List.filteri (fun i _ -> i <> k) l in
  let without i w =
    match String.split_on_char ',' w with
    | [] | [ _ ] -> []
    | names ->
      List.init (List.length names) (fun k ->
        List.mapi (fun j old -> if i = j then String.concat "," (drop k names) else old) words) in
  List.map (String.concat " ") ((if n > 1 then [ drop (n - 1) words ] else []) @ List.concat (List.mapi without words))

let smaller_lines s =
  let a = Array.of_list (List.filter (( <> ) "") (String.split_on_char '\n' s)) in
  let text l = String.concat "" (List.map (fun l -> l ^ "\n") l) in
  let lines = Array.to_list a in
  let without = List.init (max 0 (Array.length a - 1)) (fun k -> List.filteri (fun i _ -> i <> k + 1) lines) in
  let shorter =
    List.concat
      (List.init (max 0 (Array.length a - 1)) (fun k ->
         List.map (fun l -> List.mapi (fun i old -> if i = k + 1 then l else old) lines) (smaller_line a.(k + 1)))) in
  let heads = if lines = [] then [] else List.map (fun h -> h :: List.tl lines) (smaller_head (List.hd lines)) in
  let measure s = (String.length s, s) in
  List.map text (heads @ without @ shorter)
  |> List.filter (fun r -> measure r < measure s)
  |> List.sort_uniq (fun a b -> compare (measure a) (measure b))
  |> List.to_seq
