package io.spillway.agent;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.spillway.agent.attempt.Attempts;
import io.spillway.agent.attempt.Hands;
import io.spillway.agent.attempt.Obedience;
import io.spillway.agent.attempt.ObjectFact;
import io.spillway.agent.attempt.Voice;
import io.spillway.agent.gate.Gate;
import io.spillway.agent.kube.ClusterAwayException;
import io.spillway.agent.kube.Kind;
import io.spillway.agent.kube.KubeObjects;
import io.spillway.agent.kube.Labels;
import io.spillway.agent.kube.Lanes;
import io.spillway.agent.kube.RefusedByClusterException;
import io.spillway.agent.link.Link;
import io.spillway.agent.link.Transport;
import io.spillway.agent.logs.Logs;
import io.spillway.agent.memory.MemoryMap;
import io.spillway.agent.memory.Past;
import io.spillway.agent.memory.Starts;
import io.spillway.agent.nodes.CapabilityReader;
import io.spillway.agent.nodes.Inventory;
import io.spillway.agent.symptom.Symptoms;
import io.spillway.agent.time.Timeline;
import io.spillway.protocol.v1.AgentMessage;
import io.spillway.protocol.v1.Capabilities;
import io.spillway.protocol.v1.ControlFrame;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.logging.Logger;

/**
 * The time in which one replica acts: from its election to its end it has everything that speaks to
 * the control plane or writes to the cluster. It first reads what is there, then connects; another
 * tenure, here or elsewhere, begins with nothing but what the cluster knows. Only from the
 * timeline.
 */
final class Tenure {
  private static final Logger LOG = Logger.getLogger(Tenure.class.getName());
  private static final int PARALLEL_CALLS = 16;
  private static final Duration LOOK = Duration.ofSeconds(5);
  private static final Duration NODE_CHANGES = Duration.ofSeconds(1);
  private static final Duration CAPABILITIES = Duration.ofSeconds(60);
  private static final Duration REFRESH = Duration.ofMinutes(30);
  private static final Duration HEADS = Duration.ofSeconds(5);

  private final Timeline timeline;
  private final KubernetesClient client;
  private final World world;
  private final Lanes lanes;
  private final MemoryMap memory;
  private final Starts starts;
  private final CapabilityReader reader;
  private final List<Timeline.Timer> timers = new ArrayList<>();
  private final Inventory nodes = new Inventory(this::nodesChanged);

  private Capabilities capabilities = Capabilities.getDefaultInstance();
  private Optional<Link> link = Optional.empty();
  private Optional<Attempts> attempts = Optional.empty();
  private Optional<Obedience> obedience = Optional.empty();
  private Optional<Symptoms> symptoms = Optional.empty();
  private Optional<Logs> logs = Optional.empty();
  private Optional<Watches> watches = Optional.empty();
  private Optional<Past> past = Optional.empty();
  private long toldUntil;
  private boolean nodesDue;
  private boolean closed;

  /** What an agent is made for and with. */
  record World(
      String cluster,
      String namespace,
      Gate gate,
      Transport transport,
      Supplier<Optional<String>> token,
      String version,
      Duration unschedulableAfter,
      BooleanSupplier leads) {}

  Tenure(Timeline timeline, KubernetesClient client, World world) {
    this.timeline = timeline;
    this.client = client;
    this.world = world;
    this.lanes = new Lanes(timeline, world.leads(), PARALLEL_CALLS);
    this.memory = new MemoryMap(client, world.namespace(), world.cluster());
    this.starts = new Starts(memory);
    this.reader = new CapabilityReader(client);
  }

  /** What must be known before anything is judged or said. */
  private record Beginning(
      Starts.Start start, Past.Kept past, Capabilities capabilities, List<ObjectFact> unwatched) {}

  void open() {
    lanes.call("tenure", this::begin, this::begun);
  }

  private Beginning begin() throws ClusterAwayException {
    return new Beginning(
        starts.count(timeline.now()), Past.load(memory), reader.read(), unwatched());
  }

  /** Objects that nobody watches: they change only by our hand. */
  private List<ObjectFact> unwatched() throws ClusterAwayException {
    KubeObjects objects = new KubeObjects(client);
    List<ObjectFact> found = new ArrayList<>();
    for (Kind kind : Kind.values()) {
      if (!kind.builtIn() || kind.runs() || kind == Kind.SERVICE_ACCOUNT) {
        continue;
      }
      String selector =
          Labels.ofAttempts(world.cluster())
              + (kind == Kind.POD ? "," + Labels.ROLE + "=hold" : "");
      try {
        for (GenericKubernetesResource object : objects.list(kind, selector)) {
          object.setApiVersion(kind.apiVersion());
          object.setKind(kind.text());
          ObjectFact.of(object).ifPresent(found::add);
        }
      } catch (RefusedByClusterException e) {
        LOG.fine(() -> "not looked at: " + e.getMessage());
      }
    }
    return found;
  }

  private void begun(Beginning beginning) {
    if (closed) {
      return;
    }
    capabilities = beginning.capabilities();
    toldUntil = beginning.start().toldUntil();
    Past remembered = new Past(timeline, lanes, memory, beginning.past());
    past = Optional.of(remembered);
    Voice voice = new Voice(message -> link.ifPresent(l -> l.say(message)));
    Hands hands = new Hands(lanes, client);
    Attempts book = new Attempts(timeline, remembered, nodes, voice, hands);
    attempts = Optional.of(book);
    obedience = Optional.of(new Obedience(timeline, remembered, world.gate(), book, voice, hands));
    link =
        Optional.of(
            new Link(
                timeline,
                world.transport(),
                new Link.Identity(
                    world.cluster(),
                    world.token(),
                    beginning.start().epoch(),
                    beginning.start().generation(),
                    beginning.start().head(),
                    world.version()),
                new Ear(),
                Math::random));
    symptoms =
        Optional.of(
            new Symptoms(timeline, client, lanes, book, this::say, world.unschedulableAfter()));
    logs = Optional.of(new Logs(timeline, client, world.cluster(), this::say));
    beginning.unwatched().forEach(book::found);
    watch(book);
  }

  private void watch(Attempts book) {
    watches =
        Optional.of(
            new Watches(
                timeline,
                client,
                world.cluster(),
                capabilities.getApiGroupsList(),
                () -> ready(book)));
    watches.get().follow(nodes, book, symptoms.orElseThrow());
  }

  private void ready(Attempts book) {
    LOG.info(
        () -> "the cluster is known: " + nodes.size() + " nodes, " + book.size() + " attempts");
    book.loaded();
    // A minute more: clocks of two nodes differ, and what was told then is told twice.
    book.retell(toldUntil - 60);
    timers.add(timeline.every(LOOK, book::look));
    symptoms.ifPresent(s -> timers.add(timeline.every(LOOK, s::look)));
    timers.add(timeline.every(CAPABILITIES, this::lookAtCapabilities));
    watches.ifPresent(w -> timers.add(timeline.every(REFRESH, w::refresh)));
    link.ifPresent(Link::open);
  }

  private void nodesChanged() {
    attempts.ifPresent(Attempts::look);
    if (!nodesDue) {
      nodesDue = true;
      // Kubelets report in bursts; one message for all of them.
      timers.add(timeline.after(NODE_CHANGES, this::tellNodes));
    }
  }

  private void tellNodes() {
    nodesDue = false;
    if (connected()) {
      nodes.changes().forEach(changes -> say(AgentMessage.newBuilder().setNodes(changes)));
      tellCapabilities(capabilities);
    }
  }

  private void lookAtCapabilities() {
    lanes.call("capabilities", reader::read, this::tellCapabilities);
  }

  private void tellCapabilities(Capabilities read) {
    Capabilities now = nodes.with(read);
    if (!now.equals(capabilities)) {
      boolean newKinds = !now.getApiGroupsList().equals(capabilities.getApiGroupsList());
      capabilities = now;
      say(AgentMessage.newBuilder().setCapabilities(now));
      if (newKinds) {
        LOG.info("the cluster serves other APIs than before");
        watches.ifPresent(w -> w.served(now.getApiGroupsList()));
      }
    }
  }

  private void say(AgentMessage.Builder message) {
    link.ifPresent(l -> l.say(message));
  }

  boolean connected() {
    return link.filter(Link::connected).isPresent();
  }

  int unacknowledged() {
    return link.map(Link::unacknowledged).orElse(0);
  }

  int liveAttempts() {
    return attempts.map(Attempts::size).orElse(0);
  }

  int knownNodes() {
    return nodes.size();
  }

  void close() {
    closed = true;
    timers.forEach(Timeline.Timer::cancel);
    link.ifPresent(Link::close);
    watches.ifPresent(Watches::close);
    logs.ifPresent(Logs::giveUpAll);
    lanes.close();
  }

  private final class Ear implements Link.Listener {
    private boolean headDue;
    private String generation = "";
    private long head;

    @Override
    public Capabilities capabilities() {
      capabilities = nodes.with(capabilities);
      return capabilities;
    }

    @Override
    public void welcomed() {
      logs.ifPresent(Logs::giveUpAll);
      nodes.everything().forEach(part -> say(AgentMessage.newBuilder().setNodes(part)));
    }

    @Override
    public void command(ControlFrame frame) {
      Obedience obeys = obedience.orElseThrow();
      switch (frame.getBodyCase()) {
        case START -> obeys.start(frame.getStart());
        case STOP -> obeys.stop(frame.getStop());
        case HOLD -> obeys.hold(frame.getHold());
        case RELEASE -> obeys.release(frame.getRelease());
        case LOG_REQUEST -> logs.ifPresent(l -> l.read(frame.getLogRequest()));
        case SWEEP_REQUEST -> attempts.ifPresent(Attempts::sweep);
        default -> LOG.fine(() -> "not understood: " + frame.getBodyCase());
      }
    }

    @Override
    public void acknowledged(AgentMessage message) {
      if (message.hasLogChunk()) {
        logs.ifPresent(l -> l.acknowledged(message.getLogChunk()));
      }
    }

    @Override
    public void heard(String storeGeneration, long storeHead) {
      boolean another = !storeGeneration.equals(generation);
      generation = storeGeneration;
      head = storeHead;
      if (another) {
        keep();
      } else if (!headDue) {
        headDue = true;
        timers.add(timeline.after(HEADS, this::keep));
      }
    }

    private void keep() {
      headDue = false;
      String keptGeneration = generation;
      long keptHead = head;
      boolean allTold =
          past.filter(Past::settled).isPresent()
              && link.filter(l -> !l.keepsLastWords()).isPresent();
      OptionalLong until =
          allTold ? OptionalLong.of(timeline.now().getEpochSecond()) : OptionalLong.empty();
      lanes.call("head", () -> starts.heard(keptGeneration, keptHead, until), done -> {});
    }
  }
}
