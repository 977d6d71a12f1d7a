package dev.abacus.topology.runtime;

import dev.abacus.topology.runtime.Pending.Admission;
import dev.abacus.topology.runtime.Pending.Answer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Bytes of the pending store's values. The first byte is the version, the second the kind; numbers
 * are big-endian; byte strings have a 4-byte length before them, -1 for null.
 *
 * <p>A changelog outlives the build that wrote it: whoever changes the layout adds a version and
 * keeps reading the old one.
 */
final class PendingRecordSerde {

  static final byte VERSION = 1;

  private static final byte ADMISSION = 0;
  private static final byte ANSWER = 1;
  private static final byte CHECKPOINT = 2;

  private PendingRecordSerde() {}

  static byte[] encode(Pending pending) {
    return switch (pending) {
      case Admission admission -> encode(admission);
      case Answer answer -> encode(answer);
    };
  }

  private static byte[] encode(Admission admission) {
    InputRecord input = admission.input();
    FieldWriter to = new FieldWriter(input.size() + 128 + 8 * input.headers().size());
    to.bytes(VERSION, ADMISSION);
    to.number(admission.epoch());
    to.number(admission.admittedAt().toEpochMilli());
    to.text(input.topic());
    to.count(input.partition());
    to.number(input.offset());
    to.number(input.timestamp());
    to.string(input.key());
    to.string(input.value());
    to.headers(input.headers());
    return to.done();
  }

  private static byte[] encode(Answer answer) {
    FieldWriter to = new FieldWriter(256);
    to.bytes(VERSION, ANSWER);
    to.string(answer.key());
    List<OutputRecord> outputs = answer.completion().outputs();
    to.count(outputs.size());
    for (OutputRecord output : outputs) {
      to.text(output.child());
      to.string(output.key());
      to.string(output.value());
      to.headers(output.headers());
      to.number(output.timestamp());
    }
    return to.done();
  }

  static byte[] encodeCheckpoint(byte[] state) {
    FieldWriter to = new FieldWriter(state.length + 6);
    to.bytes(VERSION, CHECKPOINT);
    to.string(state);
    return to.done();
  }

  /**
   * The entry of a record.
   *
   * @throws UnreadableEntryException if the bytes are anything else
   */
  static Pending decode(byte[] bytes) {
    FieldReader from = open(bytes);
    byte kind = from.next();
    Pending pending =
        switch (kind) {
          case ADMISSION -> admission(from);
          case ANSWER -> answer(from);
          default -> throw new UnreadableEntryException("pending entry of unknown kind " + kind);
        };
    from.end();
    return pending;
  }

  /**
   * The state in a checkpoint's entry.
   *
   * @throws UnreadableEntryException if the bytes are anything else
   */
  static byte[] decodeCheckpoint(byte[] bytes) {
    FieldReader from = open(bytes);
    byte kind = from.next();
    byte[] state = kind == CHECKPOINT ? from.string() : null;
    if (state == null) {
      throw new UnreadableEntryException("not a checkpoint: kind " + kind);
    }
    from.end();
    return state;
  }

  private static FieldReader open(byte[] bytes) {
    FieldReader from = new FieldReader(bytes);
    byte version = from.next();
    if (version != VERSION) {
      throw new UnreadableEntryException(
          "pending entry of version %d, but this build reads version %d: was it written by a newer build?"
              .formatted(version, VERSION));
    }
    return from;
  }

  private static Admission admission(FieldReader from) {
    long epoch = from.number();
    Instant admittedAt = from.instant();
    String topic = from.text();
    int partition = from.count();
    long offset = from.number();
    long timestamp = from.number();
    InputRecord input =
        new InputRecord(
            from.string(), from.string(), timestamp, from.headers(), topic, partition, offset);
    return new Admission(input, epoch, admittedAt);
  }

  private static Answer answer(FieldReader from) {
    byte[] key = from.string();
    int count = from.count();
    List<OutputRecord> outputs = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      outputs.add(output(from));
    }
    return new Answer(key, new Completion(outputs));
  }

  private static OutputRecord output(FieldReader from) {
    String child = from.text();
    byte[] key = from.string();
    byte[] value = from.string();
    var headers = from.headers();
    long timestamp = from.number();
    if (timestamp < 0) {
      throw new UnreadableEntryException("pending entry is damaged: timestamp " + timestamp);
    }
    return new OutputRecord(child, key, value, headers, timestamp);
  }
}
