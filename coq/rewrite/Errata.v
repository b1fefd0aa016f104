(** * Errata of the thesis: matching and rewriting

    Each is a small graph and what the definitions of the thesis and those here
    say about it.  Numbers as in section 4 of the review: 4A the rules, 4B the
    algorithms. *)

From Coq Require Import Bool List NArith String ZArith.
From Calque Require Import base.Lists attr.Attr attr.AttrProof graph.Graph.
From Calque Require Import pattern.Pattern pattern.PatternProof pattern.Match rewrite.Rewrite.
Import ListNotations.
Open Scope string_scope.
Open Scope nat_scope.

(** ** Notation for examples *)

Definition absent : node oper := Node (Oper KAbsent [] []) [].
Definition input (k : N) : node oper := Node (Oper (KInput k) [] []) [].
Definition call (name : string) (es : list nat) : node oper := Node (Oper (KCall name) [] []) es.
Definition call_with (name : string) (es : list nat) (l : list (label * value)) : node oper :=
  Node (Oper (KCall name) [] l) es.

Definition pat (s : shape) : pattern := Pattern s [] false false None.
Definition any : pattern := pat PWildcard.
Definition app (name : string) (kids : list nat) : pattern := pat (PCall (OName name) kids).
Definition field (name : string) (kids : list nat) : pattern :=
  Pattern (PCall (OName name) kids) [] false true None.

Definition found (r : rule) (g : tgraph) (outputs : list nat) : list (list nat) :=
  map snd (all_matches commutative r g outputs).

(** ** 4A.1 (T1:196): the judgement has no state *)

(** The rules as printed: nothing relates the two uses of a pattern. *)
Inductive printed (pats : list pattern) (g : tgraph) : nat -> nat -> Prop :=
  | Printed_Wildcard : forall p e,
      nth_error pats p = Some any -> printed pats g p e
  | Printed_Call : forall p e name kids n,
      nth_error pats p = Some (app name kids) -> nth_error g e = Some n ->
      what (op n) = KCall name -> Forall2 (printed pats g) kids (args n) ->
      printed pats g p e.

(** x + x then matches a + b. *)
Theorem erratum_no_state :
  let pats := [any; app "Sub" [0; 0]] in
  let g := [absent; input 1; input 2; call "Sub" [1; 2]] in
  printed pats g 1 3 /\ forall M, ~ pm commutative pats g None empty 1 3 M.
Proof.
  intros pats g. split.
  - eapply Printed_Call; [reflexivity .. |].
    repeat constructor; now apply Printed_Wildcard.
  - intros M H. apply (pmatch_iff commutative pats g) with (fuel := 2) in H; [| | auto].
    + easy.
    + now apply orderedb_iff.
Qed.

(** ** 4A.2 (T1:229, T1:271): the environment of PM-Inst and PE-Inst is not bound

    The last premise is in an environment that stands nowhere else, so it holds in any:
    of a template whose index is s, every instance is every node.  Here instance k
    asks for k. *)
Theorem erratum_inst_environment :
  let a := ASymbol 0%N in
  (forall v, exists G, am G a v) /\
  (forall pats g M k v, am (env_at pats g M (Some k)) a v <-> v = VInt (Z.of_nat k)).
Proof.
  intros a. split.
  - intros v. exists (env_full [] [] [(0%N, v)] []). apply AM_Eval. now apply AE_Symbol.
  - intros pats g M k v. rewrite <- AttrProof.attr_match_iff. cbn [amatch eval a env_at value_of].
    rewrite AttrProof.value_eqb_iff. split; congruence.
Qed.

(** ** 4A.3 (T1:245): a source pattern in a target may be built anew *)

(** The source Conv(x, w) lists no attribute.  Its mention in a target is the node
    itself; built by PE-Call it would lose the strides. *)
Theorem erratum_rebuild :
  let pats := [any; any; app "Conv" [0; 1]] in
  let strides := [("strides", VTuple [VInt 2; VInt 2])] in
  let g := [absent; input 1; input 2; call_with "Conv" [1; 2] strides] in
  let M := MState [((1, None), 2); ((0, None), 1); ((2, None), 3)] [] [] in
  pmatch commutative pats g 3 None empty 2 3 = [M] /\
  looked_up pats g M None 2 (app "Conv" [0; 1]) = Some 3 /\
  option_map (fun n => attrs (op n)) (nth_error g 3) = Some strides /\
  plan pats g M None (app "Conv" [0; 1]) =
    Some ([(None, 0); (None, 1)], FNew (Oper (KCall "Conv") [] [])).
Proof. now repeat split. Qed.

(** ** 4A.4 (T1, rules PM-Call and PE-Call): the pattern must list every attribute

    As printed, the attributes of pattern and node are the same labels. *)
Definition printed_attrs (G : env) (l : list (label * attr)) (vs : list (label * value)) : Prop :=
  Forall2 (fun c v => fst c = fst v /\ am G (snd c) (snd v)) l vs.

(** Conv(x, w) then matches no convolution with strides.  Here it does, and an
    attribute that the node does not have is a mismatch, even against [_]. *)
Theorem erratum_call_attributes :
  let strides := [("strides", VTuple [VInt 2; VInt 2])] in
  let g := [absent; input 1; input 2; call_with "Conv" [1; 2] strides] in
  let conv l := Rule [any; any; Pattern (PCall (OName "Conv") [0; 1]) l false false None] [2] [0] [] in
  (forall G, ~ printed_attrs G [] strides) /\
  found (conv []) g [3] = [[3]] /\ found (conv [("strides", AAny)]) g [3] = [[3]] /\
  found (conv [("group", AAny)]) g [3] = [].
Proof.
  repeat split; try (vm_compute; reflexivity). intros G H. inversion H.
Qed.

(** ** 4A.10 (T1, rules PM-Variadic and PE-Variadic): an index symbol outside of the templates

    A pattern that is no template is built once, for the first instance: both branches
    get the axis 0, and asking for the symbol elsewhere has no answer.  As a template it
    is built for each.  The static check refuses the first rule ([rule_check]). *)
Definition expand_each (template : bool) : rule :=
  Rule [any; field "Relu" [0]; pat (PVariadic 1 2 None None);
        Pattern (PCall (OName "Expand") [0]) [("axis", ASymbol 0%N)] false template None;
        field "Abs" [3]; pat (PVariadic 4 0 None (Some 0%N))] [2] [5] [].

Theorem erratum_symbol_outside_template :
  let g := [absent; input 1; call "Relu" [1]; call "Relu" [1]] in
  let M := MState [((1, Some 1), 3); ((1, Some 0), 2); ((0, None), 1)] [(2, 2)] [] in
  let built_ b := option_map (fun x => map (fun n => (what (op n), args n, attrs (op n)))
                                         (skipn 4 (whole (snd x))))
                    (build_roots (expand_each b) g M 2) in
  let axis k := [("axis", VInt k)] in
  built_ false = Some [(KCall "Expand", [1], axis 0%Z); (KCall "Abs", [4], []); (KCall "Abs", [4], [])] /\
  built_ true = Some [(KCall "Expand", [1], axis 0%Z); (KCall "Abs", [4], []);
                      (KCall "Expand", [1], axis 1%Z); (KCall "Abs", [6], [])] /\
  forall pats, eval (env_at pats g M None) (ASymbol 0%N) = None.
Proof. repeat split; vm_compute; reflexivity. Qed.

(** ** 4B.10 (T0:234-255): no choice of outputs is revised *)

(** Even with every node as a candidate: the first that matches is kept. *)
Fixpoint committed (pats : list pattern) (g : tgraph) (M : mstate) (ps es : list nat) :
    option (list nat) :=
  match ps with
  | [] => Some (rev es)
  | p :: ps' =>
      match first_some (fun e => hd_error (pmatch commutative pats g (S p) None M p e))
              (seq 0 (List.length g)) with
      | Some (e, M') => committed pats g M' ps' (e :: es)
      | None => None
      end
  end.

(** m = abs x, outputs exp x, sqrt m, neg m; two abs in the graph, the first
    without neg. *)
Theorem erratum_committed_outputs :
  let pats := [any; app "Abs" [0]; app "Exp" [0]; app "Sqrt" [1]; app "Neg" [1]] in
  let r := Rule pats [2; 3; 4] [0; 0; 0] [] in
  let g := [absent; input 1; call "Exp" [1]; call "Abs" [1]; call "Abs" [1];
            call "Sqrt" [3]; call "Sqrt" [4]; call "Neg" [4]] in
  committed pats g empty [2; 3; 4] [] = None /\
  found r g [2; 5; 6; 7] = [[2; 6; 7]].
Proof. split; vm_compute; reflexivity. Qed.

(** ** 4B.11 (the implementation), 4B.13 (T1:196): one node twice *)

(** A node that its user reads twice is no obstacle. *)
Theorem erratum_duplicate_predecessor :
  let r := Rule [any; app "Exp" [0]; app "Mul" [1; 1]] [2] [0] [] in
  found r [absent; input 1; call "Exp" [1]; call "Mul" [2; 2]] [3] = [[3]].
Proof. vm_compute. reflexivity. Qed.

(** Two leaves stand for one node only when the rule says that they may; what is
    replaced never does. *)
Theorem erratum_injective :
  let leaf s := Pattern PWildcard [] s false None in
  let axpb s := Rule [any; leaf s; leaf s; app "Mul" [0; 1]; app "Add" [3; 2]] [4] [0] [] in
  let g := [absent; input 1; input 2; call "Mul" [1; 2]; call "Add" [3; 2]] in
  let exps := Rule [leaf true; leaf true; app "Exp" [0]; app "Exp" [1]; app "Mul" [2; 3]] [4] [0] [] in
  found (axpb false) g [4] = [] /\ found (axpb true) g [4] = [[4]] /\
  found exps [absent; input 1; call "Exp" [1]; call "Mul" [2; 2]] [3] = [].
Proof. repeat split; vm_compute; reflexivity. Qed.

(** ** 4B.12 (T0:87): what an input is

    Condition 4 exempts inputs and does not say what they are.  Here they are what is
    no application: a constant may be used elsewhere; an output of the graph is a use. *)
Theorem erratum_inputs :
  let two := Pattern (PConst None) [] true false None in
  let r := Rule [any; two; app "Exp" [0]; app "Abs" [0]; app "Mul" [2; 1]; app "Mul" [3; 1]] [4; 5] [0; 0] [] in
  let g := [absent; input 1; Node (Oper (KConst 1 None) [] []) [];
            call "Exp" [1]; call "Abs" [1]; call "Mul" [3; 2]; call "Mul" [4; 2]; call "Relu" [2]] in
  found r g [5; 6; 7] = [[5; 6]] /\ found r g [3; 5; 6] = [].
Proof. split; vm_compute; reflexivity. Qed.

(** ** 4B.14: cycles *)

(** [[x y1, x y2]] becomes the two halves of x (y1 y2). *)
Definition two_products : rule :=
  Rule [any; any; any; app "MatMul" [0; 1]; app "MatMul" [0; 2]; app "Concat" [1; 2];
        app "MatMul" [0; 5]; app "Split" [6];
        pat (PProj 7 (Some (AConst (VInt 0)))); pat (PProj 7 (Some (AConst (VInt 1))))]
    [3; 4] [8; 9] [].

(** The second product reads the first: there is a map, and it is not convex. *)
Theorem erratum_cycle :
  let g := [absent; input 1; input 2; call "MatMul" [1; 2]; call "Relu" [3]; call "MatMul" [1; 4]] in
  found two_products g [3; 5] = [] /\
  map (fun Mo => (snd Mo, attrs_ok two_products g (fst Mo),
                  use_ok two_products g [3; 5] (fst Mo) (snd Mo),
                  convex_ok two_products g (fst Mo) (snd Mo)))
    (flat_map (fun M => search commutative two_products g [5] M [4] [3])
       (pmatch commutative (patterns two_products) g 4 None empty 3 3)) =
  [([3; 5], true, true, false)].
Proof. split; vm_compute; reflexivity. Qed.

(** Two matches, each convex; after the first rewrite the second is not. *)
Theorem erratum_joint_cycle :
  let g := [absent; input 1; input 2; input 3; input 4;
            call "MatMul" [2; 3]; call "Relu" [5]; call "MatMul" [1; 6];
            call "MatMul" [1; 4]; call "Relu" [8]; call "MatMul" [2; 9]] in
  found two_products g [7; 10] = [[5; 10]; [7; 8]] /\
  snd (rewrite_fix commutative 10 [("two_products", two_products)] g [7; 10] []) =
    [("two_products", 5)].
Proof. split; vm_compute; reflexivity. Qed.

(** ** 4B.15 (the implementation): a variadic match vetoes itself *)

(** Three branches neg (exp x); the middle exp is used elsewhere too.  The branch
    is left out, the others match. *)
Theorem erratum_variadic_veto :
  let r := Rule [any; field "Exp" [0]; field "Neg" [1]; pat (PVariadic 2 2 None None)] [3] [3] [] in
  let g := [absent; input 1; call "Exp" [1]; call "Exp" [1]; call "Exp" [1];
            call "Neg" [2]; call "Neg" [3]; call "Neg" [4]; call "Relu" [3]] in
  found r g [5; 6; 7; 8] = [[5; 7]] /\
  let M := MState [((2, Some 2), 7); ((1, Some 2), 4); ((2, Some 1), 6); ((1, Some 1), 3);
                   ((2, Some 0), 5); ((1, Some 0), 2); ((0, None), 1)] [] [] in
  use_ok r g [5; 6; 7; 8] M [5; 6; 7] = false.
Proof. split; vm_compute; reflexivity. Qed.

(** ** 4B.16: matches that overlap

    The thesis does not say what becomes of them.  Here each is applied to the graph
    that the last one left: of relu(relu(relu x)) both matches are listed, and two
    rewrites leave one relu. *)
Theorem erratum_overlap :
  let r := Rule [any; app "Relu" [0]; app "Relu" [1]; app "Relu" [0]] [2] [3] [] in
  let g := [absent; input 1; call "Relu" [1]; call "Relu" [2]; call "Relu" [3]] in
  found r g [4] = [[3]; [4]] /\
  rewrite_fix commutative 10 [("relu", r)] g [4] [] =
    ([absent; input 1; call "Relu" [1]], [2], [("relu", 3); ("relu", 3)]).
Proof. split; vm_compute; reflexivity. Qed.

(** ** 4B.18 (the implementation): an alternative is revised *)

(** add(Alt(u, exp v), reshape c) where the shape depends on the alternative: the
    first alternative matches, and only then its shape turns out to be wrong. *)
Theorem erratum_alt_commits :
  let two := VTuple [VInt 2; VInt 2] in
  let pats := [any; any; app "Exp" [1]; pat (PAlt [0; 2]); any;
               Pattern (PCall (OName "Reshape") [4])
                 [("shape", AMatch 3%N [AConst (VTuple [VInt 4]); AConst two])] false false None;
               app "Sub" [3; 5]] in
  let r := Rule pats [6] [0] [] in
  let g := [absent; input 1; input 2; call "Exp" [1]; call_with "Reshape" [2] [("shape", two)];
            call "Sub" [3; 4]] in
  option_map (fun M => conditions_ok r g [5] M [5])
    (hd_error (pmatch commutative pats g 7 None empty 6 5)) = Some false /\
  found r g [5] = [[5]].
Proof. split; vm_compute; reflexivity. Qed.
