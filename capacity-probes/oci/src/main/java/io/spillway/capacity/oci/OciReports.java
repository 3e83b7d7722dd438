package io.spillway.capacity.oci;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.spillway.capacity.http.HttpCall;
import io.spillway.capacity.http.JsonView;
import io.spillway.capacity.http.ProbeRun;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Capacity reports: free, without side effects, one availability domain at a time. Each shape is
 * asked for in each fault domain, so that a full one does not hide a free one. A report is made by
 * a POST, changes nothing, and is not kept by Oracle.
 */
final class OciReports {
  private static final List<String> FAULT_DOMAINS =
      List.of("FAULT-DOMAIN-1", "FAULT-DOMAIN-2", "FAULT-DOMAIN-3");

  /** Entries of one report; Oracle refuses more. */
  private static final int ENTRIES = 10;

  private final String tenancy;

  OciReports(String tenancy) {
    this.tenancy = tenancy;
  }

  /** How a shape stands in a domain. */
  enum Stock {
    FREE,
    OUT,
    /** The domain has no such machines. */
    NOT_THERE
  }

  /**
   * What a domain said of a shape.
   *
   * @param faultDomains in which some are free
   */
  record Report(Stock stock, int faultDomains) {
    private Report and(Report other) {
      Stock best = stock.compareTo(other.stock) <= 0 ? stock : other.stock;
      return new Report(best, faultDomains + other.faultDomains);
    }
  }

  /** Reports by shape; a shape that the answer leaves out, or does not know, has none. */
  CompletableFuture<Map<String, Report>> read(String domain, List<OciShape> shapes, ProbeRun run) {
    int perCall = ENTRIES / FAULT_DOMAINS.size();
    List<List<OciShape>> parts = new ArrayList<>();
    for (int from = 0; from < shapes.size(); from += perCall) {
      parts.add(shapes.subList(from, Math.min(shapes.size(), from + perCall)));
    }
    if (parts.isEmpty()) {
      return CompletableFuture.completedFuture(Map.of());
    }
    return run.each(
            parts,
            part -> OciPlaces.zone(domain) + " capacity report",
            part ->
                run.send(HttpCall.post("/20160918/computeCapacityReports", body(domain, part)))
                    .thenApply(answer -> answer.json().list("shapeAvailabilities")))
        .thenApply(OciReports::byShape);
  }

  private String body(String domain, List<OciShape> shapes) {
    ObjectNode report = JsonNodeFactory.instance.objectNode();
    report.put("compartmentId", tenancy).put("availabilityDomain", domain);
    ArrayNode entries = report.putArray("shapeAvailabilities");
    for (OciShape shape : shapes) {
      for (String fault : FAULT_DOMAINS) {
        entries.addObject().put("instanceShape", shape.name()).put("faultDomain", fault);
      }
    }
    return report.toString();
  }

  private static Map<String, Report> byShape(List<JsonView> entries) {
    Map<String, Report> reports = new HashMap<>();
    for (JsonView entry : entries) {
      switch (entry.optionalText("availabilityStatus").orElse("")) {
        case "AVAILABLE" -> add(reports, entry, new Report(Stock.FREE, 1));
        case "OUT_OF_HOST_CAPACITY" -> add(reports, entry, new Report(Stock.OUT, 0));
        case "HARDWARE_NOT_SUPPORTED" -> add(reports, entry, new Report(Stock.NOT_THERE, 0));
        default -> {
          // A status of tomorrow says nothing yet.
        }
      }
    }
    return reports;
  }

  private static void add(Map<String, Report> reports, JsonView entry, Report report) {
    reports.merge(entry.text("instanceShape"), report, Report::and);
  }
}
