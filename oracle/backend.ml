open Cells
open Cmdliner

(* {1 Folders} *)

let rec make_folder path =
  if not (Sys.file_exists path) then begin
    make_folder (Filename.dirname path);
    try Unix.mkdir path 0o755 with Unix.Unix_error (Unix.EEXIST, _, _) -> ()
  end

let write_file path text =
  make_folder (Filename.dirname path);
  let oc = open_out_bin path in
  Fun.protect ~finally:(fun () -> close_out oc) (fun () -> output_string oc text)

let read_file path =
  match open_in_bin path with
  | exception Sys_error e -> Error e
  | ic -> Fun.protect ~finally:(fun () -> close_in_noerr ic) (fun () -> Ok (really_input_string ic (in_channel_length ic)))

let data_set folder = Filename.concat folder "test_data_set_0"
let numbered folder what k = Filename.concat folder (Printf.sprintf "%s_%d.pb" what k)

let write folder m outputs =
  Result.map
    (fun text ->
      let set = data_set folder in
      make_folder set;
      write_file (Filename.concat folder "model.onnx") text;
      List.iteri
        (fun i k -> write_file (numbered set "input" i) (Proto.tensor (Onnx_model.name m k) (Option.get (data_of m k))))
        (Onnx_model.inputs m);
      List.iteri (fun i (name, t) -> write_file (numbered set "output" i) (Proto.tensor name t)) outputs)
    (Onnx_model.write m)

let operator m k =
  match m.nodes.(k).Shim_gsl.kind, m.nodes.(k).ins with
  | Shim_gsl.Proj _, [ Some p ] -> m.nodes.(p)
  | _ -> m.nodes.(k)

let write_tolerances folder m outputs =
  let value k = match data_of m k with Some t -> Some t | None -> List.assoc_opt (Onnx_model.name m k) outputs in
  let one i (name, k) =
    let n = operator m k in
    let ins = List.map (function Some e -> value e | None -> None) n.ins in
    match List.assoc_opt name outputs with
    | Some want when not (List.mem None ins) ->
      let cells = Array.map (Cells.of_float "f64") (Policy.tolerance n (List.map Option.get ins) want) in
      write_file (numbered (data_set folder) "tolerance" i) (Proto.tensor name { dtype = "f64"; dims = want.dims; cells })
    | _ -> () in
  List.iteri one m.graph.outputs

(* {1 The language} *)

let case request m =
  let m = Onnx_model.expose m in
  let outputs = Result.bind (Model.read (print m)) Model.outputs in
  match m.graph.outputs, Onnx_model.write m with
  | [], _ -> Error "no operator"
  | _, Error why -> Error why
  | _, Ok _ ->
    (* What is divided by 0 has no value: a backend may say anything. *)
    let defined, answer = match outputs with Ok text -> (not (Gen_model.has_unknown text), text) | Error text -> (false, text) in
    Ok { Language.request; answer; defined; labels = lazy (if defined then Gen_model.labels m else [ "none" ]); sound = lazy true }

let read request = Result.bind (Cells.read request) (case request)

let agreement (c : Language.case) got =
  let outs text = Result.to_option (answer text) in
  match Cells.read c.request, outs c.answer, outs got with
  | Ok m, Some want, Some got -> Policy.judge (Onnx_model.expose m) want got
  | _ -> (Policy.Differs, "")

let close (c : Language.case) got =
  if not c.defined then Language.Equal else match agreement c got with
  | Policy.Same, _ -> Language.Equal
  | Within, _ -> Language.Within
  | Differs, why -> Language.Different why

let smaller request =
  match Cells.read request with
  | Error _ -> Seq.empty
  | Ok m -> Seq.map print (Shrink_model.smaller (Onnx_model.expose m))

(* What kind of case it is: operators with their element types. *)
let family request =
  match Cells.read request with
  | Error _ -> ""
  | Ok m -> String.concat ", " (List.filter (fun l -> String.contains l ' ') (Gen_model.labels m))

let language ~graphs =
  { Language.name = "onnx"; request_ends = Some ""; answer_ends = Some "";
    generate =
      Some
        (fun g k ->
          let m = Gen_model.model ~graphs g k in
          match case (print m) m with Ok c -> c | Error why -> failwith why);
    read; close; smaller; family; labels = [];
    plausible = (fun _ s -> Language.starts "error" s || Result.is_ok (answer s)) }

(* {1 A backend as an implementation of the language} *)

let outputs folder (m : model) =
  let one i (name, _) =
    match Result.bind (read_file (numbered (Filename.concat folder "got") "output" i)) Proto.read_tensor with
    | Ok t -> Ok (name, t)
    | Error why -> Error (Printf.sprintf "output_%d.pb: %s" i why) in
  List.fold_right
    (fun r acc -> match r, acc with Ok o, Ok l -> Ok (o :: l) | Error e, _ | _, Error e -> Error e)
    (List.mapi one m.graph.outputs) (Ok [])

let rec remove path =
  if (try (Unix.lstat path).st_kind = Unix.S_DIR with Unix.Unix_error _ -> false) then begin
    Array.iter (fun f -> remove (Filename.concat path f)) (Sys.readdir path);
    Unix.rmdir path
  end
  else try Sys.remove path with Sys_error _ -> ()

let starts = Language.starts

let answered p folder request =
  match Cells.read request with
  | Error e -> Ok ("error: " ^ e)
  | Ok m ->
    let m = Onnx_model.expose m in
    match write folder m [] with
    | Error why -> Ok ("unsupported: " ^ why)
    | Ok () ->
      match Peer.ask p (folder ^ "\n") with
      | Peer.Failed f -> Error f
      | Answer "done" -> Ok (match outputs folder m with Ok l -> print_answer l | Error e -> "unread: " ^ e)
      | Answer a when starts "unsupported" a || starts "error" a -> Ok a
      | Answer a -> Ok ("garbage: " ^ a)

let put text =
  print_string text;
  if text = "" || text.[String.length text - 1] <> '\n' then print_newline ();
  print_newline ()

(* How the command ended is how we end. *)
let end_as = function
  | Peer.Crashed how ->
    prerr_endline how;
    (try Scanf.sscanf how "exit status %d" Fun.id with Scanf.Scan_failure _ | Failure _ | End_of_file -> 128)
  | Stopped how -> prerr_endline how; 0
  | Hung -> prerr_endline "no answer in time"; 124
  | Flooded -> print_string "more than one answer\n\n"; 0

let work_folder () =
  let base = Filename.temp_file "calque" ".cases" in
  Sys.remove base;
  Unix.mkdir base 0o700;
  base

let serve work command =
  let base =
    match work with
    | None -> work_folder ()
    | Some dir ->
      let own = Filename.concat dir (string_of_int (Unix.getpid ())) in
      make_folder own;
      own in
  let p = Peer.create ~session:false command ~ends:None ~timeout:1e6 in
  let rec block acc =
    match input_line stdin with
    | exception End_of_file -> if acc = [] then None else Some (List.rev acc)
    | "" -> Some (List.rev acc)
    | l -> block (l :: acc) in
  let rec go k =
    match block [] with
    | None -> (match Peer.finish p with None -> 0 | Some f -> end_as f)
    | Some lines ->
      let folder = Filename.concat base (string_of_int k) in
      match answered p folder (String.concat "\n" lines ^ "\n") with
      | Ok text -> put text; remove folder; go (k + 1)
      | Error f -> end_as f in
  Fun.protect ~finally:(fun () -> Peer.kill p; remove base) (fun () -> go 0)

let man =
  [ `S Manpage.s_description;
    `P "Reads models as $(b,calque-oracle model) does and answers them by $(i,COMMAND), which is what $(b,diff --against-backend) asks. \
        $(i,COMMAND) is started once. It reads names of folders on its standard input, a line each. In a folder are $(b,model.onnx) and \
        $(b,test_data_set_0/input_0.pb), ..; it writes $(b,got/output_0.pb), .. there, TensorProtos in the order of the model's outputs, and \
        answers by a line: $(b,done), $(b,unsupported WHY) or $(b,error WHY)." ]
