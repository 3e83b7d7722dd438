package io.spillway.verify.kill;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.spillway.verify.kube.Machines;
import io.spillway.verify.kube.Notice;
import io.spillway.verify.kube.Site;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * What befalls real clusters while the servers are killed: machines die with a notice or without
 * and others come, pods are evicted and deleted, agents are killed and cut off on either side.
 */
final class KubeTrouble {
  private static final String PODS = "/api/v1/pods?labelSelector=spillway.io/attempt";

  private final List<Place> places;
  private final SplittableRandom random;
  private final Map<String, Integer> done = new TreeMap<>();
  private final Blows blows;

  /** Machines that were told they would be taken, and are. */
  private final List<Thread> taken = new ArrayList<>();

  private final KafkaProducer<String, String> events;

  /** A cluster and its machines, and whose they are. */
  record Place(Site site, Machines machines, Notice notice) {}

  /**
   * @param kafka where the clouds' notices go
   */
  KubeTrouble(List<Place> places, String kafka, long seed) {
    this.places = List.copyOf(places);
    this.events =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", kafka), new StringSerializer(), new StringSerializer());
    this.random = new SplittableRandom(seed);
    this.blows = new Blows(this::blowSomewhere, random, 500, 2_500);
  }

  void start() {
    blows.start();
  }

  /** Ends it; agents are there and everything is mended then. */
  void stop() throws InterruptedException {
    blows.stop();
    for (Thread machine : taken) {
      machine.join();
    }
    events.close();
  }

  /** How many of each kind hit something. */
  Map<String, Integer> done() {
    return Map.copyOf(done);
  }

  private void blowSomewhere() throws IOException, InterruptedException {
    blow(places.get(random.nextInt(places.size())));
  }

  private void blow(Place place) throws IOException, InterruptedException {
    Site site = place.site();
    int die = random.nextInt(20);
    if (die < 4) {
      count("machine", place.machines().replaceOne(random.nextInt(100)));
    } else if (die < 7) {
      count("notice", any(site, PODS, (where, pod) -> notice(place, pod)));
    } else if (die < 9) {
      count("eviction", any(site, PODS, this::evict));
    } else if (die < 10) {
      count("pod deleted", any(site, PODS, this::delete));
    } else if (die < 12) {
      String jobs = "/apis/batch/v1/jobs?labelSelector=spillway.io/attempt";
      count("job deleted", any(site, jobs, this::delete));
    } else if (die < 16) {
      site.agent().kill();
      site.agent().restart();
      count("agent killed", true);
    } else if (die < 18) {
      site.wire().cut();
      Pace.millis(500 + random.nextInt(4_000));
      site.wire().mend();
      count("API server cut off", true);
    } else {
      site.line().cut();
      Pace.millis(500 + random.nextInt(6_000));
      site.line().mend();
      count("control plane cut off", true);
    }
  }

  private void count(String what, boolean hit) {
    if (hit) {
      done.merge(what, 1, Integer::sum);
    }
  }

  /** Does something to an object. */
  private interface Deed {
    boolean on(Site site, JsonNode object) throws IOException, InterruptedException;
  }

  private boolean any(Site site, String list, Deed deed) throws IOException, InterruptedException {
    List<JsonNode> found = site.admin().list(list);
    return !found.isEmpty() && deed.on(site, found.get(random.nextInt(found.size())));
  }

  /** The machine under a pod will be taken, and is. */
  private boolean notice(Place place, JsonNode pod) throws IOException, InterruptedException {
    String node = pod.path("spec").path("nodeName").asText();
    JsonNode machine = place.site().admin().get("/api/v1/nodes/" + node).body();
    String instance = machine.path("spec").path("providerID").asText().replaceFirst(".*/", "");
    if (node.isEmpty() || instance.isEmpty()) {
      return false;
    }
    Duration lead = Duration.ofSeconds(2 + random.nextInt(14));
    ArrayNode instances = new ObjectMapper().createArrayNode().add(instance);
    // By its deadline it is gone, not a moment later: what follows may start then.
    String event = place.notice().interruption(instances, lead.plusSeconds(1)).toString();
    var _ = events.send(new ProducerRecord<>("spillway.capacity-notices", instance, event));
    taken.add(Thread.ofVirtual().name("taken").start(() -> take(place.machines(), node, lead)));
    return true;
  }

  private static void take(Machines machines, String node, Duration lead) {
    try {
      Pace.millis(lead.toMillis());
      machines.replace(node);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean evict(Site site, JsonNode pod) throws IOException, InterruptedException {
    JsonNode eviction =
        new ObjectMapper()
            .createObjectNode()
            .put("apiVersion", "policy/v1")
            .put("kind", "Eviction")
            .set(
                "metadata",
                new ObjectMapper()
                    .createObjectNode()
                    .put("name", pod.path("metadata").path("name").asText())
                    .put("namespace", pod.path("metadata").path("namespace").asText()));
    return site.admin().post(path("/api/v1", "pods", pod) + "/eviction", eviction).ok();
  }

  private boolean delete(Site site, JsonNode object) throws IOException, InterruptedException {
    boolean pod = object.path("spec").has("containers");
    String path = pod ? path("/api/v1", "pods", object) : path("/apis/batch/v1", "jobs", object);
    return site.admin().delete(path + "?propagationPolicy=Background").ok();
  }

  private static String path(String root, String plural, JsonNode object) {
    JsonNode metadata = object.path("metadata");
    return root
        + "/namespaces/"
        + metadata.path("namespace").asText()
        + '/'
        + plural
        + '/'
        + metadata.path("name").asText();
  }
}
