package dev.abacus.topology;

import dev.abacus.schemas.control.InstanceStatus;
import dev.abacus.schemas.kafka.TopicSetup;
import dev.abacus.schemas.kafka.TopicSpec;
import dev.abacus.schemas.kafka.Topics;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Program.Reference;
import dev.abacus.schemas.program.Program.Results;
import dev.abacus.schemas.program.Program.Source;
import dev.abacus.schemas.program.Settings.Ordering;
import dev.abacus.schemas.program.Stage;
import dev.abacus.schemas.program.Stages;
import dev.abacus.topology.control.PlanSlot;
import dev.abacus.topology.control.SourceLag;
import dev.abacus.topology.execution.PlanExecutor;
import dev.abacus.topology.live.DocumentServices;
import dev.abacus.topology.live.DocumentTopology;
import dev.abacus.topology.live.LiveJudge;
import dev.abacus.topology.operator.technique.OperatorRuntime;
import dev.abacus.topology.runtime.ReceiptTopic;
import dev.abacus.topology.runtime.RuntimeListener;
import dev.abacus.topology.runtime.RuntimeServices;
import dev.abacus.topology.runtime.RuntimeSettings;
import dev.abacus.topology.sample.SampleTopology;
import dev.abacus.topology.sample.SampleWork;
import dev.abacus.topology.telemetry.ProgramCounters;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One program on one instance: brings what runs into line with what the control topic says.
 *
 * <ul>
 *   <li>Samples run as soon as there is a program, so that a plan can be found.
 *   <li>Documents run once a plan is active, so that none is admitted without one.
 *   <li>Neither run before the program's references were read to their end, so that nothing is
 *       matched against half of one.
 *   <li>A new plan changes nothing here; documents find it in the {@link PlanSlot}.
 *   <li>A program with other topics, formats or ordering needs other topologies: they are
 *       restarted.
 * </ul>
 */
final class ProgramRunner implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ProgramRunner.class);
  private static final Duration RETRY = Duration.ofSeconds(2);

  /** What topologies depend on. */
  private record Shape(
      List<Source> sources,
      List<Stage> stages,
      Results results,
      Ordering ordering,
      String validation,
      List<Reference> references) {
    static Shape of(Program program) {
      return new Shape(
          program.sources(),
          Stages.of(program),
          program.results(),
          program.ordering(),
          program.validation().topic(),
          program.references());
    }
  }

  private final String name;
  private final PlanSlot slot;
  private final WorkerContext services;
  private final ProgramCounters counters = new ProgramCounters();
  private final ScheduledExecutorService thread;

  // Below: touched by that thread alone, but for the volatile ones, which the status reads.
  private @Nullable Shape shape;
  private @Nullable ReceiptTopic receipts;
  private volatile @Nullable ProgramReferences references;
  private volatile @Nullable StreamsApplication samples;
  private volatile @Nullable StreamsApplication documents;
  private volatile @Nullable SourceLag lag;
  private @Nullable LiveJudge judge;
  private volatile String problem = "";
  private boolean closed;

  ProgramRunner(String name, PlanSlot slot, WorkerContext services) {
    this.name = name;
    this.slot = slot;
    this.services = services;
    this.thread =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("abacus-program-" + name).daemon().factory());
  }

  /** The slot changed. */
  void changed() {
    thread.execute(this::reconcile);
  }

  private void reconcile() {
    if (closed) {
      return;
    }
    try {
      follow(slot.state());
      problem = "";
    } catch (KafkaException | IllegalArgumentException e) {
      if (!e.toString().equals(problem)) {
        LOG.warn("Program '{}' cannot run as it should yet: {}", name, e.getMessage());
      }
      problem = e.toString();
      var _ = thread.schedule(this::reconcile, RETRY.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void follow(PlanSlot.State state) throws InterruptedException {
    Program program = state.program();
    Shape wanted = program == null ? null : Shape.of(program);
    if (shape != null && !shape.equals(wanted)) {
      stop();
    }
    if (program == null || wanted == null) {
      return;
    }
    ProgramReferences lookedInto = references;
    if (lookedInto == null) {
      lookedInto = ProgramReferences.open(program, services, this::changed);
      references = lookedInto;
      shape = wanted;
    }
    if (!lookedInto.isComplete()) {
      return;
    }
    if (samples == null) {
      ensureTopics(program);
      receipts = openReceipts();
      shape = wanted;
      samples = startSamples();
    }
    if (documents == null && state.active() != null) {
      documents = startDocuments(program);
      lag =
          new SourceLag(
              services.admin(),
              "abacus-" + name,
              program.sources().stream().map(Source::topic).toList());
    }
    StreamsApplication running = documents;
    if (running != null && state.paused()) {
      running.pause();
    } else if (running != null) {
      running.resume();
    }
  }

  private void ensureTopics(Program program) throws InterruptedException {
    int partitions = 1;
    for (Source source : program.sources()) {
      partitions = Math.max(partitions, partitions(source));
    }
    Admin admin = services.admin();
    TopicSetup.ensure(admin, TopicSpec.ofSearch(program, partitions), services.replicationFactor());
    int samplePartitions = TopicSetup.partitions(admin, Topics.samples(name));
    TopicSetup.ensure(
        admin,
        TopicSpec.ofDocuments(program, partitions, Math.max(partitions, samplePartitions)),
        services.replicationFactor());
  }

  private int partitions(Source source) throws InterruptedException {
    int partitions = TopicSetup.partitions(services.admin(), source.topic());
    if (partitions == 0) {
      throw new KafkaException(
          "the source topic '%s' does not exist; create it, or run: abacus topics create"
              .formatted(source.topic()));
    }
    return partitions;
  }

  private ReceiptTopic openReceipts() {
    return ReceiptTopic.open(
        Topics.receipts(name),
        services.clientProperties(),
        RuntimeSettings.largestMessage(services.recordLimit()),
        RuntimeListener.NONE);
  }

  private OperatorRuntime operators() {
    ProgramReferences open = references;
    return open == null ? services.operators() : services.operators().forProgram(open.references());
  }

  private StreamsApplication startSamples() {
    SampleWork work =
        new SampleWork(
            operators(),
            services.scorer(),
            services.models().client(),
            services.catalogue(),
            counters);
    RuntimeSettings settings = services.settings(Ordering.NONE);
    String application = "abacus-" + name + "-samples";
    return StreamsApplication.start(
        application,
        SampleTopology.of(name, work, settings, runtime(RuntimeListener.NONE)),
        services.streamsProperties(application));
  }

  private StreamsApplication startDocuments(Program program) throws InterruptedException {
    Map<Source, Integer> partitions = new HashMap<>();
    for (Source source : program.sources()) {
      partitions.put(source, partitions(source));
    }
    OperatorRuntime operators = operators();
    LiveJudge watching =
        new LiveJudge(
            services.scorer(),
            services.models().client(),
            operators.references(),
            counters,
            Math::random);
    judge = watching;
    DocumentServices documentServices =
        new DocumentServices(
            slot,
            new PlanExecutor(operators),
            services.models().client(),
            services.avro(),
            counters,
            services.clock(),
            watching);
    String application = "abacus-" + name;
    return StreamsApplication.start(
        application,
        DocumentTopology.of(
            program,
            documentServices,
            services.settings(program.ordering()),
            runtime(RuntimeListener.NONE),
            source -> partitions.getOrDefault(source, 1)),
        services.streamsProperties(application));
  }

  private RuntimeServices runtime(RuntimeListener listener) {
    ReceiptTopic open = receipts;
    RuntimeServices runtime = services.runtime().withListener(listener);
    return open == null ? runtime : runtime.withReceipts(open);
  }

  /** What this instance reports of the program; null if there is nothing to run. */
  @Nullable InstanceStatus status(String instance, Instant at) {
    PlanSlot.State state = slot.state();
    if (state.program() == null) {
      return null;
    }
    var active = state.active();
    SourceLag behind = lag;
    ProgramReferences open = references;
    InstanceStatus status =
        counters.status(
            name,
            instance,
            at,
            describe(state),
            active == null ? null : active.epoch(),
            behind == null ? null : behind.latest(),
            services.modelHealth());
    return open == null ? status : status.withReferences(open.progress());
  }

  private String describe(PlanSlot.State state) {
    StreamsApplication running = documents;
    if (!problem.isEmpty()) {
      return "WAITING: " + problem;
    }
    if (running != null) {
      return running.state();
    }
    ProgramReferences open = references;
    if (open != null && !open.isComplete()) {
      return "WAITING_FOR_REFERENCES";
    }
    return state.active() == null ? "WAITING_FOR_PLAN" : "STARTING";
  }

  private void stop() {
    closePlane(documents);
    documents = null;
    lag = null;
    if (judge != null) {
      judge.close();
      judge = null;
    }
    closePlane(samples);
    samples = null;
    if (receipts != null) {
      receipts.close();
      receipts = null;
    }
    ProgramReferences open = references;
    references = null;
    if (open != null) {
      open.close();
    }
    shape = null;
  }

  private static void closePlane(@Nullable StreamsApplication plane) {
    if (plane != null) {
      plane.close();
    }
  }

  /** Stops what runs; waits until it has. */
  @Override
  public void close() {
    thread.execute(() -> {
      closed = true;
      stop();
    });
    thread.shutdown();
    try {
      if (!thread.awaitTermination(1, TimeUnit.MINUTES)) {
        LOG.warn("Program '{}' did not stop within a minute", name);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
