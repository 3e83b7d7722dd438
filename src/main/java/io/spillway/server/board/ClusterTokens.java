package io.spillway.server.board;

import io.smallrye.mutiny.Uni;
import io.spillway.scheduler.input.CommandInput;
import io.spillway.scheduler.model.ClusterName;
import io.spillway.server.policy.LivePolicies;
import io.spillway.server.problem.ProblemType;
import io.spillway.server.problem.Refused;
import io.spillway.server.security.Caller;
import jakarta.enterprise.context.ApplicationScoped;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.HexFormat;
import java.util.function.UnaryOperator;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.hibernate.reactive.mutiny.Mutiny;

/**
 * Issues agents' tokens. A token is told once; what is stored is its hash. A new one revokes those
 * before it, so an agent that still uses an old one is refused at its next connection.
 */
@ApplicationScoped
public class ClusterTokens {
  private static final int TOKEN_BYTES = 32;

  private final Mutiny.SessionFactory sessions;
  private final LivePolicies policies;
  private final OperatorCommands commands;
  private final InstallLine line;
  private final SecureRandom random = new SecureRandom();
  private final InstantSource clock = InstantSource.system();

  ClusterTokens(
      Mutiny.SessionFactory sessions,
      LivePolicies policies,
      OperatorCommands commands,
      InstallLine line) {
    this.sessions = sessions;
    this.policies = policies;
    this.commands = commands;
    this.line = line;
  }

  /**
   * A fresh token.
   *
   * @param token told only here
   * @param install the command that installs the agent, or gives it the new token
   * @param pending the registration is durable, but not committed within two seconds
   */
  @Schema(description = "A fresh token, told only once")
  public record Issued(String cluster, String token, String install, boolean pending) {}

  /** The first token of a cluster that the live policies name. */
  public Uni<Issued> register(Caller caller, ClusterName cluster, String server) {
    OperatorCommands.exists("cluster", cluster, policies.current().clusters().keySet());
    return valid(cluster)
        .chain(
            count -> {
              if (count > 0) {
                throw new Refused(
                    ProblemType.STATE_CONFLICT,
                    "cluster " + cluster + " has a token; POST /clusters/" + cluster + ":token");
              }
              return issue(
                  caller, cluster, token -> line.first(policies.current(), cluster, server, token));
            });
  }

  /** A new token in place of the old. */
  public Uni<Issued> rotate(Caller caller, ClusterName cluster) {
    OperatorCommands.exists("cluster", cluster, policies.current().clusters().keySet());
    return issue(caller, cluster, line::rotated);
  }

  private Uni<Issued> issue(Caller caller, ClusterName cluster, UnaryOperator<String> install) {
    String token = token();
    return store(cluster, hash(token), caller.name())
        .chain(
            () ->
                commands.send(
                    caller,
                    "register",
                    cluster.value(),
                    new CommandInput.ClusterRegistered(cluster)))
        .map(answer -> new Issued(cluster.value(), token, install.apply(token), answer.pending()));
  }

  private Uni<Long> valid(ClusterName cluster) {
    return sessions.withStatelessSession(
        session ->
            session
                .createSelectionQuery(
                    "select count(*) from ClusterTokenRow t"
                        + " where t.cluster = :cluster and t.revokedAt is null",
                    Long.class)
                .setParameter("cluster", cluster.value())
                .getSingleResult());
  }

  private Uni<Void> store(ClusterName cluster, String hash, String by) {
    Instant now = clock.instant();
    return sessions.withStatelessTransaction(
        session ->
            session
                .createMutationQuery(
                    "update ClusterTokenRow t set t.revokedAt = :now"
                        + " where t.cluster = :cluster and t.revokedAt is null")
                .setParameter("now", now)
                .setParameter("cluster", cluster.value())
                .executeUpdate()
                .chain(
                    () -> session.insert(ClusterTokenRow.issued(cluster.value(), hash, now, by))));
  }

  private String token() {
    byte[] bytes = new byte[TOKEN_BYTES];
    random.nextBytes(bytes);
    return "swa_" + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  private static String hash(String token) {
    try {
      return HexFormat.of()
          .formatHex(
              MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
