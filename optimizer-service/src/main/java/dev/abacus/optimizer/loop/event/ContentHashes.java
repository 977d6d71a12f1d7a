package dev.abacus.optimizer.loop.event;

import dev.abacus.schemas.document.Sha256;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.observation.ValidationExample;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.QualityMetric;
import dev.abacus.schemas.program.Reasoning;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Stable hashes of everything that samples depend on: the first 128 bits of SHA-256, in
 * hexadecimal. An instance caches the hashes of a program and its examples until {@link #clear}.
 */
public final class ContentHashes {

  private static final int BYTES = 16;

  private final Map<LogicalOperator, String> definitions = new HashMap<>();
  private final Map<String, Map<String, String>> evidence = new HashMap<>();

  /**
   * The hash of an operator's definition, metrics and judge. Samples with different hashes are not
   * comparable.
   */
  public String definition(Program program, LogicalOperator operator) {
    String examples = program.judgeExamples() == 0 ? "" : ",examples=" + program.judgeExamples();
    return definitions.computeIfAbsent(
        operator,
        _ ->
            of(
                Json.write(operator),
                Json.write(metrics(program, operator)),
                bytes(program.judge() + Reasoning.suffix(program.judgeReasoning()) + examples)));
  }

  /** The hash of an example's source, document and label for an operator. */
  public String evidence(ValidationExample example, String operator) {
    return evidence
        .computeIfAbsent(operator, _ -> new HashMap<>())
        .computeIfAbsent(
            example.id(),
            _ ->
                of(
                    bytes(example.source()),
                    example.document().toBytes(),
                    bytes(String.valueOf(example.label(operator)))));
  }

  /** Clears the cache; to be called when the program or an example changes. */
  public void clear() {
    definitions.clear();
    evidence.clear();
  }

  /** Hashes the parts in their order. */
  public static String of(byte[]... parts) {
    return Sha256.hex(
        BYTES,
        Stream.of(parts)
            .flatMap(part -> Stream.of(bytes(part.length + ":"), part))
            .toArray(byte[][]::new));
  }

  public static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
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
