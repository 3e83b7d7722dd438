package io.spillway.verify.kube;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.spillway.verify.Full;
import io.spillway.verify.kube.KubeWorld.Kubernetes;
import io.spillway.verify.real.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What the agent keeps of a large cluster: 5,000 nodes, 20,000 pods of 2,500 gangs, within 256 MB
 * of heap. In that cluster nothing moves; a control plane listens, that knows none of it.
 */
@Kubernetes
@Full("figures")
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class AgentMemoryTest {
  private static final int NODES = 5_000;
  private static final int GANGS = 2_500;
  private static final int MEMBERS = 8;
  private static final int CALLERS = 24;
  private static final String OHIO = "eks-ohio";
  private static final String NAMESPACE = AgentChart.QUEUES.getFirst();
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final YAMLMapper YAML = new YAMLMapper();

  @Test
  void five_thousand_nodes_and_twenty_thousand_pods_fit_into_256_megabytes(KubeWorld shared)
      throws Exception {
    KubePrograms programs = KubePrograms.find().orElseThrow();
    Path data = Files.createTempDirectory("spillway-memory");
    Path policies = Path.of(KubeWorld.class.getResource("/kube/policies").toURI());
    try (KubeCluster cluster =
            KubeCluster.still(programs, Files.createTempDirectory("spillway-large"));
        ControlPlane plane =
            ControlPlane.start(ControlPlane.plan(data, policies, Set.of(OHIO, "oke-frankfurt")))) {
      cluster.namespace(NAMESPACE);
      cluster.admin().post("/api/v1/namespaces/" + NAMESPACE + "/serviceaccounts", account());
      all(NODES, i -> node(cluster.admin(), i));
      all(GANGS, i -> gang(cluster.admin(), i));
      System.out.println("[figures] the large cluster is there");
      try (Site site = Site.keeping(OHIO, cluster, plane)) {
        plane.awaitNodes(OHIO, NODES, Duration.ofMinutes(4));
        Programs.run(data, List.of(jcmd(), Long.toString(site.agent().pid()), "GC.run"));
        long used = heap(data, site.agent().pid());
        System.out.printf(
            Locale.ROOT,
            "[figures] agent with %d nodes and %d pods: %d MB of heap after a collection, %d MB"
                + " resident%n",
            NODES,
            GANGS * MEMBERS,
            used / 1024,
            resident(site.agent().pid()) / 1024);
        assertThat(site.agent().alive()).isTrue();
        assertThat(Files.readString(site.agent().log())).doesNotContain("OutOfMemoryError");
        assertThat(used).as("KB of heap").isLessThan(256 * 1024);
      }
    }
  }

  /** A call for each number. */
  private interface Each {
    void make(int number) throws IOException, InterruptedException;
  }

  private static void all(int count, Each each) throws Exception {
    try (ExecutorService callers = Executors.newFixedThreadPool(CALLERS)) {
      List<Future<?>> made =
          IntStream.range(0, count)
              .<Future<?>>mapToObj(
                  i ->
                      callers.submit(
                          () -> {
                            each.make(i);
                            return null;
                          }))
              .toList();
      for (Future<?> one : made) {
        one.get();
      }
    }
  }

  private static ObjectNode account() {
    ObjectNode account = JSON.createObjectNode();
    account.putObject("metadata").put("name", "default");
    return account;
  }

  private static void node(KubeApi api, int number) throws IOException, InterruptedException {
    TestNode node =
        Machines.spot(
            TestNode.h100(
                "large-" + number,
                "aws:///us-east-2a/i-" + String.format(Locale.ROOT, "%017x", number),
                "us-east-2",
                "us-east-2a",
                "p5.48xlarge"));
    ObjectNode object = node.object();
    object.set("status", node.status().path("status"));
    api.post("/api/v1/nodes", object).orFail();
  }

  private static void gang(KubeApi api, int number) throws IOException, InterruptedException {
    String attempt = String.format(Locale.ROOT, "01LARGE%019d-1", number).replace('L', 'M');
    JsonNode job =
        YAML.readTree(
            JOB.replace("NUMBER", "" + number)
                .replace("NAMESPACE", NAMESPACE)
                .replace("ATTEMPT", attempt)
                .replace("MEMBERS", "" + MEMBERS));
    String uid =
        api.post("/apis/batch/v1/namespaces/" + NAMESPACE + "/jobs", job)
            .orFail()
            .path("metadata")
            .path("uid")
            .asText();
    for (int member = 0; member < MEMBERS; member++) {
      String node = "large-" + (number * MEMBERS + member) % NODES;
      JsonNode pod =
          YAML.readTree(
              POD.replace("NUMBER", "" + number)
                  .replace("RANK", "" + member)
                  .replace("NAMESPACE", NAMESPACE)
                  .replace("ATTEMPT", attempt)
                  .replace("OWNER", uid)
                  .replace("NODE", node));
      api.post("/api/v1/namespaces/" + NAMESPACE + "/pods", pod).orFail();
      ObjectNode status = PodStatus.running(pod);
      api.strategicMerge(
              "/api/v1/namespaces/"
                  + NAMESPACE
                  + "/pods/"
                  + pod.path("metadata").path("name").asText()
                  + "/status",
              status)
          .orFail();
    }
  }

  private static final String JOB =
      """
      apiVersion: batch/v1
      kind: Job
      metadata:
        name: gang-NUMBER
        namespace: NAMESPACE
        labels: {spillway.io/attempt: "ATTEMPT", spillway.io/role: workload, spillway.io/epoch: "1",
          spillway.io/cluster: eks-ohio, spillway.io/queue: research, spillway.io/job-name: gang-NUMBER}
        annotations: {spillway.io/pods: "MEMBERS"}
      spec:
        completionMode: Indexed
        completions: MEMBERS
        parallelism: MEMBERS
        backoffLimit: 0
        template:
          metadata: {labels: {spillway.io/attempt: "ATTEMPT", spillway.io/part: member}}
          spec:
            restartPolicy: Never
            containers: [{name: main, image: "registry.example/train:1"}]
      """;

  /** As large as pods are: their environment, volumes and what the server adds. */
  private static final String POD =
      """
      apiVersion: v1
      kind: Pod
      metadata:
        name: gang-NUMBER-RANK
        namespace: NAMESPACE
        labels: {spillway.io/attempt: "ATTEMPT", spillway.io/part: member, spillway.io/cluster: eks-ohio,
          spillway.io/queue: research, spillway.io/job-name: gang-NUMBER,
          batch.kubernetes.io/job-completion-index: "RANK", batch.kubernetes.io/job-name: gang-NUMBER}
        ownerReferences:
          - {apiVersion: batch/v1, kind: Job, name: gang-NUMBER, uid: "OWNER", controller: true}
      spec:
        nodeName: NODE
        restartPolicy: Never
        terminationGracePeriodSeconds: 110
        tolerations: [{key: nvidia.com/gpu, operator: Exists, effect: NoSchedule}]
        containers:
          - name: main
            image: registry.example/train:1
            command: [torchrun]
            args: ["--nnodes=8", "--nproc-per-node=8", "--master-port=29500", "train.py", "--config=large.yaml"]
            env:
              - {name: MASTER_ADDR, value: gang-NUMBER-0.gang-NUMBER}
              - {name: MASTER_PORT, value: "29500"}
              - {name: NCCL_DEBUG, value: WARN}
              - {name: NCCL_SOCKET_IFNAME, value: eth0}
              - {name: NVIDIA_VISIBLE_DEVICES, value: all}
              - {name: NVIDIA_DRIVER_CAPABILITIES, value: "compute,utility"}
              - {name: SPILLWAY_TRY, value: "ATTEMPT"}
              - {name: HF_TOKEN, valueFrom: {secretKeyRef: {name: hf, key: token}}}
            resources: {limits: {nvidia.com/gpu: 8, cpu: 96, memory: 900Gi}}
            volumeMounts: [{name: shm, mountPath: /dev/shm}, {name: data, mountPath: /data}]
        volumes:
          - {name: shm, emptyDir: {medium: Memory, sizeLimit: 32Gi}}
          - {name: data, persistentVolumeClaim: {claimName: data}}
      """;

  private static String jcmd() {
    return Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
  }

  /** Kilobytes in use, as the virtual machine says. */
  private static long heap(Path directory, long pid) throws IOException, InterruptedException {
    String info = Programs.run(directory, List.of(jcmd(), Long.toString(pid), "GC.heap_info"));
    Matcher generations = Pattern.compile("total \\d+K, used (\\d+)K").matcher(info);
    long used = 0;
    while (generations.find()) {
      used += Long.parseLong(generations.group(1));
    }
    assertThat(used).as(info).isPositive();
    return used;
  }

  private static long resident(long pid) throws IOException {
    String status = Files.readString(Path.of("/proc/" + pid + "/status"));
    Matcher resident = Pattern.compile("VmHWM:\\s+(\\d+)").matcher(status);
    return resident.find() ? Long.parseLong(resident.group(1)) : 0;
  }
}
