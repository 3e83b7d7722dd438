package io.spillway.server.security;

import io.quarkus.security.identity.SecurityIdentity;
import io.spillway.scheduler.model.DnsLabel;
import io.spillway.scheduler.model.QueueName;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Set;
import java.util.SortedSet;
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
    return new Caller(identity.getPrincipal().getName(), roles(identity), queues(identity));
  }

  static Set<Role> roles(SecurityIdentity identity) {
    Set<Role> roles = EnumSet.noneOf(Role.class);
    identity.getRoles().forEach(name -> Role.of(name).ifPresent(roles::add));
    return roles;
  }

  private static SortedSet<QueueName> queues(SecurityIdentity identity) {
    SortedSet<QueueName> queues = new TreeSet<>();
    Object named = identity.getAttribute(QUEUES);
    if (named == null && identity.getPrincipal() instanceof JsonWebToken jwt) {
      named = jwt.getClaim(QUEUES_CLAIM);
    }
    if (named instanceof Collection<?> names) {
      for (Object name : names) {
        addIfValid(queues, text(name));
      }
    }
    return queues;
  }

  /** A claim's items may be JSON values of the JWT library; their text is quoted. */
  private static String text(Object item) {
    return item instanceof jakarta.json.JsonString json ? json.getString() : String.valueOf(item);
  }

  private static void addIfValid(SortedSet<QueueName> queues, String name) {
    if (DnsLabel.isValid(name)) {
      queues.add(new QueueName(name));
    }
  }
}
