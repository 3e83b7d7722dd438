package io.spillway.policies;

import io.spillway.policies.document.PolicyDocument;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;

/**
 * The version of a set: SHA-256 over the canonical JSON of its documents, one a line, by kind and
 * name. The order of files and documents, comments, format and quotes do not matter; every word
 * that a document says does.
 */
final class SetVersion {
  private SetVersion() {}

  static String of(List<PolicyDocument> documents) {
    MessageDigest digest = sha256();
    documents.stream()
        .sorted(Comparator.comparing(PolicyDocument::kind).thenComparing(PolicyDocument::name))
        .map(document -> document.json().toString() + '\n')
        .forEach(line -> digest.update(line.getBytes(StandardCharsets.UTF_8)));
    return HexFormat.of().formatHex(digest.digest());
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
