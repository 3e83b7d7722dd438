package io.spillway.server.security;

import io.quarkus.security.identity.SecurityIdentity;
import io.spillway.scheduler.model.DnsLabel;
import io.spillway.scheduler.model.QueueName;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import org.eclipse.microprofile.jwt.JsonWebToken;

/** The caller of the present request. */
@ApplicationScoped
public class CurrentCaller {
  /** Attribute of an identity that came from the token file: its queues' names. */
  static final String QUEUES = "spillway.queues";

  private static final String QUEUES_CLAIM = "spillway_queues";

  private final SecurityIdentity identity;

  CurrentCaller(SecurityIdentity identity) {
    this.identity = identity;
  }

  public Caller get() {
    Set<Role> roles = roles(identity);
    List<String> named = named(identity);
    NavigableSet<QueueName> queues = new TreeSet<>();
    named.stream().filter(DnsLabel::isValid).map(QueueName::new).forEach(queues::add);
    if (queues.isEmpty() && !named.isEmpty()) {
      // Somebody meant to confine this viewer and wrote no queue's name: that opens nothing.
      roles.remove(Role.VIEWER);
    }
    return new Caller(identity.getPrincipal().getName(), roles, queues);
  }

  static Set<Role> roles(SecurityIdentity identity) {
    Set<Role> roles = EnumSet.noneOf(Role.class);
    identity.getRoles().forEach(name -> Role.of(name).ifPresent(roles::add));
    return roles;
  }

  /** Names of queues as the token has them, one text for one of them. */
  private static List<String> named(SecurityIdentity identity) {
    Object named = identity.getAttribute(QUEUES);
    if (named == null && identity.getPrincipal() instanceof JsonWebToken jwt) {
      named = jwt.getClaim(QUEUES_CLAIM);
    }
    if (named instanceof Collection<?> names) {
      return names.stream().map(CurrentCaller::text).toList();
    }
    return named == null ? List.of() : List.of(text(named));
  }

  /** A claim's items may be JSON values of the JWT library; their text is quoted. */
  private static String text(Object item) {
    return item instanceof jakarta.json.JsonString json ? json.getString() : String.valueOf(item);
  }
}
