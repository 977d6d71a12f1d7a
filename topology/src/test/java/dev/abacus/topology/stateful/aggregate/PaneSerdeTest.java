package dev.abacus.topology.stateful.aggregate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.abacus.schemas.catalogue.TokenCounts;
import dev.abacus.schemas.catalogue.Usage;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.kafka.BinaryLayout.Deadline;
import dev.abacus.schemas.program.aggregate.Accumulator;
import dev.abacus.schemas.program.aggregate.GroupKey;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.utils.Bytes;
import org.junit.jupiter.api.Test;

class PaneSerdeTest {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private static <T> byte[] bytes(Serde<T> serde, T value) {
    return serde.serializer().serialize("topic", value);
  }

  private static <T> T readBack(Serde<T> serde, T value) {
    return serde.deserializer().deserialize("topic", bytes(serde, value));
  }

  /** Compares as the stores do. */
  private static <T> int compareBytes(Serde<T> serde, T first, T second) {
    return Integer.signum(Arrays.compareUnsigned(bytes(serde, first), bytes(serde, second)));
  }

  @Property(seed = "42")
  void aPaneIsReadBackFromItsBytesWithItsKey(@ForAll("panes") Pane pane) {
    Pane back = readBack(Pane.SERDE, pane);

    assertThat(back.key()).isEqualTo(pane.key());
    assertThat(back).usingRecursiveComparison().ignoringFields("group").isEqualTo(pane);
    assertThat(back.group().toString()).isEqualTo(pane.group().toString());
  }

  @Property(seed = "42")
  void keysAreReadBackFromTheirBytes(@ForAll("keys") PaneKey key, @ForAll("times") long time) {
    Deadline<PaneKey> closing = new Deadline<>(time, key);
    PaneKey.Member member = new PaneKey.Member(time, key.start());

    assertThat(readBack(PaneKey.LAYOUT.serde(), key)).isEqualTo(key);
    assertThat(readBack(PaneKey.LAYOUT.byDeadline().serde(), closing)).isEqualTo(closing);
    assertThat(readBack(PaneKey.Member.SERDE, member)).isEqualTo(member);
  }

  @Property(seed = "42")
  void thePanesOfAGroupAreAdjacentAndInTheOrderOfTheirStarts(
      @ForAll("keys") PaneKey key, @ForAll("keys") PaneKey other, @ForAll("times") long start) {
    PaneKey later = new PaneKey(key.group(), start);

    assertThat(compareBytes(PaneKey.LAYOUT.serde(), key, later))
        .isEqualTo(Long.compare(key.start(), start));
    if (!other.group().equals(key.group())) {
      assertThat(compareBytes(PaneKey.LAYOUT.serde(), other, key))
          .isEqualTo(compareBytes(PaneKey.LAYOUT.serde(), other, later));
    }
  }

  @Property(seed = "42")
  void closingsAreInTheOrderOfTheirTimes(
      @ForAll("keys") PaneKey first,
      @ForAll("keys") PaneKey second,
      @ForAll("times") long time,
      @ForAll("times") long otherTime) {
    int order =
        compareBytes(
            PaneKey.LAYOUT.byDeadline().serde(),
            new Deadline<>(time, first),
            new Deadline<>(otherTime, second));

    assertThat(order)
        .isEqualTo(
            time == otherTime
                ? compareBytes(PaneKey.LAYOUT.serde(), first, second)
                : Long.compare(time, otherTime));
  }

  @Property(seed = "42")
  void membersAreInTheOrderOfTheirRunsAndNumbers(
      @ForAll("times") long run,
      @ForAll("times") long otherRun,
      @ForAll("times") long number,
      @ForAll("times") long otherNumber) {
    PaneKey.Member first = new PaneKey.Member(run, number);
    PaneKey.Member second = new PaneKey.Member(otherRun, otherNumber);

    assertThat(compareBytes(PaneKey.Member.SERDE, first, second))
        .isEqualTo(
            Integer.signum(
                Comparator.comparingLong(PaneKey.Member::run)
                    .thenComparingLong(PaneKey.Member::number)
                    .compare(first, second)));
  }

  @Test
  void aDamagedPaneIsRefused() {
    for (String text : List.of("{", "{}", "{\"version\":2,\"group\":[]}", "[]")) {
      assertThatThrownBy(() ->
              Pane.SERDE.deserializer().deserialize("topic", text.getBytes(StandardCharsets.UTF_8)))
          .isInstanceOf(SerializationException.class);
    }
  }

  @Provide
  Arbitrary<Long> times() {
    return Arbitraries.longs().greaterOrEqual(0);
  }

  @Provide
  Arbitrary<PaneKey> keys() {
    return Combinators.combine(
            Arbitraries.bytes().array(byte[].class).ofMaxSize(4).map(Bytes::wrap), times())
        .as(PaneKey::new);
  }

  @Provide
  Arbitrary<Pane> panes() {
    Arbitrary<Accumulator> accumulators =
        Combinators.combine(times(), Arbitraries.bigDecimals().ofScale(5).injectNull(0.2))
            .as(Accumulator::new);
    return Combinators.combine(
            groups(),
            times(),
            times(),
            times(),
            times(),
            Arbitraries.doubles()
                .between(0, 100)
                .map(usd -> new Usage(usd, new TokenCounts(7, 5, 3, 2, 1, 4))),
            times().list().ofMinSize(1).ofMaxSize(3),
            accumulators.list().ofMaxSize(3))
        .as(Pane::new);
  }

  /** The group of a document with any values in its fields. */
  private static Arbitrary<ArrayNode> groups() {
    Arbitrary<JsonNode> values =
        Arbitraries.<JsonNode>oneOf(
            Arbitraries.strings().alpha().map(text -> JSON.textNode(text + "é")),
            Arbitraries.longs().map(JSON::numberNode),
            Arbitraries.bigDecimals()
                .between(new BigDecimal("-1e12"), new BigDecimal("1e12"))
                .ofScale(25)
                .map(JSON::numberNode),
            Arbitraries.of(true, false).map(JSON::booleanNode),
            Arbitraries.just(JSON.nullNode()));
    return Combinators.combine(values, values)
        .as((first, second) -> {
          Document document = Document.empty().with("a", first);
          return GroupKey.of(document.with("b", second), List.of("a", "b", "missing"));
        });
  }
}
