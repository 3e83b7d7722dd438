package io.spillway.verify.kill;

import io.spillway.standalone.Http;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** What clouds do to their customers while the servers are killed: one blow after another. */
final class Trouble {
  private static final List<String> CLUSTERS =
      List.of("eks-ohio", "gke-iowa", "nebius-eu", "oke-frankfurt");

  private final Http clouds;
  private final SplittableRandom random;
  private final Map<String, Integer> done = new TreeMap<>();
  private final Blows blows;

  Trouble(Http clouds, long seed) {
    this.clouds = clouds;
    this.random = new SplittableRandom(seed);
    this.blows = new Blows(this::blow, random, 300, 1_500);
  }

  void start() {
    blows.start();
  }

  void stop() throws InterruptedException {
    blows.stop();
  }

  /** How many of each kind hit something. */
  Map<String, Integer> done() {
    return Map.copyOf(done);
  }

  private void blow() throws IOException, InterruptedException {
    int die = random.nextInt(20);
    if (die < 9) {
      interrupt("notice", "&leadSeconds=" + (2 + random.nextInt(14)));
    } else if (die < 13) {
      interrupt("loss", "");
    } else if (die < 15) {
      interrupt("risk", "");
    } else if (die < 18) {
      String mode = List.of("at-once", "later", "silent").get(random.nextInt(3));
      post("/refuse?times=2&seconds=10&capacityType=spot&mode=" + mode);
      done.merge("refusal " + mode, 1, Integer::sum);
    } else {
      String cluster = CLUSTERS.get(random.nextInt(CLUSTERS.size()));
      post("/partition?cluster=" + cluster + "&seconds=" + (1 + random.nextInt(8)));
      done.merge("partition", 1, Integer::sum);
    }
  }

  private void interrupt(String kind, String more) throws IOException, InterruptedException {
    String cluster = CLUSTERS.get(random.nextInt(CLUSTERS.size()));
    int hit =
        post("/interrupt?count=1&kind=" + kind + "&cluster=" + cluster + more)
            .body()
            .path("instances")
            .size();
    done.merge(kind, hit, Integer::sum);
  }

  private Http.Answer post(String path) throws IOException, InterruptedException {
    return clouds.post(path);
  }
}
