(** * Headline theorems: building the target and putting it in place *)

From Coq Require Import Bool List NArith String ZArith.
From Calque Require Import attr.Attr.
From Calque Require graph.Graph pattern.Pattern pattern.Match.
From Calque Require rewrite.Order rewrite.Rewrite rewrite.RewriteProof rewrite.Example.
From Calque Require rewrite.Convex rewrite.Sound rewrite.SoundFix.
Import ListNotations.
Open Scope Z_scope.
Import Pattern Match Order Rewrite RewriteProof.

(** The builder decides the judgement. *)
Theorem build_iff :
  forall pats g M, ordered pats ->
  forall fuel i st p e st', (p < fuel)%nat ->
    (build pats g M fuel i st p = Some (e, st') <-> pe pats g M i st p e st').
Proof. exact RewriteProof.build_iff. Qed.

(** If the target reads nothing that is computed from an output, what replaces
    the outputs can be put in order. *)
Theorem convex_acyclic :
  forall O (g new : Graph.graph O) outs, Graph.wf (g ++ new) ->
    (forall n j, In n new -> In j (Graph.args n) -> (j < List.length g)%nat ->
       forall o, In o outs -> ~ Graph.ancestor g o j) ->
    Graph.topological (g ++ new) (late_order g (List.length new) outs).
Proof. exact @late_order_topological. Qed.

(** Whatever the rule, the rewritten graph is well formed; if the rule is valid
    at the match, every output keeps its value, for any meaning of the operators. *)
Theorem rewrite_preserves :
  forall V (den : oper -> list V -> option V) r g outputs M outs h outputs',
    Graph.wf g -> (forall o, In o outputs -> (o < List.length g)%nat) ->
    rewrite_match r g outputs M outs = Some (h, outputs') ->
    Graph.wf h /\ (forall o, In o outputs' -> (o < List.length h)%nat) /\
    (valid_at den r g M outs -> same_values den g outputs h outputs').
Proof. exact @RewriteProof.rewrite_preserves. Qed.

(** What a sound rule builds at a match: every node of it has a value and the type that is written on it, and what
    takes the place of an output has its value. *)
Theorem target_built_sound :
  forall T (S : Sound.model T) commutes r g outputs e M outs,
    Sound.rule_sound_for S commutes r -> Sound.sane S g -> (e < List.length g)%nat ->
    rule_at commutes r g outputs (seq 0 (List.length g)) e = Some (M, outs) ->
    forall es st, build_roots r g M (List.length outs) = Some (es, st) ->
      Sound.sane S (Sound.after g st outs es) /\
      forall o t, In (o, t) (combine outs es) -> forall v,
        Graph.ge (Sound.den S) (Sound.after g st outs es) o v <-> Graph.ge (Sound.den S) (Sound.after g st outs es) t v.
Proof. intros T S commutes r g outputs e M outs sound san lt A. exact (proj2 (sound g outputs e M outs san lt A)). Qed.

(** One rewrite by a sound rule, at any node where it applies. *)
Theorem rewrite_sound :
  forall T (S : Sound.model T) commutes r g outputs e M outs h outputs',
    Sound.rule_sound_for S commutes r -> Sound.sane S g -> (forall o, In o outputs -> (o < List.length g)%nat) ->
    (e < List.length g)%nat -> rule_at commutes r g outputs (seq 0 (List.length g)) e = Some (M, outs) ->
    rewrite_match r g outputs M outs = Some (h, outputs') ->
    Sound.sane S h /\ (forall o, In o outputs' -> (o < List.length h)%nat) /\
    same_values (Sound.den S) g outputs h outputs'.
Proof. exact @SoundFix.sound_rewrite. Qed.

(** Rewriting by sound rules until nothing matches, however much fuel there is: every output keeps its value, and
    the graph stays one whose nodes have values and types. *)
Theorem rewrite_fix_sound :
  forall T (S : Sound.model T) commutes rules fuel g outputs log,
    (forall name r, In (name, r) rules -> Sound.rule_sound_for S commutes r) ->
    Sound.sane S g -> (forall o, In o outputs -> (o < List.length g)%nat) ->
    let '(h, outputs', _) := rewrite_fix commutes fuel rules g outputs log in
    Sound.sane S h /\ same_values (Sound.den S) g outputs h outputs'.
Proof. exact @SoundFix.sound_fix. Qed.

(** A rule proved: Identity(x) => x is valid wherever it matches. *)
Theorem identity_removal_valid :
  forall V (den : oper -> list V -> option V) commutes,
    (forall t l v, den (Oper (KCall "Identity") t l) [v] = Some v) ->
    forall g outputs e M n,
      Graph.wf g -> nth_error g e = Some n -> List.length (Graph.args n) = 1%nat ->
      match_at commutes Example.identity_removal g outputs 1 e = Some M ->
      valid_at den Example.identity_removal g M [e].
Proof. exact @Example.identity_valid. Qed.

(** *** Convexity *)

Import Convex.
Open Scope nat_scope.

(** If every replacement depends on all that is read, the rewritten graph has no cycle
    exactly when nothing that is read is computed from an output that is replaced;
    without that hypothesis, from right to left. *)
Theorem convex_iff_acyclic :
  forall O (g new : Graph.graph O) moves, Graph.wf (g ++ new) -> proper g new moves ->
    (convex_rewrite g new moves -> acyclic g new moves) /\
    (joined g new moves -> (convex_rewrite g new moves <-> acyclic g new moves)).
Proof.
  intros O g new moves ok fine. split.
  - exact (Convex.convex_is_acyclic g new moves ok fine).
  - exact (Convex.convex_iff_acyclic g new moves ok fine).
Qed.

(** And it is what the rewriter asks for. *)
Theorem place_target_iff :
  forall O (g new : Graph.graph O) moves, Graph.wf (g ++ new) -> proper g new moves ->
    (place_target g new moves <> None <-> convex_rewrite g new moves).
Proof. exact @Convex.place_target_iff. Qed.

(** Two rewrites, each without a cycle, and both with one. *)
Theorem joint_cycle :
  let as_ := halves 10 0 5 3 in
  let bs := halves 10 1 2 8 in
  let both := as_ ++ halves 15 1 2 8 in
  acyclic joint_graph as_ [(a1, 13); (a2, 14)] /\
  acyclic joint_graph bs [(b1, 13); (b2, 14)] /\
  ~ acyclic joint_graph both [(a1, 13); (a2, 14); (b1, 18); (b2, 19)] /\
  place_target joint_graph both [(a1, 13); (a2, 14); (b1, 18); (b2, 19)] = None.
Proof. exact Convex.joint_cycle. Qed.

(** *** The semantic check *)

From Calque Require rewrite.Check rewrite.CheckProof rewrite.CheckSound.

(** An accepted rule never comes to an undefined reference.  Whatever map stands for its
    source (the conditions not asked yet; no variadic pattern stands for nothing): the
    attributes of the source, the conditions of the rule, and every pattern that the
    builder comes to and does not look up refer only to patterns, instances, symbols
    and alternatives that the map defines. *)
Theorem check_sound :
  forall commutes r g, Check.rule_check r = true ->
  forall M outs, CheckSound.whole_match commutes r g M outs -> CheckProof.filled M ->
    CheckSound.claims_defined r M /\
    (forall c, In c (conditions r) -> Check.defined (patterns r) M None [] c = true) /\
    (forall i p q, CheckProof.visited (patterns r) M g (roots r (List.length outs)) i p ->
       nth_error (patterns r) p = Some q -> looked_up (patterns r) g M i p q = None ->
       CheckProof.buildable (patterns r) M i q).
Proof. exact CheckSound.check_sound. Qed.

(** The same for the branches of a variadic source before all are found. *)
Theorem check_branches_sound :
  forall commutes r g, Check.rule_check r = true ->
  forall f outs M, Check.output_field r = Some f ->
    MatchProof.branches commutes r g f outs M -> outs <> [] -> CheckProof.filled M ->
    CheckSound.claims_defined r M.
Proof. exact CheckSound.branch_claims_sound. Qed.

(** What it means: the value of an expression whose references are defined is the same
    whatever the undefined ones would be. *)
Theorem check_irrelevant :
  forall pats M a i syms G H, CheckSound.agree pats M i syms G H ->
    Check.defined pats M i syms a = true -> eval G a = eval H a.
Proof. exact CheckSound.defined_irrelevant. Qed.
