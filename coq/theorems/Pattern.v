(** * Headline theorems: matching *)

From Coq Require Import Bool List NArith String ZArith.
From Calque Require Import attr.Attr.
From Calque Require graph.Graph pattern.Pattern pattern.PatternProof pattern.Match pattern.MatchProof.
From Calque Require pattern.Paths pattern.Forward pattern.ForwardProof pattern.Peg.
Import ListNotations.
Open Scope Z_scope.
Import Pattern Match MatchProof.

(** The matcher lists exactly the maps that the judgement gives. *)
Theorem match_judgement_iff :
  forall commutes pats g, ordered pats ->
  forall fuel i M p e M', (p < fuel)%nat ->
    (In M' (pmatch commutes pats g fuel i M p e) <-> pm commutes pats g i M p e M').
Proof. exact PatternProof.pmatch_iff. Qed.

(** The conditions on the attributes, the uses, the rule and convexity are decided. *)
Theorem match_conditions_iff :
  forall r g outputs, Graph.wf g -> forall M outs,
    conditions_ok r g outputs M outs = true <-> conditions_hold r g outputs M outs.
Proof. exact conditions_iff. Qed.

(** Children first is decided. *)
Theorem pattern_order_iff :
  forall pats, orderedb pats = true <-> ordered pats.
Proof. exact PatternProof.orderedb_iff. Qed.

(** Without commutative operators and alternatives a map is unique. *)
Theorem match_deterministic :
  forall commutes pats g i M p e M1 M2,
    ordered pats -> PatternProof.choice_free commutes pats ->
    pm commutes pats g i M p e M1 -> pm commutes pats g i M p e M2 -> M1 = M2.
Proof. exact PatternProof.match_deterministic. Qed.

Theorem match_sound :
  forall commutes r g outputs, Graph.wf g -> ordered (patterns r) ->
  forall p e M, match_at commutes r g outputs p e = Some M ->
    pm commutes (patterns r) g None empty p e M /\ conditions_hold r g outputs M [e].
Proof. exact MatchProof.match_sound. Qed.

Theorem match_complete :
  forall commutes r g outputs, Graph.wf g -> ordered (patterns r) ->
  forall p e M, pm commutes (patterns r) g None empty p e M ->
    conditions_hold r g outputs M [e] ->
    exists M', match_at commutes r g outputs p e = Some M'.
Proof. exact MatchProof.match_complete. Qed.

Theorem multi_match_sound :
  forall commutes r g outputs, Graph.wf g -> ordered (patterns r) ->
  forall candidates ps e M outs,
    In (M, outs) (multi_at commutes r g outputs candidates ps e) ->
    outputs_match commutes r g empty ps outs M /\ conditions_hold r g outputs M outs.
Proof. exact MatchProof.multi_match_sound. Qed.

(** Different addresses stand for different nodes, but for views of a node and
    leaves that may be shared. *)
Theorem match_one_to_one :
  forall commutes pats g p e M a b x q r, ordered pats ->
    pm commutes pats g None empty p e M ->
    In (a, x) (bound M) -> In (b, x) (bound M) -> a <> b ->
    nth_error pats (fst a) = Some q -> nth_error pats (fst b) = Some r ->
    PatternProof.may_alias q r.
Proof. exact PatternProof.match_one_to_one. Qed.

(** No choice of the further outputs among the candidates is missed. *)
Theorem multi_match_complete :
  forall commutes r g outputs, Graph.wf g -> ordered (patterns r) ->
  forall candidates ps e es M, ps <> [] -> incl es candidates ->
    outputs_match commutes r g empty ps (e :: es) M ->
    conditions_hold r g outputs M (e :: es) ->
    In (M, e :: es) (multi_at commutes r g outputs candidates ps e).
Proof. exact MatchProof.multi_match_complete. Qed.

Theorem variadic_sound :
  forall commutes r g outputs, Graph.wf g -> ordered (patterns r) ->
  forall candidates p field least e M outs, In e candidates ->
    variadic_at commutes r g outputs candidates p field least e = Some (M, outs) ->
    (exists M', branches commutes r g field outs M' /\ M = put_len M' p (List.length outs)) /\
    NoDup outs /\ (least <= List.length outs)%nat /\ conditions_hold r g outputs M outs.
Proof. exact MatchProof.variadic_sound. Qed.

(** No candidate can be one more branch. *)
Theorem variadic_maximal :
  forall commutes r g outputs, Graph.wf g -> ordered (patterns r) ->
  forall candidates p field least e M outs, In e candidates ->
    variadic_at commutes r g outputs candidates p field least e = Some (M, outs) ->
    exists M1, M = put_len M1 p (List.length outs) /\ forall x M',
      In x candidates -> ~ In x outs ->
      pm commutes (patterns r) g (Some (List.length outs)) M1 field x M' ->
      attrs_hold r g M' -> use_holds r g outputs M' (outs ++ [x]) ->
      ~ convex r g M' (outs ++ [x]).
Proof. exact MatchProof.variadic_maximal. Qed.

(** Whatever the outputs of the rule, every match that is listed satisfies the
    conditions. *)
Theorem all_matches_sound :
  forall commutes r g outputs, Graph.wf g -> ordered (patterns r) ->
  forall M outs, In (M, outs) (all_matches commutes r g outputs) ->
    conditions_hold r g outputs M outs.
Proof. exact MatchProof.all_matches_sound. Qed.

(** *** Further outputs *)

Import Paths Forward.
Open Scope nat_scope.

(** The theorem of the thesis (T0, path_fwd): when output [k] is looked for and it
    shares a vertex [u] with the earlier ones, from some matched vertex it is reached
    by going to the first free successor again and again. *)
Theorem path_fwd :
  forall O (g : Graph.graph O) outs, Graph.wf g ->
    (forall o, In o outs -> o < List.length g) ->
  forall k o u, nth_error outs k = Some o -> ~ In o (matched g outs k) ->
    In u (matched g outs k) -> Graph.ancestor g u o ->
    exists v, In v (matched g outs k) /\ leads g outs k v o.
Proof. exact @Paths.path_fwd. Qed.

(** What is matched are the vertices that an earlier output is computed from. *)
Theorem path_matched_iff :
  forall O (g : Graph.graph O) outs, Graph.wf g ->
    (forall o, In o outs -> o < List.length g) ->
  forall k u, In u (matched g outs k) <-> exists o, In o (firstn k outs) /\ Graph.ancestor g u o.
Proof. exact @Paths.matched_iff. Qed.

(** Different outputs without successors are not matched before their turn. *)
Theorem path_output_new :
  forall O (g : Graph.graph O) outs, Graph.wf g ->
    (forall o, In o outs -> o < List.length g) ->
  forall k o, NoDup outs -> (forall o, In o outs -> forall x, Paths.reads g x o = false) ->
    nth_error outs k = Some o -> ~ In o (matched g outs k).
Proof. exact @Paths.output_new. Qed.

(** Whatever stands for a further output is computed from its anchors, which are
    matched already. *)
Theorem match_anchored :
  forall commutes pats g, ordered pats ->
    (forall n, nth_error g 0 = Some n -> present n = false) ->
  forall i M p e M' a, ForwardProof.sane pats g M -> pm commutes pats g i M p e M' ->
    In a (anchors pats M i p) -> Graph.ancestor g a e.
Proof. exact ForwardProof.anchored. Qed.

(** If the outputs are connected in the order given, there are anchors. *)
Theorem connected_anchor :
  forall commutes pats g, ordered pats ->
    (forall n, nth_error g 0 = Some n -> present n = false) ->
  forall pre p post es M, connected pats (pre ++ p :: post) = true -> pre <> [] ->
    List.length pre = List.length es ->
    thread (fun M x M' => pm commutes pats g None M (fst x) (snd x) M') empty (combine pre es) M ->
    anchors pats M None p <> [].
Proof. exact ForwardProof.connected_anchor. Qed.

(** The bidirectional search: trying only nodes that are computed from a matched one
    finds the same matches, in the same order, as trying every node. *)
Theorem bidirectional_complete :
  forall commutes r g outputs, Graph.wf g -> ordered (patterns r) ->
    (forall n, nth_error g 0 = Some n -> present n = false) ->
  forall near, near = near_any (patterns r) g \/ near = near_all (patterns r) g ->
  forall candidates ps e,
    multi_near commutes r g outputs near candidates ps e =
    multi_at commutes r g outputs candidates ps e.
Proof.
  intros commutes r g outputs ok ord zero near [-> | ->] candidates ps e;
    apply ForwardProof.multi_near_eq; try assumption;
    [now apply ForwardProof.near_any_generous | now apply ForwardProof.near_all_generous].
Qed.

(** The same for the branches of a variadic output. *)
Theorem bidirectional_variadic :
  forall commutes r g outputs, Graph.wf g -> ordered (patterns r) ->
    (forall n, nth_error g 0 = Some n -> present n = false) ->
  forall near, near = near_any (patterns r) g \/ near = near_all (patterns r) g ->
  forall candidates field fuel M outs, ForwardProof.sane (patterns r) g M ->
    grow_near commutes r g outputs near fuel candidates field M outs =
    grow commutes r g outputs fuel candidates field M outs.
Proof.
  intros commutes r g outputs ok ord zero near [-> | ->] candidates field fuel M outs sn;
    apply ForwardProof.grow_near_eq; try assumption;
    [now apply ForwardProof.near_any_generous | now apply ForwardProof.near_all_generous].
Qed.

(** *** Ordered choice *)

(** What a matcher finds that commits to the first alternative is a match. *)
Theorem peg_sound :
  forall commutes pats g fuel i M p e M', ordered pats -> p < fuel ->
    Peg.peg commutes pats g fuel i M p e = Some M' -> pm commutes pats g i M p e M'.
Proof. exact Peg.peg_sound. Qed.

Theorem peg_complete :
  forall commutes pats g fuel i M p e M',
    ordered pats -> PatternProof.choice_free commutes pats -> p < fuel ->
    pm commutes pats g i M p e M' -> Peg.peg commutes pats g fuel i M p e = Some M'.
Proof. exact Peg.peg_complete. Qed.
