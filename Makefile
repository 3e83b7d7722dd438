# What each command does: README.md. Every one finds a JDK 25 by itself (.ci/jdk25).
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.PHONY: help build run test test-kill bench bench-quick verify-real verify-programs mutation replay format scenarios clean

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
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-16s %s\n", $$1, $$2}' Makefile

# What goes into the running programs. The stamp is newer than all of it or the build runs.
SOURCES = $(shell find pom.xml scheduler policies capacity-probes deploy/protocol deploy/standalone src benchmarks \
            \( -name target -o -name test \) -prune -o -type f -print 2>/dev/null)
deploy/standalone/target/built: $(SOURCES)
	@$(JDK) echo "Building Spillway (the first time Maven fetches what it needs: some minutes)…" && \
	$(MAVEN) -q $(QUICK) -pl '!deploy/verify' && touch deploy/standalone/target/built

build: deploy/standalone/target/built ## builds what `make run` needs

# PORT, DATA, TOKEN, TRACES, DEMO, MANAGEMENT_PORT reach the program as they are.
export PORT DATA TOKEN TRACES DEMO MANAGEMENT_PORT VERIFY
run: ## starts Spillway on this machine, nothing to install (PORT= DATA= TOKEN= TRACES= DEMO=off)
	@.ci/there run && $(MAKE) -s deploy/standalone/target/built && $(JDK) exec java $(RUN_JVM) -jar deploy/standalone/target/spillway-standalone.jar

test: ## everything that must pass, with a real PostgreSQL and a real Kafka broker, without Docker
	@$(JDK) $(MAVEN) verify

test-kill: ## the kill audit, about ten minutes
	@.ci/there test-kill && $(JDK) $(MAVEN) $(TAGGED)kill

verify-real: ## the checks against real third-party programs (VERIFY=ec2,prometheus,kubernetes)
	@.ci/there verify-real && $(JDK) $(MAVEN) $(TAGGED)real

verify-programs: ## fetches and builds those programs into a cache outside the repository
	@.ci/there verify-programs && $(JDK) deploy/verify/programs

bench: ## the benchmarks, with a table at the end
	@.ci/there bench && $(MAKE) -s deploy/standalone/target/built && $(JDK) exec java -jar benchmarks/load/target/spillway-benchmark-load.jar full

bench-quick: ## the same in under five minutes
	@.ci/there bench-quick && $(MAKE) -s deploy/standalone/target/built && $(JDK) exec java -jar benchmarks/load/target/spillway-benchmark-load.jar quick

mutation: ## mutation tests on scheduler/ (at least 75 % killed)
	@$(JDK) $(MAVEN) -pl scheduler -am -Dfast test-compile org.pitest:pitest-maven:mutationCoverage

replay: ## decides a journal again and compares hashes (DATA=…)
	@.ci/there replay && [ -n "$${DATA:-}" ] || { echo "make replay: say which data, DATA=…"; exit 2; } && \
	$(MAKE) -s deploy/standalone/target/built && $(JDK) exec java -cp deploy/standalone/target/spillway-standalone.jar io.spillway.standalone.Replay

format: ## lays the code out as the build demands
	@$(JDK) $(MAVEN) -q spotless:apply

scenarios: ## writes docs/scenarios.md anew from docs/scenarios.csv and the tests
	@$(JDK) java deploy/verify/src/main/java/io/spillway/verify/scenarios/Main.java write .

clean: ## removes what was built
	@$(JDK) $(MAVEN) -q clean
