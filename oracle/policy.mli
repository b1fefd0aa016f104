(** When a value that another implementation computed is right.

    Operators are of three classes. [Exact]: each cell is one rounded operation, or a choice or a copy: bits are equal.
    [Reassociated]: sums and products, which may be computed in another order or fused. [Library]: also a function that IEEE 754
    does not define (exp, log, tanh, erf, pow). Of integers and truth values every operator is exact.

    A tolerance is absolute, for each cell. With u = 2^-24 (f32) or 2^-53 (f64) and g(n) = n u / (1 - n u):
    - sums of products (MatMul, Gemm, Conv, ReduceSum, ReduceMean, Sum, pools of means): 2 g(n + 4) S, n the number of terms, S the
      sum of their absolute values, which is the oracle's value of the operator on absolute inputs. 0 where inputs are
      integers, nothing is divided, and S < 1/u: such sums are exact in any order;
    - BatchNormalization: the same with n = 4 and S of absolute terms; HardSigmoid, HardSwish: S = the terms before they are cut off;
    - normalizations over a group of n cells with greatest magnitude M and deviation d = sqrt(var + epsilon), for the scaled cell
      y = scale z: 2 g(n + 8) |scale| ((2 + 2|z|) M / d + |z|) + 4 u (|y| + |bias|), the variance taken of differences from the mean;
      LpNormalization: 2 g(n + 8) |y|;
    - functions: as many units in the last place as OpenCL C allows (exp, log 3, tanh 5, erf, pow 16) and one for ours, of the value,
      or, where the formula adds terms of magnitude s before it cancels, of s (Gelu, Mish: |x|; Softplus: 1; Elu, Selu, Celu: |alpha|).

    A NaN is equal to every NaN and to nothing else, an infinity to itself. Zeros of different sign are equal but where the operator is
    exact about signs. Where the oracle has no value (?), every cell is right; and where finite terms may overflow, or squares
    underflow, on the way of one order and not of another, or a normalization has a parameter that is not finite (scale x - scale mean is then
    a NaN, scale (x - mean) none), nothing is claimed. *)

type kind = Exact | Reassociated | Library

(** Of the operator, on the element type. *)
val kind : string -> string -> kind

val kind_name : kind -> string

(** Is -0 another number than 0? *)
val signed_zeros : string -> string -> bool

(** The values of an operator, by the oracle: one, or the parts of a Split. *)
val values : Shim_gsl.node -> Cells.tensor list -> string -> Cells.tensor list option

(** [tolerance node inputs want]: for each cell of [want]. *)
val tolerance : Shim_gsl.node -> Cells.tensor list -> Cells.tensor -> float array

type agreement = Same | Within | Differs

(** [judge m want got]: of a graph whose operators are outputs: each value against that of the oracle on the values before it in [got].
    Also the first node that differs, and the place of the cell. *)
val judge : Cells.model -> (string * Cells.tensor) list -> (string * Cells.tensor) list -> agreement * string
