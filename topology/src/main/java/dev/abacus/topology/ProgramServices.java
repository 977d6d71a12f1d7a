package dev.abacus.topology;

import dev.abacus.schemas.control.AnswerReuse;
import dev.abacus.schemas.kafka.TopicSpec;
import dev.abacus.schemas.monitor.SourceLag;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Program.Source;
import dev.abacus.schemas.program.Settings.Ordering;
import dev.abacus.topology.control.ProgramPlans;
import dev.abacus.topology.execution.PlanExecutor;
import dev.abacus.topology.live.DocumentServices;
import dev.abacus.topology.live.DocumentTopology;
import dev.abacus.topology.live.LiveJudge;
import dev.abacus.topology.live.LiveLearning;
import dev.abacus.topology.live.Partitions;
import dev.abacus.topology.model.Embedder;
import dev.abacus.topology.model.EmbedderPart;
import dev.abacus.topology.model.embedding.MiniLmEmbedder;
import dev.abacus.topology.operator.technique.OperatorRuntime;
import dev.abacus.topology.replay.DocumentReplay;
import dev.abacus.topology.replay.PastReceipts;
import dev.abacus.topology.replay.SourceRecords;
import dev.abacus.topology.runtime.ReceiptTopic;
import dev.abacus.topology.runtime.RefusedRecords;
import dev.abacus.topology.runtime.RuntimeServices;
import dev.abacus.topology.sample.SampleRunner;
import dev.abacus.topology.sample.SampleTopology;
import dev.abacus.topology.sample.SampleWork;
import dev.abacus.topology.spending.Bill;
import dev.abacus.topology.spending.SpendingAccount;
import dev.abacus.topology.telemetry.ProgramCounters;
import dev.abacus.topology.version.ProgramVersions;
import dev.abacus.topology.version.VersionChange;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/**
 * What the applications of one program on this instance share: its references, its models within
 * its account, its receipts and its counters. Starts the applications. One thread starts and closes
 * them; other threads may read the state.
 */
final class ProgramServices {

  private final String program;
  private final ProgramPlans plans;
  private final WorkerContext worker;
  private final WorkerKafka kafka;
  private final StreamsServices streams;
  private final ProgramCounters counters;
  private final VersionChange change;
  private final ProgramReferences references;
  private final SpendingAccount spending;
  private final ModelAccess models;
  private @Nullable DocumentReplay replay;
  private @Nullable ReceiptTopic receipts;

  /**
   * Starts to follow the references of a program.
   *
   * @param onReferencesComplete called on any thread when a reference is read to its end
   * @throws KafkaException if a reference topic does not exist or the cluster cannot be reached
   */
  ProgramServices(
      Program definition,
      ProgramPlans plans,
      WorkerContext worker,
      ProgramCounters counters,
      VersionChange change,
      Runnable onReferencesComplete)
      throws InterruptedException {
    this.references = ProgramReferences.open(definition, worker, onReferencesComplete);
    this.program = definition.name();
    this.plans = plans;
    this.worker = worker;
    this.kafka = worker.kafka();
    this.streams = worker.streams();
    this.counters = counters;
    this.change = change;
    this.spending = worker.models().spending().account(program);
    spending.limitBy(plans::spending);
    this.models = worker.models().forProgram(program, spending, counters::tokens);
    worker.models().spending().bill().opened(program, this::totals);
  }

  ProgramReferences references() {
    return references;
  }

  /** Why documents wait for money; null if none does. */
  @Nullable String spendingProblem() {
    return spending.problem();
  }

  /** Starts the application of samples. */
  StreamsApplication startSamples() {
    DocumentReplay replays = replay();
    replay = replays;
    SampleWork work =
        new SampleWork(
            SampleRunner.ofProgram(
                worker
                    .models()
                    .sampleOperators()
                    .forProgram(references.references(), plans::fewShot),
                worker.models().scorer(),
                worker.models().access().tokens(),
                streams.clock(),
                worker.models().access().inventory()::problem),
            models.sampleClient(),
            counters,
            worker.models().tracing(),
            replays);
    String application = kafka.names().sampleApplication(program);
    return new StreamsApplication(
            application,
            program,
            streams,
            kafka.streamsProperties(application),
            new StreamsApplication.Sleeping(() -> true, streams.sleepAfter()),
            refused ->
                SampleTopology.of(
                    program, work, kafka.settings(Ordering.NONE), runtime(application, refused)))
        .start();
  }

  private DocumentReplay replay() {
    OperatorRuntime operators = operators();
    return new DocumentReplay(
        () -> plans.state().program(),
        new PlanExecutor(worker.models().tracing().around(operators)),
        models.judgeClient(),
        worker.models().scorer(),
        operators.references(),
        worker.avro(),
        new SourceRecords(kafka.clientProperties()),
        new PastReceipts(receipts()),
        kafka.written(TopicSpec.ofReplayed(kafka.names(), program)),
        counters);
  }

  /** Learns with the embedder that costs nothing; null if this instance has none. */
  private @Nullable LiveLearning learning(String application) {
    Embedder embedder = models.embedders().find(MiniLmEmbedder.NAME);
    return embedder == null || !EmbedderPart.isInstalled()
        ? null
        : new LiveLearning(embedder, application);
  }

  /**
   * Starts the application of the documents of a version.
   *
   * @param own the plans that the version can run
   * @param partitions what its topology is built for
   */
  VersionDocuments startDocuments(
      ProgramVersions.Version version, ProgramPlans own, Partitions partitions) {
    Program definition = version.program();
    OperatorRuntime operators = operators();
    LiveJudge judge =
        new LiveJudge(
            worker.models().scorer(),
            models.judgeClient(),
            operators.references(),
            counters,
            worker.models().tracing());
    String application = version.application(kafka.names());
    SourceLag lag =
        new SourceLag(
            kafka.admin(), application, definition.sources().stream().map(Source::topic).toList());
    VersionRange range =
        new VersionRange(program, version.number(), worker.versions(), change, lag);
    DocumentServices services =
        new DocumentServices(
            own,
            new PlanExecutor(worker.models().tracing().around(operators)),
            models.client(),
            worker.avro(),
            counters,
            streams.clock(),
            judge,
            spending::isAffordable,
            worker.models().tracing(),
            range,
            kafka.journeys(program, streams.clock()),
            learning(application));
    StreamsApplication started =
        new StreamsApplication(
                application,
                program,
                streams,
                kafka.streamsProperties(application),
                new StreamsApplication.Sleeping(range::isAlone, sleepAfter(definition)),
                refused ->
                    DocumentTopology.of(
                        definition,
                        services,
                        kafka.settings(definition.ordering()),
                        runtime(application, refused),
                        partitions))
            .start();
    range.pauseWith(() -> started.pause(true));
    return new VersionDocuments(
        version.number(),
        VersionDocuments.Definition.of(definition),
        partitions,
        started,
        services,
        lag,
        () -> {
          plans.forget(own);
          streams.supervisor(program).forget(application);
        });
  }

  /** What closes by time closes first. */
  private Duration sleepAfter(Program definition) {
    Duration settled = DocumentTopology.settledAfter(definition);
    return streams.sleepAfter().compareTo(settled) < 0 ? settled : streams.sleepAfter();
  }

  private OperatorRuntime operators() {
    return new OperatorRuntime(models.embedders(), models.tokens()::tokenizer)
        .forProgram(references.references(), plans::fewShot);
  }

  /** The services of an application's processors; those of a program share one receipt topic. */
  private RuntimeServices runtime(String application, RefusedRecords refused) {
    return streams
        .runtime()
        .withReceipts(receipts())
        .withRefused(refused)
        .withOwnership(kafka.membership(application));
  }

  private ReceiptTopic receipts() {
    ReceiptTopic open = receipts;
    if (open == null) {
      open =
          ReceiptTopic.open(
              kafka.names().receipts(program),
              kafka.redactingClientProperties(),
              kafka.largestMessage(),
              new ReceiptTopic.Services(worker.models().openCalls(), streams.supervisor(program)));
      receipts = open;
    }
    return open;
  }

  private Bill.Totals totals() {
    AnswerReuse reuse = worker.models().reuse(program, List.of());
    return new Bill.Totals(
        counters.finished(),
        counters.results(),
        reuse == null ? 0 : reuse.savedUsd(),
        counters.receiptsSaved());
  }

  /**
   * Ends what the applications shared, after they have ended.
   *
   * @param deadline of the wait for calls that are running, by {@link System#nanoTime}
   */
  void closeBy(long deadline) {
    if (replay != null) {
      replay.close();
    }
    if (receipts != null) {
      receipts.closeBy(deadline);
    }
    references.close();
  }
}
