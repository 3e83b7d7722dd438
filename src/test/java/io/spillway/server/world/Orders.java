package io.spillway.server.world;

import io.spillway.scheduler.model.GpuModel;
import io.spillway.scheduler.model.JobId;
import io.spillway.scheduler.model.JobOrder;
import io.spillway.scheduler.model.JobShape;
import io.spillway.scheduler.model.QueueName;
import io.spillway.scheduler.model.Rdma;
import io.spillway.server.inbox.Submissions.NewJob;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/** Small jobs for tests. */
public final class Orders {
  private static final String ULID = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

  private Orders() {}

  public static JobId freshId() {
    StringBuilder id = new StringBuilder("0");
    while (id.length() < 26) {
      id.append(ULID.charAt(ThreadLocalRandom.current().nextInt(ULID.length())));
    }
    return new JobId(id.toString());
  }

  /** One node with one H100, in that queue. */
  public static JobOrder single(String queue) {
    return new JobOrder(
        "train",
        new QueueName(queue),
        "normal",
        true,
        new JobShape(
            1,
            1,
            List.of(new GpuModel("nvidia-h100-80gb")),
            0,
            0,
            Rdma.NONE,
            JobShape.Needs.NONE,
            JobShape.Constraints.NONE),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  public static NewJob job(String queue) {
    return job(freshId(), queue, Optional.empty(), "body");
  }

  public static NewJob job(JobId id, String queue, Optional<String> key, String body) {
    return new NewJob(
        id,
        single(queue),
        "{\"name\":\"train\",\"body\":\"" + body + "\"}",
        body,
        Map.of("team", "nlp"),
        key,
        "none",
        "alice");
  }
}
