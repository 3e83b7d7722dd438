# What each command does: README.md. Every one finds a JDK 25 by itself (.ci/jdk25).
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help build run test test-kill bench bench-quick verify-real verify-programs mutation replay images format scenarios clean

JDK   := JAVA_HOME="$$(.ci/jdk25)" || exit 1; export JAVA_HOME; PATH="$$JAVA_HOME/bin:$$PATH";
# MVN=mvn takes the Maven of the system (3.9 or later) instead of the wrapper's.
MVN   ?= ./mvnw
# What Maven's own libraries do is nothing to warn the reader of.
export MAVEN_OPTS ?= --sun-misc-unsafe-memory-access=allow
MAVEN := $(MVN) -B -ntp
# A build for running: no tests, no static checks.
QUICK := -Dfast -DskipTests package
# The same, and then the tests of packaged programs that carry a tag.
TAGGED = $(QUICK) -Dverify.skip=false -Dverify.excluded= -Dverify.groups=

help: ## lists the commands
	@awk -F ' ?## ' '/^[a-z-]+:.*## / {split($$1, name, ":"); printf "  make %-16s %s\n", name[1], $$2}' Makefile

# Says so in one line, and stops, if the program behind a command is not in this version.
there-%:
	@.ci/there $*

BUILT := deploy/standalone/target/built
# What goes into the running programs. The stamp is newer than all of it or the build runs.
SOURCES = $(shell find pom.xml scheduler policies capacity-probes deploy/protocol deploy/standalone src benchmarks \
            \( -name target -o -name test \) -prune -o -type f -print 2>/dev/null)
$(BUILT): $(SOURCES)
	@$(JDK) echo "Building Spillway (the first time Maven fetches what it needs: some minutes)…" && \
	$(MAVEN) -q $(QUICK) -pl '!deploy/verify' && touch $(BUILT)

build: $(BUILT) ## builds what `make run` needs

# PORT, DATA, TOKEN, TRACES, DEMO, MANAGEMENT_PORT reach the program as they are, given before or after `make run`.
run: there-run $(BUILT) ## starts Spillway on this machine, nothing to install (PORT= DATA= TOKEN= TRACES= DEMO=off)
	@$(JDK) exec java $(RUN_JVM) -jar deploy/standalone/target/spillway-standalone.jar

test: ## everything that must pass, with a real PostgreSQL and a real Kafka broker, without Docker
	@$(JDK) $(MAVEN) verify

test-kill: there-test-kill ## the kill audit, about ten minutes
	@$(JDK) $(MAVEN) $(TAGGED)kill

verify-real: there-verify-real ## the checks against real third-party programs (VERIFY=ec2,prometheus,kubernetes)
	@$(JDK) $(MAVEN) $(TAGGED)real

verify-programs: there-verify-programs ## fetches and builds those programs into a cache outside the repository
	@$(JDK) deploy/verify/programs

bench: there-bench $(BUILT) ## the benchmarks, with a table at the end
	@$(JDK) exec java -jar benchmarks/load/target/spillway-benchmark-load.jar full

bench-quick: there-bench-quick $(BUILT) ## the same in under five minutes
	@$(JDK) exec java -jar benchmarks/load/target/spillway-benchmark-load.jar quick

mutation: ## mutation tests on scheduler/ (at least 75 % killed)
	@$(JDK) $(MAVEN) -pl scheduler -am -Dfast test-compile org.pitest:pitest-maven:mutationCoverage

replay: there-replay $(BUILT) ## decides a journal again and compares hashes (DATA=…)
	@[ -n "$${DATA:-}" ] || { echo "make replay: say which data, DATA=…"; exit 2; } && \
	$(JDK) exec java -cp deploy/standalone/target/spillway-standalone.jar io.spillway.standalone.Replay

images: $(BUILT) ## builds the images as tar files by Jib, without Docker (IMAGE_BASE= IMAGE_ARCH=)
	@$(JDK) deploy/images/build

format: ## lays the code out as the build demands
	@$(JDK) $(MAVEN) -q spotless:apply

scenarios: ## writes docs/scenarios.md anew from docs/scenarios.csv and the tests
	@$(JDK) java deploy/verify/src/main/java/io/spillway/verify/scenarios/Main.java write .

clean: ## removes what was built
	@$(JDK) $(MAVEN) -q clean
