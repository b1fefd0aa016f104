# Calque. `make demo` and `make check` each work as the first command on a fresh Debian 12 as root; `make help` lists the rest.
.DEFAULT_GOAL := all
SHELL = /bin/bash

BUILD ?= .build
CC ?= gcc
ifeq ($(origin CC),default)
CC = gcc
endif
OPT ?= -O2 -g
# Of what is in tests.
TEST_OPT ?= $(OPT)
SAN ?=
JOBS ?= 2
PREFIX ?= /usr/local
WARN = -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wmissing-prototypes -Werror
CPPFLAGS = -D_POSIX_C_SOURCE=200809L -Ic -I$(BUILD)/gen
CFLAGS = -std=c11 $(OPT) $(WARN) -fopenmp -ffp-contract=off $(SAN)
LDLIBS = -lprotobuf-c -ljansson -lm
M = $(MAKE) --no-print-directory
# Pages of 2 MB for what malloc gives, where the kernel has them on request: coqc and the provers spend up to half of their time on page faults else.
export GLIBC_TUNABLES ?= glibc.malloc.hugetlb=1:glibc.malloc.mmap_threshold=1073741824:glibc.malloc.top_pad=16777216

# A build prints one short line for each file; V=1: the commands; -s: nothing.
Q = $(if $(V),,@)
say = $(if $(V)$(findstring s,$(firstword -$(MAKEFLAGS))),,@echo "  $1")

# Debian packages: what building and the demo need, what the tests need, what the proofs need.
DEPS_BUILD = gcc libc6-dev make pkg-config protobuf-c-compiler libprotobuf-c-dev libonnx-dev libjansson-dev graphviz
DEPS_TEST = clang cppcheck patch groff-base parallel libomp-14-dev libclang-rt-14-dev libcunit1-dev libonnx-testdata python3-onnx valgrind libc6-dbg
DEPS_PROOF = coq ocaml-findlib libzarith-ocaml-dev libcmdliner-ocaml-dev libqcheck-ocaml-dev frama-c-base why3 z3 cvc4 libgmp-dev
DEPS ?= $(DEPS_BUILD) $(DEPS_TEST) $(DEPS_PROOF)

ROOMS ?= base attr graph onnx tensor kernel pattern rewrite dpia emit
SRC = $(foreach r,$(ROOMS),$(wildcard c/$(r)/*.c))
OBJ = $(SRC:%.c=$(BUILD)/%.o) $(BUILD)/gen/onnx/onnx.pb-c.o
LIB = $(BUILD)/libcalque.a
CLI_OBJ = $(patsubst %.c,$(BUILD)/%.o,$(wildcard c/cli/*.c))
UNITS = $(foreach r,$(ROOMS),$(wildcard tests/$(r)/unit_*.c))
TOOLS = $(patsubst %.c,%,$(wildcard tests/attr/attr_text.c tests/pattern/gsl_text.c tests/kernel/kernel_text.c tests/tensor/opkernel_text.c tests/tensor/opvalue_text.c tests/tensor/model_text.c tests/tensor/model_graphs.c tests/dpia/dpia_text.c tests/onnx/node_tests.c tests/onnx/onnx_copy.c tests/emit/emit_*.c tests/emit/validate_text.c tests/bench/*.c))

all: $(BUILD)/calque $(TOOLS:%=$(BUILD)/%) $(BUILD)/tests/zoo/zoo ## build the library, the calque command and the test programs

# ---- set-up ----
deps: ## install the Debian packages that are missing (needs root only if some are)
	@missing=; for p in $(DEPS); do \
	    dpkg-query -W -f='$${Status}' $$p 2>/dev/null | grep -q 'ok installed' || missing="$$missing $$p"; done; \
	if [ -n "$$missing" ]; then \
	    echo "installing:$$missing"; mkdir -p $(BUILD); \
	    { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $$missing; } \
	        >$(BUILD)/deps.log 2>&1 || { tail -n 20 $(BUILD)/deps.log; echo "make deps: apt-get failed; as root: apt-get install$$missing" >&2; exit 1; }; \
	fi

demo: ## set up, build, run the main job on a real model and compare
	@$(M) deps DEPS="$(DEPS_BUILD)"
	@echo "building $(BUILD)/calque (half a minute)"
	@$(M) -s -j$(JOBS) $(BUILD)/calque $(BUILD)/tests/zoo/zoo
	@tests/zoo/demo.sh $(BUILD)

check: deps ## set up, build, run every proof and test
	@$(M) check-all

check-whole: check-coq-full check-extraction diff units matrix nets eva ranges wp-emit ## what `make check` runs a part of, whole (tests/README.md), in hours
	@$(M) -s BUILD=$(BUILD)/san OPT="-O1 -g" SAN="-fsanitize=address,undefined -fno-sanitize-recover=undefined" units
	@tests/emit/freestanding.sh $(BUILD)

check-all:
	@tests/check.sh $(BUILD)

# ---- C ----
$(BUILD)/gen/onnx/onnx.pb-c.c $(BUILD)/gen/onnx/onnx.pb-c.h &: /usr/include/onnx/onnx.proto
	@command -v protoc-c >/dev/null || { echo "protoc-c is missing: apt-get install protobuf-c-compiler" >&2; exit 1; }
	@mkdir -p $(BUILD)/gen/onnx
	$(call say,PROTOC $<)
	$(Q)protoc-c --proto_path=/usr/include --c_out=$(BUILD)/gen onnx/onnx.proto

/usr/include/onnx/onnx.proto:
	@echo "onnx.proto is missing: apt-get install libonnx-dev" >&2; exit 1

# The rule library is read from the binary: the text of each set as a C array text_NAME.
LIBRARY_GSL = $(wildcard c/rewrite/library_*.gsl)
$(BUILD)/gen/library_gsl.h: $(LIBRARY_GSL)
	@mkdir -p $(@D)
	$(call say,TEXT $@)
	$(Q)for f in $^; do n=$${f##*/library_}; echo "static const unsigned char text_$${n%.gsl}[] = {"; \
	    od -An -v -tu1 $$f | sed 's/\([0-9][0-9]*\)/\1,/g'; echo '};'; done >$@

# The style and the search of report.html as an array report_head; the functions of --math=calque as an array math_text.
TEXTS_H = $(BUILD)/gen/report_head.h $(BUILD)/gen/math_text.h
$(BUILD)/gen/report_head.h: c/cli/report_head.html
$(BUILD)/gen/math_text.h: c/kernel/math.inc
$(TEXTS_H):
	@mkdir -p $(@D)
	$(call say,TEXT $@)
	$(Q){ echo "static const unsigned char $(basename $(@F))[] = {"; od -An -v -tu1 $< | sed 's/\([0-9][0-9]*\)/\1,/g'; echo '0};'; } >$@

$(BUILD)/gen/%.o: $(BUILD)/gen/%.c
	$(call say,CC $<)
	$(Q)$(CC) -std=c11 $(OPT) $(SAN) -I$(BUILD)/gen -c $< -o $@

LIBRARY_H = $(if $(LIBRARY_GSL),$(BUILD)/gen/library_gsl.h)
$(BUILD)/tests/%.o: override OPT := $(TEST_OPT)
$(BUILD)/%.o: %.c | $(BUILD)/gen/onnx/onnx.pb-c.h $(LIBRARY_H) $(TEXTS_H)
	@mkdir -p $(@D)
	$(call say,CC $<)
	$(Q)$(CC) $(CPPFLAGS) -Itests $(CFLAGS) $(EXTRA_$(notdir $*)) -MMD -MP -c $< -o $@

# Two objects that define a name are an error here: from an archive the linker would take either, and say nothing.
$(LIB): $(OBJ) $(BUILD)/objects
	@rm -f $@
	$(call say,AR $@)
	$(Q)ld -r -o $(BUILD)/whole.o $(OBJ) && rm -f $(BUILD)/whole.o
	$(Q)ar qcs $@ $(OBJ)

# Written when the list changes, so that the library never keeps the object of a file that is gone.
$(BUILD)/objects: FORCE
	@mkdir -p $(@D)
	@echo $(OBJ) | cmp -s - $@ || echo $(OBJ) >$@
FORCE:

$(BUILD)/calque: $(CLI_OBJ) $(LIB)
	$(call say,LINK $@)
	$(Q)$(CC) $(CFLAGS) -o $@ $^ $(LDLIBS)

# The zoo writes models with protobuf-c alone, independent of libcalque.
$(BUILD)/tests/zoo/zoo: $(patsubst %.c,$(BUILD)/%.o,$(wildcard tests/zoo/*.c)) $(BUILD)/gen/onnx/onnx.pb-c.o
	$(call say,LINK $@)
	$(Q)$(CC) $(CFLAGS) -o $@ $^ -lprotobuf-c -lm

$(UNITS:%.c=$(BUILD)/%): $(BUILD)/tests/%: $(BUILD)/tests/%.o $(BUILD)/tests/unit.o $(LIB)
	$(call say,LINK $@)
	$(Q)$(CC) $(CFLAGS) -o $@ $(filter %.o,$^) $(LIB) $(LDLIBS) -lcunit

$(TOOLS:%=$(BUILD)/%): $(BUILD)/tests/%: $(BUILD)/tests/%.o $(LIB)
	$(call say,LINK $@)
	$(Q)$(CC) $(CFLAGS) -o $@ $(filter %.o,$^) $(LIB) $(LDLIBS)

# What the attribute tests read expressions with, and those of requests about tensors values.
$(BUILD)/tests/tensor/model_text $(BUILD)/tests/tensor/opvalue_text $(filter $(BUILD)/tests/attr/%,$(UNITS:%.c=$(BUILD)/%) $(TOOLS:%=$(BUILD)/%)): $(BUILD)/tests/attr/read_request.o

# The targets of fuzzing: with files, and with libFuzzer (tests/fuzz/build.sh has the flags). mem.c's calls of malloc are bounded.
FUZZ_OBJ = $(patsubst %.c,$(BUILD)/%.o,$(filter-out tests/fuzz/replay.c,$(wildcard tests/fuzz/*.c))) $(BUILD)/tests/attr/read_request.o
FUZZ_LINK = $(CC) $(CFLAGS) -Wl,--wrap=realloc,--wrap=calloc -o $@ $^ $(LDLIBS)
$(BUILD)/tests/fuzz/replay: $(BUILD)/tests/fuzz/replay.o $(FUZZ_OBJ) $(LIB)
	$(call say,LINK $@)
	$(Q)$(FUZZ_LINK)
$(BUILD)/tests/fuzz/fuzz: $(FUZZ_OBJ) $(LIB)
	$(call say,LINK $@)
	$(Q)$(FUZZ_LINK) -fsanitize=fuzzer

lib: $(LIB)
units-build: $(UNITS:%.c=$(BUILD)/%)
units: units-build ## run every unit test
	@s=0; for u in $(UNITS:%.c=$(BUILD)/%); do $$u || s=1; done; exit $$s
list-units:
	@echo $(UNITS)
unit:
	@$(M) -s $(BUILD)/$(U:%.c=%)
	@$(BUILD)/$(U:%.c=%)

# ---- Coq and the oracle: copied under BUILD and compiled there, so the source tree stays clean ----
COQ_SRC = coq/_CoqProject coq/Extract.v $(shell sed -n 's|^\(.*\.v\)$$|coq/\1|p' coq/_CoqProject)
COQ_STAMP = $(BUILD)/coq/.done
# Of what make in BUILD/coq reads there itself, for other uses of Coq.
COQ_GC = $(shell sed -n 's/^export \(OCAMLRUNPARAM\) ?= /\1=/p' coq/CoqMakefile.local)
ORACLE_MODULES = coq_print shim text read rng gen kernel_term kernel_print kernel kernel_grad shim_gsl gsl gsl_types gsl_surface gsl_batch \
    gen_gsl_state gen_gsl_source gen_gsl_target gen_gsl shim_dpia dpia opkernel numbers opvalue model \
    cells gen_op proto onnx_model policy gen_model shrink_model plain validate statements calls jobs peer shrink gen_opvalue gen_kernel gen_dpia shrink_dpia language backend vectors diff grammar \
    composition $(COMPOSITIONS) compositions
COMPOSITIONS = $(patsubst oracle/%.ml,%,$(wildcard oracle/compositions_*.ml))
EXTRACTED = extracted extracted_dpia extracted_validate extracted_statements extracted_calls extracted_op extracted_tabled extracted_value extracted_lanes extracted_model extracted_onnx
ORACLE_SRC = $(ORACLE_MODULES:%=oracle/%.ml) $(ORACLE_MODULES:%=oracle/%.mli) oracle/main.ml oracle/libm.c oracle/fast.ml oracle/fast.mli
# Off: 4, 9 fragile matches and partial record patterns; 40-42, 44, 45 name disambiguation; 70 main.ml has no interface.
OCAMLFLAGS = -strict-sequence -w +a-4-9-40-41-42-44-45-70 -warn-error +a

coq: $(COQ_STAMP) ## compile the Coq development
oracle: $(BUILD)/calque-oracle $(BUILD)/oracle/diff_oracle $(BUILD)/liboracle.a $(BUILD)/liboracle.so ## extract and build the oracle: the command, and the library

$(COQ_STAMP): $(COQ_SRC)
	@command -v coqc >/dev/null || { echo "coqc is missing: apt-get install coq" >&2; exit 1; }
	@mkdir -p $(BUILD)/coq
	$(call say,COQ $(words $(COQ_SRC)) files)
	@touch $@.begun
	$(Q)cp -Rup coq/. $(BUILD)/coq/
	$(Q)cd $(BUILD)/coq && coq_makefile -f _CoqProject -o CoqMakefile
	$(Q)cd $(BUILD)/coq && $(M) -f CoqMakefile OPT= >coq.log || { cat coq.log; exit 1; }
	@touch -r $@.begun $@

$(BUILD)/oracle/extracted.ml: $(COQ_STAMP) coq/Extract.v
	@mkdir -p $(BUILD)/oracle
	$(call say,EXTRACT $@)
	$(Q)cd $(BUILD)/oracle && $(COQ_GC) coqc -noglob -Q ../coq Calque ../coq/Extract.v
	@touch $@

$(BUILD)/calque-oracle: $(BUILD)/oracle/extracted.ml $(ORACLE_SRC)
	@command -v ocamlfind >/dev/null || { echo "ocamlfind is missing: apt-get install ocaml-findlib" >&2; exit 1; }
	$(call say,OCAML $@)
	$(Q)cp $(ORACLE_SRC) $(BUILD)/oracle/
	$(Q)cd $(BUILD)/oracle && ocamlfind ocamlopt -package zarith -w -a -c fast.mli fast.ml $(foreach m,$(EXTRACTED),$(m).mli $(m).ml) libm.c
	$(Q)cd $(BUILD)/oracle && ocamlfind ocamlopt -package unix,zarith,cmdliner -linkpkg $(OCAMLFLAGS) \
	    libm.o fast.cmx $(EXTRACTED:%=%.cmx) $(foreach m,$(ORACLE_MODULES),$(m).mli $(m).ml) main.ml -ccopt -no-pie -o ../calque-oracle

# The oracle in another program's process (oracle/oracle.h). liboracle.a has OCaml's runtime, zarith and gmp in it.
LIBORACLE_CMX = fast.cmx $(EXTRACTED:%=%.cmx) $(ORACLE_MODULES:%=%.cmx) liboracle.cmx
$(BUILD)/oracle/liboracle.cmx: oracle/liboracle.ml oracle/liboracle.mli oracle/liboracle.c oracle/oracle.h $(BUILD)/calque-oracle
	$(Q)cp $(filter oracle/%,$^) $(BUILD)/oracle/
	$(Q)cd $(BUILD)/oracle && ocamlfind ocamlopt -package unix,zarith,cmdliner $(OCAMLFLAGS) -c liboracle.mli liboracle.ml
	$(Q)$(CC) -std=c11 $(OPT) $(WARN) -fPIC -I$$(ocamlfind ocamlopt -where) -c oracle/liboracle.c -o $(BUILD)/oracle/liboracle_c.o
	@touch $@
$(BUILD)/liboracle.a: $(BUILD)/oracle/liboracle.cmx
	$(call say,OCAML $@)
	$(Q)cd $(BUILD)/oracle && ocamlfind ocamlopt -package unix,zarith,cmdliner -linkpkg -I "$$(dirname "$$($(CC) -print-file-name=libgmp.a)")" \
	    -output-complete-obj -o liboracle_ml.o libm.o $(LIBORACLE_CMX)
	$(Q)rm -f $@ && ar qcs $@ $(BUILD)/oracle/liboracle_ml.o $(BUILD)/oracle/liboracle_c.o
$(BUILD)/liboracle.so: $(BUILD)/oracle/liboracle.cmx
	$(call say,OCAML $@)
	$(Q)cd $(BUILD)/oracle && ocamlfind ocamlopt -package unix,zarith,cmdliner -linkpkg -output-obj -runtime-variant _pic -o ../liboracle.so \
	    liboracle_c.o libm.o $(LIBORACLE_CMX)

# The programs that answer requests, in one that asks the oracle in its own process.
BOTH = attr/attr_text pattern/gsl_text dpia/dpia_text tensor/model_text
$(BUILD)/tests/both/%.o: $(BUILD)/tests/%.o
	@mkdir -p $(@D)
	$(Q)objcopy --redefine-sym main=$(notdir $*)_main $< $@
$(BUILD)/tests/oracle/both: $(BUILD)/tests/oracle/both.o $(BOTH:%=$(BUILD)/tests/both/%.o) $(BUILD)/tests/attr/read_request.o $(LIB) $(BUILD)/liboracle.a
	$(call say,LINK $@)
	$(Q)$(CC) $(CFLAGS) -o $@ $(filter %.o,$^) $(BUILD)/liboracle.a $(LIB) $(LDLIBS)
THROUGHPUT = attr 100000 gsl 10000 dpia 10000 model 5000
throughput: $(BUILD)/tests/oracle/both ## how many random cases a second the oracle and the C take together, in one process
	@set -- $(THROUGHPUT); while [ $$# -gt 1 ]; do $< $$1 $$2 $(SEED) || exit; shift 2; done

$(BUILD)/oracle/diff_oracle: tests/attr/diff_oracle.ml $(BUILD)/calque-oracle
	$(call say,OCAML $@)
	$(Q)cp $< $(BUILD)/oracle/
	$(Q)cd $(BUILD)/oracle && ocamlfind ocamlopt -package unix,zarith,cmdliner,qcheck-core -linkpkg $(OCAMLFLAGS) \
	    libm.o fast.cmx $(EXTRACTED:%=%.cmx) $(ORACLE_MODULES:%=%.cmx) diff_oracle.ml -o diff_oracle

math: $(BUILD)/calque-oracle $(BUILD)/tests/tensor/model_text ## the errors of the functions of --math=calque, on all binary32: half an hour
	@tests/kernel/math.sh $(BUILD) 1
printed: $(BUILD)/calque oracle ## print again what is printed: coq/rewrite/Library*.v from the rules, then (make coq) tests/coq/theorems.golden
	@for set in simplify fold like merge pairs lower quantised; do \
	    $(BUILD)/calque dump c/rewrite/library_$$set.gsl >$(BUILD)/rules && \
	    $(BUILD)/calque-oracle library $$set $(BUILD)/rules >$(BUILD)/library.v || exit 1; \
	    name=coq/rewrite/Library$$(echo $$set | sed 's/^./\U&/').v; \
	    cmp -s $(BUILD)/library.v $$name || cp $(BUILD)/library.v $$name; \
	done
	@$(M) -s coq
	@tests/coq/run.sh --print $(BUILD)
check-coq: $(COQ_STAMP) ## the Coq gates: no holes, golden theorems, coqchk of a part of the modules, another one for each commit
	@$(COQ_GC) tests/coq/run.sh $(BUILD)
check-coq-full: $(COQ_STAMP) ## the same with coqchk of all modules, and of the standard library
	@$(COQ_GC) tests/coq/run.sh --full $(BUILD)
check-oracle: oracle
	@$(BUILD)/oracle/diff_oracle
	@tests/coq/oracle_theorems.sh $(BUILD)
# Answers of the oracle proved again inside Coq.
EXTRACTION ?= 200
check-extraction: $(BUILD)/calque-oracle
	@$(COQ_GC) tests/coq/extraction.sh $(BUILD) $(EXTRACTION) $(SEED)

# ---- differential tests, proofs of C, the rest ----
ATTR_DIFF ?= 200000
SEED ?= 1
diff: diff-attr diff-against diff-kernel diff-opkernel diff-opvalue diff-model diff-nodes diff-gsl diff-regress diff-dpia diff-emit diff-validate ## the C implementation against the extracted oracle
diff-attr: $(BUILD)/calque-oracle $(BUILD)/tests/attr/attr_text
	@tests/attr/order.sh $(BUILD)/calque-oracle
	@tests/attr/diff.sh $(BUILD)/calque-oracle $(BUILD)/tests/attr/attr_text $(ATTR_DIFF) $(SEED)

diff-against: $(BUILD)/calque-oracle ## calque-oracle diff on implementations that are wrong in known ways
	@tests/attr/against.sh $(BUILD)

check-vectors: $(BUILD)/calque-oracle $(BUILD)/calque $(BUILD)/tests/tensor/model_graphs ## test vectors for ONNX backends, and backends that are wrong in known ways
	@tests/onnx/backend.sh $(BUILD)

# What is built of ONNX's operators that are several of ours, against what is proved.
COMPOSITION_CASES ?= 20
check-compositions: $(BUILD)/calque-oracle $(BUILD)/calque
	@tests/onnx/compositions.sh $(BUILD) $(COMPOSITION_CASES) $(SEED)

# ONNX Runtime, got by npm: BUILD/ort/report.md.
ORT_CASES ?= 4000
ort-report: $(BUILD)/calque-oracle ## ONNX Runtime's CPU provider against the oracle, operator by operator (needs node and npm)
	@tests/onnx/ort_report.sh $(BUILD) --install $(ORT_CASES) $(SEED)

KERNEL_DIFF ?= 20000
diff-kernel: $(BUILD)/calque-oracle $(BUILD)/tests/kernel/kernel_text
	@tests/kernel/diff.sh $(BUILD)/calque-oracle $(BUILD)/tests/kernel/kernel_text $(KERNEL_DIFF) $(SEED)

OPKERNEL_DIFF ?= 12600
diff-opkernel: $(BUILD)/calque-oracle $(BUILD)/tests/tensor/opkernel_text
	@tests/tensor/diff.sh $(BUILD)/calque-oracle $(BUILD)/tests/tensor/opkernel_text $(OPKERNEL_DIFF) $(SEED)

OPVALUE_DIFF ?= 12600
diff-opvalue: $(BUILD)/calque-oracle $(BUILD)/tests/tensor/opvalue_text
	@tests/tensor/value.sh $(BUILD)/calque-oracle $(BUILD)/tests/tensor/opvalue_text $(OPVALUE_DIFF) $(SEED)

# Random graphs of all operators that mix element types, and what calque run gives of them.
MODEL_DIFF ?= 1440
diff-model: $(BUILD)/calque-oracle $(BUILD)/calque $(BUILD)/tests/tensor/model_graphs $(BUILD)/tests/tensor/model_text
	@tests/tensor/model.sh $(BUILD)/calque-oracle $(BUILD)/calque $(BUILD)/tests/tensor/model_graphs $(MODEL_DIFF) $(SEED)

# ONNX's own operator tests by the oracle.
diff-nodes: $(BUILD)/calque-oracle $(BUILD)/tests/onnx/node_tests
	@tests/onnx/oracle.sh $(BUILD) $(NODES)

DPIA_DIFF ?= 20000
diff-dpia: $(BUILD)/calque-oracle $(BUILD)/calque $(BUILD)/tests/dpia/dpia_text
	@tests/dpia/diff.sh $(BUILD)/calque-oracle $(BUILD)/calque $(BUILD)/tests/dpia/dpia_text $(DPIA_DIFF) $(SEED)

# The plain C of whole models, of the extracted compiler and of the command; compiled and run.
EMIT_DIFF ?= 150
diff-emit: $(BUILD)/calque-oracle $(BUILD)/calque $(BUILD)/tests/tensor/model_graphs $(BUILD)/tests/zoo/zoo
	@tests/emit/plain_model.sh $(BUILD) $(EMIT_DIFF) $(SEED)

# What lowering makes of kernels, by the extracted check.
diff-validate: $(BUILD)/calque-oracle $(BUILD)/calque $(BUILD)/tests/zoo/zoo $(BUILD)/tests/emit/emit_matrix $(BUILD)/tests/emit/validate_text $(BUILD)/tests/emit/emit_packed $(BUILD)/tests/emit/unit_statements
	@tests/emit/validate.sh $(BUILD)

# The certificates of many random graphs and of models, by the extracted checks.
CERTIFY ?= 2000
MODELS ?= vgg19 zfnet512
certify: $(BUILD)/calque-oracle $(BUILD)/calque $(BUILD)/tests/emit/emit_matrix $(BUILD)/tests/zoo/zoo ## the extracted checks of what is emitted of CERTIFY random graphs, and of MODELS: files, or architectures of the zoo
	@tests/emit/certify.sh $(BUILD) $(CERTIFY) $(SEED) $(MODELS)

# Random (rule, graph) pairs: parser, matcher and rewriter against the oracle.
GSL_DIFF ?= 60000
GSL_FLAGS ?=
diff-gsl: $(BUILD)/calque-oracle $(BUILD)/tests/pattern/gsl_text
	@tests/pattern/diff.sh $(BUILD)/calque-oracle $(BUILD)/tests/pattern/gsl_text $(GSL_DIFF) $(SEED) $(GSL_FLAGS)

check-rules: $(BUILD)/calque-oracle $(BUILD)/calque ## the C check of rules against the proved one
	@tests/pattern/rules.sh $(BUILD)
	@tests/bad-rules/published.sh $(BUILD)

check-cli-oracle: $(BUILD)/calque-oracle $(BUILD)/calque $(BUILD)/tests/zoo/zoo
	@tests/cli/run.sh $(BUILD) oracle

# The counterexamples of the published rules and algorithms, by the command and by the oracle.
diff-regress: $(BUILD)/calque-oracle $(BUILD)/calque
	@tests/rewrite/regress.sh $(BUILD)

wp: ## prove every function and lemma anew with Frama-C WP, in hours; stopped and run again, it goes on
	@BUILD=$(BUILD) python3 acsl/prove.py all
wp-stale: ## prove the functions and lemmas that acsl/proved.txt does not have as they are, and record them there
	@BUILD=$(BUILD) python3 acsl/prove.py prove
wp-check: ## is each function and lemma recorded as proved, as it is? Some of them are proved again, for WP_SECONDS
	@BUILD=$(BUILD) python3 acsl/prove.py check $(WP_SECONDS)
WP_SECONDS ?= 120
wp-mutants: ## mutations of the proved C: each must break a goal
	@BUILD=$(BUILD) python3 acsl/mutants.py

wp-guard-check: ## the same of clients that acsl/guarded.txt does not have as they are, and of others for GUARD_SECONDS
	@BUILD=$(BUILD) acsl/guard.sh --check $(GUARD_SECONDS)
GUARD_SECONDS ?= 60
wp-guard: ## clients of the proofs that try \false must fail, also of theories broken on purpose; the axioms are those of acsl/axioms.txt
	@BUILD=$(BUILD) acsl/guard.sh
	@BUILD=$(BUILD) acsl/guard.sh --self-test
wp-smoke: ## smoke tests of the proved functions that acsl/smoke.txt does not have as they are, for SMOKE_SECONDS (0: all, in hours; run again, it goes on)
	@BUILD=$(BUILD) python3 acsl/smoke.py $(or $(SMOKE_SECONDS),0)

wp-emit: $(BUILD)/calque ## prove the emitted kernels of tests/emit/acsl_expected.txt, and that changes of them break goals (an hour)
	@tests/emit/acsl.sh $(BUILD) --all

MATRIX ?= 300
matrix: all ## MATRIX random graphs (from SEED) by gcc and clang at -O1, -O2, -O3, native and generic, on 1 to 4 threads, each in every configuration
	@tests/emit/matrix.sh $(BUILD) --whole $(MATRIX) $(SEED)

nets: all ## the nets as PyTorch exports them: the model as it is and the optimised one, each by gcc and by clang
	@tests/zoo/nets.sh $(BUILD) gcc whole
	@tests/zoo/nets.sh $(BUILD) clang whole

ranges: all ## guards that are ranges, with two sets of random graphs
	@tests/emit/ranges.sh $(BUILD) 1 2

eva: ## Eva on the parsers of bytes from outside: no alarm without an explanation
	@tests/base/eva.sh $(BUILD) $(EVA_SHARE)
EVA_SHARE ?= 1

trace: ## each rule on every floor (Coq, ACSL, C, tests); fails on a hole
	@/usr/bin/python3 tests/trace.py

fuzz: ## coverage-guided fuzzing of every parser and pipeline, SECONDS (60) a target, JOBS side by side; TARGET=graph: one; then mutated files against the command
	@tests/fuzz/run.sh $(BUILD) "$(or $(SECONDS),60)" "$(JOBS)" $(TARGET)

# Stopped and run again, it goes on. GNU parallel knows its jobs by their places in the plan, so a log belongs to one plan.
CAMPAIGN ?= attr=10000000 gsl=1000000 dpia=100000 model=100000
CAMPAIGN_DIR ?= $(BUILD)/campaign
campaign: oracle all ## long differential tests, CAMPAIGN, in JOBS processes, or on the machines of the file SSHLOGIN (GNU parallel); results in CAMPAIGN_DIR
	@command -v parallel >/dev/null || { echo "GNU parallel is missing: apt-get install parallel" >&2; exit 1; }
	@tests/campaign/campaign.py plan $(CAMPAIGN_DIR) $(CAMPAIGN)
	@parallel --will-cite $$([ -t 2 ] && echo --bar) -j $(JOBS) $(if $(SSHLOGIN),--sshloginfile $(SSHLOGIN) --workdir $(CURDIR)) \
	    --joblog $(CAMPAIGN_DIR)/joblog-$$(sha256sum <$(CAMPAIGN_DIR)/plan | cut -c 1-8) --resume-failed --colsep ' ' \
	    BUILD=$(BUILD) tests/campaign/campaign.py job $(CAMPAIGN_DIR) {1} {2} {3} {4} :::: $(CAMPAIGN_DIR)/plan; \
	    tests/campaign/campaign.py merge $(CAMPAIGN_DIR)

bench: ## measured ratios against named peers, growth of matching and rewriting; BENCH=--quiet-machine refuses on a busy one
	@$(M) deps DEPS="$(DEPS_BUILD) libopenblas-dev"
	@$(M) -j$(JOBS) all
	@tests/bench/run.sh $(BUILD) $(BENCH)

# The pages say their commit; "unknown" where there is no git.
doc: $(BUILD)/calque ## the reference as HTML in BUILD/doc: each judgement typeset from Coq, theorems, errata, operators; a PDF if chromium is there
	$(call say,DOC $(BUILD)/doc)
	@python3 -B coq/doc/generate.py . $(BUILD)/doc "$$(git describe --always --dirty 2>/dev/null || echo unknown)" $(BUILD)/calque
	@coq/doc/pdf.sh $(BUILD)/doc

man: $(BUILD)/calque ## the manual pages calque.1, calque-rules.5, calque-kernel.5 and calque-dpia.5, in BUILD/man; those of the oracle, if it is built
	@mkdir -p $(BUILD)/man
	@coq/doc/man.sh $(BUILD)/calque $(BUILD)/man
	@[ ! -x $(BUILD)/calque-oracle ] || oracle/man.sh $(BUILD)/calque-oracle $(BUILD)/man
install: $(BUILD)/calque $(LIB) man ## install the command, library, headers and manual pages under DESTDIR and PREFIX; the reference, if it is made
	install -Dm755 $(BUILD)/calque $(DESTDIR)$(PREFIX)/bin/calque
	install -Dm644 $(LIB) $(DESTDIR)$(PREFIX)/lib/libcalque.a
	install -Dm644 -t $(DESTDIR)$(PREFIX)/share/man/man1 $(BUILD)/man/calque.1
	install -Dm644 -t $(DESTDIR)$(PREFIX)/share/man/man5 $(addprefix $(BUILD)/man/calque-,rules.5 kernel.5 dpia.5)
	[ ! -d $(BUILD)/doc ] || { install -d $(DESTDIR)$(PREFIX)/share/doc && rm -rf $(DESTDIR)$(PREFIX)/share/doc/calque && \
	    cp -r $(BUILD)/doc $(DESTDIR)$(PREFIX)/share/doc/calque; }
	[ ! -e $(BUILD)/liboracle.so ] || { install -Dm755 $(BUILD)/calque-oracle $(DESTDIR)$(PREFIX)/bin/calque-oracle && \
	    install -Dm644 -t $(DESTDIR)$(PREFIX)/share/man/man1 $(BUILD)/man/calque-oracle*.1 && \
	    install -Dm644 -t $(DESTDIR)$(PREFIX)/share/man/man7 $(BUILD)/man/calque-oracle.7 && \
	    install -Dm644 -t $(DESTDIR)$(PREFIX)/lib $(BUILD)/liboracle.a $(BUILD)/liboracle.so && \
	    install -Dm644 -t $(DESTDIR)$(PREFIX)/include/calque-oracle oracle/oracle.h; } # if it is built: it needs Coq
	$(CC) -MM $(CPPFLAGS) c/calque.h | tr ' ' '\n' | sed -n 's,^c/,,p' | sort -u | while read -r h; do \
	    install -Dm644 c/$$h $(DESTDIR)$(PREFIX)/include/calque/$$h; done # the public headers: calque.h and what it includes
	@mkdir -p $(DESTDIR)$(PREFIX)/lib/pkgconfig
	printf 'Name: calque\nDescription: verified-core tensor compiler\nVersion: %s\nRequires.private: libprotobuf-c jansson\nLibs: -L%s/lib -lcalque -lprotobuf-c -ljansson -lm -fopenmp\nCflags: -I%s/include/calque\n' \
	    "$$(sed -n 's/.*CALQUE_VERSION "\(.*\)"/\1/p' c/cli/cli.h)" $(PREFIX) $(PREFIX) >$(DESTDIR)$(PREFIX)/lib/pkgconfig/calque.pc

clean: ## remove everything that was built
	rm -rf $(BUILD)

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  \1\t\2/p' Makefile | expand -t 18

.PHONY: FORCE all deps math demo check check-all throughput campaign lib units units-build list-units unit coq oracle printed check-coq check-coq-full check-oracle check-extraction check-rules check-cli-oracle check-compositions check-vectors diff diff-attr diff-against diff-kernel diff-opkernel diff-opvalue diff-model diff-nodes diff-gsl diff-regress diff-dpia diff-emit diff-validate certify ort-report wp wp-stale wp-check wp-mutants wp-guard wp-guard-check wp-smoke wp-emit matrix nets ranges check-whole eva trace fuzz bench doc man install clean help
-include $(shell find $(BUILD)/c $(BUILD)/tests -name '*.d' 2>/dev/null)
