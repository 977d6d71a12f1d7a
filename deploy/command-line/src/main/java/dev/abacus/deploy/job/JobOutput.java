package dev.abacus.deploy.job;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.schemas.document.InvalidDocumentException;
import dev.abacus.schemas.kafka.Headers;
import dev.abacus.schemas.kafka.RecordText;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Program.Format;
import dev.abacus.schemas.program.Program.Source;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/** Collects the results and dead letters of a job and registers each with {@link Accounting}. */
final class JobOutput {

  private final Program program;
  private final DocumentFormats formats;
  private final Accounting accounting;
  private final boolean severalAtOnce;
  private final List<JobResult> ofSeveral = new ArrayList<>();
  private final List<JobFailure> failures = new ArrayList<>();
  private final Map<Long, Integer> resultsByEpoch = new HashMap<>();
  private int outputs;
  private double costUsd;

  /**
   * @param severalAtOnce whether the program has stateful operators, so that a result may come from
   *     several documents
   */
  JobOutput(
      Program program, DocumentFormats formats, Accounting accounting, boolean severalAtOnce) {
    this.program = program;
    this.formats = formats;
    this.accounting = accounting;
    this.severalAtOnce = severalAtOnce;
  }

  /** Accepts a record of the results topic; returns whether it belongs to this job. */
  boolean acceptResult(ConsumerRecord<byte[], byte[]> record) {
    Accounting.Sent document = accounting.result(RecordText.header(record, Headers.SOURCE));
    if ((document == null && !severalAtOnce) || record.value() == null) {
      return document != null;
    }
    JobResult result = result(record);
    (document == null ? ofSeveral : document.results()).add(result);
    outputs++;
    costUsd += result.costUsd();
    if (result.epoch() != null) {
      resultsByEpoch.merge(result.epoch(), 1, Integer::sum);
    }
    return true;
  }

  private JobResult result(ConsumerRecord<byte[], byte[]> record) {
    Double latency = RecordText.number(record, Headers.LATENCY_MS);
    return new JobResult(
        RecordText.key(record),
        formats.result(program, record),
        RecordText.epoch(record),
        RecordText.costUsd(record),
        latency == null ? null : Long.valueOf(latency.longValue()),
        RecordText.number(record, Headers.QUALITY_ESTIMATE));
  }

  /** Accepts a record of the dead-letter topic; returns whether it belongs to this job. */
  boolean acceptDeadLetter(ConsumerRecord<byte[], byte[]> record) {
    if (accounting.deadLetter(RecordText.origin(record)) == null && !severalAtOnce) {
      return false;
    }
    double cost = RecordText.costUsd(record);
    costUsd += cost;
    failures.add(
        new JobFailure(
            RecordText.key(record),
            RecordText.origin(record),
            RecordText.header(record, Headers.OPERATOR),
            RecordText.header(record, Headers.EXCEPTION),
            RecordText.header(record, Headers.EXCEPTION_MESSAGE),
            cost,
            document(record),
            record.value()));
    return true;
  }

  /** The document of a dead letter; null if it is not valid. */
  private @Nullable ObjectNode document(ConsumerRecord<byte[], byte[]> letter) {
    if (letter.value() == null) {
      return null;
    }
    String topic = RecordText.header(letter, Headers.EXCEPTION_TOPIC);
    Source source = program.sourceOf(topic);
    try {
      return formats.read(topic, source == null ? Format.JSON : source.format(), letter.value());
    } catch (InvalidDocumentException e) {
      return null;
    }
  }

  /** Number of records on the results topic. */
  int outputs() {
    return outputs;
  }

  /** Sum of the records' cost headers, in USD; filtered documents have no record. */
  double costUsd() {
    return costUsd;
  }

  /** Number of results per plan epoch. */
  Map<Long, Integer> resultsByEpoch() {
    return resultsByEpoch;
  }

  /** Results of several documents, in order of arrival. */
  List<JobResult> ofSeveral() {
    return Collections.unmodifiableList(ofSeveral);
  }

  /** Results in the order of their documents, then results of several documents. */
  List<JobResult> results() {
    return Stream.concat(
            accounting.documents().stream().flatMap(document -> document.results().stream()),
            ofSeveral.stream())
        .toList();
  }

  /** Dead letters in order of arrival. */
  List<JobFailure> failures() {
    return List.copyOf(failures);
  }
}
