package io.spillway.policies.lint;

import io.spillway.policies.read.DeclaredSet;
import io.spillway.policies.read.Report;

/** One concern of the linter. Stateless. */
interface Rule {
  void check(DeclaredSet set, Report report);
}
