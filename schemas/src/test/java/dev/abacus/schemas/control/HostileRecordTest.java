package dev.abacus.schemas.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.document.InvalidDocumentException;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.kafka.MalformedRecordException;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.value.RecordValues;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Any bytes on a topic yield a value or a named refusal; nothing else is thrown. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class HostileRecordTest {

  private static final List<ControlKey> KEYS =
      List.of(
          new ControlKey.ProgramKey("p"),
          new ControlKey.ObjectiveKey("p"),
          new ControlKey.BudgetKey("p"),
          new ControlKey.PinKey("p", "fill"),
          new ControlKey.PausedKey("p"),
          new ControlKey.ReoptimizeKey("p"),
          new ControlKey.PlanKey("p", 1),
          new ControlKey.ActiveKey("p"));

  private final ControlCodec codec =
      new ControlCodec(ModelCatalogue.builtIn(), RecordValues.WITHOUT_REGISTRY);

  static Stream<String> hostileTexts() {
    return Stream.of(
        "a: &a {b: *a}",
        "&a [*a]",
        "? &a [*a]\n: 1",
        "[".repeat(200_000),
        "{\"a\":".repeat(200_000),
        "{a: ".repeat(100_000),
        "- ".repeat(100_000) + "a",
        "[".repeat(5_000) + "]".repeat(5_000),
        laughs(),
        "epoch: 1e-2147483648",
        "{\"epoch\": 1e-2147483648}",
        "{\"usd\": 1e999999999, \"samples\": 1e999999999}",
        "{\"epoch\": 1" + "0".repeat(100_000) + "}",
        "spending: {usd: 1, per: 99999999999999h}",
        "spending: {usd: 1, per: 9999999999999999999999999999999999d}",
        "samples: -99999999999",
        "{}",
        "[]",
        "null",
        "\"\"",
        "",
        "!!java.lang.Runtime {}",
        "\u0000\u0001",
        "{\"program\": null, \"sources\": null, \"operators\": [null], \"results\": null}",
        "{\"program\":\"p\",\"epoch\":1,\"logical\":[{}],\"plan\":{},\"objective\":{}}",
        "{\"program\":\"p\",\"epoch\":1,\"logical\":[null],\"plan\":null,\"objective\":null}",
        "{\"technique\":\"mixture-of-agents\"}",
        "{\"technique\":\"model-selection\"}",
        "{\"technique\":\"learned-cascade\",\"classifier\":{}}",
        "samples: " + "9".repeat(2_000_000),
        "{\"program\":\"p\",\"budget\":{\"usd\":\"" + "9".repeat(4_000_000) + "\"}}",
        "\"maximize quality subject to cost <= 1" + " ".repeat(300_000) + "x\"",
        "{\"program\":\"p\",\"models\":[\"" + "x".repeat(4_000_000) + "\"]}",
        "{\"program\":\"p\",\"operators\":[{\"map\":\"a" + ".a".repeat(100_000) + "\"}]}",
        "{\"program\":\"p\",\"sources\":{\"%s\":{%s}}}"
            .formatted("k".repeat(49_000), members(40_000)),
        ("{\"program\":\"p\",\"sources\":{\"s\":{\"topic\":\"t\"}},"
                + "\"results\":{\"topic\":\"r\"},\"operators\":[%s]}")
            .formatted(
                IntStream.range(0, 12_000)
                    .mapToObj("{\"project\":[\"a\"],\"id\":\"p%d\"}"::formatted)
                    .collect(Collectors.joining(","))));
  }

  private static String members(int number) {
    return IntStream.range(0, number)
        .mapToObj("\"a%d\":1"::formatted)
        .collect(Collectors.joining(","));
  }

  /** 744 bytes that expand to more than 2^24 nodes. */
  private static String laughs() {
    StringBuilder text = new StringBuilder("a0: &a0 [x,x]\n");
    for (int i = 1; i < 25; i++) {
      text.append("a%d: &a%d [*a%d,*a%d]%n".formatted(i, i, i - 1, i - 1));
    }
    return text.toString();
  }

  @ParameterizedTest
  @MethodSource("hostileTexts")
  void aHostileControlRecordIsReadOrRefused(String text) {
    for (ControlKey key : KEYS) {
      decode(key, text.getBytes(StandardCharsets.UTF_8));
    }
  }

  @ParameterizedTest
  @MethodSource("hostileTexts")
  void aHostileRecordOfAnyTypeIsReadOrRefused(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    for (Class<?> type :
        List.of(InstanceStatus.class, Observation.class, SampleTask.class, Rejection.class)) {
      try {
        var _ = Json.read(bytes, type).hashCode();
      } catch (MalformedRecordException e) {
        assertThat(e.getMessage()).isNotBlank();
      }
    }
    try {
      var _ = Document.parse(bytes).with("a", Document.empty().toJson()).toBytes();
    } catch (InvalidDocumentException e) {
      assertThat(e.getMessage()).isNotBlank();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a: &a {b: *a}",
        "&a [*a]",
        "{\"usd\": 1e999999999, \"per\": \"day\"}",
        "spending: {usd: 1, per: 99999999999999h}",
        "samples: -99999999999",
      })
  void aBudgetOutsideOfTheLimitsIsRefused(String text) {
    assertThatThrownBy(() ->
            codec.decode(new ControlKey.BudgetKey("p"), text.getBytes(StandardCharsets.UTF_8)))
        .isInstanceOf(InvalidControlException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"a\": 1e-2147483648}",
        "{\"a\": [1e-2147483648]}",
        "{\"a\": 1e999999999}",
        "{\"a\": -1.5E+2000}",
      })
  void aDocumentWithANumberOutsideOfTheLimitsIsRefused(String text) {
    assertThatThrownBy(() -> Document.parse(text))
        .isInstanceOf(InvalidDocumentException.class)
        .hasMessageMatching("(?i).*exponent.*");
  }

  @Test
  void aStatusWithoutItsFieldsIsRefusedByName() {
    assertThatThrownBy(() -> Json.read(bytes("{}"), InstanceStatus.class))
        .isInstanceOf(MalformedRecordException.class);
    byte[] status = Json.write(InstanceStatus.builder("p", "i", Instant.EPOCH, "RUNNING").build());
    byte[] nameless = bytes(new String(status, StandardCharsets.UTF_8).replace("\"p\"", "null"));
    assertThatThrownBy(() -> Json.read(nameless, InstanceStatus.class))
        .isInstanceOf(MalformedRecordException.class)
        .hasMessageContaining("'program' is missing");
    assertThatThrownBy(() -> Json.read(bytes("{\"offset\": 1}"), Rejection.class))
        .isInstanceOf(MalformedRecordException.class)
        .hasMessageContaining("'key' is missing");
  }

  @Test
  void aStatusWithNegativeCountsIsRefused() {
    byte[] status =
        Json.write(
            InstanceStatus.builder("p", "i", Instant.EPOCH, "RUNNING")
                .sizes(List.of(new SourceSize("in", 30, 5_000)))
                .build());
    byte[] negative = bytes(new String(status, StandardCharsets.UTF_8).replace("5000", "-5000"));
    byte[] flow =
        Json.write(
            InstanceStatus.builder("p", "i", Instant.EPOCH, "RUNNING")
                .flows(List.of(new OperatorFlow("daily", 30, 5_000)))
                .build());
    byte[] less = bytes(new String(flow, StandardCharsets.UTF_8).replace("5000", "-5000"));

    byte[] reuse =
        Json.write(
            InstanceStatus.builder("p", "i", Instant.EPOCH, "RUNNING")
                .reuse(
                    new AnswerReuse(
                        30, 3, 5_000, 1, List.of(new OperatorReuse("m", 30, 3, 5_000, 50))))
                .build());
    byte[] more = bytes(new String(reuse, StandardCharsets.UTF_8).replace("50}", "50000}"));

    byte[] batches = Json.write(new BatchCounts(16, 5_000, 400));
    byte[] moreCalls = bytes(new String(batches, StandardCharsets.UTF_8).replace("400", "40000"));

    assertThatThrownBy(() -> Json.read(moreCalls, BatchCounts.class))
        .isInstanceOf(MalformedRecordException.class);
    assertThatThrownBy(() -> Json.read(negative, InstanceStatus.class))
        .isInstanceOf(MalformedRecordException.class);
    assertThatThrownBy(() -> Json.read(more, InstanceStatus.class))
        .isInstanceOf(MalformedRecordException.class);
    assertThatThrownBy(() -> Json.read(less, InstanceStatus.class))
        .isInstanceOf(MalformedRecordException.class);
  }

  @Test
  void aTextWithCharactersThatYamlDoesNotPrintIsReadBack() throws Exception {
    String text = "a\u007fb\u0085c\u0090d\uffffe\ufffef\ud83d\ude00";
    ControlRecord written = new ControlRecord.Paused("p", true, text, ControlRecord.USER);

    assertThat(codec.decode(written.key(), ControlCodec.encode(written))).isEqualTo(written);
  }

  @Test
  void mutantsOfValidRecordsAreReadOrRefused() {
    List<byte[]> valid = new ArrayList<>();
    valid.add(
        Json.write(
            InstanceStatus.builder("p", "i", Instant.EPOCH, "RUNNING")
                .sizes(List.of(new SourceSize("in", 20, 1_000)))
                .flows(List.of(new OperatorFlow("daily", 20, 3)))
                .operators(
                    List.of(
                        new OperatorCounts(
                            "m", 20, 20, 0, 1, 2, 3, new BatchCounts(16, 20, 2.5), null)))
                .build()));
    valid.add(
        bytes(
            """
            {"program":"p","epoch":1,"objective":{"maximize":"quality"},
             "logical":[{"filter":"good","input":"docs","condition":"It is good."}],
             "plan":{"operators":[{"logical":"good","physical":{"technique":"model-selection","model":"gpt-4o"}}],
               "quality":0.9,"cost":0.1,"latency":1},"frontier":[],"basis":{}}\
            """));
    valid.add(
        bytes(
            """
            program: p
            sources: { docs: { topic: docs } }
            operators: [{ filter: good, condition: It is good. }]
            results: { topic: out }
            budget: { samples: 10, spending: { usd: 1, per: 1h } }
            """));
    valid.add(bytes("{\"epoch\":2,\"share\":0.5,\"reason\":\"r\",\"by\":\"user\",\"beside\":1}"));
    Random random = new Random(42);
    for (byte[] record : valid) {
      IntStream.range(0, 1_500).forEach(i -> readAll(mutate(record, random)));
    }
  }

  private void readAll(byte[] bytes) {
    KEYS.forEach(key -> decode(key, bytes));
    try {
      var _ = Json.read(bytes, InstanceStatus.class).hashCode();
    } catch (MalformedRecordException e) {
      assertThat(e.getMessage()).isNotBlank();
    }
  }

  private static byte[] mutate(byte[] record, Random random) {
    String text = new String(record, StandardCharsets.UTF_8);
    int at = random.nextInt(text.length());
    int to = Math.min(text.length(), at + random.nextInt(12));
    List<String> parts =
        List.of(
            "",
            "null",
            "{}",
            "[]",
            "-1",
            "1e99999",
            "1e-2147483648",
            "*a",
            "&a ",
            "{",
            "[",
            "\"",
            ":",
            ",",
            "\u007f",
            "\u0000",
            "9".repeat(30),
            text.substring(at, to),
            "NaN",
            "true");
    String part = parts.get(random.nextInt(parts.size()));
    byte[] mutant =
        (text.substring(0, at) + part + text.substring(random.nextBoolean() ? at : to))
            .getBytes(StandardCharsets.UTF_8);
    if (mutant.length > 0 && random.nextInt(4) == 0) {
      mutant[random.nextInt(mutant.length)] = (byte) random.nextInt(256);
    }
    return mutant;
  }

  private void decode(ControlKey key, byte[] bytes) {
    try {
      ControlRecord record = codec.decode(key, bytes);
      if (record != null) {
        var _ = ControlCodec.encode(record);
      }
    } catch (InvalidControlException e) {
      assertThat(e.getMessage()).isNotBlank();
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
