(** * Sums in lanes add the same numbers

    Where a sum does not depend on the order of its terms, as in a commutative ring or among machine
    integers, a kernel with its sums in lanes computes what the kernel does. *)

From Coq Require Import Bool List Lia Arith ZArith.
From Calque Require Import base.Lists kernel.Kernel kernel.KernelProof kernel.Lanes kernel.LanesProof.
Import ListNotations.
Open Scope nat_scope.

Lemma seq_from a n : seq a n = map (fun j => a + j) (seq 0 n).
Proof. induction n as [| n IH]; [reflexivity |]. now rewrite !seq_S, map_app, IH. Qed.

(** ** Sums in a commutative monoid *)

Section Monoid.
  Context {M : Type}.
  Variables (zero : M) (plus : M -> M -> M).
  Infix "+" := plus.
  Hypothesis zero_plus : forall a, zero + a = a.
  Hypothesis comm : forall a b, a + b = b + a.
  Hypothesis assoc : forall a b c, a + (b + c) = a + b + c.

  Definition msum {A} (f : A -> M) (l : list A) : M := fold_left (fun a k => a + f k) l zero.

  Lemma fold_plus {A} (f : A -> M) l : forall a, fold_left (fun a k => a + f k) l a = a + msum f l.
  Proof.
    unfold msum. induction l as [| k l IH]; intros a; cbn [fold_left]; [rewrite comm; symmetry; apply zero_plus |].
    rewrite IH, (IH (zero + f k)), zero_plus. symmetry. apply assoc.
  Qed.

  Lemma msum_cons {A} (f : A -> M) k l : msum f (k :: l) = f k + msum f l.
  Proof. unfold msum at 1. cbn [fold_left]. now rewrite fold_plus, zero_plus. Qed.

  Lemma msum_app {A} (f : A -> M) l m : msum f (l ++ m) = msum f l + msum f m.
  Proof. unfold msum at 1. now rewrite fold_left_app, fold_plus. Qed.

  Lemma msum_ext {A} (f g : A -> M) l : (forall k, In k l -> f k = g k) -> msum f l = msum g l.
  Proof. intros E. apply fold_left_ext_in. intros a k I. now rewrite E. Qed.

  Lemma msum_map {A B} (h : B -> A) (f : A -> M) l : msum f (map h l) = msum (fun b => f (h b)) l.
  Proof. induction l as [| b l IH]; [reflexivity |]. cbn [map]. now rewrite !msum_cons, IH. Qed.

  Lemma msum_flat_map {A B} (h : B -> list A) (f : A -> M) l : msum f (flat_map h l) = msum (fun b => msum f (h b)) l.
  Proof. induction l as [| b l IH]; [reflexivity |]. cbn [flat_map]. now rewrite msum_app, msum_cons, IH. Qed.

  Lemma msum_add {A} (f g : A -> M) l : msum (fun k => f k + g k) l = msum f l + msum g l.
  Proof.
    induction l as [| k l IH]; [symmetry; apply zero_plus |]. rewrite !msum_cons, IH.
    rewrite <- !assoc. f_equal. rewrite !assoc. f_equal. apply comm.
  Qed.

  Lemma msum_none {A} (l : list A) : msum (fun _ => zero) l = zero.
  Proof. induction l as [| k l IH]; [reflexivity |]. now rewrite msum_cons, IH, zero_plus. Qed.

  Lemma msum_swap {A B} (f : A -> B -> M) l m :
    msum (fun a => msum (f a) m) l = msum (fun b => msum (fun a => f a b) l) m.
  Proof.
    induction l as [| a l IH]; [symmetry; apply msum_none |]. rewrite msum_cons, IH, <- msum_add.
    apply msum_ext. intros b _. now rewrite msum_cons.
  Qed.

  Lemma msum_with_last (f : list Z -> M) ns n :
    msum f (box (with_last ns n)) =
    msum (fun i => msum (fun x => f (i ++ [Z.of_nat x])) (seq 0 n)) (box (removelast ns)).
  Proof.
    unfold with_last. revert f. generalize (removelast ns) as d.
    induction d as [| s d IH]; intros f; cbn [app box].
    - unfold msum at 2. cbn [fold_left]. rewrite zero_plus, msum_flat_map. apply msum_ext. intros x _.
      cbn [map]. now rewrite msum_cons, (comm _ (msum f [])), zero_plus.
    - rewrite !msum_flat_map. apply msum_ext. intros x _. now rewrite !msum_map, IH.
  Qed.

  (** By remainders. *)
  Lemma msum_strided (g : nat -> M) w m :
    msum g (seq 0 (w * m)) = msum (fun j => msum (fun q => g (q * w + j)%nat) (seq 0 m)) (seq 0 w).
  Proof.
    induction m as [| m IH].
    - rewrite Nat.mul_0_r. symmetry. apply msum_none.
    - rewrite Nat.mul_succ_r, seq_app, msum_app, IH.
      rewrite (msum_ext (fun j => msum (fun q => g (q * w + j)%nat) (seq 0 (S m)))
                 (fun j => msum (fun q => g (q * w + j)%nat) (seq 0 m) + g (m * w + j)%nat)).
      + rewrite msum_add. f_equal. cbn [Nat.add]. rewrite (seq_from (w * m)), msum_map.
        apply msum_ext. intros j _. f_equal. lia.
      + intros j _. rewrite seq_S, msum_app. cbn [Nat.add]. now rewrite msum_cons, (comm _ (msum _ [])), zero_plus.
  Qed.
End Monoid.

(** ** Kernels *)

Section Kernels.
  Context {S : scalars}.
  Variable is_sum : red S -> bool.
  Variable plus : bop S.
  Variable lane : red S -> red S.
  Variable temp : nat -> tid.

  (** Sums add up, from 0, in any order. *)
  Record any_order : Prop := {
    sum_starts : forall r, is_sum r = true -> red_start S r = zero S /\ red_start S (lane r) = zero S;
    sum_steps : forall r, is_sum r = true -> forall a b,
      red_step S r a b = bop_value S plus a b /\ red_step S (lane r) a b = bop_value S plus a b;
    plus_zero : forall a, bop_value S plus (zero S) a = a;
    plus_comm : forall a b, bop_value S plus a b = bop_value S plus b a;
    plus_assoc : forall a b c, bop_value S plus a (bop_value S plus b c) = bop_value S plus (bop_value S plus a b) c
  }.

  Hypothesis laws : any_order.
  Notation add := (bop_value S plus).
  Notation sum := (msum (zero S) add).

  Lemma added_sum r ns f : is_sum r = true ->
    added r ns f = sum f (box ns) /\ added (lane r) ns f = sum f (box ns).
  Proof.
    intros R. unfold added, msum. destruct (sum_starts laws r R) as [-> ->].
    split; apply fold_left_ext_in; intros a k _; now destruct (sum_steps laws r R a (f k)).
  Qed.

  Lemma added_in_lanes_sum r ns f : is_sum r = true -> ns <> [] ->
    added_in_lanes plus lane r ns f = added r ns f.
  Proof.
    intros R some. destruct laws as [_ _ pz pc pa].
    set (n := last ns 0). set (m := n / lanes). set (w := n mod lanes).
    assert (En : n = lanes * m + w) by (apply Nat.div_mod; discriminate).
    assert (Ens : ns = with_last ns n) by now apply app_removelast_last.
    assert (whole_ : added r ns f =
      add (sum (fun j => sum (fun i => sum (fun q => f (i ++ [Z.of_nat (q * lanes + j)])) (seq 0 m)) (box (removelast ns)))
               (seq 0 lanes))
          (sum (fun i => sum (fun t => f (i ++ [Z.of_nat (t + lanes * m)])) (seq 0 w)) (box (removelast ns)))).
    { destruct (added_sum r ns f R) as [-> _]. rewrite Ens at 1. rewrite msum_with_last by assumption.
      transitivity (sum (fun i =>
        add (sum (fun j => sum (fun q => f (i ++ [Z.of_nat (q * lanes + j)])) (seq 0 m)) (seq 0 lanes))
            (sum (fun t => f (i ++ [Z.of_nat (t + lanes * m)])) (seq 0 w))) (box (removelast ns))).
      2: { rewrite msum_add by assumption. f_equal. now apply msum_swap. }
      apply msum_ext. intros i _. rewrite En, seq_app, msum_app by assumption. f_equal; [now apply msum_strided |].
      cbn [Nat.add]. rewrite (seq_from (lanes * m)), msum_map by assumption. apply msum_ext. intros t _. do 4 f_equal. lia. }
    assert (total : added (lane r) [lanes] (fun j => added r (with_last ns m)
        (fun k => f (change_last (fun q => q * Z.of_nat lanes + nth 0 j 0)%Z k))) =
      sum (fun j => sum (fun i => sum (fun q => f (i ++ [Z.of_nat (q * lanes + j)])) (seq 0 m)) (box (removelast ns)))
          (seq 0 lanes)).
    { destruct (added_sum r [lanes] (fun j => added r (with_last ns m)
        (fun k => f (change_last (fun q => q * Z.of_nat lanes + nth 0 j 0)%Z k))) R) as [_ ->].
      change [lanes] with (with_last [lanes] lanes). rewrite msum_with_last by assumption. cbn [removelast box].
      rewrite msum_cons by assumption. unfold msum at 2. cbn [fold_left]. rewrite pc, pz.
      apply msum_ext. intros j _. cbn [app nth]. destruct (added_sum r (with_last ns m)
        (fun k => f (change_last (fun q => q * Z.of_nat lanes + Z.of_nat j)%Z k)) R) as [-> _].
      rewrite msum_with_last by assumption. apply msum_ext. intros i _. apply msum_ext. intros q _.
      rewrite change_last_app. do 3 f_equal. lia. }
    unfold added_in_lanes. fold n m w. rewrite whole_. destruct (Nat.eqb_spec w 0) as [W | _].
    - rewrite W, total. cbn [seq]. rewrite pc. symmetry.
      replace (sum (fun i => sum (fun t => f (i ++ [Z.of_nat (t + lanes * m)])) []) (box (removelast ns)))
        with (zero S); [apply pz |].
      symmetry. transitivity (sum (fun _ : list Z => zero S) (box (removelast ns))); [reflexivity |].
      now apply msum_none.
    - f_equal; [exact total |]. destruct (added_sum r (with_last ns w)
        (fun k => f (change_last (fun t => t + Z.of_nat (lanes * m))%Z k)) R) as [-> _].
      rewrite msum_with_last by assumption. apply msum_ext. intros i _. apply msum_ext. intros t _.
      rewrite change_last_app. do 3 f_equal. lia.
  Qed.

  Lemma eval_lanes_sum d st i (e : ex S) : eval_lanes is_sum plus lane d st i e = eval st i e.
  Proof.
    induction e as [c | t l | o a b IHa IHb | g l IH | c a b IHa IHb | r ns e IH] using ex_nested_ind; try reflexivity.
    - cbn [eval_lanes eval]. now rewrite IHa, IHb.
    - cbn [eval_lanes eval]. f_equal. apply map_ext_in. intros a I. rewrite Forall_forall in IH. now apply IH.
    - cbn [eval_lanes]. destruct (taken is_sum d r ns e) eqn:T; [| reflexivity].
      rewrite added_in_lanes_sum; [reflexivity | |].
      + unfold taken in T. rewrite !andb_true_iff in T. tauto.
      + intros ->. destruct (taken_last is_sum d r [] e T) as [_ H]. inversion H.
  Qed.

  (** The same program, in every tensor but the new temporaries. *)
  Theorem lanes_prog_same next (p : list (stmt S)) st :
    (forall j k, temp j = temp k -> j = k) ->
    (forall s u, In s p -> In u (loads (body s)) -> fresh temp next u) ->
    forall u, fresh temp next u -> forall i, exec_prog (lanes_prog is_sum plus lane temp next p) st u i = exec_prog p st u i.
  Proof.
    intros inj F u Fu i.
    rewrite <- (lanes_prog_value is_sum plus lane temp inj next p next st st (le_n _) F (fun _ _ _ => eq_refl) u Fu i).
    assert (E : forall p st st', (forall v j, st v j = st' v j) ->
      forall v j, exec_lanes_prog is_sum plus lane p st v j = exec_prog p st' v j).
    { clear - laws. intros p. induction p as [| s p IH]; intros st st' same v j; [apply same |].
      apply (IH (exec_lanes is_sum plus lane s st) (exec s st')). clear v j. intros v j. unfold exec_lanes, exec, upd.
      destruct (v =? out s); [| apply same]. unfold tabulate. destruct (in_box (dims s) j); [| reflexivity].
      rewrite eval_lanes_sum. apply eval_frame. intros w _ k. apply same. }
    now apply E.
  Qed.
End Kernels.
