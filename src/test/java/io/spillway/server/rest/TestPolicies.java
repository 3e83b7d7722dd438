package io.spillway.server.rest;

import static org.awaitility.Awaitility.await;

import java.time.Duration;

/** The policies of the API tests: one set that only grows, put by the API itself. */
final class TestPolicies {
  static final String CLUSTER = "eks-test";
  static final String OFFERING = "eks-test~use2-az1~p5.48xlarge~spot";
  static final String POOL = "test-reserved";

  private static final StringBuilder DOCUMENTS =
      new StringBuilder(
          """
          apiVersion: spillway.io/v1beta1
          kind: Cluster
          metadata: {name: eks-test}
          spec:
            provider: aws
            account: test-account
            region: us-east-2
            namespace: "spillway-{queue}"
            capacity:
              - {instanceType: p5.48xlarge, capacityTypes: [spot, on-demand], zones: [use2-az1], maxNodes: 32}
          ---
          apiVersion: spillway.io/v1beta1
          kind: Pool
          metadata: {name: test-reserved}
          spec:
            cluster: eks-test
            instanceType: p5.48xlarge
            zone: use2-az1
            capacityType: reserved
            reservationId: cr-0123456789abcdef0
            nodes: 4
            owners: {red-0: 4}
            pricePerNodeHour: 40.00
            accounting: Sunk
          ---
          """
              + queue("red-0", ""));

  private TestPolicies() {}

  static synchronized String all() {
    return DOCUMENTS.toString();
  }

  /** A queue whose jobs wait: nothing ever registers its cluster. */
  static String queue(String name, String spec) {
    return queue(name, CLUSTER, spec);
  }

  static String queue(String name, String cluster, String spec) {
    return """
    apiVersion: spillway.io/v1beta1
    kind: Queue
    metadata: {name: %s}
    spec:
      priorityClasses: {default: normal, allowed: [low, normal, urgent]}
      placement:
        ladder:
          - {name: spot, capacityTypes: [spot], clusters: [%s], until: {waited: 15m}}
          - {name: reserved, pools: [test-reserved]}
    %s
    """
        .formatted(name, cluster, spec);
  }

  static String cluster(String name) {
    return """
    apiVersion: spillway.io/v1beta1
    kind: Cluster
    metadata: {name: %s}
    spec:
      provider: aws
      account: test-account
      region: us-west-2
      namespace: "spillway-{queue}"
      capacity:
        - {instanceType: p5.48xlarge, capacityTypes: [spot], zones: [usw2-az1], maxNodes: 4}
    """
        .formatted(name);
  }

  /** Adds a document and returns once the set is in force. */
  static synchronized void add(String document) {
    DOCUMENTS.append("---\n").append(document);
    put();
  }

  static synchronized void put() {
    await()
        .atMost(Duration.ofSeconds(30))
        .until(
            () -> {
              String version =
                  Calls.as("admin").get("/api/v1/policies").then().extract().path("version");
              int status =
                  Calls.as("admin")
                      .contentType("application/yaml")
                      .header("If-Match", '"' + version + '"')
                      .body(DOCUMENTS.toString())
                      .put("/api/v1/policies")
                      .then()
                      .extract()
                      .statusCode();
              return status == 200;
            });
  }
}
