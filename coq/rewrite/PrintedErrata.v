(** * Errata of the thesis: the algorithms

    What the algorithms as printed ([Printed]) answer, next to what the definitions
    here answer.  Numbers as in section 4 of the review; T0 and T1 are the chapters
    on the implementation and on the design. *)

From Coq Require Import Bool Lia List NArith String ZArith.
From Calque Require Import base.Lists attr.Attr graph.Graph.
From Calque Require Import pattern.Pattern pattern.PatternProof pattern.Match pattern.Paths.
From Calque Require Import rewrite.Rewrite rewrite.Errata rewrite.Printed.
Import ListNotations.
Open Scope string_scope.
Open Scope nat_scope.

Notation nd := Node.

(** ** 4A.9 (T1, rule PM-Variadic): a variadic pattern stands for a tuple expression

    Several outputs have no tuple: no node matches, where two branches do. *)
Theorem erratum_variadic_outputs :
  let v := Obj 1 (OVariadic [0]) [] [Obj 0 (OOp "Relu") [] [Obj 2 OWild [] []]] in
  let g := [nd "x" []; nd "Relu" [0]; nd "Relu" [0]] in
  (forall fuel s e n, look_up Nat.eqb (known s) 1 = None -> nth_error g e = Some n ->
     fst (single g fuel s v e) = false) /\
  found (Rule [Errata.any; field "Relu" [0]; pat (PVariadic 1 2 None None)] [2] [2] [])
    [absent; input 1; call "Relu" [1]; call "Relu" [1]] [2; 3] = [[2; 3]].
Proof.
  split; [| vm_compute; reflexivity]. intros [| fuel] s e n none at_e; [reflexivity |].
  cbn [single id_of]. rewrite none, at_e.
  destruct (existsb _ (known s)); [reflexivity |].
  assert (String.eqb (op n) "tuple" = false) as ->; [| reflexivity].
  destruct e as [| [| [| [|]]]]; simpl in at_e; try discriminate; now injection at_e as <-.
Qed.

(** ** 4A.11 (T1:80-92, algorithm inst_tmpl) *)

(** (a) No memo: a template that occurs twice has two copies, which must then be two
    nodes.  The field t + t, where t is a template, does not match E + E. *)
Theorem erratum_instantiate_copies :
  let t := Obj 0 (OOp "Relu") [] [Obj 2 OWild [] []] in
  let field_ := Obj 1 (OOp "Sub") [] [t; t] in
  let g := [nd "x" []; nd "Relu" [0]; nd "Sub" [1; 1]; nd "tuple" [2]] in
  map id_of (kids_of (fst (fst (instantiate [1; 0] 100 field_)))) = [100; 101] /\
  fst (single g 20 start (Obj 3 (OVariadic [1; 0]) [] [field_]) 3) = false /\
  found (Rule [Errata.any; field "Relu" [0]; field "Sub" [1; 1]; pat (PVariadic 2 1 None None)] [3] [3] [])
    [absent; input 1; call "Relu" [1]; call "Sub" [2; 2]] [3] = [[3]].
Proof. repeat split; vm_compute; reflexivity. Qed.

(** (b) What is below an object that is no template is not copied: of relu(dense(x, w))
    with templates relu and w, w has no instance. *)
Theorem erratum_instantiate_gap :
  let w := Obj 0 OWild [] [] in
  let relu := Obj 1 (OOp "Relu") [] [Obj 2 (OOp "Dense") [] [Obj 3 OWild [] []; w]] in
  look_up Nat.eqb (snd (fst (instantiate [1; 0] 100 relu))) 0 = None.
Proof. reflexivity. Qed.

(** (c) The attributes of a copy still refer to the template, which stands for nothing:
    conv(x, w) whose padding is an attribute of w, both templates. *)
Theorem erratum_instantiate_attributes :
  let w := Obj 0 OWild [] [] in
  let conv := Obj 1 (OOp "Conv") [0] [Obj 2 OWild [] []; w] in
  let g := [nd "x" []; nd "w" []; nd "Conv" [0; 1]; nd "tuple" [2]] in
  let '(yes, s) := single g 20 start (Obj 3 (OVariadic [1; 0]) [] [conv]) 3 in
  refers_of (fst (fst (instantiate [1; 0] 100 conv))) = [0] /\
  yes = true /\ look_up Nat.eqb (known s) 0 = None.
Proof. repeat split. Qed.

(** ** 4B.1 (T0:62-65): a wildcard has no children, so it matches leaves only *)
Theorem erratum_wildcard_leaf :
  let g := [nd "x" []; nd "Relu" [0]] in
  fst (single g 20 start (Obj 0 OWild [] []) 0) = true /\
  fst (single g 20 start (Obj 0 OWild [] []) 1) = false /\
  pmatch commutative [Errata.any] [absent; input 1; call "Relu" [1]] 1 None empty 0 2 =
    [MState [((0, None), 2)] [] []].
Proof. repeat split. Qed.

(** ** 4B.2 (T0:38): an instance is always in the range of M, so it never matches *)
Theorem erratum_inst_unreachable :
  let relu := Obj 1 (OOp "Relu") [] [Obj 0 OWild [] []] in
  let v := Obj 2 (OVariadic [1; 0]) [] [relu] in
  let p := Obj 4 (OOp "Pair") [] [Obj 3 (OOp "Concat") [] [v]; Obj 5 (OInst 2 0 0) [] []] in
  let g := [nd "x" []; nd "Relu" [0]; nd "tuple" [1]; nd "Concat" [2]; nd "Pair" [3; 0]] in
  fst (single g 20 start p 4) = false /\
  fst (single g 20 start (Obj 3 (OOp "Concat") [] [v]) 3) = true /\
  let pats := [Pattern PWildcard [] false true None; field "Relu" [0]; pat (PVariadic 1 0 None None);
               app "Concat" [2]; pat (PInst 0 (AConst (VInt 0))); app "Pair" [3; 4]] in
  List.length (pmatch commutative pats
    [absent; input 1; call "Relu" [1]; call "Concat" [2]; call "Pair" [3; 1]] 6 None empty 5 4) = 1.
Proof. repeat split; vm_compute; reflexivity. Qed.

(** ** 4B.3 (T0:85): a failed attempt leaves its map behind

    Sub(x, Neg y): in Sub(A, B) the first input is taken for x, then the second is no
    Neg; x stays A, and Sub(B, Neg A) is not found. *)
Theorem erratum_map_not_restored :
  let p := Obj 3 (OOp "Sub") [] [Obj 0 OWild [] []; Obj 2 (OOp "Neg") [] [Obj 1 OWild [] []]] in
  let g := [nd "A" []; nd "B" []; nd "Sub" [0; 1]; nd "Neg" [0]; nd "Sub" [1; 3]] in
  try_nodes g false start p [0; 1; 2; 3; 4] = None /\
  try_nodes g true start p [0; 1; 2; 3; 4] = Some 4 /\
  found (Rule [Errata.any; Errata.any; app "Neg" [1]; app "Sub" [0; 2]] [3] [0] [])
    [absent; input 1; input 2; call "Sub" [1; 2]; call "Neg" [1]; call "Sub" [2; 4]] [3; 5] = [[5]].
Proof. repeat split; vm_compute; reflexivity. Qed.

(** ** 4B.4 (T0:87): condition 4 is left out

    neg(neg x) matches although the inner neg is used elsewhere. *)
Theorem erratum_use_unchecked :
  let p := Obj 2 (OOp "Neg") [] [Obj 1 (OOp "Neg") [] [Obj 0 OWild [] []]] in
  let g := [nd "x" []; nd "Neg" [0]; nd "Neg" [1]; nd "Relu" [1]] in
  fst (single g 20 start p 2) = true /\
  found (Rule [Errata.any; app "Neg" [0]; app "Neg" [1]] [2] [0] [])
    [absent; input 1; call "Neg" [1]; call "Neg" [2]; call "Relu" [2]] [3; 4] = [].
Proof. split; vm_compute; reflexivity. Qed.

(** ** 4B.6 (T0:218-228): PushSucc is undefined for a vertex without free successors *)

(** Every output is one, so that no pattern with two outputs can be matched at all. *)
Theorem erratum_push_undefined :
  let gp := [nd "*" []; nd "Exp" [0]; nd "Abs" [0]] in
  let ge := [nd "x" []; nd "Exp" [0]; nd "Abs" [0]; nd "Concat" [1; 2]] in
  multi gp [1; 2] ge [3] true 100 = Undefined /\
  (exists M, multi gp [1; 2] ge [3] false 100 = Yes M) /\
  forall O (g : Graph.graph O) outs k o,
    (forall x, reads g x o = false) -> first_free g outs k o = None.
Proof.
  split; [vm_compute; reflexivity |]. split; [vm_compute; eexists; reflexivity |].
  intros O g outs k o H. now apply output_has_no_free.
Qed.

(** ** 4B.7 (T0:234-255): only the first match of the first output is tried *)
Theorem erratum_first_candidate :
  let gp := [nd "*" []; nd "Exp" [0]; nd "Abs" [0]] in
  let ge := [nd "A" []; nd "B" []; nd "Exp" [0]; nd "Exp" [1]; nd "Abs" [1]; nd "Concat" [2; 3; 4]] in
  multi gp [1; 2] ge [5] false 100 = No /\
  found (Rule [Errata.any; app "Exp" [0]; app "Abs" [0]] [1; 2] [0; 0] [])
    [absent; input 1; input 2; call "Exp" [1]; call "Exp" [2]; call "Abs" [2];
     call "Concat" [3; 4; 5]] [6] = [[4; 5]].
Proof. split; vm_compute; reflexivity. Qed.

(** ** 4B.8 (T0, theorem path_fwd): connectivity is needed in the order of the outputs

    [f x, g y, h(x, y)] is connected; in this order no matched vertex leads to g y, in
    the order f, h, g one does. *)
Theorem erratum_weak_connectivity :
  let gp := [nd "*" []; nd "*" []; nd "F" [0]; nd "G" [1]; nd "H" [0; 1]] in
  (forall v, In v (matched gp [2; 3; 4] 1) -> ~ leads gp [2; 3; 4] 1 v 3) /\
  leads gp [2; 4; 3] 1 0 4 /\ leads gp [2; 4; 3] 2 1 3.
Proof.
  split; [| split; apply L_Last; reflexivity].
  assert (forall v w, leads [nd "*" []; nd "*" []; nd "F" [0]; nd "G" [1]; nd "H" [0; 1]] [2; 3; 4] 1 v w ->
            v = 0 \/ v = 2 -> w = 4) as only.
  { intros v w H. induction H as [v w F | v u w F H IH]; intros [-> | ->]; vm_compute in F;
      try discriminate; injection F as <-; [reflexivity |].
    inversion H as [? ? G | ? ? ? G]; subst; vm_compute in G; discriminate. }
  intros v inv H. vm_compute in inv.
  assert (v = 0 \/ v = 2) as cases by (destruct inv as [<- | [<- | []]]; tauto).
  specialize (only v 3 H cases). discriminate.
Qed.

(** ** 4B.9 (T0, theorem succ_corres): the successors do not correspond

    a = exp x, outputs sqrt a, neg a, abs a; in the graph abs comes before neg. *)
Theorem erratum_succ_corres : ~ succ_corres.
Proof.
  intros H.
  specialize (H [nd "*" []; nd "Exp" [0]; nd "Sqrt" [1]; nd "Neg" [1]; nd "Abs" [1]] [2; 3; 4]
    [nd "x" []; nd "Exp" [0]; nd "Sqrt" [1]; nd "Abs" [1]; nd "Neg" [1]; nd "Concat" [2; 3; 4]] [5]
    (fun v => nth v [0; 1; 2; 4; 3] 9)).
  enough ([2; 4; 3] = [2; 3; 4]) by discriminate.
  refine (H _ _ _ 1 (nd "Exp" [0]) eq_refl _ _); try (now apply wfb_iff); try discriminate.
  - split; [| split].
    + intros [| [| [| [| [| v]]]]] n at_v; simpl in at_v; try (now destruct v);
        injection at_v as <-;
        (eexists; split; [reflexivity |]; intros ne; try (now elim ne); split; reflexivity).
    + intros v w lv lw E. simpl in lv, lw.
      destruct v as [| [| [| [| [|]]]]], w as [| [| [| [| [|]]]]]; simpl in E; try lia; discriminate.
    + intros [| [| [| [| [| v]]]]] n u at_v ne nout rd; simpl in at_v; try (now destruct v);
        try (injection at_v as <-; now elim ne); try (elim nout; simpl; tauto).
      destruct u as [| [| [| [| [| [| u]]]]]]; try discriminate.
      * exists 2. split; [simpl; lia | reflexivity].
      * exists 4. split; [simpl; lia | reflexivity].
      * exists 3. split; [simpl; lia | reflexivity].
      * unfold reads in rd. simpl in rd. now destruct u.
  - intros [E | [E | [E | []]]]; discriminate.
Qed.

(** So algorithm multi_match takes abs for neg, and misses the match. *)
Theorem erratum_alg2_successors :
  let gp := [nd "*" []; nd "Exp" [0]; nd "Sqrt" [1]; nd "Neg" [1]; nd "Abs" [1]] in
  let ge := [nd "x" []; nd "Exp" [0]; nd "Sqrt" [1]; nd "Abs" [1]; nd "Neg" [1]; nd "Concat" [2; 3; 4]] in
  multi gp [2; 3; 4] ge [5] false 100 = No /\
  found (Rule [Errata.any; app "Exp" [0]; app "Sqrt" [1]; app "Neg" [1]; app "Abs" [1]] [2; 3; 4] [0; 0; 0] [])
    [absent; input 1; call "Exp" [1]; call "Sqrt" [2]; call "Abs" [2]; call "Neg" [2];
     call "Concat" [3; 4; 5]] [6] = [[3; 5; 4]].
Proof. split; vm_compute; reflexivity. Qed.

(** ** 4B.10 (T0:234-255): no choice of an output is revised

    m = abs x, outputs exp x, sqrt m, neg m; two abs in the graph, the first without
    neg. *)
Theorem erratum_alg2_incomplete :
  let gp := [nd "*" []; nd "Abs" [0]; nd "Exp" [0]; nd "Sqrt" [1]; nd "Neg" [1]] in
  let ge := [nd "x" []; nd "Exp" [0]; nd "Abs" [0]; nd "Abs" [0];
             nd "Sqrt" [2]; nd "Sqrt" [3]; nd "Neg" [3]; nd "Concat" [1; 4; 5; 6]] in
  multi gp [2; 3; 4] ge [7] false 100 = No /\
  found (Rule [Errata.any; app "Abs" [0]; app "Exp" [0]; app "Sqrt" [1]; app "Neg" [1]] [2; 3; 4] [0; 0; 0] [])
    [absent; input 1; call "Exp" [1]; call "Abs" [1]; call "Abs" [1];
     call "Sqrt" [3]; call "Sqrt" [4]; call "Neg" [4]; call "Concat" [2; 5; 6; 7]] [8] = [[2; 6; 7]].
Proof. split; vm_compute; reflexivity. Qed.

(** ** 4B.17: a fixpoint diverges on a rule whose target is its source again

    max(a, b) becomes max(b, a), as often as is allowed. *)
Definition swap_max : rule :=
  Rule [Errata.any; Errata.any; app "Max" [0; 1]; app "Max" [1; 0]] [2] [3] [].

Theorem erratum_divergence :
  let g := [absent; input 1; input 2; call "Max" [1; 2]] in
  forall fuel, List.length (snd (rewrite_fix commutative fuel [("swap", swap_max)] g [3] [])) = fuel.
Proof.
  set (a := [absent; input 1; input 2; call "Max" [1; 2]]).
  set (b := [absent; input 1; input 2; call "Max" [2; 1]]). intros g fuel.
  assert (first_some (fun r => rewrite_rule commutative (snd r) a [3]) [("swap", swap_max)] =
            Some (("swap", swap_max), (3, (b, [3])))) as ab by (vm_compute; reflexivity).
  assert (first_some (fun r => rewrite_rule commutative (snd r) b [3]) [("swap", swap_max)] =
            Some (("swap", swap_max), (3, (a, [3])))) as ba by (vm_compute; reflexivity).
  assert (forall fuel log,
    List.length (snd (rewrite_fix commutative fuel [("swap", swap_max)] a [3] log)) = fuel + List.length log /\
    List.length (snd (rewrite_fix commutative fuel [("swap", swap_max)] b [3] log)) = fuel + List.length log) as both.
  { induction fuel0 as [| n IH]; intros log; cbn [rewrite_fix].
    - simpl. now rewrite rev_length.
    - rewrite ab, ba. split; [rewrite (proj2 (IH _)) | rewrite (proj1 (IH _))]; simpl; lia. }
  change g with a. rewrite (proj1 (both fuel [])). simpl. lia.
Qed.
