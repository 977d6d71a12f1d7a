package dev.abacus.topology.stateful.time;

import dev.abacus.schemas.kafka.BinaryLayout;
import dev.abacus.topology.codec.Envelope;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.streams.processor.StreamPartitioner;

/**
 * The key of a record in the repartition topic of a stateful operator. The topic carries the
 * documents and the watermarks of all inputs of the operator.
 */
public sealed interface RepartitionKey {

  /** Index of the operator's input that the record comes from: 0 or 1. */
  int side();

  /**
   * The key of a document.
   *
   * @param group documents of one group go to one partition
   */
  record DocumentKey(int side, Bytes group) implements RepartitionKey {}

  /** The key of a watermark, which goes to every partition. */
  record WatermarkKey(int side) implements RepartitionKey {}

  /** Layout: kind (1 byte), side (1 byte), group (the rest). */
  Serde<RepartitionKey> SERDE =
      new BinaryLayout<>("repartition key", Layout::write, Layout::read).serde();

  /** The binary layout of keys. */
  final class Layout {

    private static final byte DOCUMENT = 0;
    private static final byte WATERMARK = 1;

    private Layout() {}

    private static void write(RepartitionKey key, DataOutputStream to) throws IOException {
      switch (key) {
        case WatermarkKey(int side) -> to.write(new byte[] {WATERMARK, (byte) side});
        case DocumentKey(int side, Bytes group) -> {
          to.write(new byte[] {DOCUMENT, (byte) side});
          to.write(group.get());
        }
      }
    }

    private static RepartitionKey read(DataInputStream from) throws IOException {
      byte kind = from.readByte();
      int side = from.readByte();
      return switch (kind) {
        case DOCUMENT -> new DocumentKey(side, Bytes.wrap(from.readAllBytes()));
        case WATERMARK -> new WatermarkKey(side);
        default -> throw new SerializationException("repartition key of unknown kind " + kind);
      };
    }
  }

  /** Sends a document to the partition of its group, a watermark to all partitions (KIP-837). */
  final class Partitioner implements StreamPartitioner<RepartitionKey, Envelope> {
    @Override
    public Optional<Set<Integer>> partitions(
        String topic, RepartitionKey key, Envelope value, int partitions) {
      return Optional.of(
          switch (key) {
            case DocumentKey(int _, Bytes group) ->
                Set.of(Utils.toPositive(Utils.murmur2(group.get())) % partitions);
            case WatermarkKey _ ->
                IntStream.range(0, partitions).boxed().collect(Collectors.toUnmodifiableSet());
          });
    }
  }
}
