package io.spillway.policies.read;

import io.spillway.policies.compute.Volume;
import io.spillway.policies.finding.FindingCode;
import java.util.List;

/** Reads what volumes and weights of a cluster are. */
final class VolumeReader {
  private static final List<String> SOURCES =
      List.of("persistentVolumeClaim", "s3", "gcs", "azureBlob", "oci", "hostPath");

  private final Report report;

  VolumeReader(Report report) {
    this.report = report;
  }

  /** May be written unless it says otherwise. */
  Volume volume(String name, Fields entry) {
    return read(entry, false);
  }

  /** Read only unless it says otherwise. */
  Volume weights(String name, Fields entry) {
    return read(entry, true);
  }

  private Volume read(Fields entry, boolean readOnly) {
    if (SOURCES.stream().filter(entry::has).count() != 1) {
      report.at(
          entry.own(),
          FindingCode.MISSING_KEY,
          "names exactly one of " + String.join(", ", SOURCES));
    }
    return new Volume(
        source(entry),
        ComputeReader.flag(entry, "readOnly", readOnly),
        entry.text("store"),
        ComputeReader.queues(entry));
  }

  private static Volume.Source source(Fields entry) {
    if (entry.has("s3")) {
      Fields s3 = entry.fields("s3");
      return new Volume.S3(
          s3.required("bucket"), prefix(s3), s3.text("region"), s3.text("endpoint"));
    }
    if (entry.has("gcs")) {
      Fields gcs = entry.fields("gcs");
      return new Volume.Gcs(gcs.required("bucket"), prefix(gcs));
    }
    if (entry.has("azureBlob")) {
      Fields blob = entry.fields("azureBlob");
      return new Volume.AzureBlob(
          blob.required("storageAccount"), blob.required("container"), blob.text("clientId"));
    }
    if (entry.has("oci")) {
      Fields oci = entry.fields("oci");
      return new Volume.OciBucket(oci.required("namespace"), oci.required("bucket"), prefix(oci));
    }
    if (entry.has("hostPath")) {
      return new Volume.HostPath(entry.required("hostPath"));
    }
    String claim = entry.text("persistentVolumeClaim", "");
    return entry.has("block")
        ? new Volume.Device(claim, entry.fields("block").text("fsType", "ext4"))
        : new Volume.Claim(claim);
  }

  private static String prefix(Fields source) {
    String prefix = source.text("prefix", "");
    return prefix.endsWith("/") ? prefix.substring(0, prefix.length() - 1) : prefix;
  }
}
