package dev.abacus.topology;

import dev.abacus.schemas.control.AnswerReuse;
import dev.abacus.schemas.control.InstanceStatus;
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
import dev.abacus.topology.runtime.RecordSizes;
import dev.abacus.topology.runtime.RefusedRecords;
import dev.abacus.topology.runtime.RuntimeServices;
import dev.abacus.topology.sample.SampleRunner;
import dev.abacus.topology.sample.SampleTopology;
import dev.abacus.topology.sample.SampleWork;
import dev.abacus.topology.spending.Bill;
import dev.abacus.topology.spending.SpendingAccount;
import dev.abacus.topology.telemetry.ProgramCounters;
import dev.abacus.topology.version.EndedVersions;
import dev.abacus.topology.version.ProgramShape;
import dev.abacus.topology.version.ProgramVersions;
import dev.abacus.topology.version.VersionChange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Kafka Streams applications of one program on this instance. They start one after the other:
 *
 * <ol>
 *   <li>References, at once.
 *   <li>Samples, when all references are read to their end. They need no plan, because the
 *       optimizer needs samples to find one.
 *   <li>Documents, when a plan is active: of the version that takes new documents, and of earlier
 *       versions until they have ended.
 * </ol>
 *
 * <p>One thread opens, advances and closes; other threads may read the state.
 */
final class ProgramApplications implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ProgramApplications.class);

  private final String program;
  private final ProgramPlans plans;
  private final WorkerContext worker;
  private final ProgramCounters counters;
  private final ProgramReferences references;
  private final VersionChange change;
  private final EndedVersions ended;
  private final SpendingAccount spending;
  private final ModelAccess models;
  private final ProgramTopics topics;
  private @Nullable DocumentReplay replay;
  private @Nullable ReceiptTopic receipts;
  private @Nullable StreamsApplication samples;

  /** By version; written by the one thread. */
  private final Map<Integer, VersionDocuments> documents = new ConcurrentSkipListMap<>();

  private volatile @Nullable ProgramVersions versions;

  /**
   * Starts to follow the references of a program.
   *
   * @param onReferencesComplete called on any thread when a reference is read to its end; call
   *     {@link #advance} then
   */
  ProgramApplications(
      Program definition,
      ProgramPlans plans,
      WorkerContext worker,
      ProgramCounters counters,
      VersionChange change,
      Runnable onReferencesComplete)
      throws InterruptedException {
    this.references = ProgramReferences.open(definition, worker, onReferencesComplete);
    this.program = definition.name();
    this.change = change;
    this.ended = new EndedVersions(program, worker.names(), worker.groups(), worker.clock());
    this.plans = plans;
    this.worker = worker;
    this.counters = counters;
    this.spending = worker.spending().account(program);
    spending.limitBy(plans::spending);
    this.models =
        worker
            .models()
            .forProgram(
                program,
                spending,
                worker.openCalls(),
                counters::tokens,
                worker.answers() == null ? null : worker.answers().store());
    this.topics = new ProgramTopics(worker);
    worker.spending().bill().opened(program, this::totals);
  }

  /**
   * Starts what can be started, stops versions that must not run, and pauses or resumes the others.
   *
   * @throws KafkaException if a source topic does not exist or the cluster cannot be reached
   */
  void advance(Program definition, ProgramPlans.State state, ProgramVersions now)
      throws InterruptedException {
    versions = now;
    List<ProgramVersions.Version> wanted = new ArrayList<>();
    if (!now.stopping()) {
      wanted.add(now.current());
    }
    now.ending().forEach(old -> wanted.add(old.version()));
    stopOthers(wanted, now);
    if (!references.isComplete()) {
      return;
    }
    if (samples == null) {
      topics.create(definition);
      samples = startSamples();
    }
    for (ProgramVersions.Version version : wanted) {
      start(version, definition);
    }
    for (VersionDocuments running : documents.values()) {
      running.application().pause(state.paused());
    }
  }

  /**
   * Checks that the topics of documents still exist. Call it now and then.
   *
   * @throws KafkaException if a topic was deleted
   */
  void requireTopics() throws InterruptedException {
    List<String> stated = new ArrayList<>();
    for (VersionDocuments running : documents.values()) {
      running.definition().sources().forEach(source -> stated.add(source.topic()));
      stated.add(running.definition().results().topic());
    }
    topics.requireExisting(stated);
  }

  /** Removes the internal topics of versions that have ended for long. Call it now and then. */
  void removeEnded(ProgramVersions now) throws InterruptedException {
    List<String> removed = ended.remove(now);
    if (!removed.isEmpty()) {
      LOG.info("Removed the topics of versions of '{}' that have ended: {}", program, removed);
    }
  }

  private void stopOthers(List<ProgramVersions.Version> wanted, ProgramVersions now) {
    for (VersionDocuments running : List.copyOf(documents.values())) {
      int number = running.version();
      boolean kept = wanted.stream().anyMatch(version -> version.number() == number);
      if (!kept) {
        documents.remove(number);
        ended.ran(number, running.application().internalTopics());
        running.stop(now.current().number() == number);
        LOG.info(
            "Version {} of '{}' {}",
            number,
            program,
            now.current().number() == number ? "stops for the next one" : "has ended");
      }
    }
  }

  private void start(ProgramVersions.Version version, Program definition)
      throws InterruptedException {
    boolean same = ProgramShape.same(version.program(), definition);
    Program effective = same ? definition : version.program();
    VersionDocuments running = documents.get(version.number());
    if (running != null && (!running.runs(effective) || running.isOutgrown())) {
      documents.remove(version.number());
      running.close();
      running = null;
    }
    if (running == null) {
      ProgramPlans own =
          plans.ofVersion(
              effective, other -> ProgramShape.same(version.program(), other), version.epoch());
      if (own.state().active() == null) {
        plans.forget(own);
        return;
      }
      if (same) {
        topics.create(definition);
      }
      documents.put(
          version.number(),
          startDocuments(
              new ProgramVersions.Version(version.number(), effective, version.epoch()), own));
    }
  }

  private StreamsApplication startSamples() throws InterruptedException {
    worker.groups().resumeSamples(program);
    DocumentReplay replays = replay();
    replay = replays;
    SampleWork work =
        new SampleWork(
            SampleRunner.ofProgram(
                worker.sampleOperators().forProgram(references.references(), plans::fewShot),
                worker.scorer(),
                worker.models().tokens(),
                worker.clock(),
                worker.models().inventory()::problem),
            models.sampleClient(),
            counters,
            worker.tracing(),
            replays);
    String application = worker.names().sampleApplication(program);
    return new StreamsApplication(
            application,
            program,
            worker,
            worker.streamsProperties(application),
            new StreamsApplication.Sleeping(() -> true, worker.sleepAfter()),
            refused ->
                SampleTopology.of(
                    program, work, worker.settings(Ordering.NONE), runtime(application, refused)))
        .start();
  }

  private DocumentReplay replay() {
    OperatorRuntime operators = operators();
    return new DocumentReplay(
        () -> plans.state().program(),
        new PlanExecutor(worker.tracing().around(operators)),
        models.judgeClient(),
        worker.scorer(),
        operators.references(),
        worker.avro(),
        new SourceRecords(worker.clientProperties()),
        new PastReceipts(receipts()),
        worker.written(TopicSpec.ofReplayed(worker.names(), program)),
        counters);
  }

  /** Learns with the embedder that costs nothing; null if this instance has none. */
  private @Nullable LiveLearning learning(String application) {
    Embedder embedder = models.embedders().find(MiniLmEmbedder.NAME);
    return embedder == null || !EmbedderPart.isInstalled()
        ? null
        : new LiveLearning(embedder, application);
  }

  private VersionDocuments startDocuments(ProgramVersions.Version version, ProgramPlans own)
      throws InterruptedException {
    Program definition = version.program();
    Partitions partitions = topics.ofVersion(version);
    worker.groups().requireOffsets(version);
    OperatorRuntime operators = operators();
    LiveJudge judge =
        new LiveJudge(
            worker.scorer(),
            models.judgeClient(),
            operators.references(),
            counters,
            worker.tracing());
    String application = version.application(worker.names());
    SourceLag lag =
        new SourceLag(
            worker.admin(), application, definition.sources().stream().map(Source::topic).toList());
    VersionRange range =
        new VersionRange(program, version.number(), worker.versions(), change, lag);
    DocumentServices services =
        new DocumentServices(
            own,
            new PlanExecutor(worker.tracing().around(operators)),
            models.client(),
            worker.avro(),
            counters,
            worker.clock(),
            judge,
            spending::isAffordable,
            worker.tracing(),
            range,
            worker.journeys(program),
            learning(application));
    StreamsApplication started =
        new StreamsApplication(
                application,
                program,
                worker,
                worker.streamsProperties(application),
                new StreamsApplication.Sleeping(range::isAlone, sleepAfter(definition)),
                refused ->
                    DocumentTopology.of(
                        definition,
                        services,
                        worker.settings(definition.ordering()),
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
          worker.supervisor(program).forget(application);
        });
  }

  /** What closes by time closes first. */
  private Duration sleepAfter(Program definition) {
    Duration settled = DocumentTopology.settledAfter(definition);
    return worker.sleepAfter().compareTo(settled) < 0 ? settled : worker.sleepAfter();
  }

  /** Starts the applications that sleep, as an operator asked for. */
  void wake() {
    documents.values().forEach(running -> running.application().wake());
    if (samples != null) {
      samples.wake();
    }
  }

  private OperatorRuntime operators() {
    return new OperatorRuntime(models.embedders(), models.tokens()::tokenizer)
        .forProgram(references.references(), plans::fewShot);
  }

  /** The services of an application's processors; those of a program share one receipt topic. */
  private RuntimeServices runtime(String application, RefusedRecords refused) {
    return worker
        .runtime()
        .withReceipts(receipts())
        .withRefused(refused)
        .withOwnership(worker.membership(application));
  }

  private ReceiptTopic receipts() {
    ReceiptTopic open = receipts;
    if (open == null) {
      open =
          ReceiptTopic.open(
              worker.names().receipts(program),
              worker.redactingClientProperties(),
              new RecordSizes(worker.recordLimit()).largestMessage(),
              new ReceiptTopic.Services(worker.openCalls(), worker.supervisor(program)));
      receipts = open;
    }
    return open;
  }

  private Bill.Totals totals() {
    AnswerReuse reuse = worker.reuse(program, List.of());
    return new Bill.Totals(
        counters.finished(),
        counters.results(),
        reuse == null ? 0 : reuse.savedUsd(),
        counters.receiptsSaved());
  }

  /** Whether a source got partitions that its running application was not built for. */
  boolean isOutgrown() {
    return documents.values().stream().anyMatch(VersionDocuments::isOutgrown);
  }

  ProgramReferences references() {
    return references;
  }

  /** The state of the version that takes new documents; null if it is not started. */
  @Nullable String documentState() {
    VersionDocuments running = current();
    return running == null ? null : running.state();
  }

  private @Nullable VersionDocuments current() {
    ProgramVersions now = versions;
    return now == null ? null : documents.get(now.current().number());
  }

  /** The versions that are not finished; the last one takes new documents. */
  List<InstanceStatus.VersionStatus> versions() {
    ProgramVersions now = versions;
    return now == null ? List.of() : VersionDocuments.statuses(now, documents, worker.names());
  }

  /** Why documents wait for money; null if none does. */
  @Nullable String spendingProblem() {
    return spending.problem();
  }

  /** Number of documents in the sources that are not admitted yet; null if not known. */
  @Nullable Long lag() {
    VersionDocuments running = current();
    if (running != null && running.application().isAsleep()) {
      return 0L; // A document would have woken it.
    }
    return running == null ? null : running.lag().latest();
  }

  @Override
  public void close() {
    documents.values().forEach(VersionDocuments::close);
    documents.clear();
    if (samples != null) {
      samples.close();
      worker.supervisor(program).forget(worker.names().sampleApplication(program));
    }
    if (replay != null) {
      replay.close();
    }
    if (receipts != null) {
      receipts.close();
    }
    references.close();
  }
}
