package dev.abacus.topology.stateful.time;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.streams.processor.StreamPartitioner;

/**
 * Keys of the topic before a stateful operator: whether the record is a document or a watermark (1
 * byte), the stateful operator's input that it comes from (1 byte), then what documents are brought
 * together by.
 *
 * @param side index of the input
 * @param group empty for watermarks
 */
@SuppressWarnings("ArrayRecordComponent") // identity is meant: two keys are never compared
public record RepartitionKey(boolean watermark, int side, byte[] group) {

  private static final byte DOCUMENT = 0;
  private static final byte WATERMARK = 1;

  public byte[] toBytes() {
    return ByteBuffer.allocate(2 + group.length)
        .put(watermark ? WATERMARK : DOCUMENT)
        .put((byte) side)
        .put(group)
        .array();
  }

  public static RepartitionKey read(byte[] bytes) {
    return new RepartitionKey(
        bytes[0] == WATERMARK, bytes[1], Arrays.copyOfRange(bytes, 2, bytes.length));
  }

  /** Documents of one group to one partition, watermarks to all. */
  public static final class Partitioner implements StreamPartitioner<byte[], byte[]> {
    @Override
    public Optional<Set<Integer>> partitions(
        String topic, byte[] key, byte[] value, int partitions) {
      RepartitionKey read = read(key);
      return Optional.of(
          read.watermark()
              ? IntStream.range(0, partitions).boxed().collect(Collectors.toUnmodifiableSet())
              : Set.of(Utils.toPositive(Utils.murmur2(read.group())) % partitions));
    }
  }
}
