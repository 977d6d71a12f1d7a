package dev.abacus.topology.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.abacus.schemas.catalogue.TokenCounts;
import dev.abacus.schemas.catalogue.Usage;
import dev.abacus.schemas.document.Document;
import java.time.Instant;
import java.util.Arrays;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.apache.kafka.common.errors.SerializationException;
import org.junit.jupiter.api.Test;

class EnvelopePropertyTest {

  @Property(seed = "42")
  void anEnvelopeIsReadBackFromItsBytes(@ForAll("envelopes") Envelope envelope) {
    byte[] bytes = Envelope.SERDE.serializer().serialize("topic", envelope);
    Envelope back = Envelope.SERDE.deserializer().deserialize("topic", bytes);

    assertThat(back.key()).isEqualTo(envelope.key());
    assertThat(back.document()).isEqualTo(envelope.document());
    assertThat(back.provenance()).isEqualTo(envelope.provenance());
    assertThat(back.originKey()).isEqualTo(envelope.originKey());
    assertThat(back.original()).isEqualTo(envelope.original());
    assertThat(Envelope.epoch(bytes)).isEqualTo(envelope.provenance().epoch());
  }

  @Property(seed = "42")
  void bytesThatEndTooEarlyAreRefused(@ForAll("envelopes") Envelope envelope, @ForAll int cut) {
    byte[] bytes = envelope.toBytes();
    byte[] damaged = Arrays.copyOf(bytes, Math.floorMod(cut, bytes.length));

    assertThatThrownBy(() -> Envelope.read(damaged)).isInstanceOf(SerializationException.class);
  }

  @Test
  void anUnknownVersionIsRefused() {
    byte[] bytes =
        Envelope.ofGroup(
                new byte[0], Document.empty(), Provenance.ofGroup(Usage.NONE, Instant.EPOCH))
            .toBytes();
    bytes[0]++;

    assertThatThrownBy(() -> Envelope.read(bytes)).hasMessageContaining("version 3");
  }

  @Test
  @SuppressWarnings("NullAway") // the serde passes on null; Kafka's serdes are not annotated
  void aMissingValueStaysMissing() {
    assertThat(Envelope.SERDE.serializer().serialize("topic", null)).isNull();
    assertThat(Envelope.SERDE.deserializer().deserialize("topic", null)).isNull();
  }

  @Provide
  Arbitrary<Envelope> envelopes() {
    Arbitrary<byte[]> bytes = Arbitraries.bytes().array(byte[].class).ofMaxSize(20).injectNull(0.2);
    Arbitrary<Document> documents =
        Arbitraries.strings()
            .alpha()
            .map(text ->
                Document.of(JsonNodeFactory.instance.objectNode().put("text", text + "é→")));
    return Combinators.combine(bytes, documents, provenances(), bytes, bytes).as(Envelope::new);
  }

  private static Arbitrary<Provenance> provenances() {
    return Combinators.combine(
            Arbitraries.longs(),
            usages(),
            Arbitraries.longs().between(0, 4_000_000_000_000L).map(Instant::ofEpochMilli),
            Arbitraries.strings().withChars("abc.-_é").ofMaxLength(30),
            Arbitraries.integers(),
            Arbitraries.longs())
        .as(Provenance::new);
  }

  private static Arbitrary<Usage> usages() {
    Arbitrary<Long> counts = Arbitraries.longs().between(0, 1_000_000);
    return Combinators.combine(Arbitraries.doubles().between(0, 100), counts, counts)
        .as((usd, input, output) ->
            new Usage(
                usd, new TokenCounts(input, input / 2, output, output / 3, output, input % 3)));
  }
}
