package dev.abacus.topology.stateful;

import dev.abacus.schemas.document.Document;
import dev.abacus.topology.codec.Envelope;
import dev.abacus.topology.codec.Watermark;
import dev.abacus.topology.stateful.time.RepartitionKey;
import dev.abacus.topology.stateful.time.RepartitionKey.DocumentKey;
import dev.abacus.topology.stateful.time.RepartitionKey.WatermarkKey;
import dev.abacus.topology.stateful.time.StatefulServices;
import java.util.function.Function;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.Record;

/** Sets the keys of the repartition topic, for one input of a stateful operator. */
final class RepartitionProcessor
    extends ContextualProcessor<byte[], byte[], RepartitionKey, Envelope> {

  private final int side;
  private final Function<Document, Bytes> group;
  private final StatefulServices services;

  /**
   * A processor for an input.
   *
   * @param side index of the input
   * @param group documents of one group go to one partition
   */
  RepartitionProcessor(int side, Function<Document, Bytes> group, StatefulServices services) {
    this.side = side;
    this.group = group;
    this.services = services;
  }

  @Override
  public void process(Record<byte[], byte[]> record) {
    if (Watermark.is(record.value(), record.headers())) {
      context().forward(watermark(record));
    } else if (record.value() == null) {
      // A tombstone: a stateful operator cannot retract a document.
      services.countFiltered();
    } else {
      Envelope envelope = Envelope.read(record.value());
      DocumentKey key = new DocumentKey(side, group.apply(envelope.document()));
      context().forward(record.withKey((RepartitionKey) key).withValue(envelope));
    }
  }

  @SuppressWarnings("NullAway") // a watermark has no value; Kafka's Record is not annotated
  private Record<RepartitionKey, Envelope> watermark(Record<byte[], byte[]> record) {
    return new Record<>(new WatermarkKey(side), null, record.timestamp(), record.headers());
  }
}
