package io.spillway.server.rest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.spillway.scheduler.model.ClusterName;
import io.spillway.scheduler.model.DnsLabel;
import io.spillway.scheduler.model.JobId;
import io.spillway.scheduler.model.OfferingId;
import io.spillway.scheduler.model.PoolName;
import io.spillway.scheduler.model.QueueName;
import io.spillway.server.board.CommandAnswer;
import io.spillway.server.jobs.JobControl;
import io.spillway.server.json.StrictJson;
import io.spillway.server.json.Texts;
import io.spillway.server.problem.ProblemType;
import io.spillway.server.problem.Refused;
import io.spillway.server.sse.FeedPosition;
import jakarta.ws.rs.core.EntityTag;
import jakarta.ws.rs.core.Response;
import java.util.Optional;
import java.util.function.Function;

/** What the resources share: paths, parameters, answers. */
final class Api {
  static final String ROOT = "/api/v1";

  /** A path segment up to a verb. */
  static final String ID = "{id: [^/:]+}";

  static final String NAME = "{name: [^/:]+}";
  static final String JSON = "application/json";
  static final String MERGE_PATCH = "application/merge-patch+json";
  static final int MAX_SMALL_BODY = 64 * 1024;

  private Api() {}

  static JobId job(String id) {
    if (!JobId.isValid(id)) {
      throw new Refused(
          ProblemType.NOT_FOUND, "there is no job " + Texts.printable(id, 40) + "; ids are ULIDs");
    }
    return new JobId(id);
  }

  static QueueName queue(String name) {
    return new QueueName(label("queue", name));
  }

  static PoolName pool(String name) {
    return new PoolName(label("pool", name));
  }

  static ClusterName cluster(String name) {
    return new ClusterName(label("cluster", name));
  }

  static OfferingId offering(String id) {
    try {
      return OfferingId.parse(id);
    } catch (IllegalArgumentException e) {
      throw new Refused(ProblemType.NOT_FOUND, "there is no offering " + Texts.printable(id, 120));
    }
  }

  static Optional<FeedPosition> position(String parameter, String text) {
    return parsed(parameter, text, FeedPosition::parse);
  }

  /** An optional parameter; what its parser refuses is 400. */
  static <T> Optional<T> parsed(String parameter, String text, Function<String, T> parser) {
    if (text == null || text.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(parser.apply(text));
    } catch (IllegalArgumentException e) {
      throw Refused.field(ProblemType.INVALID_REQUEST, parameter, e.getMessage());
    }
  }

  /**
   * A parameter that is there or not; whoever writes anything else does not get what was not meant.
   */
  static boolean flag(String parameter, String text) {
    return switch (text) {
      case "", "true" -> true;
      case "false" -> false;
      default ->
          throw Refused.field(ProblemType.INVALID_REQUEST, parameter, "must be true or false");
    };
  }

  static int limit(int limit, int max) {
    if (limit < 1 || limit > max) {
      throw Refused.field(ProblemType.INVALID_REQUEST, "limit", "must be from 1 to " + max);
    }
    return limit;
  }

  static ObjectNode small(byte[] body) {
    return StrictJson.object(body, MAX_SMALL_BODY);
  }

  static Response answer(JobControl.Commanded done) {
    return Response.status(done.committed() ? 200 : 202)
        .tag(new EntityTag(done.etag()))
        .entity(done.job())
        .build();
  }

  static Response answer(CommandAnswer done) {
    return Response.status(done.pending() ? 202 : 200).entity(done).build();
  }

  private static String label(String what, String name) {
    if (!DnsLabel.isValid(name)) {
      throw new Refused(
          ProblemType.NOT_FOUND, "there is no " + what + " " + Texts.printable(name, 70));
    }
    return name;
  }
}
