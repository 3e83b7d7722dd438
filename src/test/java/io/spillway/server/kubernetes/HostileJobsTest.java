package io.spillway.server.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.spillway.policies.compute.ClusterKind;
import io.spillway.server.jobs.JobSpec;
import io.spillway.server.kubernetes.Cases.Case;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * No word of a user ends in a privileged place. Jobs with hostile words of every field are put in
 * the place of the golden cases' jobs: each word may stand in the fields of the container that are
 * the user's and in no other, and with those fields taken away nothing is left that an honest job
 * of the same shape would not have.
 */
class HostileJobsTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final long SEED = Long.getLong("manifests.seed", 20_261_201L);
  private static final int ROUNDS = Integer.getInteger("manifests.rounds", 20);
  private static final String MARK = "zz";

  /** Where users' words may stand; a path is of names, with * for an index of a list. */
  private static final List<Pattern> USERS =
      List.of(
          Pattern.compile(".*/containers/\\*/(image|command/\\*|args/\\*)"),
          Pattern.compile(".*/containers/\\*/env/\\*/(name|value|valueFrom/secretKeyRef/key)"),
          Pattern.compile(".*/containers/\\*/volumeMounts/\\*/mountPath"),
          Pattern.compile(".*/imagePullSecrets/\\*/name"),
          Pattern.compile(".*/labels/(labels[.]spillway[.]io/.*|spillway[.]io/job-name)"),
          // Words of the job's own bucket, opened by its own identity.
          Pattern.compile("/spec/csi/volumeAttributes/(bucketName|stsRegion)"),
          Pattern.compile("/spec/mountOptions/\\*"));

  private static final List<String> HOSTILE =
      List.of(
          "; rm -rf /",
          "$(cat /etc/shadow)",
          "\n  hostNetwork: true",
          "\",\"privileged\":true,\"x\":\"",
          "{{.Values}}",
          "../../..",
          "--privileged",
          "$(JOB_COMPLETION_INDEX)",
          "' || true '",
          "\u0000");

  @ParameterizedTest
  @EnumSource(ClusterKind.class)
  void no_users_word_ends_in_a_privileged_place(ClusterKind kind) {
    Random random = new Random(SEED + kind.text().hashCode());
    List<Case> cases = Cases.of(kind);
    for (int round = 0; round < ROUNDS; round++) {
      for (Case one : cases) {
        Placement honest = one.placement();
        Translated made = translated(one, hostile(honest, random));
        if (made instanceof Translated.Refused) {
          continue;
        }
        List<JsonNode> objects = objects(made);
        List<String> strayed = new ArrayList<>();
        objects.forEach(object -> strayed(object, "", strayed));
        assertThat(strayed).as("%s, seed %d, round %d", one, SEED, round).isEmpty();
        assertThat(skeletons(objects))
            .as("%s, seed %d, round %d", one, SEED, round)
            .isEqualTo(skeletons(objects(one.translated())));
      }
    }
  }

  private static Translated translated(Case one, JobSpec job) {
    Placement p = one.placement();
    Placement hostile =
        new Placement(p.attempt(), job, p.offering(), p.node(), p.site(), p.avoided(), p.earlier());
    return one.hold() ? ManifestTranslation.hold(hostile) : ManifestTranslation.start(hostile);
  }

  /** The same job with every free word replaced; what decides its shape stays. */
  private static JobSpec hostile(Placement honest, Random random) {
    JobSpec job = honest.job();
    JobSpec.Program program = job.program();
    TreeSet<String> names = new TreeSet<>();
    java.util.TreeMap<String, String> env = new java.util.TreeMap<>();
    for (int i = 0; i < 4; i++) {
      env.put(pick(random, ENV_NAMES) + MARK + i, word(random));
    }
    env.put(pick(random, RESERVED), word(random));
    java.util.TreeMap<String, String> labels = new java.util.TreeMap<>();
    labels.put("azure.workload.identity/use", MARK + "true");
    labels.put("sidecar.istio.io/inject", MARK);
    labels.put("batch.kubernetes.io/job-completion-index", MARK + "0");
    labels.put("team" + MARK, MARK + random.nextInt(100));
    List<JobSpec.Mount> mounts = new ArrayList<>();
    for (JobSpec.Mount mount : job.storage()) {
      String path = "/" + MARK + names.size() + random.nextInt(1_000);
      names.add(path);
      mounts.add(
          new JobSpec.Mount(
              path,
              mount
                  .s3()
                  .map(
                      bucket ->
                          new JobSpec.Bucket(
                              MARK + "-bucket",
                              random.nextBoolean() ? MARK + " --allow-root" : MARK + "/",
                              bucket.region(),
                              bucket.readOnly())),
              mount.weights(),
              mount.volume()));
    }
    return new JobSpec(
        MARK + "-" + random.nextInt(1_000),
        job.queue(),
        job.priorityClass(),
        random.nextBoolean(),
        new JobSpec.Program(
            MARK + ".example/" + MARK,
            program.command().isEmpty() ? List.of() : List.of(word(random), word(random)),
            List.of(word(random), word(random)),
            env,
            program.secrets().stream()
                .map(s -> new JobSpec.SecretVariable(MARK + "_TOKEN", s.secret(), MARK))
                .toList(),
            program.imagePullSecrets()),
        job.resources(),
        job.launch(),
        mounts,
        job.identity(),
        job.checkpoint(),
        job.constraints(),
        job.timeout(),
        job.queueTtl(),
        labels);
  }

  private static final List<String> ENV_NAMES = List.of("LD_PRELOAD", "NCCL_DEBUG", "X", "PET_X");
  private static final List<String> RESERVED =
      List.of(
          "NVIDIA_VISIBLE_DEVICES",
          "PET_NNODES",
          "MASTER_ADDR",
          "OCI_RESOURCE_PRINCIPAL_REGION",
          "JOB_COMPLETION_INDEX");

  private static String word(Random random) {
    return MARK + pick(random, HOSTILE) + random.nextInt(1_000);
  }

  private static String pick(Random random, List<String> from) {
    return from.get(random.nextInt(from.size()));
  }

  private static List<JsonNode> objects(Translated made) {
    List<JsonNode> objects = new ArrayList<>();
    for (String object : ((Translated.Manifests) made).objects()) {
      try {
        objects.add(JSON.readTree(object));
      } catch (JsonProcessingException e) {
        throw new IllegalStateException(object, e);
      }
    }
    return objects;
  }

  private static void strayed(JsonNode node, String path, List<String> strayed) {
    if (node.isObject()) {
      node.properties()
          .forEach(
              entry -> {
                String below = path + "/" + entry.getKey();
                if (entry.getKey().contains(MARK) && !users(below)) {
                  strayed.add(below);
                }
                strayed(entry.getValue(), below, strayed);
              });
    } else if (node.isArray()) {
      node.forEach(item -> strayed(item, path + "/*", strayed));
    } else if (node.asText().contains(MARK) && !users(path)) {
      strayed.add(path + " = " + node.asText());
    }
  }

  private static boolean users(String path) {
    return USERS.stream().anyMatch(pattern -> pattern.matcher(path).matches());
  }

  /** What is left without the users' fields: one line a leaf, in the order of paths. */
  private static List<SortedSet<String>> skeletons(List<JsonNode> objects) {
    List<SortedSet<String>> skeletons = new ArrayList<>();
    for (JsonNode object : objects) {
      SortedSet<String> leaves = new TreeSet<>();
      leaves(object, "", leaves);
      skeletons.add(leaves);
    }
    return skeletons;
  }

  private static void leaves(JsonNode node, String path, SortedSet<String> leaves) {
    if (node instanceof ObjectNode object) {
      object
          .properties()
          .forEach(entry -> leaves(entry.getValue(), path + "/" + entry.getKey(), leaves));
    } else if (node.isArray()) {
      node.forEach(item -> leaves(item, path + "/*", leaves));
    } else if (!users(path)) {
      leaves.add(path + " = " + node.asText());
    }
  }
}
