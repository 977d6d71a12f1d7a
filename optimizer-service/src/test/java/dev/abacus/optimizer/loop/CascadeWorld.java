package dev.abacus.optimizer.loop;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import dev.abacus.optimizer.loop.event.DrawnSample;
import dev.abacus.optimizer.loop.event.DrawnSample.SampleStamp;
import dev.abacus.optimizer.loop.event.LoopEvent;
import dev.abacus.optimizer.sampling.SeededHash;
import dev.abacus.optimizer.search.cascades.SearchOptions;
import dev.abacus.schemas.catalogue.ModelCard;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.observation.Evidence;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.Observation.Outcome;
import dev.abacus.schemas.observation.Observation.ScoredBy;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.observation.ValidationExample;
import dev.abacus.schemas.plan.LearnedCascade;
import dev.abacus.schemas.plan.ModelCascade;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PhysicalOperator.Cascade;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.SampleBudget;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Filters over labelled examples of which embeddings tell seven in ten apart; a model that is right
 * nine times in ten, at {@link #CALL} USD and a second; embedding takes {@link #EMBEDDING} USD and
 * {@link #SECONDS}.
 */
final class CascadeWorld {

  static final PhysicalOperator MODEL = new ModelSelection("m");
  static final LearnedCascade CASCADE = new LearnedCascade("m", "e", 0.9, null);
  static final double CALL = 0.01;
  static final double EMBEDDING = 0.0001;
  static final double SECONDS = 0.02;

  /** Asks a proxy first. */
  static final ModelCascade WITH_PROXY = new ModelCascade("p", "m", 0.9, null);

  /** Cost of a call of the proxy. */
  static final double PROXY_CALL = 0.001;

  /** At a tenth of the price of {@link #CHAT}. */
  private static final ModelCard PROXY =
      ModelCard.chat("p")
          .inputUsdPerMillion(0.5)
          .outputUsdPerMillion(2)
          .quality(0.4)
          .secondsPerOutputToken(0.01)
          .contextTokens(8192)
          .build();

  /** At a dollar for each million tokens. */
  private static final ModelCard EMBEDDER =
      ModelCard.embedding("e").inputUsdPerMillion(1).contextTokens(512).build();

  /** A call of 800 tokens or more is forecast at {@link #CALL} USD at least. */
  private static final ModelCard CHAT =
      ModelCard.chat("m")
          .inputUsdPerMillion(5)
          .outputUsdPerMillion(20)
          .quality(0.5)
          .secondsPerOutputToken(0.01)
          .contextTokens(8192)
          .build();

  private final Program program;
  private final Cascade cascade;
  private final boolean logprobs;
  private final Executor fitting;

  /** One of so many examples is to be kept. */
  private int oneIn = 2;

  /** Whether embeddings tell the documents to keep apart. */
  private boolean telling = true;

  final List<LoopEvent> topics = new ArrayList<>();
  final List<PhysicalPlan> plans = new ArrayList<>();
  final List<SampleTask> embedded = new ArrayList<>();
  final List<SampleTask> called = new ArrayList<>();
  OptimizerLoop loop;

  CascadeWorld(SampleBudget budget, Executor fitting) {
    this(
        TestPrograms.of(
            "minimize cost subject to quality >= 0.6",
            budget,
            TestPrograms.filter("keep", "messages"),
            TestPrograms.filter("again", "keep")),
        CASCADE,
        true,
        fitting);
  }

  /**
   * A world with one filter that asks a proxy first.
   *
   * @param logprobs whether the proxy's endpoint returns log-probabilities
   */
  static CascadeWorld withProxy(SampleBudget budget, boolean logprobs) {
    return new CascadeWorld(
        TestPrograms.of(
            "minimize cost subject to quality >= 0.6",
            budget,
            TestPrograms.filter("keep", "messages")),
        WITH_PROXY,
        logprobs,
        Runnable::run);
  }

  /** A world with one filter that keeps one in twenty documents. */
  static CascadeWorld rare(boolean telling) {
    CascadeWorld world =
        new CascadeWorld(
            TestPrograms.of(
                "minimize cost subject to quality >= 0.75",
                new SampleBudget.Invocations(150),
                TestPrograms.filter("keep", "messages")),
            CASCADE,
            true,
            Runnable::run);
    world.oneIn = 20;
    world.telling = telling;
    return world;
  }

  private CascadeWorld(Program program, Cascade cascade, boolean logprobs, Executor fitting) {
    this.program = program;
    this.cascade = cascade;
    this.logprobs = logprobs;
    this.fitting = fitting;
    this.loop = loop();
    tell(new LoopEvent.ControlSet(new ControlRecord.ProgramSet(program)));
  }

  private OptimizerLoop loop() {
    Map<String, List<PhysicalOperator>> space = new HashMap<>();
    program
        .semanticOperators()
        .forEach(operator -> space.put(operator.id(), List.of(cascade, MODEL)));
    return new OptimizerLoop(
        TestPrograms.NAME,
        PaperSettings.of(
            11,
            6,
            4,
            SearchOptions.DEFAULT,
            _ -> space,
            ModelCatalogue.of(List.of(EMBEDDER, CHAT, PROXY))),
        fitting);
  }

  void tell(LoopEvent event) {
    topics.add(event);
    loop.apply(event);
  }

  CascadeWorld examples(int from, int to) {
    for (int i = from; i < to; i++) {
      ValidationExample example = TestPrograms.example(i);
      JsonNode label = BooleanNode.valueOf(i % oneIn == 0);
      tell(
          new LoopEvent.ExampleSet(
              new ValidationExample(
                  example.id(),
                  example.source(),
                  example.document(),
                  Map.of("keep", label, "again", label))));
    }
    return this;
  }

  /** The loop decides once; what it wants is carried out. Returns what it wanted. */
  List<LoopEvent.Caused> turn() {
    List<LoopEvent.Caused> actions = loop.decide();
    actions.forEach(action -> topics.add(action));
    for (LoopEvent.Caused action : actions) {
      if (action instanceof DrawnSample(SampleTask task, SampleStamp _, var _)) {
        (task.evidenceOnly() ? embedded : called).add(task);
        tell(new LoopEvent.Observed(observation(task)));
      } else if (action
          instanceof LoopEvent.ControlSet(ControlRecord.PlanPublished(PhysicalPlan plan))) {
        plans.add(plan);
      }
    }
    return actions;
  }

  /** Until there is nothing to do. */
  CascadeWorld finish() {
    List<LoopEvent.Caused> actions;
    do {
      actions = turn();
    } while (!actions.isEmpty());
    return this;
  }

  /** Another optimizer reads the topics from the beginning, plans left out. */
  CascadeWorld restartWithoutPlans() {
    List<LoopEvent> kept =
        topics.stream()
            .filter(event ->
                !(event instanceof LoopEvent.ControlSet(ControlRecord record))
                    || record instanceof ControlRecord.ProgramSet)
            .toList();
    loop = loop();
    kept.forEach(loop::apply);
    return this;
  }

  private Observation observation(SampleTask task) {
    boolean truth = task.label() == null || task.label().booleanValue();
    boolean right = Math.floorMod(SeededHash.of(5, task.exampleId()), 10) != 0;
    boolean kept = truth == right;
    boolean isCascade = task.physical() instanceof Cascade;
    double features = cascade instanceof ModelCascade ? PROXY_CALL : EMBEDDING;
    boolean only = task.evidenceOnly();
    if (only && !logprobs) {
      return Observation.of(task)
          .outcome(Outcome.FAILED)
          .quality(0.0)
          .scoredBy(ScoredBy.FAILURE)
          .cost(features)
          .failure("model p returned no log-probability of its answer")
          .build();
    }
    return Observation.of(task)
        .outcome(only ? Outcome.EMBEDDED : kept ? Outcome.KEPT : Outcome.DROPPED)
        .outputs(kept && !only ? List.of(task.input()) : List.<Document>of())
        .quality(only ? null : Double.valueOf(right ? 1 : 0))
        .scoredBy(only ? ScoredBy.NOBODY : ScoredBy.LABEL)
        .cost((only ? 0 : CALL) + (isCascade ? features : 0))
        .latency((only ? 0 : 1) + (isCascade ? SECONDS : 0))
        .evidence(isCascade && logprobs ? evidence(task) : null)
        .build();
  }

  /** Three in ten look like nothing in particular. */
  private @Nullable Evidence evidence(SampleTask task) {
    JsonNode label = task.label();
    if (label == null) {
      return null;
    }
    float noise = Math.floorMod(SeededHash.of(3, task.exampleId()), 256) / 255f;
    boolean plain = Math.floorMod(SeededHash.of(4, task.exampleId()), 10) > 2;
    boolean looksKept = label.booleanValue() && telling;
    ByteBuffer bytes = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putFloat(plain ? (looksKept ? 1 : -1) : noise / 4 - 0.125f).putFloat(noise);
    return new Evidence.Embedded(
        cascade.features(),
        Base64.getEncoder().encodeToString(bytes.array()),
        label,
        true,
        SECONDS,
        cascade instanceof ModelCascade ? PROXY_CALL : null);
  }
}
