package dev.abacus.optimizer.kafka;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.optimizer.loop.LoopStatus;
import dev.abacus.optimizer.loop.event.DrawnSample;
import dev.abacus.optimizer.loop.event.LoopEvent;
import dev.abacus.optimizer.sampling.prior.LearnedKey;
import dev.abacus.schemas.control.ControlCodec;
import dev.abacus.schemas.control.LearningReport;
import dev.abacus.schemas.control.PromiseReport;
import dev.abacus.schemas.control.Rejection;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.supervision.ThreadStatus;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/** Encodes actions, rejections and status reports as records. */
record RecordEncoder(KafkaNames names) {

  /**
   * Header of sample tasks: the {@link dev.abacus.optimizer.loop.event.DrawnSample.SampleStamp} as
   * JSON.
   */
  static final String STAMP_HEADER = "abacus-sample-stamp";

  /** Last part of the status key; instances of the data plane use their own name there. */
  static final String COMPONENT = "optimizer";

  /**
   * The health of a search, as its status record states it.
   *
   * @param badRecords unusable records of the program's topics since the process started
   * @param lastBadRecord where the last one of them is, and why it cannot be used; null for none
   * @param failure why the search has ended; null while it runs
   * @param threads long-lived threads of the optimizer
   * @param promise of the active plan, and what is measured; null without a plan
   * @param feedback corrected results; null if the program names no topic for them
   * @param review requests for labels; null if the program asks for none
   * @param learning what live documents taught, by operator; empty for nothing
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record SearchHealth(
      long badRecords,
      @Nullable String lastBadRecord,
      @JsonIgnore @Nullable String failure,
      List<ThreadStatus> threads,
      @JsonProperty("plan") @Nullable PromiseReport promise,
      Corrections.@Nullable Status feedback,
      Reviews.@Nullable Status review,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) List<LearningReport> learning) {}

  /** The record of an event that the loop of a program caused. */
  ProducerRecord<byte[], byte[]> encode(String program, LoopEvent.Caused event) {
    return switch (event) {
      case DrawnSample(var task, var stamp, var _) -> {
        ProducerRecord<byte[], byte[]> record =
            record(names.samples(task.program()), partitionKey(task), Json.write(task));
        record.headers().add(STAMP_HEADER, Json.write(stamp));
        yield record;
      }
      case LoopEvent.ControlSet(var published) ->
          record(names.control(), published.key().path(), ControlCodec.encode(published));
      case LoopEvent.Transferred(var priors) -> learnt(new LearnedKey.Transferred(program), priors);
      case LoopEvent.OperatorLearned(var of, var operator, var learned) ->
          learnt(new LearnedKey.ByOperator(of, operator), learned);
    };
  }

  private ProducerRecord<byte[], byte[]> learnt(LearnedKey key, @Nullable Object value) {
    return record(names.learnt(), key.path(), value == null ? null : Json.write(value));
  }

  /** The samples of one call are in one partition, so that one worker gets them all. */
  private static String partitionKey(SampleTask task) {
    SampleTask.Batch batch = task.batch();
    return batch == null ? task.id() : batch.id();
  }

  ProducerRecord<byte[], byte[]> encode(Rejection rejection) {
    return record(names.rejections(), rejection.key(), Json.write(rejection));
  }

  /**
   * The status record of a program's search.
   *
   * @param status null if nothing was decided yet
   * @param health is part of the record; without a status and a failure, the program does not
   *     exist, and the record is a tombstone
   */
  ProducerRecord<byte[], byte[]> status(
      String program, @Nullable LoopStatus status, SearchHealth health, Instant at) {
    byte @Nullable [] value = null;
    if (status != null || health.failure() != null) {
      ObjectNode node =
          status == null ? JsonNodeFactory.instance.objectNode() : (ObjectNode) Json.tree(status);
      node.put("program", program)
          .put("component", COMPONENT)
          .put("at", at.toString())
          .setAll((ObjectNode) Json.tree(health));
      if (health.failure() != null) {
        node.put("phase", "FAILED").put("message", health.failure());
      }
      value = Json.write(node);
    }
    return record(names.status(), program + "/" + COMPONENT, value);
  }

  private static ProducerRecord<byte[], byte[]> record(
      String topic, String key, byte @Nullable [] value) {
    return new ProducerRecord<>(topic, key.getBytes(StandardCharsets.UTF_8), value);
  }
}
