package dev.abacus.topology.replay;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.schemas.avro.AvroValues;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.document.InvalidDocumentException;
import dev.abacus.schemas.kafka.Headers;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.kafka.MalformedRecordException;
import dev.abacus.schemas.kafka.RecordText;
import dev.abacus.schemas.observation.ReplayOutcome;
import dev.abacus.schemas.observation.ReplayOutcome.Kind;
import dev.abacus.schemas.observation.ReplayTask;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.observation.ValidationExample;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Program.Source;
import dev.abacus.schemas.redaction.Redaction;
import dev.abacus.topology.execution.Checkpoint;
import dev.abacus.topology.execution.PlanExecutor;
import dev.abacus.topology.execution.PlanOutcome;
import dev.abacus.topology.journey.Journeys;
import dev.abacus.topology.live.DocumentCodec;
import dev.abacus.topology.model.CallDecorator;
import dev.abacus.topology.model.CallPurpose;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ReceiptedCalls;
import dev.abacus.topology.operator.OperatorFailure;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.operator.join.References;
import dev.abacus.topology.runtime.Completion;
import dev.abacus.topology.runtime.InputRecord;
import dev.abacus.topology.runtime.WorkContext;
import dev.abacus.topology.scoring.Score;
import dev.abacus.topology.scoring.Scorer;
import dev.abacus.topology.telemetry.ProgramCounters;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs {@link ReplayTask}s. The plan runs as on a live document, and its outcome goes to the topic
 * of the replay: no result, no dead letter, no observation. Its calls are admitted after those of
 * documents, and pass the spending cap of the program and the answer store.
 *
 * @param inForce the program in force; null if there is none
 * @param executor of live documents
 * @param models calls with the priority of samples, within the spending cap
 * @param avro null if no schema registry is configured
 * @param answers writes outcomes beside the transactions of tasks, so that none fails by them
 * @param counters of the program; replays count in its live spending
 */
public record DocumentReplay(
    Supplier<@Nullable Program> inForce,
    PlanExecutor executor,
    ModelClient models,
    Scorer scorer,
    References references,
    @Nullable AvroValues avro,
    SourceRecords sources,
    PastReceipts receipts,
    Journeys.Writer answers,
    ProgramCounters counters)
    implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(DocumentReplay.class);

  /** Whether a record among the samples is a task of a replay. */
  public static boolean is(InputRecord input) {
    return !id(input).isEmpty();
  }

  private static String id(InputRecord input) {
    return Objects.requireNonNullElse(RecordText.header(input.headers(), Headers.REPLAY), "");
  }

  /** Runs the task of a record and writes its outcome. */
  public Completion run(InputRecord input, WorkContext context) throws InterruptedException {
    ReplayOutcome outcome;
    try {
      outcome = run(id(input), task(input), input.partition(), context);
    } catch (MalformedRecordException e) {
      LOG.warn("Skipped a task of a replay that cannot be read: {}", e.getMessage());
      return Completion.EMPTY;
    }
    answer(outcome);
    double paid = outcome.paid();
    return Completion.EMPTY.whenCommitted(() -> counters.spent(paid));
  }

  private static ReplayTask task(InputRecord input) throws MalformedRecordException {
    return Json.read(Objects.requireNonNullElse(input.value(), new byte[0]), ReplayTask.class);
  }

  /** Reports a task that ended with an exception. */
  public Completion failed(InputRecord input, Throwable cause) {
    try {
      String position = task(input).position();
      answer(ReplayOutcome.without(id(input), position, Kind.UNAVAILABLE, cause.toString()));
    } catch (MalformedRecordException e) {
      LOG.debug("A task of a replay cannot be read: {}", e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return Completion.EMPTY;
  }

  private void answer(ReplayOutcome outcome) throws InterruptedException {
    try {
      answers.write(outcome.position().getBytes(StandardCharsets.UTF_8), Json.write(outcome));
    } catch (RuntimeException e) {
      LOG.warn("Lost an outcome of replay {}: {}", outcome.replay(), e.toString());
    }
  }

  private ReplayOutcome run(String replay, ReplayTask task, int partition, WorkContext context)
      throws InterruptedException {
    Program program = inForce.get();
    Source source = program == null ? null : program.sourceOf(task.topic());
    if (program == null || source == null) {
      return ReplayOutcome.without(
          replay, task.position(), Kind.UNAVAILABLE, "the program no longer reads " + task.topic());
    }
    ConsumerRecord<byte[], byte[]> record =
        sources.read(new TopicPartition(task.topic(), task.partition()), task.offset());
    if (record == null || record.value() == null) {
      return ReplayOutcome.without(
          replay, task.position(), Kind.MISSING, "the topic no longer has the record");
    }
    Document document;
    try {
      document = new DocumentCodec(program, source, avro).read(record.key(), record.value());
    } catch (InvalidDocumentException e) {
      return ReplayOutcome.without(
          replay, task.position(), Kind.FAILED, "InvalidDocument: " + e.getMessage());
    }
    ValidationExample given =
        new ValidationExample("", source.name(), document, task.labels()).redacted(program);
    DoubleAdder paid = new DoubleAdder();
    ModelClient client =
        new ReceiptedCalls(
                receipts.of(replay, Set.copyOf(List.of(task.partition(), partition)), context),
                counters::known)
            .around(CallDecorator.reporting((_, answer) -> paid.add(answer.cost())).around(models));
    List<Step> steps = new ArrayList<>();
    PlanOutcome outcome =
        new CallPurpose(program.name(), "", CallPurpose.Kind.REPLAY)
            .call(() ->
                executor.run(
                    task.steps(),
                    Checkpoint.start(given.document()),
                    client,
                    _ -> {},
                    (step, input, made) -> steps.add(new Step(step, input, made))));
    List<ReplayOutcome.Score> scores = scores(program, task, given.labels(), steps, client);
    return outcome(
        replay, task.position(), restored(source, document, outcome), paid.sum(), scores);
  }

  @Override
  public void close() {
    sources.close();
    receipts.close();
    answers.close();
  }

  /** The outcome with the values of the document, if results have them. */
  private static PlanOutcome restored(Source source, Document document, PlanOutcome outcome) {
    Redaction redaction = source.redaction();
    return redaction != null && redaction.restore() && outcome instanceof PlanOutcome.Result result
        ? result.mapped(redaction.of(document)::restore)
        : outcome;
  }

  private static ReplayOutcome outcome(
      String replay,
      String position,
      PlanOutcome outcome,
      double paid,
      List<ReplayOutcome.Score> scores) {
    Kind kind =
        switch (outcome) {
          case PlanOutcome.Result _ -> Kind.RESULT;
          case PlanOutcome.Filtered _ -> Kind.DROPPED;
          case PlanOutcome.Failed failed -> isFault(failed) ? Kind.UNAVAILABLE : Kind.FAILED;
        };
    return new ReplayOutcome(
        replay,
        position,
        kind,
        outcome.operator(),
        outcome instanceof PlanOutcome.Failed failed ? failed.failure().message() : null,
        outcome instanceof PlanOutcome.Result result ? result.documents() : List.of(),
        outcome.stats().cost(),
        paid,
        outcome.stats().latency(),
        scores);
  }

  private static boolean isFault(PlanOutcome.Failed failed) {
    return failed.failure() instanceof OperatorFailure.ModelFailed model
        && model.failure().isProviderFault();
  }

  /** What a step made of an input. */
  private record Step(PlanStep step, Document input, OperatorOutcome outcome) {}

  private List<ReplayOutcome.Score> scores(
      Program program,
      ReplayTask task,
      Map<String, JsonNode> labels,
      List<Step> steps,
      ModelClient client)
      throws InterruptedException {
    List<ReplayOutcome.Score> scores = new ArrayList<>();
    for (Step made : steps) {
      LogicalOperator operator = made.step().logical();
      JsonNode label = labels.get(operator.id());
      var metrics = program.validation().metrics();
      boolean scored =
          operator.isSemantic()
              && (task.judged()
                  || (label != null && !SampleTask.needsJudge(operator, label, metrics)));
      if (!scored) {
        continue;
      }
      SampleTask sample =
          SampleTask.builder("", program.name())
              .operator(operator)
              .physical(made.step().physical())
              .exampleId("")
              .input(made.input())
              .label(label)
              .metrics(metrics)
              .judge(program.judge())
              .judgeReasoning(program.judgeReasoning())
              .build();
      Score score =
          new CallPurpose(program.name(), operator.id(), CallPurpose.Kind.REPLAY)
              .call(() -> scorer.score(sample, made.outcome(), client, references));
      Double quality = score.quality();
      if (quality != null) {
        boolean decided = operator.decides() && !(made.outcome() instanceof OperatorOutcome.Failed);
        boolean kept = made.outcome() instanceof OperatorOutcome.Kept;
        scores.add(
            new ReplayOutcome.Score(
                operator.id(), quality, decided ? Boolean.valueOf(kept) : null));
      }
    }
    return scores;
  }
}
