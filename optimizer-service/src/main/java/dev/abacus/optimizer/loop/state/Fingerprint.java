package dev.abacus.optimizer.loop.state;

import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.observation.ValidationExample;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.QualityMetric;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;

/** Stable hashes of what samples depend on: the first 128 bits of SHA-256, in hexadecimal. */
public final class Fingerprint {

  private static final int BYTES = 16;

  private Fingerprint() {}

  /** Of the parts and their order. */
  public static String of(byte[]... parts) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (byte[] part : parts) {
        digest.update((part.length + ":").getBytes(StandardCharsets.UTF_8));
        digest.update(part);
      }
      return HexFormat.of().formatHex(digest.digest(), 0, BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  public static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Of an operator as it is measured: scores by other metrics or judges do not compare. */
  static String definition(Program program, LogicalOperator operator) {
    return of(Json.write(operator), Json.write(metrics(program, operator)), bytes(program.judge()));
  }

  /** Of what an operator is measured on. */
  static String evidence(ValidationExample example, String operator) {
    String label = String.valueOf(example.label(operator));
    return of(bytes(example.source()), example.document().toBytes(), bytes(label));
  }

  /** The program's metrics for the operator and its fields. */
  public static Map<String, QualityMetric> metrics(Program program, LogicalOperator operator) {
    Map<String, QualityMetric> metrics = new LinkedHashMap<>();
    program
        .validation()
        .metrics()
        .forEach((target, metric) -> {
          if (target.equals(operator.id()) || target.startsWith(operator.id() + ".")) {
            metrics.put(target, metric);
          }
        });
    return metrics;
  }
}
