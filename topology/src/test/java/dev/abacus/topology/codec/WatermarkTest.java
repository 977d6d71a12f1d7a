package dev.abacus.topology.codec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.schemas.kafka.Headers;
import dev.abacus.topology.runtime.ImmutableHeader;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.streams.processor.api.Record;
import org.junit.jupiter.api.Test;

class WatermarkTest {

  @Property(seed = "42")
  void aWatermarkIsReadBackFromItsRecord(
      @ForAll int channel,
      @ForAll @LongRange(min = -1) long time,
      @ForAll @LongRange(min = 0) long now,
      @ForAll boolean idle) {
    Watermark watermark = new Watermark(channel, time, idle);
    Record<byte[], byte[]> record = watermark.toRecord(now);

    assertThat(Watermark.is(record.value(), record.headers())).isTrue();
    assertThat(Watermark.read(record.headers())).isEqualTo(watermark);
    assertThat(Watermark.time(record.headers())).isEqualTo(time);
    assertThat(record.timestamp()).isBetween(0L, now);
  }

  @Test
  void aWatermarkOfAUserHasATimeAndNoChannel() {
    List<Header> headers = List.of(ImmutableHeader.of(Headers.WATERMARK, "5"));

    assertThat(Watermark.is(null, headers)).isTrue();
    assertThat(Watermark.time(headers)).isEqualTo(5);
    assertThat(Watermark.of(headers)).isNull();
  }

  @Test
  void aTimeThatIsNotANumberIsNoTime() {
    List<Header> headers = List.of(ImmutableHeader.of(Headers.WATERMARK, "soon"));

    assertThat(Watermark.is(null, headers)).isTrue();
    assertThat(Watermark.time(headers)).isNull();
    assertThat(Watermark.of(headers)).isNull();
  }

  @Test
  void aRecordWithAValueOrWithoutTheHeaderIsNotAWatermark() {
    List<Header> headers = List.of(ImmutableHeader.of(Headers.WATERMARK, "5"));

    assertThat(Watermark.is("{}".getBytes(UTF_8), headers)).isFalse();
    assertThat(Watermark.is(null, List.of())).isFalse();
  }
}
