(* What liboracle.c calls. No exception leaves: it would end the process of the caller. *)

let language name = List.find_opt (fun l -> l.Language.name = name) Language.all

let names () = String.concat " " (List.map (fun l -> l.Language.name) Language.all)

(* With the lines that end them, as a process would write and read them. *)
let request_of l seed k = Option.map (fun make -> (make (Rng.create ~seed:(Diff.case_seed seed k)) k : Language.case)) l.Language.generate

(* The numbers of oracle.h. *)
let ok = 0 and bad_language = 1 and malformed = 2 and no_generator = 3 and internal = 4

let guarded f =
  match f () with
  | r -> r
  | exception Stack_overflow -> (internal, "stack overflow", "")
  | exception Out_of_memory -> (internal, "out of memory", "")
  | exception e -> (internal, Printexc.to_string e, "")

(* (status, answer, ""), or what is wrong with the request in the place of the answer. *)
let answer name request =
  guarded (fun () ->
      match language name with
      | None -> (bad_language, "no language " ^ name ^ "; there are " ^ names (), "")
      | Some l ->
        match l.read request with
        | Ok c -> (ok, c.answer, "")
        | Error e -> (malformed, e, ""))

(* Cases [first .. first + count - 1] of a seed: the requests and the answers. *)
let cases name seed first count =
  guarded (fun () ->
      match language name with
      | None -> (bad_language, "no language " ^ name ^ "; there are " ^ names (), "")
      | Some { generate = None; _ } -> (no_generator, "no random requests of " ^ name, "")
      | Some l ->
        let requests = Buffer.create 65536 and answers = Buffer.create 65536 in
        for k = first to first + count - 1 do
          Option.iter
            (fun (c : Language.case) ->
              Buffer.add_string requests (Language.ended l.request_ends c.request);
              Buffer.add_string answers (Language.ended l.answer_ends c.answer))
            (request_of l seed k)
        done;
        (ok, Buffer.contents requests, Buffer.contents answers))

let () =
  Gc.set { (Gc.get ()) with minor_heap_size = 8 * 1024 * 1024; space_overhead = 200 };
  Callback.register "calque_oracle_answer" answer;
  Callback.register "calque_oracle_cases" cases
