(** * The tangent is the derivative

    Dual numbers a + b e with e * e = 0 over the ring are a ring again; evaluating a
    kernel at [st + du * e] gives its value and its tangent.  For sums and products
    this is the derivative of polynomials; the inverse of a dual number is one as
    soon as the inverse of its first part is. *)

From Coq Require Import Bool List Arith ZArith Ring Ring_theory.
From Calque Require Import kernel.Kernel kernel.KernelProof kernel.Grad kernel.GradProof.
Import ListNotations.
Open Scope Z_scope.

Section Dual.
  Variable K : ring.
  Add Ring K : (r_laws K).
  Notation R := (elt K).
  Declare Scope ring_scope.
  Notation "0" := (r0 K) : ring_scope.
  Notation "1" := (r1 K) : ring_scope.
  Infix "+" := (radd K) : ring_scope.
  Infix "*" := (rmul K) : ring_scope.
  Infix "-" := (rsub K) : ring_scope.
  Local Open Scope ring_scope.

  Definition number : Type := R * R.
  Definition dadd (x y : number) : number := (fst x + fst y, snd x + snd y).
  Definition dsub (x y : number) : number := (fst x - fst y, snd x - snd y).
  Definition dmul (x y : number) : number := (fst x * fst y, snd x * fst y + fst x * snd y).
  Definition dopp (x : number) : number := (ropp K (fst x), ropp K (snd x)).
  Definition dinv (x : number) : number :=
    (rinv K (fst x), ropp K (snd x * rinv K (fst x * fst x))).

  Definition dfunc (f : func K) (l : list number) : number :=
    let vs := map fst l in
    (func_value K f vs,
     (fix go n l :=
        match l with
        | [] => 0
        | x :: l' => func_value K (partial K f n) vs * snd x + go (S n) l'
        end) O l).

  Lemma dual_laws : ring_theory (0, 0) (1, 0) dadd dmul dsub dopp eq.
  Proof.
    constructor; intros; unfold dadd, dmul, dsub, dopp;
      repeat match goal with x : (_ * _)%type |- _ => destruct x end; simpl; f_equal; ring.
  Qed.

  Definition deq (x y : number) : bool := req K (fst x) (fst y) && req K (snd x) (snd y).

  Lemma deq_eq x y : deq x y = true -> x = y.
  Proof.
    destruct x, y. unfold deq. simpl. intros H. apply andb_true_iff in H as [H H'].
    apply req_eq in H, H'. congruence.
  Qed.

  Definition dual : ring :=
    {| elt := number; r0 := (0, 0); r1 := (1, 0); radd := dadd; rmul := dmul; rsub := dsub;
       ropp := dopp; r_laws := dual_laws; rinv := dinv; req := deq; req_eq := deq_eq;
       func := func K; func_value := dfunc; partial := partial K;
       other := other K; other_start := fun o => (other_start K o, 0);
       other_step := fun o x y => (other_step K o (fst x) (fst y), 0) |}.

  (** Where [b] has an inverse that respects products, so has [b + b' e]. *)
  Lemma dual_inverse b b' :
    b * rinv K b = 1 -> rinv K (b * b) = rinv K b * rinv K b ->
    rmul dual (b, b') (rinv dual (b, b')) = r1 dual.
  Proof.
    intros unit square. unfold dual. simpl. unfold dmul, dinv. simpl. f_equal; [exact unit |].
    rewrite square.
    transitivity (b' * rinv K b - b * rinv K b * (b' * rinv K b)); [ring |].
    rewrite unit. ring.
  Qed.

  (** The same kernel; literals are constants. *)
  Fixpoint embed (e : ex (alg K)) : ex (alg dual) :=
    match e with
    | ECst c => @ECst (alg dual) ((c, 0) : number)
    | ELd t l => ELd t l
    | EBin o a b => @EBin (alg dual) o (embed a) (embed b)
    | EFn f l => @EFn (alg dual) f (map embed l)
    | ESel c a b => ESel c (embed a) (embed b)
    | ERed r ns e => @ERed (alg dual) r ns (embed e)
    end.

  Definition along (st du : store (alg K)) : store (alg dual) :=
    fun t i => ((st t i, du t i) : number).

  Theorem tangent_dual (st du : store (alg K)) (e : ex (alg K)) : forall rho,
    eval (along st du) rho (embed e) = ((eval st rho e, tangent st du rho e) : number).
  Proof.
    induction e as [c | t l | o a b IHa IHb | f l IH | c a b IHa IHb | r ns e IH]
      using ex_nested_ind; intros rho.
    - reflexivity.
    - reflexivity.
    - cbn [embed]. simpl. rewrite IHa, IHb.
      destruct o; simpl; unfold dadd, dsub, dmul, dinv; simpl; f_equal. ring.
    - transitivity (dfunc f (map (fun x => (eval st rho x, tangent st du rho x) : number) l)).
      + simpl. f_equal. rewrite map_map. apply map_ext_in. intros a ina.
        rewrite Forall_forall in IH. now apply IH.
      + unfold dfunc. rewrite map_map. cbn [fst].
        apply f_equal2; [reflexivity |]. cbn [tangent].
        change (map (fun x => eval st rho x) l) with (map (eval st rho) l).
        generalize (map (eval st rho) l). intros vs. generalize O.
        clear. induction l as [| a l IHl]; intros n; [reflexivity |]. cbn [map snd].
        now rewrite IHl.
    - simpl. destruct (eval_cond rho c); auto.
    - destruct r as [| o].
      + cbn [embed tangent]. rewrite (eval_sum dual), (eval_sum K).
        induction (box ns) as [| k ks IHk]; [reflexivity |].
        simpl. rewrite IH, IHk. reflexivity.
      + simpl.
        enough (H : forall ks x, fold_left (fun acc k =>
            (other_step K o (fst acc) (fst (eval (along st du) (k ++ rho) (embed e) : number)), 0)
             : number) ks ((x, 0) : number) =
          (fold_left (fun acc k => other_step K o acc (eval st (k ++ rho) e)) ks x, 0))
          by exact (H (box ns) (other_start K o)).
        induction ks as [| k ks IHk]; intros x; [reflexivity |]. simpl. rewrite IH. apply IHk.
  Qed.
End Dual.
