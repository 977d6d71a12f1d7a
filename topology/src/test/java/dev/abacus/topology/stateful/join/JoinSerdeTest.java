package dev.abacus.topology.stateful.join;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.abacus.schemas.catalogue.TokenCounts;
import dev.abacus.schemas.catalogue.Usage;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.kafka.BinaryLayout.Deadline;
import dev.abacus.topology.codec.Envelope;
import dev.abacus.topology.codec.Provenance;
import dev.abacus.topology.runtime.ImmutableHeader;
import dev.abacus.topology.stateful.time.BufferedDocument;
import java.time.Instant;
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
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.utils.Bytes;
import org.junit.jupiter.api.Test;

class JoinSerdeTest {

  private static final Envelope ENVELOPE =
      Envelope.ofGroup(
          new byte[] {1},
          Document.empty(),
          Provenance.ofGroup(new Usage(0.5, TokenCounts.NONE), Instant.EPOCH));

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
  void keysAreReadBackFromTheirBytes(@ForAll("keys") JoinKey key, @ForAll("times") long time) {
    Deadline<JoinKey> expiry = new Deadline<>(time, key);

    assertThat(readBack(JoinKey.LAYOUT.serde(), key)).isEqualTo(key);
    assertThat(readBack(JoinKey.LAYOUT.byDeadline().serde(), expiry)).isEqualTo(expiry);
  }

  @Property(seed = "42")
  void theDocumentsOfASideAndGroupAreAdjacentAndInTheOrderOfTheirTimestamps(
      @ForAll("keys") JoinKey key, @ForAll("keys") JoinKey other) {
    JoinKey sameGroup = new JoinKey(key.side(), key.group(), other.timestamp(), other.number());

    assertThat(compareBytes(JoinKey.LAYOUT.serde(), key, sameGroup))
        .isEqualTo(
            Integer.signum(
                Comparator.comparingLong(JoinKey::timestamp)
                    .thenComparingLong(JoinKey::number)
                    .compare(key, sameGroup)));
    if (other.side() != key.side() || !other.group().equals(key.group())) {
      assertThat(compareBytes(JoinKey.LAYOUT.serde(), other, key))
          .isEqualTo(compareBytes(JoinKey.LAYOUT.serde(), other, sameGroup));
    }
  }

  @Property(seed = "42")
  void expiriesAreInTheOrderOfTheirTimes(
      @ForAll("keys") JoinKey first,
      @ForAll("keys") JoinKey second,
      @ForAll("times") long time,
      @ForAll("times") long otherTime) {
    int order =
        compareBytes(
            JoinKey.LAYOUT.byDeadline().serde(),
            new Deadline<>(time, first),
            new Deadline<>(otherTime, second));

    assertThat(order)
        .isEqualTo(
            time == otherTime
                ? compareBytes(JoinKey.LAYOUT.serde(), first, second)
                : Long.compare(time, otherTime));
  }

  @Property(seed = "42")
  void aBufferedDocumentIsReadBackWithItsHeaders(@ForAll("headers") List<Header> headers) {
    BufferedDocument back =
        readBack(BufferedDocument.SERDE, new BufferedDocument(headers, ENVELOPE));

    assertThat(back.headers()).extracting(Header::key).isEqualTo(keys(headers));
    assertThat(back.headers())
        .zipSatisfy(
            headers, (read, written) -> assertThat(read.value()).isEqualTo(written.value()));
    assertThat(back.envelope().provenance()).isEqualTo(ENVELOPE.provenance());
  }

  private static List<String> keys(List<Header> headers) {
    return headers.stream().map(Header::key).toList();
  }

  @Test
  void damagedBytesAreRefused() {
    byte[] bytes =
        bytes(
            BufferedDocument.SERDE,
            new BufferedDocument(List.of(ImmutableHeader.of("key", "value")), ENVELOPE));
    byte[] newer = bytes.clone();
    newer[0]++;

    for (byte[] damaged : List.of(newer, Arrays.copyOf(bytes, 0), Arrays.copyOf(bytes, 10))) {
      assertThatThrownBy(() -> BufferedDocument.SERDE.deserializer().deserialize("topic", damaged))
          .isInstanceOf(SerializationException.class);
    }
  }

  @Provide
  Arbitrary<Long> times() {
    return Arbitraries.longs().greaterOrEqual(0);
  }

  @Provide
  Arbitrary<JoinKey> keys() {
    return Combinators.combine(
            Arbitraries.integers().between(0, 1),
            Arbitraries.bytes().array(byte[].class).ofMaxSize(3).map(Bytes::wrap),
            times(),
            times())
        .as(JoinKey::new);
  }

  @Provide
  Arbitrary<List<Header>> headers() {
    return Combinators.combine(
            Arbitraries.strings().withChars("abé-").ofMaxLength(5),
            Arbitraries.bytes().array(byte[].class).ofMaxSize(5).injectNull(0.2))
        .<Header>as(ImmutableHeader::new)
        .list()
        .ofMaxSize(4);
  }
}
