package io.spillway.scheduler.model;

import java.util.stream.Collectors;

/**
 * What a refusal by the translation rests on: it is worth asking again as soon as one of it is
 * another, and never before.
 *
 * @param policies version of the set that was asked
 * @param abilities of the cluster, as far as the refusal has to do with them
 */
public record Grounds(String policies, Abilities abilities) {

  /** Whether a cluster that has these abilities would be refused again under that version. */
  public boolean stillHold(String version, Abilities now) {
    return policies.equals(version) && abilities.agreesWith(now);
  }

  /** What has to change, for people. */
  public String askedAgainWhen(ClusterName cluster) {
    String kinds =
        abilities.fingerprints().keySet().stream()
            .map(Ability::words)
            .collect(Collectors.joining(" or "));
    return "asked again when "
        + (kinds.isEmpty() ? "" : "the " + kinds + " of cluster " + cluster + " or ")
        + "the policies change";
  }
}
