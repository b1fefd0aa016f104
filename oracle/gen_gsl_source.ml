open Shim_gsl
open Gen_gsl_state

(* {1 Patterns with an instance} *)

let blank form = { form; wants = []; shared = false; template = false; first = None }

let add_pattern s p = s.pats <- Array.append s.pats [| p |]; Array.length s.pats - 1

let bind s p e maker =
  s.node_of <- (p, e) :: s.node_of;
  s.makers <- (p, maker) :: s.makers;
  if s.certain then begin
    s.facts <- List.map (fun (l, v) -> (p, l, v)) (node_facts s p e) @ s.facts;
    if is_base s e && not (Gsl_types.multi (graph_of s []) e) then s.reusable <- p :: s.reusable
  end;
  p

let node s p = List.assoc p s.node_of
let taken s e = List.exists (fun (_, x) -> x = e) s.node_of

let some_wants s p labels =
  List.filter_map
    (fun (l, v) -> if percent s p then Some (l, expr_for s ~matching:true v) else None)
    labels

let leaf s slot =
  let is_const e = match s.nodes.(e).kind with Const _ -> true | _ -> false in
  let is_leaf e = match s.nodes.(e).kind with Const _ | Input -> true | _ -> false in
  let e =
    match s.trap with
    | Some e when slot = Base -> s.trap <- None; s.broken <- true; e
    | _ ->
      let used = List.filter (fun e -> fits s slot e && is_leaf e) (List.sort_uniq compare (List.map snd s.node_of)) in
      if s.alias && used <> [] then begin
        s.alias <- false; s.broken <- true; pick s used
      end else
        let ok e = not (taken s e) || percent s 4 in
        leaf_node s s.before slot ok in
  let form =
    if is_const e then
      match s.nodes.(e).kind with
      | Const (Some v) when percent s 50 ->
        let literal = match v with
          | Shim.Float b when Float.is_integer (Int64.float_of_bits b) && percent s 30
                              && Int64.float_of_bits b <> 0. ->
            Shim.Const (Shim.Int (Int64.of_float (Int64.float_of_bits b)))
          (* One that is rounded to it in binary32. *)
          | Shim.Float b when percent s 30 -> Shim.Const (Shim.Float (Int64.succ b))
          | v -> expr_for s ~matching:true v in
        Constant (Some literal)
      | _ -> pick s [ Constant None; Variable; Wildcard ]
    else if is_leaf e then pick s [ Wildcard; Wildcard; Variable ]
    else Wildcard in
  let aliased = taken s e in
  let n = s.nodes.(e) in
  let facts = match n.dims, n.dtype with
    | Some d, Some t ->
      [ ("shape", Shim.Tuple (List.map (fun i -> Shim.Int i) d)); ("dtype", Shim.Str t); ("ndim", num (List.length d)) ]
    | _ -> [] in
  let wants = match form with
    | Constant (Some _) -> []
    | _ -> some_wants s 12 facts in
  (* An alias is allowed when one of the leaves says so, and both are leaves. *)
  let other_leaf = List.for_all (fun (p, x) -> x <> e || Gsl_surface.kids s.pats.(p).form = []) s.node_of in
  if aliased && not s.broken && not other_leaf then raise Discard;
  let shared = (aliased && not s.broken) || percent s 8 in
  let p = add_pattern s { (blank form) with wants; shared } in
  bind s p e (fun _ ->
    if percent s 50 then e
    else match n.kind with
      | Const v -> add_node s { (typed s (Const v) (dims s e)) with dtype = n.dtype }
      | _ -> input s (dims s e))

let pair_up commutative ins = match ins with
  | [ a; b ] when commutative -> [ b; a ]
  | l -> l

let commutes name = match Gsl_types.find_op name with Some o -> o.commutative | None -> false

let apply s form name kids ins attrs wants =
  let swap = commutes name && percent s 50 in
  let make ins = op s name (if swap then pair_up true ins else ins) attrs in
  let e = make ins in
  let p = add_pattern s { (blank form) with wants = [] } in
  let facts = s.nodes.(e).attrs in
  s.pats.(p) <- { (s.pats.(p)) with wants = some_wants s wants facts };
  bind s p e (fun to_ -> make (List.map to_ kids))

let rec tree s depth slot =
  if slot = Base && s.certain && depth < 3 && s.reusable <> [] && percent s 18 then pick s s.reusable
  else if slot <> Base || depth = 0 || percent s 22 then leaf s slot
  else
    match below s 100 with
    | d when d < 8 -> part_of_split s depth
    | d when d < 12 -> field_of_tuple s depth
    | d when d < 20 && s.f.alternatives && s.certain -> alternatives s depth
    | d when d < 32 && s.f.operators -> by_operator_pattern s depth
    | d when d < 40 && s.f.variadic && s.certain -> variadic_input s depth
    | _ -> call s depth

and call s depth =
  let name, slots, attrs = choice s in
  match name, slots with
  | ("Gemm" | "Conv"), a :: b :: rest ->
    let a = tree s (depth - 1) a in
    let b = tree s (depth - 1) b in
    linear s name a b (rest <> []) attrs
  | _ ->
    let kids = List.map (fun slot -> tree s (depth - 1) slot) slots in
    apply s (Call (name, kids)) name kids (List.map (node s) kids) attrs 30

(* The third input: there or not, in the pattern and in the graph. *)
and linear s name a b bias attrs =
  let two = [ node s a; node s b ] in
  match below s 100 with
  | d when d < 25 && not bias -> apply s (Call (name, [ a; b ])) name [ a; b ] two attrs 20
  | d when d < 40 && not bias ->
    let n = add_pattern s (blank Absent) in
    apply s (Call (name, [ a; b; n ])) name [ a; b ] two attrs 20
  | d when d < 40 ->
    let c = leaf s Bias in
    apply s (Call (name, [ a; b; c ])) name [ a; b; c ] (two @ [ node s c ]) attrs 20
  | _ ->
    let was = s.certain in
    let default = if percent s 50 then Some (Shim.Const (Shim.Tuple [ number s; number s ])) else None in
    let default = Option.map (function Shim.Const (Shim.Tuple l) -> Shim.Tuple_of (List.map (fun v -> Shim.Const v) l) | e -> e) default in
    s.certain <- false;
    let saved = (s.nodes, s.node_of, s.makers) in
    let c = leaf s Bias in
    let kid_node = node s c in
    if not bias then begin
      let nodes, node_of, makers = saved in
      s.nodes <- nodes; s.node_of <- node_of; s.makers <- makers
    end;
    let o = add_pattern s (blank (Optional (c, default))) in
    s.certain <- was;
    if bias then begin
      s.node_of <- (o, kid_node) :: s.node_of;
      s.makers <- (o, fun to_ -> to_ c) :: s.makers;
      apply s (Call (name, [ a; b; o ])) name [ a; b; c ] (two @ [ kid_node ]) attrs 20
    end else apply s (Call (name, [ a; b; o ])) name [ a; b ] two attrs 20

and part_of_split s depth =
  let x = tree s (depth - 1) Base in
  let axis = List.length s.base - 1 - below s 2 in
  let parts = if percent s 50 then [ 1; 1 ] else [ 2 ] in
  let attrs = [ ("axis", num axis); ("split", nums parts) ] in
  let t = apply s (Call ("Split", [ x ])) "Split" [ x ] [ node s x ] attrs 30 in
  let k = below s (List.length parts) in
  let get s t = add_node s (plain (Proj (Int64.of_int k)) [ t ] []) in
  let e = get s (node s t) in
  let index = if percent s 50 then Shim.Any else expr_for s ~matching:true (num k) in
  let p = add_pattern s (blank (Projection (t, Some index))) in
  let p = bind s p e (fun to_ -> get s (to_ t)) in
  if is_base s e then p
  else begin
    (* back to the base type: [2,1] + base *)
    let y = leaf s Base in
    apply s (Call ("Add", [ p; y ])) "Add" [ p; y ] [ e; node s y ] [] 0
  end

and field_of_variadic_tuple s =
  let n = 1 + below s 3 in
  s.certain <- false;
  let x = leaf s Base in
  s.certain <- true;
  let first = node s x in
  s.pats.(x) <- { (s.pats.(x)) with template = true };
  let is_var = s.pats.(x).form = Variable in
  (match s.pats.(x).form with Wildcard | Variable -> () | _ -> raise Discard);
  let rest = List.init (n - 1) (fun _ -> if is_var && percent s 50 then const s s.base else input s s.base) in
  let e = add_node s (plain Tuple (first :: rest) []) in
  let v = add_pattern s (blank (Variadic { field = x; least = 0; length = None; index = None })) in
  let t = add_pattern s (blank (Tuple_of [ v ])) in
  s.node_of <- (t, e) :: s.node_of;
  s.facts <- (v, "length", num n) :: s.facts;
  let k = below s n in
  let p = add_pattern s (blank (Projection (t, Some (expr_for s ~matching:true (num k))))) in
  bind s p (add_node s (plain (Proj (Int64.of_int k)) [ e ] [])) (fun _ -> raise Discard)

and field_of_tuple s depth =
  if s.f.variadic && s.certain && percent s 30 then field_of_variadic_tuple s else
  let n = 1 + below s 2 in
  let kids = List.init n (fun _ -> tree s (depth - 1) Base) in
  let make ins = add_node s (plain Tuple ins []) in
  let t = add_pattern s (blank (Tuple_of kids)) in
  let t = bind s t (make (List.map (node s) kids)) (fun to_ -> make (List.map to_ kids)) in
  let k = below s n in
  let get t = add_node s (plain (Proj (Int64.of_int k)) [ t ] []) in
  let p = add_pattern s (blank (Projection (t, Some (expr_for s ~matching:true (num k))))) in
  bind s p (get (node s t)) (fun to_ -> get (to_ t))

and alternatives s depth =
  let n = 2 + below s 2 in
  let right = below s n in
  s.certain <- false;
  let one k =
    let saved = (s.nodes, s.node_of, s.makers) in
    let p = call s (min 1 depth) in
    let e = node s p in
    if k <> right then begin
      let nodes, node_of, makers = saved in
      s.nodes <- nodes; s.node_of <- node_of; s.makers <- makers
    end;
    (p, e) in
  let kids = List.init n one in
  s.certain <- true;
  let q, e = List.nth kids right in
  let a = add_pattern s (blank (Alt (List.map fst kids))) in
  s.chosen <- (a, n, right) :: s.chosen;
  bind s a e (fun to_ -> to_ q)

and by_operator_pattern s depth =
  let x = tree s (depth - 1) Base in
  let usable = List.filter (fun n -> s.dtype = "f32" || Array.mem n integral) (Array.to_list elementwise) in
  let o, name =
    if s.operator_patterns <> [] && percent s 50 then pick s s.operator_patterns
    else begin
      let name = pick s usable in
      let others = List.filter (fun n -> n <> name && percent s 30) usable in
      let names = if percent s 50 then name :: others else others @ [ name ] in
      let o = add_pattern s (blank (Operator names)) in
      (* in an alternative that is not taken the operator would be unbound *)
      if s.certain then s.operator_patterns <- (o, name) :: s.operator_patterns;
      (o, name)
    end in
  apply s (Call_like (o, [ x ])) name [ x ] [ node s x ] [] 0

(* {1 Variadic patterns} *)

(* A field of templates over leaves that all instances share, instances 0 .. n-1, and
   perhaps a first pattern for each template. *)
and field s ~output ~commuting ~count =
  let shared_leaf = if output || percent s 70 then Some (leaf s Base) else None in
  let names = if commuting then [ "Add"; "Mul"; "Sub"; "Max" ] else [ "Sub"; "Max"; "Sum"; "MatMul" ] in
  let names = if s.dtype = "f32" then names @ [ "Div" ] else names in
  let start = Array.length s.pats in
  let with_first = percent s 35 in
  s.certain <- with_first;
  let reusable = s.reusable in
  (* the patterns of instance 0: first patterns, or the templates themselves *)
  let inner = leaf s Base in
  let depth = 1 + below s 2 in
  let rec grow d x =
    if d = 0 then x
    else
      let p =
        match shared_leaf with
        | Some y when d = depth || percent s 40 ->
          let name = pick s names in
          let kids = if percent s 70 then [ y; x ] else [ x; y ] in
          apply s (Call (name, kids)) name kids (List.map (node s) kids) [] 0
        | _ when percent s 40 ->
          let name = if s.dtype = "f32" then pick s [ "Softmax"; "Transpose"; "Reshape" ] else "Transpose" in
          let attrs = attrs_of s name in
          let p = apply s (Call (name, [ x ])) name [ x ] [ node s x ] attrs 0 in
          let of_leaf (l, v) =
            match v with
            | Shim.Int i when percent s 50 ->
              (l, bin "sub" (Shim.Access (inner, "ndim")) (Shim.Const (num (List.length s.base - Int64.to_int i))))
            | v when v = nums s.base && percent s 50 -> (l, Shim.Access (inner, "shape"))
            | v -> (l, expr_for s ~matching:true v) in
          let facts = s.facts in
          s.facts <- List.filter (fun (q, _, _) -> q <> p) facts;
          if percent s 60 then s.pats.(p) <- { (s.pats.(p)) with wants = List.map of_leaf attrs };
          s.facts <- facts;
          p
        | _ ->
          let name = Rng.pick s.rng (if s.dtype = "f32" then elementwise else [| "Relu"; "Neg"; "Abs" |]) in
          apply s (Call (name, [ x ])) name [ x ] [ node s x ] [] 0 in
      grow (d - 1) p in
  let top = grow depth inner in
  s.reusable <- reusable;
  s.certain <- true;
  let stop = Array.length s.pats - 1 in
  let mine = List.init (stop - start + 1) (fun i -> start + i) in
  let inside p = p >= start && p <= stop in
  let field =
    if with_first then begin
      let copy p = if inside p then p - start + stop + 1 else p in
      let copies =
        List.map
          (fun p ->
            let q = s.pats.(p) in
            let form = match q.form with
              | Call (n, l) -> Call (n, List.map copy l)
              | Constant _ -> Constant None
              | f -> f in
            let wants =
              if q.form = Wildcard && percent s 40 then [ ("shape", Shim.Access (p, "shape")) ] else [] in
            { q with form; wants; template = true; first = Some p })
          mine in
      List.iter (fun p -> ignore (add_pattern s p)) copies;
      copy top
    end else begin
      List.iter (fun p -> s.pats.(p) <- { (s.pats.(p)) with template = true }) mine;
      top
    end in
  (* the other instances *)
  let another _ =
    let made = ref [] in
    let to_ p = if inside p then List.assoc p !made else node s p in
    List.iter
      (fun p ->
        let e =
          if p = inner then
            match s.pats.(p).form with
            | Wildcard -> input s s.base
            | Variable -> if percent s 50 then input s s.base else const s s.base
            | _ -> raise Discard
          else (List.assoc p s.makers) to_ in
        made := (p, e) :: !made)
      mine;
    to_ top in
  let first = node s top in
  let others = List.init (count - 1) another in
  s.facts <- List.filter (fun (p, _, _) -> with_first || not (inside p)) s.facts;
  (field, first :: others)

(* Concat of every part of a Split: the number of the part is that of the instance. *)
and all_parts s =
  let x = leaf s Base in
  let axis = List.length s.base - 1 in
  let parts = pick s [ [ 1; 1 ]; [ 2 ]; [ 0; 2 ]; [ 1; 0; 1 ] ] in
  let attrs = [ ("axis", num axis); ("split", nums parts) ] in
  let t = apply s (Call ("Split", [ x ])) "Split" [ x ] [ node s x ] attrs 30 in
  let get k = add_node s (plain (Proj (Int64.of_int k)) [ node s t ] []) in
  let nodes = List.mapi (fun k _ -> get k) parts in
  let part = { (blank (Projection (t, Some (Shim.Symbol 100)))) with template = true } in
  let f = add_pattern s part in
  let v = add_pattern s (blank (Variadic { field = f; least = 0; length = None; index = Some 100 })) in
  s.facts <- (v, "length", num (List.length parts)) :: s.facts;
  let attrs = [ ("axis", num axis) ] in
  let e = op s "Concat" nodes attrs in
  let p = add_pattern s (blank (Call ("Concat", [ v ]))) in
  s.pats.(p) <- { (s.pats.(p)) with wants = some_wants s 50 attrs };
  bind s p e (fun _ -> raise Discard)

and variadic_input s depth = if percent s 25 && depth > 0 then all_parts s else variadic_inputs s

and variadic_inputs s =
  let count = 1 + below s 3 in
  let field, nodes = field s ~output:false ~commuting:true ~count in
  let length = if percent s 30 then Some (expr_for s ~matching:false (num count)) else None in
  let v = add_pattern s (blank (Variadic { field; least = 0; length; index = None })) in
  let name = pick s [ "Max"; "Sum" ] in
  s.facts <- (v, "length", num count) :: s.facts;
  let e = op s name nodes [] in
  let p = add_pattern s (blank (Call (name, [ v ]))) in
  bind s p e (fun _ -> raise Discard)

(* {1 Whole rules} *)

let is_root s p = match s.pats.(p).form with Call _ | Call_like _ | Projection _ -> true | _ -> false

let root s =
  let p = tree s (1 + below s 3) Base in
  if is_root s p then p else apply s (Call ("Relu", [ p ])) "Relu" [ p ] [ node s p ] [] 0

(* Makes [p] a tree that has a pattern of the ones before below it. *)
let connected s =
  let old = pick s s.reusable in
  let name, slots, attrs = choice s in
  let slots = List.filter (fun x -> x = Base || x = Small) slots in
  if slots = [] || name = "Gemm" || name = "Conv" then
    apply s (Call ("Relu", [ old ])) "Relu" [ old ] [ node s old ] [] 0
  else begin
    let at = below s (List.length (List.filter (( = ) Base) slots)) in
    let seen = ref (-1) in
    let kids =
      List.map
        (fun slot -> if slot = Base then incr seen; if slot = Base && !seen = at then old else tree s (below s 2) slot)
        slots in
    let top = apply s (Call (name, kids)) name kids (List.map (node s) kids) attrs 30 in
    if percent s 30 then apply s (Call ("Relu", [ top ])) "Relu" [ top ] [ node s top ] [] 0 else top
  end

let below_pattern s p =
  let rec go seen k = if List.mem k seen then seen else List.fold_left go (k :: seen) (Gsl_surface.kids s.pats.(k).form) in
  go [] p

let several s n break =
  let first = root s in
  let rec more outs k =
    if k = 0 then List.rev outs
    else begin
      s.reusable <- List.filter (fun p -> not (List.mem p outs)) s.reusable;
      if break = "convex" && not s.broken then
        s.trap <- Some (op s "Abs" [ node s (List.hd outs) ] []);
      more (connected s :: outs) (k - 1)
    end in
  let outs = more [ first ] (n - 1) in
  (* an output has no user in the source *)
  if List.exists (fun o -> List.exists (fun p -> p <> o && List.mem o (below_pattern s p)) outs) outs then raise Discard;
  outs

let variadic_source s =
  let least = below s 3 in
  let count = max 1 (least + below s 2) in
  let field, nodes = field s ~output:true ~commuting:(least < 2) ~count in
  let v = add_pattern s (blank (Variadic { field; least; length = None; index = None })) in
  (v, field, nodes)
